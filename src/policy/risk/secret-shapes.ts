/** Finds private keys, access tokens and passwords by published format, label or entropy. */

export const PRIVATE_KEYS =
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d|AGE-SECRET-KEY-1[A-Z0-9]{20}/;

/** Formats that token issuers publish so that scanners can find them. */
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
export const PASSWORD_TEXT = new RegExp(
  `(?:${PASSWORD_WORDS.join('|')})["']?\\s*(?:${MEANS.join('|')})\\s*["']?[^\\s"']{4,}`,
  'i',
);

/** Not a part of a longer word. Tried at the beginning of a word only: at each of its characters it takes twenty times as long. */
const UNLABELLED_TOKEN = /(?<![A-Za-z0-9+/_=.-])[A-Za-z0-9+/_-]{36,256}={0,2}(?![A-Za-z0-9+/_=.-])/g;

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
  if (TOKEN_SHAPES.some((shape) => shape.test(text))) return true;
  if (text.includes('://') && ADDRESS_WITH_PASSWORD.test(text)) return true;
  for (const match of text.matchAll(LABELLED_TOKEN)) if (entropy(match[1] ?? '') >= LABELLED_ENTROPY) return true;
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
