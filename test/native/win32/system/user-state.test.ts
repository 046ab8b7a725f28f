/** What is kept for the user, in the real registry of a Windows disk. */
import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { USER_STATE } from '../../../../src/win32/system/policy-registry.ts';
import { until } from '../../../support/until.ts';

const FOLDER = 'C:\\uiahost test\\Dätä';
const reg = (...args: string[]): unknown => execFileSync('reg.exe', args, { stdio: 'ignore' });
afterEach(() => {
  USER_STATE.writeStop('');
  USER_STATE.writeFolder(FOLDER, '');
});

describe('[stop.user] what holds for the user', () => {
  it('keeps the stop and its release; a value of another kind counts as pressed', () => {
    for (const by of ['overlay:hotkey “ä”', '']) {
      USER_STATE.writeStop(by);
      expect(USER_STATE.readStop()).toBe(by);
    }
    reg('delete', 'HKCU\\Software\\uiahost', '/v', 'Stop', '/f');
    expect(USER_STATE.readStop()).toBeNull();
    reg('add', 'HKCU\\Software\\uiahost', '/v', 'Stop', '/t', 'REG_DWORD', '/d', '0', '/f');
    expect(USER_STATE.readStop()).toBe('unknown');
  });

  it('keeps a text of any length for each directory, whatever way its path is spelled', () => {
    const long = JSON.stringify({ policy: { deny: Array.from({ length: 5000 }, (_, i) => `program-${i}.exe`) } });
    expect(long.length).toBeGreaterThan(65_536);
    USER_STATE.writeFolder(FOLDER, long);
    for (const spelled of [FOLDER, FOLDER.toUpperCase(), `${FOLDER}\\`, 'C:/uiahost test/x/../Dätä'])
      expect(USER_STATE.readFolder(spelled)).toBe(long);
    expect(USER_STATE.readFolder(`${FOLDER}2`)).toBeNull();
  });

  it('reports a change that another process makes', async () => {
    USER_STATE.writeFolder(FOLDER, 'x');
    let seen: string | null = null;
    const unwatch = USER_STATE.watch(() => {
      seen = USER_STATE.readStop();
    });
    reg('add', 'HKCU\\Software\\uiahost', '/v', 'Stop', '/d', 'another host', '/f');
    await until(() => seen === 'another host', 'the change');
    unwatch();
  });
});
