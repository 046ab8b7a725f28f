/** What the registration writes to the registry: a service's variables, which the machine's environment must not decide. */
import { execFileSync } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { HKEY_LOCAL_MACHINE } from '../../../../native-bindings/win32/constants.ts';
import { keepNodeAsItIs } from '../../../../src/win32/services/service-manager.ts';
import { removeRegistryKey } from '../../../../src/win32/system/registry.ts';

const NAME = 'uiahost-registration-test';
const KEY = `SYSTEM\\CurrentControlSet\\Services\\${NAME}`;
afterEach(() => removeRegistryKey(HKEY_LOCAL_MACHINE, KEY));

test('variables that make Node load code are empty for the service, and Node runs with them', () => {
  keepNodeAsItIs(NAME);
  keepNodeAsItIs(NAME);
  const text = execFileSync('reg.exe', ['query', `HKLM\\${KEY}`, '/v', 'Environment'], { encoding: 'utf8' });
  const value = /Environment\s+REG_MULTI_SZ\s+(\S+)/.exec(text)?.[1] ?? '';
  const entries = value.split('\\0').filter((entry) => entry !== '');
  expect(entries).toEqual(
    expect.arrayContaining(['NODE_OPTIONS=', 'NODE_PATH=', 'NODE_COMPILE_CACHE=', 'OPENSSL_CONF=']),
  );
  expect(entries.every((entry) => /^[A-Z0-9_]+=$/.test(entry))).toBe(true);
  const empty = Object.fromEntries(entries.map((entry) => [entry.slice(0, -1), '']));
  // Under Wine, standard streams need a preload; this child uses none.
  expect(() =>
    execFileSync(process.execPath, ['-e', 'process.exitCode = 0'], {
      env: { ...process.env, ...empty },
      stdio: 'ignore',
    }),
  ).not.toThrow();
});
