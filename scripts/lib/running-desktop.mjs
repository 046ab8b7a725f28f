// The desktop of the `npm start` that uses this data directory, from its file there.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { attachDesktop } from './desktop.mjs';
import { dataFolder, isWindows } from './places.mjs';
import { SetupError } from './progress.mjs';

/** @returns {import('./desktop.mjs').Desktop} */
export function runningDesktop(dataDir = dataFolder()) {
  if (isWindows)
    throw new SetupError(
      'This command is for Linux, where the host runs on its own desktop.',
      'start the program yourself',
    );
  const place = path.join(dataDir, 'desktop.json');
  if (!existsSync(place))
    throw new SetupError(
      `No desktop is running for the data directory ${dataDir}.`,
      'node scripts/start.mjs, or name the directory of the running one in UIAHOST_DATA_DIR',
    );
  return attachDesktop(JSON.parse(readFileSync(place, 'utf8')));
}
