/**
 * Pictures compared with their floor: the pixels by a C program (test/fixtures/uia-client.c) and the same PNG by the same
 * library. Both are measured in turn, so that both meet the same machine.
 *
 *   npm run bench -- pictures [--json] [--write]
 *
 * Prints a table (or JSON); `--write` puts it into docs/measurements.md. Nothing is asserted.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { fixture, startHost } from '../support/desktop.ts';
import { startFixture } from '../support/fixture.ts';
import { startProgram } from '../support/programs.ts';
import { Connection } from './support/connection.ts';
import { quantile, report, tableOf } from './support/measurements.ts';

const ROUNDS = 8;
const WARM_UP = 3;
/** Pictures by the C program in each round. */
const REPEATS = 5;
/** As the host compresses (src/win32/imaging/encode.ts). */
const PNG_LEVEL = 3;
const WIDTH = 1000;
const HEIGHT = 700;
/** A field of the window. */
const FIELD = '1001';

const samples = new Map<string, number[]>();
const median = (what: string): number => quantile(samples.get(what) ?? [], 0.5);
const add = (what: string, ms: number): void => {
  samples.set(what, [...(samples.get(what) ?? []), ms]);
};

/** Measures the pixels in C and the PNG of this picture. */
async function floor(what: string, hwnd: string, how: 'dc' | 'screen', base64: string): Promise<void> {
  const program = startProgram(fixture('uia-client.exe'), ['picture', hwnd, String(REPEATS), how], {
    streams: 'piped',
  });
  let text = '';
  program.process.stdout?.setEncoding('utf8').on('data', (data: string) => {
    text += data;
  });
  await once(program.process, 'close');
  const { ms } = JSON.parse(text) as { ms: number[] };
  const { data, info } = await sharp(Buffer.from(base64, 'base64')).raw().toBuffer({ resolveWithObject: true });
  const begun = performance.now();
  await sharp(data, { raw: info }).png({ compressionLevel: PNG_LEVEL }).toBuffer();
  add(what, quantile(ms, 0.5) + performance.now() - begun);
}

async function main(): Promise<void> {
  sharp.cache(false);
  sharp.concurrency(1);
  await using stack = new AsyncDisposableStack();
  const host = stack.use(await startHost());
  // Otherwise each picture of a display would ask a person.
  await host.request('/v1/policy', { method: 'PATCH', token: 'operator', body: { flags: ['displayCapture'] } });
  const connection = stack.use(new Connection(host));
  const desktop = stack.use(
    await startFixture('sentinel', { args: ['--x', 0, '--y', 0, '--width', 1280, '--height', 800] }),
  );
  const many = stack.use(
    await startFixture('controls', { args: ['--many', 300, '--x', 10, '--y', 10, '--no-message-log'] }),
  );
  await sleep(1000);
  const displayId = (await connection.act('list-displays')).value[0].displayId as number;
  const timed = async (what: string, isCounted: boolean, action: string, input: object = {}): Promise<any> => {
    const begun = performance.now();
    const done = await connection.act(action, input);
    if (isCounted) add(what, performance.now() - begun);
    return done;
  };
  const whole = (width: number, height: number): object => ({
    regionLogical: { x: 0, y: 0, w: width, h: height },
    space: 'capture',
  });
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const isCounted = round >= 0;
    await connection.act('bind-to-window', { hwnd: many.hwnd });
    if (round === -WARM_UP)
      await connection.act('manage-window', { action: 'move_resize', x: 10, y: 10, width: WIDTH, height: HEIGHT });
    // A picture with the pixels of the last one is not compressed again.
    await connection.act('type-into-element', { automationId: FIELD, text: `round ${round}` });
    const picture = await timed('window, without text, changed since', isCounted, 'zoom', whole(WIDTH, HEIGHT));
    await timed('window, without text, as before', isCounted, 'zoom', whole(WIDTH, HEIGHT));
    await timed('window, with text', isCounted, 'screenshot');
    await timed('display, a window bound', isCounted, 'zoom', { ...whole(1280, 800), displayId });
    await timed('display, a window bound, with its text', isCounted, 'screenshot', { displayId });
    await timed('move the window, confirmed', isCounted, 'manage-window', {
      action: 'move_resize',
      x: 10 + (round & 1),
      y: 10,
    });
    await timed('list windows', isCounted, 'list-visible-windows');
    await connection.act('unbind-from-window');
    const display = await timed('display, no window bound', isCounted, 'screenshot', { displayId });
    if (!isCounted) continue;
    await floor('window, floor', many.hwnd, 'dc', picture.value.base64);
    await floor('display, floor', desktop.hwnd, 'screen', display.value.base64);
  }
}

await main();
/** Times another row of the same run. */
const GOALS: Readonly<Record<string, { most: number; of: string }>> = {
  'window, without text, changed since': { most: 1.3, of: 'window, floor' },
  'window, without text, as before': { most: 1.3, of: 'window, floor' },
  'display, a window bound': { most: 2, of: 'display, floor' },
  'display, a window bound, with its text': { most: 2, of: 'display, floor' },
  'display, no window bound': { most: 2, of: 'display, floor' },
};
const rows = [...samples].map(([what, times]) => {
  const goal = GOALS[what];
  const p50 = median(what);
  return {
    what,
    p50,
    least: Math.min(...times),
    times: goal === undefined ? null : p50 / median(goal.of),
    most: goal?.most ?? null,
  };
});
report(
  'pictures.bench',
  rows,
  tableOf(
    ['ms', 'p50', 'quickest', '× floor', 'at most'],
    rows.map(({ what, p50, least, times, most }) => [
      what,
      p50.toFixed(1),
      least.toFixed(1),
      times === null ? '' : times.toFixed(2),
      most === null ? '' : most.toFixed(1),
    ]),
  ),
  ROUNDS,
);
