/**
 * What an action changed in its window, reported with its answer, so that a caller need not look again: the lines of a snapshot
 * that differ from the last that this session took.
 */
import { z } from 'zod';
import { jsonText } from '../../contract/json/quoted.ts';
import { hasActed, type ActionResult, type Changes } from '../../contract/outcome.ts';
import { type Caller, ownerOf } from './caller.ts';
import type { CatalogEntry, Host } from './host.ts';
import { remember } from './remember.ts';

/** `delta`: the changed lines come with the answer. `none`: they do not. */
export const Observe = z.enum(['delta', 'none']);
export type Observe = z.output<typeof Observe>;

/** Whether an action can have changed what a window shows. */
export const isObservable = (entry: Pick<CatalogEntry, 'effect'>): boolean => entry.effect === 'input';

/** About 80 tokens at 4 bytes each: a changed value or two, or what a dialog asks. */
const MAX_BYTES = 320;
/** A window that does not answer must not hold up the answer for longer. */
const LOOK_WITHIN_MS = 2000;
const KEPT_SESSIONS = 100;

/** Nothing was looked at before that it can be compared with. */
const UNKNOWN: Changes = { since: '', lines: [], complete: false, untrusted: true };

const byHost = new WeakMap<object, ChangeReports>();

/** One for a host, whichever face a call comes through: a session may use several. */
export function changeReportsOf(host: Pick<Host, 'runner'>): ChangeReports {
  const present = byHost.get(host);
  if (present !== undefined) return present;
  const made = new ChangeReports(host);
  byHost.set(host, made);
  return made;
}

/** Compares each session's window with the last snapshot that the session took. */
class ChangeReports {
  readonly #host: Pick<Host, 'runner'>;
  /** The observation to compare with, by token and session. */
  readonly #lastLooks = new Map<string, string>();

  constructor(host: Pick<Host, 'runner'>) {
    this.#host = host;
  }

  /**
   * The result; with `delta`, and where the session has taken a snapshot, also what changed since. Never fails: without an
   * answer in time, or an earlier look, they are unknown, and the action's own result counts.
   */
  async withChanges(caller: Caller, result: ActionResult, observe: Observe, input?: unknown): Promise<ActionResult> {
    const key = JSON.stringify([ownerOf(caller), caller.window]);
    const looked = observationOf(result);
    if (looked !== null) this.#keep(key, looked);
    if (BINDING.has(result.action)) this.#lastLooks.delete(key);
    const since = this.#lastLooks.get(key);
    if (observe === 'none') return result;
    // What the next answer is compared with: the window's turn comes before the next action's.
    if (since === undefined && result.action === 'find')
      void this.#look(caller, { form: 'brief' }).then(
        ({ observationId }) => void (this.#lastLooks.has(key) || this.#keep(key, observationId)),
        () => {},
      );
    if (!hasActed(result.outcome)) return result;
    if (since === undefined) return BINDING.has(result.action) ? result : { ...result, changes: UNKNOWN };
    try {
      const seen = await this.#look(caller, { since });
      const { lines, isWhole } = firstLines(withoutEcho(seen.accessibilityText, result, input));
      const complete = isWhole && !seen.partial;
      // What did not fit or was not read is in the next difference, too: it is compared with the same look as before.
      if (complete) this.#keep(key, seen.observationId);
      const changes: Changes = { since, lines, complete, untrusted: true };
      return { ...result, changes };
    } catch {
      this.#lastLooks.delete(key);
      return { ...result, changes: UNKNOWN };
    }
  }

  async #look(caller: Caller, how: object): Promise<z.output<typeof Look>> {
    const run = this.#host.runner.run(caller, 'snapshot', { ...how, deadlineMs: LOOK_WITHIN_MS });
    // No person is asked for a look that the agent did not make itself, and the answer does not wait for one.
    void run.pending.then((approvalId) => {
      if (approvalId !== null) run.cancel('A look for changes asks no person.');
    });
    return Look.parse((await run.result).value);
  }

  #keep(key: string, observationId: string): void {
    remember(this.#lastLooks, key, observationId, KEPT_SESSIONS);
  }
}

/** Another window has another tree. */
const BINDING: ReadonlySet<string> = new Set(['bindToWindow', 'unbindFromWindow', 'openApp', 'openTerminal']);

const Look = z.object({
  observationId: z.string(),
  accessibilityText: z.string(),
  partial: z.boolean(),
  part: z.boolean().optional(),
});

/** The observation of a snapshot of everything; null for other results. */
function observationOf({ action, value }: ActionResult): string | null {
  if (action !== 'snapshot') return null;
  const { data } = Look.safeParse(value);
  return data === undefined || data.part === true ? null : data.observationId;
}

/** The text of an action that put one into a field, where it was read back as it was sent. */
function textKept({ outcome }: ActionResult, input: unknown): string | null {
  const { text } = (input ?? {}) as { text?: unknown };
  return typeof text === 'string' && text !== '' && outcome.effect === 'confirmed' ? text : null;
}

/** Without the line of a field that now holds what the caller typed, which the effect has said already. */
function withoutEcho(changed: string, result: ActionResult, input: unknown): string {
  const text = textKept(result, input);
  if (text === null) return changed;
  const value = ` value=${jsonText(text)}`;
  return changed
    .split('\n')
    .filter((line) => !(line.startsWith('~') && line.includes(value)))
    .join('\n');
}

/** Whole lines, as many as fit. */
function firstLines(text: string): { lines: string[]; isWhole: boolean } {
  const all = text === '' ? [] : text.split('\n');
  const lines: string[] = [];
  let bytes = 0;
  for (const line of all) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > MAX_BYTES) break;
    lines.push(line);
  }
  return { lines, isWhole: lines.length === all.length };
}
