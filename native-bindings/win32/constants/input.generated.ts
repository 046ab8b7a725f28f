// generated, do not edit: `node scripts/generate-bindings.ts`
// Input by keyboard and mouse: events, flags and accelerators.
export const FALT = 0x10;
export const FCONTROL = 8;
export const FSHIFT = 4;
export const FVIRTKEY = 1;
export const INPUT_KEYBOARD = 1;
export const KEYEVENTF_EXTENDEDKEY = 1;
export const KEYEVENTF_KEYUP = 2;
export const KEYEVENTF_UNICODE = 4;
export const LLKHF_INJECTED = 0x10;
export const LLKHF_LOWER_IL_INJECTED = 2;
export const LLMHF_INJECTED = 1;
export const LLMHF_LOWER_IL_INJECTED = 2;
export const MK_CONTROL = 8;
export const MK_LBUTTON = 1;
export const MK_SHIFT = 4;
export const WHEEL_DELTA = 120;
