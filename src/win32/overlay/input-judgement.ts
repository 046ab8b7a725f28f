/** How a card judges one press or release by the two witnesses. No Windows in here. */

/** Origin of a message as Windows records it; `unknown` on systems without that call, `none` for posted and sent messages. */
export type InputOrigin = 'hardware' | 'injected' | 'system' | 'none' | 'unknown';

/** What Windows records for the current message. */
export interface MessageSource {
  readonly origin: InputOrigin;
  /** A mouse message that Windows derived from touch or pen. */
  readonly isTouch: boolean;
}

/** The low-level hook's report of it. */
export interface HookWitness {
  readonly isInjected: boolean;
  readonly isTouch: boolean;
  /** A program had moved the cursor just before. */
  readonly isPushed: boolean;
}

export interface Judgement {
  readonly origin: InputOrigin;
  /** Both witnesses, the message's source and the low-level hook, attribute it to a device. */
  readonly isHardware: boolean;
  readonly isInjected: boolean;
  /** A person may have made it, by a device or a remote control tool; never true for posted and sent messages. */
  readonly isRealInput: boolean;
  /** A device made it, but a program had just moved the cursor. */
  readonly isPushed: boolean;
  /** Touch or pen, which any program can inject without a guarantee that Windows marks it. */
  readonly isTouch: boolean;
  /** For the log: what was missing. */
  readonly reason: string;
}

/** Source: learn.microsoft.com/windows/win32/api/winuser/ne-winuser-input_message_device_type: touch and pen. A touch pad is a mouse here. */
const TOUCH_DEVICES = new Set([4, 8]);
/** Source: learn.microsoft.com/windows/win32/tablet/system-events-and-mouse-messages */
const PEN_OR_TOUCH_MASK = 0xffff_ff00n;
const PEN_OR_TOUCH_SIGNATURE = 0xff51_5700n;

/** Whether an IMDT_ device is touch or pen. */
export const isTouchDevice = (deviceType: number): boolean => TOUCH_DEVICES.has(deviceType);

/** Whether a message's or hook report's extra information marks a mouse message that comes from touch or pen. */
export const isTouchMark = (extraInfo: number | bigint): boolean =>
  (BigInt(extraInfo) & PEN_OR_TOUCH_MASK) === PEN_OR_TOUCH_SIGNATURE;

/** Approving needs both witnesses for a device that programs cannot imitate; denying needs input that was not merely posted. */
export function judgeInput(
  { origin, isTouch: isTouchMessage }: MessageSource,
  witness: HookWitness | undefined,
): Judgement {
  const isTouch = isTouchMessage || witness?.isTouch === true;
  const isInjected = origin === 'injected' || witness?.isInjected === true;
  const isPushed = origin === 'hardware' && witness?.isPushed === true && !isTouch;
  const isHardware = origin === 'hardware' && witness !== undefined && !witness.isInjected && !isPushed && !isTouch;
  const reason = isHardware
    ? 'a device'
    : isInjected
      ? 'a program injected it'
      : isPushed
        ? 'a program moved the cursor'
        : isTouch
          ? 'touch and pen can only deny'
          : origin !== 'hardware'
            ? `its source is not a device (${origin})`
            : 'the low-level hook did not see it';
  // Messages that Windows derives from touch may have the system as their origin.
  const isRealInput =
    isHardware || isInjected || origin === 'hardware' || origin === 'unknown' || (origin === 'system' && isTouch);
  return { origin, isHardware, isInjected, isPushed, isTouch, isRealInput, reason };
}
