/** Merges what the sources know into one tree. No Windows calls. */
import { walk, type TreeNode } from '../tree/tree.ts';

/** Properties that the control's own messages and window know better, or that only they know. */
function adoptWindow(into: TreeNode, window: TreeNode): void {
  into.className = window.className;
  into.clip = window.clip;
  into.letsClicksThrough = window.letsClicksThrough;
  into.hwnd = window.hwnd;
  if (into.automationId === '') into.automationId = window.automationId;
  if (into.name === '') into.name = window.name;
  into.label ??= window.label;
  into.isDefaultButton ||= window.isDefaultButton;
  into.itemCount = into.children.length === 0 ? window.itemCount : null;
  // UI Automation's own proxy knows nothing of custom text controls.
  if (
    window.controlType === 'Document' &&
    window.value !== null &&
    into.value === null &&
    (into.controlType === 'Pane' || into.controlType === 'Custom')
  )
    into.controlType = 'Document';
  // A field is a password field if any source reports it as one, and then has no value.
  for (const state of ['disabled', 'password', 'readonly', 'focused'] as const)
    if (window.states.has(state)) into.states.add(state);
  into.value = into.states.has('password') ? null : (into.value ?? window.value);
  if (!into.children.some((child) => child.locator.kind !== 'window'))
    into.children.push(...window.children.filter((child) => child.locator.kind === 'item'));
}

/**
 * The UI Automation tree with what the windows add. Windows that it does not contain are attached to their nearest
 * ancestor that it does. `window` is the same window as the root of `automation`.
 */
export function mergeAutomation(automation: TreeNode, window: TreeNode): TreeNode {
  const shown = new Map<number, TreeNode>();
  for (const node of walk(automation)) if (node.locator.kind === 'window') shown.set(node.locator.hwnd, node);
  const adopt = (node: TreeNode, parent: TreeNode): void => {
    const same = node.locator.kind === 'window' ? shown.get(node.locator.hwnd) : undefined;
    if (same === undefined) {
      // Its child windows may be known even if it is not.
      const below = node.children.filter((child) => child.locator.kind === 'window');
      node.children = node.children.filter((child) => child.locator.kind !== 'window');
      parent.children.push(node);
      for (const child of below) adopt(child, node);
      return;
    }
    const below = node.children;
    adoptWindow(same, node);
    for (const child of below) if (child.locator.kind === 'window') adopt(child, same);
  };
  shown.set(window.hwnd, automation);
  adopt(window, automation);
  automation.controlType = window.controlType === 'Window' ? 'Window' : automation.controlType;
  automation.identity = window.identity;
  automation.locator = window.locator;
  return automation;
}

/** Replaces a window's node with the merged one. */
export function replaceChild(root: TreeNode, old: TreeNode, now: TreeNode): void {
  for (const node of walk(root)) {
    const index = node.children.indexOf(old);
    if (index < 0) continue;
    node.children[index] = now;
    return;
  }
}
