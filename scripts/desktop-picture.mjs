// `npm run desktop:picture -- FILE.png`: a picture of the whole desktop of the running `npm start`, overlay included.
import path from 'node:path';
import { callerFolder } from './lib/places.mjs';
import { fail, SetupError } from './lib/progress.mjs';
import { runningDesktop } from './lib/running-desktop.mjs';

try {
  const [name] = process.argv.slice(2);
  if (!name) throw new SetupError('Usage: node scripts/desktop-picture.mjs FILE.png');
  const file = path.resolve(callerFolder(), name);
  const picture = await runningDesktop().picture(file);
  process.stdout.write(`${file}: ${(picture.length / 1024).toFixed(0)} kB\n`);
} catch (error) {
  fail(error);
}
