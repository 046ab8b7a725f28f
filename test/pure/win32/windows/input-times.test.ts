/** Which input was a person's, where several workers send input. */
import { expect, test } from 'vitest';
import { InputTimes } from '../../../../src/win32/windows/person.ts';

test('input of another worker is not a person’s, whether its report comes before or after the system’s', () => {
  const times = new InputTimes();
  expect(times.lastOfPerson()).toBeNull();
  times.oursElsewhere({ from: 100, to: 150 });
  times.seen(120);
  expect(times.lastOfPerson()).toBeNull();
  times.seen(300);
  times.oursElsewhere({ from: 290, to: 340 });
  expect(times.lastOfPerson()).toBeNull();
});

test('a person’s input stays one when ours follows, here or elsewhere', () => {
  const times = new InputTimes();
  times.seen(100);
  times.ours({ from: 90, to: 190 });
  expect(times.lastOfPerson()).toBe(100);
  times.seen(180);
  expect(times.lastOfPerson()).toBe(100);
  times.seen(500);
  times.oursElsewhere({ from: 510, to: 600 });
  times.seen(520);
  expect(times.lastOfPerson()).toBe(500);
});

test('the last person’s input is found behind a report that takes back a later one', () => {
  const times = new InputTimes();
  times.seen(100);
  times.seen(300);
  times.oursElsewhere({ from: 290, to: 340 });
  expect(times.lastOfPerson()).toBe(100);
});
