/** The host's side of the overlay: cards and indicators as messages; every card is denied when the overlay's process ends. */
import { SupervisedChild } from '../../base/child.ts';
import { PendingCalls } from '../../base/pending-calls.ts';
import type { ApprovalCard, ApprovalDecision } from '../../contract/gate/approval.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import type { IndicatorPort } from '../../desktop/indicator.ts';
import type { FromOverlay, IndicatorAnswer, ServingWorkers, ToOverlay, Vouching } from './protocol.ts';

/** A card's picture: PNG, JPEG or WebP; `outline` is the target in its pixels. */
export interface OverlayPicture {
  readonly bytes: Uint8Array;
  readonly outline: Rect | null;
}

export interface OverlayClientOptions {
  /** Bundle or source file that runs as the overlay. */
  readonly overlayFile: string;
  readonly env: NodeJS.ProcessEnv;
  /** A person decided, or the card's window was lost, which denies it. */
  onDecision(approvalId: string, decision: ApprovalDecision, how: string): void;
  /** The card is on the screen; only one is at a time. */
  onShown(approvalId: string): void;
  onStop(how: 'hotkey' | 'card'): void;
  /** A new overlay process started; its windows are the host's own. */
  onProcess(pid: number): void;
  onLog(level: 'info' | 'warn' | 'error', message: string): void;
}

export interface OverlayStatus {
  readonly state: 'starting' | 'ready' | 'failed';
  readonly pid: number | null;
  readonly restarts: number;
  /** Null until the overlay has reported it. */
  readonly vouching: Vouching | null;
  readonly hasStopHotkey: boolean;
  /** A program's input has reached an Approve button since the host started, as from remote control tools. */
  readonly sawInjectedInput: boolean;
}

export interface OverlayClient {
  /** Starts the process. That blocks this thread for a tenth of a second, so the composition decides when. */
  start(): void;
  status(): OverlayStatus;
  /** Whether a person's Approve can be distinguished from a program's here; assumed while the overlay starts. */
  canApprove(): boolean;
  show(card: ApprovalCard, picture: OverlayPicture | null): void;
  takeAway(approvalId: string): void;
  /** When a shown card expires, and its whole waiting time. */
  setClock(approvalId: string, expiresAt: string, totalMs: number): void;
  /** Which process may take the foreground after a person's Approve. */
  setWorkers(serving: ServingWorkers): void;
  readonly indicator: IndicatorPort;
  close(): Promise<void>;
}

/**
 * Owns the overlay's process: it is started before the first card (`start`), since its first window takes most of a second,
 * and again when it ends.
 */
export function createOverlayClient(options: OverlayClientOptions): OverlayClient {
  const cards = new Set<string>();
  const indicators = new PendingCalls();
  let vouching: Vouching | null = null;
  let hasStopHotkey = false;
  let sawInjectedInput = false;
  let serving: ServingWorkers = { first: null, further: [] };

  const child = new SupervisedChild<ToOverlay, FromOverlay>({
    file: options.overlayFile,
    env: options.env,
    isKept: true,
    onMessage,
    onStart: (pid) => {
      if (pid !== null) options.onProcess(pid);
      child.send({ kind: 'workers', ...serving });
    },
    onError: (error) => options.onLog('error', `overlay: ${error.message}`),
    onLost(how) {
      options.onLog('warn', `overlay ended (${how})`);
      onLost('overlay lost');
    },
  });

  const deny = (approvalId: string, how: string): void => {
    if (cards.delete(approvalId)) options.onDecision(approvalId, { decision: 'deny' }, how);
  };

  const onAnswer = ({ id, value, problem }: IndicatorAnswer): void => {
    if (problem === undefined) indicators.answered(id, value ?? { active: false });
    else indicators.failed(id, UiaHostError.fromProblem(problem));
  };

  function onMessage(message: FromOverlay): void {
    switch (message.kind) {
      case 'ready':
        child.isReady();
        vouching = message.vouching;
        options.onLog(
          'info',
          `overlay ready, can approve: ${String(vouching.canApprove)} ${vouching.hindrances.join(' ')}`.trim(),
        );
        break;
      case 'stop-hotkey':
        hasStopHotkey = message.isRegistered;
        break;
      case 'shown':
        options.onShown(message.approvalId);
        break;
      case 'decided':
        if (cards.delete(message.approvalId)) options.onDecision(message.approvalId, message.decision, message.how);
        break;
      case 'refused':
        sawInjectedInput ||= message.isInjected;
        options.onLog('warn', `ignored input on a card: ${message.reason}`);
        break;
      case 'stop':
        options.onStop(message.how);
        break;
      case 'indicator-answer':
        onAnswer(message);
        break;
      case 'log':
        options.onLog(message.level, message.message);
        break;
    }
  }

  function onLost(how: string): void {
    hasStopHotkey = false;
    for (const approvalId of cards) deny(approvalId, how);
    indicators.failAll(
      () =>
        new UiaHostError(
          'worker_restarted',
          'The overlay’s process ended and was restarted; its indicators are gone.',
          { delivery: 'unknown' },
        ),
    );
  }

  return {
    start: () => {
      if (child.restarts === 0) child.start();
    },
    status: () => ({
      state: child.state === 'restarting' ? 'starting' : child.state,
      pid: child.pid,
      restarts: child.restarts,
      vouching,
      hasStopHotkey,
      sawInjectedInput,
    }),
    canApprove: () => child.isRunning && child.state !== 'failed' && (vouching?.canApprove ?? true),
    show(card, picture) {
      if (!child.isRunning) return;
      cards.add(card.approvalId);
      child.send({ kind: 'show', card });
      if (picture !== null)
        child.send({ kind: 'image', approvalId: card.approvalId, bytes: picture.bytes, outline: picture.outline });
    },
    takeAway(approvalId) {
      if (cards.delete(approvalId)) child.send({ kind: 'take-away', approvalId });
    },
    setClock(approvalId, expiresAt, totalMs) {
      if (cards.has(approvalId)) child.send({ kind: 'clock', approvalId, expiresAt, totalMs });
    },
    setWorkers(next) {
      serving = next;
      if (child.isRunning) child.send({ kind: 'workers', ...next });
    },
    indicator: {
      async set(record, change, message, call) {
        try {
          if (!child.isRunning)
            throw new UiaHostError('worker_restarted', 'The overlay’s process is restarting; nothing was drawn.');
          const late = (): UiaHostError =>
            new UiaHostError('deadline_exceeded', `The overlay did not answer within ${call.deadlineMs} ms.`);
          const { id, answer } = indicators.open(undefined, { withinMs: call.deadlineMs, late });
          child.send({ kind: 'indicator', id, owner: call.owner, record, change, message });
          return (await answer) as { active: boolean; message?: string };
        } catch (error) {
          // Indicators end with their process, so the answer to hide and status is known.
          if (change !== 'show' && error instanceof UiaHostError && error.code === 'worker_restarted')
            return { active: false };
          throw error;
        }
      },
    },
    async close() {
      const wasRunning = child.isRunning;
      await child.end({ kind: 'exit' });
      if (wasRunning) onLost('host ending');
    },
  };
}
