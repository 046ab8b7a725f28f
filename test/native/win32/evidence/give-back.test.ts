/** A program that comes forward by itself: the window that a person had in front gets the foreground back. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../../support/until.ts';
import { personIdleMs } from '../../../../src/win32/windows/person.ts';
import { Elements } from '../support/elements.ts';
import { Fixture } from '../support/programs.ts';
import { UiaCom } from '../support/uia-com.ts';

const com = new UiaCom();
let person: Fixture;
let target: Fixture;
let elements: Elements;

beforeAll(async () => {
  target = await Fixture.start('sentinel', ['--x', '20', '--y', '20', '--width', '560', '--height', '540']);
  person = await Fixture.start('sentinel', ['--x', '700', '--y', '400', '--activate']);
  com.reset();
  com.configure({ graft: target.hwnd });
  elements = await Elements.bind(target.hwnd, { automation: com.factory });
});
afterAll(async () => {
  elements.port[Symbol.dispose]();
  await person[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
  com.reset();
});
beforeEach(async () => {
  com.configure({ steals: 0 });
  // A window that was taken a moment ago may come forward once more.
  for (let quiet = 0; quiet < 10; quiet = user32.GetForegroundWindow() === person.hwnd ? quiet + 1 : 0) {
    user32.SetForegroundWindow(person.hwnd);
    await pause(20);
  }
});

it('[foreground.given-back] the outcome reports both: that the foreground changed, and that it was restored', async () => {
  com.configure({ steals: 1 });
  const { outcome } = await elements.click({ automationId: 'btnOk' });
  expect(com.log()).toContain('invoke btnOk');
  expect(outcome).toMatchObject({
    delivery: 'uia-invoke',
    focusChanged: true,
    details: { foreground: { taken: String(target.hwnd), givenBack: true } },
  });
  expect(user32.GetForegroundWindow()).toBe(person.hwnd);
});

it('[foreground.given-back] a program that keeps taking it is left alone, and the outcome reports it', async () => {
  com.configure({ steals: 60 });
  const { outcome } = await elements.click({ automationId: 'btnOk' });
  expect(outcome).toMatchObject({
    focusChanged: true,
    details: { foreground: { taken: String(target.hwnd), givenBack: false, reason: expect.any(String) as string } },
  });
});

it('[foreground.given-back] an action that leaves the foreground alone reports nothing of it', async () => {
  com.configure({ steals: 0 });
  const { outcome } = await elements.click({ automationId: 'btnOk' });
  expect(outcome.focusChanged).toBe(false);
  expect(outcome.details?.['foreground']).toBeUndefined();
});

it('[foreground.given-back] real input that was asked for keeps the foreground that it took', async () => {
  await until(() => personIdleMs() > 700, 'a quiet moment');
  com.configure({ steals: 0 });
  const { outcome } = await elements.click({ automationId: 'btnOk' }, 'foreground');
  expect(outcome).toMatchObject({ delivery: 'input', focusChanged: true });
  expect(outcome.details?.['foreground']).toBeUndefined();
  expect(user32.GetForegroundWindow()).toBe(target.hwnd);
});
