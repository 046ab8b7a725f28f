/** What the page knows: signals that the views read, and how each event of the host changes them. */
import { computed, signal } from '@preact/signals';
import type { ShownElement } from '../contract/element/element.ts';
import type { ApprovalCard } from '../contract/gate/approval.ts';
import type { HostStatus, OpenSession } from '../contract/gate/views.ts';
import { call, follow, Problem, signIn, type HostEvent, type Me } from './api.ts';
import { elementsOf, type SeenElement } from './elements.ts';
import { t } from './words.ts';

/** One action, as its events tell it. */
export interface ShownAction {
  readonly actionId: string;
  readonly action: string;
  readonly owner: string;
  readonly time: string;
  readonly state: 'running' | 'waiting' | 'done' | 'failed';
  readonly target: { readonly role: string; readonly name: string } | null;
  readonly effect: string | null;
  readonly way: string | null;
  readonly evidence: readonly string[];
  readonly code: string | null;
  /** Why it failed, in the host's words. */
  readonly why: string | null;
  readonly durationMs: number | null;
  /** The watched window before and after, where a page showed it. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface SeenWindow {
  readonly hwnd: string;
  /** Address of the picture, which this page alone can use. */
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly elements: readonly SeenElement[];
  readonly partial: boolean;
}

/** What the actions of one session have cost since the page was opened. */
export interface Figures {
  readonly actions: number;
  readonly failed: number;
  readonly ms: number;
  readonly textLength: number;
  readonly pictures: number;
}

export type View = 'live' | 'inspector' | 'approvals' | 'control';

export const connection = signal<'starting' | 'open' | 'lost' | 'signed-out'>('starting');
export const me = signal<Me | null>(null);
export const view = signal<View>('live');
export const host = signal<HostStatus | null>(null);
export const sessions = signal<readonly OpenSession[]>([]);
export const cards = signal<readonly ApprovalCard[]>([]);
/** The newest cards that do not wait any more. */
export const answered = signal<readonly ApprovalCard[]>([]);
export const steps = signal<readonly ShownAction[]>([]);
/** By owner. */
export const figures = signal<ReadonlyMap<string, Figures>>(new Map());
/** The window that the page shows. */
export const watched = signal<string | null>(null);
export const seen = signal<SeenWindow | null>(null);
export const seeing = signal<{ readonly isBusy: boolean; readonly problem: string | null }>({
  isBusy: false,
  problem: null,
});
/** What went wrong last, in the host's words. */
export const notice = signal<string | null>(null);

export const isOperator = computed(() => me.value?.scope === 'operator');
export const isStopped = computed(() => host.value?.stopped === true);

const wordsOf = (error: unknown): string =>
  error instanceof Problem
    ? [error.message, error.hint].filter((each) => each !== '').join(' ')
    : error instanceof SyntaxError
      ? error.message
      : t('The host does not answer.');

/** Runs something that a person asked for, and shows why it failed. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  notice.value = null;
  try {
    await work();
    return true;
  } catch (error) {
    notice.value = wordsOf(error);
    return false;
  }
}

/** The list stays readable, and its pictures cost memory. */
const MOST_STEPS = 300;
const MOST_PICTURES = 30;

/** What came before the page was opened is listed, without pictures and figures. */
const openedAt = new Date().toISOString();
const isEarlier = ({ time }: { readonly time: string }): boolean => time < openedAt;

function changeStep(event: Readonly<Record<string, unknown>>, change: Partial<ShownAction>): void {
  const actionId = String(event['actionId']);
  const at = steps.value.findIndex((step) => step.actionId === actionId);
  if (at < 0) return;
  steps.value = steps.value.with(at, { ...steps.value[at]!, ...change });
}

function addStep(event: HostEvent): void {
  const step: ShownAction = {
    actionId: String(event['actionId']),
    action: String(event['action']),
    owner: String(event['owner'] ?? event['sessionId']),
    time: event.time,
    state: 'running',
    target: null,
    effect: null,
    way: null,
    evidence: [],
    code: null,
    why: null,
    durationMs: null,
    before: isEarlier(event) ? null : (seen.value?.url ?? null),
    after: null,
  };
  steps.value = [step, ...steps.value].slice(0, MOST_STEPS);
}

/** Frees pictures that no step shows any longer. */
function forgetPictures(): void {
  const kept = new Set([seen.value?.url]);
  steps.value = steps.value.map((step, index) => {
    if (index >= MOST_PICTURES && (step.before !== null || step.after !== null))
      return { ...step, before: null, after: null };
    kept.add(step.before ?? undefined);
    kept.add(step.after ?? undefined);
    return step;
  });
  for (const url of pictures) {
    if (kept.has(url)) continue;
    URL.revokeObjectURL(url);
    pictures.delete(url);
  }
}
const pictures = new Set<string>();

function addUp(event: HostEvent): void {
  const owner = String(event['owner']);
  const before = figures.value.get(owner) ?? { actions: 0, failed: 0, ms: 0, textLength: 0, pictures: 0 };
  const number = (field: string): number => Number(event[field] ?? 0);
  figures.value = new Map(figures.value).set(owner, {
    actions: before.actions + 1,
    failed: before.failed + (event['ok'] === true ? 0 : 1),
    ms: before.ms + number('durationMs'),
    textLength: before.textLength + number('textLength'),
    pictures: before.pictures + number('pictures'),
  });
}

function onTool(event: HostEvent): void {
  // A batch’s answer repeats those of its steps, which have events of their own.
  if (event.type === 'tool.end' && event['action'] !== 'batch' && !isEarlier(event)) addUp(event);
  if (event.type === 'tool.start') addStep(event);
  else if (event.type === 'tool.progress')
    changeStep(event, {
      state: event['stage'] === 'running' ? 'running' : 'waiting',
      ...(event['target'] === undefined ? {} : { target: event['target'] as ShownAction['target'] }),
    });
  else
    changeStep(event, {
      state: event['ok'] === true ? 'done' : 'failed',
      effect: (event['effect'] as string | undefined) ?? null,
      way: (event['way'] as string | undefined) ?? null,
      evidence: (event['evidence'] as readonly string[] | undefined) ?? [],
      code: (event['code'] as string | undefined) ?? null,
      durationMs: (event['durationMs'] as number | undefined) ?? null,
    });
  if (event.type === 'tool.end' && event['ok'] !== true && !isEarlier(event)) readWhy(String(event['actionId']));
}

/** Asks the host, whose events hold no texts. */
export function readWhy(actionId: string): void {
  if (!isOperator.value) return;
  const path = `/v1/actions/${encodeURIComponent(actionId)}` as const;
  void call<{ error?: { detail: string } }>('GET', path).then(
    ({ error }) => changeStep({ actionId }, { why: error?.detail ?? null }),
    () => {},
  );
}

/** Events come in bursts; what they change is asked for once. */
function later(work: () => Promise<void>, ms: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void work().catch(() => {});
    }, ms);
  };
}

async function readState(): Promise<void> {
  const [status, open] = await Promise.all([
    call<HostStatus>('GET', '/v1/status'),
    call<{ sessions: OpenSession[] }>('GET', '/v1/sessions'),
  ]);
  host.value = status;
  sessions.value = open.sessions;
  const hwnd = open.sessions.find(({ window }) => window !== null)?.window?.hwnd;
  if (watched.value === null && hwnd !== undefined) watch(hwnd);
}

const MOST_ANSWERED = 30;

async function readCards(): Promise<void> {
  const read = async (query: string): Promise<ApprovalCard[]> =>
    (await call<{ approvals: ApprovalCard[] }>('GET', `/v1/approvals?${query}`)).approvals;
  cards.value = await read('status=pending');
  if (view.value === 'approvals')
    answered.value = (await read(`status=all&limit=${MOST_ANSWERED}`)).filter(({ status }) => status !== 'pending');
}

const REFRESH_MS = 250;
const refreshState = later(readState, REFRESH_MS);
const refreshCards = later(readCards, REFRESH_MS);

/** A window is looked at only while a person sees the page, and only where its picture is shown. */
const isLookedAt = (): boolean =>
  // a stopped host refuses looks too
  !isStopped.value && document.visibilityState === 'visible' && (view.value === 'live' || view.value === 'inspector');

/** The look that is under way. The host calls it off when this page does. */
let looking: { readonly hwnd: string; readonly end: AbortController } | null = null;

/** Ends a look that no person waits for: another window was chosen, or the page or its picture is hidden. */
function callOffLook(): void {
  looking?.end.abort();
  looking = null;
  seeing.value = { ...seeing.value, isBusy: false };
}

export async function look(): Promise<void> {
  const hwnd = watched.value;
  if (hwnd === null || looking?.hwnd === hwnd) return;
  callOffLook();
  const own = (looking = { hwnd, end: new AbortController() });
  seeing.value = { ...seeing.value, isBusy: true };
  try {
    const answer = await call<{
      image: string;
      imageWidth: number;
      imageHeight: number;
      elements: ShownElement[];
      partial: boolean;
    }>('GET', `/v1/page/window?hwnd=${encodeURIComponent(hwnd)}`, undefined, own.end.signal);
    if (own.end.signal.aborted) return;
    const bytes = Uint8Array.from(atob(answer.image), (letter) => letter.charCodeAt(0));
    const url = URL.createObjectURL(new Blob([bytes], { type: 'image/png' }));
    pictures.add(url);
    seen.value = {
      hwnd,
      url,
      width: answer.imageWidth,
      height: answer.imageHeight,
      elements: elementsOf(answer.elements),
      partial: answer.partial,
    };
    const [newest] = steps.value;
    if (newest !== undefined && !isEarlier(newest) && newest.state !== 'running' && newest.after === null)
      steps.value = steps.value.with(0, { ...newest, after: url });
    seeing.value = { isBusy: false, problem: null };
  } catch (error) {
    if (own.end.signal.aborted) return;
    seeing.value = { isBusy: false, problem: wordsOf(error) };
  } finally {
    if (looking === own) looking = null;
  }
  forgetPictures();
}

/** What a person sees has changed. */
async function lookOrCallOff(): Promise<void> {
  if (isLookedAt()) await look();
  else callOffLook();
}
/** A program still draws when an action has ended. */
const lookSoon = later(lookOrCallOff, 400);

/** Whether a page itself looked, by the owner of an action or the token of a record. */
export const isOwn = (owner: unknown): boolean => String(owner ?? '').startsWith('page:');

function onEvent(event: HostEvent): void {
  if (isOwn(event['owner'])) return;
  if (event.type.startsWith('tool.')) onTool(event);
  if (isEarlier(event)) return;
  if (event.type === 'tool.end') {
    lookSoon();
    refreshState();
  } else if (event.type.startsWith('approval.')) {
    refreshCards();
    refreshState();
  } else if (!event.type.startsWith('tool.')) refreshState();
}

/** The view that the address names, so that a reload and Back keep it. */
function viewOfAddress(): View {
  const asked = new URLSearchParams(location.hash.slice(1)).get('view');
  return asked === 'inspector' || asked === 'approvals' || asked === 'control' ? asked : 'live';
}

export function show(next: View): void {
  if (next !== view.value) history.pushState(null, '', `#view=${next}`);
  view.value = next;
  refreshCards();
  void lookOrCallOff();
}

export function watch(hwnd: string): void {
  callOffLook();
  watched.value = hwnd;
  seen.value = null;
  void lookOrCallOff();
}

/** What a person sees first, and again after the connection was lost. */
const readAll = (): Promise<unknown> => Promise.allSettled([readState(), readCards(), lookOrCallOff()]);

/** Signs in, reads what is, and follows what happens, until the session ends. */
export async function start(): Promise<void> {
  try {
    me.value = await signIn();
    view.value = viewOfAddress();
    watched.value = new URLSearchParams(location.hash.slice(1)).get('hwnd');
    addEventListener('popstate', () => {
      view.value = viewOfAddress();
      void lookOrCallOff();
    });
    document.addEventListener('visibilitychange', () => void lookOrCallOff());
    await follow(
      onEvent,
      (isOpen) => {
        connection.value = isOpen ? 'open' : 'lost';
        // What happened before the stream was open comes in no event.
        if (isOpen) void readAll();
      },
      new AbortController().signal,
    );
  } catch (error) {
    notice.value = wordsOf(error);
    connection.value = 'signed-out';
  }
}
