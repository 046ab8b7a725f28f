/** Group Policy's values in the real registry: every kind is read, access is judged, and changes are noticed. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { advapi32 } from '../../../../native-bindings/win32/advapi32.ts';
import {
  HKEY_CURRENT_USER,
  HKEY_LOCAL_MACHINE,
  KEY_WRITE,
  REG_BINARY,
  REG_MULTI_SZ,
  REG_OPTION_NON_VOLATILE,
} from '../../../../native-bindings/win32/constants.ts';
import { readPolicyRegistry, watchPolicyRegistry } from '../../../../src/win32/system/policy-registry.ts';
import { readDescriptor, untrustedKeyWriters } from '../../../../src/win32/system/descriptor.ts';
import { descriptor } from '../../../support/descriptors.ts';
import { removeRegistryKey, setRegistryValue } from '../../../../src/win32/system/registry.ts';
import { registryPolicy } from '../../../../src/policy/file/registry-policy.ts';

/** A key of its own: a running host of this prefix reads the real one. */
const KEY = `Software\\Policies\\uiahost-test-${process.pid}`;
const CHILDREN = ['Grants', 'Deny', 'Flags'];
const clear = (): void => {
  for (const root of [HKEY_LOCAL_MACHINE, HKEY_CURRENT_USER]) {
    for (const child of CHILDREN) removeRegistryKey(root, `${KEY}\\${child}`);
    removeRegistryKey(root, KEY);
  }
};

function setRaw(root: number, name: string, kind: number, data: Buffer): void {
  const opened = Buffer.alloc(8);
  expect(advapi32.RegCreateKeyExW(root, KEY, 0, null, REG_OPTION_NON_VOLATILE, KEY_WRITE, null, opened, null)).toBe(0);
  const key = Number(opened.readBigInt64LE(0));
  expect(advapi32.RegSetValueExW(key, name, 0, kind, data, data.length)).toBe(0);
  advapi32.RegCloseKey(key);
}

describe('registry of the policy', () => {
  beforeEach(clear);
  afterEach(clear);

  it('reads both hives as they are, with values of every kind', () => {
    expect(readPolicyRegistry(KEY)).toEqual({ machine: null, user: null, writable: { machine: null, user: null } });
    setRegistryValue(HKEY_LOCAL_MACHINE, KEY, 'Level', 'observe');
    setRegistryValue(HKEY_LOCAL_MACHINE, KEY, 'KeepPictures', 0);
    setRegistryValue(HKEY_LOCAL_MACHINE, `${KEY}\\Grants`, '%windir%\\notepad.exe', 'click');
    setRegistryValue(HKEY_CURRENT_USER, `${KEY}\\Deny`, '1', '%windir%\\a.exe', true);
    const found = readPolicyRegistry(KEY);
    expect(found.machine).toMatchObject({
      name: `HKEY_LOCAL_MACHINE\\${KEY}`,
      keys: [{ name: 'Grants', entries: [{ name: '%windir%\\notepad.exe', kind: 'REG_SZ', value: 'click' }] }],
      unreadable: null,
    });
    expect(found.machine?.entries).toEqual(
      expect.arrayContaining([
        { name: 'Level', kind: 'REG_SZ', value: 'observe' },
        { name: 'KeepPictures', kind: 'REG_DWORD', value: 0 },
      ]),
    );
    expect(found.user?.keys[0]?.entries[0]).toMatchObject({ kind: 'REG_EXPAND_SZ', value: 'C:\\windows\\a.exe' });
    const { layers, refused } = registryPolicy(found);
    expect(refused).toEqual([]);
    expect(layers.map(({ policy }) => policy)).toEqual([
      { level: 'observe', keepPictures: false, grants: [{ app: '%windir%\\notepad.exe', tier: 'click' }] },
      { deny: ['C:\\windows\\a.exe'] },
    ]);
  });

  it('[policy.registry.refused] a value of another kind is read as such, and named', () => {
    setRaw(HKEY_LOCAL_MACHINE, 'Level', REG_BINARY, Buffer.from([1, 2, 3]));
    setRaw(HKEY_LOCAL_MACHINE, 'Port', REG_MULTI_SZ, Buffer.from('7423\0\0', 'utf16le'));
    const { refused } = registryPolicy(readPolicyRegistry(KEY));
    expect(refused.map(({ file, problems }) => `${file}: ${problems[0]?.reason}`)).toEqual([
      `HKEY_LOCAL_MACHINE\\${KEY}\\Level: expected a text (REG_SZ), found REG_BINARY.`,
      `HKEY_LOCAL_MACHINE\\${KEY}\\Port: expected a number (REG_DWORD), found REG_MULTI_SZ.`,
    ]);
  });

  it('[policy.registry.trust] a key that others than administrators can write is recognised by its access list', () => {
    const others = (sddl: string): string[] =>
      untrustedKeyWriters(readDescriptor(descriptor(sddl)), new Set(['S-1-5-18', 'S-1-5-32-544']));
    // As Windows makes Software\Policies: users read it.
    expect(others('O:BAD:P(A;CI;KR;;;AU)(A;CI;KA;;;BA)(A;CI;KA;;;SY)')).toEqual([]);
    expect(others('O:BAD:P(A;CI;0x20019;;;BU)(A;CI;KA;;;BA)')).toEqual([]);
    expect(others('O:BAD:P(A;CI;KA;;;S-1-5-21-1-2-3-1000)')).toEqual(['S-1-5-21-1-2-3-1000']);
    expect(others('O:BAD:P(A;CI;KW;;;BU)')).toEqual(['S-1-5-32-545']);
    expect(others('O:S-1-5-21-1-2-3-1000D:P(A;CI;KA;;;BA)')).toEqual(['S-1-5-21-1-2-3-1000']);
    expect(others('O:BA')).toEqual(['S-1-1-0']);
    setRegistryValue(HKEY_CURRENT_USER, KEY, 'Level', 'full');
    const { user } = readPolicyRegistry(KEY).writable;
    expect(user === null || user.startsWith(`HKEY_CURRENT_USER\\${KEY}: `)).toBe(true);
  });

  it('notices a new key, a changed value and a removed key, in both hives', { timeout: 60_000 }, async () => {
    let changes = 0;
    const stop = watchPolicyRegistry(KEY, () => {
      changes += 1;
    });
    try {
      let seen = 0;
      const next = async (work: () => void): Promise<void> => {
        seen = changes;
        work();
        await expect.poll(() => changes, { timeout: 15_000 }).toBeGreaterThan(seen);
      };
      await next(() => setRegistryValue(HKEY_LOCAL_MACHINE, KEY, 'Level', 'observe'));
      await next(() => setRegistryValue(HKEY_LOCAL_MACHINE, KEY, 'Level', 'control'));
      await next(() => setRegistryValue(HKEY_CURRENT_USER, `${KEY}\\Deny`, '1', 'a.exe'));
      await next(() => removeRegistryKey(HKEY_CURRENT_USER, `${KEY}\\Deny`));
    } finally {
      stop();
    }
  });
});
