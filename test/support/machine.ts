/** Measures calls against their deadline, on machines whose speed is not known. */
import { Worker } from 'node:worker_threads';

/** What a call may take beyond its deadline, on a machine that is not overloaded. */
export const BEYOND_MS = 250;
const NAP_MS = 25;

/** Sleeps on a thread of its own and reports how much longer than asked for the longest nap was. */
const NAPPER = `
const { parentPort } = require('node:worker_threads');
const cell = new Int32Array(new SharedArrayBuffer(4));
let worst = 1;
const nap = () => {
  const from = performance.now();
  Atomics.wait(cell, 0, 0, ${NAP_MS});
  worst = Math.max(worst, (performance.now() - from) / ${NAP_MS});
  setImmediate(nap);
};
parentPort.on('message', () => { parentPort.postMessage(worst); worst = 1; });
nap();
`;

/** The machine's own delay during a piece of work: 1 where threads are run when they are due. */
export class Machine implements AsyncDisposable {
  readonly #napper = new Worker(NAPPER, { eval: true });

  /** Runs it and returns how long it took, and the most that its deadline allows here. */
  async measure<T>(deadlineMs: number, run: () => Promise<T>): Promise<{ value: T; tookMs: number; atMostMs: number }> {
    await this.#worst();
    const from = performance.now();
    const value = await run();
    const tookMs = performance.now() - from;
    return { value, tookMs, atMostMs: deadlineMs + BEYOND_MS * (await this.#worst()) };
  }

  #worst(): Promise<number> {
    return new Promise((resolve) => {
      this.#napper.once('message', resolve);
      this.#napper.postMessage('');
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#napper.terminate();
  }
}
