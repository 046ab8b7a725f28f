/** The gate’s steps before the decision: find out what an action would do, and refuse what is never allowed. */
import type { AppIdentity, BindingRecord } from '../../contract/element/binding.ts';
import type { ElementContext } from '../../contract/element/element.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { parseChord, parseKey, type Chord } from '../../contract/keys/keys.ts';
import type { Flag, Level, Policy } from '../../contract/gate/permissions.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { CellsBefore } from '../../contract/cells/sheet.ts';
import type { ActionTarget, ActionTraits } from '../../contract/gate/traits.ts';
import { digestArguments } from './card.ts';
import { canonicalJson } from '../../contract/json/canonical-json.ts';
import { actionDigest, stepDigest, stepTarget } from './digest.ts';
import { GATE_STEPS, type GateStepName, type GateSubject, type GateWorld } from './gate-types.ts';
import {
  ANY_PAGE,
  assertApp,
  assertFormulas,
  assertMayTouch,
  assertNoneMeant,
  assertPage,
  assertPaths,
  assertReach,
  judgesPage,
  type PageLists,
} from './may-touch.ts';
import type { Reach } from '../rights/grants.ts';
import type { DragStart, JudgeFacts } from './judge.ts';
import { holdContent } from '../risk/content/content.ts';
import { findBlockedKeys } from '../risk/keys/blocked-keys.ts';
import { levelReaches } from '../../contract/gate/orders.ts';
import { levelInForce, requiredLevel } from '../rights/levels.ts';
import { deriveRisk, isPasswordField } from '../risk/target/risk.ts';
import { fieldOf } from '../risk/content/typed-text.ts';
import { findInstruction, type InstructionFinding } from '../risk/content/untrusted-text.ts';

/** What steps 0 to 9 found. */
export interface Survey extends JudgeFacts {
  /**
   * The window that receives input: the bound one, or without a binding the judged window; for anything but input the
   * bound one.
   */
  readonly window: BindingRecord | null;
  readonly context: ElementContext | null;
  readonly start: DragStart | null;
  /** The cells that are written, as they are; null where none are. */
  readonly cells: CellsBefore | null;
  readonly chords: readonly Chord[];
  readonly digest: string;
  /** Text typed into the same field shortly before. */
  readonly typedBefore: string;
  /** The bound window is not verified yet: the first call to it must be, or `verify`. */
  readonly isUnverified: boolean;
}

export interface SurveyOptions {
  /** Counts nothing against limits. */
  readonly isRecheck: boolean;
  /** An action that only looks at its window leaves it to its first call to verify it: one message instead of two. */
  readonly leavesVerification: boolean;
}

/** How far a survey got, for the audit if it stops. */
export class Progress {
  #step: GateStepName = 'live';
  app: AppIdentity | null = null;
  binding: BindingRecord | null = null;
  context: ElementContext | null = null;

  enter(step: GateStepName): void {
    this.#step = step;
  }

  get stepName(): GateStepName {
    return this.#step;
  }

  get step(): number {
    return GATE_STEPS.indexOf(this.#step);
  }
}

/**
 * Steps 0 to 9 in order; the first failure throws. Nothing is reused from an earlier survey, so that a second one
 * after a person's answer sees the state at that time.
 */
export async function survey(
  subject: GateSubject,
  world: GateWorld,
  progress: Progress,
  { isRecheck, leavesVerification }: SurveyOptions,
): Promise<Survey> {
  const { traits } = subject;

  progress.enter('live');
  world.session.assertLive();

  progress.enter('schema');
  // Refuses what JSON cannot carry.
  canonicalJson(subject.input ?? null);
  const chords = traits.chords.map(parseChord);

  progress.enter('limits');
  world.session.takeAction(traits.changesSomething, isRecheck);

  progress.enter('level');
  const policy = world.policy();
  const level = levelInForce(policy, world.session.tokenLimits);
  assertLevel(traits, policy, level);

  progress.enter('grant');
  const aim = await aimOf(traits, traits.target, world);
  const app = await concernedApp(traits, traits.target, aim, world);
  progress.app = app;
  const pages = assertMayTouch(app, traits, policy, world);
  if (app === null) assertNoneMeant(traits, world);
  // A drag also touches what it picks up: the application there is judged by the same rules.
  const startAim = traits.from === null ? null : await aimOf(traits, traits.from, world);
  const startApp = traits.from === null ? null : await concernedApp(traits, traits.from, startAim, world);
  const startPages = traits.from === null ? ANY_PAGE : assertMayTouch(startApp, traits, policy, world);
  const foreignPaths = await assertPaths(traits, app, world);

  const reachOf = (of: AppIdentity | null, window: BindingRecord | null): Reach | null =>
    of === null ? null : world.grants.reach(of, window, traits.tier, level);
  let reach = reachOf(app, null);
  let startReach = reachOf(startApp, null);
  if (traits.starts !== null) {
    for (const program of await world.programsOf(traits.starts)) {
      assertApp(program, traits, policy, world);
      assertReach(program, reachOf(program, null), traits, world);
    }
  }
  // A window opened by an approved launch has its own grant, which is found only by the window.
  if (!world.grants.hasWindowGrants) {
    assertReach(app, reach, traits, world);
    assertReach(startApp, startReach, traits, world);
  }

  progress.enter('binding');
  // Reading the context verifies its window: one message to the desktop instead of two.
  const isVerifiedThere = readsContext(traits, pages);
  const isLeft = leavesVerification && !isVerifiedThere && traits.effect === 'observe' && aim === null;
  const binding = traits.binding === 'none' ? null : await world.binding(isVerifiedThere || isLeft);
  for (const window of new Set([aim, startAim]))
    if (window !== null && window.hwnd !== binding?.hwnd) await world.verify(window);
  const window = aim ?? binding;
  progress.binding = window;
  if (binding === null && traits.binding === 'required') {
    throw new UiaHostError(
      'not_bound',
      `${subject.action} acts on the bound window, and none is bound; nothing was done.`,
    );
  }
  if (world.grants.hasWindowGrants) {
    reach = reachOf(app, binding);
    startReach = reachOf(startApp, binding);
    assertReach(app, reach, traits, world);
    assertReach(startApp, startReach, traits, world);
  }

  progress.enter('observation');
  for (const end of [traits.target, traits.from])
    if (end?.kind === 'point' && end.observationId !== undefined) world.assertObservation(end.observationId);

  progress.enter('target');
  // The program reads the cells while the rest is read; an error surfaces when they are awaited.
  const reading = concernedCells(traits, window, world);
  reading.catch(() => undefined);
  using owned = new DisposableStack();
  owned.use(holdContent());
  const context = await concernedContext(traits, traits.target, window, pages, world);
  if (context === null && isVerifiedThere && binding !== null) await world.verify(binding);
  progress.context = context;
  if (judgesPage(pages)) assertPage(context, pages, policy, world);
  const startContext =
    traits.from === null ? null : await concernedContext(traits, traits.from, startAim ?? binding, startPages, world);
  if (judgesPage(startPages)) assertPage(startContext, startPages, policy, world);
  const start: DragStart | null =
    traits.from === null
      ? null
      : { app: startApp, reach: startReach, window: startAim ?? binding, context: startContext };
  const cells = await reading;
  if (subject.secret !== null) {
    assertSecretField(subject, context);
    world.assertSecret(subject.secret.ref, { app, context });
  }

  progress.enter('risk');
  const typedBefore = traits.effect === 'input' ? world.typed.before(fieldOf(window, context)) : '';
  const risk = deriveRisk({
    traits,
    app,
    binding: window,
    context,
    start,
    cells,
    chords,
    typedBefore,
    held: world.heldKeys().map(parseKey),
    typesSecret: subject.secret !== null,
    claims: subject.claims,
  });
  const instruction = traits.effect === 'observe' ? null : findOrders([context, startContext], cells);

  progress.enter('keys');
  assertKeys(traits, chords, world);
  const missingFlags = checkFlags(traits, binding !== null, world);

  const digest = actionDigest({
    action: subject.action,
    input: digestArguments(subject, risk.tags),
    binding: window,
    app,
    context,
    start,
    cells,
  });
  return {
    action: subject.action,
    traits,
    claims: subject.claims,
    secret: subject.secret,
    policy,
    level,
    app,
    binding,
    window,
    context,
    start,
    cells,
    chords,
    reach,
    foreignPaths,
    risk,
    instruction,
    missingFlags,
    allowances: world.allowances,
    planStep:
      subject.planStep === null
        ? null
        : {
            planId: subject.planStep.planId,
            stepDigest: stepDigest(subject.action, subject.input),
            target: stepTarget(traits, app, context, start),
            digest,
          },
    digest,
    typedBefore,
    isUnverified: isLeft && binding !== null,
  };
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

function assertLevel(traits: ActionTraits, policy: Policy, level: Level): void {
  const needed = requiredLevel(traits);
  if (levelReaches(level, needed)) return;
  const whose = level === policy.level ? 'The level is' : 'The token is limited to';
  throw new UiaHostError('permission_denied', `${whose} ${level}, and this needs ${needed}; nothing was done.`, {
    hint:
      needed === 'observe'
        ? 'Ask an operator to raise the level to observe or more (PATCH /v1/policy).'
        : 'Ask an operator to raise the level to control (a person confirms) or full, or use an action that only observes.',
  });
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
    {
      hint: 'Bind the window you mean, and act on it by its elements.',
    },
  );
}

/** Whether the target step certainly reads the bound window's context. A point may be unknown, and real keys may go elsewhere. */
function readsContext({ effect, target: { kind }, isForeground }: ActionTraits, lists: PageLists): boolean {
  if (kind === 'element') return true;
  if (effect === 'observe') return judgesPage(lists);
  return kind === 'window' || (kind === 'focus' && !isForeground);
}

/** Reading needs no context, except for a named element and for the page address of a session narrowed to pages. */
async function concernedContext(
  traits: ActionTraits,
  target: ActionTarget,
  window: BindingRecord | null,
  lists: PageLists,
  world: GateWorld,
): Promise<ElementContext | null> {
  const isPlainLook = traits.effect === 'observe' && target.kind !== 'element';
  if (isPlainLook || target.kind === 'none' || target.kind === 'apps') {
    return judgesPage(lists) ? world.context({ kind: 'focus' }, window) : null;
  }
  const isOnlyRead = traits.effect === 'observe' && target.kind === 'element' && !judgesPage(lists);
  return world.context(isOnlyRead ? { ...target, isOnlyRead } : target, window);
}

function assertSecretField(subject: GateSubject, context: ElementContext | null): void {
  const element = context?.element ?? null;
  if (element !== null && isPasswordField(element) && element.states.includes('password')) return;
  throw new UiaHostError(
    'blocked_by_policy',
    `Stored secrets are typed into password fields only, and ${quoted(element?.name ?? subject.secret?.field ?? '')} is not one; nothing was typed.`,
    {
      hint: 'Name the password field itself.',
    },
  );
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

function assertKeys(traits: ActionTraits, chords: readonly Chord[], world: GateWorld): void {
  const typed = traits.effect === 'input' && traits.target.kind !== 'none' ? traits.content : null;
  if (chords.length === 0 && typed === null) return;
  const blocked = findBlockedKeys(chords, world.heldKeys().map(parseKey), typed);
  if (blocked === null || (!blocked.always && world.grants.hasFlag('systemKeyCombos'))) return;
  throw new UiaHostError(
    'key_blocked',
    `${blocked.pressed} contains ${blocked.combination}, which is blocked; no key was sent.`,
    blocked.always ? { hint: 'This is the emergency stop; no action may send it, whatever is granted.' } : {},
  );
}

/** Missing flags that a card may ask for. Errors: grant_flag_required for those it may not. */
function checkFlags(traits: ActionTraits, isBound: boolean, world: GateWorld): Flag[] {
  const missing = traits.flags.filter((flag) => !world.grants.hasFlag(flag));
  const refused = missing.find((flag) => flag === 'clipboardRead' || flag === 'systemKeyCombos');
  if (refused !== undefined)
    throw new UiaHostError(
      'grant_flag_required',
      `This needs the flag ${refused}, which is not granted; nothing was done.`,
    );
  if (missing.length > 0 && traits.binding === 'preferred' && !isBound)
    throw new UiaHostError('not_bound', 'No window is bound and no display is named; no picture was taken.', {
      hint: 'Bind a window with bind-to-window. To see a whole display, name it with displayId: a person is asked first.',
    });
  return missing;
}
