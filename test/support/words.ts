/** Lists of words. */

/** The words of a text: long lists of names, keys and arguments, as a paragraph. */
export const wordsOf = <Word extends string = string>([text = '']: TemplateStringsArray): Word[] =>
  text.trim().split(/\s+/) as Word[];

/** The same of phrases, with `|` between them. */
export const phrasesOf = ([text = '']: TemplateStringsArray): string[] => text.split('|').map((each) => each.trim());
