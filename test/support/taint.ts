/**
 * Texts that nothing of the host may contain: planted by tests, and searched for in every form in which a file or an
 * answer could contain them.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PASSWORD } from './controls.ts';
import { wordsOf } from './words.ts';

/** In every host's environment, under a name like that of a key. */
export const PLANTED_VARIABLES: Readonly<Record<string, string>> = {
  PLANTED_API_KEY: 'sk-planted-Kq7vXw2LmZ81tRb4',
  PLANTED_PASSWORD: 'planted-Fjordpferd-6230',
};

/** Files that exist to contain tokens and keys; readable only by the user. */
const KEY_FILES: ReadonlySet<string> = new Set(wordsOf`
  agent.token operator.token agent.given-token operator.given-token
`);

/** UTF-8, UTF-16, JSON-escaped, URL-encoded, hex, and base64 at each of its three alignments. */
function formsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text, 'utf8');
  const escaped = [...text]
    .map((character) => (character > '~' ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : character))
    .join('');
  const encodings = [bytes, Buffer.from(text, 'utf16le')];
  const base64 = encodings.flatMap((encoded) =>
    [0, 1, 2].flatMap((shift) => {
      // Only whole groups: the first and last depend on what is next to the text.
      const shifted = Buffer.concat([Buffer.alloc(shift), encoded])
        .toString('base64')
        .replace(/=+$/, '');
      const inner = shifted.slice(shift === 0 ? 0 : 4, shifted.length - (shifted.length % 4));
      return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
    }),
  );
  const hex = encodings.map((encoded) => encoded.toString('hex'));
  const texts = [
    escaped,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
    ...hex,
    ...hex.map((form) => form.toUpperCase()),
    ...base64.filter((form) => form.length >= 8),
  ];
  const forms = new Map(
    [...encodings, ...texts.map((form) => Buffer.from(form, 'utf8'))].map((form) => [form.toString('latin1'), form]),
  );
  return [...forms.values()];
}

/** Which of the texts a piece of memory contains, in any form. */
export function taintIn(content: Buffer | string, texts: readonly string[]): string[] {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  return texts.filter((text) => formsOf(text).some((form) => bytes.includes(form)));
}

/** Every file below a folder that contains one of the texts, as `name: text`. */
export function taintBelow(folder: string, texts: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !KEY_FILES.has(basename(name)))
    .flatMap((name) => {
      const file = join(folder, name);
      return statSync(file, { throwIfNoEntry: false })?.isFile() === true
        ? taintIn(readFileSync(file), texts).map((text) => `${name}: ${text}`)
        : [];
    });
}

/**
 * What no data directory of a run may contain: the variables that every host is started with, its tokens, and the
 * content of the password field that most tests have on their desktop. Errors: names the place of each.
 */
export function assertUntainted(dataDirectory: string, tokens: readonly string[]): void {
  const found = taintBelow(dataDirectory, [...Object.values(PLANTED_VARIABLES), ...tokens, PASSWORD]);
  if (found.length > 0) throw new Error(`Secrets stand in the data directory:\n${found.join('\n')}`);
}
