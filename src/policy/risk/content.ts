import type { RiskTag } from '../../contract/permissions.ts';

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

/** Tags that each class carries. Credentials count as a password wherever they are typed. */
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

/** Classes whose text is a secret itself: never shown whole on a card. */
export const SECRET_CLASSES: readonly ContentClass[] = ['card_number', 'private_key', 'api_key', 'password_text'];

interface Issuer {
  readonly lengths: readonly number[];
  /** Ranges of leading digits, both ends included, of equal length. */
  readonly prefixes: ReadonlyArray<readonly [from: string, to: string]>;
}

/** Card issuers by leading digits and lengths. Source: ISO/IEC 7812 issuer ranges as the schemes publish them. */
const ISSUERS: readonly Issuer[] = [
  { lengths: [13, 16, 19], prefixes: [['4', '4']] },
  {
    lengths: [16],
    prefixes: [
      ['51', '55'],
      ['2221', '2720'],
    ],
  },
  {
    lengths: [15],
    prefixes: [
      ['34', '34'],
      ['37', '37'],
    ],
  },
  {
    lengths: [16, 17, 18, 19],
    prefixes: [
      ['6011', '6011'],
      ['644', '649'],
      ['65', '65'],
      ['60', '60'],
      ['62', '62'],
      ['81', '82'],
      ['3528', '3589'],
      ['2200', '2204'],
    ],
  },
  {
    lengths: [14, 15, 16, 17, 18, 19],
    prefixes: [
      ['300', '305'],
      ['3095', '3095'],
      ['36', '36'],
      ['38', '39'],
    ],
  },
  {
    lengths: [16, 18, 19],
    prefixes: [
      ['50', '50'],
      ['56', '58'],
      ['63', '63'],
      ['67', '67'],
    ],
  },
];

function hasIssuer(digits: string): boolean {
  return ISSUERS.some(
    (issuer) =>
      issuer.lengths.includes(digits.length) &&
      issuer.prefixes.some(([from, to]) => {
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

/** A card number anywhere in a run of digit groups: expiry and code often stand right behind it. */
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
const IBAN_LENGTHS: Readonly<Record<string, number>> = {
  AD: 24,
  AE: 23,
  AL: 28,
  AT: 20,
  AZ: 28,
  BA: 20,
  BE: 16,
  BG: 22,
  BH: 22,
  BI: 27,
  BR: 29,
  BY: 28,
  CH: 21,
  CR: 22,
  CY: 28,
  CZ: 24,
  DE: 22,
  DJ: 27,
  DK: 18,
  DO: 28,
  EE: 20,
  EG: 29,
  ES: 24,
  FI: 18,
  FK: 18,
  FO: 18,
  FR: 27,
  GB: 22,
  GE: 22,
  GI: 23,
  GL: 18,
  GR: 27,
  GT: 28,
  HN: 28,
  HR: 21,
  HU: 28,
  IE: 22,
  IL: 23,
  IQ: 23,
  IS: 26,
  IT: 27,
  JO: 30,
  KW: 30,
  KZ: 20,
  LB: 28,
  LC: 32,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  LY: 25,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MN: 20,
  MR: 27,
  MT: 31,
  MU: 30,
  NI: 28,
  NL: 18,
  NO: 15,
  OM: 23,
  PK: 24,
  PL: 28,
  PS: 29,
  PT: 25,
  QA: 29,
  RO: 24,
  RS: 22,
  RU: 33,
  SA: 24,
  SC: 31,
  SD: 18,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  SO: 23,
  ST: 25,
  SV: 28,
  TL: 23,
  TN: 24,
  TR: 26,
  UA: 29,
  VA: 22,
  VG: 24,
  XK: 20,
  YE: 30,
};

/** ISO 13616: known country, its length, and a remainder of 1 modulo 97. `text` without blanks. */
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

function hasIban(text: string): boolean {
  for (const start of text.matchAll(/(?<![A-Z0-9])([A-Z]{2})\d{2}/gi)) {
    const length = IBAN_LENGTHS[(start[1] ?? '').toUpperCase()];
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

const PRIVATE_KEYS =
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d|AGE-SECRET-KEY-1[A-Z0-9]{20}/;

/** Shapes that the makers of tokens publish so that scanners can find them. */
const TOKEN_SHAPES: readonly RegExp[] = [
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{36,}/,
  /\bgithub_pat_[A-Za-z0-9_]{22,}/,
  /\bgl(?:pat|dt|rt|ptt|soat)-[A-Za-z0-9_-]{20,}/,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/,
  /\bxapp-\d-[A-Za-z0-9-]{10,}/,
  /\bsk-(?:ant|proj|svcacct|admin|or)-[A-Za-z0-9_-]{16,}/,
  /\bsk-[A-Za-z0-9]{32,}/,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/,
  /\bwhsec_[A-Za-z0-9]{24,}/,
  /\bAIza[A-Za-z0-9_-]{35}/,
  /\bya29\.[A-Za-z0-9_-]{20,}/,
  /\bGOCSPX-[A-Za-z0-9_-]{20,}/,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/,
  /\bnpm_[A-Za-z0-9]{36}/,
  /\bpypi-AgE[A-Za-z0-9_-]{30,}/,
  /\bhf_[A-Za-z0-9]{30,}/,
  /\bdo[opr]_v1_[a-f0-9]{64}/,
  /\bdapi[a-f0-9]{32}/,
  /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/,
  /\bglsa_[A-Za-z0-9]{32}/,
  /\bxai-[A-Za-z0-9]{40,}/,
  /\bgsk_[A-Za-z0-9]{40,}/,
  /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/,
  /\b(?:AccountKey|SharedAccessKey|sig)=[A-Za-z0-9+/%]{30,}/,
  /\bBearer\s+[A-Za-z0-9._~+/-]{24,}/i,
  /\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b/,
];
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

/** Shannon entropy in bits a character. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Random text of 20 base64 characters has about 4 bits each, words of a language at most 3.5. */
const LABELLED_ENTROPY = 3;
const UNLABELLED_ENTROPY = 4.4;

function hasToken(text: string): boolean {
  if (TOKEN_SHAPES.some((shape) => shape.test(text))) return true;
  if (text.includes('://') && ADDRESS_WITH_PASSWORD.test(text)) return true;
  for (const match of text.matchAll(LABELLED_TOKEN)) if (entropy(match[1] ?? '') >= LABELLED_ENTROPY) return true;
  // Without a label: long, all three kinds of character, no structure of a path, an address or a sentence.
  for (const { 0: word, index } of text.matchAll(/[A-Za-z0-9+/_-]{36,256}={0,2}/g)) {
    const isPart = /[A-Za-z0-9+/_=.-]/.test(`${text[index - 1] ?? ' '}${text[index + word.length] ?? ' '}`);
    if (
      !isPart &&
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

/** Identity numbers that a checksum or a fixed form tells from other numbers. */
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

/** So many different mail addresses in one text are a list of people. */
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
 * Classes of what a text contains, by checksum, published shape, or entropy. The text itself is not kept.
 * Full-width digits and letters count as their plain forms.
 */
export function classifyContent(text: string): ContentClass[] {
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

/** Whether a text is a secret itself, or so near to one that it is written down by its length alone. */
export function isSecretText(text: string): boolean {
  return classifyContent(text).some((one) => SECRET_CLASSES.includes(one) || CONTENT_TAGS[one].includes('financial'));
}
