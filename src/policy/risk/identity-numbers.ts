/** National identity numbers, by checksum or fixed form. */

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
