// generated, do not edit: `node scripts/generate-bindings.ts`
// Sessions, desktops, and the system they run on.
export const DESKTOP_READOBJECTS = 1;
export const EVENTLOG_INFORMATION_TYPE = 4;
export const UOI_NAME = 2;
export const VER_NT_WORKSTATION = 1;
export const WTSActive = 0;
export const WTSConnectState = 8;
export const WTSSessionInfoEx = 25;
export const WTS_CURRENT_SERVER = 0;
export const WTS_SESSIONSTATE_LOCK = 0;
