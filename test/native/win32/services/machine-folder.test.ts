/** The machine's folder: made and restricted by the service, and refused where something else is in its place. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { descriptorOf, trusteesOf } from '../../../../src/win32/system/acl.ts';
import { machineFolder, openFleetFolders, openMachineFolder } from '../../../../src/win32/services/machine-folder.ts';

const NAME = 'service-test';
const folder = join(machineFolder() ?? '', NAME);
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('[service.protected] it is in the folder that Windows names, and users other than administrators cannot write it', () => {
  const before = process.env['ProgramData'];
  process.env['ProgramData'] = 'C:\\evil';
  try {
    expect(openMachineFolder(NAME)).toBe(folder);
  } finally {
    process.env['ProgramData'] = before;
  }
  expect(folder).toMatch(/^C:\\ProgramData\\uiahost\\/i);
  expect(trusteesOf(descriptorOf(folder))).not.toContain('S-1-1-0');
  expect(openMachineFolder(NAME)).toBe(folder);
});

test('[service.protected] users do not read the folder of a fleet’s credentials', () => {
  const fleet = join(machineFolder() ?? '', 'fleet');
  try {
    const folders = { folder: fleet, link: join(fleet, 'link') };
    for (const _ of ['made', 'again']) expect(openFleetFolders()).toEqual(folders);
    // Wine shows the owner instead of the administrators, and LocalService in no list
    for (const others of ['S-1-1-0', 'S-1-5-11', 'S-1-5-32-545'])
      expect(trusteesOf(descriptorOf(fleet))).not.toContain(others);
  } finally {
    rmSync(fleet, { recursive: true, force: true });
  }
});

test('[service.protected] an existing folder is restricted, and a file in its place is refused', () => {
  mkdirSync(folder, { recursive: true });
  expect(openMachineFolder(NAME)).toBe(folder);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  expect(() => openMachineFolder(NAME)).toThrow(
    expect.objectContaining({ code: 'permission_denied', message: expect.stringContaining('a link or not a folder') }),
  );
  expect(existsSync(folder)).toBe(true);
});
