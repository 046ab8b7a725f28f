/** Which inputs of an action are content: every text that its definition does not mark as plain. */
import { z } from 'zod';

type Fields = Readonly<Record<string, unknown>>;

interface InputMark {
  /** Whether a text is content, given the fields next to it. Several texts are judged together, with spaces between. */
  readonly isContent: boolean | ((text: string, beside: Fields) => boolean);
  /** The field next to it that names the action whose input this is. */
  readonly inputOf?: string;
}

/** A registry of its own, so that no mark appears in a JSON schema. */
const marks = z.registry<InputMark>();

function marked<T extends z.ZodType>(schema: T, mark: InputMark): T {
  marks.add(schema, mark);
  return schema;
}

/** What the caller targets and requests, never what it types: recorded unchanged. */
export const plain = <T extends z.ZodType>(schema: T): T => marked(schema, { isContent: false });

/** Written into the target, numbers included: recorded as a count and one hash. */
export const content = <T extends z.ZodType>(schema: T): T => marked(schema, { isContent: true });

/** Keys: recorded unless they type characters. `areKeys`: whether the fields next to it make it keys and not text. */
export const keys = <T extends z.ZodType>(schema: T, areKeys: (beside: Fields) => boolean = () => true): T =>
  marked(schema, {
    isContent: (text, beside) => !areKeys(beside) || text.split(/\s+/).some(typesCharacter),
  });

/** The input of the action that the field `name` next to it names. */
export const inputOf = <T extends z.ZodType>(schema: T, name: string): T =>
  marked(schema, { isContent: true, inputOf: name });

const COMMAND_KEYS = ['ctrl', 'control', 'alt', 'option', 'win', 'meta', 'super', 'cmd', 'command'];

/** A chord that types a character: a single key, alone or with shift. */
function typesCharacter(chord: string): boolean {
  const parts = chord
    .toLowerCase()
    .split('+')
    .filter((part) => part !== '');
  const holdsCommand = parts.some((part) => COMMAND_KEYS.some((name) => part.endsWith(name)));
  return (
    !holdsCommand &&
    parts.some(
      (part) => [...part].length === 1 || part === 'plus' || part === 'space' || /^(num|numpad)[0-9]$/.test(part),
    )
  );
}

/** A schema without what makes it optional, and its mark. */
function opened(schema: z.ZodType): { readonly schema: z.ZodType; readonly mark: InputMark | undefined } {
  let inner = schema;
  let mark = marks.get(inner);
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodNullable) {
    inner = inner.unwrap() as z.ZodType;
    mark ??= marks.get(inner);
  }
  return { schema: inner, mark };
}

/** Admits only words and numbers that it lists itself, or numbers. */
const isClosed = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodEnum ||
  schema instanceof z.ZodLiteral ||
  schema instanceof z.ZodNumber ||
  (schema instanceof z.ZodUnion && schema.options.every((option) => isClosed(option as z.ZodType)));

/** The schema of a field of an object, or of an array’s items; null where none is declared. */
export function partOf(whole: z.ZodType | null, key: string): z.ZodType | null {
  if (whole === null) return null;
  const { schema } = opened(whole);
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType;
  return schema instanceof z.ZodObject && Object.hasOwn(schema.shape, key) ? (schema.shape[key] as z.ZodType) : null;
}

/** The name of the action whose input a value is, by a field next to it; null for anything else. */
export function actionIn(schema: z.ZodType | null, beside: Fields): string | null {
  const name = schema === null ? undefined : opened(schema).mark?.inputOf;
  const action = name === undefined ? null : beside[name];
  return typeof action === 'string' ? action : null;
}

/**
 * Whether a value is content: what its schema does not admit, and what it admits without a mark. For an object or array
 * without a mark of its own, null: its parts decide.
 */
export function isContent(schema: z.ZodType | null, value: unknown, beside: Fields): boolean | null {
  if (schema === null) return true;
  const { schema: inner, mark } = opened(schema);
  if (mark === undefined && (inner instanceof z.ZodObject || inner instanceof z.ZodArray)) return null;
  if (mark === undefined && !isClosed(inner)) return true;
  if (!schema.safeParse(value).success) return true;
  if (typeof mark?.isContent !== 'function') return mark?.isContent === true;
  return mark.isContent(Array.isArray(value) ? value.join(' ') : String(value), beside);
}
