import { DEFAULT_WINDOW_MINUTES } from '../../contract/approval-times.ts';
import type {
  ApprovalCard,
  ApprovalDecision,
  ApprovalScope,
  ApprovalStatus,
  AskPause,
} from '../../contract/approval.ts';
import { abortReason, UiaHostError } from '../../contract/errors.ts';
import type { Rect } from '../../contract/geometry.ts';
import type { Answer, CardDraft } from '../../policy/gate/index.ts';
import type { Store } from '../../store/client.ts';
import { AskPauses, OpenCards } from './ask-limits.ts';
import type { ApprovalService, SurfaceName } from '../face/host.ts';
import { newId } from '../face/ids.ts';

/** The bound window as it is when the card is made. */
export interface CardPicture {
  /** Where the stored picture is read; null where pictures are not kept. */
  readonly url: string | null;
  /** PNG. */
  readonly bytes: Uint8Array;
  /** The target, in pixels of the picture. */
  readonly outline: Rect | null;
}

/** A place where a person sees cards and answers: the overlay, or the operator's API. */
export interface Surface {
  readonly name: SurfaceName;
  /** Whether a person can approve there now; where not, a no may still be given. The API can as long as the policy lists it. */
  isAvailable(): boolean;
  /** One card at a time is seen; which, `Approvals.seen` is told. */
  readonly showsInTurn?: boolean;
  show(card: ApprovalCard, picture: CardPicture | null): void;
  takeAway(approvalId: string): void;
  /** The card is seen now, and its time runs from here on. */
  setClock?(approvalId: string, expiresAt: string, totalMs: number): void;
}

export interface ApprovalHooks {
  /** Makes the card's picture; null where there is none. Never throws. */
  picture(card: CardDraft): Promise<CardPicture | null>;
  /** Both are given the card as it is written down. `address`: of the page that the card is about, where that is known. */
  onAsked(card: ApprovalCard, address: string | null): void;
  onSettled(card: ApprovalCard): void;
  /** The card is seen now; its `expiresAt` is another one. */
  onSeen(card: ApprovalCard): void;
  /** Nobody is asked for an agent any more, or is again. */
  onPause(pause: AskPause, by: string): void;
  onLifted(owner: string, by: string): void;
}

interface Waiting {
  card: ApprovalCard;
  /** In these it is written down otherwise than it is shown. */
  readonly written: Partial<ApprovalCard>;
  readonly tokenId: string;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: UiaHostError) => void;
  readonly timeoutMs: number;
  readonly createdAt: number;
  deadline: number;
  timer: NodeJS.Timeout;
  isSeen: boolean;
  readonly signal: AbortSignal;
  readonly stopListening: () => void;
}

/** A card that waits behind others is over at the latest after so long, seen or not. */
const MOST_UNSEEN_MS = 30 * 60_000;

/** Asks persons. The first decision wins; silence, a lost surface, abort and cancel are a no. */
/** Why a card was shown, for whoever waited for its answer. */
function reasonsOf(card: ApprovalCard): string {
  const tags = card.flags.flatMap((flag) =>
    flag.startsWith('approval_required:') ? [flag.slice('approval_required:'.length)] : [],
  );
  const kinds = card.why.map(({ kind }) => kind).filter((kind) => kind !== 'alwaysAsk' && kind !== 'tag');
  return [
    ...new Set([...tags, ...kinds, ...(card.riskTags.length === 0 ? [] : [`risk ${card.riskTags.join(', ')}`])]),
  ].join('; ');
}

export class Approvals implements ApprovalService {
  readonly #store: Store;
  readonly #hooks: ApprovalHooks;
  readonly #surfaces: Surface[] = [];
  readonly #waiting = new Map<string, Waiting>();
  readonly #watchers = new Map<string, Set<() => void>>();
  readonly #allowed: () => readonly SurfaceName[];
  readonly #redact: (args: unknown) => unknown;
  readonly #open = new OpenCards();
  readonly #pauses = new AskPauses();

  /** @param redact the form of arguments that is written down. */
  constructor(
    store: Store,
    hooks: ApprovalHooks,
    allowedSurfaces: () => readonly SurfaceName[],
    redact: (args: unknown) => unknown,
  ) {
    this.#redact = redact;
    this.#store = store;
    this.#hooks = hooks;
    this.#allowed = allowedSurfaces;
  }

  addSurface(surface: Surface): void {
    this.#surfaces.push(surface);
  }

  /** Shows a card and waits for a person. Errors: approval_denied, approval_expired, rate_limited, and the signal's reason. */
  async ask(
    draft: CardDraft,
    tokenId: string,
    signal: AbortSignal,
    onPending: (approvalId: string) => void,
  ): Promise<Answer> {
    const owner = draft.byHost === true ? null : `${tokenId}/${draft.sessionId}`;
    if (owner !== null) this.#pauses.assertMayAsk(owner);
    // Before the picture and the row: what is refused costs nothing.
    const giveBack = this.#open.take(owner ?? `${tokenId}/`, () => this.#secondsUntilOneEnds(owner));
    try {
      return await this.#ask(draft, { tokenId, owner }, signal, onPending);
    } finally {
      giveBack();
    }
  }

  async #ask(
    draft: CardDraft,
    { tokenId, owner }: { tokenId: string; owner: string | null },
    signal: AbortSignal,
    onPending: (approvalId: string) => void,
  ): Promise<Answer> {
    const surfaces = this.#surfaces.filter((surface) => this.#allowed().includes(surface.name));
    const canBeApproved = surfaces.some((surface) => surface.isAvailable());
    const {
      timeoutMs,
      outline: _outline,
      address = null,
      byHost: _byHost,
      kept = { arguments: draft.arguments },
      ...fields
    } = draft;
    const picture = await this.#hooks.picture(draft);
    const now = Date.now();
    const card: ApprovalCard = {
      ...fields,
      owner,
      approvalId: newId('apr'),
      status: 'pending',
      pictureUrl: picture?.url ?? null,
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + timeoutMs).toISOString(),
      decidedBy: null,
    };
    if (signal.aborted) throw abortReason(signal, 'The action was cancelled.');
    // The whole card is in memory alone, and only while somebody may answer it.
    const written = { ...kept, arguments: this.#redact(kept.arguments) };
    await this.#store.approvals.create({ ...card, ...written }, tokenId);
    if (!canBeApproved) {
      await this.#store.approvals.resolve(card.approvalId, {
        status: 'denied',
        decidedBy: 'no surface',
        decidedAt: new Date().toISOString(),
      });
      throw new UiaHostError(
        'approval_denied',
        'A person must be asked, and there is no surface to ask on; that counts as no.',
        {
          hint: 'Start the overlay, or let an administrator add `api` to approvals.surfaces.',
        },
      );
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => void this.#settle(card.approvalId, 'cancelled', 'caller', null, null);
      this.#waiting.set(card.approvalId, {
        card,
        written,
        tokenId,
        resolve,
        reject,
        timeoutMs,
        createdAt: now,
        deadline: now + timeoutMs,
        timer: this.#timer(card.approvalId, timeoutMs),
        isSeen: false,
        signal,
        stopListening: () => signal.removeEventListener('abort', onAbort),
      });
      if (surfaces.some((surface) => surface.showsInTurn === true)) this.#outliveSeen();
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) return void onAbort();
      const shown = this.#waiting.get(card.approvalId)?.card ?? card;
      for (const surface of surfaces) surface.show(shown, picture);
      this.#hooks.onAsked({ ...shown, ...written }, address);
      onPending(card.approvalId);
    });
  }

  /** The card that a surface which shows one at a time shows now: its time begins, and those behind it have theirs after it. */
  seen(approvalId: string): void {
    const waiting = this.#waiting.get(approvalId);
    if (waiting === undefined || waiting.isSeen) return;
    waiting.isSeen = true;
    this.#setDeadline(waiting, Date.now() + waiting.timeoutMs);
    this.#outliveSeen();
    for (const surface of this.#surfaces) surface.setClock?.(approvalId, waiting.card.expiresAt, waiting.timeoutMs);
    this.#hooks.onSeen({ ...waiting.card, ...waiting.written });
  }

  /** A surface could not keep its card to itself, or ended: that is a no, but no person’s. */
  async lose(approvalId: string, surface: SurfaceName): Promise<void> {
    await this.#settle(approvalId, 'denied', surface, null, null, false);
  }

  /** Says no to every open card of an agent (TOKEN/SESSION, or TOKEN), and asks nobody for it until that is lifted. */
  async denyAll(owner: string, decidedBy: string): Promise<{ pause: AskPause; denied: string[] }> {
    const pause = this.#pauses.denyAll(owner);
    this.#hooks.onPause(pause, decidedBy);
    const open = [...this.#waiting.values()].filter(
      ({ card }) => card.owner !== null && (card.owner === pause.owner || card.owner.startsWith(`${pause.owner}/`)),
    );
    await Promise.all(open.map(({ card }) => this.#settle(card.approvalId, 'denied', decidedBy, null, null)));
    return { pause, denied: open.map(({ card }) => card.approvalId) };
  }

  pauses(): AskPause[] {
    return this.#pauses.list();
  }

  /** An agent may ask again. Errors: not_found. */
  lift(owner: string, by: string): void {
    if (!this.#pauses.lift(owner))
      throw new UiaHostError('not_found', `Nothing is paused for ${owner}.`, {
        hint: 'GET /v1/approval-pauses, or `uiahost approvals pauses`, lists the agents that nobody is asked for.',
      });
    this.#hooks.onLifted(owner, by);
  }

  /** A session that has ended leaves nothing behind. */
  sessionEnded(owner: string): void {
    this.#pauses.forget(owner);
  }

  #timer(approvalId: string, ms: number): NodeJS.Timeout {
    return setTimeout(() => void this.#settle(approvalId, 'expired', 'deadline', null, null), Math.max(0, ms));
  }

  #setDeadline(waiting: Waiting, deadline: number): void {
    clearTimeout(waiting.timer);
    waiting.deadline = deadline;
    waiting.timer = this.#timer(waiting.card.approvalId, deadline - Date.now());
    waiting.card = { ...waiting.card, expiresAt: new Date(deadline).toISOString() };
  }

  /** A card that nobody can see yet has its own time after the one that is seen. */
  #outliveSeen(): void {
    const all = [...this.#waiting.values()];
    const until = Math.max(...all.filter(({ isSeen }) => isSeen).map(({ deadline }) => deadline));
    if (!Number.isFinite(until)) return;
    for (const waiting of all) {
      const deadline = Math.min(
        until + waiting.timeoutMs,
        waiting.createdAt + Math.max(MOST_UNSEEN_MS, waiting.timeoutMs),
      );
      if (!waiting.isSeen && deadline > waiting.deadline) this.#setDeadline(waiting, deadline);
    }
  }

  #secondsUntilOneEnds(owner: string | null): number {
    const token = owner?.split('/', 1)[0];
    const ends = [...this.#waiting.values()].filter(({ tokenId }) => tokenId === token).map(({ deadline }) => deadline);
    return (Math.min(...ends, Date.now() + MOST_UNSEEN_MS) - Date.now()) / 1000;
  }

  async decide(
    approvalId: string,
    decision: ApprovalDecision,
    decidedBy: string,
    surface: SurfaceName,
  ): Promise<ApprovalCard> {
    const waiting = this.#waiting.get(approvalId);
    if (waiting === undefined) {
      const kept = await this.#store.approvals.get(approvalId);
      if (kept === null) throw new UiaHostError('approval_not_found', `There is no approval ${approvalId}.`);
      const wanted: ApprovalStatus = decision.decision === 'approve' ? 'approved' : 'denied';
      if (kept.card.status === wanted) return kept.card;
      throw new UiaHostError('approval_conflict', `The approval ${approvalId} is ${kept.card.status}; that stands.`);
    }
    if (decision.decision === 'approve') this.#assertMayApprove(surface);
    if (decision.all === true) {
      const { owner } = waiting.card;
      if (decision.decision === 'approve' || owner === null)
        throw new UiaHostError(
          'invalid_argument',
          '`all` goes only with a denial for an agent; the card is still waiting.',
        );
      await this.denyAll(owner, decidedBy);
      return this.get(approvalId);
    }
    // A plain yes reaches as little as the card allows; cards list the narrowest first.
    const scope = decision.scope ?? waiting.card.allowedScopes[0] ?? 'once';
    if (decision.decision === 'approve' && !waiting.card.allowedScopes.includes(scope)) {
      throw new UiaHostError(
        'invalid_argument',
        `This card cannot be approved with scope ${scope}; it allows ${waiting.card.allowedScopes.join(', ')}.`,
      );
    }
    if (decision.minutes !== undefined && scope !== 'window') {
      throw new UiaHostError('invalid_argument', '`minutes` goes only with scope `window`.');
    }
    const minutes = scope === 'window' ? (decision.minutes ?? DEFAULT_WINDOW_MINUTES) : null;
    const status = decision.decision === 'approve' ? 'approved' : 'denied';
    const card = await this.#settle(approvalId, status, decidedBy, scope, minutes);
    if (card.status !== status)
      throw new UiaHostError('approval_conflict', `The approval ${approvalId} is ${card.status}; that stands.`);
    return card;
  }

  /** A yes counts from the surfaces of the policy alone, as it is now: whoever can read a token file must not answer their own card. */
  #assertMayApprove(surface: SurfaceName): void {
    if (this.#allowed().includes(surface)) return;
    throw new UiaHostError(
      'permission_denied',
      `The policy lets nobody approve on this surface (${surface}); the card waits as before, and nothing was approved.`,
      {
        hint:
          surface === 'api'
            ? 'Answer on the overlay, or let an administrator’s policy add `api` to approvals.surfaces. A no is taken from here.'
            : 'Answer by the operator’s API. A no is taken from here.',
      },
    );
  }

  /** Marks an approved card whose approval no longer holds. */
  async voidApproval(approvalId: string): Promise<void> {
    await this.#store.approvals.resolve(approvalId, {
      status: 'void',
      decidedBy: null,
      decidedAt: new Date().toISOString(),
    });
    const kept = await this.#store.approvals.get(approvalId);
    if (kept !== null) this.#hooks.onSettled({ ...kept.card, status: 'void' });
  }

  /** Ends every open card of these sessions (all when left out), as a no. */
  async cancelAll(reason: string, sessionIds?: ReadonlySet<string>): Promise<void> {
    const open = [...this.#waiting.values()].filter(
      (waiting) => sessionIds === undefined || sessionIds.has(waiting.card.sessionId),
    );
    await Promise.all(open.map((waiting) => this.#settle(waiting.card.approvalId, 'cancelled', reason, null, null)));
  }

  pendingOf(sessionId: string): ApprovalCard[] {
    return [...this.#waiting.values()].map((waiting) => waiting.card).filter((card) => card.sessionId === sessionId);
  }

  async list(options: {
    status: 'pending' | 'all';
    cursor?: string | undefined;
    limit?: number | undefined;
  }): Promise<{ approvals: ApprovalCard[]; nextCursor: string | null }> {
    const page = await this.#store.approvals.list({
      status: options.status,
      cursor: options.cursor ?? null,
      ...(options.limit === undefined ? {} : { limit: options.limit }),
    });
    return {
      approvals: page.approvals.map(({ card }) => this.#waiting.get(card.approvalId)?.card ?? card),
      nextCursor: page.nextCursor,
    };
  }

  async get(approvalId: string): Promise<ApprovalCard> {
    const waiting = this.#waiting.get(approvalId);
    if (waiting !== undefined) return waiting.card;
    const kept = await this.#store.approvals.get(approvalId);
    if (kept === null) throw new UiaHostError('approval_not_found', `There is no approval ${approvalId}.`);
    return kept.card;
  }

  async settled(approvalId: string, timeoutMs: number, signal?: AbortSignal): Promise<ApprovalCard> {
    if (this.#waiting.has(approvalId)) {
      await new Promise<void>((resolve) => {
        const watchers = this.#watchers.get(approvalId) ?? new Set();
        this.#watchers.set(approvalId, watchers);
        const done = (): void => {
          clearTimeout(timer);
          watchers.delete(done);
          signal?.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, timeoutMs);
        signal?.addEventListener('abort', done, { once: true });
        watchers.add(done);
      });
    }
    return this.get(approvalId);
  }

  /** Silence counts like a no. What was taken back, or lost, counts for nothing. */
  #count({ owner, status }: ApprovalCard): void {
    if (owner === null || (status !== 'approved' && status !== 'denied' && status !== 'expired')) return;
    const pause = this.#pauses.count(owner, status !== 'approved');
    if (pause?.reason === 'denials') this.#hooks.onPause(pause, 'three denials in a row');
  }

  async #settle(
    approvalId: string,
    status: Exclude<ApprovalStatus, 'pending'>,
    decidedBy: string,
    scope: ApprovalScope | null,
    minutes: number | null,
    isPersons = true,
  ): Promise<ApprovalCard> {
    const waiting = this.#waiting.get(approvalId);
    if (waiting === undefined) return this.get(approvalId);
    // Taken out first: the first decision wins, also while the store writes it.
    this.#waiting.delete(approvalId);
    clearTimeout(waiting.timer);
    waiting.stopListening();
    for (const surface of this.#surfaces) surface.takeAway(approvalId);
    const card: ApprovalCard = { ...waiting.card, status, decidedBy };
    try {
      await this.#store.approvals.resolve(approvalId, {
        status,
        decidedBy,
        decidedAt: new Date().toISOString(),
        scope,
      });
    } catch (error) {
      waiting.reject(
        new UiaHostError('audit_unavailable', 'The decision could not be written, so it does not count.', {
          cause: error,
        }),
      );
      throw error;
    } finally {
      for (const watcher of this.#watchers.get(approvalId) ?? []) watcher();
      this.#watchers.delete(approvalId);
    }
    if (isPersons) this.#count(card);
    this.#hooks.onSettled({ ...card, ...waiting.written });
    switch (status) {
      case 'approved':
        waiting.resolve({ decision: 'approve', scope: scope ?? 'once', minutes, decidedBy, approvalId });
        break;
      case 'denied':
        waiting.reject(new UiaHostError('approval_denied', `A person (${decidedBy}) said no to: ${card.summary}`));
        break;
      case 'expired':
        waiting.reject(
          new UiaHostError(
            'approval_expired',
            `Nobody decided before ${card.expiresAt}, which counts as no. It was asked for: ${reasonsOf(card)}.`,
          ),
        );
        break;
      default:
        waiting.reject(
          waiting.signal.aborted
            ? abortReason(waiting.signal, 'The action was cancelled.')
            : new UiaHostError(
                'cancelled',
                `The request was taken back before anyone decided (${decidedBy}); its card is gone.`,
              ),
        );
    }
    return card;
  }
}
