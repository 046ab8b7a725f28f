/** Sees what typed text and keys do on the screen of a bound console. Evidence is figures alone: text may be secret. */
import type { BindingRecord } from '../../contract/binding.ts';
import type { Evidence, Outcome } from '../../contract/outcome.ts';
import type { CallContext } from '../../desktop/index.ts';
import type { BoundConsole } from '../terminal/bound-console.ts';
import type { ConsoleLook } from '../terminal/console-protocol.ts';
import { isSameScreen, keySeen, rowsChanged, textSeen, type TextSeen } from '../terminal/screen-change.ts';
import { Deadline, pause, waitUntil } from '../windows/waiting.ts';

/** As long as an effect is waited for: what prints oftener than that by itself is noticed before. */
const CALM_MS = 400;
/** Between two keys of one call, when the screen was calm before the first. */
const CALM_BETWEEN_MS = 40;
const LOOK_EVERY_MS = 25;
/** So often a changed screen is looked at until it stands still; one that goes on printing is taken as it is then. */
const DRAWING_LOOKS = 4;
/** A console's own echo takes milliseconds, also on a busy machine. */
const ECHO_MS = 600;
/** Kept back from the deadline for the answer. */
const RESERVE_MS = 200;
/** A console answers in milliseconds, its helper on a busy machine in some hundred. */
const LEAST_LOOK_MS = 500;

const cursorOf = ({ screen: { cursor } }: ConsoleLook): [number, number] => [cursor.x, cursor.y];

/** What the program has not read yet cannot be what it shows. */
const isRead = (before: ConsoleLook, after: ConsoleLook): boolean => after.unread <= before.unread;

const textEvidence = (before: ConsoleLook, after: ConsoleLook, seen: TextSeen): Evidence => ({
  kind: 'screen',
  before: { cursor: cursorOf(before), shown: 0 },
  after: { cursor: cursorOf(after), ...seen },
});

/** Null without asking where an answer in time cannot be counted on: a helper that is late is ended. */
async function lookWithin(
  console: BoundConsole,
  record: BindingRecord,
  milliseconds: number,
  call: CallContext,
): Promise<ConsoleLook | null> {
  return milliseconds < LEAST_LOOK_MS ? null : console.look(record, { ...call, deadlineMs: milliseconds });
}

/**
 * Does what types `text`, in the time that is left then, and looks at the console before and after it. An outcome that is not
 * confirmed by itself is, once the text is seen where the cursor was. Where the bound window is no console, just the work.
 */
export async function typedInSight(
  console: BoundConsole,
  record: BindingRecord | null,
  text: string,
  call: CallContext,
  work: (rest: CallContext) => Promise<Outcome>,
): Promise<Outcome> {
  const deadline = new Deadline(call);
  const before = record === null ? null : await lookWithin(console, record, call.deadlineMs / 2, call);
  const outcome = await work(before === null ? call : { ...call, deadlineMs: deadline.remaining() });
  if (record === null || before === null || outcome.effect !== 'unverified') return outcome;
  const evidence = await waitUntil(
    async () => {
      const after = await lookWithin(console, record, deadline.remaining(RESERVE_MS), call);
      const seen = after === null || !isRead(before, after) ? null : textSeen(before.screen, after.screen, text);
      return after === null || seen === null ? null : textEvidence(before, after, seen);
    },
    { withinMs: deadline.share(ECHO_MS, RESERVE_MS), everyMs: LOOK_EVERY_MS, call, delivery: 'delivered' },
  );
  return evidence === null ? outcome : { ...outcome, effect: 'confirmed', evidence: [...outcome.evidence, evidence] };
}

/**
 * The console's screen around keys. A change counts where the screen stood still before the key for as long as the change is
 * waited for, and where the program has read the key: one that prints by itself does neither.
 */
export class ConsoleSight {
  readonly #console: BoundConsole;
  readonly #record: BindingRecord;
  readonly #call: CallContext;
  readonly #deadline: Deadline;
  #before: ConsoleLook | null = null;
  #wasCalm = false;

  /** Null where the bound window is no console that can be read. */
  static async open(console: BoundConsole, record: BindingRecord, call: CallContext): Promise<ConsoleSight | null> {
    const sight = new ConsoleSight(console, record, call);
    sight.#before = await lookWithin(console, record, call.deadlineMs / 2, call);
    return sight.#before === null ? null : sight;
  }

  private constructor(console: BoundConsole, record: BindingRecord, call: CallContext) {
    this.#console = console;
    this.#record = record;
    this.#call = call;
    this.#deadline = new Deadline(call);
  }

  /** Looks twice before a key is sent. The second look is what the key's effect is measured against. */
  async beforeKey(): Promise<void> {
    const first = await this.#look();
    const wanted = this.#wasCalm ? CALM_BETWEEN_MS : CALM_MS;
    // Many keys take the time that there is: the later ones are sent without being watched.
    const hasTime = this.#deadline.remaining(this.#call.deadlineMs / 2) >= wanted;
    // Who sends the key sees for himself that the call was aborted.
    if (hasTime) await pause(wanted, this.#call).catch(() => {});
    this.#before = await this.#look();
    this.#wasCalm =
      hasTime && first !== null && this.#before !== null && isSameScreen(first.screen, this.#before.screen);
  }

  /** What the key has brought about until now. A screen that is being drawn again may be the same when that is done. */
  async afterKey(): Promise<Evidence[]> {
    const before = this.#before;
    if (before === null || !this.#wasCalm) return [];
    let after = await this.#look();
    for (let looks = 0; looks < DRAWING_LOOKS && after !== null && keySeen(before.screen, after.screen); looks += 1) {
      const earlier = after;
      await pause(LOOK_EVERY_MS, this.#call).catch(() => {});
      after = await this.#look();
      if (after !== null && isSameScreen(earlier.screen, after.screen)) break;
    }
    if (after === null || !isRead(before, after) || !keySeen(before.screen, after.screen)) return [];
    return [
      {
        kind: 'screen',
        before: { cursor: cursorOf(before) },
        after: { cursor: cursorOf(after), rowsChanged: rowsChanged(before.screen, after.screen) },
      },
    ];
  }

  #look(): Promise<ConsoleLook | null> {
    return lookWithin(this.#console, this.#record, this.#deadline.remaining(RESERVE_MS), this.#call);
  }
}
