/** The two halves by which the page proves its session: a cookie and a header. */

/** The header with the key, which only the page itself sends. */
const PAGE_HEADER = 'uiahost-page';

/** Browsers keep cookies by host and not by port, so the name has the port. */
const cookieName = (origin: string): string => `uiahost_page_${new URL(origin).port || 'default'}`;

interface Halves {
  readonly cookie: string;
  readonly key: string;
}

/** Null if the request does not come from the page. */
export function pageHalves(header: (name: string) => string | undefined, origin: string): Halves | null {
  const key = header(PAGE_HEADER);
  if (key === undefined) return null;
  const prefix = `${cookieName(origin)}=`;
  const cookies = (header('cookie') ?? '').split(';').map((each) => each.trim());
  const cookie = cookies.find((each) => each.startsWith(prefix))?.slice(prefix.length);
  return cookie === undefined ? null : { cookie, key };
}

/** `Set-Cookie` of a session, or of its end. Gone when the browser ends; the host ends it earlier. */
export const setCookie = (origin: string, cookie: string | null): string =>
  [
    `${cookieName(origin)}=${cookie ?? ''}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    ...(origin.startsWith('https:') ? ['Secure'] : []),
    ...(cookie === null ? ['Max-Age=0'] : []),
  ].join('; ');
