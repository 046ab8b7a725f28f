/** Markup that is already safe. Anything else is escaped when inserted. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters that are invisible or reverse the reading order: a window's title could use them to deceive. Line feed and tab stay. */
// eslint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]/gu;

/** Text for any place between tags or inside a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replace(UNSEEN, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

type Part = Html | string | number | null | undefined | readonly Part[];

function render(part: Part): string {
  if (part === null || part === undefined) return '';
  if (part instanceof Html) return part.markup;
  if (typeof part === 'object') return part.map(render).join('');
  return escapeHtml(String(part));
}

/** Template tag: escapes each inserted value unless it is Html. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(
    literals.map((literal, index) => (index === 0 ? literal : render(parts[index - 1]) + literal)).join(''),
  );
}
