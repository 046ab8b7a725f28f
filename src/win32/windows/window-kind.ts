/** The kind of control that a window is. */
import { kindOfClass, type ControlKind } from './classes.ts';
import { classNameOf, realClassOf } from './window-info.ts';

/** The standard control of the window's class, or of the class that it is derived from; `other` if Windows knows neither. */
export function kindOfWindow(hwnd: number, className: string = classNameOf(hwnd)): ControlKind {
  return kindOfClass(className) ?? kindOfClass(realClassOf(hwnd)) ?? 'other';
}
