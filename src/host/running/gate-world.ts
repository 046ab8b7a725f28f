/**
 * Answers the gate's queries from the live desktop each time, for the window that was bound when the action arrived.
 */
import { toScreenPoint } from '../../actions/index.ts';
import type { AppIdentity, BindingRecord } from '../../contract/element/binding.ts';
import type { ElementContext } from '../../contract/element/element.ts';
import type { Point } from '../../contract/element/geometry.ts';
import type { ActionTarget } from '../../contract/gate/traits.ts';
import type { CallContext, Desktop } from '../../desktop/index.ts';
import type { Answer, CardDraft, GateRecord, GateWorld } from '../../policy/gate/index.ts';
import type { Secrets } from '../access/secret-service.ts';
import type { Approvals } from '../approvals/approval-service.ts';
import type { DesktopControl } from './desktop-control.ts';
import { gateSessionOf, type GateSessionParts } from './gate-session.ts';
import type { ActionLedger } from './ledger.ts';
import { assertStillBound } from './owners.ts';
import type { RunScope } from './run-scope.ts';

export interface GateWorldParts extends GateSessionParts {
  readonly desktop: Desktop;
  readonly desktopControl: DesktopControl;
  readonly approvals: Approvals;
  readonly ledger: ActionLedger;
  readonly secrets: Secrets;
}

export function createGateWorld(parts: GateWorldParts, scope: RunScope): GateWorld {
  const call = (): CallContext => ({
    owner: scope.state.owner,
    deadlineMs: scope.deadline.forCall(),
    signal: scope.signal,
    remoteControlMemory: parts.policy().remoteControlMemory,
    applications: { deny: parts.policy().deny, only: scope.caller.limits?.apps },
  });
  const isLook = scope.definition.effect === 'observe';

  const toScreen = ({ at, space, observationId }: Extract<ActionTarget, { kind: 'point' }>): Promise<Point> =>
    toScreenPoint(
      { observations: scope.observations, binding: scope.bound, desktop: parts.desktop, call: call() },
      at,
      space,
      observationId,
    );

  type Place = Extract<ActionTarget, { kind: 'point' | 'pointer' }>;
  const placeOf = (target: Place): Promise<Point | null> =>
    target.kind === 'point'
      ? toScreen(target)
      : parts.desktop.pointer.position(scope.bound, target.isReal ? 'foreground' : 'background', call());

  /** What is under a point of a window; null if unknown. */
  const underPoint = async (target: Place, window: BindingRecord | null): Promise<ElementContext | null> => {
    const at = await placeOf(target);
    return at === null || window === null ? null : parts.desktop.element.context(window, { kind: 'point', at }, call());
  };

  return {
    policy: parts.policy,
    session: gateSessionOf(parts, scope),
    grants: scope.state.grants,
    allowances: scope.state.allowances,
    typed: scope.state.typed,
    signal: scope.signal,

    async binding(): Promise<BindingRecord | null> {
      assertStillBound(scope.state, scope.bound);
      if (scope.bound === null) return null;
      await parts.desktop.binding.verify(scope.bound, call());
      return scope.bound;
    },

    assertObservation(id) {
      scope.observations.get(id);
    },

    async windowOf(target, isForeground): Promise<BindingRecord | null> {
      if (target.kind === 'focus')
        return scope.bound === null || isForeground ? parts.desktop.binding.front(scope.bound, call()) : scope.bound;
      if (scope.bound !== null || (target.kind !== 'point' && target.kind !== 'pointer')) return scope.bound;
      const at = await placeOf(target);
      return at === null ? null : parts.desktop.binding.at(at, call());
    },

    async verify(window) {
      assertStillBound(scope.state, scope.bound);
      await parts.desktop.binding.verify(window, call());
    },

    async context(target, window): Promise<ElementContext | null> {
      if (target.kind === 'point' || target.kind === 'pointer') return underPoint(target, window);
      const record = window;
      if (record === null || target.kind === 'none' || target.kind === 'apps') return null;
      // Reading the whole window has no target element: its tree is not read twice.
      if (isLook && target.kind === 'window') return null;
      return parts.desktop.element.context(record, target, call());
    },

    cells: (aim, window) => parts.desktop.sheet.before(window, aim, call()),

    async appOf(target): Promise<AppIdentity | null> {
      if (target.kind === 'apps') {
        const name = target.names[0];
        return name === undefined ? null : parts.desktop.app.resolve(name, call());
      }
      if (scope.bound !== null) return scope.bound.app;
      return target.kind === 'none' ? null : parts.desktop.app.frontmost(call());
    },

    programsOf: (launch) => parts.desktop.terminal.programs(launch, call()),

    isForeignPath: (path) => parts.desktop.app.isForeign(path, call()),

    hashText: (text) => parts.ledger.hashText(text),

    heldKeys: () => parts.desktopControl.heldKeys(scope.state.owner),

    assertSecret: (ref, place) => parts.secrets.assertUsable(ref, place),

    ask(card: CardDraft, signal: AbortSignal): Promise<Answer> {
      return scope.whileAsking(() =>
        parts.approvals.ask(card, scope.caller.tokenId, signal, (approvalId) => scope.onPending(approvalId)),
      );
    },

    voidApproval: (approvalId) => parts.approvals.voidApproval(approvalId),

    record(step: GateRecord): Promise<void> {
      scope.onGate(step);
      return parts.ledger.gateRecord(step, scope.caller, isLook);
    },
  };
}
