/** A simulated world for tests of the gate: applications, windows, elements, and a person who answers. */
import { createHmac } from 'node:crypto';
import { ACTIONS, METHODS, type ActionDefinition } from '../../../src/actions/index.ts';
import type { AppIdentity, BindingRecord } from '../../../src/contract/element/binding.ts';
import type { ControlType, ElementState } from '../../../src/contract/element/control-types.ts';
import type { ElementContext, ElementInfo } from '../../../src/contract/element/element.ts';
import { placeOfPath } from '../../../src/contract/gate/app-match.ts';
import { UiaHostError, type ErrorCode } from '../../../src/contract/errors.ts';
import { defaultPolicy, type Policy } from '../../../src/contract/gate/permissions.ts';
import type { ProposerClaims, ActionTarget, ActionTraits } from '../../../src/contract/gate/traits.ts';
import type { CellsBefore } from '../../../src/contract/cells/sheet.ts';
import { Allowances } from '../../../src/policy/rights/allowances.ts';
import type {
  Answer,
  CardDraft,
  GateRecord,
  GateSession,
  GateSubject,
  GateWorld,
} from '../../../src/policy/gate/gate-types.ts';
import { LeftBehind } from '../../../src/policy/risk/content/keyboard.ts';
import { SessionGrants } from '../../../src/policy/rights/grants.ts';

/** An application by its path. */
export function installed(executable: string, displayName: string): AppIdentity {
  return { bundleId: executable.toLowerCase(), displayName, executable };
}
export const NOTEPAD = installed('C:\\Windows\\notepad.exe', 'Notepad');
export const CHROME = installed('C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe', 'Google Chrome');
export const TERMINAL = installed('C:\\Windows\\System32\\cmd.exe', 'Command Prompt');
export const TRADER = installed('C:\\Program Files\\MT5\\terminal64.exe', 'MetaTrader 5');
export const MAIL = installed('C:\\Program Files\\Thunderbird\\thunderbird.exe', 'Thunderbird');
export const CALCULATOR: AppIdentity = {
  bundleId: 'Microsoft.WindowsCalculator_8wekyb3d8bbwe!App',
  displayName: 'Calculator',
  executable: 'C:\\Program Files\\WindowsApps\\Microsoft.WindowsCalculator_11\\CalculatorApp.exe',
};

export function bound(app: AppIdentity, more: Partial<BindingRecord> = {}): BindingRecord {
  return {
    hwnd: '65552',
    pid: 40,
    processCreated: '133000000000000000',
    threadId: 44,
    className: 'Main',
    title: `${app.displayName} – window`,
    app,
    integrity: 'medium',
    ...more,
  };
}

export function element(
  controlType: ControlType,
  name: string,
  more: Partial<ElementInfo> & { states?: ElementState[] } = {},
): ElementInfo {
  return {
    ref: 'e7',
    controlType,
    name,
    automationId: '',
    rect: { x: 10, y: 20, width: 80, height: 24 },
    states: [],
    source: 'uia',
    identity: `42.7.${name}`,
    isDefaultButton: false,
    ...more,
  };
}

export function context(info: ElementInfo | null, more: Partial<ElementContext> = {}): ElementContext {
  return {
    element: info,
    dialogTitle: '',
    dialogTexts: [],
    nearbyTexts: [],
    screenTexts: [],
    address: null,
    document: { kind: 'page', address: more.address ?? null },
    defaultButtonName: null,
    reachable: [],
    reachesMore: false,
    menu: 'none',
    ...more,
  };
}

const bare = { isBound: true };
const of = (definition: ActionDefinition, input: object, state = bare): ActionTraits =>
  definition.traits(definition.input.parse(input) as never, state);

/** The real definitions' traits for ordinary calls; `more` overrides what a test is about. */
export const traits = {
  look: (more: Partial<ActionTraits> = {}): ActionTraits => ({ ...of(METHODS.getWindowRect, {}), ...more }),
  click: (name = 'Save', more: Partial<ActionTraits> = {}): ActionTraits => ({
    ...of(METHODS.clickElement, name === '' ? { ref: 'e7' } : { name }),
    ...more,
  }),
  type: (text: string, name = 'Name', more: Partial<ActionTraits> = {}): ActionTraits => ({
    ...of(METHODS.typeIntoElement, { name, text }),
    ...more,
  }),
  keys: (chords: string[], more: Partial<ActionTraits> = {}): ActionTraits => ({
    ...of(METHODS.key, { keySequence: chords.join(' ') }),
    binding: 'required',
    ...more,
  }),
  typeKeys: (text: string, more: Partial<ActionTraits> = {}): ActionTraits => ({
    ...of(METHODS.type, { text }),
    binding: 'required',
    ...more,
  }),
  point: (more: Partial<ActionTraits> = {}): ActionTraits => ({
    ...of(METHODS.click, { x: 1, y: 2, space: 'image', observationId: 'obs_1' }),
    binding: 'required',
    ...more,
  }),
  move: (): ActionTraits => ({
    ...of(METHODS.moveMouse, { x: 1, y: 2, space: 'image', observationId: 'obs_1' }),
    binding: 'required',
  }),
  manage: (): ActionTraits => of(METHODS.manageWindow, { action: 'minimize' }),
  launch: (name: string, more: Partial<ActionTraits> = {}): ActionTraits => ({
    ...of(METHODS.openApp, { bundleId: name }),
    ...more,
  }),
  clipboardRead: (): ActionTraits => of(METHODS.readClipboard, {}),
  clipboardWrite: (text = 'words'): ActionTraits => of(METHODS.writeClipboard, { text }),
  display: (): ActionTraits => of(METHODS.screenshot, {}, { isBound: false }),
  prompt: (text = 'y'): ActionTraits => of(METHODS.respondToPrompt, { responseType: 'type', text }),
};

export function subject(of: ActionTraits, more: Partial<GateSubject> = {}): GateSubject {
  return {
    action: 'clickElement',
    actionId: 'act_1',
    input: { name: 'Save' },
    traits: of,
    claims: null,
    planStep: null,
    secret: null,
    ...more,
  };
}

const BY_METHOD = new Map(ACTIONS.map((definition) => [definition.method, definition]));

/** A call in a bound window, as its real definition reads it. */
export function call(method: string, input?: object, more: Partial<ActionTraits> = {}): GateSubject {
  const definition = BY_METHOD.get(method)!;
  const parsed = definition.input.parse(input ?? definition.sample) as never;
  return subject({ ...definition.traits(parsed, { isBound: true }), ...more }, { action: method, input: parsed });
}

export const claims = (more: Partial<ProposerClaims> = {}): ProposerClaims => ({
  riskTags: [],
  requiresApproval: false,
  reason: null,
  ...more,
});

export interface TestWorld extends GateWorld {
  policyNow: Policy;
  readonly steps: string[];
  readonly records: GateRecord[];
  readonly cards: CardDraft[];
  readonly voided: Array<{ approvalId: string; reason: string }>;
  live: BindingRecord | null;
  app: AppIdentity | null;
  seen: ElementContext | null;
  /** The cells that a write would change. */
  cellsNow: CellsBefore | null;
  held: string[];
  clipboardNow: string;
  started: string[];
  /** The window in front, where none is bound; default: one of `app`. */
  front: BindingRecord | null;
  /** What a terminal would start. */
  programs: AppIdentity[];
  /** What else is there than `app` and `seen`, by target: the two ends of a drag. */
  elsewhere: ((target: ActionTarget) => { app: AppIdentity | null; seen: ElementContext | null } | null) | null;
  /** What the person answers; default approves once. */
  answer: (card: CardDraft, world: TestWorld) => Partial<Answer> | Promise<Partial<Answer>>;
  /** Throws this error when the step is reached. */
  failAt: Partial<
    Record<
      | 'assertLive'
      | 'takeAction'
      | 'binding'
      | 'assertObservation'
      | 'context'
      | 'appOf'
      | 'programsOf'
      | 'assertSecret'
      | 'record',
      ErrorCode
    >
  >;
  session: GateSession;
  limits: GateSession['tokenLimits'];
  urls: readonly string[] | null;
}

export interface WorldOptions {
  readonly left?: LeftBehind;
  readonly policy?: Partial<Policy>;
  readonly app?: AppIdentity | null;
  readonly seen?: ElementContext | null;
  readonly urls?: readonly string[];
  readonly limits?: GateSession['tokenLimits'];
  readonly now?: () => number;
}

/** A host with one bound window, whose every answer a test can change. */
export function testWorld(options: WorldOptions = {}): TestWorld {
  const app = options.app === undefined ? NOTEPAD : options.app;
  const steps: string[] = [];
  const note = <T>(name: keyof TestWorld['failAt'], value: () => T): T => {
    steps.push(name);
    const code = world.failAt[name];
    if (code !== undefined) throw new UiaHostError(code, `made to fail at ${name}`);
    return value();
  };
  const world: TestWorld = {
    policyNow: { ...defaultPolicy('full'), ...options.policy },
    steps,
    records: [],
    cards: [],
    voided: [],
    live: app === null ? null : bound(app),
    app,
    seen: options.seen === undefined ? context(element('Button', 'Save')) : options.seen,
    cellsNow: null,
    held: [],
    clipboardNow: '',
    started: [],
    front: null,
    programs: [],
    elsewhere: null,
    answer: () => ({}),
    failAt: {},
    limits: options.limits ?? null,
    urls: options.urls ?? null,
    policy: () => world.policyNow,
    get session(): GateSession {
      return {
        id: 'default',
        tokenId: 'tok_1',
        tokenLimits: world.limits,
        urls: world.urls,
        assertLive: () => note('assertLive', () => undefined),
        takeAction: (_changes, isRecheck) =>
          note('takeAction', () => {
            if (isRecheck) steps.push('recheck');
          }),
      };
    },
    grants: new SessionGrants(() => world.policyNow),
    allowances: new Allowances(options.now),
    left: options.left ?? new LeftBehind(options.now),
    signal: new AbortController().signal,
    binding: async () => note('binding', () => world.live),
    assertObservation: () => note('assertObservation', () => undefined),
    context: async (target) =>
      note('context', () => {
        const other = world.elsewhere?.(target) ?? null;
        return other === null ? world.seen : other.seen;
      }),
    windowOf: async (target) =>
      note('appOf', () => {
        const other = world.elsewhere?.(target) ?? null;
        const app = other === null ? world.app : other.app;
        if (other === null && world.front !== null && world.live === null) return world.front;
        return app === null ? null : other === null && world.live !== null ? { ...world.live, app } : bound(app);
      }),
    verify: async () => undefined,
    appOf: async (target) =>
      note('appOf', () => {
        const other = world.elsewhere?.(target) ?? null;
        return other === null ? world.app : other.app;
      }),
    programsOf: async () => note('programsOf', () => world.programs),
    isForeignPath: async (path) => ['remote', 'device'].includes(placeOfPath(path)),
    hashText: (text) => createHmac('sha256', 'key of the tests').update(text, 'utf8').digest('hex'),
    cells: async () => world.cellsNow,
    clipboard: async () => world.clipboardNow,
    heldKeys: () => world.held,
    assertSecret: () => note('assertSecret', () => undefined),
    async ask(card) {
      world.cards.push(card);
      return {
        decision: 'approve',
        scope: 'once',
        minutes: null,
        decidedBy: 'operator',
        approvalId: `apr_${world.cards.length}`,
        ...(await world.answer(card, world)),
      };
    },
    async voidApproval(approvalId, reason) {
      world.voided.push({ approvalId, reason });
    },
    async record(step) {
      note('record', () => undefined);
      world.records.push(step);
    },
  };
  return world;
}

/** Whether a person was asked for a higher tier while this ran. */
export async function tierAsked(world: TestWorld, run: (world: TestWorld) => Promise<unknown>): Promise<boolean> {
  const before = world.cards.length;
  await run(world);
  return world.cards.slice(before).some(({ why }) => why.some(({ kind }) => kind === 'tier'));
}

/** Runs a promise that must fail and gives its typed error. */
export async function failure(promise: Promise<unknown>): Promise<UiaHostError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof UiaHostError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

/** The same for a call. */
export function failureOf(run: () => unknown): UiaHostError {
  try {
    run();
  } catch (error) {
    if (error instanceof UiaHostError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

/** A person who is asked about a looser policy, and answers when told to. */
export function thinkingPerson() {
  const asked: Array<readonly string[]> = [];
  let answer: (isYes: boolean) => void = () => {};
  const confirmLoosening = (points: readonly string[]): Promise<boolean> => {
    asked.push(points);
    return new Promise((resolve) => void (answer = resolve));
  };
  return { asked, confirmLoosening, agree: (isYes: boolean) => answer(isYes) };
}
