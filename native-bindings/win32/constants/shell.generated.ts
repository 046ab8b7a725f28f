// generated, do not edit: `node scripts/generate-bindings.ts`
// The shell and the clipboard.
export const CF_UNICODETEXT = 13;
export const SIGDN_NORMALDISPLAY = 0;
export const SIGDN_PARENTRELATIVEPARSING = -2147385343;
