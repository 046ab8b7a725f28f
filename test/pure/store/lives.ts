/** Starts the store’s victim process, kills it, and reports what it had acknowledged. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { bundled, threadEntry } from '../../support/bundled.ts';

/** What one life of the victim acknowledged before it was killed. */
export interface Life {
  readonly audit: Map<number, string>;
  readonly events: Map<string, string>;
  readonly actions: Map<string, string>;
  readonly sessions: string[];
  readonly damage: string[];
}

/** Starts the victim on a data directory, and kills it with SIGKILL `ms` after this many acknowledgements. */
export async function liveAndDie(directory: string, life: string, acknowledgements: number, ms: number): Promise<Life> {
  const child = spawn(process.execPath, [bundled('test/pure/store/victim.ts'), directory, threadEntry(), life], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<NodeJS.Signals | number | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? code)),
  );
  const seen: Life = { audit: new Map(), events: new Map(), actions: new Map(), sessions: [], damage: [] };
  let left = acknowledgements;
  let becomeOld: () => void;
  const old = new Promise<void>((resolve) => (becomeOld = resolve));
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    // A last line without its end would be read as one; every word of a line is there or the acknowledgement does not count.
    const [kind, first = '', second] = line.split(' ');
    if (kind !== 'ready' && kind !== 'damage' && (left -= 1) === 0) becomeOld();
    if (kind === 'damage') seen.damage.push(line);
    else if (kind === 'session') seen.sessions.push(first);
    else if (kind === 'audit' && second?.length === 64) seen.audit.set(Number(first), second);
    else if (kind === 'event' && second !== undefined) seen.events.set(first, second);
    else if (kind === 'action' && (second === 'running' || second === 'succeeded')) seen.actions.set(first, second);
  });
  const read = new Promise<void>((resolve) => lines.once('close', resolve));
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const early = exited.then((why) => {
    throw new Error(`the victim ended by itself: ${why}\n${complaint}`);
  });
  await Promise.race([old, early]);
  await Promise.race([wait(ms), early]);
  child.kill('SIGKILL');
  early.catch(() => undefined);
  await Promise.all([exited, read]);
  return seen;
}
