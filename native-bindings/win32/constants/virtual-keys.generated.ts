// generated, do not edit: `node scripts/generate-bindings.ts`
// Virtual-key codes and their mapping.
export const MAPVK_VK_TO_VSC = 0;
export const MAPVK_VK_TO_VSC_EX = 4;
export const VK_CONTROL = 0x11;
export const VK_DOWN = 0x28;
export const VK_ESCAPE = 0x1b;
export const VK_F1 = 0x70;
export const VK_F24 = 0x87;
export const VK_LCONTROL = 0xa2;
export const VK_LMENU = 0xa4;
export const VK_LSHIFT = 0xa0;
export const VK_MENU = 0x12;
export const VK_NEXT = 0x22;
export const VK_PRIOR = 0x21;
export const VK_RCONTROL = 0xa3;
export const VK_RETURN = 0x0d;
export const VK_RMENU = 0xa5;
export const VK_RSHIFT = 0xa1;
export const VK_SHIFT = 0x10;
export const VK_SPACE = 0x20;
export const VK_TAB = 9;
export const VK_UP = 0x26;
