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
import { ignoresPostedKeys, terminalKind } from '../windows/terminal-kinds.ts';
import { LaunchedTerminals } from '../terminal/launched.ts';
import { findCommand, openTerminal, programsToStart } from '../terminal/open.ts';
import type { TerminalText } from '../elements/reading/terminal-text.ts';
import { rowDifference } from '../terminal/screen-change.ts';
import type { ReachedConsole } from '../terminal/reached-console.ts';
import { planAnswer, strokesOfPlan, type AnswerPlan } from '../terminal/respond.ts';
import { assertMarked, takesEnter } from '../terminal/answer-taken.ts';
import { Deadline, throwIfAborted, waitUntil } from '../windows/waiting.ts';
import { windowText } from '../windows/window-info.ts';
import { windowProcess } from '../windows/handle.ts';
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

/** The terminal port; `Disposable` ends the helper. */
export interface Win32TerminalPort extends TerminalPort, Disposable {
  /** Process id of the running console helper; null before its first use. For tests. */
  helperPid(): number | null;
}

const rowsText = (rows: readonly string[]): string =>
  rows
    .map((row) => row.trimEnd())
    .join('\n')
    .trimEnd();

/** The result of reading a terminal once; null if it is gone. */
interface Look {
  readonly screen: string;
  readonly cursor: { readonly x: number; readonly y: number } | null;
}

export function createTerminalPort(
  services: Win32Services,
  consoles: Consoles,
  options: TerminalOptions,
): Win32TerminalPort {
  const { helper, hosted, classic } = consoles;
  const launched = new LaunchedTerminals(findCommand);
  const otherText = (record: BindingRecord): TerminalText | null => consoles.textOf(record);

  const classicLook = (screen: ConsoleScreen): Look => ({ screen: rowsText(screen.rows), cursor: cursorIn(screen) });
  /** Waits until the terminal's screen changes and is then still; null if it is gone. */
  const seeChange = async (before: Look, look: () => Promise<Look | null>, call: CallContext): Promise<Look | null> => {
    const same = (one: Look | null, other: Look | null): boolean => JSON.stringify(one) === JSON.stringify(other);
    let last: Look | null = before;
    let since = performance.now();
    let hasChanged = false;
    const most = new Deadline(call).share(CHANGE_MS, SCREEN_RESERVE_MS);
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
      { withinMs: most, everyMs: SCREEN_POLL_MS, call, delivery: 'delivered' },
    );
    return last;
  };

  const outcomeOf = (
    witness: ReturnType<typeof startWitness>,
    answered: {
      before: Look | null;
      after: Look | null;
      prompt: string | null;
      plan: AnswerPlan;
      attempt: Attempt;
      isGone: boolean;
      hwnd: string;
    },
  ): Done<boolean>['outcome'] => {
    const { before, after, plan, isGone } = answered;
    // The whole screen is in the details, once.
    const rows =
      before === null || after === null ? { before: '', after: '' } : rowDifference(before.screen, after.screen);
    const evidence: Evidence[] = isGone
      ? [{ kind: 'window', before: answered.hwnd, after: null }]
      : rows.before !== rows.after
        ? [{ kind: 'screen', ...rows }]
        : [];
    return witness.outcome({
      effect: evidence.length > 0 ? 'confirmed' : 'unverified',
      delivery: answered.attempt.rung,
      evidence,
      attempts: [{ ...answered.attempt, reason: plan.reason }],
      details: { prompt: answered.prompt, screen: after?.screen ?? null, isOpen: !isGone, untrusted: true },
    });
  };

  const respondInConsole = async (
    reached: ReachedConsole,
    record: BindingRecord,
    answer: PromptAnswer,
    call: CallContext,
  ): Promise<Done<boolean>> => {
    const witness = startWitness();
    const screen = await reached.read(false, call);
    const prompt = promptOf(screen);
    let plan = planAnswer(answer, screen);
    const { text, keys } = strokesOfPlan(plan);
    const look = async (): Promise<ConsoleScreen | null> => {
      try {
        return await reached.read(false, call);
      } catch (error) {
        // The answer may have ended the last program in it, which closes the console.
        if (error instanceof UiaHostError && error.code === 'window_gone') return null;
        throw error;
      }
    };
    if (plan.choice !== undefined) {
      await reached.writeInTurn(text, keys.slice(0, -1), call);
      await assertMarked(plan.choice, look, call);
      await reached.writeInTurn([], keys.slice(-1), call);
    } else if (plan.isLetter === true) {
      await reached.writeInTurn(text, [], call);
      if (await takesEnter(screen, look, call)) await reached.writeInTurn([], keys, call);
      else plan = { ...plan, keys: [], reason: `${quoted(plan.text)}, which the program took without Enter` };
    } else await reached.writeInTurn(text, keys, call);
    const before = classicLook(screen);
    const after = await seeChange(
      before,
      async () => {
        const now = await look();
        return now === null ? null : classicLook(now);
      },
      call,
    );
    const isGone = after === null && !user32.IsWindow(Number(record.hwnd));
    return {
      value: true,
      outcome: outcomeOf(witness, {
        before,
        after,
        prompt,
        plan,
        attempt: { rung: 'console', result: 'delivered', reason: '' },
        isGone,
        hwnd: record.hwnd,
      }),
    };
  };

  /** The styles of the console that a terminal shows; null if it is not known which one that is. */
  const stylesBehind = async (
    record: BindingRecord,
    text: string,
    call: CallContext,
  ): Promise<readonly StyledText[] | null> => {
    try {
      const behind = await hosted.find(record, text, call, true);
      return (await behind?.read(false, call, true))?.styles ?? null;
    } catch (error) {
      if (error instanceof UiaHostError && error.code === 'state_conflict') return null;
      throw error;
    }
  };

  /** Text and keys by the same means as for other windows, if no console is behind the terminal. */
  const respondOther = async (
    record: BindingRecord,
    answer: PromptAnswer,
    call: CallContext,
  ): Promise<Done<boolean>> => {
    const text = otherText(record);
    const behind = await hosted.find(record, wholeText(text), call);
    if (behind !== null) return respondInConsole(behind, record, answer, call);
    if (ignoresPostedKeys(record)) throw notReached(record);
    const witness = startWitness();
    const before: Look | null = text === null ? null : { screen: text.screen, cursor: null };
    const prompt = text === null ? null : lastLine(text.screen);
    const rows = text === null ? [] : text.screen.split('\n');
    const plan = planAnswer(answer, { rows: [...rows, ''], width: Infinity, cursor: { x: 0, y: rows.length } });
    // Rejects control characters before anything is sent.
    strokesOfPlan(plan);
    let rung: Attempt['rung'] = 'posted';
    if (plan.text !== '')
      ({
        outcome: { delivery: rung },
      } = await options.keyboard.typeText(record, plan.text, { viaClipboard: false, delivery: 'background' }, call));
    if (plan.keys.length > 0)
      ({
        outcome: { delivery: rung },
      } = await options.keyboard.chords(record, plan.keys, 1, 'background', call));
    const isOpen = (): boolean => user32.IsWindow(Number(record.hwnd));
    const after =
      before === null
        ? null
        : await seeChange(
            before,
            async () => {
              if (!isOpen()) return null;
              const now = otherText(record);
              return now === null ? before : { screen: now.screen, cursor: null };
            },
            call,
          );
    return {
      value: true,
      outcome: outcomeOf(witness, {
        before,
        after,
        prompt,
        plan,
        attempt: { rung, result: 'delivered', reason: '' },
        isGone: !isOpen(),
        hwnd: record.hwnd,
      }),
    };
  };

  return {
    helperPid: () => helper.pid,

    async programs(wanted, call) {
      throwIfAborted(call);
      return programsToStart(wanted, options.environment);
    },

    async open(wanted, call) {
      const witness = startWitness();
      const opened = await openTerminal(wanted, services, helper, options.environment, call);
      const { hwnd, shell, command, choice } = opened;
      launched.add({ hwnd, shell, command });
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
    },

    async respond(record, answer, call) {
      liveWindow(record);
      return terminalKind(record) === 'console'
        ? respondInConsole(classic.of(record), record, answer, call)
        : respondOther(record, answer, call);
    },

    async read(record, wanted, call): Promise<TerminalScreen> {
      liveWindow(record);
      const exitStatus = launched.exitStatus(record);
      if (terminalKind(record) === 'console') {
        const screen = await classic.of(record).read(true, call, wanted.styles);
        const above = rowsText(screen.above ?? []);
        return {
          screen: rowsText(screen.rows),
          scrollback: above === '' ? null : above,
          cursor: cursorIn(screen),
          exitStatus,
          ...stylesOf(screen),
        };
      }
      const text = otherText(record);
      if (text !== null) {
        const styles = wanted.styles ? { styles: await stylesBehind(record, text.screen, call) } : {};
        return { ...text, cursor: null, exitStatus, ...styles };
      }
      const behind = await hosted.find(record, null, call);
      if (behind === null) {
        throw new UiaHostError(
          'unsupported',
          `The terminal ${quoted(record.title)} does not expose its text through UI Automation; nothing was read.`,
          { hint: 'Take a screenshot, or open the command in a classic console (terminal cmd).' },
        );
      }
      const screen = await behind.read(false, call, wanted.styles);
      return {
        screen: rowsText(screen.rows),
        scrollback: null,
        cursor: cursorIn(screen),
        exitStatus,
        ...stylesOf(screen),
      };
    },

    [Symbol.dispose]() {
      consoles[Symbol.dispose]();
      launched[Symbol.dispose]();
    },
  };
}

const stylesOf = ({ styles }: ConsoleScreen): { styles?: ConsoleScreen['styles'] & object } =>
  styles === undefined ? {} : { styles };

function cursorIn({ cursor, rows }: ConsoleScreen): { x: number; y: number } | null {
  return cursor.y >= 0 && cursor.y < rows.length ? { x: cursor.x, y: cursor.y } : null;
}

const lastLine = (screen: string): string =>
  screen
    .split('\n')
    .findLast((row) => row.trim() !== '')
    ?.trim() ?? '';
