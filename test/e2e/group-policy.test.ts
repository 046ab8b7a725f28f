/** Group Policy and the doctor on a Windows machine of its own: real registry, real service manager, the command as installed. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DoctorFinding } from '../../src/contract/process/doctor.ts';
import type { PolicySources } from '../../src/contract/gate/policy-sources.ts';
import { ServiceMachine } from '../support/service-machine.ts';
import { until } from '../support/until.ts';
import { startWitness } from '../support/witness.ts';

const KEY = 'HKLM\\Software\\Policies\\uiahost';
const RUN = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run';

let machine: ServiceMachine;
beforeAll(async () => {
  machine = await ServiceMachine.start();
}, 120_000);
afterAll(() => machine?.[Symbol.asyncDispose]());

const reg = (...words: string[]) => machine.run('reg.exe', words);
const set = (key: string, name: string, type: string, data: string) =>
  reg('add', key, '/v', name, '/t', type, '/d', data, '/f');
const sources = async (): Promise<PolicySources> =>
  JSON.parse((await machine.uiahost('policy', 'show', '--sources', '--json')).text) as PolicySources;
const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';
const findings = async (
  ...words: string[]
): Promise<{ status: number | null; doctor: DoctorFinding[]; fixed?: Array<{ code: string; done: boolean }> }> => {
  const { status, text } = await machine.uiahost('doctor', '--json', ...words);
  return { status, ...(JSON.parse(lastLine(text)) as { doctor: DoctorFinding[] }) };
};
const data = (name: string): string => machine.file(`users/root/AppData/Local/uiahost/${name}`);

describe('without a host', () => {
  it('[policy.sources] shows the policy that a host would have, from both hives', async () => {
    await set(KEY, 'Level', 'REG_SZ', 'observe');
    await set('HKCU\\Software\\Policies\\uiahost\\Deny', '1', 'REG_SZ', 'bank.exe');
    const { settings } = await sources();
    expect(settings.find(({ setting }) => setting === 'level')).toMatchObject({
      value: 'observe',
      layer: 'registry_machine',
      place: 'HKEY_LOCAL_MACHINE\\Software\\Policies\\uiahost\\Level',
    });
    expect(settings.find(({ setting }) => setting === 'deny')).toMatchObject({
      value: ['bank.exe'],
      layer: 'registry_user',
    });
  }, 120_000);

  it('[doctor.status] [doctor.fix] reports that no host runs, and makes safe repairs, once', async () => {
    mkdirSync(dirname(data('x')), { recursive: true });
    writeFileSync(data('host.lock'), '{"pid": 999999, "processCreated": "1", "startedAt": "2026-01-01T00:00:00Z"}');
    writeFileSync(data('policy.json'), '{"level": "control"}');
    await set(RUN, 'uiahost', 'REG_SZ', '"C:\\gone\\node.exe" "C:\\gone\\cli.mjs" start');
    const before = await findings();
    expect(before.status).toBe(1);
    expect(before.doctor.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['host_not_running', 'stale_lock', 'autostart_broken']),
    );
    for (const finding of before.doctor)
      expect(finding).toEqual({
        code: expect.stringMatching(/^[a-z0-9_]+$/),
        severity: expect.stringMatching(/^(blocks|limits|info)$/),
        message: expect.stringMatching(/\S/),
        cure: expect.stringMatching(/\S/),
      });
    const { fixed, doctor } = await findings('--fix');
    expect(fixed).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ code: 'stale_lock', done: true }),
        expect.objectContaining({ code: 'autostart_broken', done: true }),
      ]),
    );
    expect(doctor.map(({ code }) => code)).not.toContain('autostart_broken');
    expect([existsSync(data('host.lock')), existsSync(data('policy.json'))]).toEqual([false, true]);
    expect((await findings('--fix')).fixed?.filter(({ code }) => code !== 'data_not_private')).toEqual([]);
  }, 240_000);

  it('[policy.registry.refused] a host does not start with a value that it does not understand, and names it', async () => {
    await set(KEY, 'Level', 'REG_DWORD', '1');
    const { doctor } = await findings();
    expect(doctor.find(({ code }) => code === 'policy_refused')).toMatchObject({
      severity: 'blocks',
      message: expect.stringContaining('HKEY_LOCAL_MACHINE\\Software\\Policies\\uiahost\\Level'),
    });
    const started = await machine.uiahost('start');
    expect(started.status).toBe(1);
    expect(started.text).toContain(
      'HKEY_LOCAL_MACHINE\\Software\\Policies\\uiahost\\Level: error: expected a text (REG_SZ), found REG_DWORD.',
    );
    await set(KEY, 'Level', 'REG_SZ', 'observe');
  }, 240_000);
});

describe('with a host', () => {
  it('[policy.registry.narrowing] [policy.registry.changes] the registry narrows a running host, and its changes apply', async () => {
    await set(KEY, 'Port', 'REG_DWORD', '7555');
    expect(await machine.uiahost('start')).toMatchObject({ status: 0, text: expect.stringContaining(':7555') });
    const levelNow = async (): Promise<string> =>
      (JSON.parse((await machine.uiahost('policy', 'show', '--json')).text) as { level: string }).level;
    expect(await levelNow()).toBe('observe');
    const { settings } = await sources();
    expect(settings.find(({ setting }) => setting === 'port')).toMatchObject({
      value: 7555,
      layer: 'registry_machine',
    });
    await set(KEY, 'Level', 'REG_SZ', 'disabled');
    await expect.poll(levelNow, { timeout: 60_000, interval: 2000 }).toBe('disabled');
    const { status, doctor } = await findings();
    expect(doctor.map(({ code }) => code)).not.toContain('host_not_running');
    expect(status).toBe(doctor.some(({ severity }) => severity === 'blocks') ? 1 : 0);
  }, 240_000);

  it('starts one as soon as the host that ends has left its place', async () => {
    expect(await machine.uiahost('stop-host')).toMatchObject({ status: 0 });
    const { text } = await machine.run('tasklist.exe', ['/fo', 'csv', '/nh']);
    const [, pid] = /"services\.exe","(\d+)"/i.exec(text) ?? [];
    writeFileSync(data('host.lock'), JSON.stringify({ pid: Number(pid) }));
    const starting = machine.uiahost('start');
    await until(
      () => readFileSync(data('start.log'), 'utf8'),
      (log) => log.includes(`Process ${pid} has been the host here`),
    );
    rmSync(data('host.lock'));
    expect(await starting).toMatchObject({ status: 0 });
  }, 120_000);

  it('[icon.hidden] has no icon in the notification area where the policy takes it away', async () => {
    await using witness = startWitness(machine.desktop);
    const icon = () => witness.named('uiahost-icon-');
    expect(await machine.uiahost('stop-host')).toMatchObject({ status: 0 });
    for (const isThere of [false, true]) {
      await set(KEY, 'NotificationIcon', 'REG_DWORD', isThere ? '1' : '0');
      expect(await machine.uiahost('start')).toMatchObject({ status: 0 });
      if (isThere) await until(icon, 'the icon');
      else await sleep(3000);
      expect((await icon()) !== null).toBe(isThere);
      if (!isThere) expect(await machine.uiahost('stop-host')).toMatchObject({ status: 0 });
    }
  }, 240_000);

  it('[support.bundle] gathers the machine’s part too', async () => {
    const { status, text } = await machine.uiahost('support-bundle', 'C:\\support.zip');
    expect([status, text]).toEqual([0, expect.stringContaining('machine.json')]);
    expect(existsSync(machine.file('support.zip'))).toBe(true);
  }, 120_000);
});
