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
  const one = <T>(values: readonly T[], none: T): T => values[nth % Math.max(1, values.length)] ?? none;
  switch (of) {
    case 'place':
      return one(
        [...own.map(({ rect }) => centre(rect)), { x: window.rect.x + 5, y: window.rect.y + 5 }],
        centre(window.rect),
      );
    case 'item':
      return one(
        window.parts.flatMap(({ parts }) => parts.map(({ name }) => name)),
        'Next',
      );
    case 'beginning':
      return one(
        own.filter(({ name, isDrawn }) => name !== '' && !isDrawn).map(({ name }) => name.slice(0, 4)),
        'Next',
      );
    default:
      return one(
        own.filter(({ name, isDrawn }) => name !== '' && !isDrawn).map(({ name }) => name),
        'Next',
      );
  }
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
/** Mostly omitted. */
const seldom = <T, N>(value: fc.Arbitrary<T>, nil: N, once: number): fc.Arbitrary<T | N> =>
  fc.oneof({ weight: once - 1, arbitrary: fc.constant(nil) }, { weight: 1, arbitrary: value });
const nth = (of: Nth['of']): fc.Arbitrary<Nth> => fc.nat(15).map((number) => ({ nth: number, of }));
const delivery = seldom(pick('background', 'foreground'), undefined, 3);
const repeat = seldom(pick(2, 3), undefined, 6);
const place = fc.oneof(
  { weight: 3, arbitrary: nth('place') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...SCENE.flatMap((window) => [...allParts(window)].map(({ rect }) => centre(rect)))),
  },
);
const keys = fc.array(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 4 }).map((chords) => chords.join(' '));
const text = fc.constantFrom(...TEXTS);
const name = fc.oneof({ weight: 4, arbitrary: nth('name') }, { weight: 1, arbitrary: nth('beginning') });
const query = fc.oneof(
  { weight: 4, arbitrary: fc.record({ name }) },
  { weight: 1, arbitrary: fc.record({ role: pick('button', 'ListItem', 'ComboBox', 'textbox'), name }) },
);
const callOf = (action: string, input: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<Call> =>
  input.map((each) => ({ action, input: each }));
const pointed = (more: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> =>
  fc.record({ at: place, space: pick('screen'), ...more });

/** Calls other than batches and proposals. */
const plainCall: fc.Arbitrary<Call> = fc.oneof(
  { weight: 6, arbitrary: callOf('key', fc.record({ keySequence: keys, repeat, delivery })) },
  {
    weight: 4,
    arbitrary: callOf(
      'virtual-keyboard',
      fc.oneof(
        fc.record({ action: pick('combo'), text: keys, repeat, delivery }),
        fc.record({ action: pick('type'), text, repeat, delivery }),
        fc.record({ action: pick('press', 'release', 'hold'), text: fc.constantFrom(...KEYS), delivery }),
      ),
    ),
  },
  {
    weight: 3,
    arbitrary: callOf('type', fc.record({ text, viaClipboard: pick(undefined, undefined, true), delivery })),
  },
  {
    weight: 1,
    arbitrary: callOf(
      'hold-key',
      fc.record({ keyNames: fc.constantFrom(...KEYS).map((key) => key.split('+')), durationMs: pick(1), delivery }),
    ),
  },
  { weight: 1, arbitrary: callOf('write-clipboard', fc.record({ text })) },
  {
    weight: 3,
    arbitrary: callOf(
      'click',
      pointed({ button: pick(undefined, undefined, 'right'), count: pick(undefined, 2), delivery }),
    ),
  },
  {
    weight: 2,
    arbitrary: callOf(
      'virtual-mouse',
      pointed({ action: pick('click', 'double_click', 'right_click', 'move', 'down', 'up') }),
    ),
  },
  { weight: 1, arbitrary: callOf('move-mouse', pointed({ delivery })) },
  {
    weight: 1,
    arbitrary: fc.oneof(callOf('mouse-down', fc.record({ delivery })), callOf('mouse-up', fc.record({ delivery }))),
  },
  {
    weight: 1,
    arbitrary: callOf(
      'drag',
      fc.record({ from: seldom(place, undefined, 2), to: place, space: pick('screen'), delivery }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.oneof(
      callOf('scroll', pointed({ dx: pick(0), dy: pick(-2, -1, 1, 2), delivery })),
      callOf('mouse-wheel', pointed({ delta: pick(-2, -1, 1) })),
    ),
  },
  { weight: 4, arbitrary: callOf('click-element', fc.record({ query, delivery })) },
  {
    weight: 2,
    arbitrary: callOf(
      'type-into-element',
      fc.record({
        query,
        what: fc.oneof(
          fc.record({ text, delivery: pick('background', 'foreground'), mode: pick('replace', 'append') }),
          fc.constant({ secretRef: SECRET }),
        ),
      }),
    ),
  },
  {
    weight: 4,
    arbitrary: callOf(
      'select-element',
      fc.oneof(
        fc.record({ name: pick('Mode', 'Actions'), item: fc.oneof(nth('item'), pick('Dele', 'all', 'the d', 'er')) }),
        fc.record({ name: pick('Mode', 'Actions'), index: pick(0, 1, 2, 3) }),
        fc.record({ item: fc.constantFrom(...PATHS) }),
      ),
    ),
  },
  { weight: 1, arbitrary: callOf('scroll-element', fc.record({ query })) },
  {
    weight: 2,
    arbitrary: callOf('activate-window', fc.oneof(fc.constant({}), fc.record({ click: place, space: pick('screen') }))),
  },
  {
    weight: 1,
    arbitrary: callOf('manage-window', fc.record({ action: pick('focus', 'restore', 'close', 'minimize') })),
  },
  {
    weight: 3,
    arbitrary: callOf(
      'bind-to-window',
      fc.constantFrom(...WINDOW_KEYS).map((key) => ({ hwnd: windowNamed(key).record.hwnd })),
    ),
  },
  { weight: 1, arbitrary: callOf('unbind-from-window', fc.constant({})) },
  {
    weight: 1,
    arbitrary: callOf(
      'open-app',
      fc.record({
        bundleId: fc.constantFrom(...Object.values(APPS).map(({ bundleId }) => bundleId), 'vault.exe', 'cmd.exe'),
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: callOf(
      'open-terminal',
      fc.oneof(
        fc.record({ agent: pick('claude', 'codex') }),
        fc.record({ agent: pick('claude'), command: pick('--dangerously-skip-permissions -p "go"') }),
        fc.record({ agent: pick('custom'), command: pick('cmd /c dir', 'vault.exe') }),
      ),
    ),
  },
  {
    weight: 1,
    arbitrary: callOf(
      'respond-to-prompt',
      fc.oneof(
        fc.record({ responseType: pick('yes', 'enter', 'select') }),
        fc.record({ responseType: pick('type'), text: pick('1', 'dir') }),
      ),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.oneof(
      callOf('snapshot', fc.constant({})),
      callOf('read-terminal', fc.constant({})),
      callOf('screenshot', fc.constant({})),
    ),
  },
  {
    weight: 1,
    arbitrary: callOf(
      'request-access',
      fc.record({
        apps: fc.array(
          fc.constantFrom('notepad.exe', 'tool.exe', 'cmd.exe', 'vault.exe').map((app) => ({ app })),
          { minLength: 1, maxLength: 2 },
        ),
        reason: pick('work'),
      }),
    ),
  },
);

const proposed = {
  text: fc.oneof(pick(''), fc.constantFrom(...KEYS), text),
  reason: pick('next'),
  risk_tags: pick([]),
  requires_approval: pick(false),
  action_type: pick('click', 'type', 'keypress', 'scroll'),
};
const proposal: fc.Arbitrary<Call> = callOf(
  'request_ui_action',
  fc.oneof(
    fc.record({ ...proposed, target: fc.record({ role: pick('button', 'link', 'textbox'), name, test_id: pick('') }) }),
    fc.record({ ...proposed, coordinate: place }),
  ),
);

const batch: fc.Arbitrary<Call> = callOf(
  'batch',
  fc.record({ steps: fc.array(plainCall, { minLength: 1, maxLength: 4 }), approveAsPlan: fc.boolean() }),
);

const call: fc.Arbitrary<Call> = fc
  .tuple(
    fc.oneof({ weight: 12, arbitrary: plainCall }, { weight: 1, arbitrary: proposal }, { weight: 1, arbitrary: batch }),
    seldom(fc.constantFrom(...MEANWHILES), undefined, 5),
  )
  .map(([each, then]) => (then === undefined ? each : { ...each, meanwhile: then }));

/** Windows with more targets are chosen more often; the one on the deny list cannot be bound. */
const bound: fc.Arbitrary<WindowKey | null> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 6, arbitrary: fc.constantFrom<WindowKey>('settings', 'notes', 'question') },
  { weight: 4, arbitrary: fc.constantFrom<WindowKey>(...WINDOW_KEYS.filter((key) => key !== 'vault')) },
);

const setting: fc.Arbitrary<Setting> = fc.record({
  front: fc.constantFrom(...WINDOW_KEYS),
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
    level: fc.oneof(
      { weight: 5, arbitrary: pick('full' as const) },
      { weight: 4, arbitrary: pick('control' as const) },
      { weight: 1, arbitrary: pick('observe' as const, 'disabled' as const) },
    ),
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
