/** GUIDs: 16 bytes in memory, with the first three groups little-endian. */

/** The bytes of `'30cbe57d-d9d0-452a-ab13-7ac5ac4825ee'`, with or without braces. */
export function guid(text: string): Buffer {
  const hex = text.replace(/[{}-]/g, '');
  if (!/^[0-9a-fA-F]{32}$/.test(hex))
    throw new TypeError(`${JSON.stringify(text)} is not a GUID: 32 hexadecimal digits are needed.`);
  const bytes = Buffer.from(hex, 'hex');
  bytes.subarray(0, 4).reverse();
  bytes.subarray(4, 6).reverse();
  bytes.subarray(6, 8).reverse();
  return bytes;
}

/** The text of 16 bytes, lower case and without braces. */
export function guidText(bytes: Uint8Array, at = 0): string {
  const b = Buffer.from(bytes.subarray(at, at + 16));
  b.subarray(0, 4).reverse();
  b.subarray(4, 6).reverse();
  b.subarray(6, 8).reverse();
  const hex = b.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
