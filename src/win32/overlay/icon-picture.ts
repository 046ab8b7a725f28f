/** The pictures of the notification icon: a form and a colour for each state, so that neither is needed alone. */
import type { HostState } from '../../contract/gate/session-status.ts';

/** Red, green and blue; read well on light and dark task bars. */
const COLOURS: Readonly<Record<HostState, readonly [number, number, number]>> = {
  idle: [0x8a, 0x94, 0xa6],
  acting: [0x2e, 0xa0, 0x43],
  waiting: [0xe0, 0x8a, 0x00],
  stopped: [0xd1, 0x24, 0x2f],
};

/** Whether a point of the unit square is part of the form: a ring, a disc, a triangle, a square. */
const FORMS: Readonly<Record<HostState, (x: number, y: number) => boolean>> = {
  idle: (x, y) => Math.abs(Math.hypot(x - 0.5, y - 0.5) - 0.34) < 0.1,
  acting: (x, y) => Math.hypot(x - 0.5, y - 0.5) < 0.44,
  waiting: (x, y) => y > 0.06 && y < 0.92 && Math.abs(x - 0.5) < (y - 0.06) * 0.56,
  stopped: (x, y) => Math.abs(x - 0.5) < 0.38 && Math.abs(y - 0.5) < 0.38,
};

/** Points in a pixel's side that are looked at, for smooth edges. */
const SAMPLES = 4;

/** Four bytes a pixel (blue, green, red, opacity), rows from the top. */
export function iconPixels(state: HostState, size: number): Buffer {
  const [red, green, blue] = COLOURS[state];
  const isInside = FORMS[state];
  const pixels = Buffer.alloc(size * size * 4);
  for (let at = 0; at < size * size; at += 1) {
    let hits = 0;
    for (let sample = 0; sample < SAMPLES ** 2; sample += 1) {
      const x = ((at % size) + ((sample % SAMPLES) + 0.5) / SAMPLES) / size;
      const y = (Math.floor(at / size) + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES) / size;
      if (isInside(x, y)) hits += 1;
    }
    pixels.set([blue, green, red, Math.round((hits / SAMPLES ** 2) * 255)], at * 4);
  }
  return pixels;
}
