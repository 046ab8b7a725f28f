/** A browser's page as a card shows it, in full and in a few words. */
import { domainToUnicode } from 'node:url';
import type { CardPage } from '../../contract/gate/approval.ts';
import type { AppIdentity } from '../../contract/element/binding.ts';
import type { ElementContext } from '../../contract/element/element.ts';
import { originOf } from '../../contract/gate/pages.ts';
import { showsPage } from '../risk/words/app-kind.ts';
import { quoted } from '../../contract/json/quoted.ts';

const MAX_ADDRESS = 300;

/** Drops a name and password before the host: they do not change where the address leads, as in `https://bank.example@evil.example/`. */
function shownAddress(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href.length > MAX_ADDRESS ? `${url.href.slice(0, MAX_ADDRESS - 1)}…` : url.href;
}

function unicodeHostOf(origin: string | null): string | null {
  if (origin === null) return null;
  const { hostname } = new URL(origin);
  const unicode = domainToUnicode(hostname);
  return unicode === '' || unicode === hostname ? null : unicode;
}

/** Null if no page is concerned. */
export function pageOf(app: AppIdentity | null, context: ElementContext | null): CardPage | null {
  if (app === null || !showsPage(app, context)) return null;
  const address = context?.address ?? null;
  const origin = originOf(address);
  return {
    origin,
    unicodeHost: unicodeHostOf(origin),
    address: address === null ? null : shownAddress(address),
    frame: context?.document.kind === 'frame' ? { origin: originOf(context.document.address) } : null,
  };
}

/** `on https://host`: where it happens, by origin; the page itself chooses its title. */
export function onPage({ origin, address, frame }: CardPage): string {
  const page = origin ?? (address === null ? 'an unknown page' : quoted(address));
  return frame === null ? `on ${page}` : `in a frame of ${frame.origin ?? 'an unknown origin'} on ${page}`;
}
