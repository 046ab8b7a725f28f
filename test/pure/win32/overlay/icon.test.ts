/** The notification icon: its pictures, and the state that it shows. */
import { expect, it } from 'vitest';
import type { HostState } from '../../../../src/contract/gate/session-status.ts';
import { CARD_LANGUAGES } from '../../../../src/contract/gate/card-words.ts';
import type { EventHub } from '../../../../src/host/events/event-hub.ts';
import { followState } from '../../../../src/host/running/status.ts';
import { iconPixels } from '../../../../src/win32/overlay/notification-icon.ts';
import { until } from '../../../support/until.ts';

const STATES: readonly HostState[] = ['idle', 'acting', 'waiting', 'stopped'];

it('has a form and a colour for each state, on a transparent ground', () => {
  for (const size of [16, 20, 32]) {
    const pictures = STATES.map((state) => iconPixels(state, size));
    for (const pixels of pictures) {
      expect(pixels).toHaveLength(size * size * 4);
      for (const corner of [0, size - 1, size * (size - 1), size * size - 1]) expect(pixels[corner * 4 + 3]).toBe(0);
    }
    const forms = pictures.map((pixels) =>
      pixels.filter((_, at) => at % 4 === 3).map((opacity) => (opacity > 127 ? 1 : 0)),
    );
    for (const [one, form] of forms.entries())
      for (const other of forms.slice(one + 1)) {
        const differing = form.filter((bit, at) => bit !== other[at]).length;
        expect(differing).toBeGreaterThan(size * size * 0.08);
      }
    const colours = pictures.map((pixels) => pixels.subarray(0, 3).join());
    expect(new Set(colours).size).toBe(STATES.length);
  }
});

it('says each state and each command of its menu in every language of the card', () => {
  for (const { icon } of Object.values(CARD_LANGUAGES)) {
    expect(Object.keys(icon)).toEqual([...STATES, 'page', 'pause', 'stop']);
    expect(new Set(Object.values(icon)).size).toBe(7);
  }
});

it('follows the host: a card before an action, a stop before both', async () => {
  const idle = { stopped: false, approvalsPending: 0, actionsRunning: 0 };
  const listeners = new Set<() => void>();
  const hub = {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as EventHub;
  const told: HostState[] = [];
  let now = idle;
  const end = followState(
    hub,
    () => now,
    (state) => told.push(state),
  );
  for (const [change, state] of [
    [{}, 'idle'],
    [{ actionsRunning: 2 }, 'acting'],
    [{ approvalsPending: 1, actionsRunning: 2 }, 'waiting'],
    [{ stopped: true, approvalsPending: 1 }, 'stopped'],
  ] as const) {
    now = { ...idle, ...change };
    for (const listener of listeners) listener();
    await until(() => told.at(-1) === state, state);
  }
  end();
  expect(listeners.size).toBe(0);
});
