// A Windows desktop on Linux: an X server without a screen, a compositor, and Wine with its own disk. stop() ends
// everything in it, and so does the kernel if the process that started it is killed.
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { cacheFolder, root, windowsPath } from './places.mjs';
import { ensurePrefix } from './prefix.mjs';
import { onProcessor, processorOfDesktop } from './processors.mjs';
import { end, ended, isAlive, runQuietly, signalGroup, start } from './processes.mjs';
import { SetupError } from './progress.mjs';
import { ensureWine } from './wine.mjs';
import { openDisplay } from './x-client.mjs';
import { pictureOfDisplay } from './x-picture.mjs';
import { startXServer } from './x-server.mjs';

/**
 * @typedef {object} DesktopDescription what another process needs to use a running desktop (desktop.json)
 * @property {string} display
 * @property {string} prefix
 * @property {number} pid of the process that started it and will end it
 * @property {{ xvfb: number, wineserver: number }} pids
 * @property {number} [processor] that its programs stay on (processors.mjs); without it all
 * @property {string} wine the loader
 * @property {string} wineserver
 * @property {Record<string, string>} env
 */

/**
 * Variables of the caller that programs on the desktop get; everything else (keys, tokens) stays outside. Not
 * TMPDIR: Debian's Wine 10 aborts with it.
 */
const passedOn = ['PATH', 'HOME', 'USER', 'LOGNAME', 'TZ'];

/** One program on a desktop; also the host. */
export class Desktop {
  /** @type {Set<import('node:child_process').ChildProcess>} */
  #programs = new Set();

  /** @param {DesktopDescription} description */
  constructor(description) {
    this.description = description;
    this.display = description.display;
    this.prefix = description.prefix;
    this.env = description.env;
  }

  /**
   * Starts a Windows program on the desktop (a Linux path, a Windows path or a name such as "notepad.exe"). The child's
   * pid is the program's own. It ends with the desktop, or with this process.
   * @param {string} program
   * @param {readonly string[]} [args]
   * @param {{ env?: Record<string, string | undefined>, cwd?: string, stdio?: import('node:child_process').StdioOptions }} [options] env: added to the desktop's
   * @returns {import('node:child_process').ChildProcess}
   */
  run(program, args = [], { env, cwd, stdio } = {}) {
    const child = start(...this.command([program, ...args]), {
      env: { ...this.env, ...env },
      cwd,
      stdio,
    });
    this.#programs.add(child);
    child.once('exit', () => this.#programs.delete(child));
    return child;
  }

  /**
   * The same on Linux: a command and its arguments.
   * @param {readonly [program: string, ...args: string[]]} words
   */
  command([program, ...args]) {
    return onProcessor(this.description.processor, this.description.wine, [this.programFile(program), ...args]);
  }

  /** The same desktop for programs that need every processor. */
  onAllProcessors() {
    const { processor: _, ...description } = this.description;
    return new Desktop(description);
  }

  /** Wine starts a program that it must search for through another one, and the child's pid would be the other's. */
  programFile(program) {
    const own = path.join(this.prefix, 'drive_c/windows/system32', program);
    return /^[\w.-]+$/.test(program) && existsSync(own) ? `C:\\windows\\system32\\${program}` : program;
  }

  /**
   * Writes a PNG of the whole screen, and returns it.
   * @param {string} [file]
   * @returns {Promise<Buffer>}
   */
  async picture(file) {
    const { png } = await pictureOfDisplay(this.display);
    if (file) writeFileSync(file, png);
    return png;
  }

  /**
   * Waits until a window is shown that is not tiny (as Wine's helper windows are).
   * @param {number} [milliseconds]
   * @returns {Promise<boolean>} false if none appeared in time
   */
  async waitForWindow(milliseconds = 20_000) {
    const client = await openDisplay(this.display);
    try {
      for (const until = performance.now() + milliseconds; performance.now() < until;) {
        if ((await client.shownWindows()).some(({ width, height }) => width > 100 && height > 100)) return true;
        await new Promise((done) => setTimeout(done, 50));
      }
      return false;
    } finally {
      client.close();
    }
  }

  /** Ends every program that this process started on the desktop. */
  async endPrograms() {
    await Promise.all([...this.#programs].map((child) => end(child, 0)));
  }

  /** Only the process that started the desktop ends it; see startDesktop. */
  async stop() {
    await this.endPrograms();
  }
}

/** A desktop that another process started; stop() leaves it running and ends this process's programs only. */
export function attachDesktop(description) {
  if (!isAlive(description.pid))
    throw new SetupError(
      `The desktop on ${description.display} is gone: its starter (process ${description.pid}) has ended.`,
      'node scripts/start.mjs',
    );
  return new Desktop(description);
}

/**
 * Starts a desktop.
 * @param {{ width?: number, height?: number, prefix?: string, lane?: number, requestLog?: string, narrow?: string }} [options] size in
 *   pixels; narrow: folder with Wine's 32-bit half (ensureNarrowWine), where 32-bit programs run too; prefix: folder of the Windows disk, kept at the end (created if missing); without it a fresh folder,
 *   removed at the end; lane: the desktop's number among those at the same time; requestLog: file for each request to
 * Wine's server, with its arguments: typed texts too, so only for benches
 * @returns {Promise<OwnDesktop>}
 */
export async function startDesktop({ width = 1280, height = 800, prefix, lane, requestLog, narrow } = {}) {
  const wine = await ensureWine();
  const processor = await processorOfDesktop(lane);
  const disk = prefix ?? temporaryPrefix();
  /** @type {import('node:child_process').ChildProcess[]} */
  const started = [startKeeper(disk)];
  try {
    const [x] = await Promise.all([
      startXServer(wine, { width, height, processor }).then((server) => {
        started.push(server.process);
        return server;
      }),
      ensurePrefix(wine, disk),
    ]);
    if (narrow !== undefined) linkNarrow(narrow, disk);
    const env = {
      ...desktopEnvironment(wine, x.display, disk),
      ...(narrow === undefined ? {} : { WINEDLLPATH: narrow }),
    };
    const compositor = start(...onProcessor(processor, wine.xcompmgr, ['-a']), { env });
    started.push(compositor);
    compositor.on('error', () => {});
    const server = await startWineServer(wine, env, disk, processor, requestLog);
    started.push(server);
    // Wine's services inherit the standard streams of the first program and would keep its pipes open: so one without any
    await runQuietly(...onProcessor(processor, wine.wine, ['C:\\windows\\system32\\cmd.exe', '/c', 'exit']), {
      env,
      what: 'the first Windows program',
    });
    return new OwnDesktop(
      {
        display: x.display,
        prefix: disk,
        pid: process.pid,
        pids: { xvfb: x.process.pid, wineserver: server.pid },
        ...(processor === undefined ? {} : { processor }),
        wine: wine.wine,
        wineserver: wine.wineserver,
        env,
      },
      started,
      prefix === undefined,
    );
  } catch (error) {
    await Promise.all(started.map((child) => end(child)));
    if (prefix === undefined) rmSync(disk, { recursive: true, force: true });
    throw error;
  }
}

/** Puts the 32-bit DLLs where 32-bit programs look for them. */
function linkNarrow(narrow, disk) {
  const folder = path.join(disk, 'drive_c/windows/syswow64');
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(path.join(narrow, 'i386-windows')))
    if (!existsSync(path.join(folder, name)))
      symlinkSync(path.join(narrow, 'i386-windows', name), path.join(folder, name));
}

class OwnDesktop extends Desktop {
  #started;
  #isTemporary;
  #stopping;

  constructor(description, started, isTemporary) {
    super(description);
    this.#started = started;
    this.#isTemporary = isTemporary;
  }

  /** Resolves when a part of the desktop ends without stop(), with its name. */
  lost() {
    const [, xServer, , wineServer] = this.#started;
    const unasked = (what) => (this.#stopping ? new Promise(() => {}) : what);
    return Promise.race([
      ended(xServer).then(() => unasked('the X server')),
      ended(wineServer).then(() => unasked("Wine's server")),
    ]);
  }

  /** @override */
  stop() {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop() {
    const [keeper, xServer, compositor, wineServer] = this.#started;
    await end(keeper, 0);
    const place = serverPlace(this.prefix);
    // the server first ends every Windows program, including children of programs
    await killWineServer(this.description, this.env, wineServer);
    await this.endPrograms();
    killPrefix(this.prefix);
    await end(compositor);
    await end(xServer);
    for (const left of [place.folder, place.note]) rmSync(left, { recursive: true, force: true });
    if (this.#isTemporary) rmSync(this.prefix, { recursive: true, force: true, maxRetries: 5 });
  }
}

function desktopEnvironment(wine, display, prefix) {
  const kept = Object.fromEntries(
    passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  return {
    ...kept,
    ...wine.env,
    DISPLAY: display,
    WINEPREFIX: prefix,
    // Node for Windows cannot open Linux pipes as its standard streams; quotes: the path may have spaces
    NODE_OPTIONS: `--require "${windowsPath(path.join(root, 'scripts/runtime/wine-stdio.cjs')).replaceAll('\\', '/')}"`,
  };
}

/** The server in the foreground, so that it is our child and is ended with us; Wine's programs end with it. */
async function startWineServer(wine, env, prefix, processor, requestLog) {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    // the server creates the files of all programs: tokens and logs are for this user only
    const script = requestLog === undefined ? 'umask 077; exec "$0" -f -p' : 'umask 077; exec "$0" -f -p -d1 2>>"$1"';
    const command = onProcessor(processor, 'sh', ['-c', script, wine.wineserver, requestLog ?? '']);
    const server = start(...command, { env, deathSignal: 'TERM' });
    const failure = new Promise((_, reject) => server.once('error', reject));
    const isUp = async () => {
      for (let tries = 0; tries < 500 && server.exitCode === null && server.signalCode === null; tries += 1) {
        if (existsSync(serverPlace(prefix).socket)) {
          // an old socket may still exist: a server that finds another one running ends within moments
          if (!(await ended(server, 60))) return true;
        } else {
          await new Promise((done) => setTimeout(done, 10));
        }
      }
      return false;
    };
    if (await Promise.race([isUp(), failure])) return server;
    // a desktop that outlived its starter still has this disk
    await killWineServer(wine, env, undefined);
  }
  throw new SetupError(
    `Wine's server did not start for ${prefix}.`,
    `end the programs that use this Windows disk (WINEPREFIX=${prefix} ${wine.wineserver} -k), or name another data directory in UIAHOST_DATA_DIR`,
  );
}

async function killWineServer({ wineserver }, env, child) {
  const asked = runQuietly(wineserver, ['-k'], { env, what: 'wineserver -k' }).catch(() => {});
  if (child && !(await ended(child, 5000))) {
    signalGroup(child, 'SIGKILL');
    await ended(child, 2000);
  }
  await asked;
}

/**
 * Kills what still runs on a prefix: a program that is just starting can miss the end of its server and wait
 * indefinitely.
 */
function killPrefix(prefix) {
  const mark = Buffer.from(`\0WINEPREFIX=${prefix}\0`);
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const environment = Buffer.concat([Buffer.from('\0'), readFileSync(`/proc/${pid}/environ`)]);
      if (environment.includes(mark)) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // another user's process, or it ended meanwhile
    }
  }
}

/**
 * Does the same if this process is killed: it waits for the end of the pipe from us. The kernel then ends our own
 * children, but not what they started.
 */
function startKeeper(prefix) {
  const script =
    'cat >/dev/null; for round in 1 2 3; do sleep 0.3; for file in $(grep -lzxF -- "$1" /proc/[0-9]*/environ 2>/dev/null); do file=${file#/proc/}; kill -KILL "${file%/environ}" 2>/dev/null; done; done';
  const keeper = spawn('sh', ['-c', script, 'uiahost-keeper', `WINEPREFIX=${prefix}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: { PATH: process.env.PATH },
  });
  keeper.stdin.on('error', () => {});
  keeper.unref();
  return keeper;
}

/**
 * Where Wine's server keeps the socket of a prefix, and the folder to remove with it: by device and inode, in
 * hexadecimal. Debian's Wine puts that into a folder with a random name, which it notes in the prefix.
 */
function serverPlace(prefix) {
  const { dev, ino } = statSync(prefix, { bigint: true });
  const own = `server-${dev.toString(16)}-${ino.toString(16)}`;
  const note = path.join(prefix, 'wineserver');
  if (existsSync(note)) {
    const folder = path.join('/tmp', readFileSync(note, 'latin1').replace(/\0.*$/s, ''));
    return { socket: path.join(folder, own, 'socket'), folder, note };
  }
  const folder = path.join(`/tmp/.wine-${os.userInfo().uid}`, own);
  return { socket: path.join(folder, 'socket'), folder, note };
}

let temporaryCount = 0;
/** A new folder name for a prefix of this process; those of processes that were killed are removed on the way. */
function temporaryPrefix() {
  const folder = path.join(cacheFolder(), 'desktops');
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (!isAlive(Number.parseInt(name, 10))) rmSync(path.join(folder, name), { recursive: true, force: true });
  }
  temporaryCount += 1;
  return path.join(folder, `${process.pid}-${temporaryCount}`);
}
