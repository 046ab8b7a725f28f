/**
 * The consoles behind bound windows: classic consoles, and the consoles that Windows Terminal shows. One helper process
 * serves
 * them all.
 */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { Automation } from '../elements/sources/uia-client.ts';
import { type TerminalText, readTerminalText } from '../elements/reading/terminal-text.ts';
import type {
  BoundConsole,
  ConsoleKey,
  ConsoleLook,
  ConsolePressed,
  ConsoleOwner,
  ConsoleScreen,
} from '../terminal/console-protocol.ts';
import { ClassicConsoles, ReachedConsole, likelyMembers, unreachable } from '../terminal/reached-console.ts';
import { ConsoleHelper, ConsoleUnreachable } from '../terminal/console-helper.ts';
import { strokesOf } from '../terminal/console-keys.ts';
import type { KnownWindows } from '../windows/describe.ts';
import { liveWindow } from '../windows/record.ts';
import { ignoresPostedKeys, isClassicConsole } from '../windows/classes.ts';
import type { Evidence, Outcome } from '../../contract/outcome.ts';
import type { CallContext } from '../../desktop/index.ts';
import { type TextSeen, isSameScreen, keySeen, rowsChanged, textSeen } from '../terminal/screen-change.ts';
import { Deadline, pause, waitUntil } from '../windows/waiting.ts';

/** Every process of the desktop may have to be tried once. */
const LIST_MS = 8000;
/** Lifetime of a list of consoles: a screen is read many times per second, new tabs are rare. */
const LISTED_MS = 2000;

/** A shorter row must match a whole line: a prompt's sign alone occurs in every text. */
const DISTINCTIVE_LENGTH = 8;
/** Half of a screen is enough: the program may print between the two reads. */
const LEAST_SHARE = 0.5;

const filled = (rows: readonly string[]): string[] => rows.map((row) => row.trimEnd()).filter((row) => row !== '');

/** Share of a console's screen that the window's text contains, 0 to 1. Long rows may be parts of lines: a terminal joins wrapped ones. */
function shareShown(rows: readonly string[], text: string): number {
  const wanted = filled(rows);
  const lines = new Set(filled(text.split('\n')));
  if (wanted.length === 0) return lines.size === 0 ? 1 : 0;
  return (
    wanted.filter((row) => lines.has(row) || (row.length >= DISTINCTIVE_LENGTH && text.includes(row))).length /
    wanted.length
  );
}

/**
 * The index of the console whose screen the window shows. `none`: the active tab is of another kind, or its console cannot
 * be reached. `several`: two consoles look the same.
 */
export function shownConsole(screens: ReadonlyArray<readonly string[]>, text: string): number | 'none' | 'several' {
  const shares = screens.map((rows) => shareShown(rows, text));
  const most = Math.max(0, ...shares);
  if (most < LEAST_SHARE) return 'none';
  return shares.filter((share) => share === most).length === 1 ? shares.indexOf(most) : 'several';
}

export class HostedConsoles {
  readonly #helper: ConsoleHelper;
  readonly #isOwn: (pid: number) => boolean;
  /** The last list, with its time. */
  #listed: { readonly pid: number; readonly at: number; readonly consoles: readonly ConsoleOwner[] } | null = null;

  constructor(helper: ConsoleHelper, isOwn: (pid: number) => boolean) {
    this.#helper = helper;
    this.#isOwn = isOwn;
  }

  /**
   * The console that the window shows; null if it shows none that can be reached. `text`: the window's text from UI
   * Automation, null if unknown. `isLook`: nothing will be sent, so a recent list is good enough.
   * Errors: state_conflict if there are several consoles and it is not clear which one the window shows.
   */
  async find(
    record: BindingRecord,
    text: string | null,
    call: CallContext,
    isLook = false,
  ): Promise<ReachedConsole | null> {
    if (
      isLook &&
      this.#listed !== null &&
      this.#listed.pid === record.pid &&
      performance.now() - this.#listed.at < LISTED_MS
    ) {
      const found = await this.#choose(record, this.#listed.consoles, text, call);
      if (found !== null) return found;
    }
    const { consoles } = await this.#helper.ask(
      { op: 'list', pids: likelyMembers(record.pid, this.#isOwn) },
      call,
      LIST_MS,
    );
    this.#listed = { pid: record.pid, at: performance.now(), consoles };
    return this.#choose(record, consoles, text, call);
  }

  async #choose(
    record: BindingRecord,
    all: readonly ConsoleOwner[],
    text: string | null,
    call: CallContext,
  ): Promise<ReachedConsole | null> {
    // The processes with a hidden window that it owns.
    const consoles = all.filter(({ owner, hwnd }) => owner === Number(record.hwnd) && hwnd !== owner);
    if (consoles.length === 0) return null;
    const reached = consoles.map((place) => this.#reached(record, place));
    if (text === null) {
      if (consoles.length > 1) throw severalTabs(record, consoles.length);
      return reached[0]!;
    }
    const screens = await Promise.all(
      reached.map((one) => one.read(false, call).catch((): ConsoleScreen | null => null)),
    );
    const which = shownConsole(
      screens.map((screen) => screen?.rows ?? []),
      text,
    );
    if (which === 'several') throw severalTabs(record, consoles.length);
    return which === 'none' ? null : reached[which]!;
  }

  #reached(record: BindingRecord, { pid, hwnd }: ConsoleOwner): ReachedConsole {
    return new ReachedConsole(this.#helper, async (_call, work, hasBegun = false) => {
      try {
        return await work({ pid, hwnd });
      } catch (error) {
        if (error instanceof ConsoleUnreachable) throw unreachable(record, error, hasBegun);
        throw error;
      }
    });
  }
}

function severalTabs(record: BindingRecord, count: number): UiaHostError {
  return new UiaHostError(
    'state_conflict',
    `${quoted(record.title)} has ${count} consoles (tabs or panes), and it is not clear which one it shows; nothing was read or sent.`,
    {
      hint: 'Close the other tabs, or use open-terminal, which opens a separate window.',
    },
  );
}

export class Consoles implements BoundConsole, Disposable {
  readonly helper: ConsoleHelper;
  readonly classic: ClassicConsoles;
  readonly hosted: HostedConsoles;
  readonly #automation: () => Automation | null;

  /** `helperFile`: bundle or source of the helper. `automation`: UI Automation of this process; null where there is none. */
  constructor(windows: KnownWindows, helperFile: string, automation: () => Automation | null) {
    this.helper = new ConsoleHelper(helperFile);
    const isOwn = (pid: number): boolean => windows.ownProcesses.has(pid) || pid === this.helper.pid;
    this.classic = new ClassicConsoles(this.helper, isOwn);
    this.hosted = new HostedConsoles(this.helper, isOwn);
    this.#automation = automation;
  }

  /** The text that a terminal's window exposes through UI Automation. */
  textOf(record: BindingRecord): TerminalText | null {
    const automation = this.#automation();
    return automation === null ? null : readTerminalText(automation, liveWindow(record));
  }

  async look(record: BindingRecord, call: CallContext): Promise<ConsoleLook | null> {
    // A console that cannot be read is still typed into; only its effect is not observed.
    try {
      return (await (await this.#reached(record, call, true))?.look(call)) ?? null;
    } catch {
      return null;
    }
  }

  async press(
    record: BindingRecord,
    keys: readonly ConsoleKey[],
    layout: number,
    call: CallContext,
  ): Promise<ConsolePressed | null> {
    return (await this.#reachedOrRefused(record, call))?.press(keys, layout, call) ?? null;
  }

  async type(record: BindingRecord, text: string, call: CallContext): Promise<boolean> {
    const reached = await this.#reachedOrRefused(record, call);
    await reached?.write(strokesOf(text), call);
    return reached !== null;
  }

  [Symbol.dispose](): void {
    this.helper[Symbol.dispose]();
  }

  /** The console of a bound window, or the console that Windows Terminal shows now; null if none can be reached. */
  async #reached(record: BindingRecord, call: CallContext, isLook = false): Promise<ReachedConsole | null> {
    if (isClassicConsole(record)) return this.classic.of(record);
    return ignoresPostedKeys(record) ? this.hosted.find(record, wholeText(this.textOf(record)), call, isLook) : null;
  }

  async #reachedOrRefused(record: BindingRecord, call: CallContext): Promise<ReachedConsole | null> {
    const reached = await this.#reached(record, call);
    if (reached === null && ignoresPostedKeys(record)) throw notReached(record);
    return reached;
  }
}

export const wholeText = (text: TerminalText | null): string | null =>
  text === null ? null : [text.scrollback ?? '', text.screen].join('\n');

export function notReached(record: BindingRecord): UiaHostError {
  return new UiaHostError(
    'unsupported',
    `The console that ${quoted(record.title)} shows cannot be reached, and its window ignores keys from other programs; nothing was sent.`,
    {
      hint: 'Its program may run as another user, with higher rights, or on another machine. Send keys with delivery foreground, or start the command with open-terminal.',
    },
  );
}

/** As long as an effect is waited for: periodic output faster than this is noticed beforehand. */
const CALM_MS = 400;
/** Between two keys of one call, if the screen was calm before the first. */
const CALM_BETWEEN_MS = 40;
/** How often (ms) the console is read while its screen changes. */
const SCREEN_POLL_MS = 25;
/**
 * A changed screen is read at most this often until it is still; a screen that keeps changing is taken as it is then.
 */
const DRAWING_LOOKS = 4;
/** A console's own echo takes milliseconds, even on a busy machine. */
const ECHO_MS = 600;
/** Part of the deadline (ms) reserved for the answer after the last reading of a console. */
const CONSOLE_RESERVE_MS = 200;
/** A console answers in milliseconds, its helper on a busy machine in some hundred. */
const LEAST_LOOK_MS = 500;

const cursorOf = ({ screen: { cursor } }: ConsoleLook): [number, number] => [cursor.x, cursor.y];

/** Input that the program has not read yet cannot have caused what it shows. */
const isRead = (before: ConsoleLook, after: ConsoleLook): boolean => after.unread <= before.unread;

const textEvidence = (before: ConsoleLook, after: ConsoleLook, seen: TextSeen): Evidence => ({
  kind: 'screen',
  before: { cursor: cursorOf(before), shown: 0 },
  after: { cursor: cursorOf(after), ...seen },
});

/** Null without asking if no answer is likely in time: a late helper would be ended. */
async function lookWithin(
  console: BoundConsole,
  record: BindingRecord,
  milliseconds: number,
  call: CallContext,
): Promise<ConsoleLook | null> {
  return milliseconds < LEAST_LOOK_MS ? null : console.look(record, { ...call, deadlineMs: milliseconds });
}

/**
 * Types `text` in the time that then remains, and reads the console before and after. An outcome that is not confirmed
 * otherwise is confirmed once the text appears at the cursor. If the bound window is not a console, it only types.
 */
export async function typeWatched(
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
      const after = await lookWithin(console, record, deadline.remaining(CONSOLE_RESERVE_MS), call);
      const seen = after === null || !isRead(before, after) ? null : textSeen(before.screen, after.screen, text);
      return after === null || seen === null ? null : textEvidence(before, after, seen);
    },
    { withinMs: deadline.share(ECHO_MS, CONSOLE_RESERVE_MS), everyMs: SCREEN_POLL_MS, call, delivery: 'delivered' },
  );
  return evidence === null ? outcome : { ...outcome, effect: 'confirmed', evidence: [...outcome.evidence, evidence] };
}

/**
 * The console's screen around keys. A change counts if the screen was still before the key for as long as the change is
 * waited for, and the program has read the key: a program that prints by itself meets neither condition.
 */
export interface ConsoleWatch {
  /** Reads twice before a key is sent. The key's effect is measured against the second reading. */
  beforeKey(): Promise<void>;
  /** The key's effect so far. A screen that is being redrawn may be identical once that is done. */
  afterKey(): Promise<Evidence[]>;
}

/** Null if the bound window is not a console that can be read. */
export async function watchConsole(
  console: BoundConsole,
  record: BindingRecord,
  call: CallContext,
): Promise<ConsoleWatch | null> {
  const deadline = new Deadline(call);
  const look = (): Promise<ConsoleLook | null> =>
    lookWithin(console, record, deadline.remaining(CONSOLE_RESERVE_MS), call);
  let before = await lookWithin(console, record, call.deadlineMs / 2, call);
  let wasCalm = false;
  if (before === null) return null;
  return {
    async beforeKey() {
      const first = await look();
      const wanted = wasCalm ? CALM_BETWEEN_MS : CALM_MS;
      // Many keys use up the time: the later ones are sent without being watched.
      const hasTime = deadline.remaining(call.deadlineMs / 2) >= wanted;
      // The sender of the key notices an abort itself.
      if (hasTime) await pause(wanted, call).catch(() => {});
      before = await look();
      wasCalm = hasTime && first !== null && before !== null && isSameScreen(first.screen, before.screen);
    },
    async afterKey() {
      const then = before;
      if (then === null || !wasCalm) return [];
      let after = await look();
      for (let looks = 0; looks < DRAWING_LOOKS && after !== null && keySeen(then.screen, after.screen); looks += 1) {
        const earlier = after;
        await pause(SCREEN_POLL_MS, call).catch(() => {});
        after = await look();
        if (after !== null && isSameScreen(earlier.screen, after.screen)) break;
      }
      if (after === null || !isRead(then, after) || !keySeen(then.screen, after.screen)) return [];
      const changed = { cursor: cursorOf(after), rowsChanged: rowsChanged(then.screen, after.screen) };
      return [{ kind: 'screen', before: { cursor: cursorOf(then) }, after: changed }];
    },
  };
}
