// The demonstration of `npm start`: the window of `uiahost demo`, and whether it came.
import { createHash } from 'node:crypto';
import { constants, copyFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheFolder, root, windowsPath } from './places.mjs';
import { windowsNodeHere } from './host.mjs';
import { start } from './processes.mjs';

const every = 250;

/**
 * Whether the host sees a window of a process within the time (milliseconds).
 * @param {{ url: string, token: string, pid: number, within: number }} wanted
 */
export async function windowCame({ url, token, pid, within }) {
  const end = performance.now() + within;
  for (;;) {
    if ((await windowsOf(url, token)).some((window) => window.pid === pid)) return true;
    if (performance.now() >= end) return false;
    await sleep(every);
  }
}

/**
 * @param {boolean | Promise<boolean>} came whether the demo shows a window
 * @param {(text: string) => void} say
 */
export async function sayIfMissing(came, say) {
  if (await came) return;
  say('The demo has not shown a window: bind another window, or open the demo with: node bin/uiahost.mjs demo');
}

/**
 * On Windows, children outlive a process that is ended by force, as some terminals do when they are closed. A small process waits
 * for the end of its pipe from us, and ends the demo then.
 * @param {import('node:child_process').ChildProcess} demo
 */
export function endWithThisProcess(demo) {
  if (demo.pid === undefined) return;
  const script = `process.stdin.resume().on('end', () => { try { process.kill(${demo.pid}); } catch {} process.exit(); })`;
  const keeper = start(process.execPath, ['-e', script], { stdio: ['pipe', 'ignore', 'ignore'] });
  keeper.on('error', () => {});
  keeper.stdin?.on('error', () => {});
  keeper.unref();
  // another process may get its id
  demo.once('exit', () => keeper.kill());
}

/** What the host lists; empty if it does not answer. */
async function windowsOf(url, token) {
  try {
    const answer = await fetch(`${url}/v1/actions/list-visible-windows`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: '{}',
      signal: AbortSignal.timeout(5000),
    });
    return answer.ok ? /** @type {{ value: Array<{ pid: number }> }} */ (await answer.json()).value : [];
  } catch {
    return [];
  }
}

/**
 * How the demo is started: program and arguments. Applications are known by their program, so it runs in a Node with a name
 * of its own: what it is granted is not granted to every program that Node runs.
 * @param {string} windowsTree folder of ensureWindowsTree
 * @returns {{ program: string, args: string[] }}
 */
export function demoCommand(windowsTree) {
  const node = windowsNodeHere(windowsTree);
  const { size, mtimeMs } = statSync(node);
  const version = createHash('sha256').update(`${node} ${size} ${mtimeMs}`).digest('hex').slice(0, 12);
  const program = path.join(cacheFolder(), `demo-${version}`, 'uiahost-demo.exe');
  if (!existsSync(program)) {
    mkdirSync(path.dirname(program), { recursive: true });
    const made = `${program}.${process.pid}`;
    // Not a link: Windows gives a program's processes the name under which its file was opened first.
    copyFileSync(node, made, constants.COPYFILE_FICLONE);
    renameSync(made, program);
  }
  return { program, args: [windowsPath(path.join(root, 'dist/demo.mjs'))] };
}
