/** A part of a document that is JSON text already, so that it need not be read to be written again. */

export class JsonText {
  readonly text: string;

  /** @param text valid JSON */
  constructor(text: string) {
    this.text = text;
  }
}

/** The JSON of an object whose members may be JSON text. */
export function jsonOf(members: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(members).flatMap(([key, value]) => {
    const json = value instanceof JsonText ? value.text : JSON.stringify(value);
    // What JSON has no word for is left out, as JSON.stringify does.
    return json === undefined ? [] : `${JSON.stringify(key)}:${json}`;
  });
  return `{${parts.join()}}`;
}
