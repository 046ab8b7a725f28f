/** The command line as a process, over a stand-in host. */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { buildCatalog } from '../../../src/host/face/catalog.ts';
import { describeResult } from '../../../src/cli/action-commands.ts';
import { looked, type ActionResult } from '../../../src/contract/outcome.ts';
import { flagsOf } from '../../../src/cli/flags.ts';
import { createProgram } from '../../../src/cli/program.ts';
import { createHttpServer } from '../../../src/http/server.ts';
import { cliBundle, folderOf, proofKey, runCli, serveCli, temporaryFolder } from '../../support/cli.ts';
import { AGENT_TOKEN, OPERATOR_TOKEN } from '../../support/http-server.ts';
import { createStandInHost } from '../../support/stand-in-host.ts';
import { wordsOf } from '../../support/words.ts';

describe('commands for actions', () => {
  it('[cli.actions] every action is a command with flags from its schema, and none hides a flag of the command’s own', () => {
    const program = createProgram({ output: { out: () => {}, err: () => {} }, env: {}, version: '1' });
    const own = new Set(['--json', '--session', '--help', '--version', '--no-wait', '--idempotency-key', '--output']);
    for (const entry of buildCatalog().entries) {
      const command = program.commands.find((each) => each.name() === entry.name);
      expect([entry.name, command?.description()]).toEqual([entry.name, entry.meaning]);
      const flags = flagsOf(entry).map(({ option }) => option.long ?? '');
      expect(flags).toHaveLength(Object.keys(entry.input.shape).length);
      expect([entry.name, flags.filter((flag) => own.has(flag))]).toEqual([entry.name, []]);
      for (const flag of flags) expect(flag).toMatch(/^--[a-z]+(-[a-z]+)*$/);
    }
  });

  it('flags become the input: numbers, choices, repeated texts, true and false, JSON', async () => {
    const { cli, host } = await serveCli();
    const runs = [
      wordsOf`click --x 1.5 --y -2 --button right --count 2 --modifiers ctrl --modifiers shift`,
      ['mouse-wheel', '--x', '1', '--y', '1', '--delta', '3', '--horizontal'],
      ['list-installed-apps', '--icons', 'false'],
      ['drag', '--to', '{"x":3,"y":4}'],
      [
        'request_ui_action',
        '--action-type',
        'click',
        '--target',
        '{"role":"button","name":"Save","test_id":""}',
        '--text',
        '',
        '--reason',
        'r',
        '--requires-approval',
        'false',
      ],
    ];
    for (const args of runs)
      expect([args[0], (await cli([...args, '--session', 'desk'])).status]).toEqual([args[0], 0]);
    expect(host.runs.map(({ action, input }) => [action, input])).toEqual([
      ['click', { x: 1.5, y: -2, button: 'right', count: 2, modifiers: ['ctrl', 'shift'] }],
      ['mouse-wheel', { x: 1, y: 1, delta: 3, horizontal: true }],
      ['list-installed-apps', { icons: false }],
      ['drag', { to: { x: 3, y: 4 } }],
      [
        'request-ui-action',
        {
          action_type: 'click',
          target: { role: 'button', name: 'Save', test_id: '' },
          text: '',
          reason: 'r',
          risk_tags: [],
          requires_approval: false,
        },
      ],
    ]);
    expect(host.runs.every(({ caller }) => caller.session === 'desk')).toBe(true);
  });

  it('ends without a word where its reader has enough', async () => {
    const { stdout, stderr } = spawn(process.execPath, [cliBundle(), '--help']);
    stdout.destroy();
    expect(await text(stderr)).toBe('');
  });

  it('[cli.json] --json prints exactly what HTTP answers, a problem too', async () => {
    const { cli, call } = await serveCli();
    const done = await cli(['--json', 'list-visible-windows']);
    const http = JSON.parse(await (await call('POST', '/v1/actions/list-visible-windows')).text()) as Record<
      string,
      unknown
    >;
    expect(done.status).toBe(0);
    expect({ ...JSON.parse(done.stdout), actionId: '' }).toEqual({ ...http, actionId: '' });
    const refused = await cli(['call', 'click-element', '{"nam":"OK"}', '--json']);
    expect([refused.status, refused.stderr]).toEqual([2, '']);
    expect(JSON.parse(refused.stdout)).toMatchObject({ code: 'invalid_argument', suggestions: ['name'] });
  });

  it('[cli.host] --host asks another host with the token that was made for it, and never sends this machine’s', async () => {
    const { host, server } = await serveCli();
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'agent.token'), 'this-machines-own-agent-token-of-40-chars');
    const enrolment = join(folder, 'pc17.json');
    writeFileSync(enrolment, JSON.stringify({ token: AGENT_TOKEN, tokenId: 'tok_1', scope: 'agent' }));
    const there = ['--host', server.url];
    const ask = (...args: string[]) => runCli(args, folder);
    const done = await ask(...there, '--token-file', enrolment, '--session', 'desk', 'click-element', '--name', 'OK');
    expect(done).toMatchObject({ status: 0, stdout: 'clicked OK\n' });
    expect(host.runs.map(({ action, caller }) => [action, caller.session])).toEqual([['click-element', 'desk']]);
    const byVariable = await runCli([...there, 'snapshot'], folder, { env: { UIAHOST_AGENT_TOKEN: AGENT_TOKEN } });
    expect(byVariable.status).toBe(0);

    const before = host.runs.length + host.refusals.length;
    writeFileSync(join(folder, 'empty.json'), '{"token":"short"}');
    for (const [args, says] of [
      [[...there, 'snapshot'], '--token-file'],
      [['--host', 'http://pc17.example.com:7423', '--token-file', enrolment, 'snapshot'], 'needs https'],
      [['--host', 'pc17', '--token-file', enrolment, 'snapshot'], 'expected the address'],
      [[...there, '--token-file', join(folder, 'none.json'), 'snapshot'], 'ENOENT'],
      [[...there, '--token-file', join(folder, 'empty.json'), 'snapshot'], 'has no token'],
      [['--token-file', enrolment, 'snapshot'], 'name the host too'],
      ...['start', 'doctor', 'demo', 'token', 'policy check x.json', 'data remove --yes', 'service status'].map(
        (command) => [[...there, '--token-file', enrolment, ...command.split(' ')], 'is about this machine'] as const,
      ),
    ] as const) {
      const refused = await ask(...args);
      expect([args, refused.status, refused.stderr]).toEqual([args, 2, expect.stringContaining(says)]);
    }
    expect(host.runs.length + host.refusals.length).toBe(before);
  });

  it('prints readable values with the action’s effect, and errors with what to try', async () => {
    const { cli, host } = await serveCli();
    host.answers.set('list-visible-windows', () => [
      {
        hwnd: '1',
        pid: 2,
        title: 'evil \u001b[31mred\u202e',
        app: 'a',
        className: 'c',
        minimized: false,
        toolWindow: false,
        elevated: false,
      },
    ]);
    const list = await cli(['list-visible-windows']);
    expect(list.stdout).toContain('hwnd');
    for (const control of ['\u001b', '\u202e']) expect(list.stdout).not.toContain(control);
    expect((await cli(['snapshot'])).stdout).toContain('[Window] "Say \\"hi\\"" (0,0 1x1) ref=e1');
    const refused = await cli(['click', '--x', '1', '--y', '1', '--observation-id', 'x']);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toMatch(/^invalid_argument: observationId/);
    expect(refused.stderr).toContain('  try: ');
  });

  it('--observe delta is passed on', async () => {
    const { cli } = await serveCli();
    expect((await cli(['click-element', '--name', 'OK', '--observe', 'delta'])).stdout.trim()).toBe('clicked OK');
    expect((await cli(['click-element', '--name', 'OK', '--observe', 'all'])).status).toBe(2);
  });

  it('prints a line of what happened to what, and what else an answer tells', () => {
    const edit = { role: 'Edit', name: 'Phone\u202e', ref: 'e3' };
    const typed = (readBack: string, effect: string, after: string): object => ({
      effect,
      readBack,
      evidence: [{ kind: 'text', before: '', after }],
      attempts: [{ rung: 'message', result: 'delivered', reason: '6 characters; the field takes digits only' }],
      details: { on: edit },
    });
    const changes = (lines: string[], complete: boolean, since = 'obs_1') => ({
      since,
      lines,
      complete,
      untrusted: true,
    });
    const found = { observationId: 'obs_1', untrusted: true, partial: false, imageWidth: 1, imageHeight: 1 };
    const row = (index: number, ...cells: Array<string | null>) => ({ index, cells, selected: index === 3 });
    const nothing = { effect: 'none', delivery: 'none' };
    const TOLD: ReadonlyArray<
      readonly [action: string, input: object, value: unknown, outcome: object, said: string, changes?: object]
    > = [
      ['clickElement', { name: 'Phone' }, true, { details: { target: edit } }, 'clicked Edit "Phone\ufffd", confirmed'],
      ['clickElement', { ref: 'e3', button: 'right' }, true, {}, 'right clicked e3, confirmed'],
      [
        'clickElement',
        { name: 'a' },
        true,
        {},
        'clicked a, confirmed\nnothing changed in the window',
        changes([], true),
      ],
      [
        'clickElement',
        { name: 'a' },
        true,
        {},
        'clicked a, confirmed\nwhat else changed is not known; take a snapshot first',
        changes([], false, ''),
      ],
      [
        'clickElement',
        { name: 'a' },
        true,
        {},
        'clicked a, confirmed\n~ [Edit] "a\ufffd[31m"\n… more changed; take a snapshot',
        changes(['~ [Edit] "a\u001b[31m"'], false),
      ],
      [
        'clickElement',
        { name: 'a' },
        true,
        { details: { newWindow: { hwnd: '12', title: 'Save As\u202e', modal: true } } },
        'clicked a, confirmed\na window opened: "Save As\ufffd" (12, modal)',
      ],
      [
        'clickElement',
        { name: 'a' },
        true,
        { details: { owner: { hwnd: '7', title: 'Notepad' } } },
        'clicked a, confirmed\nthe bound window closed; its owner is "Notepad" (7)',
      ],
      ['clickElement', { name: 'a' }, true, { effect: 'none' }, 'clicked a, nothing changed'],
      [
        'clickElement',
        { name: 'a' },
        true,
        { effect: 'pending_modal', focusChanged: true, details: { foreground: { taken: '1', givenBack: true } } },
        'clicked a, a dialog waits for an answer, the foreground changed\nthe foreground was taken and given back',
      ],
      [
        'openApp',
        { bundleId: 'a.exe' },
        null,
        { details: { hwnd: '4242', title: 'Main\u001b', startedBundleId: 's.exe', waitedMs: 3 } },
        'open app a.exe, confirmed\na window opened: "Main\\u001b" (4242)\nstartedBundleId: s.exe',
      ],
      [
        'typeIntoElement',
        { name: 'Phone', text: 'x' },
        true,
        typed('mismatch', 'unverified', '1234'),
        'typed into Edit "Phone\ufffd", unverified, sent by message\nthe field holds another text than was typed\nit holds "1234"\nmessage: 6 characters; the field takes digits only',
      ],
      [
        'typeIntoElement',
        { name: 'Phone', text: 'x' },
        true,
        typed('normalised', 'confirmed', 'ABC'),
        'typed into Edit "Phone\ufffd", confirmed\nit holds "ABC"',
      ],
      [
        'key',
        { keySequence: 'f9' },
        null,
        {
          effect: 'unverified',
          delivery: 'posted',
          attempts: [{ rung: 'message', result: 'not_applicable', reason: 'f9: no such accelerator' }],
        },
        'pressed f9, unverified, sent by posted\nmessage: f9: no such accelerator',
      ],
      [
        'selectElement',
        { name: 'List', item: 'Tea' },
        true,
        { effect: 'unverified', evidence: [{ kind: 'selection', before: 0, after: 0 }] },
        'chose "Tea" in List, unverified, sent by message\nselection: 0 before, 0 now',
      ],
      ['selectElement', { ref: 'e9' }, true, {}, 'chose e9, confirmed'],
      ['hasBoundWindow', {}, false, nothing, 'has bound window: no'],
      ['waitQuiet', {}, true, nothing, 'wait quiet: yes'],
      ['bindToWindow', { title: 'e' }, { hwnd: '7', title: 'Notepad', pid: 3 }, nothing, 'bound "Notepad" (7)'],
      [
        'waitFor',
        { name: 'OK' },
        { met: true, element: { controlType: 'Button', name: 'OK', ref: 'e2' } },
        nothing,
        'found Button "OK", ref e2',
      ],
      ['find', { name: 'a' }, { ...found, accessibilityText: '', total: 0 }, nothing, 'found: 0'],
      [
        'find',
        { name: 'a' },
        { ...found, accessibilityText: '[Edit] "a" (0,0 1x1) ref=e1', total: 5 },
        nothing,
        '[Edit] "a" (0,0 1x1) ref=e1\nfound: 5',
      ],
      [
        'readTable',
        { name: 'T', from: 2 },
        { columns: ['Name', 'Age'], rows: [row(2, 'Ada', '36'), row(3, 'Eve', null)], totalRows: 9, untrusted: true },
        nothing,
        'row  Name  Age\n2    Ada   36\n3*   Eve   ?\n2 of 9, from row 2; --from 4',
      ],
    ];
    for (const [action, input, value, outcome, said, changed] of TOLD)
      expect(
        describeResult(
          {
            action,
            value,
            outcome: { ...looked(), effect: 'confirmed', delivery: 'message', ...outcome },
            ...(changed === undefined ? {} : { changes: changed }),
          } as unknown as ActionResult,
          false,
          input,
        ),
      ).toBe(said);
  });

  it('an input that is not UTF-8 is wrong use and reaches no host; with a byte order mark it is read', async () => {
    const { cli, host } = await serveCli();
    const given = '\ufeff{"text":"caf\u00e9"}';
    for (const input of [Buffer.from(given.slice(1), 'latin1'), Buffer.from(given, 'utf16le')]) {
      const { status, stderr } = await cli(['call', 'type', '-'], { input });
      expect([status, stderr]).toEqual([2, expect.stringContaining('not UTF-8')]);
    }
    expect(host.runs).toEqual([]);
    await cli(['call', 'type', '-'], { input: given });
    expect(host.runs.map(({ input }) => input)).toEqual([{ text: 'caf\u00e9' }]);
  });

  it('takes the input as an argument or from standard input', async () => {
    const { cli, host } = await serveCli();
    await cli(['call', 'click-element', '-'], { input: '{"name":"OK"}' });
    await cli(['call', 'list-visible-windows']);
    expect(host.runs.map(({ action, input }) => [action, input])).toEqual([
      ['click-element', { name: 'OK' }],
      ['list-visible-windows', {}],
    ]);
    const near = await cli(['call', 'clik-element', '{}']);
    expect(near.stderr).toContain('click-element');
  });

  it('[cli.usage] wrong use ends with status 2 and reaches no host', async () => {
    const { cli, host } = await serveCli();
    for (const args of [
      ['click'],
      ['click', '--x', 'a', '--y', '1'],
      ['click', '--x', '1', '--y', '1', '--button', 'lft'],
      ['nothing'],
      ['call', 'click-element', '{not json}'],
      ['click', '--nope'],
      ['approvals', 'approve'],
    ]) {
      const { status, stdout, stderr } = await cli(args);
      expect([args, status, stdout]).toEqual([args, 2, '']);
      expect(stderr).not.toBe('');
    }
    expect(host.runs).toEqual([]);
  });

  it('there is help for each command, on standard output', async () => {
    const { cli } = await serveCli();
    const help = await cli(['type-into-element', '--help']);
    expect(help.status).toBe(0);
    expect(help.stdout).toContain('--secret-ref <text>');
    expect(help.stdout).toContain('Needs: level control, tier full.');
    expect((await cli(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('writes the picture of a result to a file', async () => {
    const { cli } = await serveCli();
    const file = join(temporaryFolder(), 'shot.png');
    expect((await cli(['screenshot', '--output', file])).status).toBe(0);
    expect(readFileSync(file).subarray(1, 4).toString()).toBe('PNG');
  });

  it('prints pending approvals, and action follows and cancels them', async () => {
    const { cli, host } = await serveCli();
    host.asks.add('click-element');
    const pending = JSON.parse((await cli(['--json', 'click-element', '--name', 'OK', '--no-wait'])).stdout) as {
      actionId: string;
      status: string;
    };
    expect(pending.status).toBe('pending');
    expect(JSON.parse((await cli(['action', pending.actionId, '--json'])).stdout)).toMatchObject({ status: 'pending' });
    expect(JSON.parse((await cli(['action', pending.actionId, '--cancel', '--json'])).stdout)).toMatchObject({
      status: 'cancelled',
    });
  });
});

describe('a person in control', () => {
  it('denies everything of an agent, lists the paused agents, and lifts the pause', async () => {
    const { cli, host } = await serveCli();
    host.asks.add('click-element');
    const calls = [cli(['click-element', '--name', 'OK']), cli(['click-element', '--name', 'No'])];
    await expect.poll(() => host.cards.size, { timeout: 60_000 }).toBe(2);
    const [card] = [...host.cards.values()];
    expect((await cli(['approvals'])).stdout).toContain(`asked by: ${card!.owner}`);
    expect((await cli(['approvals', 'deny'])).status).toBe(2);
    expect((await cli(['approvals', 'deny', card!.approvalId, '--all-of', card!.owner!])).status).toBe(2);
    expect(await cli(['approvals', 'deny', '--all-of', card!.owner!])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Denied 2 open cards'),
    });
    for (const call of calls)
      expect(await call).toMatchObject({ status: 1, stderr: expect.stringContaining('approval_denied') });
    expect((await cli(['approvals', 'pauses'])).stdout).toContain(`uiahost approvals lift ${card!.owner}`);
    expect((await cli(['approvals', 'lift', card!.owner!])).status).toBe(0);
    expect((await cli(['approvals', 'pauses'])).stdout.trim()).toBe('Every agent may ask.');
    expect(await cli(['approvals', 'lift', card!.owner!])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('not_found'),
    });
    expect(await cli(['approvals', 'deny', '--all-of', 'a b'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('invalid_argument'),
    });
  });

  it('[card.page] lists, approves and denies cards', async () => {
    const { cli, call, host } = await serveCli();
    host.asks.add('click-element');
    const ask = async (): Promise<string> =>
      (
        (await (await call('POST', '/v1/actions/click-element?wait=0', { body: { name: 'OK' } })).json()) as {
          approvalId: string;
        }
      ).approvalId;
    const [first, second] = [await ask(), await ask()];
    const list = await cli(['approvals']);
    expect(list.stdout).toContain('page: https://bank.example');
    expect(list.stdout).toContain(first);
    expect(list.stdout).toContain('why: level control asks before input');
    expect((await cli(['approvals', 'approve', first, '--scope', 'window', '--minutes', '5'])).status).toBe(0);
    expect((await cli(['approvals', 'deny', second])).status).toBe(0);
    expect([host.cards.get(first)?.status, host.cards.get(second)?.status]).toEqual(['approved', 'denied']);
    const opposite = await cli(['approvals', 'deny', first]);
    expect(opposite.status).toBe(1);
    expect(opposite.stderr).toContain('approval_conflict');
    expect((await cli(['approvals'])).stdout.trim()).toBe('No card is waiting.');
  });

  it('shows cards as they come', async () => {
    const { cli, call, host } = await serveCli();
    host.asks.add('click-element');
    const watching = cli(['approvals', 'watch', '--json'], { until: (stdout) => stdout.split('\n').length > 2 });
    await call('POST', '/v1/actions/click-element?wait=0', { body: { name: 'OK' } });
    const [card] = host.cards.values();
    const again = setInterval(
      () => host.emit({ type: 'approval.settled', time: 'now', card: { ...card, status: 'approved' } }),
      200,
    );
    const { stdout } = await watching;
    clearInterval(again);
    const cards = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { status: string });
    expect(cards.map(({ status }) => status)).toEqual(['pending', 'approved']);
  });

  it('status, doctor, stop and resume', async () => {
    const { cli } = await serveCli();
    expect((await cli(['status'])).stdout).toMatch(/level {4}control/);
    const { cli: withAgents } = await serveCli(
      {},
      {
        ...createStandInHost(),
        openSessions: async () => [
          {
            owner: 'agent/mcp-1',
            tokenName: 'agent',
            session: 'mcp-1',
            client: 'codex 0.1',
            window: { hwnd: '7', pid: 8, app: 'notepad', title: 'Notes' },
            waiting: ['apr_1'],
            isPaused: false,
            lastActionAt: '2026-11-30T10:00:00.000Z',
          },
          {
            owner: 'agent/cli',
            tokenName: 'agent',
            session: 'cli',
            client: null,
            window: null,
            waiting: [],
            isPaused: true,
            lastActionAt: '2026-11-30T10:00:00.000Z',
          },
        ],
      },
    );
    expect((await withAgents(['status'])).stdout).toContain(
      'sessions mcp-1; codex 0.1; Notes (hwnd 7, process 8); waits for apr_1\n         cli; no window; paused\n',
    );
    expect((await cli(['doctor'])).stdout.trim()).toBe('No problems found.');
    expect((await cli(['stop'])).stdout).toContain('Stopped');
    expect(JSON.parse((await cli(['resume', '--json'])).stdout)).toEqual({ stopped: false });
  });

  it('ends the host, waits until it has ended, and reports where none runs', async () => {
    const reasons: string[] = [];
    const server = await createHttpServer({
      host: createStandInHost(),
      address: '127.0.0.1',
      port: 0,
      proofKey: proofKey(),
      end(reason) {
        reasons.push(reason);
        void server.close();
      },
    });
    const folder = folderOf(server);
    const ended = await runCli(['stop-host'], folder);
    expect(ended).toMatchObject({
      status: 0,
      stdout: `The host at ${server.url} has ended. Start one with: uiahost start\n`,
    });
    expect(reasons).toEqual([expect.stringMatching(/^asked by api:/)]);
    for (const place of [folder, temporaryFolder()]) {
      const again = await runCli(['stop-host'], place);
      expect(again).toMatchObject({ status: 0, stderr: '' });
      expect(again.stdout).toMatch(/^Nothing to end\. No host (answers|runs)/);
    }
    expect(JSON.parse((await runCli(['stop-host', '--json'], folder)).stdout)).toEqual({ wasRunning: false });
  });

  it('a host that the service or another program ends is refused, and runs on', async () => {
    for (const [end, said] of [
      [
        'service',
        /^state_conflict: The Windows service runs this host and would start it again\..*uiahost service stop/s,
      ],
      [null, /^unsupported: This host runs inside another program, which ends it\./],
    ] as const) {
      const server = await createHttpServer({
        host: createStandInHost(),
        address: '127.0.0.1',
        port: 0,
        proofKey: proofKey(),
        end,
      });
      const refused = await runCli(['stop-host'], folderOf(server));
      expect([refused.status, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toMatch(said);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      await server.close();
    }
  });

  it('prints the token, and its file on standard error', async () => {
    const { cli, dataDirectory } = await serveCli();
    expect(await cli(['token'])).toEqual({
      status: 0,
      stdout: `${AGENT_TOKEN}\n`,
      stderr: `from ${join(dataDirectory, 'agent.token')}\n`,
    });
    expect((await cli(['token', '--operator'])).stdout).toBe(`${OPERATOR_TOKEN}\n`);
    expect((await cli(['token', '--operator', '--path'])).stdout.trim()).toBe(join(dataDirectory, 'operator.token'));
    expect((await cli(['token'], { env: { UIAHOST_AGENT_TOKEN: 'given' } })).stdout).toBe('given\n');
  });

  it('[cli.audit] verify and show; a damaged audit is status 1', async () => {
    const { cli, host } = await serveCli();
    expect((await cli(['audit', 'verify'])).stdout).toContain('unchanged: 3 records');
    expect((await cli(['audit', 'show', '--limit', '1'])).status).toBe(0);
    expect(JSON.parse((await cli(['audit', 'show', '--after', '4', '--limit', '1', '--json'])).stdout)).toEqual({
      entries: [{ seq: 5 }],
      next: null,
    });
    host.auditVerify = async () => ({
      ok: false,
      records: 3,
      head: 'h',
      firstBad: { seq: 2, reason: 'hash' },
      sealsCheckedFrom: 1,
      completeFrom: 1,
    });
    const damaged = await cli(['audit', 'verify', '--json']);
    expect(damaged.status).toBe(1);
    expect(JSON.parse(damaged.stdout)).toMatchObject({ ok: false });
  });

  const BLANK = {
    kind: 'session',
    actor: { tokenId: 't', surface: 'http' },
    decision: null,
    riskLevel: null,
    outcome: null,
    errorCode: null,
    text: null,
    artifacts: [],
  };
  it('writes a session as one page without scripts or links', async () => {
    const { cli, call, host } = await serveCli();
    const { computerUseSessionId: id } = (await (
      await call('POST', '/v1/computer-use/sessions', { body: { goal: 'Save <b>it</b>', urls: ['app:notepad.exe'] } })
    ).json()) as { computerUseSessionId: string };
    const started = {
      seq: 1,
      sessionId: id,
      action: 'session.started',
      actionId: null,
      time: '2026-01-02T03:04:05.000Z',
    };
    host.auditEntries = async () => ({
      entries: [{ ...started, ...BLANK, details: { goal: 'Save <b>it</b>', urls: [] } }],
      next: null,
    });
    host.say(id, {
      type: 'screenshot',
      url: `/v1/artifacts/${'a'.repeat(64)}/content`,
      width: 1,
      height: 1,
      timestamp: '2026-01-02T03:04:06.000Z',
    });
    host.say(id, {
      type: 'session.ended',
      status: 'completed',
      summary: 'done',
      timestamp: '2026-01-02T03:04:07.000Z',
    });
    const file = join(temporaryFolder(), 'page.html');
    const { status, stderr } = await cli(['audit', 'replay', id, '--output', file]);
    expect([status, stderr]).toEqual([0, expect.stringContaining('1 pictures')]);
    const page = readFileSync(file, 'utf8');
    expect(page).toContain('Save &lt;b&gt;it&lt;/b&gt;');
    expect(page).toContain('data:image/png;base64,');
    expect(page).not.toMatch(/<script|https?:\/\/(?!www\.w3)/);
    expect((await cli(['audit', 'replay', 'nobody', '--output', file])).status).toBe(1);
  });

  it('sets the level, and refuses an unknown one', async () => {
    const { cli } = await serveCli();
    expect(await cli(['policy', 'level', 'observe'])).toMatchObject({
      status: 0,
      stdout: 'The level is now observe. Agents can look, and change nothing.\n',
    });
    expect(JSON.parse((await cli(['policy', 'show', '--json'])).stdout)).toMatchObject({ level: 'observe' });
    expect(JSON.parse((await cli(['policy', 'level', 'full', '--json'])).stdout)).toMatchObject({ level: 'full' });
    const wrong = await cli(['policy', 'level', 'root']);
    expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('disabled, observe, control, full')]);
  });

  it('says in words what a level and a preset no longer ask', async () => {
    const { cli, host } = await serveCli();
    const full = await cli(['policy', 'level', 'full']);
    expect(full.stdout).toMatch(/not asked about any more.*still asked about .*browsers.*paying.*sending/);
    await host.policy.change({ alwaysAsk: [] }, 'merge', undefined, 'test');
    expect((await cli(['policy', 'level', 'full'])).stdout).toMatch(
      /^The level is now full\. No input .*passwords, paying, deleting.* into browsers/,
    );
  });

  it('grants a program a tier in place of its other one, and edits the policy file', async () => {
    const { cli, host, dataDirectory } = await serveCli();
    const orders = 'c:\\orders\\orders.exe';
    await cli(['policy', 'allow', orders, 'read']);
    expect((await cli(['policy', 'allow', 'C:\\Orders\\orders.exe', 'click'])).stdout).toContain(
      'clicks and scrolling',
    );
    expect(host.policy.get().policy.grants).toEqual([{ app: 'C:\\Orders\\orders.exe', tier: 'click' }]);
    expect((await cli(['policy', 'allow', orders, 'all'])).status).toBe(2);
    const settings = () => [
      {
        setting: 'grants',
        value: [],
        layer: 'registry_machine' as const,
        place: 'HKEY_LOCAL_MACHINE\\Grants',
        set: [{ layer: 'registry_machine' as const, place: 'HKEY_LOCAL_MACHINE\\Grants', value: [] }],
        narrowed: [],
      },
    ];
    Object.assign(host.policy, { settings });
    const refused = await cli(['policy', 'allow', orders, 'full']);
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('set by the administrator')]);
    const file = join(dataDirectory, 'policy.json');
    expect((await cli(['policy', 'show'])).stdout).toContain(`Your policy file: ${file}\n`);
    const editor = join(dataDirectory, 'editor.mjs');
    writeFileSync(
      editor,
      `import { readFileSync, writeFileSync } from 'node:fs';
const [, , from, to, file] = process.argv;
writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));`,
    );
    const edit = (change: string) =>
      cli(['policy', 'edit'], { env: { VISUAL: `${process.execPath} ${editor} ${change}` } });
    const edited = await edit('control observe');
    expect(edited).toMatchObject({ status: 0, stdout: expect.stringContaining('is valid. A running host takes it') });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ level: 'observe', grants: [] });
    expect((await edit('"grants" "grunts"')).status).toBe(1);
  });

  it('shows the policy in force and checks a file without a host', async () => {
    const { cli } = await serveCli();
    expect(JSON.parse((await cli(['policy', 'show', '--json'])).stdout)).toMatchObject({ level: 'control' });
    const folder = temporaryFolder();
    const file = join(folder, 'policy.json');
    writeFileSync(file, '{\n  "level": "observe"\n}\n');
    expect(await runCli(['policy', 'check', file], folder)).toMatchObject({ status: 0, stdout: `${file} is valid.\n` });
    writeFileSync(file, '{\n  "level": "observe",\n  "elementsOnly": "yes"\n}\n');
    const wrong = await runCli(['policy', 'check', file], folder);
    expect(wrong.status).toBe(1);
    expect(wrong.stderr).toMatch(/policy\.json:3:3: error: elementsOnly: expected true or false/);
    expect((await runCli(['policy', 'check', join(folder, 'none.json')], folder)).status).toBe(2);
  });
});

describe('finding and configuring', () => {
  it('says how to start a host where none runs, and sends nothing to a squatter', async () => {
    const folder = temporaryFolder();
    const none = await runCli(['status'], folder);
    expect(none.status).toBe(1);
    expect(none.stderr).toContain('uiahost start');
    const { host, dataDirectory, cli } = await serveCli();
    writeFileSync(join(dataDirectory, 'host.key'), 'of another host\n');
    const squatted = await cli(['list-visible-windows']);
    expect(squatted.status).toBe(1);
    expect(squatted.stderr).toContain('no token was sent');
    expect(host.runs).toEqual([]);
  });

  it('installs short skills that name existing tools, and keeps a skill that a person changed', async () => {
    const folder = temporaryFolder();
    const env = { HOME: folder };
    const tools = new Set(buildCatalog().entries.map(({ tool }) => tool));
    for (const [client, place] of [
      ['claude', '.claude/skills'],
      ['codex', '.codex/skills'],
      ['gemini', '.gemini/skills'],
      ['copilot', '.copilot/skills'],
    ] as const) {
      expect((await runCli(['skills', 'install', client], folder, { env })).status).toBe(0);
      const names = readdirSync(join(folder, place)).sort();
      expect(names).toEqual(['uiahost-asking', 'uiahost-excel', 'uiahost-terminals', 'uiahost-windows']);
      for (const name of names) {
        const text = readFileSync(join(folder, place, name, 'SKILL.md'), 'utf8');
        expect(text).toMatch(new RegExp(`^---\nname: ${name}\ndescription: "[^\n]{40,300}"\n---\n# `));
        expect(text.length).toBeLessThan(1800);
        const named = [...text.matchAll(/`([a-z]+(?:_[a-z]+)+)/g)].map(([, tool]) => tool ?? '');
        const known = [...tools, 'await_approval', 'element_stale', 'state_conflict', 'target_ambiguous'];
        expect([name, named.filter((each) => !known.includes(each))]).toEqual([name, []]);
      }
    }
    const file = join(folder, '.claude/skills/uiahost-excel/SKILL.md');
    writeFileSync(file, 'mine');
    expect((await runCli(['skills', 'install', 'claude'], folder, { env })).stdout).toContain('kept');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    await runCli(['skills', 'install', 'claude', '--replace'], folder, { env });
    expect(readFileSync(file, 'utf8')).not.toBe('mine');
    expect((await runCli(['skills', 'install', 'other'], folder, { env })).status).toBe(2);
  });

  it('[cli.mcp-config] prints each client’s configuration and installs it with a backup', async () => {
    const folder = temporaryFolder();
    const printed = JSON.parse((await runCli(['mcp-config', 'claude', '--session', 'work'], folder)).stdout) as {
      mcpServers: { uiahost: { command: string; args: string[] } };
    };
    expect(printed.mcpServers.uiahost.args.slice(1)).toEqual(wordsOf`mcp --session work --caps all --server uiahost`);
    // By npx: a link in npm's cache, and a Node out of a user's packages.
    const link = join(folder, 'uiahost');
    // On Windows npm writes a script that names the file.
    const byLink = process.platform === 'win32' ? cliBundle() : link;
    if (byLink === link) symlinkSync(cliBundle(), link);
    const npmsNode = join(folder, 'node');
    writeFileSync(npmsNode, '');
    const byNpx = JSON.parse(
      (await runCli(['mcp-config', 'claude'], folder, { file: byLink, env: { npm_node_execpath: npmsNode } })).stdout,
    ) as typeof printed;
    expect(byNpx.mcpServers.uiahost.args[0]).toBe(realpathSync(cliBundle()));
    expect(byNpx.mcpServers.uiahost.command).toBe(
      /[\\/]node_modules[\\/]/.test(process.execPath) ? npmsNode : process.execPath,
    );
    const byJson = ['gemini', 'vscode', 'cursor', 'windsurf', 'opencode', 'qwen', 'copilot', 'cline', 'kimi'];
    for (const client of [...byJson, 'claude-desktop', 'zed'])
      JSON.parse((await runCli(['mcp-config', client], folder)).stdout);
    expect((await runCli(['mcp-config', 'other'], folder)).status).toBe(2);

    writeFileSync(join(folder, '.mcp.json'), '{"mcpServers":{"mine":{"command":"x"}},"further":1}');
    expect(
      (await runCli(['mcp-config', 'claude', '--install', '--scope', 'project'], folder, { cwd: folder })).status,
    ).toBe(0);
    const merged = JSON.parse(readFileSync(join(folder, '.mcp.json'), 'utf8')) as {
      mcpServers: Record<string, unknown>;
      further: number;
    };
    expect(merged).toMatchObject({ further: 1, mcpServers: { mine: { command: 'x' }, uiahost: { type: 'stdio' } } });
    const backup = readdirSync(folder).find((name) => name.endsWith('.bak')) ?? '';
    expect(readFileSync(join(folder, backup), 'utf8')).toBe('{"mcpServers":{"mine":{"command":"x"}},"further":1}');
    // A second time there is nothing to do, and no second backup.
    await runCli(['mcp-config', 'claude', '--install', '--scope', 'project'], folder, { cwd: folder });
    expect(readdirSync(folder).filter((name) => name.endsWith('.bak'))).toHaveLength(1);

    writeFileSync(join(folder, '.mcp.json'), '{ // mine\n');
    const left = await runCli(['mcp-config', 'claude', '--install', '--scope', 'project'], folder, { cwd: folder });
    expect([left.status, readFileSync(join(folder, '.mcp.json'), 'utf8')]).toEqual([1, '{ // mine\n']);
    // What was to be added by hand is printed.
    expect(JSON.parse(left.stdout)).toMatchObject({ mcpServers: { uiahost: { type: 'stdio' } } });
  });

  it('a user’s entry is for this machine, a folder’s has no place of it, and the client’s own command is printed', async () => {
    const folder = temporaryFolder();
    const env = { HOME: folder, UIAHOST_DATA_DIR: join(folder, 'data') };
    const printed = await runCli(['mcp-config', 'claude'], folder, { env });
    expect(printed.stderr).toContain(`For ${join(folder, '.claude.json')}`);
    expect(printed.stderr).toMatch(/claude mcp add --scope user .*uiahost -- .* mcp --caps all --server uiahost/);
    expect((await runCli(['mcp-config', 'claude', '--install'], folder, { env })).status).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, '.claude.json'), 'utf8'))).toEqual(JSON.parse(printed.stdout));
    const shared = await runCli(['mcp-config', 'vscode', '--scope', 'project'], folder, { env });
    expect(JSON.parse(shared.stdout)).toEqual({
      servers: { uiahost: { type: 'stdio', command: 'uiahost', args: ['mcp'] } },
    });
    expect((await runCli(['mcp-config', 'codex', '--scope', 'project'], folder, { env })).status).toBe(2);
    // It connects again for each call, so that only a name keeps its session.
    const overHttp = await runCli(['mcp-config', 'vibe', '--http', 'http://127.0.0.1:7423'], folder, { env });
    expect(overHttp.stdout).toContain('url = "http://127.0.0.1:7423/mcp?caps=all&session=vibe"');
  });

  it('Continue’s list of servers gets our entry, and all else in its file stays', async () => {
    const folder = temporaryFolder();
    const file = join(folder, '.continue', 'config.yaml');
    const install = () => runCli(['mcp-config', 'continue', '--install'], folder, { env: { HOME: folder } });
    const ours =
      / {2}- name: uiahost\n {4}type: stdio\n {4}command: .+\n {4}args:\n(?: {6}- .+\n)+ {4}env:\n {6}UIAHOST_DATA_DIR: .+\n/;
    expect((await install()).status).toBe(0);
    const fresh = readFileSync(file, 'utf8');
    expect(fresh).toMatch(new RegExp(`^name: Local\nversion: 0.0.1\nschema: v1\nmcpServers:\n${ours.source}$`));
    await install();
    expect(readFileSync(file, 'utf8')).toBe(fresh);
    const [entry = ''] = ours.exec(fresh) ?? [];
    const mine = 'name: Mine # by me\nrules: none\n';
    for (const [present, wanted] of [
      [mine, `${mine}mcpServers:\n${entry}`],
      // As an earlier version wrote it.
      [
        `${mine}mcpServers:\n  - {"name":"uiahost","command":"old"}\n  - name: other\n`,
        `${mine}mcpServers:\n${entry}  - name: other\n`,
      ],
      [
        'mcpServers:\n  # all\n  - name: other\n    command: x\n',
        `mcpServers:\n  # all\n  - name: other\n    command: x\n${entry}`,
      ],
    ] as const) {
      writeFileSync(file, present);
      expect((await install()).status).toBe(0);
      expect(readFileSync(file, 'utf8')).toBe(wanted);
    }
    for (const broken of ['mcpServers: none\n', 'a: [\n', '- name: other\n']) {
      writeFileSync(file, broken);
      const { status, stdout } = await install();
      expect([status, readFileSync(file, 'utf8')]).toEqual([1, broken]);
      expect(stdout).toMatch(ours);
    }
  });

  it('comments and trailing commas of a JSON file stay', async () => {
    const folder = temporaryFolder();
    const file = join(folder, '.vscode', 'mcp.json');
    mkdirSync(join(folder, '.vscode'));
    writeFileSync(
      file,
      '{\n  // servers of mine\n  "servers": {\n    "mine": { "command": "x" }, // the first\n  },\n  /* the end */\n}\n',
    );
    const install = async () =>
      expect(
        (await runCli(['mcp-config', 'vscode', '--install', '--scope', 'project'], folder, { cwd: folder })).status,
      ).toBe(0);
    await install();
    const once = readFileSync(file, 'utf8');
    for (const comment of ['// servers of mine', '// the first', '/* the end */']) expect(once).toContain(comment);
    expect(once).toMatch(/"mine": \{\s*"command": "x"\s*\}[\s\S]*"uiahost": \{\s+"type": "stdio"/);
    await install();
    expect(readFileSync(file, 'utf8')).toBe(once);
  });

  it('--http prints an entry with the address and the name of the token’s variable', async () => {
    const { cli } = await serveCli();
    for (const client of ['claude', 'codex', 'gemini', 'vscode', 'cursor', 'windsurf']) {
      const { status, stdout } = await cli(['mcp-config', client, '--http', 'http://127.0.0.1:7423/']);
      expect([client, status]).toEqual([client, 0]);
      expect(stdout).toContain(`"http://127.0.0.1:7423/mcp${client === 'claude' ? '?caps=all&server=uiahost' : ''}"`);
      expect(stdout).toContain('UIAHOST_AGENT_TOKEN');
      expect(stdout).not.toMatch(/command|agent-token-of/);
    }
    const named = await cli(wordsOf`mcp-config kimi --http http://127.0.0.1:7423 --caps apps --session a`);
    expect(named.stdout).toContain('"http://127.0.0.1:7423/mcp?caps=apps&session=a"');
    expect((await cli(['mcp-config', 'codex', '--http', 'file:///x'])).status).toBe(2);
    // Its file takes no token from a variable.
    expect((await cli(['mcp-config', 'cline', '--http', 'http://127.0.0.1:7423'])).status).toBe(1);
  });

  it('names what each client must allow, and --unattended writes it where a file can', async () => {
    const folder = temporaryFolder();
    const entry = async (client: string, ...flags: string[]) => runCli(['mcp-config', client, ...flags], folder);
    const printed: Record<string, ReturnType<typeof entry>> = {};
    for (const [client, words] of [
      ['claude', '--allowedTools mcp__uiahost'],
      ['codex', 'default_tools_approval_mode'],
      ['gemini', '"trust": true'],
      ['vscode', 'allow'],
      ['cursor', 'allow'],
      ['windsurf', 'allow'],
    ] as const)
      expect((await (printed[client] = entry(client))).stderr).toContain(words);
    expect(JSON.parse((await printed['gemini']!).stdout).mcpServers.uiahost.trust).toBeUndefined();
    expect((await printed['codex']!).stdout).not.toContain('approval_mode');
    expect(JSON.parse((await entry('gemini', '--unattended')).stdout).mcpServers.uiahost.trust).toBe(true);
    expect((await entry('codex', '--unattended')).stdout).toContain('default_tools_approval_mode = "approve"');
  });

  it('a TOML file is not changed: the entry and the client’s own command are printed', async () => {
    const folder = temporaryFolder();
    const env = { CODEX_HOME: folder, VIBE_HOME: folder, UIAHOST_DATA_DIR: join(folder, 'data') };
    const config = join(folder, 'config.toml');
    writeFileSync(config, 'model = "m" # mine\n');
    const install = (client: string, ...flags: string[]) =>
      runCli(['mcp-config', client, '--install', ...flags], folder, { env });
    const codex = await install('codex');
    expect(codex.status).toBe(1);
    expect(codex.stdout).toMatch(
      /^\[mcp_servers\.uiahost\]\ncommand = ".+"\nargs = \[".+"\]\nstartup_timeout_sec = 30\ntool_timeout_sec = 120\nenv = \{ UIAHOST_DATA_DIR = ".+" \}\n$/,
    );
    expect(codex.stderr).toMatch(/codex mcp add uiahost --env UIAHOST_DATA_DIR=.+ -- .+ mcp\n/);
    expect((await install('codex', '--http', 'http://127.0.0.1:7423')).stderr).toContain(
      'codex mcp add uiahost --url http://127.0.0.1:7423/mcp --bearer-token-env-var UIAHOST_AGENT_TOKEN\n',
    );
    const vibe = await install('vibe');
    expect([vibe.status, vibe.stderr.includes('or run')]).toEqual([1, false]);
    expect(vibe.stdout).toMatch(
      /^\[\[mcp_servers\]\]\nname = "uiahost"\ntransport = "stdio"\ncommand = ".+"\nargs = \[".+"\]\nenv = \{ .+ \}\n$/,
    );
    expect(readFileSync(config, 'utf8')).toBe('model = "m" # mine\n');
  });
});
