/** The terminal topic on Windows: opens terminals, answers their prompts, reads them. */
import type { StyledText } from '../../contract/terminal/terminal-style.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Attempt, Evidence } from '../../contract/outcome.ts';
import { promptOf } from '../../contract/terminal/prompt.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type {
  CallContext,
  Done,
  KeyboardPort,
  PromptAnswer,
  TerminalPort,
  TerminalScreen,
} from '../../desktop/index.ts';
import type { Environment } from '../apps/user-environment.ts';
import type { Win32Services } from './services.ts';
import { notReached, wholeText, type Consoles } from '../input/consoles.ts';
import type { ConsoleScreen } from '../terminal/console-protocol.ts';
import { ignoresPostedKeys, terminalKind } from '../windows/classes.ts';
import { LaunchedTerminals, openTerminal, programsToStart } from '../terminal/open.ts';
import type { TerminalLaunch } from '../../contract/gate/traits.ts';
import type { TerminalText } from '../elements/reading/terminal-text.ts';
import { rowDifference } from '../terminal/screen-change.ts';
import type { ReachedConsole } from '../terminal/reached-console.ts';
import { assertMarked, planAnswer, strokesOfPlan, takesEnter, type AnswerPlan } from '../terminal/screen-change.ts';
import { Deadline, throwIfAborted, waitUntil } from '../windows/waiting.ts';
import { windowText, windowProcess } from '../windows/window-info.ts';
import { liveWindow } from '../windows/record.ts';
import { startWitness } from '../windows/witness.ts';

export interface TerminalOptions {
  readonly keyboard: KeyboardPort;
  /** Variables for finding programs; default: the user's own. */
  readonly environment?: () => Environment;
}

/** How long a change of the screen is waited for: a program that answers does so within this time. */
const CHANGE_MS = 1500;
/** A screen unchanged for this long (ms) is the program's complete answer. */
const STILL_MS = 120;
/** How often (ms) the screen is read. */
const SCREEN_POLL_MS = 40;
/** Part of the deadline (ms) reserved for the answer after the last reading of the screen. */
const SCREEN_RESERVE_MS = 200;

/** The result of reading a terminal once; null if it is gone. */
interface Look {
  readonly screen: string;
  readonly cursor: { readonly x: number; readonly y: number } | null;
}

/** An answer that was sent, and what the terminal showed before and afterwards. */
interface Answered {
  readonly hwnd: string;
  readonly before: Look | null;
  readonly after: Look | null;
  readonly prompt: string | null;
  readonly plan: AnswerPlan;
  readonly way: Attempt['rung'];
  readonly isGone: boolean;
}

/** The terminal port; `Disposable` ends the helper. */
export class Win32TerminalPort implements TerminalPort, Disposable {
  readonly #services: Win32Services;
  readonly #consoles: Consoles;
  readonly #options: TerminalOptions;
  readonly #launched = new LaunchedTerminals();

  constructor(services: Win32Services, consoles: Consoles, options: TerminalOptions) {
    this.#services = services;
    this.#consoles = consoles;
    this.#options = options;
  }

  /** Process id of the running console helper; null before its first use. For tests. */
  helperPid(): number | null {
    return this.#consoles.helper.pid;
  }

  async programs(wanted: TerminalLaunch, call: CallContext): ReturnType<TerminalPort['programs']> {
    throwIfAborted(call);
    return programsToStart(wanted, this.#options.environment);
  }

  async open(wanted: TerminalLaunch, call: CallContext): ReturnType<TerminalPort['open']> {
    const witness = startWitness();
    const { helper, classic } = this.#consoles;
    const opened = await openTerminal(wanted, this.#services, helper, this.#options.environment, call);
    const { hwnd, shell, command, choice } = opened;
    this.#launched.add({ hwnd, shell, command });
    classic.remember(hwnd, shell.pid);
    const value = {
      hwnd: String(hwnd),
      pid: windowProcess(hwnd),
      title: windowText(hwnd),
      launched: opened.isAlive,
    };
    return {
      value,
      outcome: witness.outcome({
        effect: opened.isAlive ? 'confirmed' : 'unverified',
        delivery: 'win32',
        evidence: [{ kind: 'window', before: null, after: value.hwnd }],
        attempts: [{ rung: 'win32', result: 'delivered', reason: `${choice.program} in ${choice.terminal}` }],
        details: { terminal: choice.terminal, program: choice.program, pid: value.pid },
      }),
    };
  }

  async respond(record: BindingRecord, answer: PromptAnswer, call: CallContext): Promise<Done<boolean>> {
    liveWindow(record);
    if (terminalKind(record) === 'console')
      return this.#respondInConsole(this.#consoles.classic.of(record), record, answer, call);
    const text = this.#consoles.textOf(record);
    const behind = await this.#consoles.hosted.find(record, wholeText(text), call);
    if (behind !== null) return this.#respondInConsole(behind, record, answer, call);
    if (ignoresPostedKeys(record)) throw notReached(record);
    return this.#respondByKeys(record, text, answer, call);
  }

  async read(
    record: BindingRecord,
    wanted: Parameters<TerminalPort['read']>[1],
    call: CallContext,
  ): Promise<TerminalScreen> {
    liveWindow(record);
    const exitStatus = this.#launched.exitStatus(record);
    if (terminalKind(record) === 'console') {
      const screen = await this.#consoles.classic.of(record).read(true, call, wanted.styles);
      const above = rowsText(screen.above ?? []);
      return { ...shownIn(screen), scrollback: above === '' ? null : above, exitStatus };
    }
    const text = this.#consoles.textOf(record);
    if (text !== null) {
      const styles = wanted.styles ? { styles: await this.#stylesBehind(record, text.screen, call) } : {};
      return { ...text, cursor: null, exitStatus, ...styles };
    }
    const behind = await this.#consoles.hosted.find(record, null, call);
    if (behind === null) {
      throw new UiaHostError(
        'unsupported',
        `The terminal ${quoted(record.title)} does not expose its text through UI Automation; nothing was read.`,
        { hint: 'Take a screenshot, or open the command in a classic console (terminal cmd).' },
      );
    }
    return { ...shownIn(await behind.read(false, call, wanted.styles)), scrollback: null, exitStatus };
  }

  [Symbol.dispose](): void {
    this.#consoles[Symbol.dispose]();
    this.#launched[Symbol.dispose]();
  }

  async #respondInConsole(
    reached: ReachedConsole,
    record: BindingRecord,
    answer: PromptAnswer,
    call: CallContext,
  ): Promise<Done<boolean>> {
    const witness = startWitness();
    const screen = await reached.read(false, call);
    const look = async (): Promise<ConsoleScreen | null> => {
      try {
        return await reached.read(false, call);
      } catch (error) {
        // The answer may have ended the last program in it, which closes the console.
        if (error instanceof UiaHostError && error.code === 'window_gone') return null;
        throw error;
      }
    };
    const plan = await sendPlan(planAnswer(answer, screen), { reached, screen, look }, call);
    const before = lookOf(screen);
    const after = await seeChange(
      before,
      async () => {
        const now = await look();
        return now === null ? null : lookOf(now);
      },
      call,
    );
    const isGone = after === null && !user32.IsWindow(Number(record.hwnd));
    const prompt = promptOf(screen);
    return done(witness, { hwnd: record.hwnd, before, after, prompt, plan, way: 'console', isGone });
  }

  /** Text and keys by the same means as for other windows, if no console is behind the terminal. */
  async #respondByKeys(
    record: BindingRecord,
    text: TerminalText | null,
    answer: PromptAnswer,
    call: CallContext,
  ): Promise<Done<boolean>> {
    const witness = startWitness();
    const { keyboard } = this.#options;
    const before: Look | null = text === null ? null : { screen: text.screen, cursor: null };
    const prompt = text === null ? null : lastLine(text.screen);
    const rows = text === null ? [] : text.screen.split('\n');
    const plan = planAnswer(answer, { rows: [...rows, ''], width: Infinity, cursor: { x: 0, y: rows.length } });
    // Rejects control characters before anything is sent.
    strokesOfPlan(plan);
    let way: Attempt['rung'] = 'posted';
    if (plan.text !== '')
      ({
        outcome: { delivery: way },
      } = await keyboard.typeText(record, plan.text, { viaClipboard: false, delivery: 'background' }, call));
    if (plan.keys.length > 0)
      ({
        outcome: { delivery: way },
      } = await keyboard.chords(record, plan.keys, 1, 'background', call));
    const isOpen = (): boolean => user32.IsWindow(Number(record.hwnd));
    const look = async (): Promise<Look | null> => {
      if (!isOpen()) return null;
      const now = this.#consoles.textOf(record);
      return now === null ? before : { screen: now.screen, cursor: null };
    };
    const after = before === null ? null : await seeChange(before, look, call);
    return done(witness, { hwnd: record.hwnd, before, after, prompt, plan, way, isGone: !isOpen() });
  }

  /** The styles of the console that a terminal shows; null if that console is unknown. */
  async #stylesBehind(record: BindingRecord, text: string, call: CallContext): Promise<readonly StyledText[] | null> {
    try {
      const behind = await this.#consoles.hosted.find(record, text, call, true);
      return (await behind?.read(false, call, true))?.styles ?? null;
    } catch (error) {
      if (error instanceof UiaHostError && error.code === 'state_conflict') return null;
      throw error;
    }
  }
}

/** Sends an answer to a console: Enter only once a menu's mark is where it should be, and only if a letter waits for it. Returns what was sent. */
async function sendPlan(
  plan: AnswerPlan,
  {
    reached,
    screen,
    look,
  }: { reached: ReachedConsole; screen: ConsoleScreen; look: () => Promise<ConsoleScreen | null> },
  call: CallContext,
): Promise<AnswerPlan> {
  const { text, keys } = strokesOfPlan(plan);
  if (plan.choice !== undefined) {
    await reached.writeInTurn(text, keys.slice(0, -1), call);
    await assertMarked(plan.choice, look, call);
    await reached.writeInTurn([], keys.slice(-1), call);
    return plan;
  }
  if (plan.isLetter !== true) {
    await reached.writeInTurn(text, keys, call);
    return plan;
  }
  await reached.writeInTurn(text, [], call);
  if (!(await takesEnter(screen, look, call)))
    return { ...plan, keys: [], reason: `${quoted(plan.text)}, which the program took without Enter` };
  await reached.writeInTurn([], keys, call);
  return plan;
}

/** Waits until the terminal's screen changes and is then still; null if it is gone. */
async function seeChange(before: Look, look: () => Promise<Look | null>, call: CallContext): Promise<Look | null> {
  const same = (one: Look | null, other: Look | null): boolean => JSON.stringify(one) === JSON.stringify(other);
  let last: Look | null = before;
  let since = performance.now();
  let hasChanged = false;
  await waitUntil(
    async () => {
      const now = await look();
      if (now === null) {
        last = null;
        return true;
      }
      if (!same(now, last)) {
        last = now;
        since = performance.now();
        hasChanged = true;
      }
      return hasChanged && performance.now() - since >= STILL_MS ? true : null;
    },
    {
      withinMs: new Deadline(call).share(CHANGE_MS, SCREEN_RESERVE_MS),
      everyMs: SCREEN_POLL_MS,
      call,
      delivery: 'delivered',
    },
  );
  return last;
}

function done(witness: ReturnType<typeof startWitness>, answered: Answered): Done<boolean> {
  const { hwnd, before, after, prompt, plan, way, isGone } = answered;
  // The whole screen is in the details, once.
  const rows =
    before === null || after === null ? { before: '', after: '' } : rowDifference(before.screen, after.screen);
  const evidence: Evidence[] = isGone
    ? [{ kind: 'window', before: hwnd, after: null }]
    : rows.before !== rows.after
      ? [{ kind: 'screen', ...rows }]
      : [];
  return {
    value: true,
    outcome: witness.outcome({
      effect: evidence.length > 0 ? 'confirmed' : 'unverified',
      delivery: way,
      evidence,
      attempts: [{ rung: way, result: 'delivered', reason: plan.reason }],
      details: { prompt, screen: after?.screen ?? null, isOpen: !isGone, untrusted: true },
    }),
  };
}

const rowsText = (rows: readonly string[]): string =>
  rows
    .map((row) => row.trimEnd())
    .join('\n')
    .trimEnd();

function lookOf({ cursor, rows }: ConsoleScreen): Look {
  const isShown = cursor.y >= 0 && cursor.y < rows.length;
  return { screen: rowsText(rows), cursor: isShown ? { x: cursor.x, y: cursor.y } : null };
}

const shownIn = (screen: ConsoleScreen): Look & Pick<TerminalScreen, 'styles'> => ({
  ...lookOf(screen),
  ...(screen.styles === undefined ? {} : { styles: screen.styles }),
});

const lastLine = (screen: string): string =>
  screen
    .split('\n')
    .findLast((row) => row.trim() !== '')
    ?.trim() ?? '';
