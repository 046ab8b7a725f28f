/** A scripted desktop for tests of the host; it records what is delivered. */
import type { AppIdentity, BindingRecord } from '../../../src/contract/element/binding.ts';
import type { ChosenItem, ElementContext, ElementInfo } from '../../../src/contract/element/element.ts';
import { LOOKER } from '../../../src/contract/gate/looker.ts';
import { placeOfPath } from '../../../src/contract/gate/app-match.ts';
import { UiaHostError } from '../../../src/contract/errors.ts';
import type { Outcome } from '../../../src/contract/outcome.ts';
import type { SessionFacts } from '../../../src/contract/process/doctor.ts';
import type { CallContext, Desktop } from '../../../src/desktop/index.ts';

/** A desktop that is none: a scripted window with elements, for tests of the host on any system. It records what is delivered. */
export interface StandInDesktop {
  readonly desktop: Desktop;
  readonly delivered: string[];
  elements: ElementInfo[];
  dialogTexts: string[];
  window: BindingRecord | null;
  /** What lies under every point, and under the pointer; null = unknown. */
  under: ElementInfo | null;
  /** Policy of the last calls, as the desktop was told it: `topic.method`. */
  readonly allowsMemory: Map<string, boolean>;
  /** Address of the page, where the window is a browser's; null = unknown. */
  address: string | null;
  /** What other names than Notepad’s mean. */
  readonly apps: Map<string, AppIdentity>;
  /** The frame that every element is in; null = the page itself. */
  frame: ElementContext['document'] | null;
  /** The item that a choice would come to. */
  chosen: ChosenItem[] | null;
  /** Name of the desktop that has the input; null = another one, such as the lock screen. */
  inputDesktop: string | null;
  /** The element with the keyboard focus. */
  focused: ElementInfo | null;
  /** The program keeps its focus where it is. */
  keepsFocus: boolean;
  /** How long the window keeps moving, in the scene's own time. */
  movesForMs: number;
  /** Makes deliveries wait, until the promise resolves or the call is aborted. */
  hold: Promise<void> | null;
  /** How many deliveries have been held so far. */
  held: number;
  /** What is seen of each delivery. */
  evidence: Outcome['evidence'];
}

export const WELL: SessionFacts = {
  sessionId: 1,
  inputDesktop: 'Default',
  isLocked: false,
  isConnected: true,
  displays: 1,
  ownIntegrity: 'medium',
  hasUiAutomation: true,
  hasInputOrigin: true,
  isServer: false,
  isRemote: false,
  target: null,
};

export const NOTEPAD: BindingRecord = {
  hwnd: '4242',
  pid: 100,
  processCreated: '1',
  threadId: 1,
  className: 'Notepad',
  title: 'Untitled - Notepad',
  app: {
    bundleId: 'c:\\windows\\system32\\notepad.exe',
    displayName: 'Notepad',
    executable: 'C:\\Windows\\System32\\notepad.exe',
  },
  integrity: 'medium',
};

export function element(ref: string, name: string, more: Partial<ElementInfo> = {}): ElementInfo {
  return {
    ref,
    name,
    controlType: 'Button',
    automationId: '',
    rect: { x: 10, y: 10, width: 80, height: 24 },
    states: [],
    source: 'window',
    identity: `hwnd:${ref}`,
    isDefaultButton: false,
    ...more,
  };
}

export const outcomeOf = (effect: Outcome['effect'], delivery: Outcome['delivery']): Outcome => ({
  effect,
  delivery,
  evidence: [],
  attempts: [],
  focusChanged: false,
  cursorMoved: false,
});
const confirmed = (delivery: Outcome['delivery']): Outcome => outcomeOf('confirmed', delivery);

export function createStandInDesktop(): StandInDesktop {
  const state: StandInDesktop = {
    desktop: undefined as unknown as Desktop,
    delivered: [],
    elements: [element('e1', 'Save draft'), element('e2', 'Pay invoice')],
    dialogTexts: [],
    window: NOTEPAD,
    address: null,
    frame: null,
    apps: new Map(),
    under: null,
    chosen: null,
    allowsMemory: new Map(),
    focused: null,
    keepsFocus: false,
    movesForMs: 0,
    inputDesktop: 'Default',
    hold: null,
    held: 0,
    evidence: [],
  };
  const deliver = async (what: string, call: CallContext): Promise<{ value: true; outcome: Outcome }> => {
    state.allowsMemory.set(what, call.remoteControlMemory);
    if (state.hold !== null) {
      state.held += 1;
      await Promise.race([
        state.hold,
        new Promise((_resolve, reject) => {
          call.signal.addEventListener('abort', () => reject(call.signal.reason), { once: true });
        }),
      ]);
    }
    state.delivered.push(what);
    return { value: true, outcome: { ...confirmed('message'), evidence: state.evidence } };
  };
  const find = (query: { name?: string | undefined; ref?: string | undefined }): ElementInfo => {
    const found = state.elements.filter((each) =>
      query.ref === undefined ? each.name === query.name : each.ref === query.ref,
    );
    if (found.length === 0) throw new UiaHostError('target_not_found', 'No element answers to this query.');
    if (found.length > 1)
      throw new UiaHostError('target_ambiguous', 'Two elements answer.', {
        candidates: found.map(({ ref, name }) => ({ ref, name })),
      });
    return found[0]!;
  };
  const geometry = { imageWidth: 760, imageHeight: 570, displayWidth: 760, displayHeight: 570, originX: 0, originY: 0 };
  const ports: { [K in keyof Desktop]: Partial<Desktop[K]> } = {
    app: {
      resolve: async (name: string) => state.apps.get(name) ?? NOTEPAD.app,
      isForeign: async (path: string) => ['remote', 'device'].includes(placeOfPath(path)),
      frontmost: async () => NOTEPAD.app,
      underPoint: async () => NOTEPAD.app,
      host: async () => NOTEPAD.app,
    },
    binding: {
      find: async () => {
        if (state.window === null) throw new UiaHostError('target_not_found', 'No window fits.');
        return state.window;
      },
      at: async () => state.window,
      front: async (bound) => bound ?? state.window,
      verify: async () => {
        if (state.window === null) throw new UiaHostError('window_gone', 'The window is gone.');
      },
      isAlive: async () => state.window !== null,
      describe: async () =>
        state.window === null ? null : { title: state.window.title, rect: { x: 0, y: 0, width: 760, height: 570 } },
      release: async (_record, call) => {
        if (call.owner.startsWith(LOOKER)) state.delivered.push(`left by ${call.owner}`);
      },
    },
    capture: {
      window: async () => ({
        bytes: PIXEL,
        mimeType: 'image/png',
        geometry: { ...geometry, imageWidth: 1, imageHeight: 1 },
        method: 'window-dc',
      }),
    },
    clipboard: {},
    sheet: {},
    display: {
      list: async () => [
        { displayId: 1, width: 1280, height: 800, scaleFactor: 1, originX: 0, originY: 0, isPrimary: true },
      ],
    },
    element: {
      geometry: async () => geometry,
      snapshot: async (_record, options) => ({
        observationId: options.observationId,
        accessibilityText: '[Window] "Untitled - Notepad" (0,0 760x570) ref=e9',
        partial: false,
        geometry,
        elementCount: 1,
        isPart: options.within !== undefined,
      }),
      find: async () => ({ accessibilityText: 'Button e12 "Save"', total: 1, partial: false, geometry }),
      context: async (record, target, call) => (
        state.allowsMemory.set('element.context', call.remoteControlMemory),
        {
          element:
            target.kind === 'element'
              ? find(target.query)
              : target.kind === 'point'
                ? state.under
                : target.kind === 'focus'
                  ? state.focused
                  : null,
          ...(target.kind === 'element' && target.item !== undefined ? { chosen: state.chosen } : {}),
          dialogTitle: record.title,
          dialogTexts: state.dialogTexts,
          nearbyTexts: [],
          screenTexts: [],
          address: state.address,
          document: state.frame ?? { kind: 'page', address: state.address },
          defaultButtonName: null,
          reachable: [],
          reachesMore: false,
          menu: 'none',
        }
      ),
      click: async (_record, ref, _options, call) => deliver(`click ${ref}`, call),
      typeInto: async (_record, ref, text, _options, call) => deliver(`type ${ref} ${text.length}`, call),
      select: async (_record, ref, item, call) => {
        const judged = item?.judged?.map(({ name }) => name).join(' > ');
        return deliver(
          `select ${ref} ${item?.name ?? item?.index ?? ''}${judged === undefined ? '' : `, judged as ${judged}`}`,
          call,
        );
      },
      laterChanges: async () => [],
      waitQuiet: async (_record, { quietMs, mostMs }, call) => {
        const value = state.movesForMs + quietMs <= Math.min(mostMs, call.deadlineMs);
        await deliver('wait', call);
        return {
          value,
          outcome: {
            ...confirmed('none'),
            effect: 'none',
            details: { waitedMs: value ? state.movesForMs + quietMs : Math.min(mostMs, call.deadlineMs) },
          },
        };
      },
      facts: async (_record, ref) => {
        const { controlType, name, source } = find({ ref });
        const sources = [
          { source, controlType, name, patterns: ['invoke'] },
          { source: 'window' as const, name: '', className: 'Button' },
        ];
        return { sources, path: `${controlType}[1]` };
      },
      focus: async (_record, ref, call) => {
        if (!state.keepsFocus) state.focused = find({ ref });
        return deliver(`focus ${ref}`, call);
      },
      scrollIntoView: async (_record, ref, call) => deliver(`scroll ${ref ?? 'page'}`, call),
    },
    indicator: {
      set: async (_record, change, message, call) => {
        state.delivered.push(`strip ${change} ${message ?? ''} of ${call.owner}`);
        return { active: change === 'show' };
      },
    },
    keyboard: {
      typeText: async (_record, text, _options, call) => deliver(`keys ${text.length}`, call),
      chords: async (_record, chords, _repeat, _delivery, call) => deliver(`chords ${chords.join(' ')}`, call),
      releaseAll: async () => {
        state.delivered.push('release all');
      },
    },
    pointer: {
      position: async () => ({ x: 20, y: 20 }),
      click: async (record, at, _options, call) =>
        deliver(`${record === null ? 'real ' : ''}click ${at.x},${at.y}`, call),
      button: async (_record, change, _at, _delivery, call) => deliver(`button ${change}`, call),
    },
    system: { facts: async () => ({ ...WELL, inputDesktop: state.inputDesktop }), capabilities: async () => ({}) },
    terminal: {
      programs: async () => [
        {
          bundleId: 'c:\\windows\\system32\\cmd.exe',
          displayName: 'Command Prompt',
          executable: 'C:\\Windows\\System32\\cmd.exe',
        },
      ],
    },
    window: { listVisible: async () => [], rect: async () => ({ x: 0, y: 0, width: 760, height: 570 }) },
  };
  (state as { desktop: Desktop }).desktop = ports as unknown as Desktop;
  return state;
}

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);
