/** Settings from the environment: taken as meant, or refused by the name of the variable. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { dataDirectoryOf } from '../../../../src/client/locate.ts';
import { readConfig } from '../../../../src/host/home/config.ts';

const folder = mkdtempSync(join(tmpdir(), 'uiahost-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const read = (more: Record<string, string> = {}) => readConfig({ UIAHOST_DATA_DIR: folder, ...more });

describe('[trust.environment] an installed host and its environment', () => {
  const given = {
    UIAHOST_LEVEL: 'full',
    UIAHOST_AGENT_TOKEN: 'agent-of-the-test-32-characters-long',
    UIAHOST_OPERATOR_TOKEN: 'operator-of-the-test-32-characters-long',
    UIAHOST_DEMO_APPS: 'chrome.exe',
  };

  test('takes neither tokens nor a level nor grants from it, and names what it ignored', () => {
    const machine = { UIAHOST_DATA_DIR: folder, ...given };
    expect(readConfig(machine, { machine, dataDirectory: folder })).toMatchObject({
      level: undefined,
      agentToken: undefined,
      operatorToken: undefined,
      demoApps: [],
      ignored: expect.arrayContaining(Object.keys(given)),
    });
    expect(read(given)).toMatchObject({
      level: 'full',
      agentToken: 'agent-of-the-test-32-characters-long',
      operatorToken: 'operator-of-the-test-32-characters-long',
      demoApps: ['chrome.exe'],
      ignored: [],
    });
  });

  test('a token that can be guessed is refused', () => {
    for (const token of ['a', '1234567', 'x'.repeat(31)])
      expect(() => read({ UIAHOST_OPERATOR_TOKEN: token })).toThrow(
        expect.objectContaining({
          code: 'invalid_argument',
          message: expect.stringContaining('UIAHOST_OPERATOR_TOKEN'),
        }),
      );
    expect(read({ UIAHOST_OPERATOR_TOKEN: 'x'.repeat(32) }).operatorToken).toBe('x'.repeat(32));
  });
});

describe('[settings.absolute] a data directory', () => {
  const WINDOWS = ['data', '.\\data', '..\\data', '\\data', '/data', 'C:data', 'C:', ' x'];
  const LINUX = ['data', './data', '../data', 'C:\\data', '~/data'];

  test.for([...WINDOWS.map((path) => [path, 'win32'] as const), ...LINUX.map((path) => [path, 'linux'] as const)])(
    'that is relative is refused: %s on %s',
    ([given, platform]) => {
      for (const installed of [null, { machine: { UIAHOST_DATA_DIR: given }, dataDirectory: 'C:\\own' }])
        expect(() => readConfig({ UIAHOST_DATA_DIR: given }, installed, platform)).toThrow(
          expect.objectContaining({ code: 'invalid_argument', message: expect.stringContaining('absolute') }),
        );
      expect(() => dataDirectoryOf({ UIAHOST_DATA_DIR: given, INIT_CWD: folder }, platform)).toThrow(/absolute/);
    },
  );

  test.for([
    ['C:\\data', 'win32'],
    ['z:/data', 'win32'],
    ['\\\\machine\\share\\data', 'win32'],
    ['/data', 'linux'],
  ] as const)('is any full path: %s on %s', ([given, platform]) => {
    expect(readConfig({ UIAHOST_DATA_DIR: given }, null, platform).dataDirectory).toBe(given);
    expect(dataDirectoryOf({ UIAHOST_DATA_DIR: given }, platform)).toBe(given);
  });
});

describe('an address that other machines reach', () => {
  test('by default it is loopback, without TLS', () => {
    expect(read()).toMatchObject({
      address: '127.0.0.1',
      port: 7423,
      tls: undefined,
      allowRemote: false,
      allowedHosts: [],
    });
  });

  test('each part of it has its own variable', () => {
    expect(
      read({
        UIAHOST_ADDRESS: '0.0.0.0',
        UIAHOST_TLS_KEY: 'k.pem',
        UIAHOST_TLS_CERT: 'c.pem',
        UIAHOST_ALLOW_REMOTE: '1',
        UIAHOST_ALLOWED_HOSTS: 'desk.example, desk',
      }),
    ).toMatchObject({
      address: '0.0.0.0',
      tls: { keyFile: 'k.pem', certificateFile: 'c.pem' },
      allowRemote: true,
      allowedHosts: ['desk.example', 'desk'],
    });
  });

  test.for([
    [{ UIAHOST_ADDRESS: 'desk.example' }, 'UIAHOST_ADDRESS'],
    [{ UIAHOST_TLS_KEY: 'k.pem' }, 'UIAHOST_TLS_CERT'],
    [{ UIAHOST_TLS_CERT: 'c.pem' }, 'UIAHOST_TLS_KEY'],
    [{ UIAHOST_ALLOW_REMOTE: 'maybe' }, 'UIAHOST_ALLOW_REMOTE'],
    [{ UIAHOST_PORT: '65536' }, 'UIAHOST_PORT'],
  ] as const)('%o is refused', ([env, name]) => {
    expect(() => read(env)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', message: expect.stringContaining(name) }),
    );
  });
});
