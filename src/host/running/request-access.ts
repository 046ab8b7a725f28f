/** `request-access`: asks a person for applications and flags that the session may then use. */
import type { AuditEntryInput } from '../../audit/entry.ts';
import type { ApprovalReason } from '../../contract/gate/approval.ts';
import { isDenied, isOutside } from '../../contract/gate/app-match.ts';
import type { AppIdentity } from '../../contract/element/binding.ts';
import { programWords } from '../../contract/gate/card-lines.ts';
import { toUiaHostError, UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { Flag, type Policy, type Tier } from '../../contract/gate/permissions.ts';
import type { CallContext, Desktop } from '../../desktop/index.ts';
import { stepDigest, type CardDraft } from '../../policy/gate/index.ts';
import { whyNotApproved, type Approvals } from '../approvals/approval-service.ts';
import type { RunScope } from './run-scope.ts';

export interface AccessParts {
  readonly desktop: Desktop;
  readonly approvals: Approvals;
  policy(): Policy;
  audit(entry: AuditEntryInput): Promise<unknown>;
}

interface AccessRequest {
  readonly apps: ReadonlyArray<{ readonly app: string; readonly tier?: Tier | undefined }>;
  readonly flags?: readonly string[] | undefined;
  readonly reason: string;
}

interface AccessAnswer {
  readonly granted: unknown[];
  readonly denied: unknown[];
}

interface AccessWish extends AppIdentity {
  readonly app: string;
  readonly tier: Tier;
}

/** The path of its file; for a packaged application, whose file may be unreadable, its identity. */
const placeOf = ({ executable, bundleId }: AppIdentity): string => executable ?? bundleId;

/** Whether its identity already is the path of its file. */
const isPathOf = ({ executable, bundleId }: AppIdentity): boolean =>
  executable === null || executable.toLowerCase() === bundleId.toLowerCase();

/**
 * One application is named by its file, several by their number: the name that a file claims for itself must not head
 * the card.
 */
function accessSummary(wishes: readonly AccessWish[], flags: readonly Flag[]): string {
  const [first, second] = wishes;
  const apps =
    first === undefined
      ? []
      : second === undefined
        ? [`${first.tier} access to ${programWords(placeOf(first), first.displayName)}`]
        : [`access to ${wishes.length} programs`];
  return `Grant ${[...apps, ...flags.map((flag) => `the flag ${flag}`)].join(' and ')} for this session`;
}

/**
 * Errors: permission_denied at level disabled, and anything that is neither an approval nor a denial. A denial is an
 * answer.
 */
export async function requestAccess(
  parts: AccessParts,
  scope: RunScope,
  request: AccessRequest,
): Promise<AccessAnswer> {
  if (parts.policy().level === 'disabled')
    throw new UiaHostError(
      'permission_denied',
      'The permission level is disabled, so access cannot be requested either.',
    );
  const flags = (request.flags ?? []).map((flag) => Flag.parse(flag));
  const { wishes, denied } = await resolveWishes(parts, scope, request);
  if (wishes.length === 0 && flags.length === 0) return { granted: [], denied };
  const card = accessCard(scope, wishes, flags, request.reason, parts.policy().approvals.timeoutMs);
  try {
    await scope.whileAsking(() =>
      parts.approvals.ask(card, scope.caller.tokenId, scope.signal, (approvalId) => scope.onPending(approvalId)),
    );
  } catch (thrown) {
    const error = toUiaHostError(thrown);
    if (error.code !== 'approval_denied' && error.code !== 'approval_expired') throw error;
    const reason = whyNotApproved(error);
    denied.push(...wishes.map((wish) => ({ app: wish.app, reason })), ...flags.map((flag) => ({ flag, reason })));
    await record(parts, scope, { granted: [], denied }, request.reason);
    return { granted: [], denied };
  }
  const granted = [
    ...wishes.map((wish) => ({ app: wish.bundleId, tier: wish.tier })),
    ...flags.map((flag) => ({ flag })),
  ];
  // Recorded before it takes effect.
  await record(parts, scope, { granted, denied }, request.reason);
  const { grants } = scope.state;
  for (const wish of wishes) grants.grantApp(wish.bundleId, wish.tier);
  for (const flag of flags) grants.grantFlag(flag);
  return { granted, denied };
}

/** The applications that a person may be asked about, and why the others are refused without asking. */
async function resolveWishes(
  parts: AccessParts,
  scope: RunScope,
  request: AccessRequest,
): Promise<{ wishes: AccessWish[]; denied: unknown[] }> {
  const policy = parts.policy();
  const call: CallContext = {
    owner: scope.state.owner,
    deadlineMs: scope.deadline.forCall(),
    signal: scope.signal,
    remoteControlMemory: policy.remoteControlMemory,
  };
  const wishes: AccessWish[] = [];
  const denied: unknown[] = [];
  for (const wish of request.apps) {
    const app = await parts.desktop.app.resolve(wish.app, call);
    if (app === null) denied.push({ app: wish.app, reason: 'no such application is installed or running' });
    else if (isDenied(app, policy.deny)) denied.push({ app: wish.app, reason: 'on the deny list' });
    else if (isOutside(app, scope.caller.limits?.apps))
      denied.push({ app: wish.app, reason: 'outside the limits of the token' });
    else wishes.push({ app: wish.app, tier: wish.tier ?? 'full', ...app });
  }
  return { wishes, denied };
}

function accessCard(
  scope: RunScope,
  wishes: readonly AccessWish[],
  flags: readonly Flag[],
  reason: string,
  timeoutMs: number,
): CardDraft {
  const args = {
    apps: wishes.map((wish) => ({
      app: wish.bundleId,
      ...(isPathOf(wish) ? {} : { file: placeOf(wish) }),
      tier: wish.tier,
    })),
    flags,
  };
  return {
    actionId: scope.actionId,
    action: 'requestAccess',
    sessionId: scope.caller.session,
    summary: accessSummary(wishes, flags),
    sentence: {
      act: '#access',
      wishes: [...wishes.map((wish) => `${quoted(placeOf(wish), 120)} (${wish.tier})`), ...flags].join(', '),
    },
    why: [
      { kind: 'access', text: 'The agent asks for lasting access in this session.' },
      ...wishes.map((wish): ApprovalReason => ({
        kind: 'access',
        text: `${wish.tier} access to ${programWords(placeOf(wish), wish.displayName)}.`,
      })),
    ],
    proposerReason: reason,
    app:
      wishes.length === 1 && wishes[0] !== undefined
        ? { bundleId: wishes[0].bundleId, displayName: wishes[0].displayName }
        : null,
    window: null,
    page: null,
    element: null,
    arguments: args,
    riskLevel: 'high',
    riskTags: [],
    flags: [...flags],
    digest: stepDigest('requestAccess', args),
    allowedScopes: ['session'],
    covers: [{ scope: 'session', text: 'What is asked for here, until the session ends' }],
    timeoutMs,
    outline: null,
  };
}

async function record(
  { audit }: AccessParts,
  { caller, actionId }: RunScope,
  answer: AccessAnswer,
  reason: string,
): Promise<void> {
  await audit({
    kind: 'grant',
    actor: { tokenId: caller.tokenId, surface: caller.surface },
    sessionId: caller.session,
    actionId,
    action: 'access.requested',
    details: { ...answer, reason },
  });
}
