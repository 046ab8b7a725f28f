/** What a card makes of what the two witnesses say about one press or release. No Windows in here. */

/** Who made the message, as Windows noted it; `untold` where the system has no such call, `none` for what a program posted or sent. */
export type InputOrigin = 'hardware' | 'injected' | 'system' | 'none' | 'untold';

/** What Windows notes for the message being handled. */
export interface MessageSource {
  readonly origin: InputOrigin;
  /** A mouse message that Windows made of touch or pen. */
  readonly isTouch: boolean;
}

/** What the low-level hook saw of it. */
export interface HookWitness {
  readonly isInjected: boolean;
  readonly isTouch: boolean;
  /** A program had put the cursor there, or moved it just before. */
  readonly isPushed: boolean;
}

export interface Judgement {
  readonly origin: InputOrigin;
  /** Both witnesses say that a device made it: the message's source and the low-level hook. */
  readonly isHardware: boolean;
  readonly isInjected: boolean;
  /** A person may have made it, by a device or a remote control tool; posted and sent messages are not of this kind. */
  readonly isRealInput: boolean;
  /** A device made it, but a program had moved the cursor under the person's hand. */
  readonly isPushed: boolean;
  /** Touch or pen, for which nobody vouches: any program may inject them, and Windows does not promise to say so. */
  readonly isTouch: boolean;
  /** For the log; says what was missing. */
  readonly reason: string;
}

/** Source: learn.microsoft.com/windows/win32/api/winuser/ne-winuser-input_message_device_type: touch and pen. A touch pad is a mouse here. */
const TOUCH_DEVICES = new Set([4, 8]);
/** Source: learn.microsoft.com/windows/win32/tablet/system-events-and-mouse-messages */
const PEN_OR_TOUCH_MASK = 0xffff_ff00n;
const PEN_OR_TOUCH_SIGNATURE = 0xff51_5700n;

/** Whether an IMDT_ device is touch or pen. */
export const isTouchDevice = (deviceType: number): boolean => TOUCH_DEVICES.has(deviceType);

/** Whether a message's or hook report's extra information marks a mouse message that was made of touch or pen. */
export const isTouchMark = (extraInfo: number | bigint): boolean =>
  (BigInt(extraInfo) & PEN_OR_TOUCH_MASK) === PEN_OR_TOUCH_SIGNATURE;

/** A yes needs a device twice over, and one that a program cannot stand in for; a no needs input that nobody just posted. */
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
            ? `no device is its source (${origin})`
            : 'the low-level hook did not see it';
  // What Windows itself makes of touch may be of the system's origin.
  const isRealInput =
    isHardware || isInjected || origin === 'hardware' || origin === 'untold' || (origin === 'system' && isTouch);
  return { origin, isHardware, isInjected, isPushed, isTouch, isRealInput, reason };
}
