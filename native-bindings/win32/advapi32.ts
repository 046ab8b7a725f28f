/** Registry, tokens, security, credentials, services: advapi32.dll. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, callback, fn } from '../library.ts';

/** Called for controls of a service. https://learn.microsoft.com/windows/win32/api/winsvc/nc-winsvc-lphandler_function_ex */
export const ServiceHandler = callback('uint32', ['uint32 control', 'uint32 event', 'ptr data', 'ptr context']);
/** A service’s start; `arguments` points to string pointers. https://learn.microsoft.com/windows/win32/api/winsvc/nc-winsvc-lpservice_main_functionw */
export const ServiceMain = callback('void', ['uint32 count', 'ptr arguments']);

export const advapi32 = bindLibrary('advapi32.dll', {
  // Registry
  /** Opens a key (uint64). https://learn.microsoft.com/windows/win32/api/winreg/nf-winreg-regopenkeyexw */
  RegOpenKeyExW: fn('int32', ['handle key', 'str16 subKey', 'uint32 options', 'uint32 access', 'ptr opened']),
  /** Makes or opens a key. https://learn.microsoft.com/windows/win32/api/winreg/nf-winreg-regcreatekeyexw */
  RegCreateKeyExW: fn('int32', [
    'handle key',
    'str16 subKey',
    'uint32 reserved',
    'str16 className',
    'uint32 options',
    'uint32 access',
    'ptr security',
    'ptr opened',
    'ptr disposition',
  ]),
  /** Closes it. https://learn.microsoft.com/windows/win32/api/winreg/nf-winreg-regclosekey */
  RegCloseKey: fn('int32', ['handle key']),
  /** A subkey's name; 259 = no more. https://learn.microsoft.com/windows/win32/api/winreg/nf-winreg-regenumkeyexw */
  RegEnumKeyExW: fn('int32', [
    'handle key',
    'uint32 index',
    'ptr name',
    'ptr capacity',
    'ptr reserved',
    'ptr className',
    'ptr classCapacity',
    'ptr written',
  ]),
  /** A value; 259 = no more. https://learn.microsoft.com/windows/win32/api/winreg/nf-winreg-regenumvaluew */
  RegEnumValueW: fn('int32', [
    'handle key',
    'uint32 index',
    'ptr name',
    'ptr capacity',
    'ptr reserved',
    'ptr kind',
    'ptr data',
    'ptr size',
  ]),
  /** A value's kind, data and size. https://learn.microsoft.com/windows/win32/api/winreg/nf-winreg-regqueryvalueexw */
  RegQueryValueExW: fn('int32', ['handle key', 'str16 name', 'ptr reserved', 'ptr kind', 'ptr data', 'ptr size']),
  /** Sets a value. https://learn.microsoft.com/windows/win32/api/winreg/nf-winreg-regsetvalueexw */
  RegSetValueExW: fn('int32', [
    'handle key',
    'str16 name',
    'uint32 reserved',
    'uint32 kind',
    'ptr data',
    'uint32 size',
  ]),
  /** Deletes a value. https://learn.microsoft.com/windows/win32/api/winreg/nf-winreg-regdeletevaluew */
  RegDeleteValueW: fn('int32', ['handle key', 'str16 name']),
  /** Deletes a key without subkeys. https://learn.microsoft.com/windows/win32/api/winreg/nf-winreg-regdeletekeyexw */
  RegDeleteKeyExW: fn('int32', ['handle key', 'str16 subKey', 'uint32 view', 'uint32 reserved']),
  /** Writes a key and what is in it to the disk now. https://learn.microsoft.com/windows/win32/api/winreg/nf-winreg-regflushkey */
  RegFlushKey: fn('int32', ['handle key']),
  /** Signals an event at a change. https://learn.microsoft.com/windows/win32/api/winreg/nf-winreg-regnotifychangekeyvalue */
  RegNotifyChangeKeyValue: fn('int32', [
    'handle key',
    'bool subtree',
    'uint32 filter',
    'handle event',
    'bool asynchronous',
  ]),

  // Tokens and integrity
  /** Token of a process (uint64). https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-openprocesstoken */
  OpenProcessToken: fn('bool', ['handle process', 'uint32 access', 'ptr token']),
  /** User, integrity, elevation, session … https://learn.microsoft.com/windows/win32/api/securitybaseapi/nf-securitybaseapi-gettokeninformation */
  GetTokenInformation: fn('bool', ['handle token', 'int32 kind', 'ptr info', 'uint32 size', 'ptr needed']),
  /** A SID from text, to be freed with LocalFree. https://learn.microsoft.com/windows/win32/api/sddl/nf-sddl-convertstringsidtosidw */
  ConvertStringSidToSidW: fn('bool', ['str16 text', 'ptr sid']),
  /** Name of an account. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-lookupaccountsidw */
  LookupAccountSidW: fn('bool', [
    'str16 system',
    'ptr sid',
    'ptr name',
    'ptr nameCapacity',
    'ptr domain',
    'ptr domainCapacity',
    'ptr kind',
  ]),
  /** SID of an account by its name. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-lookupaccountnamew */
  LookupAccountNameW: fn('bool', [
    'str16 system',
    'str16 account',
    'ptr sid',
    'ptr sidCapacity',
    'ptr domain',
    'ptr domainCapacity',
    'ptr kind',
  ]),
  /** Token of an account; of LocalService without a password. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-logonuserw */
  LogonUserW: fn('bool', [
    'str16 user',
    'str16 domain',
    'str16 password',
    'uint32 kind',
    'uint32 provider',
    'ptr token',
  ]),
  /** Starts a program as another user. https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-createprocessasuserw */
  CreateProcessAsUserW: fn('bool', [
    'handle token',
    'str16 program',
    'ptr commandLine',
    'ptr processAttributes',
    'ptr threadAttributes',
    'bool inherit',
    'uint32 flags',
    'ptr environment',
    'str16 directory',
    'ptr startup',
    'ptr information',
  ]),

  // Security descriptors
  /** Sets owner or list of a file. https://learn.microsoft.com/windows/win32/api/aclapi/nf-aclapi-setnamedsecurityinfow */
  SetNamedSecurityInfoW: fn('uint32', [
    'str16 name',
    'int32 kind',
    'uint32 parts',
    'ptr owner',
    'ptr group',
    'ptr dacl',
    'ptr sacl',
  ]),
  /** The same for an open object. https://learn.microsoft.com/windows/win32/api/aclapi/nf-aclapi-setsecurityinfo */
  SetSecurityInfo: fn('uint32', [
    'handle object',
    'int32 kind',
    'uint32 parts',
    'ptr owner',
    'ptr group',
    'ptr dacl',
    'ptr sacl',
  ]),
  /** Reads them of an open object; freed with LocalFree. https://learn.microsoft.com/windows/win32/api/aclapi/nf-aclapi-getsecurityinfo */
  GetSecurityInfo: fn('uint32', [
    'handle object',
    'int32 kind',
    'uint32 parts',
    'ptr owner',
    'ptr group',
    'ptr dacl',
    'ptr sacl',
    'ptr descriptor',
  ]),
  /** Sets exactly what the descriptor says on an open object; nothing is inherited by children. https://learn.microsoft.com/windows/win32/api/securitybaseapi/nf-securitybaseapi-setkernelobjectsecurity */
  SetKernelObjectSecurity: fn('bool', ['handle object', 'uint32 parts', 'ptr descriptor']),
  /** Its owner. https://learn.microsoft.com/windows/win32/api/securitybaseapi/nf-securitybaseapi-getsecuritydescriptorowner */
  GetSecurityDescriptorOwner: fn('bool', ['ptr descriptor', 'ptr owner', 'ptr defaulted']),
  /** Sets exactly what the descriptor says; nothing is merged or inherited by children. https://learn.microsoft.com/windows/win32/api/securitybaseapi/nf-securitybaseapi-setfilesecurityw */
  SetFileSecurityW: fn('bool', ['str16 path', 'uint32 parts', 'ptr descriptor']),
  /** Reads them; the descriptor is freed with LocalFree. https://learn.microsoft.com/windows/win32/api/aclapi/nf-aclapi-getnamedsecurityinfow */
  GetNamedSecurityInfoW: fn('uint32', [
    'str16 name',
    'int32 kind',
    'uint32 parts',
    'ptr owner',
    'ptr group',
    'ptr dacl',
    'ptr sacl',
    'ptr descriptor',
  ]),
  /** A descriptor from SDDL, freed with LocalFree (uint64). https://learn.microsoft.com/windows/win32/api/sddl/nf-sddl-convertstringsecuritydescriptortosecuritydescriptorw */
  ConvertStringSecurityDescriptorToSecurityDescriptorW: fn('bool', [
    'str16 text',
    'uint32 revision',
    'ptr descriptor',
    'ptr size',
  ]),
  /** Bytes of a self-relative descriptor. https://learn.microsoft.com/windows/win32/api/securitybaseapi/nf-securitybaseapi-getsecuritydescriptorlength */
  GetSecurityDescriptorLength: fn('uint32', ['ptr descriptor']),
  /** Its list. https://learn.microsoft.com/windows/win32/api/securitybaseapi/nf-securitybaseapi-getsecuritydescriptordacl */
  GetSecurityDescriptorDacl: fn('bool', ['ptr descriptor', 'ptr present', 'ptr dacl', 'ptr defaulted']),

  // Credentials
  /** CREDENTIALW, freed with CredFree (uint64). https://learn.microsoft.com/windows/win32/api/wincred/nf-wincred-credreadw */
  CredReadW: fn('bool', ['str16 target', 'uint32 kind', 'uint32 flags', 'ptr credential']),
  /** Stores a CREDENTIALW. https://learn.microsoft.com/windows/win32/api/wincred/nf-wincred-credwritew */
  CredWriteW: fn('bool', ['ptr credential', 'uint32 flags']),
  /** An array of pointers, freed with CredFree. https://learn.microsoft.com/windows/win32/api/wincred/nf-wincred-credenumeratew */
  CredEnumerateW: fn('bool', ['str16 filter', 'uint32 flags', 'ptr count', 'ptr credentials']),
  /** Deletes one. https://learn.microsoft.com/windows/win32/api/wincred/nf-wincred-creddeletew */
  CredDeleteW: fn('bool', ['str16 target', 'uint32 kind', 'uint32 flags']),
  /** Frees what they returned. https://learn.microsoft.com/windows/win32/api/wincred/nf-wincred-credfree */
  CredFree: fn('void', ['ptr buffer']),

  // Services
  /** Connects a service process; returns when its services have stopped. https://learn.microsoft.com/windows/win32/api/winsvc/nf-winsvc-startservicectrldispatcherw */
  StartServiceCtrlDispatcherW: fn('bool', ['ptr table']),
  /** Handle for SetServiceStatus; 0 = failed. https://learn.microsoft.com/windows/win32/api/winsvc/nf-winsvc-registerservicectrlhandlerexw */
  RegisterServiceCtrlHandlerExW: fn('handle', ['str16 name', ServiceHandler, 'ptr context']),
  /** SERVICE_STATUS. https://learn.microsoft.com/windows/win32/api/winsvc/nf-winsvc-setservicestatus */
  SetServiceStatus: fn('bool', ['handle service', 'ptr status']),
  /** The service manager; 0 = failed. https://learn.microsoft.com/windows/win32/api/winsvc/nf-winsvc-openscmanagerw */
  OpenSCManagerW: fn('handle', ['str16 machine', 'str16 database', 'uint32 access']),
  /** A service; 0 = failed. https://learn.microsoft.com/windows/win32/api/winsvc/nf-winsvc-openservicew */
  OpenServiceW: fn('handle', ['handle manager', 'str16 name', 'uint32 access']),
  /** Registers a service; 0 = failed. https://learn.microsoft.com/windows/win32/api/winsvc/nf-winsvc-createservicew */
  CreateServiceW: fn('handle', [
    'handle manager',
    'str16 name',
    'str16 displayName',
    'uint32 access',
    'uint32 kind',
    'uint32 start',
    'uint32 errorControl',
    'str16 program',
    'str16 group',
    'ptr tag',
    'ptr dependencies',
    'str16 account',
    'str16 password',
  ]),
  /** Marks it for removal. https://learn.microsoft.com/windows/win32/api/winsvc/nf-winsvc-deleteservice */
  DeleteService: fn('bool', ['handle service']),
  /** Starts it. https://learn.microsoft.com/windows/win32/api/winsvc/nf-winsvc-startservicew */
  StartServiceW: fn('bool', ['handle service', 'uint32 count', 'ptr arguments']),
  /** Stops it or sends a control. https://learn.microsoft.com/windows/win32/api/winsvc/nf-winsvc-controlservice */
  ControlService: fn('bool', ['handle service', 'uint32 control', 'ptr status']),
  /** SERVICE_STATUS_PROCESS. https://learn.microsoft.com/windows/win32/api/winsvc/nf-winsvc-queryservicestatusex */
  QueryServiceStatusEx: fn('bool', ['handle service', 'int32 level', 'ptr status', 'uint32 size', 'ptr needed']),
  /** Description, failure actions … https://learn.microsoft.com/windows/win32/api/winsvc/nf-winsvc-changeserviceconfig2w */
  ChangeServiceConfig2W: fn('bool', ['handle service', 'uint32 level', 'ptr info']),
  /** Changes its program, start, display name … https://learn.microsoft.com/windows/win32/api/winsvc/nf-winsvc-changeserviceconfigw */
  ChangeServiceConfigW: fn('bool', [
    'handle service',
    'uint32 kind',
    'uint32 start',
    'uint32 errorControl',
    'str16 program',
    'str16 group',
    'ptr tag',
    'ptr dependencies',
    'str16 account',
    'str16 password',
    'str16 displayName',
  ]),
  /** QUERY_SERVICE_CONFIGW. https://learn.microsoft.com/windows/win32/api/winsvc/nf-winsvc-queryserviceconfigw */
  QueryServiceConfigW: fn('bool', ['handle service', 'ptr config', 'uint32 size', 'ptr needed']),
  /** Sets it. https://learn.microsoft.com/windows/win32/api/winsvc/nf-winsvc-setserviceobjectsecurity */
  SetServiceObjectSecurity: fn('bool', ['handle service', 'uint32 parts', 'ptr descriptor']),
  /** Closes it. https://learn.microsoft.com/windows/win32/api/winsvc/nf-winsvc-closeservicehandle */
  CloseServiceHandle: fn('bool', ['handle service']),

  // Event log
  /** A source; 0 = failed. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-registereventsourcew */
  RegisterEventSourceW: fn('handle', ['str16 server', 'str16 source']),
  /** Writes an event. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-reporteventw */
  ReportEventW: fn('bool', [
    'handle log',
    'uint16 kind',
    'uint16 category',
    'uint32 event',
    'ptr user',
    'uint16 count',
    'uint32 size',
    'ptr strings',
    'ptr data',
  ]),
  /** Closes it. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-deregistereventsource */
  DeregisterEventSource: fn('bool', ['handle log']),
  /** Records from a log, EVENTLOGRECORDs one after the other. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-readeventlogw */
  ReadEventLogW: fn('bool', [
    'handle log',
    'uint32 flags',
    'uint32 record',
    'ptr buffer',
    'uint32 size',
    'ptr read',
    'ptr needed',
  ]),
  /** A log, to read; 0 = failed. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-openeventlogw */
  OpenEventLogW: fn('handle', ['str16 server', 'str16 log']),
  /** Closes it. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-closeeventlog */
  CloseEventLog: fn('bool', ['handle log']),
  /** How many records it has. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-getnumberofeventlogrecords */
  GetNumberOfEventLogRecords: fn('bool', ['handle log', 'ptr count']),
  /** The number of its oldest record. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-getoldesteventlogrecord */
  GetOldestEventLogRecord: fn('bool', ['handle log', 'ptr number']),
});
