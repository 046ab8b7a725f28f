/** The element topic on Windows: snapshot, context, click, type, select, scroll, wait and tables. */
import type { ElementPort } from '../desktop/index.ts';
import { RefBook, RefCounter } from './uia/refs.ts';
import type { Win32Services } from './services.ts';
import { takeSnapshot } from './uia/snapshot.ts';

export interface ElementOptions {
  /** The first number of a ref; a new worker starts past the refs of the one before it. */
  readonly refBase?: number;
}

/** The port, and where the next worker's refs must start. */
export interface Win32ElementPort extends ElementPort {
  refHigh(): number;
}

export function createElementPort(services: Win32Services, options: ElementOptions = {}): Win32ElementPort {
  const counter = new RefCounter(options.refBase ?? 1);
  const books = services.ownerState(() => new RefBook(counter));
  return {
    refHigh: () => counter.next,
    snapshot: async (record, wanted, call) => takeSnapshot(books.get(call.owner), record, wanted, call),
  } as Win32ElementPort;
}
