/** The Windows service with Wine's real service manager, on a machine of its own: installed, started, killed, stopped, removed. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceMachine } from '../support/service-machine.ts';
import { until } from '../support/until.ts';

const POLICY = String.raw`HKLM\Software\Policies\uiahost`;
let machine: ServiceMachine;
beforeAll(async () => {
  machine = await ServiceMachine.start();
}, 120_000);
afterAll(() => machine?.[Symbol.asyncDispose]());

const isDown = async (url: string | null | undefined): Promise<boolean> =>
  fetch(`${url}/healthz`).then(
    () => false,
    () => true,
  );
const hostFile = () => machine.file('users/root/AppData/Local/uiahost/host.json');

describe('uiahost service', () => {
  it('[service.protected] is installed once, with a quoted path, as LocalSystem', async () => {
    expect(await machine.status()).toMatchObject({ state: 'not_installed', pid: null, sessions: [], problems: [] });
    const missing = await machine.uiahost('service', 'start');
    expect(missing).toMatchObject({ status: 1, text: expect.stringContaining('uiahost service install') });
    expect(await machine.uiahost('service', 'install')).toMatchObject({
      status: 0,
      text: expect.stringMatching(/is installed/),
    });
    expect(await machine.uiahost('service', 'install')).toMatchObject({ status: 0, text: 'Nothing to do.\n' });
    const { program, account, start, state, problems } = await machine.status();
    expect(program).toMatch(/^"[A-Z]:\\[^"]+\\uiahost\.exe" "[A-Z]:\\[^"]+\\service\.mjs" run$/);
    expect([account, start, state, problems]).toEqual(['LocalSystem', 'auto', 'stopped', []]);
    const { text } = await machine.run('reg.exe', [
      'query',
      'HKLM\\SYSTEM\\CurrentControlSet\\Services\\EventLog\\Application\\uiahost',
    ]);
    expect(text).toContain('EventCreate.exe');
  }, 120_000);

  it('[service.sessions] [service.states] starts the host of the session, which answers', async () => {
    expect(await machine.uiahost('service', 'start')).toMatchObject({ status: 0 });
    const { state, pid, sessions, events } = await machine.hostRuns();
    expect({ state, sessions }).toEqual({
      state: 'running',
      sessions: [
        {
          session: expect.any(Number),
          user: expect.stringMatching(/\\root$/),
          state: 'running',
          pid: expect.any(Number),
          url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
          since: expect.stringMatching(/^\d{4}-.*Z$/),
          restarts: 0,
          why: null,
        },
      ],
    });
    expect(pid).toBeGreaterThan(0);
    expect(sessions[0]?.session).toBeGreaterThan(0);
    expect(events.map(({ id }) => id)).toEqual([10, 20]);
    expect(await (await fetch(`${sessions[0]?.url}/healthz`)).json()).toMatchObject({ status: 'ok' });
    expect(JSON.parse(readFileSync(hostFile(), 'utf8'))).toMatchObject({
      pid: sessions[0]?.pid,
      url: sessions[0]?.url,
    });
    expect(await machine.uiahost('service', 'start')).toMatchObject({ status: 0, text: 'Nothing to do.\n' });
    expect((await machine.uiahost('service', 'status')).text).toContain(`${sessions[0]?.url}`);
  }, 120_000);

  it('[service.restart] a killed host is started again', async () => {
    const {
      sessions: [before],
    } = await machine.status();
    await machine.kill(before?.pid ?? 0);
    const {
      sessions: [after],
      events,
    } = await machine.hostRuns(before?.pid);
    expect(after).toMatchObject({ session: before?.session, restarts: 1 });
    expect(events.map(({ id }) => id)).toContain(21);
    expect(await (await fetch(`${after?.url}/healthz`)).json()).toMatchObject({ status: 'ok' });
  }, 120_000);

  it('the host of a killed service ends in order, and the next service starts another', async () => {
    const {
      pid,
      sessions: [before],
    } = await machine.status();
    await machine.kill(pid);
    await until(
      () => isDown(before?.url),
      (isGone) => isGone,
      60_000,
    );
    // In order: host.json and the lock are gone, which a killed host leaves.
    await until(
      () => existsSync(hostFile()),
      (isThere) => !isThere,
      30_000,
    );
    await machine.reaches(({ state, sessions }) => state !== 'running' || sessions[0]?.pid !== before?.pid);
    await machine.uiahost('service', 'start');
    const {
      sessions: [after],
    } = await machine.hostRuns(before?.pid);
    expect(after?.restarts).toBeGreaterThanOrEqual(0);
    expect(await (await fetch(`${after?.url}/healthz`)).json()).toMatchObject({ status: 'ok' });
  }, 180_000);

  it('[service.restart] a host that the user started already is left alone, and followed by one of the service', async () => {
    await machine.uiahost('service', 'stop');
    expect((await machine.uiahost('start')).text).toContain('is running at');
    await machine.uiahost('service', 'start');
    const { events } = await machine.reaches(({ events }) => events.some(({ id }) => id === 24));
    expect(events.find(({ id }) => id === 24)?.text).toContain('another host already serves this session');
    const { pid } = JSON.parse(readFileSync(hostFile(), 'utf8')) as { pid: number };
    await machine.kill(pid);
    const {
      sessions: [own],
    } = await machine.hostRuns();
    expect(own?.pid).not.toBe(pid);
  }, 180_000);

  it('[service.link] a machine that joins a fleet gets a link under LocalService or none, and its hosts continue', async () => {
    const {
      link,
      sessions: [before],
    } = await machine.hostRuns();
    expect(link).toBeUndefined();
    const credential = { name: 'h_pc1', pools: [], servers: ['nats://127.0.0.1:1'], expires: 4e9 };
    const joined = { format: 'uiahost fleet machine 1', isDrained: false, orchestrators: {} };
    const folder = machine.file('ProgramData/uiahost/fleet');
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/machine.json`, JSON.stringify({ ...joined, seats: [{ user: null, credential }] }));
    // Wine's LogonUser gives no token of that account, and the link is then not started under another
    const status = await machine.reaches((each) => each.link?.state === 'waiting');
    expect(status.link?.why).toMatch(/instead of LocalService/);
    expect(status.events.find(({ id }) => id === 22)?.text).toMatch(/^Fleet: the link could not be started: /);
    expect(status.sessions).toMatchObject([{ state: 'running', pid: before?.pid }]);
    rmSync(`${folder}/machine.json`);
    await machine.reaches((each) => each.link === undefined);
  }, 120_000);

  it('[service.policy] a machine policy that is not valid: no host, one reason in status and event, and hosts again once it is corrected', async () => {
    const set = (name: string, data: string): Promise<unknown> =>
      machine.run('reg.exe', ['add', POLICY, '/v', name, '/d', data, '/f']);
    const {
      sessions: [before],
    } = await machine.hostRuns();
    // A name that is not known stops nothing; a value that is not valid does not end a host that runs.
    await set('FutureSetting', '1');
    await set('Level', 'ful');
    const { events } = await machine.reaches((status) => status.events.some(({ id }) => id === 26));
    expect(events.find(({ id }) => id === 26)?.text).toMatch(/Level.*expected disabled, observe, control, full/);
    expect(await isDown(before?.url)).toBe(false);
    await machine.kill(before?.pid ?? 0);
    const refused = await machine.reaches(({ sessions: [first] }) => first?.state === 'refused');
    expect(refused.problems).toEqual([expect.stringMatching(/no host is started: .*Level/)]);
    await set('Level', 'observe');
    const after = await machine.hostRuns(before?.pid);
    expect(after.problems).toEqual([]);
    expect(after.events.filter(({ id }) => id === 26)).toHaveLength(1);
    await machine.run('reg.exe', ['delete', POLICY, '/f']);
  }, 240_000);

  it('[service.scope] no host at level disabled nor for users whom the policy does not name, with the reason, and one when that changes', async () => {
    const add = (key: string, name: string, data: string): Promise<unknown> =>
      machine.run('reg.exe', ['add', key, '/v', name, '/d', data, '/f']);
    const {
      sessions: [before],
    } = await machine.hostRuns();
    const isExcluded = async (why: RegExp) =>
      expect(
        await machine.reaches(({ sessions: [first] }) => first?.state === 'excluded' && why.test(first.why ?? '')),
      ).toMatchObject({ sessions: [{ pid: null }] });
    await add(`${POLICY}\\Tokens`, 'desk', `scope=agent; sha256=${'a'.repeat(64)}`);
    const tokenOf = (): string => readFileSync(machine.file('users/root/AppData/Local/uiahost/agent.token'), 'utf8');
    const given = tokenOf();
    expect(await machine.uiahost('token', 'make', 'stolen')).toMatchObject({ status: 0 });
    const text = expect.stringContaining('No agent can act on this machine');
    expect(await machine.uiahost('service', 'revoke')).toMatchObject({ status: 0, text });
    expect(await isDown(before?.url)).toBe(true);
    await isExcluded(/level .* disabled/);
    const { text: left } = await machine.run('reg.exe', ['query', POLICY, '/s']);
    expect([left.includes('sha256'), /Fleet +REG_DWORD +0x0/.test(left)]).toEqual([false, true]);
    await add(POLICY, 'Level', 'control');
    await machine.hostRuns(before?.pid);
    // What a user's tokens were good for before is over.
    expect(tokenOf()).not.toBe(given);
    expect((await machine.uiahost('token', 'list')).text).toMatch(/stolen +agent +revoked/);
    await add(`${POLICY}\\Users`, '1', 'S-1-5-21-1-2-3-4');
    await isExcluded(/Users, Groups/);
    // Everyone is a group of each user's token.
    await add(`${POLICY}\\Groups`, '1', 'S-1-1-0');
    const { events } = await machine.hostRuns(before?.pid);
    expect(events.map(({ id }) => id)).toContain(27);
    await machine.run('reg.exe', ['delete', POLICY, '/f']);
    await machine.hostRuns();
  }, 240_000);

  it('[tokens.given] [tokens.commands] a token of the machine’s policy counts in a running host until it is removed there', async () => {
    const made = await machine.uiahost('token', 'make', 'desk', '--operator', '--policy', '--out', 'C:\\desk.json');
    expect(made).toMatchObject({ status: 0 });
    const [, text = ''] = /value (scope=operator; sha256=[0-9a-f]{64})/.exec(made.text) ?? [];
    const { token } = JSON.parse(readFileSync(machine.file('desk.json'), 'utf8')) as { token: string };
    expect(made.text).not.toContain(token);
    await machine.run('reg.exe', ['add', `${POLICY}\\Tokens`, '/v', 'desk', '/d', text, '/f']);
    const {
      sessions: [running],
    } = await machine.hostRuns();
    const statusOf = async (): Promise<number> =>
      (await fetch(`${running?.url}/v1/tokens`, { headers: { authorization: `Bearer ${token}` } })).status;
    await until(statusOf, (status) => status === 200, 60_000);
    expect((await machine.uiahost('token', 'list')).text).toMatch(/desk +desk +operator +valid .*policy/);
    await machine.run('reg.exe', ['delete', POLICY, '/f']);
    await until(statusOf, (status) => status === 401, 60_000);
  }, 240_000);

  it('[service.stop] [service.states] stopping ends the host in order', async () => {
    const {
      sessions: [host],
    } = await machine.hostRuns();
    expect(await machine.uiahost('service', 'stop')).toMatchObject({ status: 0 });
    expect(await isDown(host?.url)).toBe(true);
    expect(existsSync(hostFile())).toBe(false);
    const { state, pid, sessions, events } = await machine.status();
    expect({ state, pid, sessions }).toEqual({ state: 'stopped', pid: null, sessions: [] });
    expect(events).toHaveLength(5);
    expect(events.slice(-2).map(({ id, text }) => [id, text])).toEqual([
      [21, expect.stringMatching(/ended with status 0\.$/)],
      [11, expect.stringContaining('stopped')],
    ]);
    expect(await machine.uiahost('service', 'stop')).toMatchObject({ status: 0, text: 'Nothing to do.\n' });
    const log = readFileSync(machine.file('users/root/AppData/Local/uiahost/logs/host.log'), 'utf8');
    expect(log).toContain('"reason":"the service stops"');
  }, 120_000);

  it('[service.hostile] neither its log nor its events nor its record hold a token', async () => {
    const folder = machine.file('users/root/AppData/Local/uiahost');
    const own = ['status.json', 'service.log']
      .map((name) => readFileSync(machine.file(`ProgramData/uiahost/service/${name}`), 'utf8'))
      .join('\n');
    for (const name of ['agent.token', 'operator.token', 'host.key']) {
      const secret = readFileSync(`${folder}/${name}`, 'utf8').trim();
      expect(secret.length).toBeGreaterThan(20);
      expect(own).not.toContain(secret);
    }
  });

  it('[service.protected] a registration without quotation marks is reported, and install mends it', async () => {
    const { program } = await machine.status();
    await machine.uiahost('service', 'uninstall');
    await machine.run('sc.exe', ['create', 'uiahost', 'binPath=', program?.replaceAll('"', '') ?? '']);
    const { problems, start } = await machine.status();
    expect(problems[0]).toMatch(/not in quotation marks/);
    expect(start).toBe('demand');
    expect(await machine.uiahost('service', 'install')).toMatchObject({
      status: 0,
      text: expect.stringMatching(/now starts this installation/),
    });
    expect(await machine.status()).toMatchObject({ program, start: 'auto', problems: [] });
  }, 120_000);

  it('[service.autostart] autostart makes and removes a logon command, but not where the service does the work', async () => {
    expect(await machine.uiahost('autostart', 'on')).toMatchObject({
      status: 1,
      text: expect.stringContaining('service uiahost is installed'),
    });
    expect(await machine.uiahost('service', 'uninstall')).toMatchObject({ status: 0 });
    expect((await machine.uiahost('autostart', 'status')).text).toMatch(/^Off/);
    for (let round = 0; round < 2; round += 1)
      expect(JSON.parse((await machine.uiahost('autostart', 'on', '--json')).text)).toMatchObject({
        autostart: true,
        command: expect.stringMatching(/^"[^"]+uiahost\.exe" "[^"]+cli\.mjs" start$/),
        service: false,
      });
    const run = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run';
    expect((await machine.run('reg.exe', ['query', run, '/v', 'uiahost'])).text).toContain('cli.mjs');
    for (let round = 0; round < 2; round += 1)
      expect(JSON.parse((await machine.uiahost('autostart', 'off', '--json')).text)).toMatchObject({
        autostart: false,
      });
    expect((await machine.run('reg.exe', ['query', run, '/v', 'uiahost'])).status).not.toBe(0);
  }, 120_000);

  it('uninstalling removes service and event source, and can be repeated', async () => {
    expect((await machine.uiahost('service', 'install')).status).toBe(0);
    expect((await machine.uiahost('service', 'start')).status).toBe(0);
    expect(await machine.uiahost('service', 'uninstall')).toMatchObject({ status: 0 });
    expect(await machine.uiahost('service', 'uninstall')).toMatchObject({ status: 0, text: 'Nothing to do.\n' });
    expect(await machine.status()).toMatchObject({ state: 'not_installed', sessions: [] });
    const { status } = await machine.run('reg.exe', [
      'query',
      'HKLM\\SYSTEM\\CurrentControlSet\\Services\\EventLog\\Application\\uiahost',
    ]);
    expect(status).not.toBe(0);
    expect(existsSync(machine.file('users/root/AppData/Local/uiahost/agent.token'))).toBe(true);
  }, 120_000);
});
