/** End to end: agents on different programs, each with a worker of its own. */
import { describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { controlId } from '../support/controls.ts';
import { endWindowsProcess } from '../support/processes.ts';
import { sharedScene } from '../support/scene.ts';
import { parseTree } from '../support/snapshot-tree.ts';
import { until } from '../support/until.ts';

interface Workers {
  readonly state: string;
  readonly pid: number;
  readonly restarts: number;
  readonly further: ReadonlyArray<{ readonly state: string; readonly pid: number; readonly restarts: number }>;
}

const { scene, one, two } = await sharedScene(async (opened) => ({
  one: await opened.fixture('controls'),
  two: await opened.fixture('controls'),
}));
const first = new Client(scene.host, 'first');
const second = new Client(scene.host, 'second');
const workers = async (): Promise<Workers> => (await scene.host.request('/v1/status')).body.worker as Workers;
const push = (client: Client, deadlineMs?: number): Promise<unknown> =>
  client.act('click-element', { name: 'Push me', deadlineMs });

/** Both programs are bound, each with its own worker. */
async function apart(): Promise<void> {
  await first.bind({ hwnd: one.hwnd });
  await push(first);
  await second.bind({ hwnd: two.hwnd });
  await push(second);
}

describe('agents on two programs', () => {
  it('have two workers, the second one from its binding on', async () => {
    const { pid, further } = await workers();
    expect(further).toEqual([]);
    await first.bind({ hwnd: one.hwnd });
    await push(first);
    expect((await workers()).further).toEqual([]);
    await second.bind({ hwnd: two.hwnd });
    const { value } = await second.act('snapshot');
    const { ref } = parseTree(value.accessibilityText as string).find(({ name }) => name === 'Push me')!;
    const apartNow = await workers();
    expect(apartNow).toMatchObject({ state: 'ready', pid, restarts: 0, further: [{ state: 'ready', restarts: 0 }] });
    await push(first);
    two.journal.mark();
    expect((await second.act('click-element', { ref })).value).toBe(true);
    await two.journal.waitFor({ event: 'command', id: controlId('PUSH'), codeName: 'BN_CLICKED' });
    const again = await second.act('snapshot', { since: value.observationId as string });
    // Only what has changed since is in it.
    const added = parseTree(again.value.accessibilityText as string).filter(({ change }) => change !== '~');
    expect(added.map(({ name }) => name)).not.toContain('Push me');
    expect((await workers()).further).toEqual(apartNow.further);
  });

  it('[worker.hung-alone] a program that hangs delays no other', async () => {
    await apart();
    await using trap = await scene.fixture('accessible', { args: ['--hang-on', 'get_object', '--hang-ms', 20_000] });
    const { restarts } = await workers();
    // In the place of the second program: its worker has no other one.
    await second.bind({ hwnd: trap.hwnd });
    await push(first);
    let isHeld = true;
    const held = second.send('snapshot', { deadlineMs: 12_000 }).finally(() => {
      isHeld = false;
    });
    await trap.journal.waitFor({ event: 'hang' });
    for (let round = 0; round < 3; round += 1) await push(first);
    expect((await first.act('list-visible-windows')).value).toContainEqual(
      expect.objectContaining({ hwnd: trap.hwnd }),
    );
    const third = new Client(scene.host, 'third');
    await third.bind({ hwnd: one.hwnd });
    await push(third);
    expect(isHeld, 'it hung all the while').toBe(true);
    trap.program.thaw();
    await held;
    expect((await workers()).restarts).toBe(restarts);
    await third.act('unbind-from-window');
    await second.act('unbind-from-window');
  });

  it('a killed worker takes the refs of its own program only', async () => {
    await apart();
    const refOf = async (client: Client): Promise<string> => {
      const { value } = await client.act('snapshot');
      return parseTree(value.accessibilityText as string).find(({ name }) => name === 'Push me')!.ref;
    };
    const [kept, lost] = [await refOf(first), await refOf(second)];
    expect(kept).not.toBe(lost);
    const before = await workers();
    await endWindowsProcess(before.further[0]!.pid);
    await until(workers, ({ further: [further] }) => further?.state === 'ready' && further.restarts > 0);
    expect((await first.act('click-element', { ref: kept })).value).toBe(true);
    await second.refused('element_stale', 'click-element', { ref: lost });
    await push(second);
    expect((await workers()).restarts).toBe(before.restarts);
  });

  it('the end of a binding releases its keys and buttons in its worker', async () => {
    await apart();
    two.journal.mark();
    await second.act('click-element', { automationId: String(controlId('EDIT_NAME')) });
    await second.act('virtual-keyboard', { action: 'press', text: 'shift' });
    await second.act('unbind-from-window');
    await two.journal.waitFor({ event: 'key', kind: 'up' });
  });
});

it('ten agents on ten programs do their work with eight workers', async () => {
  const programs = await Promise.all(Array.from({ length: 10 }, () => scene.fixture('controls')));
  const agents = programs.map((_program, at) => new Client(scene.host, `agent-${at}`));
  await Promise.all(agents.map((agent, at) => agent.bind({ hwnd: programs[at]!.hwnd })));
  for (let round = 0; round < 3; round += 1) {
    for (const { journal } of programs) journal.mark();
    await Promise.all(agents.map((agent) => push(agent, 60_000)));
    for (const { journal } of programs)
      expect(journal.events({ event: 'command', id: controlId('PUSH'), codeName: 'BN_CLICKED' })).toHaveLength(1);
  }
  expect((await workers()).further).toHaveLength(7);
}, 240_000);
