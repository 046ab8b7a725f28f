/** Arguments as models write them: what means the same as a valid input. */
type Habit = (value: unknown) => unknown;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const eachOf = (value: unknown, habit: Habit): unknown =>
  Array.isArray(value)
    ? value.map((each) => eachOf(each, habit))
    : isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, eachOf(each, habit)]))
      : habit(value);

const asText: Habit = (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value);

const nestedAsText = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      typeof each === 'object' && each !== null ? JSON.stringify(each) : each,
    ]),
  );

/** An input with numbers and booleans as texts, with lists and objects as JSON texts, with both, and as one JSON text. */
export function habitsOf(input: object): unknown[] {
  const texts = eachOf(input, asText) as Record<string, unknown>;
  return [texts, nestedAsText({ ...input }), nestedAsText(texts), JSON.stringify(input)];
}

/** The same with null, and with an empty text, for fields that are left out. */
export const leavingOut = (input: object, ...names: string[]): object[] =>
  [null, ''].map((value) => ({ ...Object.fromEntries(names.map((name) => [name, value])), ...input }));
