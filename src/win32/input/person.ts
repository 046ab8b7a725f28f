import { LASTINPUTINFO } from '../../../native-bindings/win32/structs.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';

/** Tick of the last input that this process injected: it is not a person's. */
let lastInjected = Number.NEGATIVE_INFINITY;

/** What the system notes so soon after our own input counts as ours. */
const OURS_MS = 50;
/** A pause between our own inputs in which a person who goes on using the machine is told from us. */
export const LISTEN_MS = OURS_MS + 40;

/** Says that real input was just sent from here. */
export function noteInjected(): void {
  lastInjected = kernel32.GetTickCount();
}

/**
 * Milliseconds since a person last used keyboard or mouse, as far as the system tells.
 * The system counts injected input too, so what came just after our own counts as ours.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getlastinputinfo
 */
export function personIdleMs(): number {
  const info = LASTINPUTINFO.alloc({ cbSize: LASTINPUTINFO.size });
  if (!user32.GetLastInputInfo(info)) return Number.POSITIVE_INFINITY;
  const last = info.readUInt32LE(LASTINPUTINFO.at.dwTime);
  if (last - lastInjected <= OURS_MS) return Number.POSITIVE_INFINITY;
  return (kernel32.GetTickCount() - last) >>> 0;
}
