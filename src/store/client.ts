import type { OpenReport, RetentionPolicy, RetentionReport } from './records.ts';
import type { Repositories } from './repositories/types.ts';

/** The same methods, each answered when everything it wrote is on disk. Calls are carried out in the order they were made. */
export type Remote<R> = { readonly [K in keyof R]: R[K] extends (...args: infer A) => infer V ? (...args: A) => Promise<V> : never };

/** The way into the store's thread. Other things that must not make the main loop wait for a disk live there too. */
export interface StoreThread {
  call(service: string, method: string, args: readonly unknown[]): Promise<unknown>;
}

export type Store = { readonly [T in keyof Repositories]: Remote<Repositories[T]> } & {
  readonly opened: OpenReport;
  readonly thread: StoreThread;
  /** Deletes what is past its time. */
  retain(policy: RetentionPolicy): Promise<RetentionReport>;
  /** Resolves when everything sent before is on disk. */
  flush(): Promise<void>;
  /** Finishes what was sent, closes the files and ends the thread. Further calls reject. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

export interface StoreOptions {
  /** Path of the database; its folder is made if it is not there. */
  readonly file: string;
  /** What the thread runs: `src/entry/store.ts`, or its bundle. */
  readonly threadEntry?: string | URL;
}
