/** Starts test/fixtures/receivers.c with a window in front of it, and reads what its window took. */
import type { Point } from '../../../../src/contract/element/geometry.ts';
import { clientArea } from '../../../../src/win32/windows/rects.ts';
import { Fixture } from './programs.ts';
import { Session } from './session.ts';

export interface Receiving extends AsyncDisposable {
  readonly fixture: Fixture;
  readonly session: Session;
  /** A point of its client area, screen pixels. */
  at(x: number, y: number): Point;
  /** The text that the window took. */
  text(): Promise<string>;
}

export async function receive(args: readonly string[]): Promise<Receiving> {
  const fixture = await Fixture.start('receivers', args);
  const session = await Session.bind(fixture.hwnd);
  return {
    fixture,
    session,
    at: (x, y) => {
      const area = clientArea(fixture.hwnd)!;
      return { x: area.x + x, y: area.y + y };
    },
    async text() {
      await fixture.tell('dump');
      return String(fixture.journal().findLast(({ event }) => event === 'text')?.['text'] ?? '');
    },
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
    },
  };
}
