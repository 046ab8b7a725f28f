// generated, do not edit: `node scripts/generate-bindings.ts`
// Processes, memory, files and waiting.
export const AO_NONE = 0;
export const CREATE_DEFAULT_ERROR_MODE = 0x4000000;
export const CREATE_NEW_CONSOLE = 0x10;
export const CREATE_NEW_PROCESS_GROUP = 0x0200;
export const CREATE_UNICODE_ENVIRONMENT = 0x0400;
export const DRIVE_REMOTE = 4;
export const FILE_ATTRIBUTE_DIRECTORY = 0x10;
export const GMEM_MOVEABLE = 2;
export const INFINITE = 0xffffffff;
export const INVALID_FILE_ATTRIBUTES = 4294967295;
export const MEM_RELEASE = 0x8000;
export const OPEN_EXISTING = 3;
export const PAGE_READWRITE = 4;
export const PROCESS_QUERY_LIMITED_INFORMATION = 0x1000;
export const RT_ACCELERATOR = 9;
export const STARTF_USESHOWWINDOW = 1;
export const STILL_ACTIVE = 0x0103;
export const SYNCHRONIZE = 0x100000;
export const TH32CS_SNAPPROCESS = 2;
export const WAIT_ABANDONED = 0x80;
export const WAIT_OBJECT_0 = 0;
