// Handles of windows and elements for programs: each call is a plain action underneath, and waits for its element within one deadline.
import { setTimeout as pause } from 'node:timers/promises';
import type {
  ActionResult,
  Actions,
  BindToWindowInput,
  BindToWindowValue,
  ClickElementInput,
  FindInput,
  ReadTableValue,
  SnapshotInput,
  SnapshotValue,
  WaitForInput,
} from './api.generated.ts';
import { ProblemError, TimeoutError } from './errors.ts';

/** An element as data; its rectangle is in pixels of the window's picture. */
export type ElementData = NonNullable<SnapshotValue['elements']>[number];
/** What finds an element; a text is its name or label. */
export type ElementQuery = Pick<ClickElementInput, 'name' | 'role' | 'automationId' | 'path' | 'ref'>;

export interface HandleOptions {
  /** For a call with everything that it waits for, but a person; default 10,000. */
  readonly timeoutMs?: number | undefined;
}

const DEFAULT_MS = 10_000;
/** Between two looks for a window that is not open yet. */
const LOOK_EVERY_MS = 200;
/** Tick, and untick of a box with three states. */
const MOST_CLICKS = 2;

/** Runs `act` with the time that is left until the deadline. */
type WithDeadline = <T>(act: (leftMs: number) => Promise<T>) => Promise<T>;
function deadline(timeoutMs: number = DEFAULT_MS): WithDeadline {
  const end = performance.now() + timeoutMs;
  return (act) => act(Math.max(1, Math.round(end - performance.now())));
}

const codeOf = (error: unknown): string => (error instanceof ProblemError ? error.code : '');
const isNotThere = (error: unknown): boolean => codeOf(error) === 'target_not_found';
/** What a person would wait for before acting. */
const WAITS: Readonly<Record<string, WaitForInput['condition']>> = {
  target_not_found: 'appears',
  target_disabled: 'enabled',
};

/** A window in a session of its own, so that no other handle's binding takes its place. It is bound when it is first used. */
export class WindowHandle {
  /** Every action, in this window. */
  readonly actions: Actions;
  readonly #query: BindToWindowInput;
  readonly #timeoutMs: number | undefined;
  #bound: Promise<BindToWindowValue> | undefined;

  /** @internal `UiaHostClient.window` makes it. */
  constructor(actions: Actions, query: BindToWindowInput, { timeoutMs }: HandleOptions) {
    this.actions = actions;
    this.#query = query;
    this.#timeoutMs = timeoutMs;
  }

  /** Binds the window, waiting for it to open; again only if this failed. Errors: ProblemError. */
  bind(): Promise<BindToWindowValue> {
    this.#bound ??= this.#open().catch((error: unknown) => {
      this.#bound = undefined;
      throw error;
    });
    return this.#bound;
  }

  async #open(): Promise<BindToWindowValue> {
    const within = deadline(this.#timeoutMs);
    for (;;)
      try {
        return (await this.actions.bindToWindow(this.#query)).value;
      } catch (error) {
        const left = await within(async (leftMs) => leftMs);
        if (!isNotThere(error) || left <= LOOK_EVERY_MS) throw error;
        await pause(LOOK_EVERY_MS);
      }
  }

  /** An element by its name or label, or by more. Nothing is looked up before it is used. */
  element(query: string | ElementQuery, options: HandleOptions = {}): ElementHandle {
    const wanted = typeof query === 'string' ? { name: query } : query;
    return new ElementHandle(this, wanted, options.timeoutMs ?? this.#timeoutMs);
  }

  /** The elements that fit now; without a query those of a snapshot. */
  async elements(query?: FindInput): Promise<ElementData[]> {
    if (query === undefined) return (await this.snapshot()).elements ?? [];
    await this.bind();
    return (await this.actions.find({ limit: 100, ...query })).value.elements ?? [];
  }

  async snapshot(input: SnapshotInput = {}): Promise<SnapshotValue> {
    await this.bind();
    return (await this.actions.snapshot(input)).value;
  }

  /** Keys for whatever has the focus: `ctrl+s`. */
  async press(keySequence: string): Promise<ActionResult> {
    await this.bind();
    return this.actions.key({ keySequence });
  }

  /** An entry of its menu by its path: `File > Save As…`. */
  async menu(item: string): Promise<ActionResult> {
    await this.bind();
    return this.actions.selectElement({ item });
  }
}

/** An element by its query, looked up again by each call. Errors of all calls: ProblemError; target_ambiguous has `candidates`. */
export class ElementHandle {
  readonly window: WindowHandle;
  readonly query: ElementQuery;
  readonly #timeoutMs: number | undefined;

  /** @internal `WindowHandle.element` makes it. */
  constructor(window: WindowHandle, query: ElementQuery, timeoutMs: number | undefined) {
    this.window = window;
    this.query = query;
    this.#timeoutMs = timeoutMs;
  }

  /** Acts; where the element is not there yet, or is disabled, waits for it and acts again. */
  async #act<T>(act: (actions: Actions, query: ElementQuery & { deadlineMs: number }) => Promise<T>): Promise<T> {
    await this.window.bind();
    const { actions } = this.window;
    const within = deadline(this.#timeoutMs);
    const once = (): Promise<T> => within((deadlineMs) => act(actions, { ...this.query, deadlineMs }));
    return once().catch(async (error: unknown) => {
      const condition = WAITS[codeOf(error)];
      if (condition === undefined) throw error;
      await within((deadlineMs) => actions.waitFor({ ...this.query, condition, deadlineMs })).catch(() => {
        throw error;
      });
      return once();
    });
  }

  /** Waits, by default until it is there; null once it is gone. */
  async waitFor({ condition, value }: Pick<WaitForInput, 'condition' | 'value'> = {}): Promise<ElementData | null> {
    await this.window.bind();
    const input = { ...this.query, condition, value, deadlineMs: this.#timeoutMs ?? DEFAULT_MS };
    const { element } = (await this.window.actions.waitFor(input)).value;
    return element === null ? null : { ...element, role: element.controlType };
  }

  /** The element as it is now; waits until it is there. */
  async read(): Promise<ElementData> {
    return (await this.waitFor())!;
  }

  /** Whether it is there now. */
  async exists(): Promise<boolean> {
    const { elements = [] } = await this.window.snapshot({ ...this.query, depth: 0 }).catch((error: unknown) => {
      if (isNotThere(error)) return {} as Partial<SnapshotValue>;
      throw error;
    });
    return elements.length > 0;
  }

  /** What it holds; null where it holds nothing, and for a password. */
  async value(): Promise<string | null> {
    return (await this.read()).value ?? null;
  }

  /** What it holds, or its name. */
  async text(): Promise<string> {
    const { value, name } = await this.read();
    return value ?? name;
  }

  /** Replaces what it holds. */
  setValue(text: string): Promise<ActionResult> {
    return this.#act((actions, query) => actions.typeIntoElement({ ...query, text }));
  }

  click(options: Pick<ClickElementInput, 'button' | 'count' | 'delivery'> = {}): Promise<ActionResult> {
    return this.#act((actions, query) => actions.clickElement({ ...query, ...options }));
  }

  /** Ticks a check box, or unticks it. Errors: TimeoutError where clicks do not change it. */
  async check(on = true): Promise<void> {
    for (let clicks = 0; ; clicks += 1) {
      const { states } = await this.read();
      if (states.includes('checked') === on && !states.includes('mixed')) return;
      if (clicks === MOST_CLICKS)
        throw new TimeoutError(`It was clicked ${clicks} times and is still not ${on ? 'checked' : 'unchecked'}.`);
      await this.click();
    }
  }

  /** Chooses an item by its name or its index from 0; without one the element itself, a row or a tab. */
  select(item?: string | number): Promise<ActionResult> {
    const wanted = typeof item === 'number' ? { index: item } : { item };
    return this.#act((actions, query) => actions.selectElement({ ...query, ...wanted }));
  }

  /** Gives it the keyboard focus of its program, then presses keys. */
  async press(keySequence: string): Promise<ActionResult> {
    await this.#act((actions, query) => actions.focusElement(query));
    return this.window.actions.key({ keySequence });
  }

  /** What is directly in it. */
  async children(): Promise<ElementData[]> {
    const { elements = [] } = (await this.#act((actions, query) => actions.snapshot({ ...query, depth: 1 }))).value;
    return elements.filter(({ parent }) => parent === elements[0]?.ref);
  }

  /** Rows of a list, grid or tree with their cells; `totalRows` has how many there are. */
  async rows(range: { readonly from?: number; readonly count?: number } = {}): Promise<ReadTableValue> {
    return (await this.#act((actions, query) => actions.readTable({ ...query, ...range }))).value;
  }
}
