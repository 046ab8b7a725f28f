/** Points, rectangles and sizes. */
import { layout } from '../../layout.ts';

/** https://learn.microsoft.com/windows/win32/api/windef/ns-windef-point */
export const POINT = layout('POINT', { x: 'int32', y: 'int32' });
/** Right and bottom are outside. https://learn.microsoft.com/windows/win32/api/windef/ns-windef-rect */
export const RECT = layout('RECT', { left: 'int32', top: 'int32', right: 'int32', bottom: 'int32' });
/** https://learn.microsoft.com/windows/win32/api/windef/ns-windef-size */
export const SIZE = layout('SIZE', { cx: 'int32', cy: 'int32' });
/** https://learn.microsoft.com/windows/console/coord-str */
export const COORD = layout('COORD', { X: 'int16', Y: 'int16' });
/** Right and bottom are inside. https://learn.microsoft.com/windows/console/small-rect-str */
export const SMALL_RECT = layout('SMALL_RECT', { Left: 'int16', Top: 'int16', Right: 'int16', Bottom: 'int16' });
/** https://learn.microsoft.com/windows/win32/api/uxtheme/ns-uxtheme-margins */
export const MARGINS = layout('MARGINS', {
  cxLeftWidth: 'int32',
  cxRightWidth: 'int32',
  cyTopHeight: 'int32',
  cyBottomHeight: 'int32',
});
