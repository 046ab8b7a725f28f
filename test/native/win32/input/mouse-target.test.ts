/** Which child window at a point receives mouse messages. */
import { expect, test } from 'vitest';
import {
  GWL_EXSTYLE,
  SWP_NOACTIVATE,
  WS_EX_LAYERED,
  WS_EX_STATICEDGE,
  WS_EX_TRANSPARENT,
} from '../../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { rectCentre } from '../../../../src/contract/element/coordinates.ts';
import { findMouseTarget } from '../../../../src/win32/input/mouse-target.ts';
import { outerRect, toClient } from '../../../../src/win32/windows/rects.ts';
import { controlId } from '../../../support/controls.ts';
import { Fixture } from '../support/programs.ts';

test.each([
  ['layered and transparent', WS_EX_LAYERED | WS_EX_TRANSPARENT, true],
  ['transparent alone, with an edge', WS_EX_TRANSPARENT | WS_EX_STATICEDGE, false],
  ['plain', 0, false],
])('a child above the control: %s', async (_name, style, letsThrough) => {
  await using fixture = await Fixture.start('controls');
  const button = user32.GetDlgItem(fixture.hwnd, controlId('PUSH'));
  const above = user32.GetDlgItem(fixture.hwnd, controlId('CHECK'));
  const rect = outerRect(button)!;
  const corner = toClient(fixture.hwnd, rect)!;
  expect(user32.SetWindowPos(above, 0, corner.x, corner.y, rect.width, rect.height, SWP_NOACTIVATE)).toBe(true);
  user32.SetWindowLongW(above, GWL_EXSTYLE, style);
  expect(user32.GetWindowLongW(above, GWL_EXSTYLE)).toBe(style);
  expect(findMouseTarget(fixture.hwnd, rectCentre(rect)).hwnd).toBe(letsThrough ? button : above);
});
