/** The keyboard, pointer and clipboard topics on Windows. */
import type { KeyboardPort, PointerPort, ClipboardPort } from '../../desktop/index.ts';
import { pressChords, holdKeys, pressKeys, releaseKeys } from '../acting/keyboard-hold.ts';
import type { InputTools } from '../acting/keyboard-target.ts';
import { typeText } from '../acting/keyboard-type.ts';
import { noConsole } from '../terminal/console-protocol.ts';
import type { Win32Services } from './services.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { changeButton, clickPoint, dragPointer, hoverPointer, movePointer, turnWheel } from '../acting/pointer-move.ts';
import { isReal, VirtualPointer, type PointerTools } from '../acting/pointer-target.ts';
import { cursorPosition, startWitness } from '../windows/witness.ts';
import { readClipboardText, writeClipboardText } from '../input/paste.ts';

// The keyboard topic on Windows: messages to the bound window, or real input to the foreground if requested.

/** Without consoles keys are only posted to windows. */
export type InputOptions = Omit<InputTools, 'consoles' | 'isOwnWindow'> & Partial<Pick<InputTools, 'consoles'>>;

export function createKeyboardPort(services: Win32Services, options: InputOptions): KeyboardPort {
  const { isOwnWindow } = services;
  const tools: InputTools = { ...options, isOwnWindow, consoles: options.consoles ?? noConsole };
  services.onRelease((owner, record) => {
    tools.held.releaseAll(owner);
    if (record === null) tools.focus.forget(owner);
  });
  return {
    typeText: (record, text, how, call) => typeText(tools, record, text, how, call),
    chords: (record, chords, repeat, delivery, call) => pressChords(tools, record, { chords, repeat }, delivery, call),
    press: (record, keys, delivery, call) => pressKeys(tools, record, keys, delivery, call),
    release: (record, keys, delivery, call) => releaseKeys(tools, record, keys, delivery, call),
    hold: (record, keys, durationMs, delivery, call) => holdKeys(tools, record, { keys, durationMs }, delivery, call),
    releaseAll: async () => {
      tools.held.releaseAll();
    },
  };
}

// * The pointer topic on Windows: messages to the child under a point of the bound window, or real input if requested.

export function createPointerPort(services: Win32Services, options: InputOptions): PointerPort {
  const virtual = services.ownerState(() => new VirtualPointer());
  const tools: PointerTools = { ...options, pointerOf: (owner) => virtual.get(owner) };
  return {
    async cursor() {
      const at = cursorPosition();
      if (at === null)
        throw new UiaHostError(
          'desktop_unavailable',
          'Another desktop has the input (secure desktop or lock screen), so the cursor position cannot be read.',
        );
      return at;
    },

    position: async (record, delivery, call) =>
      isReal(record, delivery) ? cursorPosition() : virtual.get(call.owner).at,
    move: (record, to, how, call) => movePointer(tools, record, to, how, call),
    hover: (record, at, delivery, call) => hoverPointer(tools, record, at, delivery, call),
    click: (record, at, how, call) => clickPoint(tools, record, at, how, call),
    button: (record, change, at, how, call) => changeButton(tools, record, { change, at }, how, call),
    drag: (record, from, to, how, call) => dragPointer(tools, record, { from, to }, how, call),
    wheel: (record, at, notches, how, call) => turnWheel(tools, record, { at, notches }, how, call),
  };
}

// The clipboard topic on Windows.

export function createClipboardPort(): ClipboardPort {
  return {
    read: (call) => readClipboardText(call),
    async write(text, call) {
      if (text.includes('\0'))
        throw new UiaHostError(
          'invalid_argument',
          'Clipboard text ends at its first NUL character, so a text with one cannot be written; the clipboard is unchanged.',
        );
      const witness = startWitness();
      await writeClipboardText(text, false, call);
      const back = await readClipboardText(call);
      const isSame = back === text;
      return {
        value: null,
        outcome: witness.outcome({
          effect: isSame ? 'confirmed' : 'unverified',
          delivery: 'clipboard',
          // Length only: clipboard content may be a secret.
          evidence: [{ kind: 'clipboard-length', before: null, after: back.length }],
          attempts: [{ rung: 'clipboard', result: 'delivered', reason: 'text set' }],
          readBack: isSame ? 'verified' : 'mismatch',
        }),
      };
    },
  };
}
