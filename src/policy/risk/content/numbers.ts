/** Numbers of payment cards, bank accounts and persons, by their published ranges, forms and check digits. */
import ibanLengths from './iban-lengths.json' with { type: 'json' };

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

/** A card number anywhere in a run of digit groups: expiry date and code often follow directly. */
export function hasCardNumber(text: string): boolean {
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

export function hasIban(text: string): boolean {
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
export function hasNationalId(text: string): boolean {
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
