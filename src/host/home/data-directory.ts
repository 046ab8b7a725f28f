/** The files of one host. */
import { mkdirSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Secrets of a data directory. */
export const SECRET_FILES = ['agent.token', 'operator.token', 'host.key', 'audit.key'] as const;

/** Free space of the disk that a folder is on, or will be; null if the system does not say. */
export function freeBytesIn(folder: string): number | null {
  for (let place = folder; ; place = dirname(place)) {
    try {
      const { bavail, bsize } = statfsSync(place);
      return bavail * bsize;
    } catch {
      if (dirname(place) === place) return null;
    }
  }
}

/** The directory that contains everything of one host. */
export interface DataDirectory {
  readonly root: string;
  readonly database: string;
  readonly audit: string;
  readonly auditKey: string;
  readonly agentToken: string;
  readonly operatorToken: string;
  readonly policy: string;
  readonly hostFile: string;
  readonly proofKey: string;
  readonly heldInput: string;
  readonly movedWindows: string;
  readonly log: string;
}

/**
 * Names the files and creates the folders. `secure` is called with the directory before anything is written into it;
 * its errors end the start.
 */
export function openDataDirectory(root: string, secure: (folder: string) => void = () => {}): DataDirectory {
  mkdirSync(root, { recursive: true });
  secure(root);
  for (const folder of [join(root, 'audit'), join(root, '.agent-runtime', 'spool', 'images'), join(root, 'logs')]) {
    mkdirSync(folder, { recursive: true });
  }
  return {
    root,
    database: join(root, 'uiahost.sqlite'),
    audit: join(root, 'audit'),
    auditKey: join(root, 'audit.key'),
    agentToken: join(root, 'agent.token'),
    operatorToken: join(root, 'operator.token'),
    policy: join(root, 'policy.json'),
    hostFile: join(root, 'host.json'),
    proofKey: join(root, 'host.key'),
    heldInput: join(root, 'held-input.json'),
    movedWindows: join(root, 'moved-windows.json'),
    log: join(root, 'logs', 'host.log'),
  };
}
