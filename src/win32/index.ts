/** The desktop on Windows: every port over shared services, made once in the worker. */
import type { WorkerDesktop } from '../desktop/index.ts';
import { Win32AppPort } from './ports/app.ts';
import { createBindingPort } from './ports/binding.ts';
import { Win32CapturePort, createDisplayPort } from './ports/capture.ts';
import { createClipboardPort, createKeyboardPort, createPointerPort } from './ports/input.ts';
import { createElementPort } from './ports/element.ts';
import * as proofs from './evidence/kept-proof.ts';
import { givingBack } from './exits/leaving.ts';
import { Consoles } from './input/consoles.ts';
import { HeldInputs, type HeldInput } from './input/held-input.ts';
import { findKeyTarget, FocusMemory, receiverAt } from './elements/finding/text-target.ts';
import { createWin32Services } from './ports/services.ts';
import { createSheetPort } from './ports/sheet.ts';
import { createSystemPort } from './ports/system.ts';
import { Win32TerminalPort } from './ports/terminal.ts';
import { createWindowPort } from './ports/window.ts';
import { failedWith, isHidden } from './windows/record.ts';
import { StartedPrograms } from './system/process.ts';
import { bringBack, MovedWindows } from './acting/moved-away.ts';
import { onOwnInput, noteInputElsewhere } from './windows/person.ts';
import type { WorkerInit } from './worker/protocol.ts';
import type { ServedDesktop } from './worker/server.ts';
import { WM_LBUTTONUP } from '../../native-bindings/win32/constants.ts';
import { user32 } from '../../native-bindings/win32/user32.ts';
import { parseChord } from '../contract/keys/keys.ts';
import { postKeyChange } from './input/chords-background.ts';
import { pressForeground } from './input/keyboard-foreground.ts';
import { postMouseMessage, sendMouseEvents } from './exits/input.ts';
import { buttonEvent } from './input/mouse-foreground.ts';
import { packPoint } from './windows/rects.ts';
import { resolveAll } from './windows/key-codes.ts';

/** What the worker's own child processes run. */
export interface DesktopFiles {
  /** Bundle or source of the console helper. */
  readonly console: string;
}

/** The desktop of this process: every port over shared services. Made once, in the worker. */
export function createWin32Desktop(init: WorkerInit, files: DesktopFiles): ServedDesktop {
  const services = createWin32Services({ ownProcesses: init.ownPids, starters: init.starters ?? [] });
  let tellState = (): void => {};
  const held = new HeldInputs(() => tellState());
  const moved = new MovedWindows(init.moved, () => tellState());
  givingBack(() => {
    releaseHeldInput(init.held);
    for (const each of init.leftAway) bringBack(each);
  });
  for (const own of init.ownInput) noteInputElsewhere(own);
  const focus = new FocusMemory();
  const started = new StartedPrograms();
  const consoles = new Consoles(services, files.console, () => element.automation());
  const element = createElementPort(services, {
    refBase: Math.max(1, init.refBase),
    refPlace: init.place,
    focus,
    keysTo: (bound, owner) => findKeyTarget(bound, focus, owner),
    consoles,
  });
  const keyboard = createKeyboardPort(services, { held, focus, trees: element, consoles });
  const terminal = new Win32TerminalPort(services, consoles, { keyboard });
  const sheet = createSheetPort();
  const pointer = createPointerPort(services, { held, focus, trees: element });
  const desktop: WorkerDesktop = {
    app: new Win32AppPort(services),
    binding: createBindingPort(services),
    capture: new Win32CapturePort(services, element.passwordRects),
    clipboard: createClipboardPort(),
    display: createDisplayPort(services),
    element,
    keyboard,
    pointer,
    sheet,
    system: createSystemPort(services),
    terminal,
    window: createWindowPort(services, moved),
  };
  return {
    desktop,
    refHigh: () => element.refHigh(),
    held: (): readonly HeldInput[] => held.list(),
    moved: () => moved.list(),
    onStateChange: (tell) => {
      tellState = tell;
    },
    onOwnInput,
    inputElsewhere: noteInputElsewhere,
    startedSince: (pid, beginMs) => started.since(pid, beginMs),
    proofs,
    isHidden: ({ hwnd }) => isHidden(Number(hwnd)),
    failedWith,
    setOwnPids: (pids) => services.setOwnProcesses(pids),
    close: () =>
      givingBack(async () => {
        held.releaseAll();
        terminal[Symbol.dispose]();
        sheet[Symbol.dispose]();
        element[Symbol.dispose]();
        await services.releaseAll();
        focus[Symbol.dispose]();
      }),
  };
}

const MOUSE = 'mouse-';

/** Releases one key or button that another process pressed. */
function release({ input, hwnd }: HeldInput): void {
  const window = hwnd === null ? 0 : Number(hwnd);
  if (hwnd !== null && !user32.IsWindow(window)) return;
  if (input.startsWith(MOUSE)) {
    // Outside the window: it ends the drag, and nothing is clicked.
    if (hwnd === null) sendMouseEvents([buttonEvent('left', 'up')]);
    else postMouseMessage(window, WM_LBUTTONUP, 0, packPoint(-1, -1));
    return;
  }
  const chord = parseChord(input);
  if (hwnd === null) {
    pressForeground(null, chord, 'up');
    return;
  }
  const target = receiverAt(window, 'last focus');
  postKeyChange(
    target,
    resolveAll(chord, target),
    'up',
    chord.some((key) => key.modifier === 'alt'),
  );
}

/**
 * Releases what an earlier worker left pressed, last pressed first; a failure to release one does not stop the others.
 */
function releaseHeldInput(held: readonly HeldInput[]): void {
  for (const each of [...held].reverse()) {
    try {
      release(each);
    } catch {
      /* another desktop has the input, or the layout lacks the key */
    }
  }
}
