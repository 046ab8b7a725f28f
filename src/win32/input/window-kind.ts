/** What kind of control a window is. */
import { kindOfClass, type ControlKind } from '../uia/classes.ts';
import { classNameOf, realClassOf } from '../uia/window-info.ts';

/** Standard control or kind of its base class. */
export function kindOfWindow(hwnd: number): ControlKind {
  return kindOfClass(classNameOf(hwnd)) ?? kindOfClass(realClassOf(hwnd)) ?? 'other';
}
