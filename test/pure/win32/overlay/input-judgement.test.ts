/** Which presses on a card count as a person’s. */
import { describe, expect, it } from 'vitest';
import {
  isTouchDevice,
  isTouchMark,
  judgeInput,
  type HookWitness,
  type InputOrigin,
} from '../../../../src/win32/overlay/input-judgement.ts';

const seen = (change: Partial<HookWitness> = {}): HookWitness => ({
  isInjected: false,
  isPushed: false,
  isTouch: false,
  ...change,
});
const judged = (origin: InputOrigin, witness: HookWitness | undefined, isTouch = false) => {
  const { isHardware, isRealInput, reason } = judgeInput({ origin, isTouch }, witness);
  return { yes: isHardware, no: isRealInput, reason };
};

describe('judgement of a press on a card', () => {
  it('[overlay.hardware] [overlay.vouch] an approval needs a device in the eyes of both witnesses', () => {
    expect(judged('hardware', seen())).toEqual({ yes: true, no: true, reason: 'a device' });
    expect(judged('hardware', undefined)).toMatchObject({ yes: false, no: true });
    expect(judged('hardware', seen({ isInjected: true }))).toMatchObject({ yes: false, no: true });
    expect(judged('hardware', seen({ isPushed: true }))).toMatchObject({ yes: false, no: true });
    expect(judged('injected', seen())).toMatchObject({ yes: false, no: true });
    expect(judged('unknown', seen())).toMatchObject({ yes: false, no: true });
    for (const origin of ['none', 'system'] as const)
      expect(judged(origin, seen())).toMatchObject({ yes: false, no: false });
  });

  it('[overlay.vouch] touch and pen can deny and stop, and approve nothing, whichever witness knows of them', () => {
    for (const origin of ['hardware', 'system', 'unknown'] as const) {
      expect(judged(origin, seen(), true)).toEqual({ yes: false, no: true, reason: 'touch and pen can only deny' });
    }
    expect(judged('hardware', seen({ isTouch: true }))).toEqual({
      yes: false,
      no: true,
      reason: 'touch and pen can only deny',
    });
    // The cursor jumps to where a finger comes down: no program pushed it.
    expect(judgeInput({ origin: 'hardware', isTouch: true }, seen({ isPushed: true }))).toMatchObject({
      isPushed: false,
      isTouch: true,
      isRealInput: true,
    });
    // What a program posts does not become a person's by calling itself touch.
    expect(judged('none', seen(), true)).toMatchObject({ yes: false, no: false });
    expect(judged('injected', seen(), true)).toMatchObject({ yes: false, reason: 'a program injected it' });
  });

  it('knows them by the device and by the mark of the mouse messages that Windows makes of them', () => {
    // Unavailable, keyboard, mouse, touch, pen, touch pad.
    expect([0, 1, 2, 4, 8, 16].map(isTouchDevice)).toEqual([false, false, false, true, true, false]);
    expect([0xff51_5700, 0xff51_5780, 0xff51_57ff, 0xffff_ffff_ff51_5781n].map(isTouchMark)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect([0, 1, 0xff51_5600, 0x51_5700, -1].map(isTouchMark)).toEqual([false, false, false, false, false]);
  });
});
