/** Tokens, SIDs, access lists, credentials, services. Reference: https://learn.microsoft.com/windows/win32/api/winnt/ */
import { bytes, layout } from '../../layout.ts';
import { LUID } from './display-config.ts';

export const SID_AND_ATTRIBUTES = layout('SID_AND_ATTRIBUTES', { Sid: 'ptr', Attributes: 'uint32' });
export const TOKEN_USER = layout('TOKEN_USER', { User: SID_AND_ATTRIBUTES });
export const TOKEN_MANDATORY_LABEL = layout('TOKEN_MANDATORY_LABEL', { Label: SID_AND_ATTRIBUTES });
export const TOKEN_ELEVATION = layout('TOKEN_ELEVATION', { TokenIsElevated: 'uint32' });
export const LUID_AND_ATTRIBUTES = layout('LUID_AND_ATTRIBUTES', { Luid: LUID, Attributes: 'uint32' });
/** With one privilege. */
export const TOKEN_PRIVILEGES = layout('TOKEN_PRIVILEGES', {
  PrivilegeCount: 'uint32',
  Privileges: LUID_AND_ATTRIBUTES,
});
export const ACL_SIZE_INFORMATION = layout('ACL_SIZE_INFORMATION', {
  AceCount: 'uint32',
  AclBytesInUse: 'uint32',
  AclBytesFree: 'uint32',
});
export const ACE_HEADER = layout('ACE_HEADER', { AceType: 'uint8', AceFlags: 'uint8', AceSize: 'uint16' });
/** The SID begins at `SidStart`. */
export const ACCESS_ALLOWED_ACE = layout('ACCESS_ALLOWED_ACE', {
  Header: ACE_HEADER,
  Mask: 'uint32',
  SidStart: 'uint32',
});
/** https://learn.microsoft.com/windows/win32/api/wincred/ns-wincred-credentialw */
export const CREDENTIALW = layout('CREDENTIALW', {
  Flags: 'uint32',
  Type: 'uint32',
  TargetName: 'ptr',
  Comment: 'ptr',
  LastWritten: 'filetime',
  CredentialBlobSize: 'uint32',
  CredentialBlob: 'ptr',
  Persist: 'uint32',
  AttributeCount: 'uint32',
  Attributes: 'ptr',
  TargetAlias: 'ptr',
  UserName: 'ptr',
});
/** https://learn.microsoft.com/windows/win32/api/winsvc/ns-winsvc-service_status */
export const SERVICE_STATUS = layout('SERVICE_STATUS', {
  dwServiceType: 'uint32',
  dwCurrentState: 'uint32',
  dwControlsAccepted: 'uint32',
  dwWin32ExitCode: 'uint32',
  dwServiceSpecificExitCode: 'uint32',
  dwCheckPoint: 'uint32',
  dwWaitHint: 'uint32',
});
export const SERVICE_STATUS_PROCESS = layout('SERVICE_STATUS_PROCESS', {
  dwServiceType: 'uint32',
  dwCurrentState: 'uint32',
  dwControlsAccepted: 'uint32',
  dwWin32ExitCode: 'uint32',
  dwServiceSpecificExitCode: 'uint32',
  dwCheckPoint: 'uint32',
  dwWaitHint: 'uint32',
  dwProcessId: 'uint32',
  dwServiceFlags: 'uint32',
});
export const SERVICE_TABLE_ENTRYW = layout('SERVICE_TABLE_ENTRYW', { lpServiceName: 'ptr', lpServiceProc: 'ptr' });
export const SERVICE_DESCRIPTIONW = layout('SERVICE_DESCRIPTIONW', { lpDescription: 'ptr' });
export const SC_ACTION = layout('SC_ACTION', { Type: 'int32', Delay: 'uint32' });
export const SERVICE_FAILURE_ACTIONSW = layout('SERVICE_FAILURE_ACTIONSW', {
  dwResetPeriod: 'uint32',
  lpRebootMsg: 'ptr',
  lpCommand: 'ptr',
  cActions: 'uint32',
  lpsaActions: 'ptr',
});
/** https://learn.microsoft.com/windows/win32/api/winsvc/ns-winsvc-query_service_configw */
export const QUERY_SERVICE_CONFIGW = layout('QUERY_SERVICE_CONFIGW', {
  dwServiceType: 'uint32',
  dwStartType: 'uint32',
  dwErrorControl: 'uint32',
  lpBinaryPathName: 'ptr',
  lpLoadOrderGroup: 'ptr',
  dwTagId: 'uint32',
  lpDependencies: 'ptr',
  lpServiceStartName: 'ptr',
  lpDisplayName: 'ptr',
});
export const SERVICE_PRESHUTDOWN_INFO = layout('SERVICE_PRESHUTDOWN_INFO', { dwPreshutdownTimeout: 'uint32' });
/** https://learn.microsoft.com/windows/win32/api/winuser/ns-winuser-wtssession_notification */
export const WTSSESSION_NOTIFICATION = layout('WTSSESSION_NOTIFICATION', { cbSize: 'uint32', dwSessionId: 'uint32' });
/** https://learn.microsoft.com/windows/win32/api/wtsapi32/ns-wtsapi32-wts_session_infow */
export const WTS_SESSION_INFOW = layout('WTS_SESSION_INFOW', {
  SessionId: 'uint32',
  pWinStationName: 'ptr',
  State: 'int32',
});
/** https://learn.microsoft.com/windows/win32/api/guiddef/ns-guiddef-guid */
export const GUID = layout('GUID', { Data1: 'uint32', Data2: 'uint16', Data3: 'uint16', Data4: bytes(8) });

/** https://learn.microsoft.com/windows/win32/api/wintrust/ns-wintrust-wintrust_file_info */
export const WINTRUST_FILE_INFO = layout('WINTRUST_FILE_INFO', {
  cbStruct: 'uint32',
  pcwszFilePath: 'ptr',
  hFile: 'handle',
  pgKnownSubject: 'ptr',
});
/** https://learn.microsoft.com/windows/win32/api/wintrust/ns-wintrust-wintrust_data */
export const WINTRUST_DATA = layout('WINTRUST_DATA', {
  cbStruct: 'uint32',
  pPolicyCallbackData: 'ptr',
  pSIPClientData: 'ptr',
  dwUIChoice: 'uint32',
  fdwRevocationChecks: 'uint32',
  dwUnionChoice: 'uint32',
  pFile: 'ptr',
  dwStateAction: 'uint32',
  hWVTStateData: 'handle',
  pwszURLReference: 'ptr',
  dwProvFlags: 'uint32',
  dwUIContext: 'uint32',
});
/** https://learn.microsoft.com/windows/win32/api/tcpmib/ns-tcpmib-mib_tcprow_owner_pid */
export const MIB_TCPROW_OWNER_PID = layout('MIB_TCPROW_OWNER_PID', {
  dwState: 'uint32',
  dwLocalAddr: 'uint32',
  dwLocalPort: 'uint32',
  dwRemoteAddr: 'uint32',
  dwRemotePort: 'uint32',
  dwOwningPid: 'uint32',
});

/** Followed by the source's name. https://learn.microsoft.com/windows/win32/api/winnt/ns-winnt-eventlogrecord */
export const EVENTLOGRECORD = layout('EVENTLOGRECORD', {
  Length: 'uint32',
  Reserved: 'uint32',
  RecordNumber: 'uint32',
  TimeGenerated: 'uint32',
  TimeWritten: 'uint32',
  EventID: 'uint32',
  EventType: 'uint16',
  NumStrings: 'uint16',
  EventCategory: 'uint16',
  ReservedFlags: 'uint16',
  ClosingRecordNumber: 'uint32',
  StringOffset: 'uint32',
  UserSidLength: 'uint32',
  UserSidOffset: 'uint32',
  DataLength: 'uint32',
  DataOffset: 'uint32',
});
