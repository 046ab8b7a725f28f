// generated, do not edit: `node scripts/generate-bindings.ts`
// The shell and the clipboard.
export const CF_BITMAP = 2;
export const CF_DSPBITMAP = 0x82;
export const CF_DSPENHMETAFILE = 0x8e;
export const CF_DSPMETAFILEPICT = 0x83;
export const CF_ENHMETAFILE = 14;
export const CF_METAFILEPICT = 3;
export const CF_OWNERDISPLAY = 0x80;
export const CF_PALETTE = 9;
export const CF_UNICODETEXT = 13;
export const EXP_SZ_LINK_SIG = 0xa0000001;
export const SIGDN_NORMALDISPLAY = 0;
export const SIGDN_PARENTRELATIVEPARSING = -2147385343;
export const SLDF_HAS_ARGS = 32;
export const SLDF_HAS_ICONLOCATION = 64;
export const SLDF_HAS_ID_LIST = 1;
export const SLDF_HAS_LINK_INFO = 2;
export const SLDF_HAS_NAME = 4;
export const SLDF_HAS_RELPATH = 8;
export const SLDF_HAS_WORKINGDIR = 16;
export const SLDF_UNICODE = 128;
