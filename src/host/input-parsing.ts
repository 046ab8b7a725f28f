import type { z } from 'zod';
import { UiaHostError } from '../contract/errors.ts';

/** Parses an action's input. Errors: invalid_argument that names the field, what was expected and what came. */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown, what: string): z.output<S> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw invalidInput(parsed.error, what);
}

/** The error for what zod found. */
export function invalidInput(error: z.ZodError, what: string): UiaHostError {
  const parts = error.issues.slice(0, 5).map((issue) => {
    const path = issue.path.map(String).join('.');
    return path === '' ? issue.message : `${path}: ${issue.message}`;
  });
  const more = error.issues.length > 5 ? ` (and ${error.issues.length - 5} more)` : '';
  return new UiaHostError('invalid_argument', `${what}: ${parts.join('; ')}${more}`);
}
