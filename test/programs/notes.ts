/** The same note in each toolkit that draws itself: what it takes in the background, and what works where it is refused. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';
import { open, patiently } from './toolkit.ts';

const LINES = 'alpha one\nbravo two\ncharlie é\ndelta 狐\nend';

export interface NoteState {
  readonly text: string;
  readonly bold: boolean;
  readonly pressed: number;
}

/** Starts the note and binds it; `state` reads what it keeps. */
export async function useNote<S extends NoteState>(
  program: string,
  title: string,
  args: readonly string[],
  use: (scene: Scene, state: (isMeant: (now: S) => boolean) => Promise<S>) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'uiahost-note-'));
  const file = join(folder, 'state.json');
  const forWindows = process.platform === 'win32' ? file : `Z:${file.replaceAll('/', '\\')}`;
  try {
    await using scene = await Scene.open();
    // A line on a drawn surface may be a command: no person is asked here.
    await scene.client.policy({ level: 'full', alwaysAsk: [] });
    await using opened = await open(scene, program, title, [...args, forWindows]);
    await scene.client.bind({ hwnd: opened.window.hwnd });
    await use(scene, (isMeant) => until(async () => JSON.parse(readFileSync(file, 'utf8')) as S, isMeant, 20_000));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Text of several lines, three times, is exact and never confirmed unseen. */
export async function typesLines<S extends NoteState>(
  { client }: Scene,
  state: (isMeant: (now: S) => boolean) => Promise<S>,
): Promise<void> {
  for (let round = 1; round <= 3; round += 1) {
    const { outcome } = await client.act('virtual-keyboard', patiently({ action: 'type', text: LINES }));
    expect(outcome).toMatchObject({ effect: 'unverified' });
    const { text } = await state((now) => now.text.length >= LINES.length * round);
    expect(text).toBe(LINES.repeat(round));
  }
}

/** A click by messages is refused wherever it is for, and by real input it arrives. */
export async function pressesForReal<S extends NoteState>(
  { client }: Scene,
  at: { readonly x: number; readonly y: number },
  state: (isMeant: (now: S) => boolean) => Promise<S>,
): Promise<void> {
  const before = await state(() => true);
  const refused = await client.refused('unsupported', 'click', at);
  expect(refused).toMatchObject({ delivery: 'not_delivered', hint: expect.stringContaining('foreground') });
  expect(await state(() => true)).toEqual(before);
  await client.act('manage-window', { action: 'focus' });
  await client.act('click', patiently({ ...at, delivery: 'foreground' }));
  expect((await state((now) => now.pressed > before.pressed)).pressed).toBe(before.pressed + 1);
}
