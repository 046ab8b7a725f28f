/** The host's side of the overlay: cards and indicators as messages; every card is denied when the overlay's process ends. */
import { SupervisedChild } from '../../base/child.ts';
import { PendingCalls } from '../../base/pending-calls.ts';
import type { ApprovalCard, ApprovalDecision } from '../../contract/gate/approval.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { HostState } from '../../contract/gate/session-status.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import type { CallContext } from '../../desktop/call.ts';
import type { IndicatorPort } from '../../desktop/ports.ts';
import type {
  Decider,
  FromOverlay,
  IconChoice,
  IndicatorAnswer,
  ServingWorkers,
  ToOverlay,
  Vouching,
} from './protocol.ts';

/** A card's picture: PNG, JPEG or WebP; `outline` is the target in its pixels. */
interface OverlayPicture {
  readonly bytes: Uint8Array;
  readonly outline: Rect | null;
}

export interface OverlayClientOptions {
  /** Bundle or source file that runs as the overlay. */
  readonly overlayFile: string;
  readonly env: NodeJS.ProcessEnv;
  /** A person decided, or the card's window was lost, which denies it. */
  onDecision(approvalId: string, decision: ApprovalDecision, by: Decider, how: string): void;
  /** The card is on the screen; only one is at a time. */
  onShown(approvalId: string): void;
  onStop(how: 'hotkey' | 'card' | 'icon'): void;
  /** A new overlay process started; its windows are the host's own. */
  onProcess(pid: number): void;
  onLog(level: 'info' | 'warn' | 'error', message: string): void;
}

interface OverlayStatus {
  readonly state: 'starting' | 'ready' | 'failed';
  readonly pid: number | null;
  readonly restarts: number;
  /** Null until the overlay has reported it. */
  readonly vouching: Vouching | null;
  readonly hasStopHotkey: boolean;
  /** A program's input has reached an Approve button since the host started, as from remote control tools. */
  readonly sawInjectedInput: boolean;
}

/**
 * Owns the overlay's process: it is started before the first card (`start`), since its first window takes most of a second,
 * and again when it ends.
 */
export class OverlayClient {
  readonly #options: OverlayClientOptions;
  readonly #child: SupervisedChild<ToOverlay, FromOverlay>;
  readonly #cards = new Set<string>();
  readonly #indicators = new PendingCalls();
  #vouching: Vouching | null = null;
  #hasStopHotkey = false;
  #sawInjectedInput = false;
  #serving: ServingWorkers = { first: null, further: [] };
  #state: HostState | null = null;
  /** What was chosen in the icon's menu. */
  onChoice: (choice: Exclude<IconChoice, 'stop'>) => void = () => {};

  readonly indicator: IndicatorPort = {
    set: (record, change, message, call, notice = '') => this.#setIndicator(record, change, message, call, notice),
  };

  constructor(options: OverlayClientOptions) {
    this.#options = options;
    this.#child = new SupervisedChild<ToOverlay, FromOverlay>({
      file: options.overlayFile,
      env: options.env,
      isKept: true,
      onMessage: (message) => this.#receive(message),
      onStart: (pid) => {
        if (pid !== null) options.onProcess(pid);
        this.#child.send({ kind: 'workers', ...this.#serving });
        if (this.#state !== null) this.#child.send({ kind: 'icon', state: this.#state });
      },
      onError: (error) => options.onLog('error', `overlay: ${error.message}`),
      onLost: (how) => {
        options.onLog('warn', `overlay ended (${how})`);
        this.#lost('overlay lost');
      },
    });
  }

  /** Starts the process. That blocks this thread for a tenth of a second, so the composition decides when. */
  start(): void {
    if (this.#child.restarts === 0) this.#child.start();
  }

  status(): OverlayStatus {
    const { state, pid, restarts } = this.#child;
    return {
      state: state === 'restarting' ? 'starting' : state,
      pid,
      restarts,
      vouching: this.#vouching,
      hasStopHotkey: this.#hasStopHotkey,
      sawInjectedInput: this.#sawInjectedInput,
    };
  }

  /** Whether a person's Approve can be distinguished from a program's here; assumed while the overlay starts. */
  canApprove(): boolean {
    return this.#child.isRunning && this.#child.state !== 'failed' && (this.#vouching?.canApprove ?? true);
  }

  show(card: ApprovalCard, picture: OverlayPicture | null): void {
    if (!this.#child.isRunning) return;
    const { approvalId } = card;
    this.#cards.add(approvalId);
    this.#child.send({ kind: 'show', card });
    if (picture !== null)
      this.#child.send({ kind: 'image', approvalId, bytes: picture.bytes, outline: picture.outline });
  }

  takeAway(approvalId: string): void {
    if (this.#cards.delete(approvalId)) this.#child.send({ kind: 'take-away', approvalId });
  }

  /** When a shown card expires, and its whole waiting time. */
  setClock(approvalId: string, expiresAt: string, totalMs: number): void {
    if (this.#cards.has(approvalId)) this.#child.send({ kind: 'clock', approvalId, expiresAt, totalMs });
  }

  /** Which process may take the foreground after a person's Approve. */
  setWorkers(serving: ServingWorkers): void {
    this.#serving = serving;
    if (this.#child.isRunning) this.#child.send({ kind: 'workers', ...serving });
  }

  /** What the icon in the notification area shows; null: no icon. */
  setState(state: HostState | null): void {
    if (state === this.#state) return;
    this.#state = state;
    if (this.#child.isRunning) this.#child.send({ kind: 'icon', state });
  }

  async close(): Promise<void> {
    const wasRunning = this.#child.isRunning;
    await this.#child.end({ kind: 'exit' });
    if (wasRunning) this.#lost('host ending');
  }

  #receive(message: FromOverlay): void {
    const options = this.#options;
    switch (message.kind) {
      case 'ready': {
        this.#child.isReady();
        this.#vouching = message.vouching;
        const { canApprove, hindrances } = message.vouching;
        options.onLog('info', `overlay ready, can approve: ${String(canApprove)} ${hindrances.join(' ')}`.trim());
        break;
      }
      case 'stop-hotkey':
        this.#hasStopHotkey = message.isRegistered;
        break;
      case 'shown':
        options.onShown(message.approvalId);
        break;
      case 'decided':
        if (this.#cards.delete(message.approvalId))
          options.onDecision(message.approvalId, message.decision, message.by, message.how);
        break;
      case 'refused':
        this.#sawInjectedInput ||= message.isInjected;
        options.onLog('warn', `ignored input on a card: ${message.reason}`);
        break;
      case 'stop':
        options.onStop(message.how);
        break;
      case 'icon-chosen':
        if (message.choice === 'stop') options.onStop('icon');
        else this.onChoice(message.choice);
        break;
      case 'indicator-answer':
        this.#answered(message);
        break;
      case 'log':
        options.onLog(message.level, message.message);
        break;
    }
  }

  #answered({ id, value, problem }: IndicatorAnswer): void {
    if (problem === undefined) this.#indicators.answered(id, value ?? { active: false });
    else this.#indicators.failed(id, UiaHostError.fromProblem(problem));
  }

  /** Every card that was shown is denied. */
  #lost(how: string): void {
    this.#hasStopHotkey = false;
    for (const approvalId of this.#cards)
      if (this.#cards.delete(approvalId)) this.#options.onDecision(approvalId, { decision: 'deny' }, 'lost', how);
    this.#indicators.failAll(
      () =>
        new UiaHostError(
          'worker_restarted',
          'The overlay’s process ended and was restarted; its indicators are gone.',
          { delivery: 'unknown' },
        ),
    );
  }

  async #setIndicator(
    record: BindingRecord | null,
    change: 'show' | 'hide' | 'status',
    message: string | undefined,
    call: CallContext,
    notice: string,
  ): Promise<{ active: boolean; message?: string }> {
    try {
      if (!this.#child.isRunning)
        throw new UiaHostError('worker_restarted', 'The overlay’s process is restarting; nothing was drawn.');
      const late = (): UiaHostError =>
        new UiaHostError('deadline_exceeded', `The overlay did not answer within ${call.deadlineMs} ms.`);
      const { id, answer } = this.#indicators.open(undefined, { withinMs: call.deadlineMs, late });
      this.#child.send({ kind: 'indicator', id, owner: call.owner, record, change, message, notice });
      return (await answer) as { active: boolean; message?: string };
    } catch (error) {
      // Indicators end with their process, so the answer to hide and status is known.
      if (change !== 'show' && error instanceof UiaHostError && error.code === 'worker_restarted')
        return { active: false };
      throw error;
    }
  }
}
