/** Documents with parts that are JSON already, so that these need not be parsed to be written again. */

/** A value as its JSON. */
export class RawJson {
  readonly text: string;

  /** @param text valid JSON */
  constructor(text: string) {
    this.text = text;
  }
}

/** The JSON of an object whose members may be RawJson. */
export function jsonOf(members: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(members).flatMap(([key, value]) => {
    const json = value instanceof RawJson ? value.text : JSON.stringify(value);
    // As in JSON.stringify, undefined members are left out.
    return json === undefined ? [] : `${JSON.stringify(key)}:${json}`;
  });
  return `{${parts.join()}}`;
}
