/** The elements that name a key combination as their accelerator or access key. */
import type { IUIAutomationElement } from '../../../../native-bindings/uia/automation.generated.ts';
import { ComError } from '../../../../native-bindings/com/hresult.ts';
import { PropertyId, TreeScope } from '../../../../native-bindings/uia/identifiers.generated.ts';
import { canonicalChord, shownChord } from '../../../contract/keys/shown-chord.ts';
import type { Automation } from '../sources/uia-client.ts';
import { plain } from '../sources/patterns.ts';

/** One call for the whole window. */
const SEARCH_MS = 1500;

const isCalled = (element: IUIAutomationElement, property: number, wanted: ReadonlySet<string>): string | null => {
  const value = plain(element.GetCachedPropertyValueEx(property, true));
  const chord = typeof value === 'string' && value !== '' ? shownChord(value) : null;
  return chord !== null && wanted.has(chord) ? chord : null;
};

/**
 * The identities of the elements below a window, by canonical chord. Empty where the system cannot search.
 * Source: learn.microsoft.com/windows/win32/winauto/uiauto-automation-element-propids (AcceleratorKey, AccessKey)
 */
export function chordElements(automation: Automation, hwnd: number, chords: readonly string[]): Map<string, string[]> {
  const wanted = new Set(chords.map(canonicalChord));
  const found = new Map<string, string[]>();
  if (!automation.canSearch) return found;
  try {
    automation.waitingAtMost(SEARCH_MS, () => {
      using start = automation.fromWindow(hwnd);
      using request = automation.request(
        [PropertyId.AcceleratorKey, PropertyId.AccessKey, PropertyId.RuntimeId],
        false,
      );
      using condition = automation.client.CreateTrueCondition()!;
      using all = start?.FindAllBuildCache(TreeScope.Descendants, condition, request) ?? null;
      const length = all?.get_Length() ?? 0;
      for (let at = 0; at < length; at++) {
        using element = all!.GetElement(at);
        if (element === null) continue;
        const chord =
          isCalled(element, PropertyId.AcceleratorKey, wanted) ?? isCalled(element, PropertyId.AccessKey, wanted);
        const id = chord === null ? null : plain(element.GetCachedPropertyValueEx(PropertyId.RuntimeId, true));
        if (chord !== null && Array.isArray(id)) found.set(chord, [...(found.get(chord) ?? []), `rid:${id.join('.')}`]);
      }
    });
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
  }
  return found;
}
