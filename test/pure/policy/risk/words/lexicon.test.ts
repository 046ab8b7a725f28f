/** The lexicon of risky words in each language: what it finds and what it leaves. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ProposalRiskTag } from '../../../../../src/contract/gate/permissions.ts';
import { LANGUAGES, LEXICONS } from '../../../../../src/policy/risk/words/match.ts';
import {
  asksToSave,
  findTagWords,
  identifierWords,
  isAffirmative,
  isPasswordLabel,
  isRefusal,
  showsSignedIn,
} from '../../../../../src/policy/risk/words/match.ts';
import { copies } from '../../../../support/languages.ts';
import { phrasesOf, wordsOf } from '../../../../support/words.ts';

const tagsOf = (name: string): string[] => [...new Set(findTagWords(name, 'name').map((hit) => hit.tag))].sort();

/** Names that must be found, by language and tag; names that are nothing; names of which none is the risk that it denies. */
const { hits, nearMisses, negated } = JSON.parse(
  readFileSync(new URL('../../../../fixtures/risk-words.json', import.meta.url), 'utf8'),
) as {
  readonly hits: Record<string, Partial<Record<ProposalRiskTag, string[]>>>;
  readonly nearMisses: Record<string, string[]>;
  readonly negated: string[];
};

it('each language has its own hits here, and words that it shares with no other', () => {
  expect(Object.keys(hits).toSorted()).toEqual(LANGUAGES.map(({ language }) => language).toSorted());
  expect(copies(LEXICONS)).toEqual([]);
  expect(copies({ ...LEXICONS, it: { ...LEXICONS.fr, language: 'italian' } })).toEqual(['fr = it']);
});

describe.each(LANGUAGES.map((language) => language.language))('%s', (language) => {
  const rows = Object.entries(hits[language] ?? {}).flatMap(([tag, names]) =>
    names.map((name) => [name, tag] as const),
  );

  it.each(rows)('“%s” is %s', (name, tag) => {
    expect(tagsOf(name)).toContain(tag);
    expect(tagsOf(`  &${name}… `)).toContain(tag);
    expect(tagsOf(name.toUpperCase())).toContain(tag);
  });

  it.each(nearMisses[language] ?? [])('“%s” is nothing', (name) => expect(findTagWords(name, 'name')).toEqual([]));

  it('has words for each tag, and each word is found by itself', () => {
    const lexicon = LANGUAGES.find((one) => one.language === language);
    for (const [tag, words] of Object.entries(lexicon?.tags ?? {})) {
      const entries = [...words.anywhere, ...(words.whole ?? [])];
      expect(entries.length).toBeGreaterThan(4);
      for (const entry of entries)
        expect([entry, tagsOf(entry.replaceAll('*', 'x'))]).toEqual([entry, expect.arrayContaining([tag])]);
      for (const entry of words.sentence ?? []) {
        expect([entry, findTagWords(entry.replaceAll('*', 'x'), 'sentence').map((hit) => hit.tag)]).toEqual([
          entry,
          expect.arrayContaining([tag]),
        ]);
      }
    }
  });
});

describe('negatives', () => {
  it.each(negated)('“%s” is not the risk that it denies', (name) => expect(tagsOf(name)).toEqual([]));

  it.each([
    ['Cancel and delete account', 'destructive'],
    ['Do not ask again, delete', 'destructive'],
    ['Don’t keep it. Delete', 'destructive'],
    ['No, delete it', 'destructive'],
    ['Delete, don’t ask', 'destructive'],
    ['Nicht fragen, löschen', 'destructive'],
    ['Undo and remove', 'destructive'],
    ['取消订单', 'destructive'],
    ['Yes, send', 'external_submit'],
    ['Don’t save', 'destructive'],
  ])('“%s” stays %s', (name, tag) => expect(tagsOf(name)).toContain(tag));
});

describe('forms', () => {
  it.each([
    'DELETE',
    'delete',
    'De&lete',
    '&Delete',
    'Delete…',
    '  Delete  ',
    'Ｄｅｌｅｔｅ',
    'De\u00adlete',
    'De\u200blete',
    'Delete (&D)',
    '_Delete',
    '[Delete]',
    '→ Delete',
  ])('case, accents, access keys and full-width forms: %j', (name) => expect(tagsOf(name)).toEqual(['destructive']));

  it.each([
    ['Löschen', 'Lo\u0308schen'],
    ['Excluir configuração', 'Excluir configurac\u0327a\u0303o'],
    ['Éliminer', 'E\u0301liminer'],
  ])('composed and decomposed accents are the same: %s', (composed, decomposed) => {
    expect(tagsOf(decomposed)).toEqual(tagsOf(composed));
  });

  it('voiced kana are letters of their own', () => {
    expect(tagsOf('ログイン')).toContain('authenticated');
    expect(tagsOf('ロクイン')).toEqual([]);
    expect(tagsOf('ﾛｸﾞｲﾝ')).toContain('authenticated');
  });

  it('reads identifiers as words', () => {
    expect(tagsOf(identifierWords('btnDeleteAccount'))).toContain('destructive');
    expect(tagsOf(identifierWords('delete_all'))).toContain('destructive');
    expect(tagsOf(identifierWords('undeletedItems'))).toEqual([]);
  });

  it('reads the beginning of a document', () => {
    expect(findTagWords('delete not '.repeat(20_000), 'sentence')).toHaveLength(1);
  });
});

describe('dialogs', () => {
  it.each([
    ['This cannot be undone.', 'destructive'],
    ['Your files will be permanently deleted.', 'destructive'],
    ['notes.txt already exists. Do you want to replace it?', 'destructive'],
    ['You will be charged 49 €.', 'financial'],
    ['Die Datei wird endgültig gelöscht.', 'destructive'],
    ['Cette action est irréversible.', 'destructive'],
    ['Se perderán los datos.', 'destructive'],
    ['A ação não pode ser desfeita.', 'destructive'],
    ['この操作は元に戻せません。', 'destructive'],
    ['此操作无法撤销。', 'destructive'],
    ['We use cookies.', 'terms_or_cookies'],
    ['The message will be sent to 40 people.', 'external_submit'],
  ])('[risk.dialog] “%s” is %s', (text, tag) => {
    expect(findTagWords(text, 'sentence').map((hit) => hit.tag)).toContain(tag);
  });

  it.each(phrasesOf`
    Nothing will be deleted. | Your files will not be deleted. | Es wird nichts übernommen. | Ready | Ln 1, Col 1
  `)('[risk.dialog] “%s” is nothing', (text) => expect(findTagWords(text, 'sentence')).toEqual([]));

  it('knows a plain yes, a no, and a question about saving in every language', () => {
    for (const name of [
      ...wordsOf`
        OK &Yes Continue Ja Oui Sí Sim はい 确定 確定 Weiter Confirmer Aceptar Avançar 続行
      `,
      'Yes, I’m sure',
    ])
      expect([name, isAffirmative(name)]).toEqual([name, true]);
    for (const name of ['Cancel', 'No', 'Delete', 'Save', 'Abbrechen', 'Annuler', 'いいえ', '取消'])
      expect([name, isAffirmative(name)]).toEqual([name, false]);
    for (const name of phrasesOf`
      No | Don’t Save | Nein | Ne pas enregistrer | No guardar | Não salvar | 保存しない | 不保存
    `)
      expect([name, isRefusal(name)]).toEqual([name, true]);
    for (const text of phrasesOf`
      Do you want to save changes to Untitled? | Möchten Sie die Änderungen speichern? |
      Voulez-vous enregistrer les modifications ? | ¿Desea guardar los cambios? | Deseja salvar as alterações? |
      変更を保存しますか？ | 是否保存更改？
    `)
      expect([text, asksToSave(text)]).toEqual([text, true]);
    expect(asksToSave('Saved')).toBe(false);
  });

  it('knows signs of a session and labels of secret fields in every language', () => {
    for (const text of phrasesOf`
      Sign out | Signed in as Ann | Abmelden | Déconnexion | Cerrar sesión | Minha conta | ログアウト | 退出登录
    `)
      expect([text, showsSignedIn(text)]).toEqual([text, true]);
    for (const text of phrasesOf`
      Password | New password | Kennwort | Mot de passe | Contraseña | Senha | パスワード | 密码 | Security code (CVV)
    `)
      expect([text, isPasswordLabel(text)]).toEqual([text, true]);
    for (const text of ['User name', 'Pinned', 'Spinner', 'Passenger'])
      expect([text, isPasswordLabel(text) || showsSignedIn(text)]).toEqual([text, false]);
  });
});
