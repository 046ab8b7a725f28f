/** Edit controls, which are password fields by their style. */
import { ES_PASSWORD } from '../../../native-bindings/win32/constants.ts';
import { realClassOf, windowStyle } from './window-info.ts';

/** Whether a window is an edit control by its class, which never changes. Rich edits and wrappers have “edit” in their names. */
export const isEditClass = (hwnd: number, className: string, isSystemClass: boolean): boolean =>
  /edit|textbox/i.test(className) || (!isSystemClass && realClassOf(hwnd).toLowerCase() === 'edit');

/** Whether an edit control is a password field now. Its style changes without a report. */
export const isPasswordField = (edit: number): boolean => (windowStyle(edit) & ES_PASSWORD) !== 0;
