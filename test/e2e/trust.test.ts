/** Files and folders that other users created or can write to, as a host finds them at its start. */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { sharedDesktop, startHost } from '../support/desktop.ts';
import { startFixture } from '../support/fixture.ts';

const folders: string[] = [];
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'uiahost-trust-'));
  folders.push(made);
  return made;
};
afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true });
});

const ANOTHER_USER = 12_345;

/** A folder that another user owns: given away by this user where that is allowed, else one of the system's. */
function foreignFolder(): string {
  if (process.getuid?.() !== 0) return '/usr/share';
  const made = folder();
  chownSync(made, ANOTHER_USER, ANOTHER_USER);
  return made;
}

describe('a host that starts', () => {
  it('[trust.secrets] does not take a token that others can read', async () => {
    const dataDir = folder();
    writeFileSync(join(dataDir, 'operator.token'), 'known-to-everybody-on-this-machine');
    chmodSync(join(dataDir, 'operator.token'), 0o644);
    await expect(startHost({ dataDir })).rejects.toThrow(/operator\.token.*S-1-1-0 can read or change/s);
    expect(existsSync(join(dataDir, 'host.json'))).toBe(false);
  });

  it('[trust.folder] does not start in another user’s folder, and leaves nothing in it', async () => {
    const dataDir = foreignFolder();
    const before = readdirSync(dataDir);
    await expect(startHost({ dataDir })).rejects.toThrow(
      process.getuid?.() === 0 ? /not safe to use.*can put files into that folder/s : /EACCES|not safe/,
    );
    expect(readdirSync(dataDir).filter((name) => !before.includes(name) && name !== 'host-output.log')).toEqual([]);
  });

  it('[trust.folder-closed] removes other users’ rights to its own folder', async () => {
    const dataDir = folder();
    chmodSync(dataDir, 0o777);
    await using host = await startHost({ dataDir });
    expect((await host.request('/healthz', { token: 'none' })).status).toBe(200);
    // Wine ignores the group's rights, which a Windows access list does not have.
    expect(statSync(dataDir).mode & 0o007).toBe(0);
  });

  it('[trust.machine-policy] [trust.policy-place] a machine policy that a user wrote only narrows, and a policy folder that its environment names does not count', async () => {
    const policy = (level: string): string => JSON.stringify({ level, deny: [`${level}.exe`] });
    const machine = join(sharedDesktop().prefix, 'drive_c', 'ProgramData', 'uiahost');
    const forged = join(folder(), 'uiahost');
    for (const [place, level] of [
      [machine, 'observe'],
      [forged, 'disabled'],
    ] as const) {
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, 'policy.json'), policy(level));
    }
    try {
      await using host = await startHost({ env: { ProgramData: `Z:${join(forged, '..').replaceAll('/', '\\')}` } });
      const { body } = await host.request('/v1/status');
      expect(body).toMatchObject({
        level: 'observe',
        doctor: expect.arrayContaining([
          expect.objectContaining({
            code: 'machine_policy_writable',
            message: expect.stringMatching(/C:\\ProgramData\\uiahost/i),
          }),
        ]),
      });
      expect(JSON.stringify(body)).not.toContain('uiahost-trust-');
      await using controls = await startFixture('controls');
      await host.call('bind-to-window', { hwnd: controls.hwnd });
      const strip = await host.call('status-indicator', { action: 'show', message: 'at work' });
      expect(JSON.stringify(strip.body)).toContain('policy is not protected. at work');
    } finally {
      rmSync(machine, { recursive: true, force: true });
    }
  });
});
