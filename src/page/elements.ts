/** What a snapshot answers, as the page shows it; the query that finds exactly one element; and that query in each client's words. */
import type { ShownElement } from '../contract/element/element.ts';

export interface SeenElement extends Omit<ShownElement, 'states' | 'rect'> {
  readonly depth: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** With its items where not all are listed. */
  readonly states: string;
  /** Place in the snapshot. */
  readonly index: number;
}

export function elementsOf(shown: readonly ShownElement[]): SeenElement[] {
  const depths = new Map<string, number>();
  return shown.map(({ states, rect, ...element }, index) => {
    const depth = element.parent === undefined ? 0 : (depths.get(element.parent) ?? 0) + 1;
    depths.set(element.ref, depth);
    const words = [...states, ...(element.count === undefined ? [] : [`${element.count} items`])];
    return { ...element, ...rect, depth, states: words.join(' '), index };
  });
}

/** The smallest element at a point, in pixels of the picture; the deepest of equals. */
export function elementAt(elements: readonly SeenElement[], x: number, y: number): SeenElement | null {
  let best: SeenElement | null = null;
  for (const element of elements) {
    const isIn = x >= element.x && y >= element.y && x < element.x + element.width && y < element.y + element.height;
    if (isIn && (best === null || element.width * element.height <= best.width * best.height)) best = element;
  }
  return best;
}

/** The names of its ancestors and its own, outermost first. */
export function pathOf(elements: readonly SeenElement[], element: SeenElement): SeenElement[] {
  const path = [element];
  for (let at = element.index - 1; at >= 0 && (path[0]?.depth ?? 0) > 0; at -= 1) {
    const above = elements[at];
    if (above !== undefined && above.depth < (path[0]?.depth ?? 0)) path.unshift(above);
  }
  return path;
}

export interface Query {
  readonly name?: string;
  readonly role?: string;
  readonly automationId?: string;
}
/** What the host’s `describe-element` names, for an element without a query of its own. */
export type PathQuery = { readonly path: string };

const isSame = (one: string | undefined, other: string | undefined): boolean =>
  other === undefined || (one ?? '').toLowerCase() === other.toLowerCase();

const matches = (element: SeenElement, { name, role, automationId }: Query): boolean =>
  isSame(element.name, name) && isSame(element.role, role) && isSame(element.id, automationId);

/**
 * The queries that only this element of the snapshot answers to, the shortest first. The host has the last word on them: a
 * snapshot counts hidden items without naming them.
 */
export function queriesFor(elements: readonly SeenElement[], element: SeenElement): Query[] {
  const { name, role, id } = element;
  const candidates: Query[] = [
    ...(name === '' ? [] : [{ name }, { name, role }]),
    ...(id === undefined ? [] : [{ automationId: id }, { automationId: id, role }]),
    ...(name === '' || id === undefined ? [] : [{ name, role, automationId: id }]),
  ];
  return candidates.filter((query) => elements.filter((each) => matches(each, query)).length === 1);
}

export type Form = 'CLI' | 'curl' | 'MCP' | 'TypeScript' | 'Python';
export const FORMS: readonly Form[] = ['CLI', 'curl', 'MCP', 'TypeScript', 'Python'];

/** What a person does with an element of this role, as an example to change. */
function actionFor(role: string): { readonly name: string; readonly more: Readonly<Record<string, string>> } {
  if (role === 'Edit' || role === 'Document') return { name: 'type-into-element', more: { text: '…' } };
  if (['List', 'ComboBox', 'Tab', 'Tree', 'DataGrid', 'Table'].includes(role))
    return { name: 'select-element', more: { item: '…' } };
  return { name: 'click-element', more: {} };
}

const camel = (name: string): string => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
const snake = (name: string): string =>
  name.replaceAll('-', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
/** One word for a Unix shell. */
const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const isWindows = /Windows/.test(globalThis.navigator?.userAgent ?? '');
/** One word for every shell, where there is such a form; else for PowerShell on Windows. */
const anyShellWord = (text: string): string =>
  /^[^"`$%!\\]*$/.test(text) ? `"${text}"` : isWindows ? `'${text.replaceAll("'", "''")}'` : shellWord(text);

/** How a session of its own finds the window: by its title, or by its handle where no title tells it from others. */
export type WindowQuery = { readonly title: string } | { readonly hwnd: string };

/** Binds the window and acts on the element, in one client's words. */
export function codeFor(
  form: Form,
  window: WindowQuery,
  element: SeenElement,
  query: Query | PathQuery | { readonly ref: string },
): string {
  const { name, more } = actionFor(element.role);
  return [callFor(form, 'bind-to-window', { ...window }), callFor(form, name, { ...query, ...more })].join('\n');
}

function callFor(form: Form, name: string, input: Readonly<Record<string, string>>): string {
  const entries = Object.entries(input);
  switch (form) {
    case 'CLI':
      return `uiahost ${name} ${entries.map(([key, text]) => `--${kebab(key)} ${anyShellWord(text)}`).join(' ')}`;
    case 'curl':
      return `curl -s "$HOST/v1/actions/${name}" -H "Authorization: Bearer $(cat "$DATA/agent.token")" -H 'Content-Type: application/json' -d ${shellWord(JSON.stringify(input))}`;
    case 'MCP':
      return JSON.stringify({ name: snake(name), arguments: input });
    case 'TypeScript':
      return `await host.actions.${camel(name)}({ ${entries.map(([key, text]) => `${key}: ${JSON.stringify(text)}`).join(', ')} });`;
    case 'Python':
      return `host.actions.${snake(name)}(${entries.map(([key, text]) => `${snake(key)}=${JSON.stringify(text)}`).join(', ')})`;
  }
}
