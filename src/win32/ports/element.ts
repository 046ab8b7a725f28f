/** The element topic on Windows: snapshot, context, click, type, select, scroll, wait and tables. */
import { enterMta } from '../../../native-bindings/com/apartment.ts';
import type { ElementContext } from '../../contract/element/element.ts';
import type { CallContext, ElementPort, TargetSpec } from '../../desktop/index.ts';
import type { PasswordFinder } from '../imaging/password-memory.ts';
import { noConsole, type BoundConsole, consoleText } from '../terminal/console-protocol.ts';
import { assertReachable, type Win32Services } from './services.ts';
import { clickElement } from '../acting/click.ts';
import { focusElement } from '../acting/focus.ts';
import { pointOfElement } from '../acting/reveal.ts';
import { laterAtEnd } from '../evidence/kept-proof.ts';
import { readElementTable } from '../acting/read-table.ts';
import { type ScrollerFinder, scrollElementIntoView, scrollPage, scrollerAt } from '../acting/scroll.ts';
import { activateDocument } from '../elements/tree/documents.ts';
import { intendedItem } from '../acting/intended-item.ts';
import { selectElement } from '../acting/select.ts';
import { type FieldFinder, typeIntoField } from '../acting/keyboard-target.ts';
import { typeIntoElement } from '../acting/type-into.ts';
import { waitForElement, waitUntilQuiet } from '../acting/wait.ts';
import { writeElementCell } from '../acting/grid-editor.ts';
import { factsOf, readContext } from '../elements/showing/context.ts';
import { isShownByAutomation, readLiveAt } from '../elements/finding/locate.ts';
import { readLive } from '../elements/reading/live-view.ts';
import { LiveViews } from '../elements/reading/live-views.ts';
import { pathTo } from '../elements/tree/tree.ts';
import { describeKeyTarget, LastSeen } from '../elements/finding/key-target.ts';
import type { TreeReader } from '../evidence/shown-effects.ts';
import { readPatiently, readWindow, type Observed, type ReadOptions } from '../elements/reading/observe.ts';
import { changedAt } from '../elements/finding/element-target.ts';
import { RefBook, RefCounter } from '../elements/finding/refs.ts';
import { findElements } from '../elements/showing/find.ts';
import { geometryOf, takeSnapshot } from '../elements/showing/snapshot.ts';
import { Deadline } from '../windows/waiting.ts';
import {
  Automation,
  systemAutomation,
  type AutomationAbilities,
  type AutomationFactory,
} from '../elements/sources/uia-client.ts';
import { passwordRects } from '../elements/reading/password-rects.ts';
import { pageInstead, PendingCalls, targetAt, type ActionTools } from '../elements/finding/element-target.ts';

export interface ElementOptions {
  /** The first ref number; a new worker starts past the refs of the previous one. */
  readonly refBase?: number;
  /** Which numbers are this worker's, among the workers that run at the same time; default: the first worker's. */
  readonly refPlace?: number;
  /** Creates UI Automation; default: the system's own. Tests supply their own, or none. */
  readonly automation?: AutomationFactory;
  /** Finds the window that receives text for a bound window. Errors: target_ambiguous, window_gone. */
  readonly keysTo?: (bound: number, owner: string) => unknown;
  /** Remembers which child of a bound window was last clicked or typed into: keys go there next. */
  readonly focus?: {
    remember(bound: number, child: number, owner: string): () => void;
    find(bound: number, owner: string): { readonly hwnd: number } | null;
    reportedFocus(bound: number): number;
  };
  /** The consoles behind bound windows: their text is not in any tree. */
  readonly consoles?: BoundConsole;
}

/** The port, the start of the next worker's refs, and the system's abilities. */
export interface Win32ElementPort extends ElementPort, TreeReader, ScrollerFinder, FieldFinder, Disposable {
  refHigh(): number;
  /** Password fields of a window that only UI Automation knows. */
  readonly passwordRects: PasswordFinder;
  /** What UI Automation can do here; null if there is none. For `capabilities`. */
  automationAbilities(): AutomationAbilities | null;
  /** UI Automation itself, for other topics; null if there is none. */
  automation(): Automation | null;
}

/** Time limit (ms) for reading the window, so that a hung one leaves time for the answer. */
const READ_MS = 5000;
/** The target of keys is named after they were sent: a program that is slow at that moment is not waited for. */
const KEY_TARGET_MS = 500;

/** A console answers in milliseconds, its helper in some hundred on a busy machine. */
const CONSOLE_MS = 1500;

/** What one owner has seen. */
interface OwnerElements {
  readonly refs: RefBook;
  readonly seen: LastSeen;
}

const consoleCall = (call: CallContext): CallContext => ({
  ...call,
  deadlineMs: Math.min(CONSOLE_MS, call.deadlineMs / 2),
});

/** The windows that get posted and real keys; 0 where none does. They matter to keys alone. */
const keysGoTo = (
  { focus }: ElementOptions,
  target: TargetSpec,
  bound: number,
  owner: string,
): { readonly posted: number; readonly real: number } =>
  target.kind === 'focus' && focus !== undefined
    ? { posted: focus.find(bound, owner)?.hwnd ?? 0, real: focus.reportedFocus(bound) }
    : { posted: 0, real: 0 };

/** A console draws its own text: none of it is in the tree. */
function withConsole(
  context: ElementContext,
  target: TargetSpec,
  look: Awaited<ReturnType<BoundConsole['look']>>,
): ElementContext {
  if (look === null) return context;
  const {
    screen: { rows, width, cursor },
    unread,
  } = look;
  return {
    ...context,
    ...(target.kind === 'point' ? { takesCaret: true } : {}),
    console: { rows: [...rows], width, cursor, isBehind: unread > 0 },
    screenTexts: [consoleText(look.screen), ...context.screenTexts],
  };
}

export function createElementPort(services: Win32Services, options: ElementOptions = {}): Win32ElementPort {
  const counter = new RefCounter(options.refBase ?? 1, options.refPlace);
  const owners = services.ownerState<OwnerElements>(() => ({ refs: new RefBook(counter), seen: new LastSeen() }));
  const pending = new PendingCalls();
  const views = new LiveViews();
  let started: Automation | null | undefined;
  let apartment: Disposable | undefined;
  // MSAA needs the apartment too, on systems without UI Automation.
  const automation = (): Automation | null => {
    apartment ??= enterMta();
    return started === undefined ? (started = Automation.start(options.automation ?? systemAutomation)) : started;
  };
  const reading = (call: CallContext): ReadOptions => ({
    budgetMs: new Deadline(call).patience(READ_MS),
    remoteControlMemory: call.remoteControlMemory,
    automation: automation(),
    views,
    popups: {
      isForbidden: (hwnd) => services.isOwnWindow(hwnd) || services.isStarterWindow(hwnd),
      applications: call.applications ?? null,
    },
  });
  const tools = (call: CallContext): ActionTools => ({
    refs: owners.get(call.owner).refs,
    read: reading(call),
    pending,
    focused: (bound, child) => {
      const putBack = activateDocument(bound, child);
      const forget = options.focus?.remember(bound, child, call.owner);
      return () => {
        forget?.();
        putBack();
      };
    },
  });
  const consoles = options.consoles ?? noConsole;

  return {
    passwordRects: (hwnd, time, call) => passwordRects(automation(), hwnd, time, call),
    refHigh: () => counter.next,
    automationAbilities: () => automation()?.abilities ?? null,
    automation,
    geometry: async (record) => geometryOf(record),
    snapshot: async (record, wanted, call) =>
      takeSnapshot(owners.get(call.owner).refs, record, wanted, call, reading(call)),
    find: (record, wanted, options, call) =>
      findElements({ refs: owners.get(call.owner).refs, call, reading: reading(call) }, record, wanted, options),
    facts: async (record, ref, { text }, call) => factsOf(tools(call), record, ref, text),
    context: async (record, target, asked) => {
      const deadline = new Deadline(asked);
      await assertReachable(services, record, asked);
      const call = { ...asked, deadlineMs: Math.max(1, Math.round(deadline.remaining())) };
      if (target.kind === 'focus' && target.takesText === true) options.keysTo?.(Number(record.hwnd), call.owner);
      const keysTo = keysGoTo(options, target, Number(record.hwnd), call.owner);
      const read = await readContext(owners.get(call.owner), record, target, reading(call), {
        call,
        keysTo: keysTo.posted,
        choose: (located, wanted) => intendedItem(targetAt(tools(call), located, call), wanted),
      });
      const context =
        target.kind === 'focus'
          ? { ...read, keysTo: { posted: String(keysTo.posted), real: String(keysTo.real) } }
          : read;
      return withConsole(context, target, await consoles.look(record, consoleCall(call)));
    },
    scrollerAt(record, at, call) {
      const kept = owners.get(call.owner).seen.peek(Number(record.hwnd));
      return scrollerAt(automation(), kept?.root ?? readWindow(record, reading(call)).root, at);
    },
    pageInstead: (record, judged, call) => pageInstead(tools(call), record, judged),
    changedAt(record, at, hwnd, { element, isNamed = false }, call) {
      const options = reading(call);
      // Where UI Automation shows nothing, the branch of the window that receives the message says more of what is there.
      const live = (): Observed | undefined =>
        isShownByAutomation(record, options) ? readLiveAt(record, at, options)?.observed : undefined;
      const part = (): Observed => live() ?? readPatiently(record, { ...options, only: hwnd });
      return changedAt(at, element, (scope) => (scope === 'part' ? part() : readPatiently(record, options)), isNamed);
    },
    typeIntoField: (record, text, call) => typeIntoField(tools(call), record, text, call),
    keyTarget: (record, hwnd, call) =>
      describeKeyTarget(owners.get(call.owner), record, hwnd, () =>
        readWindow(record, { ...reading(call), budgetMs: KEY_TARGET_MS, only: hwnd }),
      ),
    lastSeen: (record, call) => owners.get(call.owner).seen.take(Number(record.hwnd)),
    readAgain(record, { hwnd, identity }, budgetMs, call) {
      const options = { ...reading(call), budgetMs };
      const live = readLive(record, options, 'place', (root) => pathTo(root, identity).at(-1));
      const { root, partial } = live?.observed ?? readWindow(record, { ...options, only: hwnd });
      return partial ? null : root;
    },
    click: (record, ref, wanted, call) => clickElement(tools(call), record, ref, wanted, call),
    focus: (record, ref, call) => focusElement(tools(call), record, ref, call),
    point: (record, ref, call) => pointOfElement(tools(call), record, ref, call),
    typeInto: (record, ref, text, wanted, call) => typeIntoElement(tools(call), record, ref, { text, ...wanted }, call),
    select: (record, ref, item, call) => selectElement(tools(call), record, ref, item, call),
    scrollIntoView: (record, ref, call) =>
      ref === null ? scrollPage(tools(call), record, call) : scrollElementIntoView(tools(call), record, ref, call),
    waitFor: (record, what, call) => waitForElement(owners.get(call.owner).refs, record, what, call, reading(call)),
    waitQuiet: (record, wanted, call) => waitUntilQuiet(record, wanted, call, reading(call)),
    laterChanges: (_record, call) => laterAtEnd(call),
    readTable: (record, ref, range, call) => readElementTable(tools(call), record, ref, range, call),
    writeCell: (record, ref, wanted, call) => writeElementCell(tools(call), record, ref, wanted, call),
    [Symbol.dispose]: () => {
      views[Symbol.dispose]();
      started?.[Symbol.dispose]();
      apartment?.[Symbol.dispose]();
      started = undefined;
      apartment = undefined;
    },
  };
}
