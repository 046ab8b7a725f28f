/** Whether texts of several languages were translated. */

/** Neighbours such as Portuguese and Spanish share a sixth of their words, Russian and Ukrainian an eighth of their texts. */
const MOST_SHARED = 0.3;

const textsOf = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(Object(value) as object).flatMap(textsOf);

/** The pairs of languages that share too many of their texts, as `fr = it`. */
export function copies(languages: Readonly<Record<string, object>>): string[] {
  const all = Object.entries(languages).map(([code, words]) => ({ code, texts: new Set(textsOf(words)) }));
  return all.flatMap((one, index) =>
    all
      .slice(index + 1)
      .filter(({ texts }) => [...one.texts].filter((text) => texts.has(text)).length > MOST_SHARED * one.texts.size)
      .map(({ code }) => `${one.code} = ${code}`),
  );
}
