/** The system topic on Windows: what the session doctor checks. */
import { DWMWA_CLOAKED } from '../../../native-bindings/win32/constants.ts';
import { dwmapi } from '../../../native-bindings/win32/dwmapi.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { SessionFacts } from '../../contract/process/doctor.ts';
import type { SystemPort } from '../../desktop/index.ts';
import type { Win32Services } from './services.ts';
import { hasInputOrigin, hasUiAutomation, sessionFacts } from '../windows/session-facts.ts';
import { hostBundleId } from '../system/process.ts';
import { windowsVersion } from '../system/session.ts';
import { throwIfAborted } from '../windows/waiting.ts';
import { isPerMonitorAware } from '../windows/rects.ts';
import { answers } from '../windows/ask.ts';
import { isSameWindow } from '../windows/record.ts';

/** Time limit (ms) for checking whether a target hangs; the doctor must answer soon itself. */
const TARGET_PING_MS = 300;

/** A window attribute reports cloaking on every system that supports it. */
function reportsCloaking(): boolean {
  const value = Buffer.alloc(4);
  const shell = user32.GetShellWindow();
  return dwmapi.DwmGetWindowAttribute(shell === 0 ? user32.GetDesktopWindow() : shell, DWMWA_CLOAKED, value, 4) >= 0;
}

/** docs/behaviour.md#lifecycle: what the session doctor judges. */
export function createSystemPort(services: Win32Services): SystemPort {
  const target = async (record: BindingRecord | null): Promise<SessionFacts['target']> => {
    if (record === null || !isSameWindow(record)) return null;
    const hwnd = Number(record.hwnd);
    const window = services.describeWindow(hwnd);
    if (window === null) return null;
    return { isHung: !(await answers(hwnd, TARGET_PING_MS)), integrity: window.process.integrity, title: window.title };
  };

  return {
    async facts(record, call) {
      throwIfAborted(call);
      return { ...sessionFacts(), target: await target(record) };
    },

    async capabilities(call) {
      throwIfAborted(call);
      return {
        hostBundleId: hostBundleId(),
        windowsVersion: windowsVersion().text,
        perMonitorDpi: isPerMonitorAware(),
        uiAutomation: hasUiAutomation(),
        cloaking: reportsCloaking(),
        displayNames: user32.has('QueryDisplayConfig'),
        packagedApps: kernel32.has('GetApplicationUserModelId'),
        inputOrigin: hasInputOrigin(),
        displayAffinity: user32.has('SetWindowDisplayAffinity'),
      };
    },

    answers: async (record, withinMs) => isSameWindow(record) && answers(Number(record.hwnd), withinMs),
  };
}
