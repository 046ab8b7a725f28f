// generated, do not edit: `npm run generate`
// Consoles: input records, modes and control events.
export const COMMON_LVB_REVERSE_VIDEO = 0x4000;
export const COMMON_LVB_UNDERSCORE = 0x8000;
export const CTRL_C_EVENT = 0;
export const ENABLE_PROCESSED_INPUT = 1;
export const ENHANCED_KEY = 0x0100;
export const KEY_EVENT = 1;
export const LEFT_ALT_PRESSED = 2;
export const LEFT_CTRL_PRESSED = 8;
export const RIGHT_ALT_PRESSED = 1;
export const RIGHT_CTRL_PRESSED = 4;
export const SHIFT_PRESSED = 0x10;
