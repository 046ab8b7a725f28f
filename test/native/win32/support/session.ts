/** One session for tests: element, keyboard and pointer with one memory of the focus. */
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../../../src/contract/element/binding.ts';
import type { CallContext, TargetSpec } from '../../../../src/desktop/index.ts';
import type { Outcome } from '../../../../src/contract/outcome.ts';
import { HeldInputs } from '../../../../src/win32/input/held-input.ts';
import { findKeyTarget, FocusMemory } from '../../../../src/win32/elements/finding/text-target.ts';
import { createKeyboardPort, createPointerPort } from '../../../../src/win32/ports/input.ts';
import { outerRect } from '../../../../src/win32/windows/rects.ts';
import { Elements } from './elements.ts';
import { newCall, type Fixture } from './programs.ts';

export class Session implements Disposable {
  readonly focus: FocusMemory;
  readonly elements: Elements;
  readonly keyboard;
  readonly pointer;

  private constructor(elements: Elements, focus: FocusMemory) {
    this.elements = elements;
    this.focus = focus;
    const parts = { held: new HeldInputs(), focus, trees: elements.port };
    this.keyboard = createKeyboardPort(elements.services, parts);
    this.pointer = createPointerPort(elements.services, parts);
  }

  static async bind(hwnd: number): Promise<Session> {
    const focus = new FocusMemory();
    const elements = await Elements.bind(hwnd, {
      focus,
      keysTo: (bound) => findKeyTarget(bound, focus, 'test/default'),
    });
    focus.follow(hwnd);
    return new Session(elements, focus);
  }

  get record(): BindingRecord {
    return this.elements.record;
  }

  /** As the host does: the gate looks before each action. */
  async type(
    text: string,
    record = this.record,
    delivery: 'background' | 'foreground' = 'background',
  ): Promise<Outcome> {
    const call = await this.judged(record);
    return (await this.keyboard.typeText(record, text, { viaClipboard: false, delivery }, call)).outcome;
  }

  async keys(
    chord: string,
    record = this.record,
    delivery: 'background' | 'foreground' = 'background',
  ): Promise<Outcome> {
    const call = await this.judged(record);
    return (await this.keyboard.chords(record, [chord], 1, delivery, call)).outcome;
  }

  /** A call with what the gate would hand over for keys now. */
  async judged(
    record = this.record,
    keys: Omit<Extract<TargetSpec, { kind: 'focus' }>, 'kind'> = {},
  ): Promise<CallContext> {
    const { element, keysTo } = await this.elements.port.context(record, { kind: 'focus', ...keys }, newCall());
    return { ...newCall(), permit: { exits: [], target: { window: record, element, keysTo }, start: null } };
  }

  /** A click in the middle of a child, or at a place from its corner. */
  async clickAt(
    fixture: Fixture,
    id: number,
    from?: { x: number; y: number },
    modifiers: readonly string[] = [],
    delivery: 'background' | 'foreground' = 'background',
  ): Promise<Outcome> {
    const rect = outerRect(user32.GetDlgItem(fixture.hwnd, id))!;
    const at =
      from === undefined
        ? { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 }
        : { x: rect.x + from.x, y: rect.y + from.y };
    await this.elements.port.context(this.record, { kind: 'point', at }, newCall());
    return (await this.pointer.click(this.record, at, { button: 'left', count: 1, modifiers, delivery }, newCall()))
      .outcome;
  }

  [Symbol.dispose](): void {
    this.focus[Symbol.dispose]();
  }
}
