/** The element topic on Windows: snapshot, context, click, type, select, scroll, wait and tables. */
import type { CallContext, ElementPort } from '../desktop/index.ts';
import type { Win32Services } from './services.ts';
import { clickElement } from './uia/actions/click.ts';
import { readElementTable } from './uia/actions/read-table.ts';
import { scrollElementIntoView, scrollPage } from './uia/actions/scroll.ts';
import { selectElement } from './uia/actions/select.ts';
import { typeIntoElement } from './uia/actions/type-into.ts';
import { waitForElement, waitUntilQuiet } from './uia/actions/wait.ts';
import { readContext } from './uia/context.ts';
import type { ReadOptions } from './uia/observe.ts';
import { RefBook, RefCounter } from './uia/refs.ts';
import { takeSnapshot } from './uia/snapshot.ts';
import { Deadline } from './waiting.ts';

export interface ElementOptions {
  /** The first number of a ref; a new worker starts past the refs of the one before it. */
  readonly refBase?: number;
}

/** The port, and where the next worker's refs must start. */
export interface Win32ElementPort extends ElementPort {
  refHigh(): number;
}

/** Time for looking at the window, so that a hung one leaves some for the answer. */
const READ_MS = 5000;

/** What one owner has seen, and what the policy allowed it the last time that it looked. */
interface OwnerElements {
  readonly refs: RefBook;
  remoteControlMemory: boolean;
}

export function createElementPort(services: Win32Services, options: ElementOptions = {}): Win32ElementPort {
  const counter = new RefCounter(options.refBase ?? 1);
  const owners = services.ownerState<OwnerElements>(() => ({ refs: new RefBook(counter), remoteControlMemory: true }));
  const reading = (call: CallContext): ReadOptions => ({
    budgetMs: new Deadline(call).share(READ_MS), remoteControlMemory: owners.get(call.owner).remoteControlMemory,
  });
  return {
    refHigh: () => counter.next,
    async snapshot(record, wanted, call) {
      const owner = owners.get(call.owner);
      owner.remoteControlMemory = wanted.remoteControlMemory;
      return takeSnapshot(owner.refs, record, wanted, call);
    },
    context: async (record, target, call) => readContext(owners.get(call.owner).refs, record, target, reading(call)),
    click: async (record, ref, wanted, call) => clickElement(owners.get(call.owner).refs, record, ref, wanted, call, reading(call)),
    typeInto: async (record, ref, text, wanted, call) => typeIntoElement(owners.get(call.owner).refs, record, ref, text, wanted, call, reading(call)),
    select: async (record, ref, item, call) => selectElement(owners.get(call.owner).refs, record, ref, item, call, reading(call)),
    scrollIntoView: async (record, ref, call) => (ref === null
      ? scrollPage(record, call, reading(call))
      : scrollElementIntoView(owners.get(call.owner).refs, record, ref, call, reading(call))),
    waitFor: async (record, what, call) => waitForElement(owners.get(call.owner).refs, record, what, call, reading(call)),
    waitQuiet: async (record, quietMs, call) => waitUntilQuiet(record, quietMs, call, reading(call)),
    readTable: async (record, ref, range, call) => readElementTable(owners.get(call.owner).refs, record, ref, range, call, reading(call)),
  };
}
