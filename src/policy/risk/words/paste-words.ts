/** How programs name the Paste command, in the languages of the other lists and some more. */
import { foldText, withoutAccessKeys } from './text.ts';

/** Whole words, folded. */
const WORDS = [
  'paste',
  'einfugen',
  'coller',
  'pegar',
  'colar',
  'incolla',
  'plakken',
  'wklej',
  'klistra in',
  'sæt ind',
  'saet ind',
  'lim inn',
  'liita',
  'vlozit',
  'beillesztes',
  'yapistir',
  'вставить',
  'вставка',
  'επικολληση',
];
/** Anywhere: these languages put no blanks between words. */
const UNSPACED = ['貼り付け', 'ペースト', '粘贴', '貼上', '붙여넣기'];
const PASTE = new RegExp(`(?:^|[^\\p{L}])(?:${WORDS.join('|')})(?:$|[^\\p{L}])|${UNSPACED.join('|')}`, 'u');

export const saysPaste = (name: string): boolean => PASTE.test(foldText(withoutAccessKeys(name)));
