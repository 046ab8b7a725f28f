/** The kind of control that a window is. */
import { kindOfClass, type ControlKind } from '../../windows/classes.ts';
import { classNameOf, realClassOf } from '../../windows/window-info.ts';

/** The standard control, or the kind of its base class. */
export function kindOfWindow(hwnd: number): ControlKind {
  return kindOfClass(classNameOf(hwnd)) ?? kindOfClass(realClassOf(hwnd)) ?? 'other';
}
