/**
 * The consoles behind bound windows: classic consoles, and the consoles that Windows Terminal shows. One helper process
 * serves
 * them all.
 */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { CallContext } from '../../desktop/call.ts';
import type { Automation } from '../elements/sources/uia-client.ts';
import { readTerminalText, type TerminalText } from '../elements/reading/terminal-text.ts';
import type { BoundConsole } from '../terminal/bound-console.ts';
import { ClassicConsoles, type ReachedConsole } from '../terminal/reached-console.ts';
import { ConsoleHelper } from '../terminal/console-helper.ts';
import type { ConsoleKey, ConsoleLook, ConsolePressed } from '../terminal/console-protocol.ts';
import { HostedConsoles } from '../terminal/hosted-console.ts';
import { strokesOf } from '../terminal/console-keys.ts';
import type { KnownWindows } from '../windows/describe.ts';
import { liveWindow } from '../windows/record.ts';
import { ignoresPostedKeys, isClassicConsole } from '../windows/classes.ts';

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
