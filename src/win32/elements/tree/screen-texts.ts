/**
 * Texts of a window for the gate: what it asks (for risk), and its visible texts (for text that gives the agent
 * instructions). All come from the tree already read; no value of a password field is among them.
 */
import { rectCentre } from '../../../contract/element/coordinates.ts';
import type { ControlType } from '../../../contract/element/control-types.ts';
import type { Rect } from '../../../contract/element/geometry.ts';
import { indexOf } from './tree-index.ts';
import type { TreeNode } from './tree.ts';

const MAX_QUESTIONS = 40;
const QUESTION_LENGTH = 500;
/** A field with more text than this is a document, not a question. */
const LONGEST_QUESTION = 1000;

/** How much visible text is scanned for instructions, nearest to the target first. */
export const SCREEN_BUDGET = { texts: 300, characters: 20_000, ofOneText: 8000 } as const;

const FIELDS: ReadonlySet<ControlType> = new Set<ControlType>(['Edit', 'Document']);
/** Drawn and named by a program that does not declare it as text: MSAA knows no better. */
const DRAWN: ReadonlySet<ControlType> = new Set<ControlType>(['Pane', 'Custom', 'Group', 'Image']);

const isSecret = (node: TreeNode): boolean => node.states.has('password');
const valueOf = (node: TreeNode): string => (isSecret(node) ? '' : (node.value ?? ''));

/** What a person reads in an element before deciding; empty if there is nothing to read. */
function questionOf(node: TreeNode, isDialog: boolean): string[] {
  if (node.controlType === 'Text') return [node.name, valueOf(node)];
  if (FIELDS.has(node.controlType)) {
    const value = valueOf(node);
    // A console or an editor changes as it runs; a question in a read-only field does not.
    const isStatic =
      node.states.has('readonly') &&
      value.length <= LONGEST_QUESTION &&
      (node.capabilities.has('value') || !node.capabilities.has('text'));
    const asks = isDialog || value.includes('?') || value.includes('？');
    return [...(isStatic && asks ? [value] : []), ...(node.controlType === 'Document' && isDialog ? [node.name] : [])];
  }
  return node.source === 'msaa' && DRAWN.has(node.controlType) && !node.capabilities.has('default-action')
    ? [node.name, valueOf(node)]
    : [];
}

/**
 * What a window asks, wherever its text is: static text, read-only field, document, task dialog, drawn text from MSAA.
 * `isDialog`: it is one of the system's dialogs.
 */
export function questionTexts(root: TreeNode, isDialog: boolean): string[] {
  const texts = new Set<string>();
  for (const node of indexOf(root).list('questions')) {
    if (node === root) continue;
    for (const text of questionOf(node, isDialog)) {
      const trimmed = text.trim();
      if (trimmed !== '') texts.add(trimmed);
      if (texts.size >= MAX_QUESTIONS) return questions(texts);
    }
  }
  return questions(texts);
}

const questions = (texts: ReadonlySet<string>): string[] => [...texts].map((text) => text.slice(0, QUESTION_LENGTH));

/** What is in view, nearest first; the target also where it is out of view. */
function* fromNearest(root: TreeNode, target: TreeNode | null, from: Rect): Generator<TreeNode> {
  if (target !== null && target.visible === null) yield target;
  yield* indexOf(root).inView.nearest(from);
}

/** No language has an instruction shorter than this. */
const SHORTEST = 5;

/**
 * Names, values and labels of everything visible, nearest to the target first, within the budget. `shownPart`: the part
 * to scan of a text too long to scan in full.
 */
export function screenTexts(
  root: TreeNode,
  target: TreeNode | null,
  shownPart: (node: TreeNode, length: number) => string,
): string[] {
  const centre = rectCentre(root.visible ?? root.rect);
  const from = target?.visible ?? target?.rect ?? { ...centre, width: 0, height: 0 };
  const found = new Set<string>();
  let left: number = SCREEN_BUDGET.characters;
  for (const node of fromNearest(root, target, from)) {
    const value = valueOf(node);
    const texts = [
      node.name,
      value.length > SCREEN_BUDGET.ofOneText ? shownPart(node, SCREEN_BUDGET.ofOneText) : value,
      isSecret(node) ? '' : (node.shown ?? ''),
      node.label ?? '',
    ];
    for (const text of texts) {
      const trimmed = text.trim().slice(0, Math.min(SCREEN_BUDGET.ofOneText, left));
      if (trimmed.length < SHORTEST || found.has(trimmed)) continue;
      found.add(trimmed);
      left -= trimmed.length;
      if (left < SHORTEST || found.size >= SCREEN_BUDGET.texts) return [...found];
    }
  }
  return [...found];
}
