/** The gate’s steps before the decision: find out what an action would do, and refuse what is never allowed. */
import type { AppIdentity, BindingRecord } from '../../contract/element/binding.ts';
import type { ElementContext } from '../../contract/element/element.ts';
import type { Exit } from '../../contract/gate/exit.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { parseChord, parseKey, type Chord } from '../../contract/keys/keys.ts';
import type { Flag, Level, Policy } from '../../contract/gate/permissions.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { exitsOf } from '../../contract/ways/exits.ts';
import type { CellsBefore } from '../../contract/cells/sheet.ts';
import type { ActionTarget, ActionTraits } from '../../contract/gate/traits.ts';
import { digestArguments } from './card.ts';
import { canonicalJson } from '../../contract/json/strict-json.ts';
import { actionDigest, stepDigest, stepTarget } from './digest.ts';
import type { GateStepName, GateSubject, GateWorld } from './gate-types.ts';
import {
  assertApp,
  assertFlags,
  assertFormulas,
  assertKeys,
  assertLevel,
  assertMayTouch,
  assertNoneMeant,
  assertPage,
  assertPageKept,
  assertPaths,
  assertSecretField,
  assertTyped,
  foreignAmong,
  judgesPage,
  type PageLists,
} from './may-touch.ts';
import { type Reach, levelInForce } from '../rights/grants.ts';
import type { DragStart, JudgeFacts, OtherApp } from './judge.ts';
import { keyOf, pressedAt } from '../risk/content/keyboard.ts';
import type { Sent } from '../risk/content/typed-text.ts';
import { pastesClipboard, pathsTyped } from '../risk/target/typed-places.ts';
import { deriveRisk, type Risk } from '../risk/target/risk.ts';
import { findInstruction, type InstructionFinding } from '../risk/content/untrusted-text.ts';

/** What steps 0 to 9 found. */
export interface Survey extends JudgeFacts {
  readonly cells: CellsBefore | null;
  readonly digest: string;
}

/** How far a survey got, for the audit if it stops. */
export interface Progress {
  step: GateStepName;
  app: AppIdentity | null;
  binding: BindingRecord | null;
  context: ElementContext | null;
}

export const atBegin = (): Progress => ({ step: 'live', app: null, binding: null, context: null });

/** One call at the gate. */
interface AtGate {
  readonly subject: GateSubject;
  readonly traits: ActionTraits;
  readonly world: GateWorld;
  readonly progress: Progress;
}

/**
 * Steps 0 to 9 in order; the first failure throws. Nothing is reused from an earlier survey, so that a second one
 * after a person's answer sees the state at that time.
 * @param isRecheck counts nothing against limits
 */
export async function survey(
  subject: GateSubject,
  world: GateWorld,
  progress: Progress,
  isRecheck: boolean,
): Promise<Survey> {
  const { traits } = subject;
  const gate: AtGate = { subject, traits, world, progress };
  const call = admitCall(gate, isRecheck);
  const ends = await findApplications(gate, call);
  const windows = await verifyWindows(gate, ends);
  const seen = await lookAtTarget(gate, call, ends, windows);
  const arriving = await arrivingAt(gate, ends, windows, seen);
  assertPageKept(arriving.exits, seen.context, ends.target.lists);
  const typedPaths = await foreignAmong(pathsTyped(arriving).candidates, world);
  const exits = [
    ...arriving.exits.map((exit) => asFound(exit, ends, seen)),
    ...typedPaths.map((path): Exit => ({ kind: 'path', path })),
  ];
  const weighed = weigh(gate, call, windows, seen, { ...arriving, exits, paths: typedPaths });

  const { app, reach } = ends.target;
  const { context, start, cells } = seen;
  const digest = actionDigest({
    action: subject.action,
    input: digestArguments(subject, weighed.risk.tags),
    binding: windows.window,
    app,
    context,
    start,
    cells,
  });
  const { action, claims, secret } = subject;
  const foreignPaths = [...ends.foreignPaths, ...typedPaths];
  const { allowances, started, left } = world;
  const planStep = planStepOf(subject, stepTarget(traits, app, context, start), digest);
  const asked = { action, traits, claims, secret, planStep, allowances, hasRead: left.hasRead, started };
  return { ...asked, ...call, ...windows, ...seen, ...weighed, app, reach, foreignPaths, digest };
}

/** An exit with what was found for the names in it: the sheet and range of cells, the programs that run. */
function asFound(exit: Exit, { target, others }: Ends, { cells }: TargetLook): Exit {
  if (exit.kind === 'cells' && cells !== null)
    return { ...exit, aim: { ...exit.aim, sheet: cells.sheet, range: cells.range }, loses: cells.book?.loses };
  if (exit.kind !== 'start') return exit;
  const apps = [target.app, ...others.map(({ app }) => app)].filter((app) => app !== null);
  return { ...exit, runs: apps.map(({ executable, bundleId }) => executable ?? bundleId) };
}

/** The step of an approved plan that this call is; null for any other call. */
const planStepOf = ({ planStep, action, input }: GateSubject, target: string, digest: string): Survey['planStep'] =>
  planStep === null ? null : { planId: planStep.planId, stepDigest: stepDigest(action, input), target, digest };

interface Admitted {
  readonly chords: readonly Chord[];
  readonly policy: Policy;
  readonly level: Level;
}

/** Steps 0 to 3: whether this call may be made at all. */
function admitCall({ subject, traits, world, progress }: AtGate, isRecheck: boolean): Admitted {
  progress.step = 'live';
  world.session.assertLive();

  progress.step = 'schema';
  // Refuses what JSON cannot carry.
  canonicalJson(subject.input ?? null);
  const chords = traits.chords.map(parseChord);

  progress.step = 'limits';
  world.session.takeAction(traits.changesSomething, isRecheck);

  progress.step = 'level';
  const policy = world.policy();
  const level = levelInForce(policy, world.session.tokenLimits);
  assertLevel(traits, policy, level);
  return { chords, policy, level };
}

/** One end of an action: its target, or what a drag picks up. */
interface End {
  readonly target: ActionTarget;
  /** The window that input there reaches; null if it is not a place in a window. */
  readonly aim: BindingRecord | null;
  readonly app: AppIdentity | null;
  /** The lists that judge the page shown there. */
  readonly lists: PageLists;
  /** Null if no application is concerned. */
  readonly reach: Reach | null;
}

interface Ends {
  readonly target: End;
  readonly from: End | null;
  readonly foreignPaths: readonly string[];
  /** Programs that a terminal starts. */
  readonly others: readonly OtherApp[];
}

/** Step 4: the applications at both ends, what may be touched of them, and how far the grants reach. */
async function findApplications(gate: AtGate, call: Admitted): Promise<Ends> {
  const { traits, world, progress } = gate;
  progress.step = 'grant';
  const target = await endOf(gate, call, traits.target);
  if (target.app === null) assertNoneMeant(traits, world);
  // A drag also touches what it picks up: the application there is judged by the same rules.
  const from = traits.from === null ? null : await endOf(gate, call, traits.from);
  const foreignPaths = await assertPaths(traits, target.app, world);
  const others: OtherApp[] = [];
  for (const program of traits.starts === null ? [] : await world.programsOf(traits.starts)) {
    assertApp(program, traits, call.policy, world);
    others.push({ app: program, reach: world.grants.reach(program, null, traits.tier, call.level) });
  }
  return { target, from, foreignPaths, others };
}

async function endOf({ traits, world, progress }: AtGate, call: Admitted, target: ActionTarget): Promise<End> {
  const aim = await aimOf(traits, target, world);
  const app = await concernedApp(traits, target, aim, world);
  // A refusal's record names the application that the action is aimed at.
  if (target === traits.target) progress.app = app;
  const lists = assertMayTouch(app, traits, call.policy, world);
  // A window opened by an approved launch has its own grant, which is found only by the window.
  const granted = world.grants.hasWindowGrants && traits.binding !== 'none' ? await world.binding() : null;
  const reach = app === null ? null : world.grants.reach(app, granted, traits.tier, call.level);
  return { target, aim, app, lists, reach };
}

interface Windows {
  readonly binding: BindingRecord | null;
  /** The window that receives input: the window aimed at, or else the bound window. */
  readonly window: BindingRecord | null;
}

/** Steps 5 and 6: each window concerned is still itself, and each observation named is known. */
async function verifyWindows(gate: AtGate, { target, from }: Ends): Promise<Windows> {
  const { subject, traits, world, progress } = gate;
  progress.step = 'binding';
  const binding = traits.binding === 'none' ? null : await world.binding();
  for (const aim of new Set([target.aim, from?.aim ?? null]))
    if (aim !== null && aim.hwnd !== binding?.hwnd) await world.verify(aim);
  const window = target.aim ?? binding;
  progress.binding = window;
  if (binding === null && traits.binding === 'required') {
    throw new UiaHostError(
      'not_bound',
      `${subject.action} acts on the bound window, and none is bound; nothing was done.`,
    );
  }

  progress.step = 'observation';
  for (const end of [traits.target, traits.from])
    if (end?.kind === 'point' && end.observationId !== undefined) world.assertObservation(end.observationId);
  return { binding, window };
}

interface TargetLook {
  readonly context: ElementContext | null;
  readonly start: DragStart | null;
  /** The cells that are written, as they are; null where none are. */
  readonly cells: CellsBefore | null;
  readonly others: readonly OtherApp[];
}

/** Step 7: what is there now, at both ends and in the cells. */
async function lookAtTarget(gate: AtGate, call: Admitted, ends: Ends, windows: Windows): Promise<TargetLook> {
  const { subject, traits, world, progress } = gate;
  progress.step = 'target';
  const { target, from } = ends;
  const context = await contextAt(traits, target, windows.window, world);
  progress.context = context;
  assertPage(context, target.lists, call.policy, world);
  // A popup of another application is that application’s.
  const popup = context?.otherApp;
  if (popup !== undefined) assertMayTouch(popup, traits, call.policy, world);
  const others =
    popup === undefined
      ? ends.others
      : [...ends.others, { app: popup, reach: world.grants.reach(popup, null, traits.tier, call.level) }];
  let start: DragStart | null = null;
  if (from !== null) {
    const window = from.aim ?? windows.binding;
    start = { app: from.app, reach: from.reach, window, context: await contextAt(traits, from, window, world) };
    assertPage(start.context, from.lists, call.policy, world);
  }
  const cells = await concernedCells(traits, windows.window, world);
  if (subject.secret !== null) {
    assertSecretField(subject, context);
    world.assertSecret(subject.secret.ref, { app: target.app, context });
  }
  return { context, start, cells, others };
}

async function arrivingAt(
  { traits, world }: AtGate,
  ends: Ends,
  { window: binding }: Windows,
  { context }: TargetLook,
): Promise<Sent> {
  const exits = exitsOf(traits, context);
  return {
    traits,
    exits,
    app: ends.target.app,
    binding,
    context,
    clipboard: pastesClipboard(exits, context) ? await world.clipboard() : '',
    hasJustPressed: world.left.hasJustPressed(pressedAt(binding, context)),
    keyboard: { held: world.heldKeys().map(parseKey), mayBeInMenu: world.left.mayBeInMenu(keyOf(binding)) },
  };
}

interface Weighed {
  readonly exits: readonly Exit[];
  readonly risk: Risk;
  readonly instruction: InstructionFinding | null;
  readonly missingFlags: readonly Flag[];
}

/** Steps 8 and 9: what the action risks, orders in what is shown, and keys and flags. */
function weigh(
  { subject, traits, world, progress }: AtGate,
  call: Admitted,
  windows: Windows,
  { context, start, cells }: TargetLook,
  arriving: Sent & { readonly paths: readonly string[] },
): Weighed {
  progress.step = 'risk';
  assertTyped(arriving, call.policy);
  const { exits } = arriving;
  const { claims } = subject;
  const risk = deriveRisk({ ...arriving, start, cells, typesSecret: subject.secret !== null, claims });
  const instruction = traits.effect === 'observe' ? null : findOrders([context, start?.context ?? null], cells);

  progress.step = 'keys';
  assertKeys(traits, call.chords, world);
  const missingFlags = assertFlags(traits, windows.binding !== null, world);
  return { exits, risk, instruction, missingFlags };
}

const concernsWindow = (target: ActionTarget, binding: ActionTraits['binding']): boolean =>
  binding === 'required' || target.kind === 'window' || target.kind === 'element' || isPlace(target);

/** True for input to a place in a window rather than to a named element of the bound window. */
const isPlace = ({ kind }: ActionTarget): boolean => kind === 'focus' || kind === 'point' || kind === 'pointer';

/** The window that input to a target reaches; null if the target is not a place in a window. */
async function aimOf(traits: ActionTraits, target: ActionTarget, world: GateWorld): Promise<BindingRecord | null> {
  return isPlace(target) && traits.binding !== 'none' ? world.windowOf(target, traits.isForeground) : null;
}

/** The application that owns the bound or hit window, or that a launch names; null if none is concerned. An unknown one is refused. */
async function concernedApp(
  traits: ActionTraits,
  target: ActionTarget,
  aim: BindingRecord | null,
  world: GateWorld,
): Promise<AppIdentity | null> {
  const namesApp = target.kind === 'apps' && traits.effect !== 'observe';
  if (!namesApp && !concernsWindow(target, traits.binding)) return null;
  const app = isPlace(target) && traits.binding !== 'none' ? (aim?.app ?? null) : await world.appOf(target);
  if (app !== null && app.bundleId !== '') return app;
  if (namesApp) {
    const names = target.names.map((name) => quoted(name)).join(', ');
    throw new UiaHostError(
      'app_not_granted',
      `Could not identify the application ${names}; unidentified applications are refused. Nothing was started.`,
    );
  }
  const binding = await world.binding();
  if (binding === null && traits.binding === 'required')
    throw new UiaHostError('not_bound', 'No window is bound; nothing was done.');
  // Nothing bound and no window named: reading the desktop as a whole.
  if (binding === null && target.kind === 'window') return null;
  throw new UiaHostError(
    'app_not_granted',
    'Could not identify the application of this window; unidentified applications are refused. Nothing was done.',
    { hint: 'Bind the window you mean, and act on it by its elements.' },
  );
}

/** Reading needs no context, except for a named element and for the page address of a session narrowed to pages. */
async function contextAt(
  traits: ActionTraits,
  { target, lists }: End,
  window: BindingRecord | null,
  world: GateWorld,
): Promise<ElementContext | null> {
  const isPlainLook = traits.effect === 'observe' && target.kind !== 'element';
  if (isPlainLook || target.kind === 'none' || target.kind === 'apps') {
    return judgesPage(lists) ? world.context({ kind: 'focus' }, window) : null;
  }
  const isOnlyRead = traits.effect === 'observe' && target.kind === 'element' && !judgesPage(lists);
  return world.context(isOnlyRead ? { ...target, isOnlyRead } : target, window);
}

/** The cells that are aimed at, as they are now. What their formulas alone show is refused before anything is read. */
async function concernedCells(
  { cells }: ActionTraits,
  window: BindingRecord | null,
  world: GateWorld,
): Promise<CellsBefore | null> {
  if (cells === null || window === null) return null;
  assertFormulas(cells, null);
  const before = await world.cells(cells, window);
  assertFormulas(cells, before);
  return before;
}

/** Checks the texts next to the target and in its dialog, then the rest in view, where a text must be plainer to count. */
function findOrders(
  contexts: ReadonlyArray<ElementContext | null>,
  cells: CellsBefore | null,
): InstructionFinding | null {
  const seen = contexts.filter((context) => context !== null);
  return (
    findInstruction(seen.flatMap((context) => [...textsOf(context)])) ??
    findInstruction(cells?.texts ?? []) ??
    findInstruction(
      seen.flatMap((context) => context.screenTexts),
      'plain',
    )
  );
}

function* textsOf(context: ElementContext): Generator<string> {
  yield context.dialogTitle;
  yield* context.dialogTexts;
  yield* context.nearbyTexts;
  if (context.element !== null) yield context.element.name;
}
