/** Classes of what typed or written text contains: numbers of cards and accounts, secrets, identity numbers, addresses. */
import type { RiskTag } from '../../../contract/gate/permissions.ts';
import ibanLengths from './iban-lengths.json' with { type: 'json' };

const PRIVATE_KEYS =
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d|AGE-SECRET-KEY-1[A-Z0-9]{20}/;

/** Formats that token issuers publish so that scanners can find them; each begins where a word does. */
const ISSUED_TOKENS: readonly RegExp[] = [
  /(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/,
  /gh[pousr]_[A-Za-z0-9]{36,}/,
  /github_pat_[A-Za-z0-9_]{22,}/,
  /gl(?:pat|dt|rt|ptt|soat)-[A-Za-z0-9_-]{20,}/,
  /xox[abeoprs]-[A-Za-z0-9-]{10,}/,
  /xapp-\d-[A-Za-z0-9-]{10,}/,
  /sk-(?:ant|proj|svcacct|admin|or)-[A-Za-z0-9_-]{16,}/,
  /sk-[A-Za-z0-9]{32,}/,
  /[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/,
  /whsec_[A-Za-z0-9]{24,}/,
  /AIza[A-Za-z0-9_-]{35}/,
  /ya29\.[A-Za-z0-9_-]{20,}/,
  /GOCSPX-[A-Za-z0-9_-]{20,}/,
  /SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/,
  /npm_[A-Za-z0-9]{36}/,
  /pypi-AgE[A-Za-z0-9_-]{30,}/,
  /hf_[A-Za-z0-9]{30,}/,
  /do[opr]_v1_[a-f0-9]{64}/,
  /dapi[a-f0-9]{32}/,
  /shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/,
  /glsa_[A-Za-z0-9]{32}/,
  /xai-[A-Za-z0-9]{40,}/,
  /gsk_[A-Za-z0-9]{40,}/,
  /eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/,
  /(?:AccountKey|SharedAccessKey|sig)=[A-Za-z0-9+/%]{30,}/,
  /\d{8,10}:AA[A-Za-z0-9_-]{33}\b/,
];
/** All of them in one expression: a long text is searched once. */
const ISSUED_TOKEN = new RegExp(`\\b(?:${ISSUED_TOKENS.map(({ source }) => source).join('|')})`);
const BEARER_TOKEN = /\bBearer\s+[A-Za-z0-9._~+/-]{24,}/i;
/** A password inside an address. */
const ADDRESS_WITH_PASSWORD = /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{1,64}:[^\s/@]{3,128}@/i;

const LABELLED_TOKEN =
  /(?:api[ _-]?key|access[ _-]?key|secret|token|auth|credential|private[ _-]?key|client[ _-]?secret)["']?\s*[:=]\s*["']?([A-Za-z0-9+/=_.~-]{16,})/gi;
const PASSWORD_WORDS = [
  'passw(?:or)?d',
  'passphrase',
  'pwd',
  'passwort',
  'kennwort',
  'contrase(?:n|ñ)a',
  'clave',
  'mot de passe',
  'senha',
  'パスワード',
  '暗証番号',
  '密码',
  '密碼',
  '口令',
];
const MEANS = ['[:=：]', 'is', 'ist', 'est', 'es', 'は', '是'];
const PASSWORD_TEXT = new RegExp(
  `(?:${PASSWORD_WORDS.join('|')})["']?\\s*(?:${MEANS.join('|')})\\s*["']?[^\\s"']{4,}`,
  'i',
);

/** Not a part of a longer word. */
const UNLABELLED_TOKEN = /(?<![A-Za-z0-9+/_=.-])[A-Za-z0-9+/_-]{36,256}={0,2}(?![A-Za-z0-9+/_=.-])/g;
const TOKEN_LENGTH = 36;
/** By character code, what a token without a label is made of. */
const OF_TOKEN = Uint8Array.from({ length: 128 }, (_each, code) =>
  /[A-Za-z0-9+/_-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Whether there is such a word at all: most of a long text is skipped, which the expression reads letter by letter. */
function hasLongWord(text: string): boolean {
  for (let end = TOKEN_LENGTH - 1; end < text.length;) {
    let length = 0;
    while (length < TOKEN_LENGTH && OF_TOKEN[text.charCodeAt(end - length)] === 1) length += 1;
    if (length === TOKEN_LENGTH) return true;
    // A word of that length begins after the first letter outside it.
    end += TOKEN_LENGTH - length;
  }
  return false;
}

/** Shannon entropy in bits per character. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Random text of 20 base64 characters has about 4 bits each, natural language at most 3.5. */
const LABELLED_ENTROPY = 3;
const UNLABELLED_ENTROPY = 4.4;

function hasToken(text: string): boolean {
  if (ISSUED_TOKEN.test(text) || BEARER_TOKEN.test(text)) return true;
  if (text.includes('://') && ADDRESS_WITH_PASSWORD.test(text)) return true;
  for (const match of text.matchAll(LABELLED_TOKEN)) if (entropy(match[1] ?? '') >= LABELLED_ENTROPY) return true;
  if (!hasLongWord(text)) return false;
  // Without a label: long, all three kinds of character, not structured like a path, an address or a sentence.
  for (const { 0: word } of text.matchAll(UNLABELLED_TOKEN)) {
    if (
      /[a-z]/.test(word) &&
      /[A-Z]/.test(word) &&
      /\d/.test(word) &&
      (word.match(/[/_-]/g)?.length ?? 0) <= 3 &&
      entropy(word) >= UNLABELLED_ENTROPY
    )
      return true;
  }
  return false;
}

/** Card issuers by lengths and ranges of leading digits. Source: ISO/IEC 7812 issuer ranges as the schemes publish them. */
const ISSUERS = (
  [
    ['13 16 19', '4'],
    ['16', '51-55 2221-2720'],
    ['15', '34 37'],
    ['16 17 18 19', '6011 644-649 65 60 62 81-82 3528-3589 2200-2204'],
    ['14 15 16 17 18 19', '300-305 3095 36 38-39'],
    ['16 18 19', '50 56-58 63 67'],
  ] as const
).map(([lengths, prefixes]) => ({
  lengths: lengths.split(' ').map(Number),
  prefixes: prefixes.split(' ').map((range) => range.split('-')),
}));

function hasIssuer(digits: string): boolean {
  return ISSUERS.some(
    (issuer) =>
      issuer.lengths.includes(digits.length) &&
      issuer.prefixes.some(([from = '', to = from]) => {
        const head = digits.slice(0, from.length);
        return head >= from && head <= to;
      }),
  );
}

/** Check digit of ISO/IEC 7812 (Luhn). */
export function isLuhnValid(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

export function isCardNumber(digits: string): boolean {
  return hasIssuer(digits) && isLuhnValid(digits) && !/^(\d)\1+$/.test(digits);
}

/** A card number anywhere in a run of digit groups: expiry date and code often follow directly. */
function hasCardNumber(text: string): boolean {
  for (const run of text.matchAll(/\d(?:[ \-.]?\d){11,40}/g)) {
    const groups = run[0].split(/[ \-.]/);
    for (let from = 0; from < groups.length; from++) {
      let digits = '';
      for (let to = from; to < groups.length && digits.length < 19; to++) {
        digits += groups[to];
        if (digits.length >= 13 && digits.length <= 19 && isCardNumber(digits)) return true;
      }
    }
  }
  return false;
}

/** Length of an IBAN by country. Source: SWIFT IBAN registry. */
const IBAN_LENGTHS: Readonly<Record<string, number>> = ibanLengths;

/** ISO 13616: known country, its length, and a remainder of 1 modulo 97. `text` contains no blanks. */
export function isIban(text: string): boolean {
  const iban = text.toUpperCase();
  if (IBAN_LENGTHS[iban.slice(0, 2)] !== iban.length || !/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(iban)) return false;
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = character >= 'A' ? character.charCodeAt(0) - 55 : character.charCodeAt(0) - 48;
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/** Only for known countries: any two letters and two digits would be found in most cells of a sheet. */
const IBAN_START = new RegExp(`(?<![A-Z0-9])(?:${Object.keys(IBAN_LENGTHS).join('|')})\\d{2}`, 'gi');

function hasIban(text: string): boolean {
  for (const start of text.matchAll(IBAN_START)) {
    const length = IBAN_LENGTHS[start[0].slice(0, 2).toUpperCase()];
    if (length === undefined) continue;
    // Groups of four with blanks or dashes between them.
    const compact = text
      .slice(start.index, start.index + length * 2)
      .replace(/[ -]/g, '')
      .slice(0, length);
    if (isIban(compact)) return true;
  }
  return false;
}

function isChineseResidentId(id: string): boolean {
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
  const sum = weights.reduce((total, weight, index) => total + weight * Number(id[index]), 0);
  return '10X98765432'[sum % 11] === id[17]?.toUpperCase();
}

function isBrazilianCpf(id: string): boolean {
  const digits = id.replace(/\D/g, '');
  if (digits.length !== 11 || /^(\d)\1+$/.test(digits)) return false;
  const check = (length: number): number => {
    let sum = 0;
    for (let index = 0; index < length; index++) sum += Number(digits[index]) * (length + 1 - index);
    return ((sum * 10) % 11) % 10;
  };
  return check(9) === Number(digits[9]) && check(10) === Number(digits[10]);
}

function isFrenchNir(id: string): boolean {
  const compact = id.replace(/[ .]/g, '').toUpperCase().replace('2A', '19').replace('2B', '18');
  return compact.length === 15 && 97 - (Number(compact.slice(0, 13)) % 97) === Number(compact.slice(13));
}

/** Identity numbers that a checksum or a fixed form distinguishes from other numbers. */
function hasNationalId(text: string): boolean {
  const any = (pattern: RegExp, isValid: (id: string) => boolean): boolean =>
    [...text.matchAll(pattern)].some(([id]) => isValid(id));
  return (
    /(?<![\d-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])/.test(text) ||
    any(
      /(?<!\d)[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?![\dA-Za-z])/g,
      isChineseResidentId,
    ) ||
    any(/(?<!\d)\d{3}\.\d{3}\.\d{3}-\d{2}(?!\d)/g, isBrazilianCpf) ||
    any(
      /(?<!\d)[12][ .]?\d{2}[ .]?(?:0[1-9]|1[0-2])[ .]?(?:\d{2}|2[ABab])[ .]?\d{3}[ .]?\d{3}[ .]?\d{2}(?!\d)/g,
      isFrenchNir,
    ) ||
    any(
      /(?<![\dA-Za-z])\d{8}-?[A-HJ-NP-TV-Z](?![\dA-Za-z])/gi,
      (id) => 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(id.slice(0, 8)) % 23] === id.at(-1)?.toUpperCase(),
    )
  );
}

/** What typed or written text contains. */
export type ContentClass =
  | 'card_number'
  | 'bank_account'
  | 'crypto_address'
  | 'private_key'
  | 'api_key'
  | 'password_text'
  | 'national_id'
  | 'address_list';

/** The tags of each class. Credentials count as a password wherever they are typed. */
export const CONTENT_TAGS: Readonly<Record<ContentClass, readonly RiskTag[]>> = {
  card_number: ['financial'],
  bank_account: ['financial'],
  crypto_address: ['financial'],
  private_key: ['password', 'pii_export'],
  api_key: ['password', 'pii_export'],
  password_text: ['password'],
  national_id: ['pii_export'],
  address_list: ['pii_export'],
};

/** Classes whose text is itself a secret: a card never shows it in full. */
export const SECRET_CLASSES: readonly ContentClass[] = ['card_number', 'private_key', 'api_key', 'password_text'];

/** This many different mail addresses in one text make it a list of people. */
const ADDRESS_LIST_SIZE = 5;

function hasAddressList(text: string): boolean {
  if (text.split('@', ADDRESS_LIST_SIZE + 1).length <= ADDRESS_LIST_SIZE) return false;
  const found = new Set<string>();
  for (const [address] of text.matchAll(/[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4}/g)) {
    found.add(address.toLowerCase());
    if (found.size >= ADDRESS_LIST_SIZE) return true;
  }
  return false;
}

const CRYPTO_ADDRESS =
  /(?<![A-Za-z0-9])(?:0x[a-fA-F0-9]{40}|(?:bc1|tb1)[ac-hj-np-z02-9]{25,62}|[13][1-9A-HJ-NP-Za-km-z]{33}|T[1-9A-HJ-NP-Za-km-z]{33}|4[0-9AB][1-9A-HJ-NP-Za-km-z]{93})(?![A-Za-z0-9])/;

/**
 * Classes of what a text contains, by checksum, published format, or entropy. The text itself is not kept.
 * Full-width digits and letters count as their plain forms.
 */
export function classifyContent(text: string): readonly ContentClass[] {
  if (text.length < 6) return [];
  const plain = text
    .normalize('NFKC')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u00a0\u2007\u202f]/g, ' ');
  const found: ContentClass[] = [];
  if (hasCardNumber(plain)) found.push('card_number');
  if (hasIban(plain)) found.push('bank_account');
  if (CRYPTO_ADDRESS.test(plain)) found.push('crypto_address');
  if (PRIVATE_KEYS.test(plain)) found.push('private_key');
  if (hasToken(plain)) found.push('api_key');
  if (PASSWORD_TEXT.test(plain)) found.push('password_text');
  if (hasNationalId(plain)) found.push('national_id');
  if (hasAddressList(plain)) found.push('address_list');
  return found;
}

/** Whether a text is a secret, or so similar to a secret that only its length is recorded. */
export function isSecretText(text: string): boolean {
  return classifyContent(text).some((one) => SECRET_CLASSES.includes(one) || CONTENT_TAGS[one].includes('financial'));
}
