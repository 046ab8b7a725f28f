// generated, do not edit: `node scripts/generate-bindings.ts`
// Tokens, access control, credentials and trust.
export const ADS_RIGHT_ACTRL_DS_LIST = 4;
export const ADS_RIGHT_DS_CONTROL_ACCESS = 256;
export const ADS_RIGHT_DS_CREATE_CHILD = 1;
export const ADS_RIGHT_DS_DELETE_CHILD = 2;
export const ADS_RIGHT_DS_DELETE_TREE = 64;
export const ADS_RIGHT_DS_LIST_OBJECT = 128;
export const ADS_RIGHT_DS_READ_PROP = 16;
export const ADS_RIGHT_DS_SELF = 8;
export const ADS_RIGHT_DS_WRITE_PROP = 32;
export const CRED_PERSIST_LOCAL_MACHINE = 2;
export const CRED_TYPE_GENERIC = 1;
export const DACL_SECURITY_INFORMATION = 4;
export const OWNER_SECURITY_INFORMATION = 1;
export const PROTECTED_DACL_SECURITY_INFORMATION = 0x80000000;
export const SDDL_REVISION_1 = 1;
export const SECURITY_MANDATORY_HIGH_RID = 0x3000;
export const SECURITY_MANDATORY_LOW_RID = 0x1000;
export const SECURITY_MANDATORY_MEDIUM_RID = 0x2000;
export const SECURITY_MANDATORY_SYSTEM_RID = 0x4000;
export const SE_FILE_OBJECT = 1;
export const TOKEN_DUPLICATE = 2;
export const TOKEN_QUERY = 8;
export const TokenIntegrityLevel = 25;
export const TokenUser = 1;
