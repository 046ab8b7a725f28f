/** The keyboard topic on Windows: messages to the bound window, or real input to the foreground if requested. */
import type { KeyboardPort } from '../../desktop/index.ts';
import { pressChords } from '../acting/keyboard-chords.ts';
import { holdKeys, pressKeys, releaseKeys } from '../acting/keyboard-hold.ts';
import type { InputTools } from '../acting/keyboard-target.ts';
import { typeText } from '../acting/keyboard-type.ts';
import { noConsole } from '../terminal/bound-console.ts';
import type { Win32Services } from './services.ts';

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
