// generated, do not edit: `npm run generate`
// Hooks, window events, and the objects that events name.
export const CHILDID_SELF = 0;
export const EVENT_OBJECT_CREATE = 0x8000;
export const EVENT_OBJECT_DESTROY = 0x8001;
export const EVENT_OBJECT_FOCUS = 0x8005;
export const EVENT_OBJECT_HIDE = 0x8003;
export const EVENT_OBJECT_LOCATIONCHANGE = 0x800b;
export const EVENT_OBJECT_NAMECHANGE = 0x800c;
export const EVENT_OBJECT_PARENTCHANGE = 0x800f;
export const EVENT_OBJECT_REORDER = 0x8004;
export const EVENT_OBJECT_SHOW = 0x8002;
export const EVENT_OBJECT_STATECHANGE = 0x800a;
export const EVENT_OBJECT_VALUECHANGE = 0x800e;
export const EVENT_SYSTEM_ALERT = 2;
export const EVENT_SYSTEM_DIALOGEND = 0x11;
export const EVENT_SYSTEM_FOREGROUND = 3;
export const EVENT_SYSTEM_MINIMIZEEND = 0x17;
export const EVENT_SYSTEM_MINIMIZESTART = 0x16;
export const HC_ACTION = 0;
export const OBJID_CLIENT = -4;
export const OBJID_NATIVEOM = -16;
export const OBJID_WINDOW = 0;
export const UiaRootObjectId = -25;
export const WH_KEYBOARD_LL = 13;
export const WH_MOUSE_LL = 14;
export const WINEVENT_OUTOFCONTEXT = 0;
