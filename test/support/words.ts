/** Lists of words. */

/** The words of a text: long lists of names, keys and arguments, as a paragraph. */
export const wordsOf = <Word extends string = string>({ raw: [text = ''] }: TemplateStringsArray): Word[] =>
  text.trim().split(/\s+/) as Word[];

/** The same of phrases, with `|` between them. Backslashes are as they are written. */
export const phrasesOf = ({ raw: [text = ''] }: TemplateStringsArray): string[] =>
  text.split('|').map((each) => each.trim());
