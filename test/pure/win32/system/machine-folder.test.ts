/**
 * What another program of the machine puts in the place of the machine's folder, at any moment: the service refuses it, the setup
 * moves it aside, and neither gives it rights. The file system here is a fake with links, owners and handles, since Wine has none of
 * the first; `native/win32/services/machine-folder.test.ts` has the real calls.
 */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  FILE_FLAG_BACKUP_SEMANTICS,
  FILE_FLAG_OPEN_REPARSE_POINT,
} from '../../../../native-bindings/win32/constants.ts';

interface Fake {
  readonly kind: 'folder' | 'link' | 'file';
  readonly owner: 'ours' | 'S-1-5-21-1';
  hasRights: boolean;
}
const MACHINE = '/ProgramData';
const FOLDER = `${MACHINE}/uiahost`;
/** What is at a path; `handles` hold an object, whatever is done to its path. */
const places = new Map<string, Fake>();
const handles = new Map<number, { readonly place: string; readonly fake: Fake }>();
/** Another program's turn, before each call; a path that is held cannot be taken from it. */
let meanwhile: (call: string) => void = () => {};
const isHeld = (place: string): boolean => [...handles.values()].some((held) => held.place === place);
const plant = (place: string, kind: Fake['kind']): void => {
  if (!isHeld(place)) places.set(place, { kind, owner: 'S-1-5-21-1', hasRights: false });
};
let calls: string[] = [];
const turn = (call: string): void => {
  calls.push(call);
  meanwhile(call);
};
const ofHandle = (read: (path: string) => unknown, place: string): Fake => read(place) as Fake;

vi.mock('../../../../native-bindings/win32/kernel32.ts', () => ({
  kernel32: {
    CreateDirectoryW(place: string) {
      turn('create');
      if (places.has(place)) return false;
      places.set(place, { kind: 'folder', owner: 'ours', hasRights: true });
      return true;
    },
    CreateFileW(place: string, _access: number, share: number, _security: null, _how: number, flags: number) {
      turn('open');
      const fake = places.get(place);
      expect(flags & FILE_FLAG_OPEN_REPARSE_POINT).not.toBe(0);
      expect(flags & FILE_FLAG_BACKUP_SEMANTICS).not.toBe(0);
      expect(share & 4, 'FILE_SHARE_DELETE').toBe(0);
      if (fake === undefined) return -1;
      handles.set(handles.size + 1, { place, fake });
      return handles.size;
    },
    GetFileInformationByHandle(handle: number, into: Buffer) {
      turn('attributes');
      const kind = handles.get(handle)?.fake.kind;
      into.writeUInt32LE(kind === 'file' ? 0x80 : kind === 'link' ? 0x410 : 0x10);
      return true;
    },
    MoveFileExW(from: string, to: string) {
      turn('move');
      const fake = places.get(from);
      if (fake === undefined || isHeld(from)) return false;
      places.delete(from);
      places.set(to, fake);
      return true;
    },
    CloseHandle: (handle: number) => handles.delete(handle),
    GetLastError: () => 5,
    LocalFree: () => 0,
  },
}));
vi.mock('../../../../native-bindings/win32/advapi32.ts', () => ({
  advapi32: {
    ConvertStringSecurityDescriptorToSecurityDescriptorW: () => true,
    GetSecurityDescriptorOwner: () => true,
    GetSecurityDescriptorDacl: () => true,
    SetSecurityInfo(handle: number) {
      turn('set');
      const held = handles.get(handle);
      if (held !== undefined) held.fake.hasRights = true;
      return 0;
    },
  },
}));
vi.mock('../../../../src/win32/apps/folders.ts', () => ({ knownFolder: () => MACHINE }));
vi.mock('../../../../src/win32/system/acl.ts', () => ({
  descriptorOfHandle: (handle: number) => handles.get(handle)?.fake,
  trusteesOf: () => [],
}));
vi.mock('../../../../src/win32/system/trust.ts', () => ({
  isOwnedByOthers: (place: string, read: (path: string) => unknown) => ofHandle(read, place).owner !== 'ours',
  whyNotOwnFolder: (place: string, read: (path: string) => unknown) => {
    const { owner } = ofHandle(read, place);
    return owner === 'ours' ? null : `${place}: ${owner} can put files into that folder`;
  },
  whyNotAdministratorsFolder: () => null,
}));

const { openMachineFolder, secureMachineFolder } = await import('../../../../src/win32/services/machine-folder.ts');

beforeEach(() => {
  places.clear();
  handles.clear();
  calls = [];
  meanwhile = () => {};
});
const refusal = (text: string) =>
  expect.objectContaining({ code: 'permission_denied', message: expect.stringContaining(text) });
/** Nothing that another account put there has been given rights. */
const expectUntouched = (): void =>
  expect([...places.values()].filter(({ owner, hasRights }) => owner !== 'ours' && hasRights)).toEqual([]);
const KINDS = [
  ['link', 'it is a link or not a folder'],
  ['file', 'it is a link or not a folder'],
  ['folder', 'S-1-5-21-1'],
] as const;

describe('[service.protected] in the place of the machine’s folder', () => {
  it('a new folder is made with its rights, and an own one gets them', () => {
    expect(openMachineFolder('service')).toBe(`${FOLDER}/service`);
    places.set(FOLDER, { kind: 'folder', owner: 'ours', hasRights: false });
    expect(secureMachineFolder(FOLDER)).toBeNull();
    expect(places.get(FOLDER)?.hasRights).toBe(true);
    expect(handles.size).toBe(0);
  });

  it.for(KINDS)('another account’s %s is refused by the service, one folder further down too', ([kind, why]) => {
    for (const place of [FOLDER, `${FOLDER}/service`]) {
      places.clear();
      plant(place, kind);
      expect(() => openMachineFolder('service')).toThrow(refusal(why));
      expectUntouched();
    }
    expect(handles.size).toBe(0);
  });

  it.for(KINDS)('another account’s %s is moved aside by the setup', ([kind]) => {
    plant(FOLDER, kind);
    expect(secureMachineFolder(FOLDER)).toBeNull();
    expect(places.get(FOLDER)).toMatchObject({ kind: 'folder', owner: 'ours', hasRights: true });
    expect([...places.keys()].filter((place) => place.includes('.untrusted-'))).toHaveLength(1);
    expectUntouched();
  });

  it.for(KINDS)(
    'another account’s %s that comes before any step, once or again and again, gets no rights',
    ([kind]) => {
      openMachineFolder('service');
      const steps = calls.length;
      for (const use of [() => openMachineFolder('service'), () => secureMachineFolder(FOLDER)])
        for (const start of ['empty', 'own', 'planted'] as const)
          for (let step = 0; step <= steps + 4; step += 1)
            for (const isOften of [false, true]) {
              places.clear();
              handles.clear();
              calls = [];
              meanwhile = () => {};
              if (start === 'own') places.set(FOLDER, { kind: 'folder', owner: 'ours', hasRights: false });
              if (start === 'planted') plant(FOLDER, kind);
              meanwhile = () => {
                if (calls.length === step || (isOften && calls.length > step)) plant(FOLDER, kind);
              };
              try {
                use();
              } catch (error) {
                expect(error).toMatchObject({ code: 'permission_denied' });
              }
              expectUntouched();
              expect(handles.size).toBe(0);
            }
    },
  );
});
