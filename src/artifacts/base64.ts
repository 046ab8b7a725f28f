/** Decodes strict base64 (RFC 4648 section 4): standard alphabet and padding, no blanks, no stray bits; null for anything else. */
export function decodeBase64(text: string): Buffer | null {
  if (text.length === 0 || text.length % 4 !== 0) return null;
  const bytes = Buffer.from(text, 'base64');
  // Node's decoder accepts almost anything; encoding the result again shows whether the text was strict.
  return bytes.length === decodedLength(text) && bytes.toString('base64') === text ? bytes : null;
}

/** Number of bytes that a base64 text encodes, without decoding it. */
export function decodedLength(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}
