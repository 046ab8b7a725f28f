/**
 * A link in the place of the machine's folder, where the file system has links: what the service and the setup do with it. Rights
 * are not of interest here, so the calls that set and read them answer that all is well.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';

const machine = mkdtempSync(join(tmpdir(), 'uiahost-machine-'));
const folder = join(machine, 'uiahost');
const elsewhere = join(machine, 'elsewhere');
const others = new Set<string>();
/** What happens while the rights of a folder are set. */
let meanwhile: (folder: string) => void = () => {};

vi.mock('../../../../src/win32/apps/folders.ts', () => ({ knownFolder: () => machine }));
vi.mock('../../../../src/win32/system/acl.ts', () => ({
  restrictToAdministrators: (place: string) => meanwhile(place),
}));
vi.mock('../../../../src/win32/system/trust.ts', () => ({
  whyNotOwnFolder: (place: string) =>
    others.has(place) ? `${place}: S-1-5-21-1 can put files into that folder` : null,
  whyNotAdministratorsFolder: () => null,
  isOwnedByOthers: (place: string) => others.has(place),
}));
vi.mock('../../../../native-bindings/win32/advapi32.ts', () => ({
  advapi32: { ConvertStringSecurityDescriptorToSecurityDescriptorW: () => true, SetFileSecurityW: () => true },
}));
vi.mock('../../../../native-bindings/win32/kernel32.ts', () => ({
  kernel32: { LocalFree: () => 0, GetLastError: () => 0 },
}));

const { openMachineFolder } = await import('../../../../src/win32/services/machine-folder.ts');
const { secureMachineFolder } = await import('../../../../src/win32/system/machine-folder.ts');

beforeEach(() => {
  for (const name of readdirSync(machine)) rmSync(join(machine, name), { recursive: true, force: true });
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'theirs'), 'not to be touched');
  others.clear();
  meanwhile = () => {};
});
afterAll(() => rmSync(machine, { recursive: true, force: true }));

const isUntouched = (): boolean => readdirSync(elsewhere).join() === 'theirs';
const refusal = (text: string) =>
  expect.objectContaining({ code: 'permission_denied', message: expect.stringContaining(text) });

describe('[service.protected] a link in the place of the machine’s folder', () => {
  it('is refused by the service, which writes nothing through it', () => {
    symlinkSync(elsewhere, folder);
    expect(() => openMachineFolder('service')).toThrow(refusal('it is a link or not a folder'));
    expect(isUntouched()).toBe(true);
  });

  it('is refused one folder further down, too', () => {
    mkdirSync(folder);
    symlinkSync(elsewhere, join(folder, 'service'));
    expect(() => openMachineFolder('service')).toThrow(refusal('it is a link or not a folder'));
    expect(isUntouched()).toBe(true);
  });

  it('that comes while the folder is being secured is noticed', () => {
    meanwhile = (place) => {
      if (place !== folder) return;
      rmSync(folder, { recursive: true });
      symlinkSync(elsewhere, folder);
    };
    expect(() => openMachineFolder('service')).toThrow(refusal('it was replaced by a link'));
    expect(isUntouched()).toBe(true);
  });

  it('that leads nowhere is refused as well', () => {
    symlinkSync(join(machine, 'nowhere'), folder);
    expect(() => openMachineFolder('service')).toThrow(refusal('it is a link or not a folder'));
    expect(existsSync(join(machine, 'nowhere'))).toBe(false);
  });

  it('another account’s folder is refused, with its name', () => {
    mkdirSync(folder);
    others.add(folder);
    expect(() => openMachineFolder('service')).toThrow(refusal('S-1-5-21-1'));
  });

  it('is removed by the setup, without its target; another account’s folder is moved aside', () => {
    symlinkSync(elsewhere, folder, 'junction');
    expect(secureMachineFolder(folder)).toBeNull();
    expect(lstatSync(folder).isSymbolicLink()).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
    expect(isUntouched()).toBe(true);
    writeFileSync(join(folder, 'policy.json'), '{ "level": "full" }');
    others.add(folder);
    expect(secureMachineFolder(folder)).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
    expect(readdirSync(machine).filter((name) => name.startsWith('uiahost.untrusted-'))).toHaveLength(1);
  });
});
