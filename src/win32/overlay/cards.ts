/** The queue of cards, the window that shows the first, and its input guard. */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { ApprovalCard, ApprovalDecision } from '../../contract/gate/approval.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import { CardQueue } from './card-state.ts';
import { CardWindow } from './card-window.ts';
import { InputGuard, systemVouching } from './input-guard.ts';
import type { CardClock, CardPixels, Decider, ServingWorkers, Vouching } from './protocol.ts';
import type { OverlayStage } from './message-pump.ts';

/** After this many lost windows all remaining cards are denied. */
const MAX_LOSSES = 5;

interface CardEvents {
  /** The first card came. */
  onFirst(): void;
  /** The last one is gone. */
  onLast(): void;
  /** Where the card will be shown, before it is; null once it is gone. */
  onPlace(place: Rect | null): void;
}

/** The cards of this host: a queue, the window that shows its first card, and the guard that watches while there is one. */
export class Cards implements Disposable {
  readonly guard: InputGuard;
  readonly #stage: OverlayStage;
  readonly #queue = new CardQueue();
  readonly #events: CardEvents;
  #vouching: Vouching = systemVouching();
  #window: CardWindow | null = null;
  #losses = 0;
  #workers: ServingWorkers = { first: null, further: [] };

  constructor(stage: OverlayStage, events: CardEvents) {
    this.#stage = stage;
    this.#events = events;
    this.guard = new InputGuard(stage.fault);
    // Tried at the start: hindrances are known before a card depends on them, and the first card appears sooner.
    if (!this.guard.watch())
      this.#vouching = { canApprove: false, hindrances: [...this.#vouching.hindrances, 'no_input_hook'] };
    this.guard.rest();
    this.#window = this.#makeWindow();
  }

  get vouching(): Vouching {
    return this.#vouching;
  }

  get length(): number {
    return this.#queue.length;
  }

  show(card: ApprovalCard): void {
    this.#queue.add(card);
    if (this.#queue.length === 1) {
      this.guard.watch();
      this.#losses = 0;
      this.#events.onFirst();
    }
    this.#present();
  }

  setPixels(pixels: CardPixels): void {
    const entry = this.#queue.find(pixels.approvalId);
    if (entry === null) return;
    entry.pixels = pixels;
    if (entry === this.#queue.current) this.#window?.refresh();
  }

  setClock({ approvalId, expiresAt, totalMs }: CardClock): void {
    const entry = this.#queue.find(approvalId);
    if (entry === null) return;
    entry.card = { ...entry.card, expiresAt };
    entry.totalMs = totalMs;
  }

  /** The processes of which one gets the right to the foreground with an Approve. */
  setWorkers(workers: ServingWorkers): void {
    this.#workers = workers;
  }

  takeAway(approvalId: string): void {
    if (this.#queue.remove(approvalId)) this.#present();
  }

  /** A person asked for the keyboard. */
  takeFocus(): void {
    this.#window?.takeFocus();
  }

  [Symbol.dispose](): void {
    this.guard[Symbol.dispose]();
    this.#window?.[Symbol.dispose]();
    this.#window = null;
  }

  #makeWindow(): CardWindow {
    return new CardWindow({
      stage: this.#stage,
      guard: this.guard,
      vouching: () => this.#vouching,
      onDecision: (approvalId, decision, by, how) => this.#decided(approvalId, decision, by, how),
      onStop: () => this.#stage.tell({ kind: 'stop', how: 'card' }),
      onRefused: (approvalId, { reason, isInjected }) => {
        this.#stage.tell({ kind: 'refused', approvalId, reason, isInjected });
        // Windows may have removed a slow hook silently.
        if (!isInjected)
          this.#stage.pump.later(() => {
            if (this.#queue.length > 0) this.guard.watch();
          });
      },
      onLost: (what) => this.#lost(what),
      onPlace: (place) => this.#events.onPlace(place),
    });
  }

  #present(): void {
    const { current, position } = this.#queue;
    if (current === null) {
      this.guard.rest();
      this.#window?.rest();
      this.#events.onLast();
      return;
    }
    this.#window ??= this.#makeWindow();
    this.#window.present(current, position);
    this.#stage.tell({ kind: 'shown', approvalId: current.card.approvalId });
  }

  #decided(approvalId: string, decision: ApprovalDecision, by: Decider, how: string): void {
    const card = this.#queue.find(approvalId)?.card;
    const owner = decision.all === true ? (card?.owner ?? null) : null;
    if (owner === null ? !this.#queue.remove(approvalId) : !this.#queue.removeOwner(owner)) return;
    if (decision.decision === 'approve') this.#handOnForeground(card?.window?.pid);
    this.#stage.tell({ kind: 'decided', approvalId, decision, by, how });
    this.#present();
  }

  /**
   * The person's last input came to this process, so Windows lets it pass on the right to set the foreground window: an
   * action may need it, and no other process of the host can get it. It ends with the person's next input.
   * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-allowsetforegroundwindow
   */
  #handOnForeground(program: number | undefined): void {
    const { first, further } = this.#workers;
    const worker = further.find((each) => each.program === program)?.worker ?? first;
    if (worker === null) return;
    const isAllowed = user32.AllowSetForegroundWindow(worker);
    const what = isAllowed ? 'may set the foreground window' : 'was not allowed to set the foreground window';
    this.#stage.tell({ kind: 'log', level: 'info', message: `after Approve the desktop worker ${what}` });
  }

  /** Another program took the window over: its card is denied, and a new window shows the others. */
  #lost(what: string): void {
    this.#window?.[Symbol.dispose]();
    this.#window = null;
    this.#losses += 1;
    const { current } = this.#queue;
    if (current === null) {
      this.#window = this.#makeWindow();
      return;
    }
    this.#decided(current.card.approvalId, { decision: 'deny' }, 'lost', what);
    while (this.#losses >= MAX_LOSSES && this.#queue.current !== null) {
      this.#decided(this.#queue.current.card.approvalId, { decision: 'deny' }, 'lost', what);
    }
  }
}
