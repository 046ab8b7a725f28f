/** Picture, mask, element and click agree: in group boxes and statics, and in mirrored windows. */
import { describe, expect, it } from 'vitest';
import { findMouseTarget } from '../../../../src/win32/input/mouse-target.ts';
import { controlId } from '../../../../src/win32/windows/window-info.ts';
import { outerRect } from '../../../../src/win32/windows/rects.ts';
import { rectCentre } from '../../../../src/contract/element/coordinates.ts';
import type { Rect } from '../../../../src/contract/element/geometry.ts';
import { descendantsOf } from '../../../../src/win32/windows/window-info.ts';
import { Elements, journaled } from '../support/elements.ts';
import { Pixels } from '../support/pixels.ts';
import { createPorts } from '../support/ports.ts';
import { Fixture, newCall } from '../support/programs.ts';

const IN_GROUP = 103;
const IN_TEXT = 105;
const SQUARE = 106;
const PASSWORD = 107;
const FRAMED = 109;
const RED = 0xff0000;
const BUTTON_FACE = 0xf0f0f0;

const windowOf = (fixture: Fixture, id: number): number =>
  descendantsOf(fixture.hwnd).find((hwnd) => controlId(hwnd) === id)!;
const rectOf = (fixture: Fixture, id: number): Rect => outerRect(windowOf(fixture, id))!;

describe.each([[[]], [['--rtl']]])('a window with %j', (more) => {
  it('gives a point inside a group box or a static text to the control there', async () => {
    await using fixture = await Fixture.start('places', ['--topmost', ...more]);
    for (const id of [IN_GROUP, IN_TEXT, SQUARE, FRAMED]) {
      const target = findMouseTarget(fixture.hwnd, rectCentre(rectOf(fixture, id)));
      expect([id, target.hwnd]).toEqual([id, windowOf(fixture, id)]);
    }
  });

  it('gives a real click to the control behind a group box, once the window lies on top', async () => {
    await using fixture = await Fixture.start('places', more);
    const { x, y, width, height } = rectOf(fixture, FRAMED);
    const place = `--x ${x - 20} --y ${y - 20} --width ${width + 40} --height ${height + 40} --topmost`;
    await using over = await Fixture.start('sentinel', place.split(' '));
    const elements = await Elements.bind(fixture.hwnd);
    const ref = await elements.ref({ name: 'Framed' });
    setTimeout(() => void over[Symbol.asyncDispose](), 300);
    const { outcome } = await elements.port.click(elements.record, ref, { delivery: 'foreground' }, newCall());
    expect(outcome.attempts.map(({ rung, result }) => `${rung} ${result}`)).toEqual(['input delivered']);
    await journaled(fixture, 'pressed', { id: FRAMED });
  });

  it('is in its picture where it is on the screen, with the password painted over', async () => {
    await using fixture = await Fixture.start('places', ['--topmost', ...more]);
    const { binding, capture } = createPorts();
    const record = await binding.find({ hwnd: String(fixture.hwnd) }, newCall());
    const pixels = await Pixels.of(await capture.window(record, { format: 'png', deny: [] }, newCall()));
    const square = rectOf(fixture, SQUARE);
    expect(pixels.atScreen(square.x + 5, square.y + 5)).toBe(RED);
    expect(pixels.atScreen(square.x + square.width - 5, square.y + square.height - 5)).toBe(RED);
    const password = rectOf(fixture, PASSWORD);
    const colours = new Set<number>();
    for (let x = password.x; x < password.x + password.width; x += 1)
      colours.add(pixels.atScreen(x, password.y + Math.floor(password.height / 2)));
    expect([...colours]).toHaveLength(1);
    expect(colours.has(BUTTON_FACE)).toBe(false);
  });
});
