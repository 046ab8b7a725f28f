/** One table of variables: every command follows it, and none drops one silently. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { hostCommand, settingsHelp } from '../../../../scripts/lib/host.mjs';
import { windowsPath } from '../../../../scripts/lib/places.mjs';
import { hostEnvironment, settingNotes } from '../../../../src/cli/start.ts';
import {
  HOST_SETTINGS,
  passedSettings,
  SETTINGS,
  type HostSetting,
  type SettingName,
} from '../../../../src/contract/process/settings.ts';
import { readConfig } from '../../../../src/host/home/config.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
/** A full path on each system. */
const OTHER = resolve('/other');
/** What only npm start sets. */
const ofNpmStart: SettingName[] = ['UIAHOST_DEMO_APPS', 'UIAHOST_NPM_START'];
/** A value for each that means something else than none. */
const VALUES: Record<HostSetting, string> = {
  UIAHOST_DATA_DIR: resolve('/data'),
  UIAHOST_PORT: '7000',
  UIAHOST_LEVEL: 'observe',
  UIAHOST_AGENT_TOKEN: 'agent-of-the-test-32-characters-long',
  UIAHOST_OPERATOR_TOKEN: 'operator-of-the-test-32-characters-long',
  UIAHOST_ADDRESS: '0.0.0.0',
  UIAHOST_TLS_KEY: 'k.pem',
  UIAHOST_TLS_CERT: 'c.pem',
  UIAHOST_ALLOW_REMOTE: '1',
  UIAHOST_ALLOWED_HOSTS: 'desk',
  UIAHOST_OTLP_URL: 'http://127.0.0.1:4318',
  UIAHOST_OTLP_HEADERS: 'a=b',
  UIAHOST_OTLP_TITLES: '1',
  UIAHOST_DEMO_APPS: 'C:\\a.exe',
  UIAHOST_NPM_START: '1',
};
afterEach(() => vi.unstubAllEnvs());

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('every variable is in the table', () => {
  test('no source, script or document names another', () => {
    const files = [
      ...['src', 'scripts', 'bin', 'docs'].flatMap(filesBelow),
      join(root, 'README.md'),
      join(root, 'CONTRIBUTING.md'),
    ];
    const named = new Set(
      files.flatMap((file) => readFileSync(file, 'utf8').match(/\bUIAHOST_[A-Z][A-Z_]*[A-Z]\b/g) ?? []),
    );
    expect([...named].filter((name) => !(name in SETTINGS))).toEqual([]);
  });

  test('the host reads each of its own', () => {
    const plain = JSON.stringify(readConfig({ UIAHOST_DATA_DIR: OTHER }));
    for (const name of HOST_SETTINGS) {
      const pair = name.startsWith('UIAHOST_TLS_')
        ? { UIAHOST_TLS_KEY: 'k.pem', UIAHOST_TLS_CERT: 'c.pem' }
        : name.startsWith('UIAHOST_OTLP_')
          ? { UIAHOST_OTLP_URL: 'http://127.0.0.1:4318' }
          : {};
      expect(JSON.stringify(readConfig({ UIAHOST_DATA_DIR: OTHER, ...pair, [name]: VALUES[name] })), name).not.toBe(
        plain,
      );
    }
  });

  test('an installed host takes nothing from its environment, of the machine’s what the table allows, and names the others', () => {
    const installation = { machine: {}, dataDirectory: '/own' };
    const { ignored, unknown, ...plain } = readConfig(VALUES, installation);
    expect(plain).toEqual((({ ignored: _i, unknown: _u, ...rest }) => rest)(readConfig({}, installation)));
    expect(plain.dataDirectory).toBe('/own');
    expect([ignored, unknown]).toEqual([HOST_SETTINGS, []]);
    const machine = { ...VALUES, UIAHOST_DATA_DIR: OTHER };
    const { ignored: left, ...taken } = readConfig(machine, { ...installation, machine });
    expect(left).toEqual(HOST_SETTINGS.filter((name) => SETTINGS[name].where === 'checkout'));
    expect(taken).toMatchObject({
      dataDirectory: OTHER,
      address: '0.0.0.0',
      port: 7000,
      allowRemote: true,
      level: undefined,
      agentToken: undefined,
      operatorToken: undefined,
      demoApps: [],
    });
  });

  test('help and docs/configuration.md name each that a person may set', () => {
    const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
    for (const name of HOST_SETTINGS.filter((each) => passedSettings('typed').includes(each))) {
      expect(settingsHelp()).toContain(name);
      expect(page).toContain(`| \`${name}\` |`);
    }
  });
});

describe('each starter of a host passes on the settings that it may', () => {
  test('a person’s command: everything but the settings of npm start; paths relative to the current folder', () => {
    const passed = hostEnvironment({ ...VALUES, INIT_CWD: '/home/a' }, 'typed');
    expect(Object.keys(passed).sort()).toEqual(HOST_SETTINGS.filter((name) => !ofNpmStart.includes(name)).sort());
    expect(passed).toMatchObject({
      UIAHOST_ADDRESS: '0.0.0.0',
      UIAHOST_ALLOW_REMOTE: '1',
      UIAHOST_TLS_KEY: resolve('/home/a', 'k.pem'),
    });
  });

  test('the bridge: which host, and no more', () => {
    expect(Object.keys(hostEnvironment(VALUES, 'bridge')).sort()).toEqual(['UIAHOST_DATA_DIR', 'UIAHOST_PORT']);
  });

  test('npm start: the same as a person’s command, with paths as Windows has them', () => {
    for (const [name, value] of Object.entries(VALUES)) vi.stubEnv(name, value);
    vi.stubEnv('INIT_CWD', root);
    const { env } = hostCommand({ dataDir: root, windowsTree: root });
    expect(Object.keys(env).sort()).toEqual(HOST_SETTINGS.filter((name) => !ofNpmStart.includes(name)).sort());
    expect(env).toMatchObject({
      UIAHOST_TLS_CERT: windowsPath(join(root, 'c.pem')),
      UIAHOST_DATA_DIR: windowsPath(root),
      UIAHOST_ALLOWED_HOSTS: 'desk',
    });
  });
});

test('names the variables that do not reach the host: by the bridge, by a command that finds the host running, and of a name that is mistyped', () => {
  expect(settingNotes(VALUES, 'typed', false)).toEqual([
    expect.stringMatching(/UIAHOST_DEMO_APPS, UIAHOST_NPM_START\. Only node scripts\/start\.mjs/),
  ]);
  expect(settingNotes({ UIAHOST_LEVEL: 'full', UIAHOST_PORT: '0' }, 'bridge', false)).toEqual([
    expect.stringMatching(/not passed on to the host: UIAHOST_LEVEL\./),
  ]);
  expect(settingNotes({ UIAHOST_LEVEL: 'full', UIAHOST_ADDRESS: '::' }, 'typed', true)).toEqual([
    expect.stringMatching(/already running.*UIAHOST_LEVEL, UIAHOST_ADDRESS/),
  ]);
  expect(settingNotes({ UIAHOST_ADRESS: '0.0.0.0' }, 'typed', false)).toEqual([
    'unknown setting UIAHOST_ADRESS. Did you mean UIAHOST_ADDRESS?',
  ]);
  expect(settingNotes({ UIAHOST_PORT: '0' }, 'typed', true)).toEqual([]);
  expect(readConfig({ UIAHOST_DATA_DIR: OTHER, UIAHOST_ADRESS: 'x' }).unknown).toEqual(['UIAHOST_ADRESS']);
});
