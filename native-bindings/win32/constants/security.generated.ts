// generated, do not edit: `node scripts/generate-bindings.ts`
// Tokens, access control, credentials and trust.
export const CRED_PERSIST_LOCAL_MACHINE = 2;
export const CRED_TYPE_GENERIC = 1;
export const DACL_SECURITY_INFORMATION = 4;
export const OWNER_SECURITY_INFORMATION = 1;
export const SDDL_REVISION_1 = 1;
export const SE_FILE_OBJECT = 1;
export const TOKEN_DUPLICATE = 2;
export const TOKEN_QUERY = 8;
