// Zip archives whose bytes follow from the files alone: sorted, with one date and one set of rights.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { filesBelow } from './msi/files.mjs';
import { ensureInstallerTree } from './tools.mjs';

/** The zip format has local dates; this one is the same everywhere. */
const date = new Date(2000, 0, 1);

/**
 * @param {string} folder
 * @param {string} file
 * @param {string} [inside] name of the folder in the archive; none: its files are at the top
 */
export async function writeZip(folder, file, inside = '') {
  const { ZipFile } = createRequire(path.join(await ensureInstallerTree('tools'), 'package.json'))('yazl');
  const zip = new ZipFile();
  for (const name of filesBelow(folder))
    zip.addFile(path.join(folder, name), path.posix.join(inside, name), {
      mtime: date,
      mode: 0o100644,
      forceDosTimestamp: true,
    });
  zip.end();
  rmSync(file, { force: true });
  await pipeline(zip.outputStream, createWriteStream(file));
}

/** SHA-256 of a file, hexadecimal. */
export async function sha256(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
