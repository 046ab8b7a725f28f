/** The schema of an error as every interface answers it. */
import { z } from 'zod';
import { DELIVERIES, ERROR_CODES, type Problem as ProblemFields } from './errors.ts';

const Candidate = z.strictObject({
  ref: z.string().optional(),
  hwnd: z.string().optional(),
  role: z.string().optional(),
  name: z.string().optional(),
  automationId: z.string().optional(),
  title: z.string().optional(),
});

/**
 * The schema of an error in an answer. In a separate file from the table, so that the worker and the store load no
 * schemas.
 */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(ERROR_CODES),
  retryable: z.boolean(),
  delivery: z.enum(DELIVERIES),
  hint: z.string(),
  actionId: z.string().optional(),
  candidates: z.array(Candidate).optional(),
  suggestions: z.array(z.string()).optional(),
  partialResult: z.unknown().optional(),
}) satisfies z.ZodType<ProblemFields>;
export type Problem = ProblemFields;
