/**
 * The consoles behind a terminal that draws itself. Each tab of Windows Terminal has its own console host with a hidden
 * window. The helper can attach to its programs as in a classic console, and written input arrives, while keys posted to
 * the terminal's window do not.
 * Source: github.com/microsoft/terminal/issues/8312, github.com/microsoft/terminal/pull/12526
 */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { CallContext } from '../../desktop/call.ts';
import { ConsoleUnreachable, type ConsoleHelper } from './console-helper.ts';
import type { ConsoleOwner, ConsoleScreen } from './console-protocol.ts';
import { likelyMembers, ReachedConsole, unreachable } from './reached-console.ts';

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
