/**
 * The ports of a simulated desktop: they judge nothing, and honour what the gate passes on, as the Windows ports do.
 */
import type { AppIdentity, BindingRecord } from '../../src/contract/element/binding.ts';
import type { ElementContext, ElementInfo, ElementQuery } from '../../src/contract/element/element.ts';
import { UiaHostError } from '../../src/contract/errors.ts';
import type { Point } from '../../src/contract/element/geometry.ts';
import type { Outcome } from '../../src/contract/outcome.ts';
import { placeOfPath } from '../../src/contract/gate/app-match.ts';
import type { PermittedPlace } from '../../src/contract/gate/exit.ts';
import type { CallContext, Desktop, DeliveryMode, Done, TargetSpec } from '../../src/desktop/index.ts';
import { bestOf, controlTypesOf } from '../../src/win32/elements/finding/query.ts';
import { seenPartAt, SimulatedInput, type Harm, seenParts } from './simulated-input.ts';
import { chooseJudged, chosenIn } from './simulated-choice.ts';
import { carryOut, type Aimed } from './simulated-exits.ts';
import { APPS, DENIED, makeScene, READ_ONLY, type Setting } from './simulated-scene.ts';
import { contains, type Part, type SimulatedWindow } from './simulated-window.ts';
import { wordsOf } from '../support/words.ts';

const done = <T>(value: T, delivery: Outcome['delivery'] = 'posted'): Done<T> => ({
  value,
  outcome: {
    effect: delivery === 'none' ? 'none' : 'unverified',
    delivery,
    evidence: [],
    attempts: [],
    focusChanged: false,
    cursorMoved: false,
  },
});

function carriedOut(aimed: Aimed, { permit }: CallContext): Done<boolean> {
  carryOut(aimed, permit);
  return done(true);
}

/** Buttons, fields and rows in view, and the items of closed combo boxes. */
const isReached = (part: Part): boolean => !part.isDisabled && !NEVER_REACHED.has(part.role);
const NEVER_REACHED: ReadonlySet<Part['role']> = new Set<Part['role']>(wordsOf`
  Text StatusBar MenuBar List Pane
`);

export interface SimulatedDesktop {
  readonly desktop: Desktop;
  readonly input: SimulatedInput;
  heldKeys(owner: string): readonly string[];
}

/** `onHarm` is called for each planted target that input reaches. */
export function simulateDesktop(setting: Setting, onHarm: (harm: Harm) => void): SimulatedDesktop {
  const windows = makeScene(setting);
  const input = new SimulatedInput(
    windows,
    windows.find(({ key }) => key === setting.front) ?? null,
    setting.tokenApps,
    onHarm,
  );
  const held = new Map<string, Set<string>>();
  const pointers = new Map<string, Point>();
  let cursor: Point = { x: 1200, y: 700 };
  let downAt: { window: SimulatedWindow; part: Part | null } | null = null;

  const windowOf = (record: BindingRecord): SimulatedWindow => {
    const found = windows.find((window) => window.record.hwnd === record.hwnd && window.isVisible);
    if (found === undefined) throw new UiaHostError('window_gone', 'The window is gone.');
    return found;
  };
  // A ref names its element wherever it is now.
  const numbers = new Map(
    windows.flatMap((window) => [...seenParts(window)].map((part, index) => [part, index + 2] as const)),
  );
  const refOf = (window: SimulatedWindow, part: Part | null): string =>
    `e${Number(window.record.hwnd) * 100 + (part === null ? 1 : (numbers.get(part) ?? 0))}`;

  const infoOf = (window: SimulatedWindow, part: Part | null): ElementInfo => {
    if (part === null) {
      return {
        ref: refOf(window, null),
        controlType: window.isMenu ? 'Menu' : 'Window',
        name: window.title,
        automationId: '',
        rect: window.rect,
        states: [],
        source: 'uia',
        identity: window.record.hwnd,
        isDefaultButton: false,
      };
    }
    const holder = window.parts.find(({ parts }) => parts.includes(part));
    return {
      ref: refOf(window, part),
      controlType: part.role,
      name: part.name,
      automationId: part.key,
      rect: part.rect,
      source: 'uia',
      identity: `${window.record.hwnd}.${part.key}`,
      isDefaultButton: part.isDefault,
      states: [
        ...(window.focus === part ? ['focused' as const] : []),
        ...(part.isDisabled ? ['disabled' as const] : []),
        ...(part.isPassword ? ['password' as const] : []),
        ...(holder !== undefined && holder.at >= 0 && holder.parts[holder.at] === part ? ['selected' as const] : []),
      ],
    };
  };

  const byRef = (window: SimulatedWindow, ref: string): Part | null => {
    if (ref === refOf(window, null)) return null;
    const found = [...seenParts(window)].find((part) => refOf(window, part) === ref);
    if (found === undefined) throw new UiaHostError('element_stale', `${ref} is not there any more; nothing was done.`);
    return found;
  };

  const locate = (window: SimulatedWindow, { name, role, automationId, ref }: ElementQuery): Part | null => {
    if (ref !== undefined) return byRef(window, ref);
    if (name === undefined && role === undefined && automationId === undefined) return null;
    const types = role === undefined ? null : controlTypesOf(role);
    const fitting = [...seenParts(window)].filter(
      (part) =>
        (types === null || types.includes(part.role)) && (automationId === undefined || part.key === automationId),
    );
    const found = name === undefined ? fitting : bestOf(fitting, (part) => part.name, name);
    if (found.length === 0) throw new UiaHostError('target_not_found', 'No element answers to this query.');
    if (found.length > 1) throw new UiaHostError('target_ambiguous', `${found.length} elements answer.`);
    return found[0]!;
  };

  /** The element that keys reach: the current item of a list, else the part with the focus. */
  const focusedPart = (window: SimulatedWindow): Part | null =>
    window.focus?.role === 'List' ? (window.focus.parts[window.focus.at] ?? window.focus) : window.focus;

  /** The part with the focus, as Windows reports it: not what is drawn in it. */
  const focusOf = (window: SimulatedWindow): string =>
    window.focus === null ? '0' : (infoOf(window, window.focus).identity ?? '0');

  const contextOf = (window: SimulatedWindow, target: TargetSpec): ElementContext => {
    let element: ElementInfo | null = null;
    if (target.kind === 'element') element = infoOf(window, locate(window, target.query));
    if (target.kind === 'focus') element = focusedPart(window) === null ? null : infoOf(window, focusedPart(window));
    if (target.kind === 'point')
      element = contains(window.rect, target.at) ? infoOf(window, seenPartAt(window, target.at)) : null;
    const seen = [...seenParts(window)];
    const texts = seen.filter(({ role }) => role === 'Text').map(({ name }) => name);
    const standard = window.focus?.role === 'Button' ? window.focus : (seen.find(({ isDefault }) => isDefault) ?? null);
    const shown = window.console === null ? [] : [`${window.console.screen}${window.console.line}`];
    return {
      element,
      ...(target.kind === 'focus' ? { keysTo: { posted: focusOf(window), real: focusOf(window) } } : {}),
      document: { kind: window.address === null ? 'none' : 'page', address: window.address },
      ...reachIn(window),
      ...chosenIn(
        window,
        target,
        (part) => infoOf(window, part),
        () => locate(window, target.kind === 'element' ? target.query : {}),
        windows,
      ),
      dialogTitle: window.title,
      dialogTexts: texts,
      nearbyTexts: texts,
      address: window.address,
      defaultButtonName: standard?.name ?? null,
      screenTexts: [...shown, ...seen.map(({ name }) => name).filter((name) => name.length > 4)],
    };
  };

  /**
   * What keys reach wherever the focus is: entries of an open menu are in separate windows, which a reader of this one
   * does not see.
   */
  const reachIn = (window: SimulatedWindow): Pick<ElementContext, 'reachable' | 'reachesMore' | 'menu'> => ({
    reachable: [...seenParts(window)].filter(isReached).map((part) => ({
      controlType: part.role,
      name: part.name,
      automationId: part.key,
      isPassword: part.isPassword,
      isInMenu: false,
      isInComboBox: window.parts.some(({ role, parts }) => role === 'ComboBox' && parts.includes(part)),
    })),
    reachesMore: false,
    menu: input.isInMenu(window) ? 'open' : window.isDialog ? 'none' : 'closed',
  });

  const conflict = (what: string): UiaHostError =>
    new UiaHostError('state_conflict', `${what} is not the one that was judged; nothing was sent.`);
  /** What was judged at a point, or to have the focus, is still there. */
  const assertJudged = (
    window: SimulatedWindow,
    part: Part | null,
    judged: PermittedPlace | null | undefined,
  ): void => {
    if (judged === null || judged === undefined) return;
    if (judged.window !== null && judged.window.hwnd !== window.record.hwnd) throw conflict('The window');
    if (judged.element !== null && judged.element.identity !== infoOf(window, part).identity)
      throw conflict('What lies there');
  };
  /** Real keys go to the foreground: only if it is the judged window. */
  const keysTo = (record: BindingRecord | null, delivery: DeliveryMode, call: CallContext): SimulatedWindow => {
    const judged = call.permit?.target;
    if (record !== null && delivery === 'background') return windowOf(record);
    const { front } = input;
    if (front === null) throw new UiaHostError('desktop_unavailable', 'Nothing is in front.');
    if (judged !== undefined && (judged.window ?? record)?.hwnd !== front.record.hwnd)
      throw conflict('The window in front');
    return front;
  };
  /** The first key of a call goes to the part that was judged. */
  const assertSameFocus = (record: BindingRecord | null, delivery: DeliveryMode, call: CallContext): void => {
    const judged = call.permit?.target.keysTo;
    if (judged !== undefined && judged.posted !== focusOf(keysTo(record, delivery, call)))
      throw conflict('The part with the focus');
  };
  const heldOf = (owner: string): Set<string> => {
    const found = held.get(owner) ?? new Set<string>();
    held.set(owner, found);
    return found;
  };
  const pointerAt = (record: BindingRecord | null, delivery: DeliveryMode, call: CallContext): Point | null =>
    record !== null && delivery === 'background' ? (pointers.get(call.owner) ?? null) : cursor;
  const movePointer = (record: BindingRecord | null, delivery: DeliveryMode, to: Point, call: CallContext): void => {
    if (record !== null && delivery === 'background') pointers.set(call.owner, to);
    else cursor = to;
  };
  /** Real clicks go to the topmost window there and bring it forward; messages go to the bound window. */
  const clickTo = (
    record: BindingRecord | null,
    delivery: DeliveryMode,
    at: Point,
    judged: PermittedPlace | null | undefined,
  ): SimulatedWindow | null => {
    const isPosted = record !== null && delivery === 'background';
    const window = isPosted ? windowOf(record) : input.at(at);
    if (window === null || !contains(window.rect, at)) return null;
    if (!isPosted && judged !== undefined && (judged?.window ?? record)?.hwnd !== window.record.hwnd)
      throw conflict('The window at this point');
    assertJudged(window, seenPartAt(window, at), judged);
    return window;
  };
  const click = (
    record: BindingRecord | null,
    at: Point,
    options: { button: string; count: number; delivery: DeliveryMode },
    call: CallContext,
  ): Done<boolean> => {
    movePointer(record, options.delivery, at, call);
    const window = clickTo(record, options.delivery, at, call.permit?.target);
    if (window === null) return done(true);
    if (options.delivery === 'foreground' && !window.isMenu && input.front !== window) input.activate(window);
    if (options.button !== 'middle')
      for (let count = 0; count < options.count; count += 1) input.click(window, at, options.button === 'right');
    return done(true);
  };
  const button = (
    record: BindingRecord | null,
    change: 'down' | 'up',
    point: Point | null,
    delivery: DeliveryMode,
    call: CallContext,
    judged: PermittedPlace | null | undefined = call.permit?.target,
  ): Done<boolean> => {
    const at = point ?? pointerAt(record, delivery, call);
    const window = at === null ? null : clickTo(record, delivery, at, judged);
    if (at === null || window === null) return done(false);
    if (point !== null) movePointer(record, delivery, point, call);
    input.reach(window, `button ${change}`);
    const part = seenPartAt(window, at);
    if (change === 'up' && downAt?.window === window && downAt.part === part) input.click(window, at);
    downAt = change === 'down' ? { window, part } : null;
    return done(true);
  };
  const launched = (app: AppIdentity): void => {
    input.touch(app, 'started');
    if (app === DENIED) input.harm('denied', 'started', null);
    if (app === READ_ONLY) input.harm('readOnly', 'started', null);
  };
  const resolve = (name: string): (typeof APPS)[keyof typeof APPS] | null => {
    const wanted = name.toLowerCase();
    const file = wanted.includes('.') ? wanted : `${wanted}.exe`;
    return (
      Object.values(APPS).find(
        (app) =>
          app.bundleId === wanted || app.displayName.toLowerCase() === wanted || app.bundleId.endsWith(`\\${file}`),
      ) ?? null
    );
  };
  /** The terminal, and the program in it: an agent's own, or the first word of a command. */
  const programsOf = ({ agent, command = '' }: { agent: string; command?: string | undefined }): AppIdentity[] => {
    const named =
      agent === 'custom'
        ? resolve(command.split(' ')[0]!)
        : { bundleId: `c:\\agents\\${agent}.exe`, displayName: agent, executable: `C:\\Agents\\${agent}.exe` };
    return [...new Set([APPS.shell, ...(named === null ? [] : [named])])];
  };
  const looking = (record: BindingRecord): SimulatedWindow => {
    const window = windowOf(record);
    if (window.harm === 'denied') input.harm('denied', 'looked at', window);
    input.touch(window.record.app, 'looked at');
    return window;
  };
  const geometry = {
    imageWidth: 1280,
    imageHeight: 800,
    displayWidth: 1280,
    displayHeight: 800,
    originX: 0,
    originY: 0,
  };

  const ports: { [K in keyof Desktop]: Partial<Desktop[K]> } = {
    app: {
      resolve: async (name: string) => resolve(name),
      isForeign: async (path: string) => ['remote', 'device'].includes(placeOfPath(path)),
      frontmost: async () => input.front?.record.app ?? null,
      underPoint: async (at) => input.at(at)?.record.app ?? null,
      async open(bundleId) {
        const app = resolve(bundleId);
        if (app === null) throw new UiaHostError('launch_failed', 'There is no such program.');
        launched(app);
        return done(null, 'win32');
      },
    },
    binding: {
      async find({ hwnd, title, pid, only }) {
        const isFor = ({ record }: SimulatedWindow): boolean =>
          only === undefined || only.some((name) => record.app.bundleId.endsWith(`\\${name}`));
        const found = windows.find(
          (window) =>
            window.isVisible &&
            isFor(window) &&
            (hwnd === undefined || window.record.hwnd === hwnd) &&
            (title === undefined || window.title === title) &&
            (pid === undefined || window.record.pid === pid),
        );
        if (found === undefined) throw new UiaHostError('target_not_found', 'No window fits.');
        return { ...found.record, title: found.title };
      },
      at: async (point) => input.at(point)?.record ?? null,
      front: async (bound) =>
        (bound === null
          ? input.front?.record
          : input.front?.owner?.record.hwnd === bound.hwnd
            ? input.front.record
            : bound) ?? null,
      verify: async (record) => void windowOf(record),
      isAlive: async (record) => windows.some((window) => window.record.hwnd === record.hwnd && window.isVisible),
      describe: async (record) => ({ title: windowOf(record).title, rect: windowOf(record).rect }),
      release: async (_record, call) => void held.delete(call.owner),
    },
    capture: {
      window: async (record) => {
        looking(record);
        throw new UiaHostError('capture_failed', 'Nothing is painted here.');
      },
    },
    sheet: {},
    clipboard: {
      read: async () => input.clipboard,
      write: async (text) => {
        input.clipboard = text;
        return done(null, 'win32');
      },
    },
    display: {
      list: async () => [
        { displayId: 1, width: 1280, height: 800, scaleFactor: 1, originX: 0, originY: 0, isPrimary: true },
      ],
    },
    element: {
      geometry: async () => geometry,
      snapshot: async (record, options) => {
        looking(record);
        return {
          observationId: options.observationId,
          accessibilityText: '',
          partial: false,
          geometry,
          elementCount: 0,
          isPart: options.within !== undefined,
        };
      },
      find: async (record) => {
        looking(record);
        return { accessibilityText: '', total: 0, partial: false, geometry };
      },
      facts: async (record, ref) => {
        looking(record);
        const part = byRef(windowOf(record), ref);
        if (part === null) throw new UiaHostError('element_stale', `Unknown ref ${ref}.`);
        return { sources: [{ source: 'uia', controlType: part.role, name: part.name }], path: null };
      },
      context: async (record, target) => contextOf(windowOf(record), target),
      async click(record, ref, _options, call) {
        const window = windowOf(record);
        const part = byRef(window, ref);
        if (part === null || part.isDisabled)
          throw new UiaHostError('target_disabled', 'It cannot be clicked; nothing was done.');
        return carriedOut({ input, window, part }, call);
      },
      async typeInto(record, ref, _text, _options, call) {
        const window = windowOf(record);
        const part = byRef(window, ref);
        if (part === null || (part.role !== 'Edit' && part.role !== 'Document'))
          throw new UiaHostError('target_readonly', 'It takes no text; nothing was done.');
        return carriedOut({ input, window, part, held: heldOf(call.owner) }, call);
      },
      async select(record, ref, item, call) {
        const window = windowOf(record);
        const part = byRef(window, ref);
        input.reach(window, 'select');
        const choose = (): void => chooseJudged(input, window, part, item, (each) => infoOf(window, each), windows);
        return carriedOut({ input, window, part, choose }, call);
      },
      scrollIntoView: async (record, ref, call) => {
        const window = windowOf(record);
        return carriedOut({ input, window, part: ref === null ? null : byRef(window, ref) }, call);
      },
      waitQuiet: async () => done(true, 'none'),
    },
    indicator: {},
    keyboard: {
      async typeText(record, text, { viaClipboard, delivery }, call) {
        assertSameFocus(record, delivery, call);
        const window = keysTo(record, delivery, call);
        if (viaClipboard) input.paste(window, text);
        else input.typeText(window, text, heldOf(call.owner));
        return done(true);
      },
      async chords(record, chords, repeat, delivery, call) {
        assertSameFocus(record, delivery, call);
        for (let round = 0; round < repeat; round += 1)
          for (const chord of chords) input.chord(keysTo(record, delivery, call), chord, heldOf(call.owner));
        return done(true);
      },
      async press(record, keys, delivery, call) {
        const before = new Set(heldOf(call.owner));
        for (const key of keys) heldOf(call.owner).add(key);
        assertSameFocus(record, delivery, call);
        input.chord(keysTo(record, delivery, call), keys.join('+'), before);
        return done(true);
      },
      async release(_record, keys, _delivery, call) {
        for (const key of keys) heldOf(call.owner).delete(key);
        return done(true);
      },
      async hold(record, keys, _durationMs, delivery, call) {
        // Long enough for one repetition.
        assertSameFocus(record, delivery, call);
        for (let sent = 0; sent < 2; sent += 1) input.chord(keysTo(record, delivery, call), keys.join('+'));
        return done(true);
      },
      releaseAll: async () => held.clear(),
    },
    pointer: {
      move: async (record, to, { delivery }, call) => {
        movePointer(record, delivery, to, call);
        return done(true);
      },
      click: async (record, at, options, call) => click(record, at, options, call),
      button: async (record, change, at, { delivery }, call) => button(record, change, at, delivery, call),
      async drag(record, from, to, { delivery }, call) {
        const start = from ?? pointerAt(record, delivery, call);
        if (start !== null) button(record, 'down', start, delivery, call, call.permit?.start);
        return button(record, 'up', to, delivery, call);
      },
      async wheel(record, at, { vertical }, { delivery }, call) {
        const window = clickTo(record, delivery, at, call.permit?.target);
        if (window !== null) input.wheel(window, at, vertical);
        return done(true);
      },
      position: async (record, delivery, call) => pointerAt(record, delivery, call),
      cursor: async () => cursor,
    },
    system: { capabilities: async () => ({}) },
    terminal: {
      programs: async (options) => programsOf(options),
      async open(options) {
        if (options.command !== undefined) input.harm('customCommand', `${options.agent} ${options.command}`, null);
        for (const program of programsOf(options)) launched(program);
        return done({ hwnd: '61', pid: 1061, title: 'Command Prompt', launched: true }, 'win32');
      },
      async respond(record, answer) {
        const window = windowOf(record);
        if (window.console === null) throw new UiaHostError('unsupported', 'This is no terminal.');
        if (answer.responseType === 'type') input.typeText(window, `${answer.text}\n`);
        else if (answer.responseType !== 'no')
          input.chord(window, answer.responseType === 'escape' ? 'escape' : 'enter');
        return done(true, 'console');
      },
      read: async (record) => ({
        screen: looking(record).console?.screen ?? '',
        scrollback: null,
        cursor: null,
        exitStatus: null,
      }),
    },
    window: {
      listVisible: async () => [],
      rect: async (record) => windowOf(record).rect,
      async manage(record, action) {
        const window = windowOf(record);
        input.reach(window, action);
        if (action === 'focus' || action === 'restore') input.activate(window);
        return done(true, 'win32');
      },
      clientToScreen: async (record, point) => ({
        x: point.x + windowOf(record).rect.x,
        y: point.y + windowOf(record).rect.y,
      }),
      screenToClient: async (record, point) => ({
        x: point.x - windowOf(record).rect.x,
        y: point.y - windowOf(record).rect.y,
      }),
      async activate(record, point, call) {
        const window = windowOf(record);
        input.activate(window);
        if (point !== null)
          click(
            record,
            { x: point.x + window.rect.x, y: point.y + window.rect.y },
            { button: 'left', count: 1, delivery: 'foreground' },
            call,
          );
        return done(true, 'win32');
      },
    },
  };
  return { desktop: ports as unknown as Desktop, input, heldKeys: (owner) => [...(held.get(owner) ?? [])] };
}
