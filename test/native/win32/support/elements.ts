/** The element topic in this process, and shorthands for tests of it. */
import { vi } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../../../src/contract/element/binding.ts';
import type { ElementContext, ElementQuery, WantedItem } from '../../../../src/contract/element/element.ts';
import { UiaHostError, type ErrorCode } from '../../../../src/contract/errors.ts';
import type { CallContext, Done, SnapshotData, SnapshotOptions, TargetSpec } from '../../../../src/desktop/index.ts';
import { createBindingPort } from '../../../../src/win32/ports/binding.ts';
import { createElementPort, type ElementOptions, type Win32ElementPort } from '../../../../src/win32/ports/element.ts';
import { createWin32Services, type Win32Services } from '../../../../src/win32/ports/services.ts';
import { parseTree, type TreeNode } from '../../../support/snapshot-tree.ts';
import { newCall, type Fixture, type JournalEntry } from './programs.ts';
import { until } from '../../../support/until.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
// A desktop that was just made believes the cursor at 0,0 until it is first moved, and would report a move later on.
user32.SetCursorPos(1200, 780);

type Purpose = Extract<TargetSpec, { kind: 'element' }>['purpose'];

let observations = 0;
let standing: ElementOptions = {};

/** Whether the tests that are being collected will run where proxies show the controls. */
export const collecting = { isNative: false };

/** For tests of what is so only where no proxy shows the controls, or cannot be tried there: nothing is defined then. */
export const bare = <T>(define: T): T => (collecting.isNative ? ((() => {}) as T) : define);

/** Options of every element port that is made from now on, where it has no others. */
export function showBy(options: ElementOptions): void {
  standing = options;
}

/** The element port bound to one window. */
export class Elements {
  readonly port: Win32ElementPort;
  readonly record: BindingRecord;
  readonly services: Win32Services;

  readonly #deadlineMs: number;

  private constructor(services: Win32Services, port: Win32ElementPort, record: BindingRecord, deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
    this.services = services;
    this.port = port;
    this.record = record;
  }

  /** @param deadlineMs of its calls: more for a window that takes seconds to read on a loaded machine */
  static async bind(hwnd: number, options: ElementOptions = {}, deadlineMs = 10_000): Promise<Elements> {
    const services = createWin32Services();
    const port = createElementPort(services, { ...standing, ...options });
    const record = await createBindingPort(services).find({ hwnd: String(hwnd) }, newCall());
    return new Elements(services, port, record, deadlineMs);
  }

  /** What is at the centre of an element, and whether it takes a caret there. */
  async caretAt(automationId: string): Promise<unknown> {
    const { x, y, width, height } = (await this.context({ automationId })).element!.rect;
    const at = { x: x + Math.floor(width / 2), y: y + Math.floor(height / 2) };
    const found = await this.port.context(this.record, { kind: 'point', at }, newCall());
    return [found.element?.automationId, found.takesCaret ?? false];
  }

  /** The same session, bound to another window: a dialog. */
  async bound(hwnd: number): Promise<Elements> {
    return new Elements(
      this.services,
      this.port,
      await createBindingPort(this.services).find({ hwnd: String(hwnd) }, newCall()),
      this.#deadlineMs,
    );
  }

  #call(): CallContext {
    return newCall({ deadlineMs: this.#deadlineMs });
  }

  snapshot(options: Partial<SnapshotOptions> = {}, call: CallContext = this.#call()): Promise<SnapshotData> {
    return this.port.snapshot(
      this.record,
      {
        observationId: `obs_${++observations}`,
        maxTokens: 50_000,
        maxElements: 5000,
        budgetMs: 8000,
        remoteControlMemory: true,
        ...options,
      },
      call,
    );
  }

  async nodes(options: Partial<SnapshotOptions> = {}, call: CallContext = this.#call()): Promise<TreeNode[]> {
    return parseTree((await this.snapshot(options, call)).accessibilityText);
  }

  context(query: ElementQuery, purpose: Purpose = 'click', call: CallContext = this.#call()): Promise<ElementContext> {
    return this.port.context(this.record, { kind: 'element', query, purpose }, call);
  }

  async ref(query: ElementQuery, purpose: Purpose = 'click'): Promise<string> {
    return (await this.context(query, purpose)).element!.ref;
  }

  async click(
    query: ElementQuery,
    delivery: 'background' | 'foreground' = 'background',
    call: CallContext = this.#call(),
  ): Promise<Done<boolean>> {
    return this.port.click(this.record, await this.ref(query), { delivery }, call);
  }

  async type(
    query: ElementQuery,
    text: string,
    options: { mode?: 'replace' | 'append'; isSecret?: boolean } = {},
  ): Promise<Done<boolean>> {
    return this.port.typeInto(
      this.record,
      await this.ref(query, 'type'),
      text,
      { mode: 'replace', delivery: 'background', isSecret: false, ...options },
      this.#call(),
    );
  }

  async select(query: ElementQuery, item: { name?: string; index?: number } | null): Promise<Done<boolean>> {
    const { element, chosen } = await this.meant(query, item);
    return this.port.select(
      this.record,
      element!.ref,
      item === null ? null : { ...item, judged: chosen },
      this.#call(),
    );
  }

  /** What the gate sees of a choice. */
  async meant(query: ElementQuery, item: WantedItem | null): Promise<ElementContext> {
    return this.port.context(
      this.record,
      { kind: 'element', query, purpose: 'select', ...(item === null ? {} : { item }) },
      this.#call(),
    );
  }
}

/** The typed error that a call ends with. */
export async function refusal(work: Promise<unknown>, code: ErrorCode): Promise<UiaHostError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof UiaHostError && error.code === code) return error;
    throw error;
  }
  throw new Error(`Expected ${code}, but it succeeded.`);
}

/** The one node of a parsed snapshot that fits. */
export function only(nodes: readonly TreeNode[], wanted: Partial<TreeNode>): TreeNode {
  const found = nodes.filter((node) =>
    Object.entries(wanted).every(([key, value]) => node[key as keyof TreeNode] === value),
  );
  if (found.length !== 1) throw new Error(`${found.length} elements are ${JSON.stringify(wanted)}`);
  return found[0]!;
}

/** Waits for an entry of a fixture's journal: the second witness. */
export function journaled(
  fixture: Fixture,
  event: string,
  wanted: Record<string, unknown> = {},
): Promise<JournalEntry> {
  return until(
    () =>
      fixture
        .journal()
        .find((entry) => entry.event === event && Object.entries(wanted).every(([key, value]) => entry[key] === value)),
    `${event} ${JSON.stringify(wanted)}`,
  );
}

/** What the controls of a fixture hold now, by its own account. */
export async function dump(fixture: Fixture): Promise<Map<number, JournalEntry>> {
  const before = fixture.journal().filter((entry) => entry.event === 'dumped').length;
  await fixture.tell('dump');
  await until(() => fixture.journal().filter((entry) => entry.event === 'dumped').length > before, 'the dump');
  return new Map(
    fixture
      .journal()
      .filter((entry) => entry.event === 'state')
      .map((entry) => [entry['id'] as number, entry]),
  );
}
