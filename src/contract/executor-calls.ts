/**
 * How each method of the executor becomes a call of an action, as data: which field of the input each argument is, and
 * what of the action's value is the method's. The executor in this process, the TypeScript client and the Python client
 * all read this table.
 *
 * Callers of that interface pass every field that their own tool schema knows: empty strings, defaults and nulls for
 * fields they do not use. Absent values, fields that do not belong to the kind of call and unknown keys are dropped
 * here; everything else is left to the action's schema, which is strict.
 */
import type { ExecutorMethod } from './executor.ts';

/**
 * What callers of that interface mean by a value. `whole`: whole pixels from coordinates that were computed. `size`: the
 * same, and 0 is none. `positive`: 0 is none, as for a count; `several`: 1 too. `clicks`: 0 is none, and more than three are three. `notches`: wheel
 * amounts of 100 and more are in WHEEL_DELTA. `names`: a list without its empty strings. `filled`: an empty string is none;
 * never for typed text, where empty means empty.
 */
type Reading = 'whole' | 'size' | 'positive' | 'several' | 'clicks' | 'notches' | 'names' | 'filled';

export interface CallField {
  readonly name: string;
  readonly as?: Reading;
  /** Dropped unless another field has one of these values. */
  readonly where?: readonly [field: string, values: readonly string[]];
  readonly otherwise?: number;
}

/** A positional argument: a field of the input, or an options object with several. */
type CallParameter = CallField | readonly CallField[];

export interface ExecutorCall {
  readonly parameters: readonly CallParameter[];
  /** Fields that no argument has. */
  readonly always?: Readonly<Record<string, string | boolean>>;
  /** What the call answers where it fails; without it, it rejects. */
  readonly failed?: false | null | { readonly active: false };
  /** `none`: nothing. `some`: null is undefined. A list: these fields of the value, or of each of its rows. */
  readonly answers?: 'none' | 'some' | readonly string[];
}

const named = (name: string, as?: Reading): CallField => (as === undefined ? { name } : { name, as });
const filled = (...fields: string[]): CallField[] => fields.map((name) => ({ name, as: 'filled' }));
const only = (field: string, values: readonly string[], fields: readonly CallField[]): CallField[] =>
  fields.map((each) => ({ ...each, where: [field, values] }));

const DISPLAY = named('displayId');
const BOUND = ['hwnd', 'title', 'pid'];
const XY = [named('x'), named('y')];
const QUERY = filled('name', 'role', 'automationId', 'ref');
const SCREEN = { space: 'screen' };
const CLIENT = { space: 'client' };
const PICTURE = [
  'base64',
  'width',
  'height',
  'displayWidth',
  'displayHeight',
  'originX',
  'originY',
  'displayId',
  'accessibilityText',
];

export const EXECUTOR_CALLS: { readonly [M in ExecutorMethod]: ExecutorCall } = {
  prepareForAction: { parameters: [named('allowlistBundleIds', 'names'), DISPLAY] },
  previewHideSet: { parameters: [named('allowlistBundleIds', 'names'), DISPLAY] },
  getDisplaySize: { parameters: [DISPLAY] },
  listDisplays: { parameters: [] },
  findWindowDisplays: { parameters: [named('bundleIds')] },
  resolvePrepareCapture: {
    parameters: [
      [named('allowedBundleIds', 'names'), named('preferredDisplayId'), named('autoResolve'), named('doHide')],
    ],
    answers: [...PICTURE, 'hidden', 'activated', 'captureError'],
  },
  screenshot: { parameters: [[named('allowedBundleIds', 'names'), DISPLAY]], answers: PICTURE },
  zoom: {
    parameters: [named('regionLogical'), named('allowedBundleIds', 'names'), DISPLAY],
    always: { space: 'capture' },
  },
  key: { parameters: [named('keySequence'), named('repeat', 'positive')], answers: 'none' },
  holdKey: { parameters: [named('keyNames', 'names'), named('durationMs', 'whole')], answers: 'none' },
  type: { parameters: [named('text'), [named('viaClipboard')]], answers: 'none' },
  readClipboard: { parameters: [] },
  writeClipboard: { parameters: [named('text')], answers: 'none' },
  moveMouse: { parameters: XY, always: SCREEN, answers: 'none' },
  click: {
    parameters: [...XY, named('button', 'filled'), named('count', 'clicks'), named('modifiers', 'names')],
    always: SCREEN,
    answers: 'none',
  },
  mouseDown: { parameters: [], answers: 'none' },
  mouseUp: { parameters: [], answers: 'none' },
  getCursorPosition: { parameters: [] },
  drag: { parameters: [named('from'), named('to')], always: SCREEN, answers: 'none' },
  scroll: {
    parameters: [...XY, { ...named('dx', 'notches'), otherwise: 0 }, { ...named('dy', 'notches'), otherwise: 0 }],
    always: SCREEN,
    answers: 'none',
  },
  getFrontmostApp: { parameters: [], failed: null },
  appUnderPoint: { parameters: XY, always: SCREEN, failed: null },
  // The interface's type has icons, but no argument to request them.
  listInstalledApps: { parameters: [], always: { icons: true } },
  getAppIcon: { parameters: [named('path')], answers: 'some' },
  listRunningApps: { parameters: [] },
  openApp: { parameters: [named('bundleId')], answers: 'none' },
  manageWindow: {
    parameters: [
      named('action'),
      only(
        'action',
        ['move_resize'],
        [named('x', 'whole'), named('y', 'whole'), named('width', 'size'), named('height', 'size')],
      ),
    ],
    failed: false,
  },
  getWindowRect: { parameters: [], failed: null },
  openTerminal: { parameters: [filled('agent', 'command', 'terminal', 'workingDirectory')], failed: null },
  // No window belongs to process 0.
  bindToWindow: { parameters: [[...filled('hwnd', 'title'), named('pid', 'positive')]], failed: null, answers: BOUND },
  unbindFromWindow: { parameters: [], answers: 'none' },
  hasBoundWindow: { parameters: [], failed: false },
  getBindingStatus: { parameters: [], failed: null },
  listVisibleWindows: { parameters: [], answers: ['hwnd', 'pid', 'title'] },
  // Without a window there is nothing to draw on.
  statusIndicator: {
    parameters: [named('action'), ...only('action', ['show'], [named('message')])],
    failed: { active: false },
  },
  virtualKeyboard: {
    parameters: [
      [named('action'), named('text'), ...only('action', ['hold'], [named('duration')]), named('repeat', 'several')],
    ],
    failed: false,
  },
  virtualMouse: {
    parameters: [[named('action'), ...XY, ...only('action', ['drag'], [named('startX'), named('startY')])]],
    always: CLIENT,
    failed: false,
  },
  mouseWheel: { parameters: [...XY, named('delta', 'notches'), named('horizontal')], always: CLIENT, failed: false },
  activateWindow: { parameters: [named('clickX'), named('clickY')], always: CLIENT, failed: false },
  respondToPrompt: {
    parameters: [
      [
        ...filled('responseType'),
        ...only('responseType', ['select'], filled('arrowDirection', 'arrowCount')),
        ...only('responseType', ['type'], [named('text')]),
      ],
    ],
    failed: false,
  },
  clickElement: { parameters: [QUERY], failed: false },
  typeIntoElement: { parameters: [QUERY, named('text')], failed: false },
};

/** What Windows calls WHEEL_DELTA. Source: learn.microsoft.com/windows/win32/inputdev/wm-mousewheel */
const UNITS_A_NOTCH = 120;
const MOST_NOTCHES = 100;
/** Programs know no more than a triple click. */
const MOST_CLICKS = 3;

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** A value as its caller meant it; undefined and null are none. What is not understood is left to the schema. */
function read(value: unknown, as: Reading | undefined): unknown {
  switch (as) {
    case 'whole':
      return isNumber(value) ? Math.round(value) : value;
    case 'size':
      return value === 0 ? undefined : read(value, 'whole');
    case 'positive':
      return value === 0 ? undefined : value;
    case 'several':
      return value === 0 || value === 1 ? undefined : value;
    case 'clicks':
      if (value === 0 || value === '') return undefined;
      return typeof value === 'number' && value > MOST_CLICKS ? MOST_CLICKS : value;
    case 'notches':
      if (!isNumber(value) || Math.abs(value) < MOST_NOTCHES) return value;
      // Browsers report 100 for a notch.
      return Math.sign(value) * Math.max(1, Math.min(MOST_NOTCHES, Math.abs(value) / UNITS_A_NOTCH));
    case 'names':
      return Array.isArray(value) ? value.filter((name) => name !== '') : read(value, 'filled');
    case 'filled':
      return value === '' ? undefined : value;
    case undefined:
      return value;
  }
}

/** The input of a method's action. */
export function inputOf(method: ExecutorMethod, args: readonly unknown[]): Record<string, unknown> {
  const { parameters, always = {} } = EXECUTOR_CALLS[method];
  const input: Record<string, unknown> = {};
  const put = ({ name, as, where, otherwise }: CallField, given: unknown): void => {
    const value = read(given ?? otherwise, as);
    const belongs = where === undefined || where[1].some((each) => each === input[where[0]]);
    if (belongs && value !== undefined && value !== null) input[name] = value;
  };
  for (const [place, parameter] of parameters.entries()) {
    const given = args[place];
    if ('name' in parameter) put(parameter, given);
    else for (const field of parameter) put(field, (given as Record<string, unknown> | null | undefined)?.[field.name]);
  }
  return Object.assign(input, always);
}

/** What a method answers for its action's value. */
export function methodValue(method: ExecutorMethod, value: unknown): unknown {
  const { answers } = EXECUTOR_CALLS[method];
  if (answers === undefined) return value;
  if (answers === 'none') return undefined;
  if (answers === 'some') return value ?? undefined;
  const kept = (row: object): object =>
    Object.fromEntries(Object.entries(row).filter(([name]) => answers.includes(name)));
  return Array.isArray(value) ? value.map((row: object) => kept(row)) : kept(value as object);
}
