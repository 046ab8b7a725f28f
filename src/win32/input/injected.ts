/** Sends keyboard events as real input. */
import { UiaHostError } from '../../contract/errors.ts';
import {
  INPUT_KEYBOARD,
  KEYEVENTF_EXTENDEDKEY,
  KEYEVENTF_KEYUP,
  KEYEVENTF_UNICODE,
} from '../../../native-bindings/win32/constants.ts';
import { INPUT } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { noteInjected } from '../windows/person.ts';

/** One keyboard event for SendInput: a virtual key, or one UTF-16 unit. */
export type KeyEvent =
  | { readonly vk: number; readonly scan: number; readonly extended: boolean; readonly up: boolean }
  | { readonly unit: number; readonly up: boolean };

/**
 * Sends keyboard events as real input, in one call so that nothing can intervene.
 * Errors: unsupported if the system accepts none of them (a window of higher integrity, another desktop).
 */
export function sendKeyEvents(events: readonly KeyEvent[]): void {
  if (events.length === 0) return;
  const memory = Buffer.alloc(INPUT.size * events.length);
  events.forEach((event, index) => {
    const at = index * INPUT.size;
    memory.writeUInt32LE(INPUT_KEYBOARD, at);
    const isUnit = 'unit' in event;
    memory.writeUInt16LE(isUnit ? 0 : event.vk, at + 8);
    memory.writeUInt16LE(isUnit ? event.unit : event.scan, at + 10);
    const flags =
      (isUnit ? KEYEVENTF_UNICODE : event.extended ? KEYEVENTF_EXTENDEDKEY : 0) | (event.up ? KEYEVENTF_KEYUP : 0);
    memory.writeUInt32LE(flags, at + 12);
  });
  const sent = user32.SendInput(events.length, memory, INPUT.size);
  noteInjected();
  if (sent !== events.length) {
    throw new UiaHostError(
      'unsupported',
      `Windows accepted only ${sent} of ${events.length} keyboard events; another desktop or a window of higher integrity has the input.`,
      {
        delivery: sent === 0 ? 'not_delivered' : 'unknown',
      },
    );
  }
}
