/** How the text of an element looks, and where its caret is: by the text pattern, or by the messages of edit controls. */
import { ComError } from '../../../../native-bindings/com/hresult.ts';
import type { IUIAutomationElement } from '../../../../native-bindings/uia/automation.generated.ts';
import { PatternId } from '../../../../native-bindings/uia/identifiers.generated.ts';
import {
  IUIAutomationTextPattern,
  type IUIAutomationTextRange,
} from '../../../../native-bindings/uia/patterns.generated.ts';
import { TextAttributeId, TextPatternRangeEndpoint } from '../../../../native-bindings/uia/text-attributes.ts';
import {
  CFE_AUTOCOLOR,
  CFE_BOLD,
  CFM_BOLD,
  CFM_COLOR,
  CFM_FACE,
  CFM_SIZE,
  EM_GETCHARFORMAT,
  EM_LINEFROMCHAR,
  FW_BOLD,
  SCF_SELECTION,
} from '../../../../native-bindings/win32/constants.ts';
import { text16 } from '../../../../native-bindings/library.ts';
import { CHARFORMATW } from '../../../../native-bindings/win32/structs/controls.ts';
import type { TextAttributes } from '../../../contract/element/element.ts';
import { askRemote } from '../sources/controls/items.ts';
import { customSelection } from '../sources/controls/simple-controls.ts';
import { plain } from '../sources/patterns.ts';
import { patternOf } from '../../exits/patterns.ts';
import type { RemoteMemory } from '../tree/remote-memory.ts';
import type { Asker } from '../../windows/ask.ts';

/** Where a caret is farther on, its place is unknown: each character before it is read from the program. */
const MOST_BEFORE = 100_000;
const TWIPS_A_POINT = 20;

/** From a COLORREF, 0x00bbggrr. */
const colourOf = (value: number): string =>
  `#${[value, value >> 8, value >> 16].map((part) => (part & 0xff).toString(16).padStart(2, '0')).join('')}`;

/** Null where the provider does not say it. */
function attributeOf(range: IUIAutomationTextRange, id: number): unknown {
  try {
    return plain(range.GetAttributeValue(id));
  } catch (error) {
    if (error instanceof ComError) return null;
    throw error;
  }
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
    bold: typeof weight === 'number' && weight > 0 ? weight >= FW_BOLD : null,
    selection: before === null || through === null ? null : { start: before.length, end: through.length },
    caretLine: before === null ? null : before.split(/\r\n|\r|\n/).length,
  };
}

type Format = Pick<TextAttributes, 'font' | 'size' | 'colour' | 'bold'>;
const UNKNOWN: Format = { font: null, size: null, colour: null, bold: null };

/** Source: learn.microsoft.com/windows/win32/controls/em-getcharformat */
function formatOf(hwnd: number, asker: Asker, memory: RemoteMemory): Format {
  memory.write(0, CHARFORMATW.alloc({ cbSize: CHARFORMATW.size }));
  if (askRemote(asker, memory, hwnd, EM_GETCHARFORMAT, { wParam: SCF_SELECTION }) === null) return UNKNOWN;
  const back = memory.read(0, CHARFORMATW.size);
  if (back === null) return UNKNOWN;
  const { dwMask: mask, dwEffects: effects, yHeight, crTextColor, szFaceName } = CHARFORMATW.read(back, 0);
  const has = (bit: number): boolean => (mask & bit) !== 0;
  return {
    font: has(CFM_FACE) ? text16(szFaceName) : null,
    size: has(CFM_SIZE) ? yHeight / TWIPS_A_POINT : null,
    colour: has(CFM_COLOR) && (effects & CFE_AUTOCOLOR) === 0 ? colourOf(crTextColor) : null,
    bold: has(CFM_BOLD) ? (effects & CFE_BOLD) !== 0 : null,
  };
}

/**
 * By the messages of an edit control; a plain one does not tell its font to other programs. The caller has checked that it
 * hides no text as a password field does. `memory`: of the program, for a rich edit; null where it is not allowed.
 */
export function messageText(hwnd: number, isRich: boolean, asker: Asker, memory: RemoteMemory | null): TextAttributes {
  const selection = customSelection(hwnd, asker);
  const line = selection === null ? null : asker.ask(hwnd, EM_LINEFROMCHAR, selection.start);
  return {
    ...(isRich && memory !== null ? formatOf(hwnd, asker, memory) : UNKNOWN),
    selection,
    caretLine: line === null ? null : line + 1,
  };
}
