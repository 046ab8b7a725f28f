/** What the doctor makes of the machine's facts, by recorded ones. */
import { NO_FLAWS } from '../../../src/contract/gate/policy-sources.ts';
import { describe, expect, test } from 'vitest';
import { judgeMachineFacts } from '../../../src/inspection/findings.ts';
import type { MachineFacts } from '../../../src/inspection/facts.ts';

const WELL: MachineFacts = {
  version: '1.0.0',
  node: 'v24.0.0',
  dataDirectory: 'C:\\Users\\x\\AppData\\Local\\uiahost',
  host: null,
  lock: null,
  sessionHolder: null,
  port: { port: 7423, pid: null, program: null },
  unsafe: [],
  machineFolder: { path: 'C:\\ProgramData\\uiahost', why: null },
  policy: NO_FLAWS,
  signatures: [],
  appControl: { programs: 'off', smart: 'off' },
  now: '2026-03-01T12:00:00.000Z',
  newestFile: '2026-03-01T11:59:00.000Z',
  freeBytes: 50_000_000_000,
  audit: { ok: true, records: 3, head: 'a', firstBad: null, sealsCheckedFrom: 1, completeFrom: 1, unchecked: [] },
  service: {
    state: 'running',
    pid: 1,
    program: '"x" run',
    account: 'LocalSystem',
    start: 'auto',
    sessions: [],
    events: [],
    problems: [],
  },
  autostart: null,
  remoteTools: [],
};
const service = WELL.service as Exclude<MachineFacts['service'], { unreadable: string }>;
const failing = {
  session: 2,
  user: 'x',
  state: 'waiting',
  pid: null,
  url: null,
  since: null,
  restarts: 7,
  why: null,
} as const;
const host = { pid: 5, port: 7423, version: '1.0.0' };

describe('machine', () => {
  test.each<[string, Partial<MachineFacts>, Array<[code: string, severity: string]>]>([
    ['a well machine', {}, []],
    ['a host file of an ended host', { host: { ...host, isAlive: false } }, [['stale_host_file', 'info']]],
    ['a lock of an ended host', { lock: { pid: 5, isAlive: false } }, [['stale_lock', 'info']]],
    ['another host in the session', { sessionHolder: 'Process 7 is the host.' }, [['session_held', 'blocks']]],
    ['a taken port', { port: { port: 7423, pid: 9, program: 'C:\\a.exe' } }, [['port_taken', 'blocks']]],
    ['data that others can read', { unsafe: ['x: S-1-1-0 can read it'] }, [['data_not_private', 'blocks']]],
    ['a machine folder of others', { machineFolder: { path: 'x', why: 'y' } }, [['machine_folder_writable', 'limits']]],
    [
      'a machine policy of others',
      { policy: { ...NO_FLAWS, disbelieved: 'y' } },
      [['machine_policy_writable', 'limits']],
    ],
    ['a bad registry value', { policy: { ...NO_FLAWS, refused: ['HKLM\\x'] } }, [['policy_refused', 'blocks']]],
    [
      'a writable registry key',
      { policy: { ...NO_FLAWS, writableKeys: ['x'] } },
      [['registry_policy_writable', 'info']],
    ],
    [
      'a changed file',
      { signatures: [{ file: 'C:\\x\\node.exe', signature: { state: 'bad', error: '0x80096010' } }] },
      [['signature_bad', 'limits']],
    ],
    [
      'a build that was not signed',
      { signatures: [{ file: 'C:\\x\\uiahost.exe', signature: { state: 'unsigned' } }] },
      [['unsigned_program', 'info']],
    ],
    [
      'own parts that are not signed',
      { signatures: [{ file: 'C:\\x\\koffi.node', signature: { state: 'unsigned' } }] },
      [],
    ],
    ['Smart App Control', { appControl: { programs: 'enforced', smart: 'enforced' } }, [['smart_app_control', 'info']]],
    ['Smart App Control that evaluates', { appControl: { programs: 'audited', smart: 'audited' } }, []],
    [
      'a WDAC policy, and files without a signature',
      {
        appControl: { programs: 'enforced', smart: 'unknown' },
        signatures: [{ file: 'C:\\x\\koffi.node', signature: { state: 'unsigned' } }],
      },
      [['app_control', 'limits']],
    ],
    ['a clock that went back', { newestFile: '2026-03-01T13:00:00.000Z' }, [['clock_behind', 'limits']]],
    ['a disk that fills', { freeBytes: 100_000_000 }, [['disk_low', 'limits']]],
    ['a full disk', { freeBytes: 1000 }, [['disk_low', 'blocks']]],
    [
      'a damaged audit',
      { audit: { ...WELL.audit!, ok: false, firstBad: { seq: 2, reason: 'hash' } } },
      [['audit_damaged', 'limits']],
    ],
    ['a stopped service', { service: { ...service, state: 'stopped' } }, [['service_stopped', 'blocks']]],
    ['no service', { service: { ...service, state: 'not_installed' } }, []],
    ['a service that cannot be asked', { service: { unreadable: 'x' } }, [['service_unreadable', 'info']]],
    [
      'a wrong registration',
      { service: { ...service, problems: ['It is disabled.'] } },
      [['service_registration', 'limits']],
    ],
    ['a host that keeps ending', { service: { ...service, sessions: [failing] } }, [['host_failing', 'blocks']]],
    ['a sign-in entry to nothing', { autostart: { command: 'x', isThere: false } }, [['autostart_broken', 'limits']]],
    ['remote control', { remoteTools: ['AnyDesk.exe'] }, [['remote_tools', 'info']]],
  ])('[doctor.machine] %s', (_name, change, expected) => {
    const findings = judgeMachineFacts({ ...WELL, ...change }, false);
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual(expected);
    for (const { message, cure } of findings)
      expect([message, cure].every((text) => /^\S.*[.)x\\w]$/s.test(text))).toBe(true);
  });

  test('[doctor.machine] a port and a session that the running host itself holds are no problem; its version may be', () => {
    const facts = {
      ...WELL,
      host: { ...host, isAlive: true },
      sessionHolder: 'x',
      port: { port: 7423, pid: 5, program: 'node.exe' },
    };
    expect(judgeMachineFacts(facts, true)).toEqual([]);
    expect(judgeMachineFacts({ ...facts, host: { ...facts.host, version: '0.9.0' } }, true)).toMatchObject([
      { code: 'version_mismatch', severity: 'limits' },
    ]);
    expect(judgeMachineFacts({ ...WELL, service: { ...service, state: 'stopped' } }, true)).toMatchObject([
      { code: 'service_stopped', severity: 'limits' },
    ]);
  });
});
