/** A program that asks in a console which the product opens; every action that needs it is approved by the operator. */
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Done } from '../support/client.ts';
import { windowsPath } from '../support/desktop.ts';
import { Journal } from '../support/journal.ts';
import { endWindowsTree } from '../support/processes.ts';
import type { Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const deadlineMs = 30_000;

export class ConsoleGuest implements AsyncDisposable {
  /** The second witness: what the program took as answers. */
  readonly journal: Journal;
  readonly #scene: Scene;
  readonly #pid: number;

  private constructor(scene: Scene, journal: Journal, pid: number) {
    this.#scene = scene;
    this.journal = journal;
    this.#pid = pid;
  }

  /** Opens `PROGRAM ARGUMENTS… JOURNAL` in a console and binds it. */
  static async open(scene: Scene, program: string, args: readonly string[]): Promise<ConsoleGuest> {
    const folder = scene.folder();
    const journal = new Journal(join(folder, 'answers.jsonl'));
    const words = [program, ...args, windowsPath(journal.file)].map((word) => `"${word}"`);
    const opened = await approved(scene, 'open-terminal', {
      agent: 'custom',
      terminal: 'cmd',
      command: words.join(' '),
      workingDirectory: windowsPath(folder),
    });
    await scene.client.bind({ hwnd: opened.value.hwnd });
    return new ConsoleGuest(scene, journal, opened.outcome.details?.['pid'] as number);
  }

  respond(input: object): Promise<Done> {
    return approved(this.#scene, 'respond-to-prompt', input);
  }

  /** Presses a key, as agents do for what respond-to-prompt has no word for. */
  press(text: string): Promise<Done> {
    return approved(this.#scene, 'virtual-keyboard', { action: 'combo', text });
  }

  async read(wanted: { styles?: boolean } = {}): Promise<{
    screen: string;
    scrollback: string | null;
    cursor: { x: number; y: number } | null;
    styles?: ReadonlyArray<{ row: number; text: string; style: string }>;
  }> {
    return (await this.#scene.client.act('read-terminal', wanted)).value;
  }

  /** The screen once it shows this. */
  async showing(text: string): Promise<string> {
    const { screen } = await until(
      () => this.read(),
      (value) => value.screen.includes(text),
      60_000,
    );
    return screen;
  }

  /** What the program took as the answer to one of its questions. */
  async answer(question: string): Promise<unknown> {
    const entry = await this.journal.waitFor((each) => each['question'] === question, 20_000);
    return entry['answer'];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endWindowsTree(this.#pid);
  }
}

/** An action that may need approval, which a person gives; returns its result. */
async function approved({ client, host }: Scene, name: string, input: object): Promise<Done> {
  const sent = await host.request(`/v1/actions/${name}?wait=0`, { body: { deadlineMs, ...input } });
  if (sent.status !== 202 && sent.status !== 200)
    throw new Error(`${name} ${JSON.stringify(input)} answered ${sent.status}: ${JSON.stringify(sent.body)}`);
  const { actionId, approvalId } = sent.body as { actionId: string; approvalId?: string };
  if (approvalId !== undefined) await client.decide(approvalId, 'approve');
  const record = await client.ended(actionId);
  if (record.status !== 'succeeded' || record.result === undefined)
    throw new Error(`${name} ended ${record.status}: ${JSON.stringify(record.error)}`);
  return record.result;
}

/** No escape sequence, and no other control character, is passed on as text. */
export function expectPlain(value: unknown): void {
  for (const text of textsOf(value)) {
    // eslint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/);
    expect(text).not.toMatch(/\[\d+(?:;\d+)*[A-Km]/);
  }
}

const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsOf)
      : [];

/** Answers the four questions that test/programs/prompts/ask.mjs and test/programs/forms/main.go ask. */
export async function answerForm(guest: ConsoleGuest, asks: string): Promise<void> {
  expectPlain(await guest.showing(asks));
  const sure = await guest.respond({ responseType: 'yes' });
  expect(sure.outcome.effect).toBe('confirmed');
  expectPlain(sure.outcome);
  expect(await guest.answer('confirm')).toBe(true);

  const cities = await guest.showing('Zürich');
  expectPlain(cities);
  expect(cities).toContain('東京');
  const chosen = await guest.respond({ responseType: 'select', arrowCount: 2 });
  expectPlain(chosen.outcome);
  expect(await guest.answer('select')).toBe('東京');

  expectPlain(await guest.showing('豆腐'));
  for (const key of ['space', 'down', 'down', 'space']) expectPlain((await guest.press(key)).outcome);
  await guest.respond({ responseType: 'enter' });
  expect(await guest.answer('several')).toEqual(['Käse', '豆腐']);

  expectPlain(await guest.showing('Your name?'));
  expectPlain((await guest.respond({ responseType: 'type', text: 'Jörg Müßig 王小明' })).outcome);
  expect(await guest.answer('text')).toBe('Jörg Müßig 王小明');
  await guest.journal.waitFor({ question: 'end' }, 20_000);
}
