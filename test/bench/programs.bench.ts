/**
 * What agents on different programs get done together, and what a slow or hung program costs the others.
 *
 *   npm run bench -- programs [--json] [--write]
 *
 * Prints a table (or JSON); `--write` puts it into docs/measurements.md. Nothing is asserted.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sharedDesktop, startHost, type TestHost } from '../support/desktop.ts';
import { startFixture, type Fixture } from '../support/fixture.ts';
import { Connection } from './support/connection.ts';
import { memoryOf } from './support/memory.ts';
import { quantile, report, tableOf } from './support/measurements.ts';

const AGENTS = 8;
const CONTROLS = 50;
const MANY_CONTROLS = 3000;
/** How long each row is measured. */
const MEASURED_MS = 12_000;
/** Uncounted: programs get their workers. */
const WARM_UP_MS = 3000;
/** What one agent alone did in a second before programs had workers, on the machine of the first measurement. */
const BEFORE = 14;
/** By then a process has released what its start left behind. */
const AT_REST_MS = 20_000;

interface Row {
  readonly what: string;
  readonly perSecond?: number;
  readonly p50?: number;
  readonly p95?: number;
  readonly megabytes?: number;
}
const rows: Row[] = [];

class Agent implements Disposable {
  readonly #connection: Connection;
  readonly #fixture: Fixture;
  #field = '';
  #round = 0;

  private constructor(host: TestHost, fixture: Fixture, session: string) {
    this.#connection = new Connection(host, session);
    this.#fixture = fixture;
  }

  static async on(host: TestHost, fixture: Fixture, session: string): Promise<Agent> {
    const agent = new Agent(host, fixture, session);
    await agent.#connection.act('bind-to-window', { hwnd: fixture.hwnd });
    const { value } = await agent.#connection.act('snapshot');
    agent.#field = /\[Edit\].* ref=(e\d+)/.exec(value.accessibilityText as string)![1]!;
    return agent;
  }

  /** A snapshot, a click on a check box by its name, and 20 characters into a field by its ref, in turn. */
  async act(): Promise<void> {
    const round = this.#round++;
    if (round % 3 === 0) await this.#connection.act('snapshot');
    else if (round % 3 === 1) await this.#connection.act('click-element', { name: 'Item 3' });
    else
      await this.#connection.act('type-into-element', {
        ref: this.#field,
        text: `twenty characters ${String(round % 90).padStart(2, '0')}`,
      });
  }

  /** An agent whose program hangs asks again and again. */
  async insist(): Promise<void> {
    await this.act().catch(() => {});
  }

  async unbind(): Promise<void> {
    await this.#connection.act('unbind-from-window');
  }

  freeze(): void {
    this.#fixture.program.freeze();
  }

  thaw(): void {
    this.#fixture.program.thaw();
  }

  [Symbol.dispose](): void {
    this.#connection[Symbol.dispose]();
  }
}

/** The agents act for some seconds, with others at the same time that are not counted. */
async function measure(what: string, agents: readonly Agent[], others: readonly Agent[] = []): Promise<void> {
  const began = performance.now();
  const end = began + WARM_UP_MS + MEASURED_MS;
  const times: number[] = [];
  const run = async (agent: Agent, isCounted: boolean): Promise<void> => {
    while (performance.now() < end) {
      const from = performance.now();
      await (isCounted ? agent.act() : agent.insist());
      if (isCounted && from > began + WARM_UP_MS) times.push(performance.now() - from);
    }
  };
  await Promise.all([...agents.map((agent) => run(agent, true)), ...others.map((agent) => run(agent, false))]);
  rows.push({
    what,
    perSecond: times.length / (MEASURED_MS / 1000),
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
  });
  process.stderr.write(`${what}: ${(times.length / (MEASURED_MS / 1000)).toFixed(1)} a second\n`);
}

function memory(what: string, host: TestHost): void {
  const each = memoryOf(host).flatMap(([name, megabytes]) => (name === 'worker' ? [megabytes] : []));
  rows.push({ what: `${what} (${each.length})`, megabytes: each.reduce((sum, one) => sum + one, 0) });
}

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'uiahost-programs-'));
  writeFileSync(join(dataDir, 'policy.json'), JSON.stringify({ limits: { actionsPerMinute: 100_000 } }));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const host = stack.use(await startHost({ dataDir, desktop: sharedDesktop().onAllProcessors() }));
  const agents: Agent[] = [];
  const add = async (controls: number): Promise<Agent> => {
    const fixture = stack.use(await startFixture('controls', { args: ['--many', controls, '--no-message-log'] }));
    return stack.use(await Agent.on(host, fixture, `agent-${agents.length}-${controls}`));
  };
  agents.push(await add(CONTROLS));
  await measure('one agent', agents);
  await sleep(AT_REST_MS);
  memory('memory of the workers, one program in use, at rest', host);
  while (agents.length < AGENTS) agents.push(await add(CONTROLS));
  for (const count of [2, 4, AGENTS]) await measure(`${count} agents on ${count} programs`, agents.slice(0, count));
  await sleep(AT_REST_MS);
  memory(`memory of the workers, ${AGENTS} programs in use, at rest`, host);
  const others = agents.slice(1);
  const large = await add(MANY_CONTROLS);
  await measure(`${others.length} agents`, others);
  await measure(`${others.length} agents, another one on ${MANY_CONTROLS} controls`, others, [large]);
  const [first] = agents;
  first!.freeze();
  await measure(`${others.length} agents, the program of another one hangs`, others, [first!]);
  first!.thaw();
  for (const agent of [...others, large]) await agent.unbind();
  await sleep(AT_REST_MS);
  memory('memory of the workers, one program bound again, at rest', host);
}

const shown = (value: number | undefined, unit: string): string =>
  value === undefined ? '' : `${value.toFixed(1)}${unit}`;

await main();
report(
  'programs.bench',
  rows,
  tableOf(
    ['', 'together', 'p50', 'p95', `of one alone before (${BEFORE})`],
    rows.map((row) => [
      row.what,
      row.megabytes === undefined ? `${shown(row.perSecond, ' / s')}` : shown(row.megabytes, ' MB'),
      shown(row.p50, ' ms'),
      shown(row.p95, ' ms'),
      row.perSecond === undefined ? '' : `${(row.perSecond / BEFORE).toFixed(1)} ×`,
    ]),
  ),
  1,
);
