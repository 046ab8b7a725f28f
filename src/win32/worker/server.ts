/** The desktop worker’s end of the protocol: takes calls, runs them, and sends the answers. */
import { machineMs } from '../../base/time.ts';
import { toUiaHostError, UiaHostError } from '../../contract/errors.ts';
import type { AppIdentity, BindingRecord } from '../../contract/element/binding.ts';
import { describeFault } from '../../contract/process/fault.ts';
import { METHOD_KINDS, type MethodKind, type CallContext, type Done, type WorkerDesktop } from '../../desktop/index.ts';
import { givingBack, hasTouched, whatLeft, withPermit, type Left } from '../exits/leaving.ts';
import { isRelease } from './call-kinds.ts';
import type { FromWorker, ToWorker, WorkerInit, WorkerRequest } from './protocol.ts';
import type { HeldInput } from '../input/held-input.ts';
import type { OwnInput } from '../windows/person.ts';
import type * as Proofs from '../evidence/kept-proof.ts';
import type { MovedWindow } from '../acting/moved-away.ts';

/** What a worker process needs: a channel to send on, and a factory of the desktop for the first message. */
export interface WorkerServerOptions {
  send(message: FromWorker): void;
  createDesktop(init: WorkerInit): ServedDesktop;
  exit(): void;
}

/** The desktop of a worker process, and its state for the server. */
export interface ServedDesktop {
  readonly desktop: WorkerDesktop;
  refHigh(): number;
  held(): readonly HeldInput[];
  moved(): readonly MovedWindow[];
  /** `tell` is called whenever something is pressed, released or moved away, even during a call that may never end. */
  onStateChange(tell: () => void): void;
  setOwnPids(pids: readonly number[]): void;
  /** `tell` is called whenever this process sends input. */
  onOwnInput(tell: (own: OwnInput) => void): void;
  inputElsewhere(own: OwnInput): void;
  /** Programs that a process has started since a moment (of `Date.now`). */
  startedSince(pid: number, beginMs: number): readonly AppIdentity[];
  /** What the sessions' actions left behind. */
  readonly proofs: Pick<typeof Proofs, 'explain' | 'laterChanges' | 'laterTold' | 'onUndone' | 'undoneBefore'>;
  isHidden(window: BindingRecord): boolean;
  /** The exit code of a window's program that failed and took the window along. */
  failedWith(window: BindingRecord, call: CallContext): Promise<string | null>;
  /** Releases what is pressed and frees native resources. */
  close(): Promise<void>;
}

/**
 * Frees the bytes of a picture that was sent: they are copied into the message synchronously. V8 sees only a small object
 * and collects late; meanwhile the memory fragments.
 */
function forgetBytes(value: unknown): void {
  const bytes = (value as { bytes?: unknown } | null | undefined)?.bytes;
  if (bytes instanceof Uint8Array && bytes.byteLength === bytes.buffer.byteLength)
    (bytes.buffer as ArrayBuffer).transfer(0);
}

/** A call that begins this soon (ms) after it was sent has its whole time. */
const IN_TIME_MS = 20;

function isAct({ topic, method }: WorkerRequest): boolean {
  const kinds: Readonly<Record<string, MethodKind>> = METHOD_KINDS[topic];
  return kinds[method] === 'acts';
}

/** A call that passed no gate can release what earlier calls held, move windows back, or only read. */
function allowed<T>(request: WorkerRequest, endsAt: number, work: () => T): T {
  if (request.permit !== undefined) return withPermit(request.permit, work, endsAt);
  return isAct(request) ? givingBack(work) : withPermit(null, work);
}

/** An answer about delivery names what else its program did; false and empty facts are left out. */
function withFacts(done: unknown, facts: Readonly<Record<string, boolean | readonly unknown[]>>): unknown {
  const { outcome } = (done ?? {}) as Partial<Done<unknown>>;
  const known = Object.entries(facts).filter(([, fact]) => fact === true || (fact !== false && fact.length > 0));
  if (known.length === 0 || outcome === undefined) return done;
  return {
    ...(done as Done<unknown>),
    outcome: { ...outcome, details: { ...outcome.details, ...Object.fromEntries(known) } },
  };
}

/** No step of a batch is built on what was undone; what is held is released nevertheless. Errors: state_conflict. */
function requireKept({ proofs }: ServedDesktop, { topic, method, args, owner, isFurther }: WorkerRequest): void {
  if (isFurther !== true || isRelease(topic, method, args)) return;
  const undone = proofs.undoneBefore(owner);
  if (undone === null) return;
  const what = `The program changed what an earlier step had left in ${undone}. This step was not sent.`;
  throw new UiaHostError('state_conflict', what);
}

/** A program that failed explains whatever went with it. */
async function withoutDeath(done: unknown, failedWith: () => Promise<string | null>): Promise<unknown> {
  const { outcome } = (done ?? {}) as Partial<Done<unknown>>;
  const exitCode = outcome?.effect === 'confirmed' ? await failedWith() : null;
  if (outcome === undefined || exitCode === null) return done;
  const details = { ...outcome.details, programEnded: { exitCode } };
  return { ...(done as Done<unknown>), outcome: { ...outcome, effect: 'unverified', details } };
}

/** Serves calls of the host inside the worker process; `receive` takes each message. */
export function createWorkerServer(options: WorkerServerOptions): { receive(message: ToWorker): void } {
  let inside: ServedDesktop | undefined;
  let told = '';
  const running = new Map<number, AbortController>();

  const tellState = (): void => {
    if (inside === undefined) return;
    const state = { kind: 'state' as const, refHigh: inside.refHigh(), held: inside.held(), moved: inside.moved() };
    const text = JSON.stringify(state);
    if (text === told) return;
    told = text;
    options.send(state);
  };

  const serve = async (request: WorkerRequest): Promise<void> => {
    const controller = new AbortController();
    running.set(request.id, controller);
    let left: readonly Left[] = [];
    let isTouched = false;
    try {
      if (inside === undefined) throw new UiaHostError('worker_restarted', 'The desktop worker is not ready yet.');
      const desktop = inside;
      const port: object | undefined = desktop.desktop[request.topic];
      const method: unknown = port === undefined ? undefined : Reflect.get(port, request.method);
      if (typeof method !== 'function') {
        throw new UiaHostError('unsupported', `The desktop worker has no ${request.topic}.${request.method}.`);
      }
      const waitedMs = machineMs() - request.sentAt;
      if (waitedMs >= request.deadlineMs)
        throw new UiaHostError(
          'deadline_exceeded',
          'The deadline passed while the desktop worker carried out another call. Nothing was sent.',
          { delivery: 'not_delivered' },
        );
      if (request.tellsBegin) options.send({ kind: 'begun', id: request.id });
      const { owner, permit } = request;
      const call: CallContext = {
        ...request,
        deadlineMs: waitedMs < IN_TIME_MS ? request.deadlineMs : Math.max(1, Math.round(request.deadlineMs - waitedMs)),
        signal: controller.signal,
      };
      const beginMs = Date.now();
      const window = permit?.target.window ?? null;
      const endsAt = performance.now() + call.deadlineMs;
      const value: unknown = await allowed(request, endsAt, async () => {
        try {
          const acts = isAct(request);
          if (acts) requireKept(desktop, request);
          if (window === null) return (await method.call(port, ...request.args, call)) as unknown;
          // The answer of a look has no place for it.
          const later = acts ? desktop.proofs.laterChanges(owner, Number(window.hwnd)) : [];
          const done: unknown = await method.call(port, ...request.args, call);
          if (acts && call.isFurther !== undefined) desktop.proofs.explain(call);
          const started = desktop.startedSince(window.pid, beginMs);
          const judged = acts ? await withoutDeath(done, () => desktop.failedWith(window, call)) : done;
          const hidden = acts && desktop.isHidden(window);
          const answer = withFacts(judged, { started, later, changedSinceTyped: later, hidden });
          // The answer of a call that was given up reaches no caller.
          if (answer !== judged && !controller.signal.aborted) desktop.proofs.laterTold(later);
          return answer;
        } finally {
          left = whatLeft();
          isTouched = hasTouched();
        }
      });
      tellState();
      options.send({ kind: 'answer', id: request.id, value, left });
      forgetBytes(value);
    } catch (error) {
      const fault = toUiaHostError(error);
      const typed = isTouched && fault.delivery === 'not_delivered' ? fault.with({ delivery: 'unknown' }) : fault;
      if (typed.code === 'internal') {
        options.send({
          kind: 'log',
          level: 'error',
          message: `${request.topic}.${request.method}: ${describeFault(error)}`,
        });
      }
      tellState();
      options.send({ kind: 'answer', id: request.id, problem: typed.toProblem(), left });
    } finally {
      running.delete(request.id);
    }
  };

  return {
    receive(message) {
      switch (message.kind) {
        case 'init':
          inside = options.createDesktop(message);
          inside.onStateChange(tellState);
          inside.proofs.onUndone((by) => options.send({ kind: 'undone', by }));
          inside.onOwnInput((own) => options.send({ kind: 'own-input', own }));
          tellState();
          options.send({ kind: 'ready', pid: process.pid });
          break;
        case 'call':
          void serve(message);
          break;
        case 'abort':
          running.get(message.id)?.abort(new UiaHostError('cancelled', message.reason));
          break;
        case 'own-pids':
          inside?.setOwnPids(message.ownPids);
          break;
        case 'ping':
          options.send({ kind: 'answer', id: message.id });
          break;
        case 'input-elsewhere':
          inside?.inputElsewhere(message.own);
          break;
        case 'exit':
          for (const controller of running.values())
            controller.abort(new UiaHostError('cancelled', 'The host is ending.'));
          void (inside?.close() ?? Promise.resolve()).finally(() => options.exit());
          break;
      }
    },
  };
}
