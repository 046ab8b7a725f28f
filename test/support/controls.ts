/** The content of the window of controls.exe: the same list that its C source is built from. */
import type { Fixture } from './fixture.ts';
import type { JournalEvent } from './journal.ts';
import { until } from './until.ts';
import { readFileSync } from 'node:fs';

export interface ControlRow {
  readonly key: string;
  readonly id: number;
  readonly type: string;
  readonly text?: string;
  readonly label?: string;
}

export const CONTROLS: readonly ControlRow[] = (
  JSON.parse(readFileSync(new URL('../fixtures/controls.ids.json', import.meta.url), 'utf8')) as { ids: ControlRow[] }
).ids;

/** By its key: `controlId('PUSH')` is 101. */
export function controlId(key: string): number {
  const row = CONTROLS.find((each) => each.key === key);
  if (row === undefined) throw new Error(`controls.exe has no control ${key}`);
  return row.id;
}

/** The text that its password field holds: it must appear nowhere. */
export const PASSWORD = CONTROLS.find(({ key }) => key === 'PASSWORD')?.text ?? '';

/** The fixture's journal line for a Shift key that went down or up; undefined before it did. */
export const shiftKey = (controls: Fixture, kind: 'down' | 'up'): JournalEvent | undefined =>
  controls.journal.events({ event: 'key', kind }).find(({ vk }) => vk === 16 || vk === 160);

export const shiftIs = (controls: Fixture, kind: 'down' | 'up'): Promise<unknown> =>
  until(
    () => shiftKey(controls, kind),
    (seen) => seen !== undefined,
  );
