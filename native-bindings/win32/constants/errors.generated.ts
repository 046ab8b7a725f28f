// generated, do not edit: `npm run generate`
// Error codes of the system.
export const ERROR_ACCESS_DENIED = 5;
export const ERROR_CALL_NOT_IMPLEMENTED = 120;
export const ERROR_ELEVATION_REQUIRED = 740;
export const ERROR_FAILED_SERVICE_CONTROLLER_CONNECT = 1063;
export const ERROR_FILE_NOT_FOUND = 2;
export const ERROR_INSUFFICIENT_BUFFER = 122;
export const ERROR_INVALID_WINDOW_HANDLE = 1400;
export const ERROR_MORE_DATA = 234;
export const ERROR_NONE_MAPPED = 1332;
export const ERROR_NOT_FOUND = 1168;
export const ERROR_NO_MORE_ITEMS = 259;
export const ERROR_NO_TOKEN = 1008;
export const ERROR_SERVICE_ALREADY_RUNNING = 1056;
export const ERROR_SERVICE_CANNOT_ACCEPT_CTRL = 1061;
export const ERROR_SERVICE_DISABLED = 1058;
export const ERROR_SERVICE_DOES_NOT_EXIST = 1060;
export const ERROR_SERVICE_EXISTS = 1073;
export const ERROR_SERVICE_MARKED_FOR_DELETE = 1072;
export const ERROR_SERVICE_NOT_ACTIVE = 1062;
export const ERROR_SERVICE_SPECIFIC_ERROR = 1066;
export const ERROR_SUCCESS = 0;
export const ERROR_TIMEOUT = 1460;
