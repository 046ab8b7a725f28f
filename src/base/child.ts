/**
 * A child process with a message channel: started, restarted if it ends unexpectedly, killed if it does not end when
 * asked.
 */
import { fork, type ChildProcess } from 'node:child_process';

/**
 * This many starts within the window are immediate; after that, one each second, so that a process that cannot start
 * does not cause a fork storm.
 */
const RESTART_LIMIT = 5;
const RESTART_WINDOW_MS = 10_000;
const RETRY_MS = 1000;
/** How long a child that was asked to end may take before it is killed. */
const END_MS = 1500;

export type ChildState = 'starting' | 'restarting' | 'ready' | 'failed';

export interface ChildOptions<Received> {
  /** The bundle or source file that it runs. */
  readonly file: string;
  /** Its whole environment; default: ours. */
  readonly env?: NodeJS.ProcessEnv;
  /** Whether a child that ended is restarted automatically; otherwise the next `start` does it. */
  readonly isKept: boolean;
  /** A process was started: send here what it must receive first. */
  onStart?(pid: number | null): void;
  onMessage(message: Received): void;
  /** It could not be started, or a message could not be sent. */
  onError?(error: Error): void;
  /** It ended unexpectedly; unanswered calls will never be answered. The next one is started afterwards. */
  onLost(how: string): void;
  onState?(state: ChildState): void;
}

/** A thread that hangs in native code cannot be stopped, but a process can be killed, in a few milliseconds. */
export class SupervisedChild<Sent extends object, Received> {
  readonly #options: ChildOptions<Received>;
  readonly #recentRestarts: number[] = [];
  #child: ChildProcess | null = null;
  #state: ChildState = 'starting';
  #restarts = 0;
  #isEnding = false;
  #toStart: NodeJS.Timeout | undefined;

  constructor(options: ChildOptions<Received>) {
    this.#options = options;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get isRunning(): boolean {
    return this.#child !== null;
  }

  get state(): ChildState {
    return this.#state;
  }

  /** How often a child was replaced. */
  get restarts(): number {
    return this.#restarts;
  }

  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Starts a child if none runs. Blocks this thread for a tenth of a second. */
  start(): void {
    clearTimeout(this.#toStart);
    if (this.#child === null && !this.#isEnding) this.#spawn();
  }

  /** It has reported that it is ready. */
  isReady(): void {
    this.#setState('ready');
  }

  /** Sends a message; false if no child runs, and nothing was sent. */
  send(message: Sent): boolean {
    if (this.#child?.connected !== true) return false;
    this.#child.send(message, () => {});
    return true;
  }

  /**
   * Kills it; `onLost` is not called. A kept child is restarted after `beforeNext`.
   * @param afterMs time for what must leave this process before the start blocks it
   */
  replace(beforeNext: () => void = () => {}, afterMs = 0): void {
    const old = this.#child;
    this.#child = null;
    old?.kill('SIGKILL');
    beforeNext();
    if (this.#options.isKept && !this.#isEnding) this.#respawn(afterMs);
  }

  /** Ends it permanently: by the message, or by a kill if that takes too long. */
  async end(message: Sent): Promise<void> {
    this.#isEnding = true;
    clearTimeout(this.#toStart);
    const ending = this.#child;
    if (ending === null) return;
    const gone = new Promise<void>((resolve) => {
      ending.once('exit', () => resolve());
    });
    this.send(message);
    const timer = setTimeout(() => ending.kill('SIGKILL'), END_MS);
    await gone;
    clearTimeout(timer);
  }

  #setState(state: ChildState): void {
    this.#state = state;
    this.#options.onState?.(state);
  }

  #spawn(): void {
    const state = this.#restarts === 0 ? 'starting' : 'restarting';
    if (state === 'starting' || this.#state !== state) this.#setState(state);
    const { file, env } = this.#options;
    const started = fork(file, [], {
      ...(env === undefined ? {} : { env }),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      windowsHide: true,
      // Not ours, which a debugger or a test may have set.
      execArgv: [],
    } as Parameters<typeof fork>[2]);
    this.#child = started;
    started.on('message', (message) => {
      if (this.#child === started) this.#options.onMessage(message as Received);
    });
    started.on('error', (error) => this.#options.onError?.(error));
    started.on('exit', (code, signal) => {
      if (this.#child !== started) return;
      this.#child = null;
      if (this.#isEnding) return;
      this.#options.onLost(String(signal ?? code));
      if (this.#options.isKept) this.#respawn();
    });
    this.#options.onStart?.(started.pid ?? null);
  }

  #respawn(afterMs = 0): void {
    const now = Date.now();
    this.#recentRestarts.push(now);
    while ((this.#recentRestarts[0] ?? now) < now - RESTART_WINDOW_MS) this.#recentRestarts.shift();
    this.#restarts += 1;
    const isOften = this.#recentRestarts.length > RESTART_LIMIT;
    this.#setState(isOften ? 'failed' : 'restarting');
    const waitMs = isOften ? RETRY_MS : afterMs;
    clearTimeout(this.#toStart);
    if (waitMs > 0) this.#toStart = setTimeout(() => this.start(), waitMs);
    else this.#spawn();
  }
}
