/**
 * What docs/behaviour.md#the-gate requires of each action, written from it and from the seeds, not from the code: the
 * other side of the property test.
 */
import type { AlwaysAsk, Flag, Level, RiskTag, Tier } from '../../../src/contract/gate/permissions.ts';

type Kind = 'look' | 'clipboardRead' | 'clipboardWrite' | 'input' | 'manage' | 'launch';

/** One call by the contract. */
export interface Row {
  readonly kind: Kind;
  /** What the application has to be granted. */
  readonly tier: Tier;
  /** Whose application is judged: none, that of the bound window (which there must be), or that of the bound or hit window. */
  readonly app: 'none' | 'bound' | 'either' | 'named';
  /** 2 for a drag: what is picked up is judged as what it is dropped on. */
  readonly ends: 1 | 2;
  readonly flags: readonly Flag[];
  readonly tags: readonly RiskTag[];
  readonly isCoordinate: boolean;
  /** Pointer movement alone: what is under it adds nothing. */
  readonly isMove: boolean;
  /** Turns a view and presses nothing: no money moves by it. */
  readonly isScroll: boolean;
  /** What it does with cells of a sheet. */
  readonly cells: 'none' | 'select' | 'values' | 'formulas';
  /** In a terminal it pastes. */
  readonly pastes: boolean;
  /** With nothing bound a person may be asked; otherwise it is not_bound unless its flags are granted. */
  readonly asksUnbound: boolean;
}

type Input = Readonly<Record<string, any>>;
type Of = (input: Input, isBound: boolean) => Row;

const row = (kind: Kind, app: Row['app'], tier: Tier, more: Partial<Row> = {}): Row => ({
  kind,
  app,
  tier,
  ends: 1,
  flags: [],
  tags: [],
  isCoordinate: false,
  isMove: false,
  isScroll: false,
  cells: 'none',
  pastes: false,
  asksUnbound: true,
  ...more,
});
const point = { isCoordinate: true };
/** A click, or everything of the program where keys are held meanwhile. */
const clicking = (modifiers: readonly string[] = []): Tier => (modifiers.length === 0 ? 'click' : 'full');

const freeLook: Of = () => row('look', 'none', 'read');
const windowLook: Of = () => row('look', 'bound', 'read');
/**
 * A display picture shows other applications: flag displayCapture. No person is asked where neither a window is bound
 * nor a display named.
 */
const picture =
  (displayKey: string): Of =>
  (input, isBound) =>
    isBound && input[displayKey] === undefined
      ? row('look', 'bound', 'read')
      : row('look', 'none', 'read', { flags: ['displayCapture'], asksUnbound: input[displayKey] !== undefined });
const input =
  (tier: Tier, app: Row['app'] = 'either', more: Partial<Row> = {}): Of =>
  () =>
    row('input', app, tier, more);

export const CONTRACT: Readonly<Record<string, Of>> = {
  // Looking
  getDisplaySize: freeLook,
  listDisplays: freeLook,
  findWindowDisplays: freeLook,
  getCursorPosition: freeLook,
  getFrontmostApp: freeLook,
  listInstalledApps: freeLook,
  getAppIcon: freeLook,
  listRunningApps: freeLook,
  listVisibleWindows: freeLook,
  bindToWindow: freeLook,
  unbindFromWindow: freeLook,
  hasBoundWindow: freeLook,
  getBindingStatus: freeLook,
  previewHideSet: freeLook,
  appUnderPoint: freeLook,
  getWindowRect: windowLook,
  snapshot: windowLook,
  find: windowLook,
  describeElement: windowLook,
  waitFor: windowLook,
  readTable: windowLook,
  waitQuiet: windowLook,
  readTerminal: windowLook,
  workbookInfo: windowLook,
  inspectWorkbook: windowLook,
  readRange: windowLook,
  prepareForAction: (_input, isBound) => (isBound ? row('look', 'bound', 'read') : row('look', 'none', 'read')),
  screenshot: picture('displayId'),
  zoom: picture('displayId'),
  resolvePrepareCapture: picture('preferredDisplayId'),
  statusIndicator: ({ action }) => (action === 'show' ? row('look', 'bound', 'read') : row('look', 'none', 'read')),
  // What the host carries out itself: each thing that they lead to is judged by itself.
  batch: freeLook,
  wouldAsk: freeLook,
  requestAccess: freeLook,
  request_ui_action: freeLook,
  // Clipboard
  readClipboard: () => row('clipboardRead', 'none', 'read', { flags: ['clipboardRead'] }),
  writeClipboard: () => row('clipboardWrite', 'none', 'read', { flags: ['clipboardWrite'] }),
  // Keyboard: all of it is beyond a left click
  key: input('full'),
  holdKey: input('full'),
  type: ({ viaClipboard }) =>
    row('input', 'either', 'full', { flags: viaClipboard === true ? ['clipboardWrite'] : [] }),
  virtualKeyboard: input('full', 'bound'),
  // Pointer: click = left click and scroll; full = all
  moveMouse: ({ modifiers }) => row('input', 'either', clicking(modifiers), { ...point, isMove: true }),
  click: ({ button = 'left', modifiers = [] }) =>
    row('input', 'either', button === 'left' ? clicking(modifiers) : 'full', { ...point, pastes: button !== 'left' }),
  mouseDown: input('full', 'either', point),
  mouseUp: input('full', 'either', point),
  drag: input('full', 'either', { ...point, ends: 2 }),
  scroll: ({ modifiers }) => row('input', 'either', clicking(modifiers), { ...point, isScroll: true }),
  mouseWheel: input('click', 'bound', { ...point, isScroll: true }),
  virtualMouse: ({ action }) =>
    row('input', 'bound', ['click', 'double_click', 'move'].includes(action) ? 'click' : 'full', {
      ...point,
      isMove: action === 'move',
      pastes: action === 'right_click',
      ends: action === 'drag' ? 2 : 1,
    }),
  // Elements
  clickElement: ({ button = 'left' }) =>
    row('input', 'bound', button === 'left' ? 'click' : 'full', { pastes: button !== 'left' }),
  focusElement: input('click', 'bound'),
  hoverElement: input('click', 'bound', { isMove: true }),
  dragElement: input('full', 'bound', { ends: 2 }),
  selectElement: input('click', 'bound'),
  scrollElement: ({ modifiers }) => row('input', 'bound', clicking(modifiers), { isScroll: true }),
  writeCell: input('full', 'bound'),
  typeIntoElement: ({ secretRef }) =>
    row('input', 'bound', 'full', { tags: secretRef === undefined ? [] : ['password'] }),
  // Cells: selecting is a click; writing without formulas and over empty cells is medium
  selectRange: input('click', 'bound', { isScroll: true, cells: 'select' }),
  writeRange: ({ values }) =>
    row('input', 'bound', 'full', {
      cells: values.flat().some((cell: unknown) => typeof cell === 'object' && cell !== null && 'formula' in cell)
        ? 'formulas'
        : 'values',
    }),
  // Beyond the values of cells: what an operation would lose or reach is found by looking at the workbook
  editWorkbook: input('full', 'bound', { cells: 'values' }),
  editCells: input('full', 'bound', { cells: 'values' }),
  formatCells: input('full', 'bound', { cells: 'values' }),
  // Windows and applications
  manageWindow: ({ action }) => (action === 'get_rect' ? row('look', 'bound', 'read') : row('manage', 'bound', 'full')),
  activateWindow: ({ clickX }) =>
    clickX === undefined ? row('manage', 'bound', 'full') : row('input', 'bound', 'full', point),
  openApp: () => row('launch', 'named', 'full'),
  openTerminal: ({ command }) =>
    row('launch', 'none', 'full', { tags: command === undefined ? [] : ['customCommand'] }),
  respondToPrompt: input('full', 'bound', { flags: ['prompts'], tags: ['prompts'] }),
};

export type AppKind = 'browser' | 'trading' | 'terminal' | 'other';

export interface Circumstances {
  readonly level: Level;
  readonly app: AppKind;
  readonly grant: Tier | null;
  readonly flags: readonly Flag[];
  readonly alwaysAsk: readonly AlwaysAsk[];
  readonly isBound: boolean;
}

const TIERS: readonly Tier[] = ['read', 'click', 'full'];

/** Without a grant: browsers and trading read, terminals and IDEs click, others ask; at full everything counts as full, browsers and trading only while nothing is always asked. */
function tierOf({ level, app, grant, alwaysAsk }: Circumstances): Tier {
  if (grant !== null) return grant;
  if (level === 'full' && (alwaysAsk.length === 0 || (app !== 'browser' && app !== 'trading'))) return 'full';
  return app === 'terminal' ? 'click' : 'read';
}

/** `execute`, `ask`, or the error that refuses it: the table of levels, grants, flags and alwaysAsk. */
export function expected(of: Row, circumstances: Circumstances): string {
  const { level, flags, alwaysAsk, isBound } = circumstances;
  const acts = of.kind !== 'look' && of.kind !== 'clipboardRead';
  if (level === 'disabled' || (level === 'observe' && acts)) return 'permission_denied';
  const lacksTier = of.app !== 'none' && TIERS.indexOf(tierOf(circumstances)) < TIERS.indexOf(of.tier);
  if (of.app === 'bound' && !isBound) return 'not_bound';
  const missing = of.flags.filter((flag) => !flags.includes(flag));
  if (missing.includes('clipboardRead')) return 'grant_flag_required';
  if (missing.includes('displayCapture') && !isBound && !of.asksUnbound) return 'not_bound';
  const tags = tagsOf(of, circumstances);
  const asks =
    (level === 'control' && acts) ||
    lacksTier ||
    missing.includes('displayCapture') ||
    tags.some((tag) => (alwaysAsk as readonly string[]).includes(tag));
  return asks ? 'ask' : 'execute';
}

/** Tags that hold whatever the target is called: the kind of action, and trading, where every input may move money. Scrolling and moving move none. */
export function tagsOf(of: Row, { app }: Circumstances): RiskTag[] {
  return [
    ...of.tags,
    ...(app === 'terminal' && of.pastes ? ['customCommand' as const] : []),
    ...(app === 'trading' && movesMoney(of) ? ['financial' as const] : []),
  ];
}

const movesMoney = (of: Row): boolean => of.kind === 'input' && of.app !== 'none' && !of.isMove && !of.isScroll;

/** Looking is low, cells without formulas medium, every other input at least high; financial and destructive are critical; unknown is never low. */
export function leastRisk(of: Row, circumstances: Circumstances): 'low' | 'medium' | 'high' | 'critical' {
  if (of.kind === 'look' || of.kind === 'clipboardRead') return 'low';
  if (tagsOf(of, circumstances).includes('financial')) return 'critical';
  if (of.kind === 'manage' || of.cells === 'select' || of.cells === 'values') return 'medium';
  return 'high';
}
