import type { HostServices } from '../../actions/index.ts';
import {
  stepDigest,
  type CardDraft,
  type Gate,
  type GatePassed,
  type GateRecord,
  type GateWorld,
} from '../../policy/gate/index.ts';
import { toUiaHostError, UiaHostError } from '../../contract/errors.ts';
import type { ApprovalReason } from '../../contract/approval.ts';
import type { AppIdentity } from '../../contract/binding.ts';
import { programWords } from '../../contract/card-lines.ts';
import { hasActed, looked, sumOfSteps, type ActionResult, type Outcome } from '../../contract/outcome.ts';
import type { Flag, Policy, Tier } from '../../contract/permissions.ts';
import { LOOKING, type ActionTraits } from '../../contract/traits.ts';
import { Flag as FlagSchema } from '../../contract/permissions.ts';
import { UiActionProposal, type ProposalAnswer } from '../../contract/proposal.ts';
import type { CallContext, Desktop, Picture } from '../../desktop/index.ts';
import { isDenied, isOutside } from '../../contract/app-match.ts';
import type { Approvals } from '../approvals/approval-service.ts';
import type { Caller } from '../face/caller.ts';
import type { RunOptions } from '../face/host.ts';
import { newId } from '../face/ids.ts';
import { parseOrRefuse } from '../../contract/issues.ts';
import { answerProposal, mapProposal } from './proposals.ts';
import type { RunScope } from './run-scope.ts';
import type { ActionRunner } from './runner.ts';

export interface HostServiceParts {
  readonly desktop: Desktop;
  readonly gate: Gate;
  readonly approvals: Approvals;
  runner(): ActionRunner;
  policy(): Policy;
  world(scope: RunScope): GateWorld;
  keepPicture(scope: RunScope, picture: Picture, sourceTool: string): Promise<string | null>;
  secret(scope: RunScope, ref: string): Promise<string>;
  recordAccess(scope: RunScope, what: { granted: unknown[]; denied: unknown[]; reason: string }): Promise<void>;
}

/** What a few actions need of the host. Whatever they lead to goes through the runner, and so through the gate, again. */
export function createHostServices(parts: HostServiceParts, scope: RunScope, passed: GatePassed): HostServices {
  return {
    keepPicture: (picture, sourceTool) => parts.keepPicture(scope, picture, sourceTool),
    runBatch: (steps, approveAsPlan) => runBatch(parts, scope, steps, approveAsPlan),
    requestAccess: (request) => requestAccess(parts, scope, request),
    propose: (proposal) =>
      propose(
        parts.runner(),
        scope.caller,
        proposal,
        { signal: scope.signal, outerId: scope.actionId },
        scope.onPending,
      ),
    async refusalToLook(allowedBundleIds) {
      const traits: ActionTraits = { ...LOOKING, binding: 'required', target: { kind: 'window' }, allowedBundleIds };
      const { decision, error } = await parts.gate.assess(
        { action: 'snapshot', actionId: scope.actionId, input: {}, traits, claims: null, planStep: null, secret: null },
        parts.world(scope),
      );
      return decision === 'execute' ? null : (error?.code ?? 'permission_denied');
    },
    secret: (ref) => parts.secret(scope, ref),
    openedWindow(hwnd, pid) {
      if (passed.approvalId !== null) scope.state.grants.grantWindow(hwnd, pid, 'full');
    },
  };
}

type BatchStep = { readonly action: string; readonly input: Record<string, unknown> };

/** Steps run one after the other; with `approveAsPlan` a person sees all of them at once before the first. */
async function runBatch(
  parts: HostServiceParts,
  scope: RunScope,
  steps: readonly BatchStep[],
  approveAsPlan: boolean,
): ReturnType<HostServices['runBatch']> {
  const completed: ActionResult[] = [];
  // Everything that can be known to be wrong is refused before anything runs.
  const subjects = steps.map((step, index) =>
    parts.runner().subjectOf(scope, step.action, step.input, `steps[${index}]`),
  );
  const planId = approveAsPlan ? newId('plan') : null;
  const world = planId === null ? null : parts.world(scope);
  try {
    if (planId !== null && world !== null)
      await parts.gate.approvePlan({ planId, actionId: scope.actionId, proposerReason: null, steps: subjects }, world);
    return await runSteps(parts, scope, steps, planId, completed);
  } finally {
    if (planId !== null) world?.allowances.endPlan(planId);
  }
}

async function runSteps(
  parts: HostServiceParts,
  scope: RunScope,
  steps: readonly BatchStep[],
  planId: string | null,
  completed: ActionResult[],
): ReturnType<HostServices['runBatch']> {
  for (const [index, step] of steps.entries()) {
    // The clock of the batch stands still: each step has its own deadline and its own turn on the window.
    const run = parts.runner().run(scope.caller, step.action, step.input, {
      signal: scope.signal,
      outerId: scope.actionId,
      ...(planId === null ? {} : { planStep: { planId } }),
    });
    void run.pending.then((approvalId) => {
      if (approvalId !== null) scope.onPending(approvalId);
    });
    try {
      completed.push(await run.result);
      scope.onStep(completed.length, steps.length);
    } catch (thrown) {
      throw failedStep(toUiaHostError(thrown), steps, index, completed);
    }
  }
  return { completed, failed: null, remaining: 0 };
}

/** The batch fails as its step did; where others acted before it, sending the whole again would do those twice. */
function failedStep(
  error: UiaHostError,
  steps: readonly BatchStep[],
  index: number,
  completed: readonly ActionResult[],
): UiaHostError {
  const ofFailed: Outcome[] =
    error.delivery === 'not_delivered' ? [] : [{ ...looked(), effect: 'unverified', delivery: 'batch' }];
  const before = completed.map((result) => result.outcome);
  const hasDelivered = before.some(hasActed);
  return error.with({
    // the batch's own is the one that can be asked for
    actionId: undefined,
    detail: `Step ${index} (${steps[index]?.action ?? ''}): ${error.message}`,
    delivery: hasDelivered && error.delivery === 'not_delivered' ? 'delivered' : error.delivery,
    retryable: error.retryable && !hasDelivered,
    hint: hasDelivered ? `${error.hint} Steps before it were carried out: send only what is left.` : error.hint,
    partialResult: {
      completed,
      failed: { index, error: error.toProblem() },
      remaining: steps.length - index - 1,
      outcome: sumOfSteps([...before, ...ofFailed]),
    },
  });
}

/**
 * Runs a proposal once where the gate or a person says yes, and tells how it was judged.
 * `wait: false` answers as soon as a person is asked.
 */
export async function propose(
  runner: ActionRunner,
  caller: Caller,
  raw: unknown,
  options: RunOptions & { wait?: boolean; outerId?: string },
  onPending: (approvalId: string) => void = () => {},
): Promise<ProposalAnswer> {
  const proposal = parseOrRefuse(UiActionProposal, raw);
  const mapped = mapProposal(proposal);
  const gate: GateRecord[] = [];
  const run = runner.run(caller, mapped.action, mapped.input, {
    ...options,
    claims: {
      riskTags: proposal.risk_tags,
      requiresApproval: proposal.requires_approval,
      reason: proposal.reason === '' ? null : proposal.reason,
    },
    onGate: (record) => gate.push(record),
  });
  const approvalId = run.pending.then((id) => {
    if (id !== null) onPending(id);
    return id;
  });
  if (options.wait === false) {
    const asked = await approvalId;
    if (asked !== null) return answerProposal(proposal, gate, { pendingApprovalId: asked }, run.actionId);
  }
  try {
    return answerProposal(proposal, gate, { result: await run.result }, run.actionId);
  } catch (thrown) {
    const error = toUiaHostError(thrown);
    // What the host could not judge at all stays an error; what it judged is an answer.
    if (gate.length === 0 && error.code !== 'invalid_argument') throw error;
    return { ...answerProposal(proposal, gate, { error }, run.actionId), approvalId: await approvalId };
  }
}

interface AccessWish extends AppIdentity {
  readonly app: string;
  readonly tier: Tier;
}

/** Where its file is; the identity of a packaged one, whose file may not be asked. */
const placeOf = ({ executable, bundleId }: AppIdentity): string => executable ?? bundleId;

/** Whether the identity is the path of the file already. */
const isPathOf = ({ executable, bundleId }: AppIdentity): boolean =>
  executable === null || executable.toLowerCase() === bundleId.toLowerCase();

/** One wish by its file; several by their number, since a file’s own name for itself must not head the card. */
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

async function requestAccess(
  parts: HostServiceParts,
  scope: RunScope,
  request: { apps: Array<{ app: string; tier?: Tier | undefined }>; flags?: string[] | undefined; reason: string },
): Promise<{ granted: unknown[]; denied: unknown[] }> {
  const policy = parts.policy();
  if (policy.level === 'disabled')
    throw new UiaHostError('permission_denied', 'The level is disabled: nothing may be asked for either.');
  const call: CallContext = {
    owner: scope.state.owner,
    deadlineMs: scope.deadline.forCall(),
    signal: scope.signal,
    remoteControlMemory: policy.remoteControlMemory,
  };
  const flags: Flag[] = (request.flags ?? []).map((flag) => FlagSchema.parse(flag));
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
  if (wishes.length === 0 && flags.length === 0) return { granted: [], denied };
  const args = {
    apps: wishes.map((wish) => ({
      app: wish.bundleId,
      ...(isPathOf(wish) ? {} : { file: placeOf(wish) }),
      tier: wish.tier,
    })),
    flags,
  };
  const card: CardDraft = {
    actionId: scope.actionId,
    action: 'requestAccess',
    sessionId: scope.caller.session,
    summary: accessSummary(wishes, flags),
    why: [
      { kind: 'access', text: 'The agent asks for lasting access in this session.' },
      ...wishes.map((wish): ApprovalReason => ({
        kind: 'access',
        text: `${wish.tier} access to ${programWords(placeOf(wish), wish.displayName)}.`,
      })),
    ],
    proposerReason: request.reason,
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
    flags,
    digest: stepDigest('requestAccess', args),
    allowedScopes: ['session'],
    covers: [{ scope: 'session', text: 'What is asked for here, until the session ends' }],
    timeoutMs: policy.approvals.timeoutMs,
    outline: null,
  };
  try {
    await scope.whileAsking(() => parts.approvals.ask(card, scope.caller.tokenId, scope.signal, scope.onPending));
  } catch (thrown) {
    const error = toUiaHostError(thrown);
    if (error.code !== 'approval_denied' && error.code !== 'approval_expired') throw error;
    const reason = error.code === 'approval_denied' ? 'a person said no' : 'nobody decided in time';
    denied.push(...wishes.map((wish) => ({ app: wish.app, reason })), ...flags.map((flag) => ({ flag, reason })));
    await parts.recordAccess(scope, { granted: [], denied, reason: request.reason });
    return { granted: [], denied };
  }
  const granted = [
    ...wishes.map((wish) => ({ app: wish.bundleId, tier: wish.tier })),
    ...flags.map((flag) => ({ flag })),
  ];
  // Written down before it holds.
  await parts.recordAccess(scope, { granted, denied, reason: request.reason });
  const { grants } = scope.state;
  for (const wish of wishes) grants.grantApp(wish.bundleId, wish.tier);
  for (const flag of flags) grants.grantFlag(flag);
  return { granted, denied };
}
