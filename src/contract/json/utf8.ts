/** Bytes as text, by the one rule of every face: UTF-8 alone, and a byte order mark at the beginning is left out. */
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Null for bytes that are not UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
