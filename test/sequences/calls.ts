/** Calls of every way to act on the simulated desktop, at random, and sequences of them. */
import * as fc from 'fast-check';
import type { Point } from '../../src/contract/element/geometry.ts';
import { SECRET, type Call, type Sequence } from './bench.ts';
import { MEANWHILES } from './meanwhile.ts';
import { APPS, makeScene, WINDOW_KEYS, type Setting, type WindowKey } from './simulated-scene.ts';
import { allParts, centre, type SimulatedWindow } from './simulated-window.ts';
import { wordsOf } from '../support/words.ts';

const KEYS = wordsOf`
  tab shift+tab enter space down up right left home end escape f10 apps shift+f10 alt alt+f alt+d alt+e alt+b alt+h d
  e k b y 1 delete ctrl+v shift+insert a ctrl+s numpadenter pagedown ctrl+m
`;
const TEXTS = [
  'd',
  'y',
  'y\n',
  '\t \n',
  ' ',
  '\n',
  'hello',
  'dir',
  'dir\n',
  '\t',
  '\t ',
  '\t\t\n',
  'hunter2',
  '1',
  'del',
  'e',
];
const PATHS = [
  'File > Save',
  'File>Delete file',
  'File › Dele',
  'File|Delete',
  'Help → About',
  'File > Open…',
  'Fi > D',
];

const SCENE = makeScene({
  front: 'notes',
  bound: null,
  isDefaultPlanted: true,
  focus: 0,
  isAsking: true,
  tokenApps: null,
});
const windowNamed = (key: string): SimulatedWindow => SCENE.find((window) => window.key === key)!;

/** A part of the window that a call acts on, by its number: which window that is follows from the calls before. */
interface Nth {
  readonly nth: number;
  readonly of: 'name' | 'beginning' | 'item' | 'place';
}

const isNth = (value: unknown): value is Nth => typeof value === 'object' && value !== null && 'nth' in value;

function resolve({ nth, of }: Nth, window: SimulatedWindow): string | Point {
  const own = [window, ...SCENE.filter(({ owner, isMenu }) => owner === window && isMenu)].flatMap((each) => [
    ...allParts(each),
  ]);
  const names = own.filter(({ name, isDrawn }) => name !== '' && !isDrawn).map(({ name }) => name);
  const one = <T>(values: readonly T[], none: T): T => values[nth % Math.max(1, values.length)] ?? none;
  if (of === 'place')
    return one(
      [...own.map(({ rect }) => centre(rect)), { x: window.rect.x + 5, y: window.rect.y + 5 }],
      centre(window.rect),
    );
  const items = window.parts.flatMap(({ parts }) => parts.map(({ name }) => name));
  const beginnings = names.map((name) => name.slice(0, 4));
  return one({ item: items, beginning: beginnings, name: names }[of], 'Next');
}

/** Converts omitted, numbered and targeted values to what the interface takes. */
function concrete(input: Record<string, unknown>, window: SimulatedWindow): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    const made = isNth(value) ? resolve(value, window) : value;
    if (name === 'at') Object.assign(found, made);
    else if (name === 'click') Object.assign(found, { clickX: (made as Point).x, clickY: (made as Point).y });
    else if (name === 'query' || name === 'what')
      Object.assign(found, concrete(made as Record<string, unknown>, window));
    else if (name === 'coordinate')
      found['target'] = { role: 'coordinate', name: `${(made as Point).x},${(made as Point).y}`, test_id: '' };
    else if (name === 'target') found['target'] = concrete(made as Record<string, unknown>, window);
    else if (name === 'steps')
      found['steps'] = (made as Call[]).map(({ action, input: each }) => ({ action, input: concrete(each, window) }));
    else found[name] = made;
  }
  return found;
}

const pick = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
/** Each with how often it is chosen. */
const weighted = <T>(...rows: ReadonlyArray<readonly [number, fc.Arbitrary<T>]>): fc.Arbitrary<T> =>
  fc.oneof(...rows.map(([weight, arbitrary]) => ({ weight, arbitrary })));
/** Mostly omitted. */
const seldom = <T, N>(value: fc.Arbitrary<T>, nil: N, once: number): fc.Arbitrary<T | N> =>
  weighted<T | N>([once - 1, fc.constant(nil)], [1, value]);
const nth = (of: Nth['of']): fc.Arbitrary<Nth> => fc.nat(15).map((number) => ({ nth: number, of }));
const delivery = seldom(pick('background', 'foreground'), undefined, 3);
const repeat = seldom(pick(2, 3), undefined, 6);
const place = weighted<Nth | Point>(
  [3, nth('place')],
  [1, pick(...SCENE.flatMap((window) => [...allParts(window)].map(({ rect }) => centre(rect))))],
);
const keys = fc.array(pick(...KEYS), { minLength: 1, maxLength: 4 }).map((chords) => chords.join(' '));
const text = pick(...TEXTS);
const name = weighted([4, nth('name')], [1, nth('beginning')]);
const query = weighted<object>(
  [4, fc.record({ name })],
  [1, fc.record({ role: pick('button', 'ListItem', 'ComboBox', 'textbox'), name })],
);
type Inputs = Record<string, fc.Arbitrary<unknown>>;
/** Calls of an action with any of these inputs. */
const callOf = (action: string, ...inputs: readonly Inputs[]): fc.Arbitrary<Call> =>
  fc.oneof(...inputs.map((each) => fc.record(each))).map((input) => ({ action, input }));
const pointed = (more: Inputs): Inputs => ({ at: place, space: pick('screen'), ...more });

/** Calls other than batches and proposals. */
const plainCall: fc.Arbitrary<Call> = weighted<Call>(
  [6, callOf('key', { keySequence: keys, repeat, delivery })],
  [
    4,
    callOf(
      'virtual-keyboard',
      { action: pick('combo'), text: keys, repeat, delivery },
      { action: pick('type'), text, repeat, delivery },
      { action: pick('press', 'release', 'hold'), text: pick(...KEYS), delivery },
    ),
  ],
  [3, callOf('type', { text, viaClipboard: pick(undefined, undefined, true), delivery })],
  [1, callOf('hold-key', { keyNames: pick(...KEYS).map((key) => key.split('+')), durationMs: pick(1), delivery })],
  [1, callOf('write-clipboard', { text })],
  [3, callOf('click', pointed({ button: pick(undefined, undefined, 'right'), count: pick(undefined, 2), delivery }))],
  [2, callOf('virtual-mouse', pointed({ action: pick('click', 'double_click', 'right_click', 'move', 'down', 'up') }))],
  [1, callOf('move-mouse', pointed({ delivery }))],
  [1, fc.oneof(callOf('mouse-down', { delivery }), callOf('mouse-up', { delivery }))],
  [1, callOf('drag', { from: seldom(place, undefined, 2), to: place, space: pick('screen'), delivery })],
  [
    1,
    fc.oneof(
      callOf('scroll', pointed({ dx: pick(0), dy: pick(-2, -1, 1, 2), delivery })),
      callOf('mouse-wheel', pointed({ delta: pick(-2, -1, 1) })),
    ),
  ],
  [4, callOf('click-element', { query, delivery })],
  [
    2,
    callOf('type-into-element', {
      query,
      what: fc.oneof(
        fc.record({ text, delivery: pick('background', 'foreground'), mode: pick('replace', 'append') }),
        fc.constant({ secretRef: SECRET }),
      ),
    }),
  ],
  [
    4,
    callOf(
      'select-element',
      { name: pick('Mode', 'Actions'), item: fc.oneof(nth('item'), pick('Dele', 'all', 'the d', 'er')) },
      { name: pick('Mode', 'Actions'), index: pick(0, 1, 2, 3) },
      { item: pick(...PATHS) },
    ),
  ],
  [1, callOf('scroll-element', { query })],
  [2, callOf('activate-window', {}, { click: place, space: pick('screen') })],
  [1, callOf('manage-window', { action: pick('focus', 'restore', 'close', 'minimize') })],
  [3, callOf('bind-to-window', { hwnd: pick(...WINDOW_KEYS).map((key) => windowNamed(key).record.hwnd) })],
  [1, callOf('unbind-from-window', {})],
  [
    1,
    callOf('open-app', {
      bundleId: pick(...Object.values(APPS).map(({ bundleId }) => bundleId), 'vault.exe', 'cmd.exe'),
    }),
  ],
  [
    1,
    callOf(
      'open-terminal',
      { agent: pick('claude', 'codex') },
      { agent: pick('claude'), command: pick('--dangerously-skip-permissions -p "go"') },
      { agent: pick('custom'), command: pick('cmd /c dir', 'vault.exe') },
    ),
  ],
  [
    1,
    callOf(
      'respond-to-prompt',
      { responseType: pick('yes', 'enter', 'select') },
      { responseType: pick('type'), text: pick('1', 'dir') },
    ),
  ],
  [1, fc.oneof(callOf('snapshot', {}), callOf('read-terminal', {}), callOf('screenshot', {}))],
  [
    1,
    callOf('request-access', {
      apps: fc.array(
        pick('notepad.exe', 'tool.exe', 'cmd.exe', 'vault.exe').map((app) => ({ app })),
        { minLength: 1, maxLength: 2 },
      ),
      reason: pick('work'),
    }),
  ],
);

const proposed = {
  text: fc.oneof(pick(''), pick(...KEYS), text),
  reason: pick('next'),
  risk_tags: pick([]),
  requires_approval: pick(false),
  action_type: pick('click', 'type', 'keypress', 'scroll'),
};
const proposal = callOf(
  'request_ui_action',
  { ...proposed, target: fc.record({ role: pick('button', 'link', 'textbox'), name, test_id: pick('') }) },
  { ...proposed, coordinate: place },
);

const batch = callOf('batch', {
  steps: fc.array(plainCall, { minLength: 1, maxLength: 4 }),
  approveAsPlan: fc.boolean(),
});

const call: fc.Arbitrary<Call> = fc
  .tuple(weighted([12, plainCall], [1, proposal], [1, batch]), seldom(pick(...MEANWHILES), undefined, 5))
  .map(([each, then]) => (then === undefined ? each : { ...each, meanwhile: then }));

/** Windows with more targets are chosen more often; the one on the deny list cannot be bound. */
const bound = weighted<WindowKey | null>(
  [2, fc.constant(null)],
  [6, pick('settings', 'notes', 'question')],
  [4, pick(...WINDOW_KEYS.filter((key) => key !== 'vault'))],
);

const setting: fc.Arbitrary<Setting> = fc.record({
  front: pick(...WINDOW_KEYS),
  bound,
  isDefaultPlanted: fc.boolean(),
  focus: fc.integer({ min: 0, max: 6 }),
  isAsking: fc.boolean(),
  tokenApps: seldom(pick(['notepad.exe'], ['tool.exe', 'cmd.exe']), null, 10),
});

const MOST_CALLS = 4;

export const sequence: fc.Arbitrary<Sequence> = fc
  .record({
    setting,
    level: weighted<Sequence['level']>([5, pick('full')], [4, pick('control')], [1, pick('observe', 'disabled')]),
    scope: pick('widest' as const, 'widest' as const, 'once' as const),
    grantsRestricted: fc.boolean(),
    coordinateProposals: fc.boolean(),
    calls: fc.array(call, { minLength: 1, maxLength: MOST_CALLS }),
  })
  .map((each) => ({ ...each, calls: aimed(each) }));

/** Each call targets parts of the window that is bound at its turn, else of the one in front. */
function aimed({ setting: of, calls }: Sequence): Call[] {
  let key: string = of.bound ?? of.front;
  return calls.map((each) => {
    const input = concrete(each.input, windowNamed(key));
    if (each.action === 'bind-to-window') key = SCENE.find(({ record }) => record.hwnd === input['hwnd'])?.key ?? key;
    return { ...each, input };
  });
}

/** A sequence in readable form, one call per line. */
export function shown({ setting: of, level, scope, grantsRestricted, calls }: Sequence): string {
  return [
    `level ${level}, answers ${scope}, browsers and trading ${grantsRestricted ? 'granted' : 'not granted'}; ${JSON.stringify(of)}`,
    ...calls.map(
      ({ action, input, meanwhile: then }, index) =>
        `  ${index + 1}. ${action} ${JSON.stringify(input)}${then === undefined ? '' : `   (meanwhile: ${JSON.stringify(then)})`}`,
    ),
  ].join('\n');
}
