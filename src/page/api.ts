/** How the page talks to its host: the sign-in, calls, and the stream of events. Nothing leaves for another origin. */
import { createParser } from 'eventsource-parser';
import { t } from './words.ts';

/** What the host refused, in its own words. */
export class Problem extends Error {
  readonly code: string;
  readonly hint: string;
  readonly status: number;

  constructor(status: number, body: { readonly code?: string; readonly detail?: string; readonly hint?: string }) {
    super(body.detail ?? `The host answered ${status}.`);
    this.status = status;
    this.code = body.code ?? 'unknown';
    this.hint = body.hint ?? '';
  }
}

/** One half of the session; the other is a cookie that no script can read. It ends with the tab. */
const KEY = 'uiahost-page-key';

const keyHeader = (): Record<string, string> => {
  const key = sessionStorage.getItem(KEY);
  return key === null ? {} : { 'Uiahost-Page': key };
};

async function answerOf(response: Response): Promise<unknown> {
  const text = await response.text();
  const body: unknown = text === '' ? null : JSON.parse(text);
  if (!response.ok) throw new Problem(response.status, (body ?? {}) as Record<string, string>);
  return body;
}

/** Errors: Problem; TypeError where no host answers; the signal’s reason. The host stops what an aborted call asked for. */
export async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  signal: AbortSignal | null = null,
): Promise<T> {
  const response = await fetch(path, {
    method,
    signal,
    headers: { ...keyHeader(), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await answerOf(response)) as T;
}

/** Runs an action in the page's own session; answers its value. */
export const act = async (action: string, input: Record<string, unknown>): Promise<unknown> =>
  (await call<{ value: unknown }>('POST', `/v1/actions/${action}`, input)).value;

/** The bytes of a picture that the host keeps, as an address that only this page can use. */
export async function pictureUrl(path: string): Promise<string> {
  const response = await fetch(path, { headers: keyHeader() });
  if (!response.ok) throw new Problem(response.status, {});
  return URL.createObjectURL(await response.blob());
}

/** Who the page is, and whether cards can be answered on it. */
export interface Me {
  readonly scope: string;
  readonly decides: boolean;
  readonly version: string;
}

/** Exchanges the code in the address, which leaves the address at once; a page that is loaded again has its key. */
export async function signIn(): Promise<Me> {
  const given = new URLSearchParams(location.hash.slice(1));
  const code = given.get('code');
  if (code !== null) {
    given.delete('code');
    history.replaceState(null, '', given.size === 0 ? '/' : `/#${given.toString()}`);
    const { key, ...me } = await call<Me & { key: string }>('POST', '/v1/page/session', { code });
    sessionStorage.setItem(KEY, key);
    return me;
  }
  if (sessionStorage.getItem(KEY) === null)
    throw new Problem(401, { detail: t('Open this page with `uiahost open`.') });
  return call<Me>('GET', '/v1/page/session');
}

export async function signOut(): Promise<void> {
  await call('DELETE', '/v1/page/session').catch(() => {});
  sessionStorage.removeItem(KEY);
}

export interface HostEvent {
  readonly type: string;
  readonly time: string;
  readonly [field: string]: unknown;
}

const AGAIN_MS = 1000;
/** What happened before the page was opened, for the list of steps. */
const EARLIER = 1000;

/** Follows the host's events until the signal ends it; a lost connection is opened again after the last event. */
export async function follow(
  onEvent: (event: HostEvent) => void,
  onState: (isOpen: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  let last = '';
  const parser = createParser({
    onEvent({ id, data }) {
      if (id !== undefined) last = id;
      onEvent(JSON.parse(data) as HostEvent);
    },
  });
  while (!signal.aborted) {
    try {
      const response = await fetch(`/v1/events${last === '' ? `?recent=${EARLIER}` : ''}`, {
        headers: { ...keyHeader(), ...(last === '' ? {} : { 'Last-Event-ID': last }) },
        signal,
      });
      if (response.status === 401 || response.status === 403)
        throw new Problem(response.status, { code: 'unauthenticated' });
      if (response.ok && response.body !== null) {
        onState(true);
        parser.reset();
        for await (const piece of response.body.pipeThrough(new TextDecoderStream())) parser.feed(piece);
      }
    } catch (error) {
      if (error instanceof Problem) throw error;
    }
    if (!signal.aborted) onState(false);
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
