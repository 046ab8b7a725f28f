/** Words that are written so that a person reads them and a table of words does not, and harmless names that look a little like that. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findTagWords, isAffirmative, isRefusal, isPasswordLabel } from '../../../../../src/policy/risk/words/match.ts';
import { deriveRisk, type Risk } from '../../../../../src/policy/risk/target/risk.ts';
import { foldText } from '../../../../../src/policy/risk/words/text.ts';
import { bound, context, element, NOTEPAD, traits } from '../../world.ts';

/** Disguises by how they are made, each with the tag of what it says. */
const words = JSON.parse(readFileSync(new URL('../../../../fixtures/risk-words.json', import.meta.url), 'utf8')) as {
  readonly disguises: Record<string, ReadonlyArray<readonly [name: string, tag: string]>>;
  readonly harmless: readonly string[];
};
const [DISGUISES, HARMLESS] = [Object.values(words.disguises).flat(), words.harmless];

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
