/** Which abilities of Windows the doctor asks for: UI Automation, and the origin of input. */
import { HKEY_CLASSES_ROOT } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { RegistryKey } from './registry.ts';

/** The CUIAutomation class. Source: learn.microsoft.com/windows/win32/winauto/uiauto-creatingcuiautomation */
const CUIAUTOMATION = 'CLSID\\{ff48dba4-60ef-4201-aa87-54103eef594e}\\InprocServer32';

export function hasUiAutomation(): boolean {
  using key = RegistryKey.open(HKEY_CLASSES_ROOT, CUIAUTOMATION);
  return key !== null;
}

export const hasInputOrigin = (): boolean => user32.has('GetCurrentInputMessageSource');
