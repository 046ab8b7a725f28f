/** A schema that is asked last: for inputs of thousands of small parts. */
import type { z } from 'zod';

/**
 * The same schema, which now takes what `isRight` accepts unchanged. All else gets its whole check, which also finds the words for
 * what is wrong. `isRight` must accept nothing that the schema refuses or changes. Clones of the schema lack it.
 */
export function withQuickCheck<S extends z.ZodType>(schema: S, isRight: (value: unknown) => boolean): S {
  const { _zod: internals } = schema;
  const check = internals.run;
  internals.run = (payload, context) => (isRight(payload.value) ? payload : check(payload, context));
  return schema;
}
