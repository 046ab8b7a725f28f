/** What the host knows of a call to the desktop before it sends it: the window it concerns, and what it shares with others. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { Delivery } from '../../contract/errors.ts';
import { isTerminalClass } from '../../contract/terminal/terminals.ts';
import { METHOD_KINDS, type DeliveryMode, type MethodKind } from '../../desktop/index.ts';
import type { Topic } from './protocol.ts';

/** Whether input was delivered if a call of this method is interrupted. */
export function whenInterrupted(topic: Topic, method: string): Delivery {
  const kinds: Readonly<Record<string, MethodKind>> = METHOD_KINDS[topic];
  return kinds[method] === 'looks' ? 'not_delivered' : 'unknown';
}

/** The window that a call concerns: its program's worker serves it. Null: the whole desktop. */
export function windowOf(args: readonly unknown[]): BindingRecord | null {
  const first = args[0] as (Partial<BindingRecord> & { record?: BindingRecord }) | null | undefined;
  if (typeof first !== 'object' || first === null) return null;
  const record = first.record ?? first;
  return typeof record.hwnd === 'string' && typeof record.processCreated === 'string'
    ? (record as BindingRecord)
    : null;
}

/** Consoles and terminals count as one program, which the first worker serves. */
export const TERMINALS = 'terminals';

/** The program of a window. Every console and terminal is one program's: they share a helper, and what opened them. */
export const programOf = (record: BindingRecord): string =>
  isTerminalClass(record.className) ? TERMINALS : `${record.pid}/${record.processCreated}`;

/** Which argument has the way of delivery, or options with it. */
const DELIVERY_AT: { readonly [T in Topic]?: Readonly<Record<string, number>> } = {
  element: { click: 2, typeInto: 3 },
  keyboard: { typeText: 2, chords: 3, press: 2, release: 2, hold: 3 },
  pointer: { move: 2, hover: 2, click: 2, button: 3, drag: 3, wheel: 3 },
};

/** Whether a call sends real input, which is the whole desktop's. */
export function isRealInput(topic: Topic, method: string, args: readonly unknown[]): boolean {
  if (topic === 'window') return method === 'activate';
  const at = DELIVERY_AT[topic]?.[method];
  if (at === undefined) return false;
  const given = args[at] as DeliveryMode | { readonly delivery?: DeliveryMode } | undefined;
  return args[0] === null || given === 'foreground' || (typeof given === 'object' && given.delivery === 'foreground');
}

/** What only one worker may use at a time. */
export type SharedThing = 'clipboard' | 'input';

/** What a call uses that other programs' calls use too, always in this order. Releasing waits for nothing. */
export function sharedThings(topic: Topic, method: string, args: readonly unknown[]): SharedThing[] {
  if (isRelease(topic, method, args)) return [];
  const pastes = topic === 'keyboard' && method === 'typeText' && (args[2] as { viaClipboard?: boolean }).viaClipboard;
  return [
    ...(topic === 'clipboard' || pastes === true ? ['clipboard' as const] : []),
    ...(isRealInput(topic, method, args) ? ['input' as const] : []),
  ];
}

/** Whether it releases keys or a button. */
export const isRelease = (topic: Topic, method: string, args: readonly unknown[]): boolean =>
  (topic === 'keyboard' && (method === 'release' || method === 'releaseAll')) ||
  (topic === 'pointer' && method === 'button' && args[1] === 'up');

/** Facts of a window that its program is not asked for: any worker can answer. */
export const isFactOfWindow = (topic: Topic, method: string): boolean =>
  topic === 'system' || (topic === 'binding' && (method === 'describe' || method === 'isAlive'));

/** Starting programs, terminals and icons use what the first worker knows. Any worker can answer the rest. */
export const needsFirst = (topic: Topic, method: string): boolean =>
  topic === 'terminal' ||
  topic === 'keyboard' ||
  topic === 'pointer' ||
  (topic === 'app' && (method === 'open' || method === 'icon' || method === 'installed'));
