/** Page addresses as a policy lists them, and which pages each entry covers. */
import { attempt } from '../attempt.ts';

interface PagePattern {
  readonly scheme: string;
  /** `*.` in front matches any names before it. */
  readonly host: string;
  readonly port: string;
  /** Covers the path itself and everything below it, on segment boundaries. */
  readonly path: string;
}

const HTTP = /^https?:$/;

/**
 * Reads one entry: `https://host`, with an optional port and path; `https://*.host` for its subdomains; another scheme
 * (`about:blank`) means exactly that address. Null for anything else: credentials, query and fragment are not compared,
 * so they are not allowed.
 */
function readPattern(entry: string): PagePattern | null {
  const url = attempt(() => new URL(entry), null);
  if (url === null) return null;
  if (!HTTP.test(url.protocol))
    return /^[a-z][a-z0-9+.-]*:\S+$/i.test(entry) ? { scheme: url.protocol, host: '', port: '', path: url.href } : null;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '' || /[?#]/.test(entry))
    return null;
  const bare = url.hostname.replace(/^\*\./, '');
  return bare === '' || bare.includes('*') || /^https?:\\|^https?:\/\/[^/]*\\/.test(entry)
    ? null
    : { scheme: url.protocol, host: url.hostname, port: url.port, path: url.pathname };
}

export const isPageEntry = (entry: string): boolean => readPattern(entry) !== null;

const coversHost = (wide: string, narrow: string): boolean =>
  wide === narrow || (wide.startsWith('*.') && narrow.endsWith(wide.slice(1)) && narrow !== wide.slice(1));

/** Whether a path is the same as another, or below it. */
export function isUnderPath(path: string, base: string): boolean {
  if (base === '/' || path === base) return true;
  return path.startsWith(base.endsWith('/') ? base : `${base}/`);
}

const covers = (wide: PagePattern, narrow: PagePattern): boolean =>
  wide.scheme === narrow.scheme &&
  wide.port === narrow.port &&
  coversHost(wide.host, narrow.host) &&
  (HTTP.test(wide.scheme) ? isUnderPath(narrow.path, wide.path) : wide.path === narrow.path);

/** What both entries cover, as one entry; null if nothing. */
function common(one: PagePattern, other: PagePattern): PagePattern | null {
  const host = coversHost(one.host, other.host) ? other.host : one.host;
  const path = isUnderPath(other.path, one.path) ? other.path : one.path;
  const both: PagePattern = { ...one, host, path };
  return covers(one, both) && covers(other, both) ? both : null;
}

const written = ({ scheme, host, port, path }: PagePattern): string =>
  HTTP.test(scheme) ? `${scheme}//${host}${port === '' ? '' : `:${port}`}${path}` : path;

const patterns = (pages: readonly string[]): PagePattern[] =>
  pages.map(readPattern).filter((pattern) => pattern !== null);

/** Whether one of the entries covers the address of a page. An unknown address (null) is never covered. */
export function coversPage(pages: readonly string[], address: string | null): boolean {
  const url = address === null ? null : attempt(() => new URL(address), null);
  if (url === null) return false;
  const page = HTTP.test(url.protocol)
    ? { scheme: url.protocol, host: url.hostname, port: url.port, path: url.pathname }
    : { scheme: url.protocol, host: '', port: '', path: url.href };
  return patterns(pages).some((pattern) => covers(pattern, page));
}

/** The pages that both lists allow; null means no list, which allows all. */
export function commonPages(one: readonly string[] | null, other: readonly string[] | null): string[] | null {
  if (one === null || other === null) return one === null && other === null ? null : [...(one ?? other ?? [])];
  const found = patterns(one).flatMap((each) =>
    patterns(other)
      .map((second) => common(each, second))
      .filter((both) => both !== null),
  );
  return [...new Set(found.map(written))];
}

/** The entries of a list that allow more than another list. */
export function addedPages(from: readonly string[] | null, to: readonly string[] | null): string[] {
  if (from === null) return [];
  if (to === null) return ['any page'];
  const before = patterns(from);
  return to.filter((entry) => {
    const pattern = readPattern(entry);
    return pattern !== null && !before.some((known) => covers(known, pattern));
  });
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Scheme, host and port of an address, as browsers compare them; null for an unknown address and for one without an
 * origin, such as a file.
 */
export function originOf(address: string | null): string | null {
  if (address === null || !URL.canParse(address)) return null;
  const url = new URL(address);
  return HTTP.test(url.protocol) && url.hostname !== '' ? url.origin : null;
}

/**
 * Reads an origin as a person writes it: `https://host`, with an optional port and nothing after it. `http:` only for
 * this machine. Null for anything else.
 */
export function readOrigin(text: string): string | null {
  const origin = originOf(text);
  if (origin === null || !/^https?:\/\/[^/?#@*\\\s]+\/?$/i.test(text)) return null;
  const { protocol, hostname } = new URL(origin);
  return protocol === 'https:' || LOOPBACK.test(hostname) ? origin : null;
}
