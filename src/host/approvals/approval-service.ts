/**
 * Asks people for approval. The first decision counts; no answer, a lost surface, an abort and a cancellation count as
 * a denial.
 */
import { EventEmitter } from 'node:events';
import type { Sentence } from '../../contract/gate/card-words.ts';
import { DECIDED_BY, DEFAULT_WINDOW_MINUTES, denialWords } from '../../contract/gate/card-lines.ts';
import {
  NotApproved,
  type ApprovalCard,
  type ApprovalDecision,
  type ApprovalScope,
  type ApprovalStatus,
  type AskPause,
} from '../../contract/gate/approval.ts';
import { abortReason, badInput, UiaHostError } from '../../contract/errors.ts';
import { APPROVE_BY_API } from '../../contract/process/doctor.ts';
import type { Answer, CardDraft } from '../../policy/gate/index.ts';
import type { Store } from '../../store/client.ts';
import type { ApprovalResolution } from '../../store/records.ts';
import type { ApprovalService, SurfaceName, TokenService } from '../face/host.ts';
import { newId, type Caller } from '../face/caller.ts';
import { remember } from '../face/remember.ts';
import { AskPauses, OpenCards } from './ask-limits.ts';
import type { CardPicture, Surface } from './surface.ts';
import { WaitingCards } from './waiting-cards.ts';
import type { AuditEntryInput } from '../../audit/entry.ts';
import type { Recorded } from '../../audit/redact.ts';
import type { EventHub } from '../events/event-hub.ts';

/** Why an approval was not given, for answers that list it; the whole text of an error that no card caused. */
export const whyNotApproved = (error: UiaHostError): string =>
  error instanceof NotApproved ? error.who : error.message;

const LOST_HINT = 'Ask again once: the overlay starts again by itself. `uiahost doctor` shows its state.';

/** The error for the action that waited for the answer. */
function noApproval(
  card: ApprovalCard,
  status: Exclude<ApprovalStatus, 'pending' | 'approved'>,
  decidedBy: string,
  signal: AbortSignal,
): UiaHostError {
  const who = denialWords(status === 'expired' ? DECIDED_BY.deadline : decidedBy);
  if (status === 'denied') {
    const more = decidedBy === DECIDED_BY.lost ? { decidedBy, who, hint: LOST_HINT } : { decidedBy, who };
    return new NotApproved('approval_denied', `${who}. It was asked: ${card.summary}`, more);
  }
  if (status === 'expired')
    return new NotApproved('approval_expired', `${who} (${card.expiresAt}). It was asked for: ${reasonsOf(card)}.`, {
      decidedBy,
      who,
    });
  return signal.aborted
    ? abortReason(signal, 'The action was cancelled.')
    : new UiaHostError(
        'cancelled',
        `The request was withdrawn before anyone decided (${decidedBy}); its card is gone.`,
      );
}

const conflictOf = ({ approvalId, status }: ApprovalCard): UiaHostError =>
  new UiaHostError('approval_conflict', `The approval ${approvalId} is ${status}; that does not change.`);

/** Why the card was shown, in the words of its flags, kinds of reasons and tags. */
function reasonsOf(card: ApprovalCard): string {
  const tags = card.flags.flatMap((flag) =>
    flag.startsWith('approval_required:') ? [flag.slice('approval_required:'.length)] : [],
  );
  const kinds = card.why.map(({ kind }) => kind).filter((kind) => kind !== 'alwaysAsk' && kind !== 'tag');
  return [
    ...new Set([...tags, ...kinds, ...(card.riskTags.length === 0 ? [] : [`risk ${card.riskTags.join(', ')}`])]),
  ].join('; ');
}

/** Cards have the form in which they are recorded. */
export interface ApprovalEvents {
  /** `address`: of the page that the card is about, if known. */
  asked: [card: ApprovalCard, address: string | null];
  settled: [card: ApprovalCard];
  /** The card is visible now, and its `expiresAt` has changed. */
  seen: [card: ApprovalCard];
  /** Requests of an agent are now refused without asking, or no longer. */
  paused: [pause: AskPause, by: string];
  lifted: [owner: string, by: string];
}

export interface ApprovalParts {
  readonly store: Pick<Store, 'approvals'>;
  readonly surfaces: readonly Surface[];
  /** The surfaces whose approvals count. */
  allowedSurfaces(): readonly SurfaceName[];
  /** Null for a card without a picture. Never rejects. */
  picture(card: CardDraft): Promise<CardPicture | null>;
  /** Names of tokens, and their ends: cards end with their token. */
  readonly tokens: Pick<TokenService, 'endOf' | 'nameOf'>;
  /** The form in which arguments are recorded, and other texts without their content. */
  recorded(action: string, args: unknown, chosen?: readonly string[]): Recorded;
}

/** What is recorded of a card in other words than it shows. */
function writtenOf(card: ApprovalCard, kept: NonNullable<CardDraft['kept']>, { input, without }: Recorded) {
  const covers = kept.covers ?? card.covers;
  const part = (words: Sentence): Sentence =>
    Object.fromEntries(Object.entries(words).map(([key, text]) => [key, without(text)]));
  return {
    ...kept,
    summary: without(card.summary),
    ...(card.sentence === undefined ? {} : { sentence: part(card.sentence) }),
    ...(card.steps === undefined ? {} : { steps: card.steps.map(part) }),
    why: card.why.map(({ kind, text }) => ({ kind, text: without(text) })),
    ...(covers === undefined ? {} : { covers: covers.map(({ scope, text }) => ({ scope, text: without(text) })) }),
    arguments: input,
  };
}

/** Clients choose session names: at most this many names of their programs are kept, the oldest go first. */
const MAX_CLIENTS = 1024;

/** The name that an agent's program gives itself, and when it last asked for something (milliseconds since 1970). */
interface NamedClient {
  readonly name: string;
  readonly seenAt: number;
}

export class Approvals implements ApprovalService {
  readonly events = new EventEmitter<ApprovalEvents>();
  readonly #parts: ApprovalParts;
  readonly #waiting = new WaitingCards(
    (approvalId) => void this.#settle(approvalId, 'expired', DECIDED_BY.deadline),
    (approvalId) => {
      for (const surface of this.#parts.surfaces) if (surface.showsInTurn === true) surface.takeAway(approvalId);
    },
  );
  readonly #watchers = new Map<string, Set<() => void>>();
  readonly #open = new OpenCards();
  readonly #pauses = new AskPauses();
  readonly #clients = new Map<string, NamedClient>();

  constructor(parts: ApprovalParts) {
    this.#parts = parts;
  }

  /** The name that a person gave a token; its id if it has none. */
  nameOf = (tokenId: string): string => this.#parts.tokens.nameOf(tokenId);

  /** The name that an agent's program gives itself: its cards quote it. */
  noteClient({ tokenId, session }: Caller, name: string): void {
    const named = { name: name.slice(0, 200), seenAt: Date.now() };
    remember(this.#clients, `${tokenId}/${session}`, named, MAX_CLIENTS);
  }

  /** Agents' programs, by TOKEN/SESSION. */
  clients(): ReadonlyMap<string, NamedClient> {
    return this.#clients;
  }

  /** Ids of the cards that wait, by the agent that asks. */
  waitingByOwner(): Map<string, string[]> {
    const found = new Map<string, string[]>();
    for (const { card } of this.#waiting.all())
      if (card.owner !== null) found.set(card.owner, [...(found.get(card.owner) ?? []), card.approvalId]);
    return found;
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
    // Before the picture and the row, so that a refusal costs nothing.
    const giveBack = this.#open.take(owner ?? `${tokenId}/`, () =>
      this.#waiting.secondsUntilOneEnds(owner?.split('/', 1)[0]),
    );
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
    const surfaces = this.#parts.surfaces.filter(({ name }) => this.#parts.allowedSurfaces().includes(name));
    const available = surfaces.filter((surface) => surface.isAvailable());
    const {
      timeoutMs,
      outline: _outline,
      address = null,
      byHost: _byHost,
      kept = { arguments: draft.arguments },
      chosen,
      ...fields
    } = draft;
    const waitMs = Math.max(timeoutMs, ...available.map((surface) => surface.waitMs?.() ?? 0));
    const picture = await this.#parts.picture(draft);
    const now = Date.now();
    const card: ApprovalCard = {
      ...fields,
      owner,
      agent:
        owner === null
          ? null
          : { name: this.#parts.tokens.nameOf(tokenId), callsItself: this.#clients.get(owner)?.name ?? null },
      approvalId: newId('apr'),
      status: 'pending',
      pictureUrl: picture?.url ?? null,
      ...(picture === null || picture.outline === null ? {} : { pictureOutline: picture.outline }),
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + waitMs).toISOString(),
      decidedBy: null,
    };
    const ended = this.#parts.tokens.endOf(tokenId);
    const gone = ended.aborted ? ended : signal;
    if (gone.aborted) throw abortReason(gone, 'The action was cancelled.');
    // The whole card is in memory only, and only while it can be answered.
    const written = writtenOf(card, kept, this.#parts.recorded(draft.action, kept.arguments, chosen));
    await this.#parts.store.approvals.create({ ...card, ...written }, tokenId);
    if (available.length === 0) {
      await this.#write(card.approvalId, 'denied', DECIDED_BY.noSurface);
      const who = denialWords(DECIDED_BY.noSurface);
      throw new NotApproved('approval_denied', `${who}.`, {
        decidedBy: DECIDED_BY.noSurface,
        who,
        hint: `${APPROVE_BY_API}\nRun \`uiahost doctor\` to see why no card can be approved on this machine (a Server edition, an overlay that does not start).`,
      });
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void =>
        void this.#settle(card.approvalId, 'cancelled', ended.aborted ? 'token ended' : 'caller');
      const signals = [signal, ended];
      this.#waiting.add(
        {
          card,
          written,
          tokenId,
          resolve,
          reject,
          timeoutMs,
          waitMs,
          createdAt: now,
          signal,
          stopListening: () => signals.forEach((each) => each.removeEventListener('abort', onAbort)),
        },
        surfaces.some((surface) => surface.showsInTurn === true),
      );
      for (const each of signals) each.addEventListener('abort', onAbort, { once: true });
      if (signals.some(({ aborted }) => aborted)) return void onAbort();
      const shown = this.#waiting.get(card.approvalId)?.card ?? card;
      for (const surface of surfaces) surface.show(shown, picture);
      this.events.emit('asked', { ...shown, ...written }, address);
      onPending(card.approvalId);
    });
  }

  /** A surface that shows one card at a time is showing this one now. */
  seen(approvalId: string): void {
    const seen = this.#waiting.see(approvalId);
    if (seen === undefined) return;
    const { card, written, timeoutMs } = seen.waiting;
    for (const surface of this.#parts.surfaces) surface.setClock?.(approvalId, seen.until, timeoutMs);
    this.events.emit('seen', { ...card, ...written });
  }

  /** A surface could not protect its card, or ended: that counts as a denial, but not a person’s. */
  async lose(approvalId: string): Promise<void> {
    await this.#settle(approvalId, 'denied', DECIDED_BY.lost, { isPersons: false });
  }

  /**
   * Denies every open card of an agent (TOKEN/SESSION, or TOKEN) and refuses its requests until that pause is lifted.
   */
  async denyAll(owner: string, decidedBy: string): Promise<{ pause: AskPause; denied: string[] }> {
    const pause = this.#pauses.denyAll(owner);
    this.events.emit('paused', pause, decidedBy);
    const open = this.#waiting
      .all()
      .filter(
        ({ card }) => card.owner !== null && (card.owner === pause.owner || card.owner.startsWith(`${pause.owner}/`)),
      );
    await Promise.all(open.map(({ card }) => this.#settle(card.approvalId, 'denied', decidedBy)));
    return { pause, denied: open.map(({ card }) => card.approvalId) };
  }

  pauses(): AskPause[] {
    return this.#pauses.list();
  }

  /** Lets an agent ask again. Errors: not_found. */
  lift(owner: string, by: string): void {
    if (!this.#pauses.lift(owner))
      throw new UiaHostError('not_found', `The agent ${owner} is not paused.`, {
        hint: 'GET /v1/approval-pauses lists the paused agents.',
      });
    this.events.emit('lifted', owner, by);
  }

  /** The pauses of a session end with it. */
  sessionEnded(owner: string): void {
    this.#pauses.forget(owner);
  }

  async decide(
    approvalId: string,
    decision: ApprovalDecision,
    decidedBy: string,
    surface: SurfaceName,
  ): Promise<ApprovalCard> {
    const waiting = this.#waiting.get(approvalId);
    const status = decision.decision === 'approve' ? 'approved' : 'denied';
    if (waiting === undefined) {
      const kept = await this.#kept(approvalId);
      if (kept.status === status) return kept;
      throw conflictOf(kept);
    }
    if (decision.decision === 'approve') this.#assertMayApprove(surface);
    if (decision.all === true) {
      const { owner } = waiting.card;
      if (decision.decision === 'approve' || owner === null)
        throw badInput('`all` is valid only with a denial for an agent; the card is still waiting.');
      await this.denyAll(owner, decidedBy);
      return this.get(approvalId);
    }
    // A plain approval has the card's narrowest scope, which is its first.
    const scope = decision.scope ?? waiting.card.allowedScopes[0] ?? 'once';
    if (decision.decision === 'approve' && !waiting.card.allowedScopes.includes(scope)) {
      throw badInput(
        `This card cannot be approved with scope ${scope}; it allows ${waiting.card.allowedScopes.join(', ')}.`,
      );
    }
    if (decision.minutes !== undefined && scope !== 'window') {
      throw badInput('`minutes` is valid only with scope `window`.');
    }
    const minutes = scope === 'window' ? (decision.minutes ?? DEFAULT_WINDOW_MINUTES) : null;
    const card = await this.#settle(approvalId, status, decidedBy, { scope, minutes });
    if (card.status !== status) throw conflictOf(card);
    return card;
  }

  /**
   * An approval counts only from a surface that the policy lists now: a program that can read a token file must not
   * answer its own card.
   */
  #assertMayApprove(surface: SurfaceName): void {
    if (this.#parts.allowedSurfaces().includes(surface)) return;
    throw new UiaHostError(
      'permission_denied',
      `The policy does not allow approvals on this surface (${surface}); the card still waits, and nothing was approved.`,
      {
        hint:
          surface === 'overlay'
            ? 'Answer by the operator’s API. A no is accepted here.'
            : `Answer on the overlay, or add \`${surface}\` to approvals.surfaces; for an installed host an administrator’s policy must name it. A no is accepted here.`,
      },
    );
  }

  /** Marks an approved card whose approval is no longer valid. */
  async voidApproval(approvalId: string): Promise<void> {
    await this.#write(approvalId, 'void', null);
    const kept = await this.#parts.store.approvals.get(approvalId);
    if (kept !== null) this.events.emit('settled', { ...kept.card, status: 'void' });
  }

  /** Ends every open card of these sessions (default: all) as denied. */
  async cancelAll(reason: string, sessionIds?: ReadonlySet<string>): Promise<void> {
    const open = this.#waiting
      .all()
      .filter((waiting) => sessionIds === undefined || sessionIds.has(waiting.card.sessionId));
    await Promise.all(open.map((waiting) => this.#settle(waiting.card.approvalId, 'cancelled', reason)));
  }

  get pendingCount(): number {
    return this.#waiting.all().length;
  }

  pendingOf(sessionId: string): ApprovalCard[] {
    return this.#waiting
      .all()
      .map(({ card }) => card)
      .filter((card) => card.sessionId === sessionId);
  }

  async list(options: {
    status: 'pending' | 'all';
    cursor?: string | undefined;
    limit?: number | undefined;
  }): Promise<{ approvals: ApprovalCard[]; nextCursor: string | null }> {
    const page = await this.#parts.store.approvals.list({
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
    return this.#waiting.get(approvalId)?.card ?? this.#kept(approvalId);
  }

  /** What the store has of it. Errors: approval_not_found. */
  async #kept(approvalId: string): Promise<ApprovalCard> {
    const kept = await this.#parts.store.approvals.get(approvalId);
    if (kept === null) throw new UiaHostError('approval_not_found', `There is no approval ${approvalId}.`);
    return kept.card;
  }

  /** Stores how a card ended. */
  #write(
    approvalId: string,
    status: ApprovalResolution['status'],
    decidedBy: string | null,
    scope?: ApprovalScope | null,
  ) {
    const decidedAt = new Date().toISOString();
    return this.#parts.store.approvals.resolve(approvalId, { status, decidedBy, decidedAt, scope: scope ?? null });
  }

  async settled(approvalId: string, timeoutMs: number, signal?: AbortSignal): Promise<ApprovalCard> {
    if (this.#waiting.get(approvalId) !== undefined) {
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

  /** No answer counts as a denial. A card that was withdrawn or lost does not count. */
  #count({ owner, status }: ApprovalCard): void {
    if (owner === null || (status !== 'approved' && status !== 'denied' && status !== 'expired')) return;
    const pause = this.#pauses.count(owner, status !== 'approved');
    if (pause?.reason === 'denials') this.events.emit('paused', pause, 'three denials in a row');
  }

  async #settle(
    approvalId: string,
    status: Exclude<ApprovalStatus, 'pending'>,
    decidedBy: string,
    { scope = null, minutes = null, isPersons = true }: Settlement = {},
  ): Promise<ApprovalCard> {
    // Removed first: the first decision counts, even while the store writes it.
    const waiting = this.#waiting.take(approvalId);
    if (waiting === undefined) return this.get(approvalId);
    for (const surface of this.#parts.surfaces) surface.takeAway(approvalId);
    const card: ApprovalCard = { ...waiting.card, status, decidedBy };
    try {
      await this.#write(approvalId, status, decidedBy, scope);
    } catch (error) {
      waiting.reject(
        new UiaHostError('audit_unavailable', 'The decision could not be stored, so it does not count.', {
          cause: error,
        }),
      );
      throw error;
    } finally {
      for (const watcher of this.#watchers.get(approvalId) ?? []) watcher();
      this.#watchers.delete(approvalId);
    }
    if (isPersons) this.#count(card);
    this.events.emit('settled', { ...card, ...waiting.written });
    if (status === 'approved')
      waiting.resolve({ decision: 'approve', scope: scope ?? 'once', minutes, decidedBy, approvalId });
    else waiting.reject(noApproval(card, status, decidedBy, waiting.signal));
    return card;
  }
}

/** What an approval covers, and whether a person gave or refused it. */
interface Settlement {
  readonly scope?: ApprovalScope | null;
  readonly minutes?: number | null;
  readonly isPersons?: boolean;
}

interface ApprovalReportParts {
  readonly hub: Pick<EventHub, 'publish'>;
  audit(entry: AuditEntryInput): Promise<unknown>;
  onFault(error: unknown, where: string): void;
}

export function reportApprovals({ events }: Approvals, { hub, audit, onFault }: ApprovalReportParts): void {
  const record = (action: string, by: string, details: Record<string, unknown>): void =>
    void audit({
      kind: 'approval',
      actor: { tokenId: null, surface: 'host' },
      action,
      why: [`by ${by}`],
      details,
    }).catch((error: unknown) => onFault(error, 'audit of a pause'));
  events.on('asked', (card) => hub.publish('approval.asked', { card }));
  events.on('settled', (card) => hub.publish('approval.settled', { card }));
  events.on('seen', (card) => hub.publish('approval.seen', { card }));
  events.on('paused', (pause, by) => {
    hub.publish('approval.paused', { pause });
    record('asks.paused', by, { ...pause });
  });
  events.on('lifted', (owner, by) => {
    hub.publish('approval.lifted', { owner });
    record('asks.lifted', by, { owner });
  });
}
