/**
 * Services of the host for a few actions. Everything they lead to goes through the runner, and so through the gate,
 * again.
 */
import type { HostServices } from '../../actions/index.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { LOOKING, type ActionTraits } from '../../contract/gate/traits.ts';
import type { TargetSpec } from '../../desktop/index.ts';
import type { GatePassed } from '../../policy/gate/index.ts';
import type { Secrets } from '../access/secret-service.ts';
import { runBatch, type BatchParts } from './batch.ts';
import { keepDocument, type KeepDocumentParts } from './keep-document.ts';
import { keepPicture, type KeepPictureParts } from './keep-picture.ts';
import { propose } from './propose.ts';
import { requestAccess, type AccessParts } from './request-access.ts';
import type { InnerRunner, RunScope } from './run-scope.ts';

export interface HostServiceParts extends BatchParts, AccessParts {
  readonly secrets: Secrets;
  readonly pictures: KeepPictureParts;
  readonly keeping: KeepDocumentParts;
}

export function createHostServices(
  parts: HostServiceParts,
  runner: InnerRunner,
  scope: RunScope,
  passed: GatePassed,
): HostServices {
  return {
    keepPicture: (picture, sourceTool) => keepPicture(parts.pictures, scope, picture, sourceTool),
    keepDocument: (content) => keepDocument(parts.keeping, scope, content),
    runBatch: (steps, approveAsPlan) => runBatch(parts, runner, scope, steps, approveAsPlan),
    requestAccess: (request) => requestAccess(parts, scope, request),
    propose: (proposal) =>
      propose(runner, scope.caller, proposal, { signal: scope.signal, outerId: scope.actionId }, (approvalId) =>
        scope.onPending(approvalId),
      ),
    async refusalToLook(allowedBundleIds) {
      const traits: ActionTraits = { ...LOOKING, binding: 'required', target: { kind: 'window' }, allowedBundleIds };
      const { decision, error } = await parts.gate.assess(
        { action: 'snapshot', actionId: scope.actionId, input: {}, traits, claims: null, planStep: null, secret: null },
        parts.worldFor(scope),
      );
      return decision === 'execute' ? null : (error?.code ?? 'permission_denied');
    },
    secret: (ref) => readSecret(parts, scope, passed, ref),
    openedWindow(hwnd, pid) {
      if (passed.approvalId !== null) scope.state.grants.grantWindow(hwnd, pid, 'full');
    },
  };
}

/** For the window that was judged. The page may have changed since: its address and the field’s document are read again. */
async function readSecret(
  { desktop, secrets, policy }: HostServiceParts,
  { state, deadline, signal, caller }: RunScope,
  { app, binding, context }: GatePassed,
  ref: string,
): Promise<string> {
  if (app === null || binding === null)
    throw new UiaHostError('not_bound', 'A secret is typed into a bound window, and none is bound.');
  const target: TargetSpec = { kind: 'element', query: { ref: context?.element?.ref }, purpose: 'type' };
  const { remoteControlMemory, deny } = policy();
  const applications = { deny, only: caller.limits?.apps };
  const call = { owner: state.owner, deadlineMs: deadline.forCall(), signal, remoteControlMemory, applications };
  return secrets.read(ref, { app, context: await desktop.element.context(binding, target, call) });
}
