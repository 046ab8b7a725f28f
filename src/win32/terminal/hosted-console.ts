/**
 * The consoles behind a terminal that draws itself. Each tab of Windows Terminal has a console host of its own without a
 * window that shows; its programs can be joined as in a classic console, and what is written into its input arrives, while
 * keys that are posted to the terminal's window do not.
 * Source: github.com/microsoft/terminal/issues/8312, github.com/microsoft/terminal/pull/12526
 */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../contract/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/quoted.ts';
import type { CallContext } from '../../desktop/call.ts';
import { ConsoleUnreachable, type ConsoleHelper } from './console-helper.ts';
import type { ConsoleOwner, ConsoleScreen } from './console-protocol.ts';
import { descendantsOf, likelyMembers } from './members.ts';
import { ReachedConsole, unreachable } from './reached-console.ts';
import { shownConsole } from './shown-console.ts';

/** Every process of the desktop may have to be joined once. */
const LIST_MS = 8000;
/** The consoles behind a window are listed again after this time: looks at a screen come many a second, new tabs do not. */
const LISTED_MS = 2000;

export class HostedConsoles {
  readonly #helper: ConsoleHelper;
  readonly #isOwn: (pid: number) => boolean;
  /** What was listed last, with the time. */
  #listed: { readonly pid: number; readonly at: number; readonly consoles: readonly ConsoleOwner[] } | null = null;

  constructor(helper: ConsoleHelper, isOwn: (pid: number) => boolean) {
    this.#helper = helper;
    this.#isOwn = isOwn;
  }

  /**
   * The console that the window shows; null where it shows none that can be reached. `text`: what the window shows by UI
   * Automation, null where that is not known. `isLook`: nothing is sent, so what was listed a moment ago will do.
   * Errors: state_conflict where several consoles are behind it and it cannot be told which one it shows.
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
      const found = await this.#choose(record, this.#behind(record, text !== null, this.#listed.consoles), text, call);
      if (found !== null) return found;
    }
    const { consoles } = await this.#helper.ask(
      { op: 'list', pids: likelyMembers(record.pid, this.#isOwn) },
      call,
      LIST_MS,
    );
    this.#listed = { pid: record.pid, at: performance.now(), consoles };
    return this.#choose(record, this.#behind(record, text !== null, consoles), text, call);
  }

  async #choose(
    record: BindingRecord,
    consoles: readonly ConsoleOwner[],
    text: string | null,
    call: CallContext,
  ): Promise<ReachedConsole | null> {
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

  /**
   * Those whose window the terminal owns. Of a terminal that owns none, the hidden ones of programs that it started: only
   * its text can tell that it shows one of them (mintty keeps a hidden console that it does not show).
   */
  #behind(record: BindingRecord, isTextKnown: boolean, consoles: readonly ConsoleOwner[]): ConsoleOwner[] {
    const window = Number(record.hwnd);
    const owned = consoles.filter(({ owner, hwnd }) => owner === window && hwnd !== window);
    if (owned.length > 0 || !isTextKnown) return owned;
    const started = descendantsOf(record.pid);
    return consoles.filter(
      ({ pid, owner, hwnd }) => owner === hwnd && started.has(pid) && !user32.IsWindowVisible(hwnd),
    );
  }

  #reached(record: BindingRecord, { pid, hwnd }: ConsoleOwner): ReachedConsole {
    return new ReachedConsole(this.#helper, async (_call, work, isUnderWay = false) => {
      try {
        return await work({ pid, hwnd });
      } catch (error) {
        if (error instanceof ConsoleUnreachable) throw unreachable(record, error, isUnderWay);
        throw error;
      }
    });
  }
}

function severalTabs(record: BindingRecord, count: number): UiaHostError {
  return new UiaHostError(
    'state_conflict',
    `${quoted(record.title)} has ${count} consoles (tabs or panes), and it cannot be told which of them it shows; nothing was read or sent.`,
    {
      hint: 'Close the other tabs, or use open-terminal, which opens a window of its own.',
    },
  );
}
