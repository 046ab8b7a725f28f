/** How the text of an element looks, and where its caret is: by the text pattern, or by the messages of edit controls. */
import { ComError } from '../../../../native-bindings/com/hresult.ts';
import type { IUIAutomationElement } from '../../../../native-bindings/uia/automation.generated.ts';
import { PatternId } from '../../../../native-bindings/uia/identifiers.generated.ts';
import {
  IUIAutomationTextPattern,
  type IUIAutomationTextRange,
} from '../../../../native-bindings/uia/patterns.generated.ts';
import { TextAttributeId, TextPatternRangeEndpoint } from '../../../../native-bindings/uia/text-attributes.ts';
import * as m from '../../../../native-bindings/win32/constants.ts';
import { text16 } from '../../../../native-bindings/library.ts';
import type { ControlType } from '../../../contract/element/control-types.ts';
import type { TextAttributes } from '../../../contract/element/element.ts';
import { isPasswordEdit, kindOfWindow } from '../../windows/window-info.ts';
import { Asker } from '../../windows/ask.ts';
import type { ReadOptions } from '../reading/observe.ts';
import { customSelection, formatOfSelection, lineOf } from '../../drivers/edit.ts';
import { plain } from '../sources/patterns.ts';
import { patternOf } from '../../exits/patterns.ts';
import { RemoteBlocks, type RemoteMemory } from '../tree/remote-memory.ts';
import { quote } from '../tree/snapshot-text.ts';
import type { TreeNode } from '../tree/tree.ts';
import { comAnswer } from '../sources/boundary.ts';

/** Where a caret is farther on, its place is unknown: each character before it is read from the program. */
const MOST_BEFORE = 100_000;
const TWIPS_A_POINT = 20;
/** A program that does not answer in this time (ms) tells nothing. */
const ASK_MS = 1000;

/** From a COLORREF, 0x00bbggrr. */
const colourOf = (value: number): string =>
  `#${[value, value >> 8, value >> 16].map((part) => (part & 0xff).toString(16).padStart(2, '0')).join('')}`;

/** Null where the provider does not say it. */
function attributeOf(range: IUIAutomationTextRange, id: number): unknown {
  return comAnswer(() => plain(range.GetAttributeValue(id)));
}

/** The text between the beginning and an end of the selection; null where it is too long. */
function textBefore(whole: IUIAutomationTextRange, selected: IUIAutomationTextRange, end: number): string | null {
  using range = whole.Clone();
  range?.MoveEndpointByRange(TextPatternRangeEndpoint.End, selected, end);
  const text = range?.GetText(MOST_BEFORE) ?? null;
  return text === null || text.length >= MOST_BEFORE ? null : text;
}

/** By the text pattern; null where the element has none. Errors: ComError. */
export function patternText(element: IUIAutomationElement): TextAttributes | null {
  using pattern = patternOf(element, PatternId.TextPattern, IUIAutomationTextPattern);
  using whole = pattern?.get_DocumentRange() ?? null;
  if (pattern === null || whole === null) return null;
  using ranges = pattern.GetSelection();
  using selected = ranges !== null && ranges.get_Length() > 0 ? ranges.GetElement(0) : null;
  const at = selected ?? whole;
  const [font, size, weight, colour] = [
    TextAttributeId.FontName,
    TextAttributeId.FontSize,
    TextAttributeId.FontWeight,
    TextAttributeId.ForegroundColor,
  ].map((id) => attributeOf(at, id));
  const before = selected === null ? null : textBefore(whole, selected, TextPatternRangeEndpoint.Start);
  const through = selected === null ? null : textBefore(whole, selected, TextPatternRangeEndpoint.End);
  return {
    font: typeof font === 'string' && font !== '' ? font : null,
    size: typeof size === 'number' && size > 0 ? size : null,
    colour: typeof colour === 'number' ? colourOf(colour) : null,
    bold: typeof weight === 'number' && weight > 0 ? weight >= m.FW_BOLD : null,
    selection: before === null || through === null ? null : { start: before.length, end: through.length },
    caretLine: before === null ? null : before.split(/\r\n|\r|\n/).length,
  };
}

type Format = Pick<TextAttributes, 'font' | 'size' | 'colour' | 'bold'>;
const UNKNOWN: Format = { font: null, size: null, colour: null, bold: null };

function formatOf(hwnd: number, asker: Asker, memory: RemoteMemory): Format {
  const format = formatOfSelection(asker, memory, hwnd);
  if (format === null) return UNKNOWN;
  const { dwMask: mask, dwEffects: effects, yHeight, crTextColor, szFaceName } = format;
  const has = (bit: number): boolean => (mask & bit) !== 0;
  return {
    font: has(m.CFM_FACE) ? text16(szFaceName) : null,
    size: has(m.CFM_SIZE) ? yHeight / TWIPS_A_POINT : null,
    colour: has(m.CFM_COLOR) && (effects & m.CFE_AUTOCOLOR) === 0 ? colourOf(crTextColor) : null,
    bold: has(m.CFM_BOLD) ? (effects & m.CFE_BOLD) !== 0 : null,
  };
}

/**
 * By the messages of an edit control: a plain one does not tell its font to other programs, and a rich one only where its
 * program's memory may be used. Null for other windows, and for password fields.
 */
export function messageText({ locator }: TreeNode, mayUseMemory: boolean): TextAttributes | null {
  if (locator.kind !== 'window') return null;
  const { hwnd } = locator;
  const kind = kindOfWindow(hwnd);
  if ((kind !== 'edit' && kind !== 'rich-edit') || isPasswordEdit(hwnd)) return null;
  using blocks = new RemoteBlocks(mayUseMemory);
  const memory = kind === 'rich-edit' ? blocks.for(hwnd) : null;
  const asker = new Asker(ASK_MS);
  const selection = customSelection(hwnd, asker);
  const line = selection === null ? null : lineOf(asker, hwnd, selection.start);
  return {
    ...(memory === null ? UNKNOWN : formatOf(hwnd, asker, memory)),
    selection,
    caretLine: line === null ? null : line + 1,
  };
}

/** What a look at the texts of a window needs. */
interface TextReading {
  readonly read: Pick<ReadOptions, 'automation' | 'remoteControlMemory'>;
  /** The window that the elements are in. */
  readonly root: number;
}

const HOLDS_TEXT: ReadonlySet<ControlType> = new Set(['Edit', 'Document']);

/** What the text pattern says, and by messages what it does not; null for an element without a text, and for passwords. */
function textOf(
  node: TreeNode,
  { read: { automation, remoteControlMemory }, root }: TextReading,
): TextAttributes | null {
  if ((!HOLDS_TEXT.has(node.controlType) && !node.capabilities.has('text')) || node.states.has('password')) return null;
  const byMessages = messageText(node, remoteControlMemory);
  if (automation === null || !automation.abilities.patterns || !hasAutomation(node)) return byMessages;
  using element = automation.elementOf(node, root);
  if (element === null) return byMessages;
  try {
    const byPattern = automation.waitingAtMost(ASK_MS, () => patternText(element));
    if (byPattern === null || byMessages === null) return byPattern ?? byMessages;
    const told = Object.fromEntries(Object.entries(byPattern).filter(([, value]) => value !== null));
    return { ...byMessages, ...told };
  } catch (error) {
    if (error instanceof ComError) return byMessages;
    throw error;
  }
}

/** Elements that UI Automation may have: not the items of a control, nor what only MSAA shows. */
export const hasAutomation = ({ locator }: TreeNode): boolean => locator.kind !== 'msaa' && locator.kind !== 'item';

/**
 * How each element's text looks, in the words of a line; '' where nothing tells it.
 *
 * @param end the time (`performance.now()`) after which nothing is asked
 */
export const textWords =
  (reading: TextReading, end: number) =>
  (node: TreeNode): string => {
    const text = performance.now() > end ? null : textOf(node, reading);
    if (text === null) return '';
    const { font, size, colour, bold, selection, caretLine } = text;
    return [
      font === null ? null : `font=${quote(font)}`,
      size === null ? null : `size=${size}`,
      colour === null ? null : `colour=${colour}`,
      bold === null ? null : bold ? 'bold' : 'regular',
      selection === null ? null : `selection=${selection.start}-${selection.end}`,
      caretLine === null ? null : `line=${caretLine}`,
    ]
      .filter((word) => word !== null)
      .join(' ');
  };
