/** JSON that is there already: it is put into documents without being parsed, and made once of lists that do not change. */

/** A value as its JSON. */
export class RawJson {
  readonly text: string;

  /** @param text valid JSON */
  constructor(text: string) {
    this.text = text;
  }
}

const kept = new WeakMap<object, string>();

/** The JSON of a large list that never changes; made once, as long as the list lives. */
export function keptJson(list: readonly unknown[]): string {
  const known = kept.get(list);
  if (known !== undefined) return known;
  const text = JSON.stringify(list);
  kept.set(list, text);
  return text;
}

/** JSON.stringify of something that is not undefined; what `keptJson` has made is not made again. */
export const jsonTextOf = (value: unknown): string =>
  (typeof value === 'object' && value !== null ? kept.get(value) : undefined) ?? JSON.stringify(value);

/** The JSON of an object whose members may be RawJson. */
export function jsonOf(members: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(members).flatMap(([key, value]) => {
    const json = value instanceof RawJson ? value.text : JSON.stringify(value);
    // As in JSON.stringify, undefined members are left out.
    return json === undefined ? [] : `${JSON.stringify(key)}:${json}`;
  });
  return `{${parts.join()}}`;
}
