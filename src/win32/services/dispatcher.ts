/**
 * This process as a Windows service: connected to the service manager, which gets truthful states and sends controls.
 * Source: learn.microsoft.com/windows/win32/services/service-programs
 */
import { addressOf, type RegisteredCallback } from '../../../native-bindings/library.ts';
import { advapi32, ServiceHandler, ServiceMain } from '../../../native-bindings/win32/advapi32.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import {
  SERVICE_STATUS,
  SERVICE_TABLE_ENTRYW,
  WTSSESSION_NOTIFICATION,
} from '../../../native-bindings/win32/structs.ts';
import type { SessionChange } from '../../contract/process/service-channel.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';

export type ServiceControl =
  | { readonly kind: 'stop' }
  | { readonly kind: 'session'; readonly session: number; readonly change: SessionChange | 'logon' | 'logoff' }
  | { readonly kind: 'power'; readonly change: 'suspend' | 'resume' };

/** What the service manager calls a state that lasts: it gives up on a service whose check point stays the same. */
export interface ServiceStatus {
  /** Still starting; another step is done. `nextMs`: by then there is news. */
  starting(nextMs: number): void;
  running(): void;
  stopping(nextMs: number): void;
  /** The last one: the process may end. A failure is a number of our own, not 0, that `sc query` shows. */
  stopped(failure?: number): void;
}

export interface ServiceHandlers {
  /** Returns at once; `status` is used afterwards. It must not throw. */
  start(status: ServiceStatus): void;
  control(control: ServiceControl): void;
}

const SESSION_CHANGES: Readonly<Record<number, SessionChange | 'logon' | 'logoff'>> = {
  [m.WTS_CONSOLE_CONNECT]: 'connect',
  [m.WTS_CONSOLE_DISCONNECT]: 'disconnect',
  [m.WTS_REMOTE_CONNECT]: 'connect',
  [m.WTS_REMOTE_DISCONNECT]: 'disconnect',
  [m.WTS_SESSION_LOGON]: 'logon',
  [m.WTS_SESSION_LOGOFF]: 'logoff',
  [m.WTS_SESSION_TERMINATE]: 'logoff',
  [m.WTS_SESSION_LOCK]: 'lock',
  [m.WTS_SESSION_UNLOCK]: 'unlock',
};

/** A control as our own words; null for any other control. `data` belongs to the caller and is read here only. */
export function readControl(control: number, event: number, data: bigint): ServiceControl | null {
  switch (control) {
    case m.SERVICE_CONTROL_STOP:
    case m.SERVICE_CONTROL_PRESHUTDOWN:
      return { kind: 'stop' };
    case m.SERVICE_CONTROL_SESSIONCHANGE: {
      const change = SESSION_CHANGES[event];
      return change === undefined || data === 0n
        ? null
        : { kind: 'session', session: WTSSESSION_NOTIFICATION.readAt(data).dwSessionId, change };
    }
    case m.SERVICE_CONTROL_POWEREVENT:
      // Each resume comes as "automatic"; a second one follows if a person caused it.
      if (event === m.PBT_APMSUSPEND) return { kind: 'power', change: 'suspend' };
      return event === m.PBT_APMRESUMEAUTOMATIC ? { kind: 'power', change: 'resume' } : null;
    default:
      return null;
  }
}

const KNOWN: ReadonlySet<number> = new Set([
  m.SERVICE_CONTROL_INTERROGATE,
  m.SERVICE_CONTROL_STOP,
  m.SERVICE_CONTROL_PRESHUTDOWN,
  m.SERVICE_CONTROL_SESSIONCHANGE,
  m.SERVICE_CONTROL_POWEREVENT,
]);

const ACCEPTED =
  m.SERVICE_ACCEPT_STOP | m.SERVICE_ACCEPT_PRESHUTDOWN | m.SERVICE_ACCEPT_SESSIONCHANGE | m.SERVICE_ACCEPT_POWEREVENT;

/** Reports states by SetServiceStatus, each pending one with the next check point. */
class ReportedStatus implements ServiceStatus {
  readonly #handle: number;
  #checkPoint = 0;
  #isStopped = false;

  constructor(handle: number) {
    this.#handle = handle;
  }

  starting(nextMs: number): void {
    this.#pending(m.SERVICE_START_PENDING, nextMs);
  }

  running(): void {
    this.#checkPoint = 0;
    this.#set({ dwCurrentState: m.SERVICE_RUNNING, dwControlsAccepted: ACCEPTED });
  }

  stopping(nextMs: number): void {
    this.#pending(m.SERVICE_STOP_PENDING, nextMs);
  }

  stopped(failure = 0): void {
    this.#checkPoint = 0;
    this.#set({
      dwCurrentState: m.SERVICE_STOPPED,
      dwWin32ExitCode: failure === 0 ? 0 : m.ERROR_SERVICE_SPECIFIC_ERROR,
      dwServiceSpecificExitCode: failure,
    });
    this.#isStopped = true;
  }

  #pending(state: number, nextMs: number): void {
    this.#checkPoint += 1;
    this.#set({ dwCurrentState: state, dwCheckPoint: this.#checkPoint, dwWaitHint: nextMs });
  }

  /** After STOPPED the handle must not be used any more. */
  #set(values: Parameters<typeof SERVICE_STATUS.alloc>[0]): void {
    if (this.#isStopped) return;
    advapi32.SetServiceStatus(
      this.#handle,
      SERVICE_STATUS.alloc({ dwServiceType: m.SERVICE_WIN32_OWN_PROCESS, ...values }),
    );
  }
}

/**
 * Serves until the service has stopped. False if no service manager started this process. Windows calls on threads of its
 * own; the handlers run on this one.
 * Source: learn.microsoft.com/windows/win32/api/winsvc/nf-winsvc-startservicectrldispatcherw
 */
export async function runService(name: string, handlers: ServiceHandlers): Promise<boolean> {
  const kept: RegisteredCallback[] = [];
  const handler = ServiceHandler.register((control, event, data) => {
    const read = readControl(control, event, data);
    // The service manager waits for the answer: what follows runs after it.
    if (read !== null) setImmediate(() => handlers.control(read));
    return KNOWN.has(control) ? 0 : m.ERROR_CALL_NOT_IMPLEMENTED;
  });
  const main = ServiceMain.register(() => {
    const handle = advapi32.RegisterServiceCtrlHandlerExW(name, handler.address, null);
    if (handle !== 0) handlers.start(new ReportedStatus(handle));
  });
  kept.push(handler, main);
  const text = Buffer.from(`${name}\0`, 'utf16le');
  const table = SERVICE_TABLE_ENTRYW.alloc({ lpServiceName: addressOf(text), lpServiceProc: main.address }, 2);
  try {
    const isServed = await advapi32.StartServiceCtrlDispatcherW.async(table);
    // Read here so that the name is not collected before the call returns.
    return isServed && text.length > 0;
  } finally {
    for (const each of kept) each[Symbol.dispose]();
  }
}

// What a process with the system's rights loads, whatever the folder and the environment that it was started with.

/**
 * DLLs that are named without a folder come from System32 alone, not from the program's folder, the working directory or the
 * PATH. Source: learn.microsoft.com/windows/win32/dlls/dynamic-link-library-security
 */
export function restrictDllSearch(): void {
  if (kernel32.has('SetDefaultDllDirectories')) kernel32.SetDefaultDllDirectories(m.LOAD_LIBRARY_SEARCH_SYSTEM32);
}
