/**
 * What `uiahost doctor --fix` does: only what is safe and can be repeated. It never touches the content of a policy, a token, a key
 * or an audit, and starts or stops nothing but a service that is installed and stopped.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startService, removeLogonCommand } from '../win32/services/service-manager.ts';
import { restrictToUser } from '../win32/system/acl.ts';
import { isOwnedByOthers, secureOwnFolder, whyNotOwnFolder, whyNotOwnSecret } from '../win32/system/trust.ts';
import { SECRET_FILES } from '../host/home/data-directory.ts';
import type { MachineFacts } from './facts.ts';

export interface Repair {
  /** The finding that it mends. */
  readonly code: string;
  readonly done: boolean;
  /** What was done, or why not. */
  readonly text: string;
}

async function tryTo(code: string, text: string, work: () => void | Promise<void>): Promise<Repair> {
  try {
    await work();
    return { code, done: true, text };
  } catch (error) {
    return { code, done: false, text: `${text}: failed. ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Mends what the facts show; empty if there is nothing that it mends. */
export async function repair(facts: MachineFacts): Promise<Repair[]> {
  const { dataDirectory: data, host, lock, service, autostart } = facts;
  const done: Repair[] = [];
  if (existsSync(data) && whyNotOwnFolder(data) !== null)
    done.push(await tryTo('data_not_private', `Restricted ${data} to this user`, () => secureOwnFolder(data)));
  for (const file of SECRET_FILES.map((name) => join(data, name))) {
    if (!existsSync(file) || whyNotOwnSecret(file) === null) continue;
    done.push(
      await tryTo('data_not_private', `Restricted ${file} to this user`, () => {
        // What another account owns, it can open again; and who knows what is in it.
        if (isOwnedByOthers(file)) throw new Error('Another account owns it; remove it, and the host makes a new one.');
        restrictToUser(file);
      }),
    );
  }
  // The lock is removed only with the host that it names; a host that starts now makes its own.
  if (lock?.isAlive === false)
    done.push(
      await tryTo('stale_lock', 'Removed host.lock of a host that has ended', () => rmSync(join(data, 'host.lock'))),
    );
  if (host?.isAlive === false)
    done.push(
      await tryTo('stale_host_file', 'Removed host.json of a host that has ended', () =>
        rmSync(join(data, 'host.json')),
      ),
    );
  if (autostart?.isThere === false)
    done.push(
      await tryTo('autostart_broken', 'Removed the sign-in entry whose program does not exist', () =>
        removeLogonCommand('uiahost'),
      ),
    );
  if ('state' in service && service.state === 'stopped' && service.start !== 'disabled')
    done.push(
      await tryTo('service_stopped', 'Started the service uiahost', async () => {
        await startService('uiahost');
      }),
    );
  return done;
}
