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
import { releaseHeldInput } from './input/release-held.ts';
import { findKeyTarget, FocusMemory } from './elements/finding/text-target.ts';
import { createWin32Services } from './ports/services.ts';
import { createSheetPort } from './ports/sheet.ts';
import { createSystemPort } from './ports/system.ts';
import { Win32TerminalPort } from './ports/terminal.ts';
import { createWindowPort } from './ports/window.ts';
import { failedWith } from './windows/record.ts';
import { StartedPrograms } from './system/process.ts';
import { bringBack, MovedWindows } from './acting/moved-away.ts';
import { onOwnInput, noteInputElsewhere } from './windows/person.ts';
import type { WorkerInit } from './worker/protocol.ts';
import type { ServedDesktop } from './worker/server.ts';

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
