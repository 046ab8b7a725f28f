/** The address of a browser window, confirmed by two sources. No Windows calls. */
import { indexOf, type TreeIndex } from '../tree/tree-index.ts';
import type { TreeNode } from '../tree/tree.ts';
import type { ElementContext } from '../../../contract/element/element.ts';

/** `https://example.com/a b` → its parts as a browser compares them; null for text that is not an address. */
function parse(text: string): URL | null {
  try {
    const url = new URL(text);
    return url.protocol === 'https:' || url.protocol === 'http:' || url.protocol === 'file:' ? url : null;
  } catch {
    return null;
  }
}

const withoutWww = (host: string): string => host.replace(/^www\./, '');
const path = (url: URL): string => `${decodeURI(url.pathname).replace(/\/$/, '')}${url.search}`;

/** Whether the text of an address bar (scheme and `www.` may be omitted) matches the address. */
export function barAgrees(address: URL, shown: string): boolean {
  const text = shown.trim();
  if (text === '' || /\s/.test(text)) return false;
  const bar = parse(text) ?? parse(`${address.protocol}//${text}`);
  if (bar === null || bar.protocol !== address.protocol) return false;
  try {
    return (
      withoutWww(bar.host) === withoutWww(address.host) &&
      path(bar) === path(address) &&
      bar.username === '' &&
      bar.password === ''
    );
  } catch {
    return false; // a path with invalid percent-encoding
  }
}

/**
 * The outermost document's value if the address bar agrees. Null (address unknown) without such a document or address
 * bar, or where they disagree.
 */
export function browserAddress(root: TreeNode): string | null {
  const index = indexOf(root);
  const document = outermostDocument(index);
  const address = document === null || document.value === null ? null : parse(document.value);
  if (document === null || address === null) return null;
  const bars = index
    .list('bars')
    .filter((node) => node.value !== null && looksLikeAddress(node.value) && !index.pathTo(node).includes(document));
  return bars.length > 0 && bars.every((bar) => barAgrees(address, bar.value!)) ? address.href : null;
}

const isUrl = (text: string | null): boolean => text !== null && !/\s/.test(text) && URL.canParse(text);

/**
 * The document that contains an element. A frame is a document inside the page’s; parts of a page that are exposed as
 * documents have no address and count as their container. Known only where the page's address is.
 */
export function documentOf(root: TreeNode, node: TreeNode | null, page: string | null): ElementContext['document'] {
  const index = indexOf(root);
  const outermost = outermostDocument(index);
  const own =
    node === null
      ? undefined
      : index.pathTo(node).findLast((each) => each.controlType === 'Document' && isUrl(each.value));
  if (own === undefined || outermost === null) return { kind: 'none', address: null };
  if (own === outermost) return { kind: 'page', address: page };
  return { kind: 'frame', address: page === null ? null : (parse(own.value ?? '')?.href ?? null) };
}

const outermostDocument = (index: TreeIndex): TreeNode | null =>
  index.list('documents').find(({ value }) => value !== null && parse(value) !== null) ?? null;

function looksLikeAddress(text: string): boolean {
  const trimmed = text.trim();
  return (
    /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^\s/]+\.[^\s/]+|^localhost\b|^[a-z][a-z0-9+.-]*:/i.test(trimmed) &&
    !/\s/.test(trimmed)
  );
}
