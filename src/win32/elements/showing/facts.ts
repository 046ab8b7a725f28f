/** One element as each source shows it: for people who write queries, and wonder where a name comes from. */
import { PropertyId } from '../../../../native-bindings/uia/identifiers.generated.ts';
import type { BindingRecord } from '../../../contract/element/binding.ts';
import type { SourceFacts } from '../../../contract/element/element.ts';
import { classNameOf, controlId, kindOfWindow, windowStyle } from '../../windows/window-info.ts';
import type { ActionTools } from '../finding/element-target.ts';
import { pathFor } from '../finding/element-path.ts';
import { locateRef } from '../finding/locate.ts';
import { accessibleAt, defaultActionOf, nameOf } from '../sources/accessible.ts';
import { cachedOf, nodeOf, propertiesOf } from '../sources/automation-node.ts';
import { keptText } from '../sources/child-windows.ts';
import type { Automation } from '../sources/uia-client.ts';
import { readPatiently, type Observed } from '../reading/observe.ts';
import { pathTo, type TreeNode } from '../tree/tree.ts';
import { hasAutomation, messageText, patternText } from './text-attributes.ts';
import { comAnswer } from '../sources/boundary.ts';

/** What UI Automation shows of it now; null where it has no element for it, or its provider fails. */
function automationFacts(automation: Automation, node: TreeNode, root: number, withText: boolean): SourceFacts | null {
  if (!hasAutomation(node)) return null;
  const { patterns } = automation.abilities;
  using element = automation.elementOf(node, root);
  if (element === null) return null;
  using request = automation.request([...propertiesOf(patterns), PropertyId.ClassName], false);
  using cached = automation.waitingAtMost(ASK_MS, () => element.BuildUpdatedCache(request));
  if (cached === null) return null;
  const above = { identity: '', hwnd: node.hwnd, controlType: null };
  const shown = nodeOf(cached, above, 0, patterns);
  const provider = patterns ? cachedOf(cached)(PropertyId.ProviderDescription) : null;
  const text = withText && patterns && !node.states.has('password') ? patternText(element) : null;
  return {
    source: 'uia',
    controlType: shown.controlType,
    name: shown.name,
    automationId: shown.automationId,
    className: shown.className,
    patterns: [...shown.capabilities].filter((each) => each !== 'default-action').sort(),
    ...(typeof provider === 'string' && provider !== '' ? { provider } : {}),
    ...(text === null ? {} : { text }),
  };
}

/** What its IAccessible says; null where it has none, or it fails. */
function accessibleFacts({ locator }: TreeNode): SourceFacts | null {
  if (locator.kind !== 'window' && locator.kind !== 'msaa') return null;
  using held = accessibleAt(locator.hwnd, locator.kind === 'msaa' ? locator.path : []);
  if (held === null) return null;
  const action = defaultActionOf(held.element);
  return { source: 'msaa', name: nameOf(held.element), ...(action === '' ? {} : { defaultAction: action }) };
}

/** What the system keeps for the window that it is. */
function windowFacts({ locator }: TreeNode): SourceFacts | null {
  if (locator.kind !== 'window') return null;
  const { hwnd } = locator;
  return {
    source: 'window',
    // Not what a field contains, which may be a password.
    name: keptText(kindOfWindow(hwnd), hwnd, windowStyle(hwnd)),
    automationId: String(controlId(hwnd)),
    className: classNameOf(hwnd),
  };
}

/** An item of a control, or the text of an edit control, by the control's messages. */
function messageFacts(node: TreeNode, read: ActionTools['read'], withText: boolean): SourceFacts | null {
  const { locator, controlType, name } = node;
  if (locator.kind === 'item') return { source: 'message', controlType, name };
  const text = withText ? messageText(node, read.remoteControlMemory) : null;
  return text === null ? null : { source: 'message', controlType, name, text };
}

/** A provider that does not answer in this time (ms) shows nothing. */
const ASK_MS = 1000;

/** Errors: element_stale, window_hung. */
export function factsOf(
  { refs, read }: ActionTools,
  record: BindingRecord,
  ref: string,
  withText: boolean,
): { sources: SourceFacts[]; path: string | null; value: string | null } {
  const { node, observed } = locateRef(refs, record, ref, read);
  const { automation } = read;
  const root = Number(observed.record.hwnd);
  const sources = [
    comAnswer(() => (automation === null ? null : automationFacts(automation, node, root, withText))),
    comAnswer(() => accessibleFacts(node)),
    windowFacts(node),
    messageFacts(node, read, withText),
  ].filter((each) => each !== null);
  const path = root === Number(record.hwnd) ? pathIn(readPatiently(record, read), node) : null;
  return { sources, path, value: node.states.has('password') ? null : node.value };
}

/** A path begins at the bound window, and its steps are counted: both need all of it. */
function pathIn({ root, partial }: Observed, { identity }: TreeNode): string | null {
  const node = partial ? undefined : pathTo(root, identity).at(-1);
  return node === undefined || node === root ? null : pathFor(root, node);
}
