/** Reads the `urls` of a session: the pages and applications it may touch. */
import { isIP } from 'node:net';
import type { AppIdentity } from '../../contract/element/binding.ts';
import { badInput, UiaHostError } from '../../contract/errors.ts';
import { matchApp } from '../../contract/gate/app-match.ts';
import { isUnderPath } from '../../contract/gate/pages.ts';
import { isUri } from '../../contract/gate/session.ts';
import { attempt } from '../../contract/attempt.ts';

/** One `urls` entry of a computer-use session. */
export type SessionUrl =
  | { readonly kind: 'app'; readonly name: string }
  | { readonly kind: 'page'; readonly origin: string; readonly path: string };

const shown = (text: string): string => JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);

/**
 * Reads one entry: `https:` pages, and `app:` with a percent-encoded bundleId, AppUserModelID or file name.
 * Errors: invalid_argument for other schemes, credentials or an invalid address; blocked_by_policy for `http:` and
 * IP hosts unless the policy allows insecure addresses.
 */
export function parseSessionUrl(text: string, allowInsecure: boolean): SessionUrl {
  if (!isUri(text)) {
    throw badInput(`urls: ${shown(text)} is not a URI; nothing was started.`, {
      hint: 'Percent-encode what a URI may not carry: app:c%3A%5Capps%5Ctool.exe.',
    });
  }
  const app = /^app:(?:\/\/)?(.*)$/is.exec(text);
  if (app !== null) {
    try {
      const name = decodeURIComponent(app[1] ?? '').trim();
      if (name !== '' && !/\p{Cc}/u.test(name)) return { kind: 'app', name };
    } catch {
      // Malformed percent-encoding: reported below.
    }
    throw badInput(`urls: ${shown(text)} names no application; nothing was started.`, {
      hint: 'Write app: and the percent-encoded bundleId, AppUserModelID or file name.',
    });
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch (cause) {
    throw badInput(`urls: ${shown(text)} is not an address; nothing was started.`, {
      cause,
    });
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw badInput(`urls: the scheme ${shown(url.protocol)} is not accepted; nothing was started.`, {
      hint: 'Use https: for pages and app: for programs.',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw badInput('urls: an address must not carry credentials; nothing was started.');
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!allowInsecure && url.protocol === 'http:') {
    throw new UiaHostError(
      'blocked_by_policy',
      `urls: ${shown(text)} is not encrypted, and the policy does not allow that.`,
      { hint: 'Use https:, or let an operator set allowInsecureUrls.' },
    );
  }
  if (!allowInsecure && isIP(host) !== 0) {
    throw new UiaHostError(
      'blocked_by_policy',
      `urls: ${shown(text)} names a host by its IP address, and the policy does not allow that.`,
      { hint: 'Use the host’s name, or let an operator set allowInsecureUrls.' },
    );
  }
  return { kind: 'page', origin: url.origin, path: url.pathname };
}

export interface SessionScope {
  /** Whether the application itself is named: then all its windows may be touched. */
  coversApp(app: AppIdentity): boolean;
  /** Whether the page is at or below a named one of the same origin. Null (unknown) never is. */
  coversPage(address: string | null): boolean;
  readonly hasPages: boolean;
}

/** What the `urls` of a session allow. Entries that do not parse allow nothing. */
export function sessionScope(urls: readonly string[], allowInsecure: boolean): SessionScope {
  const entries = urls.flatMap((url) => attempt(() => [parseSessionUrl(url, allowInsecure)], []));
  const pages = entries.filter((entry) => entry.kind === 'page');
  return {
    hasPages: pages.length > 0,
    coversApp: (app) => entries.some((entry) => entry.kind === 'app' && matchApp(entry.name, app) !== null),
    coversPage(address) {
      const url = address === null ? null : attempt(() => new URL(address), null);
      return url !== null && pages.some((page) => page.origin === url.origin && isUnderPath(url.pathname, page.path));
    },
  };
}
