/**
 * How programs of several languages write yes and no in a question: as letters ("[J/n]") or as words ("Yes/No"). A pair
 * counts only if both halves belong to one language, so that "(a/b)" is not mistaken for a yes-or-no question.
 */
export interface YesNoWords {
  readonly language: string;
  /** Lower case. A pair of letters consists of the first letters of the first words. */
  readonly yes: readonly string[];
  readonly no: readonly string[];
}

export const YES_NO_WORDS: readonly YesNoWords[] = [
  { language: 'English', yes: ['yes'], no: ['no'] },
  { language: 'German', yes: ['ja'], no: ['nein'] },
  { language: 'French', yes: ['oui'], no: ['non'] },
  { language: 'Spanish', yes: ['sí', 'si'], no: ['no'] },
  { language: 'Italian', yes: ['sì', 'si'], no: ['no'] },
  { language: 'Portuguese', yes: ['sim'], no: ['não', 'nao'] },
  { language: 'Dutch', yes: ['ja'], no: ['nee'] },
  { language: 'Swedish', yes: ['ja'], no: ['nej'] },
  { language: 'Danish', yes: ['ja'], no: ['nej'] },
  { language: 'Norwegian', yes: ['ja'], no: ['nei'] },
  { language: 'Finnish', yes: ['kyllä'], no: ['ei'] },
  { language: 'Polish', yes: ['tak'], no: ['nie'] },
  { language: 'Czech', yes: ['ano'], no: ['ne'] },
  { language: 'Slovak', yes: ['áno', 'ano'], no: ['nie'] },
  { language: 'Hungarian', yes: ['igen'], no: ['nem'] },
  { language: 'Romanian', yes: ['da'], no: ['nu'] },
  { language: 'Turkish', yes: ['evet'], no: ['hayır', 'hayir'] },
  { language: 'Russian', yes: ['да'], no: ['нет'] },
  { language: 'Ukrainian', yes: ['так'], no: ['ні'] },
  { language: 'Greek', yes: ['ναι'], no: ['όχι', 'οχι'] },
  { language: 'Chinese', yes: ['是'], no: ['否'] },
  { language: 'Chinese (traditional)', yes: ['是'], no: ['否', '不'] },
  { language: 'Japanese', yes: ['はい'], no: ['いいえ'] },
  { language: 'Korean', yes: ['예'], no: ['아니요', '아니오'] },
  { language: 'Vietnamese', yes: ['có'], no: ['không'] },
];
