// generated, do not edit: `node scripts/generate-bindings.ts`
// Error codes of the system.
export const ERROR_ACCESS_DENIED = 5;
export const ERROR_ELEVATION_REQUIRED = 740;
export const ERROR_INVALID_WINDOW_HANDLE = 1400;
export const ERROR_NOT_FOUND = 1168;
export const ERROR_SUCCESS = 0;
export const ERROR_TIMEOUT = 1460;
