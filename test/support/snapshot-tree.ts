/** Reads an accessibility text back into elements, strictly by the format of docs/behaviour.md#snapshots. */
import { CONTROL_TYPES, ELEMENT_STATES } from '../../src/contract/control-types.ts';

export interface TreeNode {
  /** Two spaces each; the window is 0. */
  readonly depth: number;
  readonly controlType: string;
  readonly name: string;
  /** In the image space of the observation. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly ref: string;
  readonly value: string | undefined;
  readonly id: string | undefined;
  readonly states: readonly string[];
  /** `+`, `~` or `-` in an answer to `since`. */
  readonly change: string | undefined;
  /** Its descendants could not all be read: `…` at the end of the line. */
  readonly isCut: boolean;
}

const JSON_STRING = String.raw`"(?:[^"\\\u0000-\u001f]|\\.)*"`;
const LINE = new RegExp(
  String.raw`^(?:([+~-]) )?( *)\[([A-Za-z]+)\] (${JSON_STRING}) \((-?\d+),(-?\d+) (\d+)x(\d+)\) ref=(e[1-9]\d*)(?: value=(${JSON_STRING}))?(?: id=(${JSON_STRING}))?((?: [a-z]+)*)( …)?$`,
);
const MORE = /^… \d+ more$/;

/** Errors: names the first malformed line. */
export function parseTree(text: string): TreeNode[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (MORE.test(lines.at(-1) ?? '')) lines.pop();
  return lines.map((line) => {
    const match = LINE.exec(line);
    if (match === null) throw new Error(`Not a line of an accessibility text: ${line}`);
    const [
      ,
      change,
      indent = '',
      controlType = '',
      name = '""',
      x,
      y,
      width,
      height,
      ref = '',
      value,
      id,
      words = '',
      cut,
    ] = match;
    const states = words.split(' ').filter((word) => word !== '');
    if (indent.length % 2 !== 0) throw new Error(`Indented by ${indent.length} spaces: ${line}`);
    if (!(CONTROL_TYPES as readonly string[]).includes(controlType))
      throw new Error(`No control type of UI Automation: ${line}`);
    const foreign = states.find((state) => !(ELEMENT_STATES as readonly string[]).includes(state));
    if (foreign !== undefined) throw new Error(`"${foreign}" is no state: ${line}`);
    return {
      depth: indent.length / 2,
      controlType,
      name: JSON.parse(name) as string,
      x: Number(x),
      y: Number(y),
      width: Number(width),
      height: Number(height),
      ref,
      value: value === undefined ? undefined : (JSON.parse(value) as string),
      id: id === undefined ? undefined : (JSON.parse(id) as string),
      states,
      change,
      isCut: cut !== undefined,
    };
  });
}

/** The elements below a node, by the order and indentation of the lines. */
export function descendants(nodes: readonly TreeNode[], parent: TreeNode): TreeNode[] {
  const after = nodes.slice(nodes.indexOf(parent) + 1);
  const end = after.findIndex((node) => node.depth <= parent.depth);
  return end === -1 ? after : after.slice(0, end);
}
