/**
 * Files and folders of this system: which are trusted. Owners are as Wine keeps them; others' are recorded
 * (test/pure/win32/system/descriptor.test.ts).
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { advapi32 } from '../../../../native-bindings/win32/advapi32.ts';
import { kernel32 } from '../../../../native-bindings/win32/kernel32.ts';
import { descriptorOf, ownUserSid, restrictToUser } from '../../../../src/win32/system/acl.ts';
import { readDescriptor } from '../../../../src/win32/system/descriptor.ts';
import {
  isProtectedProgram,
  whyNotAdministrators,
  whyNotOwnFiles,
  whyNotOwnFolder,
  whyNotOwnSecret,
  whyNotProtected,
} from '../../../../src/win32/system/trust.ts';
import { descriptor } from '../../../support/descriptors.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'uiahost-trust-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Gives a file or folder this access list, protected from what the folder above says. */
function give(place: string, entries: string): void {
  const descriptor = Buffer.alloc(8);
  if (!advapi32.ConvertStringSecurityDescriptorToSecurityDescriptorW(`D:P${entries}`, 1, descriptor, null))
    throw new Error(`no descriptor: ${entries}`);
  const memory = descriptor.readBigUInt64LE(0);
  try {
    if (!advapi32.SetFileSecurityW(place, 0x8000_0004, memory))
      throw new Error(`Windows error ${kernel32.GetLastError()}`);
  } finally {
    kernel32.LocalFree(memory);
  }
}

function made(name: string, entries?: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, 'secret');
  if (entries === undefined) restrictToUser(file);
  else give(file, entries);
  return file;
}

describe('[trust.files] which files are trusted', () => {
  it('a descriptor has an owner and entries', () => {
    const { owner, entries } = readDescriptor(descriptorOf(folder));
    expect(owner).toMatch(/^S-1-5-/);
    expect(entries?.length).toBeGreaterThan(0);
  });

  it('a secret of its user alone counts; with everybody among its readers or writers it does not', () => {
    expect(whyNotOwnSecret(made('kept'))).toBeNull();
    expect(whyNotOwnSecret(made('read', `(A;;FA;;;${ownUserSid()})(A;;FR;;;WD)`))).toContain(
      'S-1-1-0 can read or change that file',
    );
    expect(whyNotOwnSecret(made('open', '(A;;FA;;;WD)'))).toContain('S-1-1-0');
    expect(whyNotOwnSecret(path.join(folder, 'none'))).toContain('cannot read its owner');
  });

  it('a folder is safe as long as no other user can put files into it', () => {
    const place = path.join(folder, 'data');
    mkdirSync(place);
    restrictToUser(place);
    expect(whyNotOwnFolder(place)).toBeNull();
    give(place, `(A;OICI;FA;;;${ownUserSid()})(A;OICI;0x1200a9;;;WD)`);
    expect(whyNotOwnFolder(place)).toBeNull();
    give(place, `(A;OICI;FA;;;${ownUserSid()})(A;OICI;FA;;;WD)`);
    expect(whyNotOwnFolder(place)).toContain('S-1-1-0 can put files into that folder');
  });

  it('a file of this user does not count as an administrators’ file, nor does a file in a folder of this user', () => {
    expect(whyNotAdministrators(made('policy.json'))).toContain(`${folder}: ${ownUserSid()} can change that folder`);
  });
});

/** As `icacls /save` and the Security API write them on Windows 11; INSTALLER is TrustedInstaller. */
const INSTALLER = 'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464';
const ROOT = `O:${INSTALLER}G:${INSTALLER}D:PAI(A;OICI;FA;;;BA)(A;OICI;FA;;;SY)(A;OICI;0x1200a9;;;BU)(A;OICIIO;SDGXGWGR;;;AU)(A;;LC;;;AU)`;
const PROGRAM_FILES = `O:${INSTALLER}G:${INSTALLER}D:PAI(A;;FA;;;${INSTALLER})(A;CIIO;GA;;;${INSTALLER})(A;;0x1301bf;;;SY)(A;OICIIO;GA;;;SY)(A;;0x1301bf;;;BA)(A;OICIIO;GA;;;BA)(A;;0x1200a9;;;BU)(A;OICIIO;GXGR;;;BU)(A;OICIIO;GA;;;CO)(A;;0x1200a9;;;AC)(A;OICIIO;GXGR;;;AC)`;
const INSTALLED = 'O:BAG:SYD:AI(A;ID;FA;;;SY)(A;ID;FA;;;BA)(A;ID;0x1200a9;;;BU)(A;ID;0x1200a9;;;AC)';
const LAUNCHER = 'O:BAG:SYD:AI(A;OICI;FA;;;BU)(A;ID;FA;;;SY)(A;ID;FA;;;BA)(A;ID;0x1200a9;;;BU)';

/** Descriptors by path; a path without one cannot be read. */
const recorded =
  (places: Readonly<Record<string, string>>) =>
  (place: string): Buffer => {
    const found = places[place];
    if (found === undefined) throw new Error('access denied');
    return descriptor(found);
  };

describe('[service.protected] files next to the program of a service', () => {
  const node = 'C:\\Tools\\uiahost\\node.exe';
  const planted = 'C:\\Tools\\uiahost\\dbghelp.dll';

  it('are files of administrators and of the account that installs it', () => {
    const own = `O:${ownUserSid()}D:(A;;FA;;;${ownUserSid()})(A;;FA;;;BA)`;
    expect(whyNotOwnFiles([node, planted], recorded({ [node]: INSTALLED, [planted]: own }))).toBeNull();
  });

  it('not a DLL that a user put there or can write, nor a DLL whose rights cannot be read', () => {
    const user = 'S-1-5-21-1-2-3-1001';
    for (const [sddl, why] of [
      [`O:${user}D:AI(A;ID;FA;;;SY)(A;ID;FA;;;BA)`, `${planted}: ${user} can change it`],
      [LAUNCHER, `${planted}: S-1-5-32-545 can change it`],
    ] as const)
      expect(whyNotOwnFiles([node, planted], recorded({ [node]: INSTALLED, [planted]: sddl }))).toBe(why);
    expect(whyNotOwnFiles([node, planted], recorded({ [node]: INSTALLED }))).toContain('cannot read its owner');
  });
});

describe('which program a name alone may stand for', () => {
  const vendor = {
    'C:\\': ROOT,
    'C:\\Program Files': PROGRAM_FILES,
    'C:\\Program Files\\Vendor': INSTALLED,
    'C:\\Program Files\\Vendor\\tool.exe': INSTALLED,
  };
  const file = 'C:\\Program Files\\Vendor\\tool.exe';

  it('a program that only administrators can write, up to the root', () => {
    expect(whyNotProtected(file, recorded(vendor))).toBeNull();
    expect(whyNotProtected('C:\\tool.exe', recorded({ 'C:\\': ROOT, 'C:\\tool.exe': INSTALLED }))).toContain(
      'S-1-5-11 can change that folder',
    );
  });

  it('not a program of a launcher that lets users write its folder under Program Files, at any depth', () => {
    expect(whyNotProtected(file, recorded({ ...vendor, 'C:\\Program Files\\Vendor': LAUNCHER }))).toContain(
      'C:\\Program Files\\Vendor: S-1-5-32-545 can change that folder',
    );
    expect(whyNotProtected(file, recorded({ ...vendor, [file]: LAUNCHER }))).toContain('can change that file');
    const deep = 'C:\\Program Files\\Vendor\\game\\bin\\tool.exe';
    const places = {
      ...vendor,
      'C:\\Program Files\\Vendor\\game': LAUNCHER,
      'C:\\Program Files\\Vendor\\game\\bin': INSTALLED,
      [deep]: INSTALLED,
    };
    expect(whyNotProtected(deep, recorded(places))).toContain(
      'C:\\Program Files\\Vendor\\game: S-1-5-32-545 can replace what is in that folder',
    );
  });

  it('not a program whose rights, or those of a folder above it, cannot be read, nor another user’s own', () => {
    expect(whyNotProtected(file, recorded({ ...vendor, 'C:\\Program Files': '' }))).not.toBeNull();
    const { 'C:\\': _root, ...without } = vendor;
    expect(whyNotProtected(file, recorded(without))).toContain('cannot read its owner');
    expect(
      whyNotProtected(file, recorded({ ...vendor, [file]: INSTALLED.replace('O:BA', 'O:S-1-5-21-1-2-3-1001') })),
    ).toContain('S-1-5-21-1-2-3-1001 can change that file');
  });

  it('not a program that this user can write, nor a program of another machine, nor a missing file', () => {
    expect(isProtectedProgram(made('mine.exe', '(A;;FA;;;WD)'))).toBe(false);
    expect(isProtectedProgram(String.raw`\\server\share\tool.exe`)).toBe(false);
    expect(isProtectedProgram(path.join(folder, 'none.exe'))).toBe(false);
  });

  it('and says the same again', () => {
    const place = made('again.exe');
    expect([isProtectedProgram(place), isProtectedProgram(place)]).toEqual([false, false]);
  });
});
