/** The lexicon of risky words in each language: what it finds and what it leaves. */
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
  LONGEST_PHRASE,
  showsSignedIn,
} from '../../../../../src/policy/risk/words/match.ts';
import { copies } from '../../../../support/languages.ts';
import { wordsOf } from '../../../../support/words.ts';

const tagsOf = (name: string): string[] => [...new Set(findTagWords(name, 'name').map((hit) => hit.tag))].sort();

/** Names that must be found, by language and tag. */
const HITS: Record<string, Partial<Record<ProposalRiskTag, string[]>>> = {
  en: {
    destructive: [
      'Delete',
      'Delete all…',
      'Permanently delete account',
      'Erase disk',
      'Uninstall',
      'Remove user',
      'Empty Recycle Bin',
      'Restart server',
      'Shut down',
      'Factory reset',
      'Format drive',
      'Discard',
      'Don’t save',
      'End task',
      'Drop table',
      'Cancel subscription',
      'Kill process',
      'Force Quit',
      'Revoke access',
      'Clear browsing data',
    ],
    financial: [
      'Pay',
      'Pay invoice',
      'Buy now',
      'Place your order',
      'Checkout',
      'Transfer funds',
      'Donate',
      'Withdraw',
      'Sell',
      'Order',
      'Confirm payment',
      'Subscribe',
      'Start free trial',
      'Add funds',
    ],
    external_submit: [
      'Send',
      'Submit',
      'Publish',
      'Post',
      'Share',
      'Upload file',
      'Invite',
      'Sign up',
      'Create pull request',
      'Deploy',
      'Send message',
    ],
    pii_export: ['Export', 'Export contacts', 'Download my data', 'Share location', 'Export as CSV'],
    terms_or_cookies: ['Accept all cookies', 'I agree', 'Accept all', 'Agree and continue', 'Accept terms'],
    authenticated: ['Sign in', 'Log in', 'Continue with Google', 'Log on'],
  },
  de: {
    destructive: [
      'Löschen',
      'LÖSCHEN',
      'Loeschen',
      'Konto löschen',
      'Kontolöschung',
      'Entfernen',
      'Deinstallieren',
      'Neu starten',
      'Herunterfahren',
      'Papierkorb leeren',
      'Zurücksetzen',
      'Formatieren',
      'Nicht speichern',
      'Verwerfen',
      'Abo kündigen',
      'Bestellung stornieren',
    ],
    financial: [
      'Jetzt kaufen',
      'Bezahlen',
      'Zahlungspflichtig bestellen',
      'Überweisen',
      'Ueberweisen',
      'Zur Kasse',
      'Spenden',
      'Rechnung bezahlen',
    ],
    external_submit: ['Senden', 'Absenden', 'Veröffentlichen', 'Teilen', 'Hochladen', 'Einreichen', 'Registrieren'],
    pii_export: ['Exportieren', 'Kontakte exportieren', 'Meine Daten herunterladen', 'Standort teilen'],
    terms_or_cookies: ['Alle akzeptieren', 'Zustimmen', 'Cookies zulassen', 'Ich stimme zu', 'Einverstanden'],
    authenticated: ['Anmelden', 'Einloggen', 'Mit Google anmelden'],
  },
  fr: {
    destructive: [
      'Supprimer',
      'Supprimer le compte',
      'Effacer',
      'Désinstaller',
      'Vider la corbeille',
      'Redémarrer',
      'Réinitialiser',
      'Formater',
      'Ne pas enregistrer',
      'Résilier',
      'Annuler la commande',
    ],
    financial: [
      'Payer',
      'Acheter',
      'Passer la commande',
      'Valider le paiement',
      'Virement',
      'Faire un don',
      'Commander',
    ],
    external_submit: ['Envoyer', 'Publier', 'Partager', 'Soumettre', 'S’inscrire', 'Téléverser'],
    pii_export: ['Exporter', 'Télécharger mes données', 'Partager ma position'],
    terms_or_cookies: ['Tout accepter', 'J’accepte', 'Accepter les cookies', 'Je suis d’accord'],
    authenticated: ['Se connecter', 'Connexion', 'S’identifier'],
  },
  es: {
    destructive: [
      'Eliminar',
      'Eliminar cuenta',
      'Borrar',
      'Desinstalar',
      'Vaciar papelera',
      'Reiniciar API',
      'Apagar',
      'Formatear',
      'No guardar',
      'Restablecer',
      'Cancelar suscripción',
      'Finalizar tarea',
    ],
    financial: [
      'Pagar',
      'Pagar factura',
      'Comprar ahora',
      'Realizar pedido',
      'Transferir dinero',
      'Donar',
      'Confirmar pago',
    ],
    external_submit: ['Enviar', 'Enviar al alumno', 'Publicar', 'Compartir', 'Subir archivo', 'Registrarse'],
    pii_export: ['Exportar', 'Exportar datos', 'Descargar mis datos', 'Compartir ubicación'],
    terms_or_cookies: ['Aceptar todo', 'Acepto', 'Aceptar cookies', 'Estoy de acuerdo'],
    authenticated: ['Iniciar sesión', 'Inicia sesión'],
  },
  pt: {
    destructive: [
      'Excluir',
      'Excluir conta',
      'Apagar',
      'Desinstalar',
      'Esvaziar lixeira',
      'Reiniciar',
      'Desligar',
      'Formatar',
      'Não salvar',
      'Redefinir',
      'Cancelar assinatura',
      'Remover',
    ],
    financial: ['Pagar', 'Comprar', 'Finalizar compra', 'Fazer pedido', 'Transferir dinheiro', 'Doar', 'Enviar Pix'],
    external_submit: ['Enviar', 'Publicar', 'Compartilhar', 'Partilhar', 'Carregar arquivo', 'Cadastre-se'],
    pii_export: ['Exportar', 'Baixar meus dados', 'Compartilhar localização'],
    terms_or_cookies: ['Aceitar todos', 'Concordo', 'Aceitar cookies'],
    authenticated: ['Fazer login', 'Iniciar sessão', 'Entrar com Google'],
  },
  ja: {
    destructive: wordsOf`削除 削除(&D) アカウントを削除 完全に削除する アンインストール 再起動 シャットダウン ごみ箱を空にする 初期化 保存しない 強制終了 解約する ｱﾝｲﾝｽﾄｰﾙ`,
    financial: ['購入', '今すぐ購入', '支払う', 'お支払いを確定', '注文を確定する', '送金', '振込', '注文'],
    external_submit: ['送信', '投稿する', '公開', '共有', 'アップロード', '申請する', '登録'],
    pii_export: ['エクスポート', 'データをダウンロード', '連絡先をダウンロード', '位置情報を共有'],
    terms_or_cookies: ['同意する', 'すべて許可', 'Cookieを許可', '同意して続行'],
    authenticated: ['ログイン', 'サインイン', 'Googleでログイン'],
  },
  ru: {
    destructive: [
      'Удалить',
      'Удалить аккаунт',
      'Очистить корзину',
      'Перезагрузить',
      'Завершить работу',
      'Не сохранять',
      'Отменить подписку',
      'Сбросить',
    ],
    financial: ['Оплатить', 'Купить сейчас', 'Оформить заказ', 'Перевести деньги', 'Пополнить счёт'],
    external_submit: ['Отправить', 'Опубликовать', 'Поделиться', 'Зарегистрироваться'],
    pii_export: ['Экспорт', 'Скачать мои данные'],
    terms_or_cookies: ['Принять все', 'Согласен', 'Принять условия'],
    authenticated: ['Войти', 'Вход'],
  },
  uk: {
    destructive: ['Видалити', 'Очистити кошик', 'Перезавантажити', 'Не зберігати', 'Скасувати замовлення'],
    financial: ['Оплатити', 'Купити', 'Переказати гроші', 'Поповнити рахунок'],
    external_submit: ['Надіслати', 'Відправити', 'Опублікувати', 'Поділитися'],
    pii_export: ['Експорт', 'Завантажити мої дані'],
    terms_or_cookies: ['Прийняти все', 'Погоджуюся'],
    authenticated: ['Увійти', 'Вхід'],
  },
  zh: {
    destructive: wordsOf`删除 刪除 删除账户 清空回收站 卸载 解除安裝 重启 重新啟動 关机 格式化 不保存 取消订阅 恢复出厂设置 结束任务`,
    financial: ['购买', '購買', '立即支付', '付款', '提交订单', '转账', '轉帳', '充值', '去结算'],
    external_submit: ['发送', '傳送', '提交', '发布', '分享', '上传', '邀请', '注册'],
    pii_export: ['导出', '匯出', '导出联系人', '下载我的数据', '共享位置'],
    terms_or_cookies: ['同意', '全部接受', '接受条款', '已阅读并同意'],
    authenticated: ['登录', '登入', '登錄'],
  },
};

/** Names that look alike and must give nothing. */
const NEAR_MISSES: Record<string, string[]> = {
  en: [
    'Deleted items',
    'Recently deleted',
    'Undelete',
    'Payload',
    'Payroll report',
    'Purchase history',
    'Payment methods',
    'PayPal',
    'Buyer',
    'Sort order',
    'Order by',
    'Sender',
    'Send to back',
    'Postal code',
    'Blog post',
    'Shared',
    'Market share',
    'Exported',
    'Export as PNG',
    'Format',
    'Reset zoom',
    'Remove filter',
    'Restart later',
    'Removed',
    'Booking.com',
    'Transfer encoding',
    'Killed',
    'Reminder',
    'Trader Joe',
    'Bidirectional',
    'Terms',
    'Save',
    'Save draft',
    'Open',
    'Cancel',
    'Back',
    'Undo',
    'Find',
    'Copy',
    'Paste',
    'Print',
    'Check out the tour',
    'Git checkout',
    'Normal',
    'Dropdown',
    'Wiper blades',
    'Disagree',
    'Pay attention',
    'Submission guidelines',
  ],
  de: [
    'Gelöschte Elemente',
    'Filter entfernen',
    'Zahlenformat',
    'Zellen formatieren',
    'Zahlungsarten',
    'Bestellverlauf',
    'Absender',
    'Speichern',
    'Abbrechen',
    'Öffnen',
    'Teilnehmer',
    'Ansicht zurücksetzen',
    'Format übertragen',
    'Kaufhaus',
  ],
  fr: [
    'Éléments supprimés',
    'Supprimer le filtre',
    'Moyens de paiement',
    'Historique des achats',
    'Boîte d’envoi',
    'Enregistrer',
    'Annuler',
    'Pays',
    'Choisir le pays',
    'Partagé',
    'Payeur',
    'Redémarrer plus tard',
    'Augmenter le retrait',
  ],
  es: [
    'Elementos eliminados',
    'Quitar filtro',
    'Métodos de pago',
    'Historial de compras',
    'Guardar',
    'Guardar borrador',
    'Cancelar',
    'Configuración del sistema',
    'Remitente',
    'Carrito de la compra',
    'Compartido',
  ],
  pt: [
    'Itens excluídos',
    'Remover filtro',
    'Formas de pagamento',
    'Histórico de compras',
    'Salvar',
    'Guardar',
    'Cancelar',
    'Remetente',
    'Formatar texto',
    'Desligar som',
    'Compartilhado',
  ],
  ja: wordsOf`削除済み 最近削除した項目 フィルターを削除 購入履歴 支払い方法 送信済み 送信者 保存 キャンセル 開く 投稿者 登録済み 共有フォルダー 公開日`,
  ru: [
    'Удаленный рабочий стол',
    'Недавно удаленные',
    'Способы оплаты',
    'История покупок',
    'Сохранить',
    'Отмена',
    'Открыть',
    'Отправитель',
    'Удалить фильтр',
    'Справка',
    'Вид',
    'Настройки',
    'Перезагрузить позже',
    'Экспорт в PDF',
  ],
  uk: [
    'Нещодавно видалені',
    'Способи оплати',
    'Історія покупок',
    'Зберегти',
    'Скасувати',
    'Відкрити',
    'Відправник',
    'Видалити фільтр',
    'Довідка',
    'Вигляд',
    'Налаштування',
  ],
  zh: wordsOf`已删除 最近删除 支付方式 支付宝 购买记录 已发送 发件人 保存 取消 打开 删除线 注册表 清除格式 发布日期`,
};

/** Names that say not to. */
const NEGATED: string[] = [
  'Don’t delete',
  'Do not delete',
  'Never delete',
  'Do not permanently delete',
  'Close without deleting',
  'Undo delete',
  'Cancel deletion',
  'Undo send',
  'Stop sharing',
  "Don't send",
  'Abort upload',
  'Do not share',
  'Nicht löschen',
  'Nicht senden',
  'Rückgängig löschen',
  'Ne pas supprimer',
  'Ne pas envoyer',
  'Annuler la suppression',
  'No eliminar',
  'No enviar',
  'Cancelar la eliminación',
  'Deshacer borrar',
  'Não excluir',
  'Não enviar',
  'Cancelar exclusão',
  'Desfazer excluir',
  '削除しない',
  '送信しない',
  '削除をキャンセル',
  '削除を元に戻す',
  '送信を取り消す',
  '不删除',
  '请勿删除',
  '取消删除',
  '撤销发送',
  '不要分享',
  '停止共享给',
  'Не удалять',
  'Не отправлять',
  'Отменить удаление',
  'Не видаляти',
  'Скасувати видалення',
];

it('each language has its own hits here, and words that it shares with no other', () => {
  expect(Object.keys(HITS).toSorted()).toEqual(LANGUAGES.map(({ language }) => language).toSorted());
  expect(copies(LEXICONS)).toEqual([]);
  expect(copies({ ...LEXICONS, it: { ...LEXICONS.fr, language: 'italian' } })).toEqual(['fr = it']);
});

describe.each(LANGUAGES.map((language) => language.language))('%s', (language) => {
  const rows = Object.entries(HITS[language] ?? {}).flatMap(([tag, names]) =>
    names.map((name) => [name, tag] as const),
  );

  it.each(rows)('“%s” is %s', (name, tag) => {
    expect(tagsOf(name)).toContain(tag);
    expect(tagsOf(`  &${name}… `)).toContain(tag);
    expect(tagsOf(name.toUpperCase())).toContain(tag);
  });

  it.each(NEAR_MISSES[language] ?? [])('“%s” is nothing', (name) => {
    expect(findTagWords(name, 'name')).toEqual([]);
  });

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
  it.each(NEGATED)('“%s” is not the risk that it denies', (name) => {
    expect(tagsOf(name)).toEqual([]);
  });

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
  ])('“%s” stays %s', (name, tag) => {
    expect(tagsOf(name)).toContain(tag);
  });
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
  ])('case, accents, access keys and full-width forms: %j', (name) => {
    expect(tagsOf(name)).toEqual(['destructive']);
  });

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

  it('reads the beginning of a document, and no phrase of the data is longer than the search looks back', () => {
    expect(findTagWords('delete not '.repeat(20_000), 'sentence')).toHaveLength(1);
    for (const language of LANGUAGES)
      for (const entry of language.innocent) expect(entry.split(' ').length).toBeLessThanOrEqual(LONGEST_PHRASE);
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

  it.each([
    'Nothing will be deleted.',
    'Your files will not be deleted.',
    'Es wird nichts übernommen.',
    'Ready',
    'Ln 1, Col 1',
  ])('[risk.dialog] “%s” is nothing', (text) => {
    expect(findTagWords(text, 'sentence')).toEqual([]);
  });

  it('knows a plain yes, a no, and a question about saving in every language', () => {
    for (const name of [
      'OK',
      '&Yes',
      'Continue',
      'Ja',
      'Oui',
      'Sí',
      'Sim',
      'はい',
      '确定',
      '確定',
      'Weiter',
      'Confirmer',
      'Aceptar',
      'Avançar',
      '続行',
      'Yes, I’m sure',
    ])
      expect([name, isAffirmative(name)]).toEqual([name, true]);
    for (const name of ['Cancel', 'No', 'Delete', 'Save', 'Abbrechen', 'Annuler', 'いいえ', '取消'])
      expect([name, isAffirmative(name)]).toEqual([name, false]);
    for (const name of [
      'No',
      'Don’t Save',
      'Nein',
      'Ne pas enregistrer',
      'No guardar',
      'Não salvar',
      '保存しない',
      '不保存',
    ])
      expect([name, isRefusal(name)]).toEqual([name, true]);
    for (const text of [
      'Do you want to save changes to Untitled?',
      'Möchten Sie die Änderungen speichern?',
      'Voulez-vous enregistrer les modifications ?',
      '¿Desea guardar los cambios?',
      'Deseja salvar as alterações?',
      '変更を保存しますか？',
      '是否保存更改？',
    ])
      expect([text, asksToSave(text)]).toEqual([text, true]);
    expect(asksToSave('Saved')).toBe(false);
  });

  it('knows signs of a session and labels of secret fields in every language', () => {
    for (const text of [
      'Sign out',
      'Signed in as Ann',
      'Abmelden',
      'Déconnexion',
      'Cerrar sesión',
      'Minha conta',
      'ログアウト',
      '退出登录',
    ])
      expect([text, showsSignedIn(text)]).toEqual([text, true]);
    for (const text of [
      'Password',
      'New password',
      'Kennwort',
      'Mot de passe',
      'Contraseña',
      'Senha',
      'パスワード',
      '密码',
      'Security code (CVV)',
    ])
      expect([text, isPasswordLabel(text)]).toEqual([text, true]);
    for (const text of ['User name', 'Pinned', 'Spinner', 'Passenger'])
      expect([text, isPasswordLabel(text) || showsSignedIn(text)]).toEqual([text, false]);
  });
});
