/** What an action may touch at all: applications, pages, paths, keys and fields that policy, token, session and call leave open. */
import { isDenied, isOutside, matchApp, narrowing } from '../../contract/gate/app-match.ts';
import type { AppIdentity } from '../../contract/element/binding.ts';
import type { ElementContext } from '../../contract/element/element.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { coversPage } from '../../contract/gate/pages.ts';
import type { Exit } from '../../contract/gate/exit.ts';
import { parseChord, parseKey, type Chord } from '../../contract/keys/keys.ts';
import { levelReaches } from '../../contract/gate/orders.ts';
import type { Flag, Level, Policy } from '../../contract/gate/permissions.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { ActionTraits } from '../../contract/gate/traits.ts';
import { kindOf } from '../risk/words/app-kind.ts';
import type { CellsAim, CellsBefore } from '../../contract/cells/sheet.ts';
import { findBlockedKeys } from '../risk/keys/blocked-keys.ts';
import { MOST_NAMES } from '../../contract/cells/cells.ts';
import { leavesPage } from '../risk/keys/line-keys.ts';
import type { Sent } from '../risk/content/typed-text.ts';
import { startedBy } from '../risk/keys/console.ts';
import { formulaTyped } from '../risk/target/typed-places.ts';
import { isPasswordField, namesIn, outsideFormulas } from '../risk/target/risk.ts';
import { levelInForce, requiredLevel } from '../rights/grants.ts';
import { sessionScope } from '../rights/session-urls.ts';
import type { GateSubject, GateWorld } from './gate-types.ts';

/** Deny list, the token's applications, and what the call itself allows. */
export function assertApp(app: AppIdentity, traits: ActionTraits, policy: Policy, world: GateWorld): void {
  if (isDenied(app, policy.deny)) {
    throw new UiaHostError(
      'blocked_by_policy',
      traits.effect === 'launch'
        ? `${quoted(app.displayName)} is on the deny list; nothing was started.`
        : 'The application of this window is on the deny list; nothing was done.',
    );
  }
  if (isOutside(app, world.session.tokenLimits?.apps)) {
    throw new UiaHostError(
      'app_not_granted',
      `${quoted(app.displayName)} is outside the applications that this token is limited to; nothing was done.`,
      {
        hint: 'Work in an application of the token, or use another token. A person’s approval does not widen a token.',
      },
    );
  }
  const narrowed = traits.allowedBundleIds;
  if (narrowed !== null && !narrowed.some((name) => matchApp(name, app) !== null)) {
    throw new UiaHostError(
      'app_not_granted',
      `${quoted(app.displayName)} is outside the applications that the call allows; nothing was done.`,
      { hint: 'Bind a window of an allowed application, or add this one to the call’s list.' },
    );
  }
}

/** A token limited to certain applications cannot act on any other, or learn of it. Errors: app_not_granted. */
export function assertNoneMeant(traits: ActionTraits, world: GateWorld): void {
  if (world.session.tokenLimits?.apps === undefined || traits.starts !== null || traits.reaches !== 'any') return;
  throw new UiaHostError(
    'app_not_granted',
    'This token is limited to certain applications, and this action concerns the whole desktop or any application; nothing was done.',
    {
      hint: 'Bind a window of one of its applications and act on that, or use another token. A person’s approval does not widen a token.',
    },
  );
}

/** The lists by which step 7 judges the page that the application shows. */
export interface PageLists {
  readonly session: boolean;
  readonly policy: boolean;
}
export const judgesPage = (lists: PageLists): boolean => lists.session || lists.policy;

/** Deny list, token, narrowing, the session's urls, and the policy's pages, for one end of an action. */
export function assertMayTouch(
  app: AppIdentity | null,
  traits: ActionTraits,
  policy: Policy,
  world: GateWorld,
): PageLists {
  if (app !== null) assertApp(app, traits, policy, world);
  const session = assertScope(app, traits, policy, world);
  const showsPages = app !== null && traits.effect !== 'launch' && kindOf(app) === 'browser';
  return { session, policy: policy.pages !== null && showsPages };
}

/**
 * Paths on other machines and of devices that the call would reach. Touching one makes Windows sign in elsewhere with the
 * user's name, so reading is refused, and everything else asks a person first. Errors: blocked_by_policy.
 */
export async function assertPaths(traits: ActionTraits, app: AppIdentity | null, world: GateWorld): Promise<string[]> {
  const named =
    traits.effect === 'launch' && app?.executable !== null && app !== null
      ? [...traits.paths, app.executable]
      : traits.paths;
  const foreign = await foreignAmong(named, world);
  const [first] = foreign;
  if (first === undefined || traits.effect !== 'observe') return foreign;
  throw new UiaHostError(
    'blocked_by_policy',
    `${quoted(first, 200)} leads to another machine or to a device, which actions that only observe do not touch; nothing was read.`,
    { hint: 'Give the path of a file on a drive of this machine.' },
  );
}

/** The paths among these that lead to another machine or to a device. */
export async function foreignAmong(paths: readonly string[], world: GateWorld): Promise<string[]> {
  const foreign: string[] = [];
  for (const path of new Set(paths)) if (await world.isForeignPath(path)) foreign.push(path);
  return foreign;
}

/** The session's `urls`: the application must be named, or be a browser, whose page step 7 checks (true). */
function assertScope(app: AppIdentity | null, traits: ActionTraits, policy: Policy, world: GateWorld): boolean {
  const { urls } = world.session;
  if (urls === null) return false;
  if (app === null) {
    if (traits.effect !== 'launch') return false;
    throw new UiaHostError(
      'app_not_granted',
      'The session may touch only what its urls name, and this would start something else; nothing was started.',
    );
  }
  const scope = sessionScope(urls, policy.allowInsecureUrls);
  if (scope.coversApp(app)) return false;
  if (scope.hasPages && kindOf(app) === 'browser') return traits.effect !== 'launch';
  throw new UiaHostError(
    'app_not_granted',
    `${quoted(app.displayName)} is not named by the session’s urls (${urls.length} entries); nothing was done.`,
    { hint: 'Start a session whose urls name it, as app: and its percent-encoded bundleId.' },
  );
}

/**
 * Which of these applications a picture of a display may show, for a caller that lists some; null: it may show all. With the
 * flag displayCapture the listed ones, or all; without it only what is listed and was granted, and no browser whose pages are
 * limited, since a picture does not tell which page it shows. A list never grants.
 */
export function shownOnDisplay(
  listed: readonly string[],
  apps: readonly AppIdentity[],
  world: GateWorld,
): readonly AppIdentity[] | null {
  const names = narrowing(listed);
  const policy = world.policy();
  const { tokenLimits, urls } = world.session;
  const hasFlag = world.grants.hasFlag('displayCapture');
  const level = levelInForce(policy, tokenLimits);
  if (hasFlag && names === null && tokenLimits?.apps === undefined) return null;
  if (!hasFlag && listed.length === 0) return [];
  const scope = urls === null ? null : sessionScope(urls, policy.allowInsecureUrls);
  const isGranted = (app: AppIdentity): boolean =>
    world.grants.isGranted(app, level) &&
    (scope === null || scope.coversApp(app)) &&
    (policy.pages === null || kindOf(app) !== 'browser');
  return apps.filter(
    (app) =>
      !isOutside(app, tokenLimits?.apps) &&
      (names === null || names.some((name) => matchApp(name, app) !== null)) &&
      (hasFlag || isGranted(app)),
  );
}

/** The page that the browser shows must be on the lists. Errors: blocked_by_policy, app_not_granted. */
export function assertPage(context: ElementContext | null, lists: PageLists, policy: Policy, world: GateWorld): void {
  const address = context?.address ?? null;
  if (lists.policy && !coversPage(policy.pages ?? [], address)) {
    throw new UiaHostError(
      'blocked_by_policy',
      address === null
        ? 'The policy limits the pages that a browser may show, and the current page could not be determined; nothing was done.'
        : `The browser shows ${quoted(address, 200)}, which the policy does not list; nothing was done.`,
    );
  }
  if (!lists.session || sessionScope(world.session.urls ?? [], policy.allowInsecureUrls).coversPage(address)) return;
  throw new UiaHostError(
    'app_not_granted',
    address === null
      ? 'The page that the browser shows could not be determined, and unknown pages are refused; nothing was done.'
      : `The browser shows ${quoted(address, 200)}, which is not among the session’s urls; nothing was done.`,
  );
}

/**
 * Where pages are limited, nothing follows keys that may show another page: the page that gets the rest is judged by the next
 * call. Errors: blocked_by_policy.
 */
export function assertPageKept(exits: readonly Exit[], context: ElementContext | null, lists: PageLists): void {
  if (!judgesPage(lists)) return;
  const isOwnField = context?.document.kind === 'none';
  for (const exit of exits) {
    if (exit.kind !== 'keys') continue;
    const at = exit.chords.findIndex((chord) => leavesPage(parseChord(chord)));
    const isFollowed = at >= 0 && (at < exit.chords.length - 1 || exit.text !== '' || exit.rounds > 1);
    if (isFollowed || (isOwnField && /[\r\n](?=.)/su.test(exit.text)))
      throw new UiaHostError(
        'blocked_by_policy',
        'The pages of this browser are limited, and the rest of these keys may reach another page; no key was sent.',
        { hint: 'End the call with the key that leaves the page, and send the rest in another call.' },
      );
  }
}

const NEVER_WRITTEN =
  'Such formulas are never written: DDE links, CALL, REGISTER, EXEC and SQL.REQUEST. Write the value instead.';

/** Formulas that call code or start programs are never written, whatever the level, even with approval. Errors: blocked_by_policy. */
export function assertFormulas(aim: CellsAim, before: CellsBefore | null): void {
  const names = namesIn(aim);
  if (names > MOST_NAMES)
    throw new UiaHostError(
      'blocked_by_policy',
      `The formulas use ${String(names)} names, and at most ${String(MOST_NAMES)} are looked up; nothing was written.`,
      { hint: 'Write them in several calls.' },
    );
  const blocked = outsideFormulas(aim, before).find(({ verdict }) => verdict === 'blocked_by_policy');
  if (blocked === undefined) return;
  throw new UiaHostError(
    'blocked_by_policy',
    `The formula for ${blocked.cell} can start programs (${blocked.reason}); nothing was written.`,
    { hint: NEVER_WRITTEN },
  );
}

/** The same for what is typed or pasted into a spreadsheet; and what the deny list names is not started by a click either. Errors: blocked_by_policy. */
export function assertTyped(arriving: Sent, policy: Policy): void {
  const formula = formulaTyped(arriving);
  if (formula?.isRefused === true)
    throw new UiaHostError(
      'blocked_by_policy',
      `The text is a formula that can start programs (${formula.reason ?? ''}); nothing was typed.`,
      { hint: NEVER_WRITTEN },
    );
  const name = startedBy(arriving);
  const file = name === null ? '' : name.trim();
  if (name === null || !isDenied({ bundleId: file, displayName: file, executable: `${file}.exe` }, policy.deny)) return;
  throw new UiaHostError('blocked_by_policy', `${quoted(name)} is on the deny list; nothing was started.`);
}

/** Errors: permission_denied. */
export function assertLevel(traits: ActionTraits, policy: Policy, level: Level): void {
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

/** A stored secret is typed into a password field only. Errors: blocked_by_policy. */
export function assertSecretField(subject: GateSubject, context: ElementContext | null): void {
  const element = context?.element ?? null;
  if (element !== null && isPasswordField(element) && element.states.includes('password')) return;
  throw new UiaHostError(
    'blocked_by_policy',
    `Stored secrets are typed into password fields only, and ${quoted(element?.name ?? subject.secret?.field ?? '')} is not one; nothing was typed.`,
    { hint: 'Name the password field itself.' },
  );
}

/** Errors: key_blocked. */
export function assertKeys(traits: ActionTraits, chords: readonly Chord[], world: GateWorld): void {
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
export function assertFlags(traits: ActionTraits, isBound: boolean, world: GateWorld): Flag[] {
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
