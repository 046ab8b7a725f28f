/** Every bound function returns when it is called, or is reported as missing on this system. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CALLS, LIBRARIES } from './support/every-function.ts';

const CHILD = fileURLToPath(new URL('support/call-each.ts', import.meta.url));
/** A call that takes longer hangs: the slowest (making a console) takes a fraction of a second. */
const LIMIT_MS = 40_000;

interface Round {
  returned: Map<string, string>;
  absent: string[];
  stuck: string | undefined;
  ended: boolean;
  stderr: string;
}

/** Runs one child from the function after `after` until it ends, hangs or dies. */
function callFrom(after: string, limitMs = LIMIT_MS, ...more: string[]): Promise<Round> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CHILD, after, ...more], {
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const round: Round = { returned: new Map(), absent: [], stuck: undefined, ended: false, stderr: '' };
    let rest = '';
    let timer = setTimeout(() => child.kill(), limitMs);
    child.stderr.on('data', (chunk: Buffer) => void (round.stderr += chunk.toString()));
    child.stdout.on('data', (chunk: Buffer) => {
      clearTimeout(timer);
      timer = setTimeout(() => child.kill(), limitMs);
      const lines = (rest + chunk.toString()).split(/\r?\n/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line === 'end') round.ended = true;
        const [, sign, name, result = ''] = /^([>=-]) (\S+) ?(.*)$/.exec(line) ?? [];
        if (sign === '>') round.stuck = name;
        else if (sign === '=') {
          round.returned.set(name!, result);
          round.stuck = undefined;
        } else if (sign === '-') round.absent.push(name!);
      }
    });
    child.on('error', reject);
    child.on('close', (status, signal) => {
      clearTimeout(timer);
      round.stderr += ` (${status ?? signal})`;
      resolve(round);
    });
  });
}

describe('every bound function', () => {
  const names = Object.entries(LIBRARIES).flatMap(([dll, library]) =>
    Object.keys(library.declarations).map((name) => `${dll}.${name}`),
  );

  it('returns when it is called once with harmless arguments', { timeout: 300_000 }, async () => {
    const returned = new Map<string, string>();
    const absent: string[] = [];
    const failed: string[] = [];
    for (let after = '', ended = false; !ended;) {
      const round = await callFrom(after);
      for (const [name, result] of round.returned) returned.set(name, result);
      absent.push(...round.absent);
      ended = round.ended;
      if (ended) break;
      if (round.stuck === undefined) throw new Error(`The child ended between two calls: ${round.stderr}`);
      failed.push(`${round.stuck} never returned: ${round.stderr}`);
      after = round.stuck;
    }
    const threw = [...returned]
      .filter(([, result]) => result.startsWith('threw'))
      .map(([name, result]) => `${name} ${result}`);
    expect([...failed, ...threw]).toEqual([]);
    // Each function was called, or is absent from this system.
    expect(new Set([...returned.keys(), ...absent])).toEqual(new Set(names));
    expect(returned.size).toBeGreaterThan(380);
  });

  it('sees where a call hangs', async () => {
    const round = await callFrom('ntdll.NtQueryInformationProcess', 10_000, 'ntdll.RtlGetVersion');
    expect({ stuck: round.stuck, ended: round.ended }).toEqual({ stuck: 'ntdll.RtlGetVersion', ended: false });
  });

  it('has no argument for a function that is not bound', () => {
    expect(Object.keys(CALLS).filter((name) => !names.includes(name))).toEqual([]);
  });
});
