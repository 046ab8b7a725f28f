/** The host's side of the overlay: cards and indicators as messages, and a no for every card that its process takes along. */
import { SupervisedChild } from '../../base/child.ts';
import { PendingCalls } from '../../base/pending-calls.ts';
import type { ApprovalCard, ApprovalDecision } from '../../contract/approval.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Rect } from '../../contract/geometry.ts';
import { HELPER_FLAGS } from '../../contract/node-flags.ts';
import type { IndicatorPort } from '../../desktop/indicator.ts';
import type { FromOverlay, IndicatorAnswer, ToOverlay, Vouching } from './protocol.ts';

/** A card's picture: PNG, JPEG or WebP; `outline` is the target in its pixels. */
export interface OverlayPicture {
  readonly bytes: Uint8Array;
  readonly outline: Rect | null;
}

export interface OverlayClientOptions {
  /** Bundle or source file that runs as the overlay. */
  readonly overlayFile: string;
  readonly env: NodeJS.ProcessEnv;
  /** A person decided, or the card's window was lost, which is a no. */
  onDecision(approvalId: string, decision: ApprovalDecision, how: string): void;
  /** The card is on the screen: one of them is at a time. */
  onShown(approvalId: string): void;
  onStop(how: 'hotkey' | 'card'): void;
  /** Another process has the overlay now; its windows are the host's own. */
  onProcess(pid: number): void;
  onLog(level: 'info' | 'warn' | 'error', message: string): void;
}

export interface OverlayStatus {
  readonly state: 'starting' | 'ready' | 'failed';
  readonly pid: number | null;
  readonly restarts: number;
  /** Null until the overlay has told. */
  readonly vouching: Vouching | null;
  readonly hasStopHotkey: boolean;
  /** Input of a program came to an Approve button in this host's life: remote control tools work so. */
  readonly sawInjectedInput: boolean;
}

export interface OverlayClient {
  /** Starts the process; making one holds this thread for a tenth of a second, so the composition says when. */
  start(): void;
  status(): OverlayStatus;
  /** Whether a person's Approve can be told from a program's here. While the overlay starts, it is taken to be. */
  canApprove(): boolean;
  show(card: ApprovalCard, picture: OverlayPicture | null): void;
  takeAway(approvalId: string): void;
  /** Until when a card that is shown waits, and how long in all. */
  setClock(approvalId: string, expiresAt: string, totalMs: number): void;
  readonly indicator: IndicatorPort;
  close(): Promise<void>;
}

/**
 * Owns the overlay's process: started ahead of the first card (`start`), since its first window would take most of a second,
 * and started again when it dies.
 */
export function createOverlayClient(options: OverlayClientOptions): OverlayClient {
  const cards = new Set<string>();
  const indicators = new PendingCalls();
  let vouching: Vouching | null = null;
  let hasStopHotkey = false;
  let sawInjectedInput = false;

  const child = new SupervisedChild<ToOverlay, FromOverlay>({
    file: options.overlayFile,
    env: options.env,
    flags: HELPER_FLAGS,
    isKept: true,
    onMessage,
    onStart: (pid) => {
      if (pid !== null) options.onProcess(pid);
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
        options.onLog('warn', `input on a card did not count: ${message.reason}`);
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
          'The overlay’s process ended; its indicators are gone and it has been started again.',
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
    indicator: {
      async set(record, change, message, call) {
        try {
          if (!child.isRunning)
            throw new UiaHostError(
              'worker_restarted',
              'The overlay’s process is being started again; nothing is drawn.',
            );
          const late = (): UiaHostError =>
            new UiaHostError('deadline_exceeded', `The overlay did not answer within ${call.deadlineMs} ms.`);
          const { id, answer } = indicators.open(undefined, { withinMs: call.deadlineMs, late });
          child.send({ kind: 'indicator', id, owner: call.owner, record, change, message });
          return (await answer) as { active: boolean; message?: string };
        } catch (error) {
          // Indicators end with the process that draws them: what hide and status asked for is known then.
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
