/** Classes of what typed or written text contains: numbers of cards and accounts, secrets, identity numbers, addresses. */
import type { RiskTag } from '../../../contract/gate/permissions.ts';
import { hasCardNumber, hasIban, hasNationalId } from './numbers.ts';
import { PASSWORD_TEXT, PRIVATE_KEYS, hasToken } from './secret-shapes.ts';

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
