/**
 * Terminals that draw their own text (Windows Terminal and others): read through UI Automation's Text pattern.
 * Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingtextandtextrange
 */
import type { IUIAutomationElement } from '../../../../native-bindings/uia/automation.generated.ts';
import {
  ControlTypeId,
  PatternId,
  PropertyId,
  TreeScope,
} from '../../../../native-bindings/uia/identifiers.generated.ts';
import { IUIAutomationTextPattern } from '../../../../native-bindings/uia/patterns.generated.ts';
import type { Automation } from '../sources/uia-client.ts';
import { patternOf } from '../../exits/patterns.ts';
import { comAnswer } from '../sources/boundary.ts';

/** More than any useful scroll-back; limits what one program can return. */
const MAX_CHARACTERS = 1_000_000;

export interface TerminalText {
  /** The visible rows, trimmed at their ends. */
  readonly screen: string;
  /** The text above it; null if the terminal keeps none. */
  readonly scrollback: string | null;
}

const trimmedRows = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((row) => row.trimEnd())
    .join('\n')
    .trimEnd();

/** The text of the visible ranges, one below the other. */
function visibleText(pattern: IUIAutomationTextPattern): string {
  using ranges = pattern.GetVisibleRanges();
  const texts: string[] = [];
  for (let index = 0; index < (ranges?.get_Length() ?? 0); index += 1) {
    using range = ranges!.GetElement(index);
    texts.push(range?.GetText(MAX_CHARACTERS) ?? '');
  }
  return trimmedRows(texts.join('\n'));
}

function readElement(element: IUIAutomationElement): TerminalText | null {
  using pattern = patternOf(element, PatternId.TextPattern, IUIAutomationTextPattern);
  if (pattern === null) return null;
  using range = pattern.get_DocumentRange();
  const whole = trimmedRows(range?.GetText(MAX_CHARACTERS) ?? '');
  const screen = visibleText(pattern);
  // A terminal that does not report which part is visible shows all of its text.
  if (screen === '') return { screen: whole, scrollback: null };
  const above = whole.endsWith(screen) ? whole.slice(0, whole.length - screen.length).trimEnd() : whole;
  return { screen, scrollback: above === '' || above === screen ? null : above };
}

/**
 * The screen is a text or document, other fields (a search box) are edits; of several panes the focused one gets the
 * keys.
 */
function rankOf(element: IUIAutomationElement): number {
  const is = (property: number, value: unknown): boolean => element.GetCachedPropertyValueEx(property, true) === value;
  return (
    (is(PropertyId.ControlType, ControlTypeId.Edit) ? 0 : 4) +
    (is(PropertyId.HasKeyboardFocus, true) ? 2 : 0) +
    (is(PropertyId.IsOffscreen, true) ? 0 : 1)
  );
}

/**
 * The content of a terminal; null if UI Automation finds no text in it. The caller has checked that its thread answers.
 */
export function readTerminalText(automation: Automation, hwnd: number): TerminalText | null {
  return comAnswer(() => {
    using start = automation.fromWindow(hwnd);
    if (start === null) return null;
    using hasText = automation.client.CreatePropertyCondition(PropertyId.IsTextPatternAvailable, true)!;
    using request = automation.request(
      [PropertyId.ControlType, PropertyId.HasKeyboardFocus, PropertyId.IsPassword, PropertyId.IsOffscreen],
      false,
    );
    using found = start.FindAllBuildCache(TreeScope.Subtree, hasText, request);
    let best: { text: TerminalText; rank: number } | null = null;
    for (let index = 0; index < (found?.get_Length() ?? 0); index += 1) {
      using element = found!.GetElement(index);
      if (element === null || element.GetCachedPropertyValueEx(PropertyId.IsPassword, true) === true) continue;
      const rank = rankOf(element);
      if (best !== null && best.rank >= rank) continue;
      const text = readElement(element);
      if (text !== null) best = { text, rank };
    }
    return best?.text ?? null;
  });
}
