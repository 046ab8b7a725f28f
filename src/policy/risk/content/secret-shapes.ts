/** Finds private keys, access tokens and passwords by published format, label or entropy. */

export const PRIVATE_KEYS =
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
export const PASSWORD_TEXT = new RegExp(
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

export function hasToken(text: string): boolean {
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
