import { fork, type ChildProcess } from 'node:child_process';
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
  readonly indicator: IndicatorPort;
  close(): Promise<void>;
}

const RESTART_LIMIT = 5;
const RESTART_WINDOW_MS = 10_000;
const RETRY_MS = 1000;
const END_MS = 1500;

interface PendingIndicator {
  readonly resolve: (value: { active: boolean; message?: string }) => void;
  readonly reject: (error: UiaHostError) => void;
}

/**
 * Owns the overlay's process: started ahead of the first card (`start`), since its first window would take most of a second,
 * and started again when it dies.
 */
export function createOverlayClient(options: OverlayClientOptions): OverlayClient {
  const cards = new Set<string>();
  const indicators = new Map<number, PendingIndicator>();
  const recentRestarts: number[] = [];
  let child: ChildProcess | undefined;
  let state: OverlayStatus['state'] = 'starting';
  let vouching: Vouching | null = null;
  let hasStopHotkey = false;
  let sawInjectedInput = false;
  let restarts = 0;
  let nextId = 1;
  let isClosing = false;

  const send = (message: ToOverlay): void => {
    if (child?.connected === true) child.send(message, () => {});
  };

  const deny = (approvalId: string, how: string): void => {
    if (cards.delete(approvalId)) options.onDecision(approvalId, { decision: 'deny' }, how);
  };

  const onAnswer = ({ id, value, problem }: IndicatorAnswer): void => {
    const waiting = indicators.get(id);
    indicators.delete(id);
    if (problem !== undefined) {
      waiting?.reject(new UiaHostError(problem.code, problem.detail, { delivery: problem.delivery, hint: problem.hint }));
    } else {
      waiting?.resolve(value ?? { active: false });
    }
  };

  const onMessage = (message: FromOverlay): void => {
    switch (message.kind) {
      case 'ready':
        state = 'ready';
        vouching = message.vouching;
        options.onLog('info', `overlay ready, can approve: ${String(vouching.canApprove)} ${vouching.hindrances.join(' ')}`.trim());
        break;
      case 'stop-hotkey':
        hasStopHotkey = message.isRegistered;
        break;
      case 'shown':
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
  };

  const onLost = (how: string): void => {
    hasStopHotkey = false;
    for (const approvalId of cards) deny(approvalId, how);
    for (const waiting of indicators.values()) {
      waiting.reject(new UiaHostError('worker_restarted', 'The overlay’s process ended; its indicators are gone and it has been started again.', { delivery: 'unknown' }));
    }
    indicators.clear();
  };

  const spawn = (): void => {
    state = 'starting';
    const started = fork(options.overlayFile, [], {
      env: options.env, serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'], windowsHide: true, execArgv: [...HELPER_FLAGS],
    } as Parameters<typeof fork>[2]);
    child = started;
    if (started.pid !== undefined) options.onProcess(started.pid);
    started.on('message', (message) => { if (child === started) onMessage(message as FromOverlay); });
    started.on('error', (error) => options.onLog('error', `overlay: ${error.message}`));
    started.on('exit', (code, signal) => {
      if (child !== started) return;
      child = undefined;
      if (isClosing) return;
      options.onLog('warn', `overlay ended (${signal ?? code})`);
      onLost('overlay lost');
      respawn();
    });
  };

  const respawn = (): void => {
    const now = Date.now();
    recentRestarts.push(now);
    while ((recentRestarts[0] ?? now) < now - RESTART_WINDOW_MS) recentRestarts.shift();
    restarts += 1;
    if (recentRestarts.length <= RESTART_LIMIT) return spawn();
    // One that cannot start must not become a fork storm.
    state = 'failed';
    setTimeout(() => { if (!isClosing && child === undefined) spawn(); }, RETRY_MS);
  };

  return {
    start() {
      if (child === undefined && restarts === 0 && !isClosing) spawn();
    },
    status: () => ({ state, pid: child?.pid ?? null, restarts, vouching, hasStopHotkey, sawInjectedInput }),
    canApprove: () => child !== undefined && state !== 'failed' && (vouching?.canApprove ?? true),
    show(card, picture) {
      if (child === undefined) return;
      cards.add(card.approvalId);
      send({ kind: 'show', card });
      if (picture !== null) send({ kind: 'image', approvalId: card.approvalId, bytes: picture.bytes, outline: picture.outline });
    },
    takeAway(approvalId) {
      if (cards.delete(approvalId)) send({ kind: 'take-away', approvalId });
    },
    indicator: {
      set: (record, change, message, call) => new Promise((resolve, reject) => {
        if (child === undefined) return reject(new UiaHostError('worker_restarted', 'The overlay’s process is being started again; nothing is drawn.'));
        const id = nextId;
        nextId += 1;
        const timer = setTimeout(() => {
          if (indicators.delete(id)) reject(new UiaHostError('deadline_exceeded', `The overlay did not answer within ${call.deadlineMs} ms.`));
        }, call.deadlineMs);
        const settle = <T>(then: (value: T) => void) => (value: T): void => { clearTimeout(timer); then(value); };
        indicators.set(id, { resolve: settle(resolve), reject: settle(reject) });
        send({ kind: 'indicator', id, owner: call.owner, record, change, message });
      }),
    },
    async close() {
      isClosing = true;
      const ending = child;
      if (ending === undefined) return;
      const gone = new Promise<void>((resolve) => ending.once('exit', () => resolve()));
      send({ kind: 'exit' });
      const timer = setTimeout(() => ending.kill('SIGKILL'), END_MS);
      await gone;
      clearTimeout(timer);
      onLost('host ending');
    },
  };
}
