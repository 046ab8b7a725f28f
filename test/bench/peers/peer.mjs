// One peer in Node for Windows: `peer.mjs FOLDER NAME HWND PID REPEATS` times what it can do with the window. It writes
// lines of JSON: one when it begins with a thing, and one with the milliseconds and the result.
import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, name, hwndText, pidText, repeatsText] = process.argv.slice(2);
const [hwnd, pid, repeats] = [hwndText, pidText, repeatsText].map(Number);
const require = createRequire(join(folder, 'package.json'));
const WARM_UP = 2;

/** The last picture of the thing that is measured, for the bench to judge. */
let picture;
const pixels = (bytes) => (bytes.every((byte, at) => byte === bytes[at % 4]) ? 'blank' : 'pixels, no PNG');
const png = (bytes) => {
  picture = Buffer.from(bytes).toString('base64');
  return `PNG, ${Math.round(bytes.length / 1000)} kB`;
};

const loaders = {
  async 'node-screenshots'() {
    const { Monitor, Window } = require(name);
    return {
      'list windows': () => `${Window.all().map((window) => window.title()).length} windows`,
      'picture of the display': async () => png(await (await Monitor.all()[0].captureImage()).toPng()),
      'picture of the window': async () => {
        const window = Window.all().find((each) => each.id() === hwnd);
        return window === undefined ? 'window not found' : png(await (await window.captureImage()).toPng());
      },
    };
  },
  async robotjs() {
    const robot = require(name);
    return {
      'picture of the display': () => pixels(robot.screen.capture().image),
    };
  },
  async '@nut-tree-fork/nut-js'() {
    const { getWindows, screen } = require(name);
    return {
      'list windows': async () => {
        const windows = await getWindows();
        for (const window of windows) await window.title;
        return `${windows.length} windows`;
      },
      'picture of the display': async () => pixels((await screen.grab()).data),
    };
  },
  async '@trycua/cua-driver'() {
    const { CuaDriver } = await import(pathToFileURL(join(folder, 'node_modules', name, 'dist/index.js')).href);
    const driver = CuaDriver.create(undefined);
    const state = (tree, picture) =>
      driver.getWindowState({
        pid,
        windowId: BigInt(hwnd),
        includeAccessibilityTree: tree,
        includeScreenshot: picture,
      });
    let at = 0;
    return {
      'list windows': async () => `${(await driver.listWindows({ onScreenOnly: true })).windows.length} windows`,
      'picture of the display': async () => {
        const [image] = (await driver.getDesktopState({})).images;
        return image === undefined ? 'no picture' : png(Buffer.from(image.dataBase64 ?? image.data, 'base64'));
      },
      'move the window': async () => {
        await driver.setWindowFrame({
          pid,
          windowId: BigInt(hwnd),
          x: 10 + (at++ & 1),
          y: 10,
          width: 1000,
          height: 700,
        });
        return 'moved';
      },
      // Last, since they may hang or end the process.
      'picture of the window': async () => {
        const { images, screenshotImage } = await state(false, true);
        const image = screenshotImage ?? images?.[0];
        return image === undefined ? 'no picture' : png(Buffer.from(image.dataBase64 ?? image.data, 'base64'));
      },
      'elements of the window': async () => `${(await state(true, false)).elements?.length ?? 0} elements`,
    };
  },
};

/** process.stdout does not work on Unix pipes under Wine, and a pipe takes a part at a time. */
function tell(what, found) {
  const line = Buffer.from(`${JSON.stringify({ what, ...found })}\n`);
  for (let done = 0; done < line.length;) done += writeSync(1, line, done);
}

async function measure(what, run) {
  tell(what, { ms: [], note: 'hangs, or ends its process' });
  const ms = [];
  let note = '';
  picture = undefined;
  try {
    for (let round = -WARM_UP; round < repeats; round += 1) {
      const from = performance.now();
      note = await run();
      if (round >= 0) ms.push(performance.now() - from);
    }
  } catch (error) {
    note = `fails: ${String(error.message ?? error).slice(0, 60)}`;
  }
  tell(what, { ms, note, picture });
}

tell('loading', { ms: [], note: 'does not load' });
const begun = performance.now();
const things = await loaders[name]();
tell('loading', { ms: [performance.now() - begun], note: '' });
for (const what of Object.keys(things)) tell(what, { ms: [], note: 'not reached' });
for (const [what, run] of Object.entries(things)) await measure(what, run);
process.exit(0);
