/** Words that are written so that a person reads them and a table of words does not, and harmless names that look a little like that. */
import { describe, expect, it } from 'vitest';
import { findTagWords, isAffirmative, isRefusal, isPasswordLabel } from '../../../../../src/policy/risk/words/match.ts';
import { deriveRisk, type Risk } from '../../../../../src/policy/risk/target/risk.ts';
import { foldText } from '../../../../../src/policy/risk/words/text.ts';
import { bound, context, element, NOTEPAD, traits } from '../../world.ts';

const DISGUISES: ReadonlyArray<readonly [name: string, tag: string]> = [
  // Cyrillic, Greek, Armenian, Cherokee, Lisu, Coptic letters.
  ['D\u0435lete', 'destructive'],
  ['D\u0435l\u0435t\u0435', 'destructive'],
  ['De\u04cfete', 'destructive'],
  ['Delet\u03b5', 'destructive'],
  ['D\u025blete', 'destructive'],
  ['\u13a0\u13ac\u13de\u13ac\u13a2\u13ac', 'destructive'],
  ['\ua4d3\ua4f0\ua4e1\ua4f0\ua4d4\ua4f0', 'destructive'],
  ['\u0420\u0430\u0443 now', 'financial'],
  ['\u0405\u0435\u0578\u0501 \u0434\u043e\u043c', 'external_submit'],
  ['P\u0430y', 'financial'],
  ['\u03a1ay now', 'financial'],
  ['\u0421heck\u043eut', 'financial'],
  ['B\u057dy', 'financial'],
  ['\u0412uy', 'financial'],
  ['S\u0435nd', 'external_submit'],
  ['\u0405end message', 'external_submit'],
  ['\u0405\u0435nd', 'external_submit'],
  ['Ε\u0445\u0440\u043ert', 'pii_export'],
  ['Uninst\u0430ll', 'destructive'],
  ['R\u0435m\u043ev\u0435', 'destructive'],
  ['Rem\u03bfve', 'destructive'],
  ['\u041fublish', 'none-of-ours'],
  ['Er\u0430s\u0435', 'destructive'],
  ['W\u0456\u0440\u0435', 'destructive'],
  ['D\u0399scard', 'destructive'],
  ['Ov\u0435rwrite', 'destructive'],
  ['Shut down\u0435', 'none-of-ours'],
  ['Shut d\u043ewn', 'destructive'],
  ['L\u00f6s\u0441hen', 'destructive'],
  ['Suppr\u0456mer', 'destructive'],
  ['\u0415liminar', 'destructive'],
  ['B\u043errar', 'destructive'],
  ['Pag\u0430r', 'financial'],
  // Full width, mathematical, circled and coloured letters, small capitals, letters of flags, strokes and rings.
  ['Ｄｅｌｅｔｅ', 'destructive'],
  ['𝐃𝐞𝐥𝐞𝐭𝐞', 'destructive'],
  ['𝓓𝓮𝓵𝓮𝓽𝓮', 'destructive'],
  ['𝙳𝚎𝚕𝚎𝚝𝚎', 'destructive'],
  ['Ⓓⓔⓛⓔⓣⓔ', 'destructive'],
  ['🄳🄴🄻🄴🅃🄴', 'destructive'],
  ['🅳🅴🅻🅴🆃🅴', 'destructive'],
  ['🅓🅔🅛🅔🅣🅔', 'destructive'],
  ['ᴅᴇʟᴇᴛᴇ', 'destructive'],
  ['ᴘᴀʏ ɴᴏᴡ', 'financial'],
  ['🇩🇪🇱🇪🇹🇪', 'destructive'],
  ['D̶e̶l̶e̶t̶e̶', 'destructive'],
  ['Ḋẽļếṯę', 'destructive'],
  ['D⃝elete', 'destructive'],
  ['Đelete', 'destructive'],
  // Letters set apart, and words cut.
  ['D e l e t e', 'destructive'],
  ['D.e.l.e.t.e', 'destructive'],
  ['D-e-l-e-t-e', 'destructive'],
  ['D_e_l_e_t_e', 'destructive'],
  ['D · e · l · e · t · e', 'destructive'],
  ['d e l e t e  a l l', 'destructive'],
  ['D e l e t e a l l', 'destructive'],
  ['D\u00a0e\u00a0l\u00a0e\u00a0t\u00a0e', 'destructive'],
  ['D\u2009e\u2009l\u2009e\u2009t\u2009e', 'destructive'],
  ['P a y', 'financial'],
  ['P-A-Y', 'financial'],
  ['D\ne\nl\ne\nt\ne', 'destructive'],
  ['D\u0435 l e t e', 'none-of-ours'],
  ['D \u0435 l \u0435 t \u0435', 'destructive'],
  ['De-lete', 'destructive'],
  ['De·lete', 'destructive'],
  ['De_lete', 'destructive'],
  ['Del*ete', 'destructive'],
  ['Del\u2010ete', 'destructive'],
  ['(D)elete', 'destructive'],
  ['[D]elete all', 'destructive'],
  ['S|end', 'external_submit'],
  // What is not shown, and what is turned round.
  ['De\u200blete', 'destructive'],
  ['De\u00adlete', 'destructive'],
  ['De\ufe0flete', 'destructive'],
  ['De\u034flete', 'destructive'],
  ['De\u3164lete', 'destructive'],
  ['De\u{e0041}lete', 'destructive'],
  ['D\u200be\u200cl\u200de\u2060t\ufeffe', 'destructive'],
  ['\u202eeteleD', 'destructive'],
  ['\u202eyap\u202c', 'financial'],
  // Digits and signs.
  ['De1ete', 'destructive'],
  ['D3l3t3', 'destructive'],
  ['DeIete', 'destructive'],
  ['P4y now', 'financial'],
  ['$end', 'external_submit'],
  ['3rase', 'destructive'],
  ['Uninsta11', 'destructive'],
  ['De|ete', 'destructive'],
  ['Remov€', 'destructive'],
  ['5end mail', 'external_submit'],
  ['Un1nstall', 'destructive'],
  // Languages without blanks.
  ['削 除', 'destructive'],
  ['削・除', 'destructive'],
  ['削\u200b除', 'destructive'],
  ['删-除', 'destructive'],
];

const HARMLESS: readonly string[] = [
  'Save',
  'Save as',
  'Cancel',
  'Open…',
  'Next',
  'Back',
  'Help',
  'Details',
  'Delta',
  'Deleted items',
  'Delegate',
  'Select all',
  'Elected',
  'Relate',
  'Sender',
  'Shared by',
  'Buyer',
  'Paytm logo',
  'Payload',
  'Spending',
  'Endless',
  'Recent',
  'A B C',
  'X Y Z',
  'U.S.A.',
  'e.g.',
  'i.e.',
  'p. 12',
  'F1',
  'F 1',
  'Ctrl+D',
  'COM1',
  'H.264',
  'MP3',
  'Win32',
  'x86',
  'S3',
  'B-52',
  '3D view',
  '4K',
  '1080p',
  'Level 1',
  'Row 5',
  'Page 1 of 7',
  'Mon-Fri',
  'on/off',
  'e-mail',
  'T-shirt',
  'Co-author',
  'Read-only',
  'W e l c o m e',
  'H e l l o',
  'M e n u',
  'N e w s',
  'Привет',
  'Тест',
  'Сохранить',
  'Открыть',
  'Отмена',
  'Настройки',
  'Αρχείο',
  'Βοήθεια',
  'Άνοιγμα',
  'Zażółć',
  'İstanbul',
  'Ładowanie',
  'Øresund',
  'Đà Nẵng',
  'שלום',
  'مرحبا',
  'ยินดีต้อนรับ',
  '안녕하세요',
  'नमस्ते',
  'ファイル',
  '打开',
  '保存',
  '開く',
  'Customer’s end',
  'Today’s end',
  'iPhone',
  'eBook',
  'Id',
  'ID 5',
  'Illinois',
  'Iliad',
  'IIS',
  'C:\\Users',
  'Ann@example.com',
  '100 %',
  '$5.00',
  '€ 20',
  'Q&A',
  'R&D',
  '(a) first',
  '[x] seen',
  '⟳',
  '×',
  '★★★',
  '👍',
  'Wi-Fi',
  'Vue',
  'Αθήνα',
  'рост',
  'сор',
];

describe('disguises', () => {
  const known = DISGUISES.filter(([, tag]) => tag !== 'none-of-ours');
  it('[lexicon.disguises] the table is as long as it says', () => {
    expect(known.length).toBeGreaterThanOrEqual(60);
    expect(new Set(HARMLESS).size).toBeGreaterThanOrEqual(60);
  });

  it.each(known)('[lexicon.disguises] %j', (name, tag) => {
    expect(findTagWords(name, 'name').map((hit) => hit.tag)).toContain(tag);
  });

  it.each(HARMLESS)('%j', (name) => {
    expect(findTagWords(name, 'name')).toEqual([]);
    expect(isRefusal(name)).toBe(false);
  });

  it('[lexicon.disguises] a plain yes, a no, a question and a label of a secret are read the same way', () => {
    for (const name of ['О\u041a', 'Y\u0435s', 'Y e s', 'Ｙｅｓ', 'Y\u200bes', 'C\u043entinue', 'O K', 'O.K.'])
      expect(isAffirmative(name), name).toBe(true);
    for (const name of ['N\u043e', 'N o', '\ud835\udc0d\ud835\udc28']) expect(isRefusal(name), name).toBe(true);
    for (const name of ['P\u0430ssword', 'P a s s w o r d', 'P-I-N']) expect(isPasswordLabel(name), name).toBe(true);
    expect(
      findTagWords('Th\u0456s \u0441\u0430nn\u043et b\u0435 und\u043ene.', 'sentence').map(({ tag }) => tag),
    ).toContain('destructive');
  });

  it('[lexicon.disguises] a negation of a word also negates its disguise', () => {
    for (const name of ['Do not d\u0435lete', 'Undo d\u0435lete', 'D\u0435l\u0435ted items'])
      expect(findTagWords(name, 'name'), name).toEqual([]);
  });

  it('a button in a writing that the lexicon has no language for is an unknown target', () => {
    const press = (name: string, type: Parameters<typeof element>[0] = 'Button'): Risk =>
      deriveRisk({
        traits: traits.click('', {}),
        app: NOTEPAD,
        binding: bound(NOTEPAD),
        context: context(element(type, name), { dialogTexts: ['All files will be deleted.'] }),
        typesSecret: false,
        claims: null,
      });
    for (const name of ['حذف', 'ลบ', '삭제', 'मिटाएं', 'מחק', 'Διαγραφή', 'წაშლა', 'Ջնջել'])
      expect([name, press(name)]).toMatchObject([name, { flags: ['unknown_target'], tags: ['destructive'] }]);
    for (const name of ['Details', 'Подробнее', '詳細', '详情', '+', '1', 'Αθήνα 2 (Athens)', 'Usuń'])
      expect([name, press(name)]).toMatchObject([name, { flags: [], tags: [] }]);
    expect(press('حذف', 'ListItem')).toMatchObject({ flags: [], tags: [] });
  });

  it('[lexicon.disguises] invisible characters and marks are folded in one place', () => {
    expect(foldText('D\u034fe\u200bl\ufe0fe\u0336t\u3164e\u20dd')).toBe('delete');
    expect(foldText('が')).toBe('が');
  });

  it('[lexicon.disguises] long texts cost no more than they did', () => {
    const text = 'D e l e t e x-y 1a '.repeat(400);
    const from = performance.now();
    for (let round = 0; round < 5; round++) findTagWords(`${text}${round}`, 'sentence');
    expect(performance.now() - from).toBeLessThan(2000);
  });
});
