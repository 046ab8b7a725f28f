/** The pointer on a card: the overlay's own, and judged before a click approves. */
import { describe, expect, it } from 'vitest';
import { arrowMasks, judgePointer } from '../../../../src/win32/overlay/own-window.ts';

describe('the pointer on a card', () => {
  const press = { x: 500, y: 300 };
  const own = { isShown: true, isOwn: true, at: press };

  it('[overlay.pointer] counts only where it is shown, the card’s own, and where the press is', () => {
    expect(judgePointer(own, press)).toBeNull();
    expect(judgePointer({ ...own, at: { x: 502, y: 298 } }, press)).toBeNull();
    expect(judgePointer({ ...own, isShown: false }, press)).toBe('the pointer is hidden');
    expect(judgePointer({ ...own, isOwn: false }, press)).toBe('the pointer shown is not the card’s own');
    for (const at of [
      { x: 503, y: 300 },
      { x: 500, y: 297 },
      { x: 0, y: 0 },
    ])
      expect(judgePointer({ ...own, at }, press)).toBe('the pointer is elsewhere');
  });

  it.each([32, 48, 64, 96])('[overlay.pointer] is a whole arrow of %s pixels with its point at the corner', (size) => {
    const { through, white } = arrowMasks(size);
    const stride = Math.ceil(size / 16) * 2;
    expect([through.length, white.length]).toEqual([stride * size, stride * size]);
    const bit = (mask: Buffer, x: number, y: number): number => (mask[y * stride + (x >> 3)]! >> (7 - (x & 7))) & 1;
    let [filled, light] = [0, 0];
    for (let y = 0; y < size; y += 1)
      for (let x = 0; x < size; x += 1) {
        if (bit(through, x, y) === 0) filled += 1;
        if (bit(white, x, y) === 1) light += 1;
        // What is white covers what is behind it.
        expect(bit(white, x, y) === 1 && bit(through, x, y) === 1).toBe(false);
      }
    expect(bit(through, 0, 1)).toBe(0);
    expect(bit(through, size - 1, size - 1)).toBe(1);
    expect(light).toBeGreaterThan(filled / 4);
    expect(filled).toBeGreaterThan((size * size) / 20);
  });
});
