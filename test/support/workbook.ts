/** What workbook.exe reports about its cells and objects. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Client } from './client.ts';
import type { Fixture } from './fixture.ts';
import type { JournalEvent } from './journal.ts';
import { Scene } from './scene.ts';
import { until } from './until.ts';

interface WorkbookOptions {
  readonly args?: ReadonlyArray<string | number>;
  readonly policy?: object;
  /** Whether each test must leave no object of the program behind. */
  readonly leavesNoObject?: boolean;
}

/** Gives each test of a file a bound workbook of its own, all by one host whose policy asks for nothing by itself. */
export function eachWorkbook(
  use: (given: { scene: Scene; client: Client; book: Fixture }) => void,
  { args = [], policy = {}, leavesNoObject = false }: WorkbookOptions = {},
): void {
  let scene: Scene;
  let book: Fixture;
  beforeAll(async () => {
    scene = await Scene.open();
    await scene.client.policy({ alwaysAsk: [], ...policy });
  });
  afterAll(() => scene?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    book = await scene.fixture('workbook', { args });
    await scene.client.bind({ hwnd: book.hwnd });
    use({ scene, client: scene.client, book });
  });
  afterEach(async () => {
    if (leavesNoObject) expect(await liveObjects(book)).toBe(0);
    await book[Symbol.asyncDispose]();
  });
}

/** The cells of `Sheet1!A1:B2` by address. */
export async function cellsShown(book: Fixture, place: string): Promise<Record<string, JournalEvent>> {
  const before = book.journal.events({ event: 'shown' }).length;
  const from = book.journal.events({ event: 'cell' }).length;
  await book.tell(`show ${place}`);
  await until(() => book.journal.events({ event: 'shown' }).length > before, 'the cells');
  return Object.fromEntries(
    book.journal
      .events({ event: 'cell' })
      .slice(from)
      .map((cell) => [cell['cell'] as string, cell]),
  );
}

async function liveNow(book: Fixture): Promise<number> {
  const before = book.journal.events({ event: 'live' }).length;
  await book.tell('live');
  // Not by a function for `waitFor`, which is called for each event: that reads the journal as often as it has lines.
  await until(() => book.journal.events({ event: 'live' }).length > before, 'the number of objects');
  return book.journal.events({ event: 'live' }).at(-1)!['objects'] as number;
}

/** Objects of the program that others hold, once releases that are on their way have come: 0 in a good run. */
export async function liveObjects(book: Fixture, milliseconds = 10_000): Promise<number> {
  let live = -1;
  await until(
    async () => (live = await liveNow(book)),
    (now) => now === 0,
    milliseconds,
  ).catch(() => undefined);
  return live;
}
