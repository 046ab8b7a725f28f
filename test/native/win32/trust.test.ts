/** Files and folders of this system: which are believed. Owners are what Wine keeps of them; others' are recorded (test/win32/descriptor.test.ts). */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { advapi32 } from '../../../native-bindings/win32/advapi32.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { descriptorOf, ownUserSid, restrictToUser } from '../../../src/win32/system/acl.ts';
import { whyNotAdministrators, whyNotOwnFolder, whyNotOwnSecret } from '../../../src/win32/system/trust.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'uiahost-trust-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Gives a file or folder this access list, protected from what the folder above says. */
function give(place: string, entries: string): void {
  const descriptor = Buffer.alloc(8);
  if (!advapi32.ConvertStringSecurityDescriptorToSecurityDescriptorW(`D:P${entries}`, 1, descriptor, null)) throw new Error(`no descriptor: ${entries}`);
  const memory = descriptor.readBigUInt64LE(0);
  try {
    if (!advapi32.SetFileSecurityW(place, 0x8000_0004, memory)) throw new Error(`Windows error ${kernel32.GetLastError()}`);
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

describe('[trust.files] what is believed of files', () => {
  it('a descriptor has an owner and entries', () => {
    expect(descriptorOf(folder)).toMatch(/^O:\S+D:/);
  });

  it('a secret that was left to its user is one; with everybody among its readers or writers it is none', () => {
    expect(whyNotOwnSecret(made('kept'))).toBeNull();
    expect(whyNotOwnSecret(made('read', `(A;;FA;;;${ownUserSid()})(A;;FR;;;WD)`))).toContain('S-1-1-0 can read or change that file');
    expect(whyNotOwnSecret(made('open', '(A;;FA;;;WD)'))).toContain('S-1-1-0');
    expect(whyNotOwnSecret(path.join(folder, 'none'))).toContain('cannot be read');
  });

  it('a folder is safe as long as nobody else can put files into it', () => {
    const place = path.join(folder, 'data');
    mkdirSync(place);
    restrictToUser(place);
    expect(whyNotOwnFolder(place)).toBeNull();
    give(place, `(A;OICI;FA;;;${ownUserSid()})(A;OICI;0x1200a9;;;WD)`);
    expect(whyNotOwnFolder(place)).toBeNull();
    give(place, `(A;OICI;FA;;;${ownUserSid()})(A;OICI;FA;;;WD)`);
    expect(whyNotOwnFolder(place)).toContain('S-1-1-0 can put files into that folder');
  });

  it('a file of this user is none of the administrators’, nor is one in a folder of this user', () => {
    expect(whyNotAdministrators(made('policy.json'))).toContain(`${folder}: ${ownUserSid()} can change that folder`);
  });
});
