/** The data that uiahost keeps of users, for their deletion: where it is, and its removal without following links. */
import { lstatSync, rmSync, statSync } from 'node:fs';
import { win32 } from 'node:path';
import { UiaHostError } from '../contract/errors.ts';
import { accountSid, userProfiles, type Profile } from '../win32/services/user-sessions.ts';

export interface PersonalData {
  readonly sid: string;
  readonly folder: string;
  readonly account: Profile['account'];
  /** Why it is not deleted: a link, or a host that uses it. Null if it can be. */
  readonly why: string | null;
}

/** Parts of the path below a profile: each is looked at, since the profile's user could have made a link of it. */
const BELOW = ['AppData', 'Local', 'uiahost'];

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false });

/** A host changes the folder when it starts and ends: a change this young is that of a person who is here. */
const LATELY_MS = 30 * 86_400_000;

/** A reason not to touch the folder; undefined where there is none to touch. */
function judge(profile: string): { folder: string; why: string | null } | undefined {
  let path = profile;
  for (const part of BELOW) {
    path = win32.join(path, part);
    const found = isThere(path);
    if (found === undefined) return undefined;
    if (found.isSymbolicLink() || !found.isDirectory())
      return { folder: win32.join(profile, ...BELOW), why: `${path} is a link or not a folder` };
  }
  const isUsed = isThere(win32.join(path, 'host.lock')) !== undefined;
  return { folder: path, why: isUsed ? 'a host uses it (host.lock); end the host, or sign the user out' : null };
}

/** The data of one account, or of all whose account no longer exists. Errors: not_found for an unknown account. */
export function personalData(whose: { readonly account: string } | 'left', profiles = userProfiles()): PersonalData[] {
  const sid = whose === 'left' ? null : accountSid(whose.account);
  if (whose !== 'left' && sid === null)
    throw new UiaHostError('not_found', `Windows does not know the account ${JSON.stringify(whose.account)}.`, {
      hint: 'Give it as DOMAIN\\name, or as the SID of a user who has left.',
    });
  return profiles
    .filter((profile) => (whose === 'left' ? profile.account === 'gone' : profile.sid === sid))
    .flatMap(({ sid: owner, path, account }) => {
      const found = judge(path);
      const isLate = whose === 'left' && found?.why === null && Date.now() - statSync(found.folder).mtimeMs < LATELY_MS;
      const why = isLate ? 'a host used it in the last 30 days; name the account with --user' : found?.why;
      return found === undefined ? [] : [{ sid: owner, account, folder: found.folder, why: why ?? null }];
    });
}

/** Deletes what can be; links in it are removed, not followed. Answers what is left, with the reason. */
export function removePersonalData(data: readonly PersonalData[]): PersonalData[] {
  return data.flatMap((each) => {
    if (each.why !== null) return [each];
    try {
      rmSync(each.folder, { recursive: true, force: true, maxRetries: 3 });
      return [];
    } catch (error) {
      return [{ ...each, why: String((error as NodeJS.ErrnoException).code) }];
    }
  });
}
