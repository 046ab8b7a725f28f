/** The result of an action: its effect, the way it was delivered by, and the evidence. */
import { z } from 'zod';
import { RiskLevel, RiskTag } from './gate/permissions.ts';

/** `confirmed` only with evidence. */
export const EffectSeen = z.enum(['confirmed', 'unverified', 'none', 'pending_modal']);
export type EffectSeen = z.infer<typeof EffectSeen>;

/**
 * How the action was delivered. `none` for actions that deliver nothing; `batch` if the steps of a batch used different
 * ways, which each step names.
 */
export const DeliveryWay = z.enum([
  'none',
  'uia-invoke',
  'uia-toggle',
  'uia-selection-item',
  'uia-expand-collapse',
  'uia-value',
  'uia-range-value',
  'uia-scroll',
  'uia-scroll-item',
  'uia-window',
  'uia-text',
  'uia-context-menu',
  'uia-focus',
  'legacy-accessible',
  'msaa',
  'message',
  'posted',
  'attached',
  'console',
  'input',
  'clipboard',
  'object-model',
  'win32',
  'batch',
]);
export type DeliveryWay = z.infer<typeof DeliveryWay>;

export const Evidence = z.strictObject({
  /**
   * What was looked at: value, text, toggle, selection, focus, window, foreground, rect, screen, …; for a picture the
   * rectangle that differs, never what it shows.
   */
  kind: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  /** Role and name of the element where it was seen, if that is not the target itself. */
  element: z.string().optional(),
});
export type Evidence = z.infer<typeof Evidence>;

export const Attempt = z.strictObject({
  rung: DeliveryWay,
  result: z.enum(['delivered', 'refused', 'failed', 'not_applicable']),
  reason: z.string(),
});
export type Attempt = z.infer<typeof Attempt>;

/** What an action did, as far as it is known. */
export const Outcome = z.strictObject({
  effect: EffectSeen,
  delivery: DeliveryWay,
  evidence: z.array(Evidence),
  attempts: z.array(Attempt),
  /** True when the foreground window changed during the action. */
  focusChanged: z.boolean(),
  /** True when the mouse cursor moved during the action. */
  cursorMoved: z.boolean(),
  /** For typed text: the read value equals the text, equals it after the control's own normalisation, or does not. */
  readBack: z.enum(['verified', 'normalised', 'mismatch']).optional(),
  /** Facts specific to one kind of action: a new window's hwnd, the prompt, the rectangle obtained. */
  details: z.record(z.string(), z.unknown()).optional(),
});
export type Outcome = z.infer<typeof Outcome>;

export const DecisionResult = z.enum(['execute', 'review', 'approve', 'block']);
export type DecisionResult = z.infer<typeof DecisionResult>;

export const Decision = z.strictObject({
  result: DecisionResult,
  riskLevel: RiskLevel,
  riskTags: z.array(RiskTag),
  approvalId: z.string().nullable(),
});
export type Decision = z.infer<typeof Decision>;

/** What changed in the window since an observation, in lines of its accessibility text. */
export const Changes = z.strictObject({
  since: z.string().describe('The observation that it is compared with.'),
  lines: z.array(z.string()).describe('Lines with + (new), ~ (changed) or - (gone); none where nothing changed.'),
  complete: z.boolean().describe('False: more changed than is listed; take a snapshot.'),
  untrusted: z.literal(true).describe('Names and values come from other programs.'),
});
export type Changes = z.infer<typeof Changes>;

export const ActionResult = z.strictObject({
  action: z.string(),
  actionId: z.string(),
  value: z.unknown(),
  outcome: Outcome,
  decision: Decision,
  durationMs: z.number(),
  changes: Changes.optional().describe('Where the call asked for it and the session had taken a snapshot.'),
});
export type ActionResult = z.infer<typeof ActionResult>;

/** The outcome of an action that only read. */
export function looked(): Outcome {
  return { effect: 'none', delivery: 'none', evidence: [], attempts: [], focusChanged: false, cursorMoved: false };
}

/** Evidence and details that hold texts of the window. */
const OF_WINDOW =
  /^(?:text|value|title|element|cells|selection|screen|window-opened|later|newWindow|prompt|dialog|on|target)$/;

/** Whether an answer tells what another program wrote, beyond the words of the call itself. */
export function tellsText({ evidence, details = {} }: Pick<Outcome, 'evidence' | 'details'>, own: unknown): boolean {
  const said = JSON.stringify(own ?? null).toLowerCase();
  const isNews = (value: unknown): boolean =>
    typeof value === 'string'
      ? value.trim() !== '' && !said.includes(JSON.stringify(value).slice(1, -1).toLowerCase())
      : typeof value === 'object' &&
        value !== null &&
        Object.entries(value).some(([field, each]) => field !== 'role' && field !== 'ref' && isNews(each));
  const told = [...evidence.map(({ kind, before, after }) => [kind, [before, after]]), ...Object.entries(details)];
  return told.some(([kind, value]) => OF_WINDOW.test(String(kind)) && isNews(value));
}

/** Whether it did more than read. */
export const hasActed = ({ effect, delivery }: Outcome): boolean => effect !== 'none' || delivery !== 'none';

/** Facts of an outcome that say no more than the call did, or than another: `later` has a second name. */
const PLAIN_DETAILS = /^(?:by|changedSinceTyped|characters|compared|on|quietMs|waitedMs)$/;

/** What an answer has to tell of an outcome's details. */
export const toldDetails = ({ details = {} }: Pick<Outcome, 'details'>): ReadonlyArray<[string, unknown]> =>
  Object.entries(details).filter(([name]) => !PLAIN_DETAILS.test(name));

/**
 * The ways that a reader has to know of: each that delivered nothing, and, where a field holds another text than was typed, how it
 * was typed, with the field's own rule.
 */
export const triedOf = ({ attempts, readBack }: Outcome): string[] =>
  attempts
    .filter(({ result }) => result !== 'delivered' || readBack === 'mismatch')
    .map(({ rung, reason }) => `${rung}: ${reason}`);

/**
 * The outcome of a batch. Steps that only read do not count. `confirmed` if every step that acted is, `pending_modal`
 * if the last one is, `none` if all are, else `unverified`. Evidence and attempts are reported with the steps; this one
 * lists each step's effect.
 */
export function sumOfSteps(steps: readonly Outcome[]): Outcome {
  const acting = steps.filter(hasActed);
  const ways = new Set(acting.map(({ delivery }) => delivery));
  const [way = 'none'] = ways;
  return {
    ...looked(),
    effect: effectOfAll(acting),
    delivery: ways.size > 1 ? 'batch' : way,
    evidence: acting.length === 0 ? [] : [{ kind: 'steps', before: null, after: steps.map(({ effect }) => effect) }],
    focusChanged: steps.some(({ focusChanged }) => focusChanged),
    cursorMoved: steps.some(({ cursorMoved }) => cursorMoved),
  };
}

function effectOfAll(acting: readonly Outcome[]): EffectSeen {
  const last = acting.at(-1);
  if (last === undefined) return 'none';
  if (last.effect === 'pending_modal') return 'pending_modal';
  return acting.every(({ effect }) => effect === last.effect) ? last.effect : 'unverified';
}
