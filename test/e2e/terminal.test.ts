/** End to end: console programs that ask, answered through the terminal actions. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, type Done } from '../support/client.ts';
import { fixture, windowsPath } from '../support/desktop.ts';
import { Journal } from '../support/journal.ts';
import { endWindowsTree } from '../support/processes.ts';
import { Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

let scene: Scene;
let client: Client;
let folder: string;
const opened: number[] = [];

beforeAll(async () => {
  scene = await Scene.open();
  client = scene.client;
  folder = scene.folder();
});
afterAll(async () => {
  for (const pid of opened) await endWindowsTree(pid);
  await scene?.[Symbol.asyncDispose]();
});

const deadlineMs = 30_000;

/** An action that needs approval, which a person gives; returns its result. */
async function approved(name: string, input: object, who = client): Promise<{ done: Done; card: any }> {
  const { actionId, card } = await who.pending(name, { deadlineMs, ...input });
  await who.decide(card.approvalId, 'approve');
  const record = await until(
    async () => (await scene.host.request(`/v1/actions/${actionId}`)).body,
    ({ status }) => status !== 'pending' && status !== 'running',
    40_000,
  );
  if (record.status !== 'succeeded') throw new Error(`${name} ended ${record.status}: ${JSON.stringify(record.error)}`);
  return { done: record.result as Done, card };
}

interface Terminal {
  readonly hwnd: string;
  readonly journal: Journal;
  readonly open: Done;
  readonly card: any;
}

let count = 0;
/** prompt.exe with these steps in its own terminal, bound, once it asks. */
async function ask(args: readonly string[], who = client): Promise<Terminal> {
  count += 1;
  const journal = new Journal(join(folder, `journal-${count}.jsonl`));
  const command = `"${windowsPath(fixture('prompt.exe'))}" --journal "${windowsPath(journal.file)}" ${args.join(' ')}`;
  const { done: open, card } = await approved(
    'open-terminal',
    { agent: 'custom', terminal: 'cmd', command, workingDirectory: windowsPath(folder) },
    who,
  );
  opened.push(open.outcome.details?.['pid'] as number);
  await journal.waitFor({ event: 'asked' }, 20_000);
  await who.bind({ hwnd: open.value.hwnd });
  return { hwnd: open.value.hwnd, journal, open, card };
}

const answer = async (input: object, who = client): Promise<Done> =>
  (await approved('respond-to-prompt', input, who)).done;
const screen = async (): Promise<any> => (await client.act('read-terminal')).value;
const showing = (text: string): Promise<any> => until(screen, (value) => value.screen.includes(text), 20_000);

describe('a console program that asks', () => {
  it('[method.openTerminal] [prompt.console] opens after an approval, asks, and gets its answer after another approval', async () => {
    const { open, card, journal, hwnd } = await ask(['--exit', '7', 'yes-no', 'oui-non']);
    expect(card.why.map(({ kind }: any) => kind)).toContain('alwaysAsk');
    expect(card.riskTags).toContain('customCommand');
    expect(open.value).toEqual({ hwnd: expect.stringMatching(/^\d+$/), title: expect.any(String), launched: true });
    const window = await scene.window((each) => each.hwnd === hwnd);
    expect(window.className).toBe('WineConsoleClass');
    expect(await showing('Proceed? (y/n)')).toMatchObject({ exitStatus: null, untrusted: true });

    const { done, card: asked } = await approved('respond-to-prompt', { responseType: 'yes' });
    expect(asked.riskTags).toContain('prompts');
    expect(done).toMatchObject({
      value: true,
      outcome: { effect: 'confirmed', delivery: 'console', focusChanged: false },
    });
    expect(done.outcome.details).toMatchObject({
      prompt: 'Proceed? (y/n)',
      screen: expect.stringContaining('Answer: [y]'),
    });
    expect(await journal.waitFor({ event: 'answer', step: 'yes-no' })).toMatchObject({ text: 'y' });

    await showing('Continuer ? (o/n)');
    await answer({ responseType: 'no' });
    expect(await journal.waitFor({ event: 'answer', step: 'oui-non' })).toMatchObject({ text: 'n' });
    await until(screen, ({ exitStatus }) => exitStatus === 7, 20_000);
  });

  it('[method.respondToPrompt] [prompt.select] [prompt.type] a menu by arrows, a text, words, escape: each as its program took it', async () => {
    const { journal } = await ask(['menu', 'text', 'words', 'menu']);
    await answer({ responseType: 'select', arrowCount: 2 });
    expect(await journal.waitFor({ event: 'answer', step: 'menu' })).toMatchObject({ text: 'Gamma – größer' });
    await showing('Your name:');
    await answer({ responseType: 'type', text: 'Ada ’ & %PATH% 漢字 😀' });
    expect(await journal.waitFor({ event: 'answer', step: 'text' })).toMatchObject({ text: 'Ada ’ & %PATH% 漢字 😀' });
    await showing('(Yes/No/All)');
    await answer({ responseType: 'yes' });
    expect(await journal.waitFor({ event: 'answer', step: 'words' })).toMatchObject({ text: 'Yes' });
    await journal.waitFor(() => journal.events({ event: 'asked', step: 'menu' }).length === 2);
    await answer({ responseType: 'escape' });
    expect(
      await journal.waitFor((event) => event.event === 'answer' && event['step'] === 'menu' && event['text'] === null),
    ).toBeDefined();
  });

  it('a denial leaves the question unanswered', async () => {
    const { journal } = await ask(['yes-no']);
    const { actionId, card } = await client.pending('respond-to-prompt', { responseType: 'yes' });
    await client.decide(card.approvalId, 'deny');
    expect(await client.ended(actionId)).toMatchObject({
      status: 'failed',
      error: { code: 'approval_denied', delivery: 'not_delivered' },
    });
    expect(journal.events({ event: 'answer' })).toEqual([]);
    await answer({ responseType: 'no' });
    expect(await journal.waitFor({ event: 'answer' })).toMatchObject({ text: 'n' });
  });

  it('the audit has typed text by length and hash alone', async () => {
    await ask(['text']);
    await answer({ responseType: 'type', text: 'a-secret-word-47' });
    expect(JSON.stringify((await client.operator('/v1/audit?limit=1000')).entries)).not.toContain('a-secret-word-47');
  });
});

it('[prompt.yes-no] cmd itself: del asks whether it is sure: no keeps the files, yes deletes them', async () => {
  const papers = join(folder, 'papers');
  mkdirSync(papers);
  const file = join(papers, 'one.txt');
  writeFileSync(file, 'text');
  const { done } = await approved('open-terminal', {
    agent: 'custom',
    terminal: 'cmd',
    command: 'cmd.exe /d',
    workingDirectory: windowsPath(papers),
  });
  opened.push(done.outcome.details?.['pid'] as number);
  await client.bind({ hwnd: done.value.hwnd });
  await until(screen, (value) => value.screen.trimEnd().endsWith('>'), 20_000);
  for (const responseType of ['no', 'yes'] as const) {
    const asked = await approved('respond-to-prompt', { responseType: 'type', text: 'del *.*' });
    expect(asked.done.outcome.effect).toBe('confirmed');
    const { screen: text } = await until(
      screen,
      (value) => /sure/i.test(value.screen.split('\n').at(-1) ?? ''),
      20_000,
    );
    const prompt = text.split('\n').at(-1).trim();
    const { outcome } = await answer({ responseType });
    expect(outcome).toMatchObject({
      effect: 'confirmed',
      details: { prompt: expect.stringContaining(prompt.slice(-20)) },
    });
    await until(screen, (value) => value.screen.trimEnd().endsWith('>'), 20_000);
    await until(
      () => existsSync(file),
      (isThere) => isThere === (responseType === 'no'),
    );
  }
});

describe('what is refused', () => {
  it('[terminal.unsafe-arguments] a missing program is named, arguments that cannot be passed on are refused, and invalid input makes no card', async () => {
    const refusedAfterYes = async (input: object): Promise<any> => {
      const { actionId, card } = await client.pending('open-terminal', input);
      await client.decide(card.approvalId, 'approve');
      return (await client.ended(actionId)).error;
    };
    expect(await client.refused('launch_failed', 'open-terminal', { agent: 'gemini', terminal: 'cmd' })).toMatchObject({
      detail: expect.stringContaining('gemini'),
      delivery: 'not_delivered',
    });
    expect(await client.refused('launch_failed', 'open-terminal', { agent: 'claude', terminal: 'wt' })).toMatchObject({
      detail: expect.stringContaining('wt.exe'),
    });
    expect(
      await client.refused('invalid_argument', 'open-terminal', {
        agent: 'claude',
        workingDirectory: 'C:\\no such folder',
      }),
    ).toMatchObject({ detail: expect.stringContaining('no such folder') });
    expect(
      await refusedAfterYes({ agent: 'custom', command: 'cmd.exe /c echo %PATH%', terminal: 'cmd' }),
    ).toMatchObject({ code: 'invalid_argument' });
    await client.refused('invalid_argument', 'open-terminal', { agent: 'custom' });
    await client.refused('invalid_argument', 'respond-to-prompt', { responseType: 'type', text: '' });
    await client.refused('invalid_argument', 'respond-to-prompt', { responseType: 'select', arrowCount: 51 });
  });

  it('a window that is not a terminal is unsupported', async () => {
    const notepad = await scene.notepad();
    await client.bind({ hwnd: notepad.hwnd });
    const { actionId, card } = await client.pending('respond-to-prompt', { responseType: 'enter' });
    await client.decide(card.approvalId, 'approve');
    expect((await client.ended(actionId)).error).toMatchObject({
      code: 'unsupported',
      status: 501,
      delivery: 'not_delivered',
      detail: expect.stringContaining('not a terminal'),
    });
    await client.refused('unsupported', 'read-terminal');
    expect(await notepad.text()).toBe('');
  });
});

it('grants: a terminal that an approved open-terminal opened is full for its session, and for no other', async () => {
  await client.policy({ level: 'control' });
  try {
    const mine = new Client(scene.host, 'mine');
    const { hwnd } = await ask(['yes-no'], mine);
    // At level control a person is still asked about the prompt, but no longer about the terminal's tier.
    const own = await mine.pending('respond-to-prompt', { responseType: 'no' });
    expect(own.card.why.map(({ kind }) => kind)).not.toContain('tier');
    await mine.decide(own.card.approvalId, 'deny');
    const other = new Client(scene.host, 'other');
    await other.bind({ hwnd });
    const foreign = await other.pending('respond-to-prompt', { responseType: 'no' });
    expect(foreign.card.why.map(({ kind }) => kind)).toContain('tier');
    await other.decide(foreign.card.approvalId, 'deny');
  } finally {
    await client.policy({ level: 'full' });
  }
});
