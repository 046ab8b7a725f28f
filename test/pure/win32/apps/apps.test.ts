/** Applications without Windows: shell links, the installed list, and identities. */
import { describe, expect, test } from 'vitest';
import { isDenied } from '../../../../src/contract/gate/app-match.ts';
import { mergePrograms } from '../../../../src/win32/apps/installed.ts';
import { isApplicationUserModelId, packageFamilyTitle } from '../../../../src/win32/system/identity.ts';
import { growFamily } from '../../../../src/win32/system/process.ts';
import { readShellLink } from '../../../../src/win32/apps/installed.ts';
import { iconFile, isUninstaller, type ListedProgram } from '../../../../src/win32/apps/installed.ts';
import { trusteesOf } from '../../../../src/win32/system/acl.ts';
import { descriptor } from '../../../support/descriptors.ts';
import { makeShellLink } from '../shell-link-bytes.ts';
import { phrasesOf } from '../../../support/words.ts';

describe('shell links', () => {
  test('target, arguments and icon are read', () => {
    const link = readShellLink(
      makeShellLink({
        target: 'C:\\Program Files\\Tool\\tool.exe',
        arguments: '--new "a b"',
        workingDirectory: 'C:\\Work',
        iconLocation: '%windir%\\x.ico',
        iconIndex: -3,
      }),
    );
    expect(link).toEqual({
      target: 'C:\\Program Files\\Tool\\tool.exe',
      arguments: '--new "a b"',
      iconLocation: '%windir%\\x.ico',
      iconIndex: -3,
    });
  });

  test('Unicode targets and targets with variables', () => {
    expect(readShellLink(makeShellLink({ target: 'C:\\Größe ’ 日本\\名.exe', unicodePath: true }))?.target).toBe(
      'C:\\Größe ’ 日本\\名.exe',
    );
    expect(
      readShellLink(makeShellLink({ target: 'C:\\old.exe', environmentTarget: '%ProgramFiles%\\new.exe' }))?.target,
    ).toBe('%ProgramFiles%\\new.exe');
    expect(readShellLink(makeShellLink({ arguments: 'x' }))?.target).toBeNull();
  });

  test('bytes that are not a link, or end too early, are none and do not throw', () => {
    const whole = makeShellLink({ target: 'C:\\a.exe', arguments: 'abc', environmentTarget: '%x%\\a.exe' });
    expect(readShellLink(Buffer.alloc(0))).toBeNull();
    expect(
      readShellLink(Buffer.from('not a link at all, but long enough to have the size of a header of one, and more')),
    ).toBeNull();
    for (let length = 0; length < whole.length; length++)
      expect(() => readShellLink(whole.subarray(0, length))).not.toThrow();
    for (let at = 76; at < whole.length; at += 3) {
      const broken = Buffer.from(whole);
      broken[at] = 0xff;
      expect(() => readShellLink(broken)).not.toThrow();
    }
  });
});

describe('the installed list', () => {
  const entry = (executable: string, name: string, more: Partial<ListedProgram> = {}): ListedProgram => ({
    executable,
    name,
    source: 'start-menu',
    hasArguments: false,
    ...more,
  });

  test('entries with the same executable are one row, named by the Start menu', () => {
    const merged = mergePrograms(
      [
        entry('C:\\App\\APP.exe', 'App 3.1.4 (x64)', { source: 'uninstall' }),
        entry('c:\\app\\app.exe', 'App'),
        entry('C:\\App\\app.exe', 'App in safe mode', { hasArguments: true }),
        entry('C:\\Zed\\zed.exe', 'Zed', { source: 'uninstall' }),
      ],
      () => 'unused',
    );
    expect(merged).toEqual([
      { executable: 'c:\\app\\app.exe', name: 'App' },
      { executable: 'C:\\Zed\\zed.exe', name: 'Zed' },
    ]);
  });

  test('a program that is only linked with arguments has its own name', () => {
    expect(
      mergePrograms(
        [entry('C:\\Windows\\cmd.exe', 'Tool prompt', { hasArguments: true })],
        () => 'Windows Command Processor',
      ),
    ).toEqual([{ executable: 'C:\\Windows\\cmd.exe', name: 'Windows Command Processor' }]);
  });

  test('[app.installed] icons of uninstall entries name the program; uninstallers are none', () => {
    expect(iconFile('"C:\\A B\\app.exe",0')).toBe('C:\\A B\\app.exe');
    expect(iconFile('C:\\A B\\app.exe, -101')).toBe('C:\\A B\\app.exe');
    for (const name of ['unins000.exe', 'Uninstall.exe', 'msiexec.exe', 'SETUP.EXE', 'uninst.exe'])
      expect(isUninstaller(`C:\\x\\${name}`)).toBe(true);
    for (const name of ['app.exe', 'unison.exe', 'updater-view.exe', 'setupviewer.exe'])
      expect(isUninstaller(`C:\\x\\${name}`)).toBe(false);
  });
});

test('[app.identity] an AppUserModelID differs from a path and from a name', () => {
  expect(isApplicationUserModelId('Microsoft.WindowsCalculator_8wekyb3d8bbwe!App')).toBe(true);
  for (const text of phrasesOf`
    C:\a_8wekyb3d8bbwe!x\y.exe | Wow! Player | a!b | Microsoft.WindowsCalculator_8wekyb3d8bbwe
  `)
    expect(isApplicationUserModelId(text)).toBe(false);
  expect(packageFamilyTitle('Microsoft.WindowsCalculator_8wekyb3d8bbwe!App')).toBe('Microsoft.WindowsCalculator');
});

test('[capture.deny] entries are paths, file names or identities, in any case', () => {
  const app = { bundleId: 'c:\\vault\\keep.exe', displayName: 'Keep', executable: 'C:\\Vault\\Keep.exe' };
  for (const entry of ['keep.exe', 'KEEP.EXE', 'keep', 'C:\\VAULT\\keep.exe'])
    expect(isDenied(app, [entry])).toBe(true);
  for (const entry of ['eep.exe', '', 'C:\\Vault']) expect(isDenied(app, [entry])).toBe(false);
  expect(isDenied({ bundleId: '', displayName: '', executable: null }, [''])).toBe(false);
  expect(
    isDenied({ bundleId: 'Bank_8wekyb3d8bbwe!App', displayName: 'Bank', executable: null }, ['bank_8wekyb3d8bbwe!app']),
  ).toBe(true);
});

test('a family grows through parents that have ended, and never in circles', () => {
  const family = new Set([10]);
  growFamily(
    family,
    new Map([
      [11, 10],
      [12, 11],
      [20, 1],
      [0, 0],
    ]),
  );
  expect([...family]).toEqual([10, 11, 12]);
  growFamily(
    family,
    new Map([
      [13, 12],
      [20, 21],
      [21, 20],
    ]),
  );
  expect([...family]).toEqual([10, 11, 12, 13]);
});

test('who an access list lets in', () => {
  expect(trusteesOf(descriptor('D:PAI(A;;FA;;;SY)(A;OICI;FA;;;S-1-5-21-1-2-3-1000)(A;;0x1200a9;;;WD)'))).toEqual([
    'S-1-5-18',
    'S-1-5-21-1-2-3-1000',
    'S-1-1-0',
  ]);
  expect(trusteesOf(descriptor('D:'))).toEqual([]);
  expect(trusteesOf(descriptor('D:NO_ACCESS_CONTROL'))).toEqual(['S-1-1-0']);
});
