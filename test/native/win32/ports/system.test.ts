/** The port of session facts, and the guards of files and credentials, on a real system. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { HKEY_CURRENT_USER } from '../../../../native-bindings/win32/constants.ts';
import { INPUT } from '../../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { SessionFacts } from '../../../../src/contract/process/doctor.ts';
import { noteInjected, personIdleMs } from '../../../../src/win32/windows/person.ts';
import { SYSTEM } from '../../../../src/win32/system/descriptor.ts';
import { descriptorOf, ownUserSid, restrictToUser, trusteesOf } from '../../../../src/win32/system/acl.ts';
import {
  deleteCredential,
  listCredentials,
  readCredential,
  writeCredential,
} from '../../../../src/win32/system/credentials.ts';
import { ownIntegrity } from '../../../../src/win32/system/process.ts';
import { RegistryKey } from '../../../../src/win32/system/registry.ts';
import { createPorts } from '../support/ports.ts';
import { Fixture, newCall, hangs } from '../support/programs.ts';

const { binding, system } = createPorts();

describe('the session', () => {
  test('is an ordinary session that can be used', async () => {
    const facts = await system.facts(null, newCall());
    expect(SessionFacts.parse(facts)).toEqual(facts);
    expect(facts).toMatchObject({
      inputDesktop: 'Default',
      isLocked: false,
      isConnected: true,
      displays: user32.GetSystemMetrics(80),
      target: null,
    });
    expect(facts.sessionId).toBeGreaterThan(0);
    expect(facts.ownIntegrity).toBe(ownIntegrity().level);
  });

  test('a target is described, and whether it hangs, without waiting long for it', async () => {
    await using fixture = await Fixture.start('sentinel', ['--title', 'Looked at']);
    const record = await binding.find({ hwnd: String(fixture.hwnd) }, newCall());
    expect((await system.facts(record, newCall())).target).toEqual({
      isHung: false,
      integrity: record.integrity,
      title: 'Looked at',
    });
    await fixture.tell('hang 30000');
    expect((await system.facts(record, newCall())).target).toMatchObject({ isHung: true });
    expect(await hangs(fixture.hwnd)).toBe(true);
    expect((await system.facts({ ...record, processCreated: '1' }, newCall())).target).toBeNull();
  });

  test('capabilities are plain facts found by asking', async () => {
    const found = await system.capabilities(newCall());
    expect(found['windowsVersion']).toMatch(/^10\.0\.\d+$/);
    expect(found['perMonitorDpi']).toBe(true);
    for (const value of Object.values(found)) expect(['boolean', 'string']).toContain(typeof value);
  });

  test('input from elsewhere is a person’s, and stays so when ours follows', async () => {
    const turnWheel = (): void => {
      const wheel = INPUT.alloc({ type: 0, mi: { dwFlags: 0x0800, mouseData: 120 } });
      expect(user32.SendInput(1, wheel, INPUT.size)).toBe(1);
    };
    // What was done before this test is long enough ago, and what counts as ours is over.
    const rest = (): Promise<void> =>
      new Promise((resolve) => {
        setTimeout(resolve, 250);
      });
    await rest();
    turnWheel();
    noteInjected();
    expect(personIdleMs()).toBeGreaterThan(200);
    await rest();
    turnWheel();
    expect(personIdleMs()).toBeLessThan(5000);
    noteInjected();
    expect(personIdleMs()).toBeLessThan(5000);
  });
});

describe('files with secrets', () => {
  test('file and folder are left to the user and the system, and stay usable', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'uiahost-acl-'));
    try {
      const file = path.join(folder, 'token');
      writeFileSync(file, 'secret');
      expect(ownUserSid()).toMatch(/^S-1-5-/);
      for (const place of [file, folder]) {
        restrictToUser(place);
        const trustees = trusteesOf(descriptorOf(place));
        expect(trustees.length).toBeGreaterThan(0);
        expect(trustees.filter((sid) => sid !== SYSTEM && sid !== ownUserSid())).toEqual([]);
        restrictToUser(place);
        expect(trusteesOf(descriptorOf(place))).toEqual(trustees);
      }
      expect(readFileSync(file, 'utf8')).toBe('secret');
      writeFileSync(path.join(folder, 'later'), 'x');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('a file that is not there is an error, not a silence', () => {
    expect(() => restrictToUser('C:\\no\\such\\file')).toThrow(/could not find/);
  });
});

describe('the credential manager', () => {
  const entry = {
    name: 'uiahost:test.entry-1',
    userName: 'someone',
    comment: 'c:\\app\\app.exe',
    secret: 'pä$5 ’ 😀 日本',
  };

  test('a stored secret is read, listed without its value, and deleted', () => {
    try {
      writeCredential(entry);
      expect(readCredential(entry.name)).toEqual(entry);
      const listed = listCredentials();
      expect(listed).toContainEqual({ name: entry.name, userName: entry.userName, comment: entry.comment });
      expect(JSON.stringify(listed)).not.toContain(entry.secret);
      writeCredential({ ...entry, secret: '' });
      expect(readCredential(entry.name).secret).toBe('');
    } finally {
      expect(deleteCredential(entry.name)).toBe(true);
    }
    expect(deleteCredential(entry.name)).toBe(false);
    expect(() => readCredential(entry.name)).toThrow(expect.objectContaining({ code: 'not_found' }) as Error);
    expect(listCredentials().map(({ name }) => name)).not.toContain(entry.name);
  });

  test('only the host’s own names, and nothing too long', () => {
    for (const name of ['', 'uiahost:', 'other:x', 'uiahost:a b', 'uiahost:*', `uiahost:${'x'.repeat(101)}`]) {
      for (const work of [
        () => readCredential(name),
        () => deleteCredential(name),
        () => writeCredential({ ...entry, name }),
      ]) {
        expect(work).toThrow(expect.objectContaining({ code: 'invalid_argument' }) as Error);
      }
    }
    expect(() => writeCredential({ ...entry, secret: 'x'.repeat(1281) })).toThrow(
      expect.objectContaining({ code: 'invalid_argument' }) as Error,
    );
  });
});

test('the registry: keys, texts, variables, numbers, and missing values', () => {
  expect(RegistryKey.open(HKEY_CURRENT_USER, 'No\\Such\\Key')).toBeNull();
  using key = RegistryKey.open(HKEY_CURRENT_USER, 'Environment');
  expect(key).not.toBeNull();
  expect(key?.text('No such value')).toBeNull();
  expect(key?.text('TEMP')).not.toContain('%');
  using root = RegistryKey.open(HKEY_CURRENT_USER, '');
  expect(root?.names()).toContain('Environment');
  using child = root?.child('Environment') ?? null;
  expect(child?.text('TEMP')).toBe(key?.text('TEMP'));
});
