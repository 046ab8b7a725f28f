/** Invisible characters: format characters, fillers, variation selectors. */
export const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

const ASCII = /^\p{ASCII}*$/u;

/**
 * Normalises other programs' texts before words are searched: compatibility forms (full width,
 * ligatures), case, accents and invisible characters make no difference.
 */
export function foldText(text: string): string {
  // Most texts, and a sheet may have ten thousand: in ASCII only case makes a difference.
  if (ASCII.test(text)) return text.toLowerCase();
  return (
    text
      .normalize('NFKC')
      .replace(INVISIBLE, '')
      .toLowerCase()
      .normalize('NFD')
      // Accents, strokes and rings, but not Japanese voicing marks, which make different letters.
      .replace(/(?=\p{M})(?!\p{Script_Extensions=Hiragana})[\p{Script=Inherited}\p{Script=Cyrillic}]/gu, '')
      .normalize('NFC')
      .replaceAll('ß', 'ss')
      .replaceAll('æ', 'ae')
      .replaceAll('œ', 'oe')
      .replaceAll('ø', 'o')
      .replaceAll('ł', 'l')
      // Lone surrogates are not characters.
      .replace(/\p{Cs}/gu, ' ')
  );
}

/** Removes access-key marks: `&Save`, `De&lete`, `削除(&D)`, `_Open`. */
export function withoutAccessKeys(text: string): string {
  return text
    .replace(/[(\uff08]&?[A-Za-z0-9][)\uff09]/g, '')
    .replaceAll('&&', ' and ')
    .replace(/&(?=\S)/g, '')
    .replace(/(?<![\p{L}\p{N}])_(?=\p{L})/gu, '');
}

/** Separates two tokens where a clause ends. */
export const BORDER = '|';

/** Marks that end a clause, in Western and East Asian writing, and quotation marks. */
const CLAUSE_ENDS = new RegExp('[.,;:!?|/\\\\()[\\]{}"“”«»„\n\r…。、，；：！？·•—–]+', 'g');

/** The words of a text in folded form; marks that end a clause become a border. */
export function tokenise(text: string): string[] {
  return foldText(withoutAccessKeys(text))
    .replace(CLAUSE_ENDS, ` ${BORDER} `)
    .replace(/[^\p{L}\p{N}|]+/gu, ' ')
    .trim()
    .split(' ')
    .filter((token) => token !== '');
}

const CJK = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d]/;

export function hasCjk(text: string): boolean {
  return CJK.test(text);
}
