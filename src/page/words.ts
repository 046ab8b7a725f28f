/** The words of the page: English is in its parts, German in german.json. */
import german from './german.json' with { type: 'json' };

const isGerman = /^de\b/i.test(navigator.language);
document.documentElement.lang = isGerman ? 'de' : 'en';

/** A text in the person's language, with `{name}` filled in. The compiler wants German words for each. */
export const t = (text: keyof typeof german, values: object = {}): string =>
  Object.entries(values).reduce(
    (said, [name, value]) => said.replaceAll(`{${name}}`, () => String(value)),
    isGerman ? german[text] : text,
  );
