/**
 * What a person at the overlay waits for: a card on the screen, the approved action, and the emergency stop.
 *
 *   npm run bench -- overlay [--json] [--write]
 *
 * Prints a table (or JSON); `--write` puts it into docs/measurements.md. Nothing is asserted: the targets are for
 * people to compare.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../support/client.ts';
import { startHost } from '../support/desktop.ts';
import { person } from '../support/hardware.ts';
import { startProgram } from '../support/programs.ts';
import { startWitness, type Witness } from '../support/witness.ts';
import { markCells, quantile, report, tableOf } from './support/measurements.ts';

const ROUNDS = 20;

interface Row {
  readonly what: string;
  readonly times: number[];
  readonly mark?: number;
}
const rows: Row[] = [];

/** Milliseconds from `begun` until the condition holds, polled as fast as answers come. */
async function took(begun: number, holds: () => Promise<boolean>): Promise<number> {
  while (!(await holds())) {
    if (performance.now() - begun > 20_000) throw new Error('It did not come within 20 seconds.');
    await sleep(1);
  }
  return performance.now() - begun;
}

const cards = async (witness: Witness): Promise<number> =>
  (await witness.windows()).filter(({ className }) => className.startsWith('uiahost-card')).length;

async function main(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const witness = stack.use(startWitness());
  const host = stack.use(await startHost({ env: { UIAHOST_LEVEL: undefined } }));
  const client = new Client(host);
  stack.use(startProgram('notepad.exe'));
  let notepad: string | undefined;
  await took(
    performance.now(),
    async () =>
      (notepad = (await witness.windows()).find(({ className }) => className === 'Notepad')?.hwnd) !== undefined,
  );
  await client.bind({ hwnd: notepad! });
  const text = () => witness.text(notepad!, 'Edit');
  await person.moveMouse(60, 60);
  const gone = () => took(performance.now(), async () => (await cards(witness)) === 0);

  const asked: number[] = [];
  const shown: number[] = [];
  const executed: number[] = [];
  for (let round = -3; round < ROUNDS; round += 1) {
    const before = await text();
    const begun = performance.now();
    const asking = client.pending('virtual-keyboard', { action: 'type', text: 'x' });
    const appeared = await took(begun, async () => (await cards(witness)) > 0);
    const appearedAt = Date.now();
    const { actionId, card } = await asking;
    const decided = performance.now();
    const deciding = client.decide(card.approvalId, 'approve');
    const happened = await took(decided, async () => (await text()) !== before);
    await deciding;
    await client.ended(actionId);
    await gone();
    if (round < 0) continue;
    asked.push(appeared);
    shown.push(appearedAt - Date.parse(card.createdAt));
    executed.push(happened);
  }
  rows.push({ what: 'card on the screen, from when it was made', times: shown, mark: 150 });
  rows.push({ what: 'the same from the request on: target, context and picture as well', times: asked });
  rows.push({ what: 'approved text in its program, from when the decision was sent', times: executed, mark: 50 });

  const stopped = async (): Promise<boolean> => (await host.request('/v1/status')).body.stopped;
  const byApi: number[] = [];
  const byHotkey: number[] = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [times, press] of [
      [byApi, () => client.operator('/v1/stop', { method: 'POST' })],
      [byHotkey, () => person.press('ctrl+alt+shift+Escape')],
    ] as const) {
      const begun = performance.now();
      await press();
      const until = await took(begun, stopped);
      await client.operator('/v1/resume', { method: 'POST' });
      if (round >= 0) times.push(until);
    }
  }
  rows.push({ what: 'emergency stop by the operator’s API', times: byApi, mark: 200 });
  rows.push({
    what: 'emergency stop by the hotkey, with the program that presses the keys',
    times: byHotkey,
    mark: 200,
  });
}

function table(): string {
  const lines = rows.map(({ what, times, mark }) => {
    const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
    return [what, `${p50.toFixed(1)} ms`, `${p95.toFixed(1)} ms`, ...markCells(p50, mark)];
  });
  return tableOf(['', 'p50', 'p95', 'mark', ''], lines);
}

await main();
report('overlay.bench', rows, table(), ROUNDS);
