/** The machine's folder (`%ProgramData%\uiahost`): users read it, administrators write it. A folder that another account prepared is refused. */
import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { UiaHostError } from '../../contract/errors.ts';
import { knownFolder } from '../apps/folders.ts';
import { restrictToAdministrators } from '../system/acl.ts';
import { whyNotOwnFolder } from '../system/trust.ts';

/** Windows supplies the path: the environment may be anyone's. Null if the system has no such folder. */
export function machineFolder(): string | null {
  const folder = knownFolder('programData');
  return folder === null ? null : join(folder, 'uiahost');
}

const refused = (folder: string, why: string): UiaHostError =>
  new UiaHostError('permission_denied', `The machine’s folder ${folder} is not used: ${why}.`, {
    hint: 'Check who made it, then remove it as an administrator; the service makes it again.',
  });

/**
 * Any user may make folders in %ProgramData%: a folder that another account made first, or a link to elsewhere, is
 * refused.
 */
function secure(folder: string): void {
  // a link that leads nowhere is there, too
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) mkdirSync(folder);
  if (!lstatSync(folder).isDirectory()) throw refused(folder, 'it is a link or not a folder');
  // Its owner counts: an account that owns it can give itself any right again.
  const before = whyNotOwnFolder(folder);
  restrictToAdministrators(folder);
  const after = whyNotOwnFolder(folder);
  if (after !== null) throw refused(folder, after === before ? after : `${before ?? ''}; ${after}`);
  if (!lstatSync(folder).isDirectory()) throw refused(folder, 'it was replaced by a link');
}

/** A folder of the machine, made and restricted with those above it. Errors: permission_denied where another account owns one. */
export function openMachineFolder(name: string): string {
  const folder = machineFolder();
  if (folder === null) throw refused('%ProgramData%\\uiahost', 'the system has no such folder');
  secure(folder);
  const inside = join(folder, name);
  secure(inside);
  return inside;
}
