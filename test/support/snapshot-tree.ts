/** Reads an accessibility text back into elements, strictly by the format of docs/behaviour.md#snapshots. */
import { CONTROL_TYPES, ELEMENT_STATES } from '../../src/contract/element/control-types.ts';

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
  /** Items that are counted instead of listed. */
  readonly counted: number | undefined;
  /** The rows after it that are alike, evenly spaced. */
  readonly alike: ReadonlyArray<{ readonly ref: string; readonly x: number; readonly y: number }>;
  /** What is unknown of it. */
  readonly unread: string | undefined;
  /** How its text looks, with `attributes`. */
  readonly text: string | undefined;
  /** Its descendants could not all be read: `…` at the end of the line. */
  readonly isCut: boolean;
}

const JSON_STRING = String.raw`"(?:[^"\\\u0000-\u001f]|\\.)*"`;
const RANGE = String.raw`e[1-9]\d*(?:-e[1-9]\d*)?`;
const LINE = new RegExp(
  String.raw`^(?:([+~-]) )?( *)\[([A-Za-z]+)\] (${JSON_STRING}) \((-?\d+),(-?\d+) (\d+)x(\d+)\) ref=(e[1-9]\d*)(?: value=(${JSON_STRING}))?(?: id=(${JSON_STRING}))?((?: [a-z]+)*?)(?: (text|items|value|state|marks|place|content) unknown)?(?: text\(([^\n]*?)\))?(?: … (1 item|(?:[2-9]|[1-9]\d+) items))?(?: … (?:1 element|(?:[2-9]|[1-9]\d+) elements))?(?: … ([1-9]\d*) more alike: (${RANGE}(?:, ${RANGE})*) to \((-?\d+),(-?\d+) (\d+)x(\d+)\))?( …)?$`,
);
const MORE = /^… \d+ more$/;

/** `e5-e7, e9` → e5, e6, e7, e9. */
function refsIn(ranges: string): string[] {
  return ranges.split(', ').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map((ref) => Number(ref.slice(1)));
    return Array.from({ length: last - first + 1 }, (_, index) => `e${first + index}`);
  });
}

/** Errors: names the first malformed line. */
export function parseTree(text: string): TreeNode[] {
  if (text === '') return [];
  const lines = text.split('\n');
  // A note about the whole window follows the elements.
  while (lines.at(-1)?.startsWith('(') === true) lines.pop();
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
      unread,
      text,
      items,
      count,
      ranges,
      lastX,
      lastY,
      lastWidth,
      lastHeight,
      cut,
    ] = match;
    const refs = ranges === undefined ? [] : refsIn(ranges);
    // they are evenly spaced
    const between = (from: number, to: number, index: number): number =>
      from + ((to - from) * (index + 1)) / refs.length;
    const alike = refs.map((each, index) => ({
      ref: each,
      x: between(Number(x), Number(lastX), index),
      y: between(Number(y), Number(lastY), index),
    }));
    if (ranges !== undefined && (lastWidth !== width || lastHeight !== height))
      throw new Error(`Rows of different sizes are alike: ${line}`);
    if (Number(count ?? 0) !== alike.length) throw new Error(`${alike.length} refs for ${count} rows: ${line}`);
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
      counted: items === undefined ? undefined : Number.parseInt(items, 10),
      alike,
      unread,
      text,
      isCut: cut !== undefined,
    };
  });
}

/** Each row as a node, those too that are in the line of another one. */
export const everyRow = (nodes: readonly TreeNode[]): TreeNode[] =>
  nodes.flatMap((node) => [{ ...node, alike: [] }, ...node.alike.map((row) => ({ ...node, ...row, alike: [] }))]);

/** The elements below a node, by the order and indentation of the lines. */
export function descendants(nodes: readonly TreeNode[], parent: TreeNode): TreeNode[] {
  const after = nodes.slice(nodes.indexOf(parent) + 1);
  const end = after.findIndex((node) => node.depth <= parent.depth);
  return end === -1 ? after : after.slice(0, end);
}
