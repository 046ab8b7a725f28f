/** A program of the same user that tries to press Approve on a card (test/fixtures/attacker.c). */
import { createInterface } from 'node:readline';
import { fixture } from './desktop.ts';
import { startProgram } from './programs.ts';

export interface Attack {
  readonly name: string;
  readonly group: string;
  readonly what: string;
}

export interface Attacker extends AsyncDisposable {
  list(): Promise<Attack[]>;
  /**
   * Aims an attack at a point of the screen. `result` is what the system answered; `offered` is false if it has no such
   * call.
   */
  run(
    name: string,
    hwnd: string,
    at: { x: number; y: number },
  ): Promise<{ result: number; error: number; offered: boolean }>;
  /** Covers a part of the screen with a topmost window, which is click-through or not. */
  cover(rect: { x: number; y: number; width: number; height: number }, kind: 'opaque' | 'through'): Promise<void>;
  /** Covers a card with its own window of the same size and title. */
  forge(hwnd: string): Promise<void>;
  /** Removes its windows; returns how many real clicks they got. */
  uncover(): Promise<number>;
}

export function startAttacker(): Attacker {
  const program = startProgram(fixture('attacker.exe'), [], { streams: 'piped' });
  const { stdin, stdout } = program.process;
  if (!stdin || !stdout) throw new Error('attacker.exe has no standard streams');
  stdin.on('error', () => {});
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const ask = async (command: string): Promise<any> => {
    stdin.write(`${command}\n`);
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`attacker.exe ended before it answered "${command}"`);
    const answer = JSON.parse(value) as { error?: unknown };
    if (typeof answer.error === 'string') throw new Error(`${command}: ${answer.error}`);
    return answer;
  };
  return {
    async list() {
      return (await ask('list')).attacks as Attack[];
    },
    run: (name, hwnd, { x, y }) => ask(`run ${name} ${hwnd} ${Math.round(x)} ${Math.round(y)}`),
    async cover({ x, y, width, height }, kind) {
      await ask(`cover ${[x, y, width, height].map(Math.round).join(' ')} ${kind}`);
    },
    async forge(hwnd) {
      await ask(`forge ${hwnd}`);
    },
    async uncover() {
      return (await ask('uncover')).clicks as number;
    },
    [Symbol.asyncDispose]: () => program.kill(),
  };
}
