/** Clean-up of what each owner has, in order, whatever fails. */
import { expect, test } from 'vitest';
import type { BindingRecord } from '../../../../src/contract/element/binding.ts';
import { createWin32Services } from '../../../../src/win32/ports/services.ts';
import { Deadline, pause, waitUntil } from '../../../../src/win32/windows/waiting.ts';

const record = { hwnd: '1' } as BindingRecord;

test('clean-ups run last registered first, before the owner’s state is forgotten', async () => {
  const services = createWin32Services();
  const held = services.ownerState(() => ({ keys: ['shift'] }));
  const log: string[] = [];
  services.onRelease((owner, of) => {
    log.push(`first ${owner} ${of?.hwnd} ${held.peek(owner)?.keys.join()}`);
  });
  services.onRelease(() => {
    log.push('second');
  });
  held.get('a').keys.push('ctrl');
  held.get('b');
  await services.release('a', record);
  expect(log).toEqual(['second', 'first a 1 shift,ctrl']);
  expect(held.peek('a')).toBeUndefined();
  expect(held.peek('b')).toEqual({ keys: ['shift'] });
  expect(held.get('a').keys).toEqual(['shift']);
});

test('a clean-up that fails does not keep the others from running, and is reported', async () => {
  const services = createWin32Services();
  const state = services.ownerState(() => ({}));
  let ran = 0;
  services.onRelease(() => {
    ran++;
  });
  services.onRelease(async () => {
    throw new Error('stuck');
  });
  services.onRelease(() => {
    ran++;
    throw new Error('stuck too');
  });
  state.get('a');
  await expect(services.release('a', record)).rejects.toBeInstanceOf(AggregateError);
  expect(ran).toBe(2);
  expect(state.peek('a')).toBeUndefined();
});

test('the end of the worker releases every owner once, whatever fails', async () => {
  const services = createWin32Services();
  const one = services.ownerState(() => ({}));
  const other = services.ownerState(() => ({}));
  const released: Array<[string, BindingRecord | null]> = [];
  services.onRelease((owner, of) => {
    released.push([owner, of]);
    if (owner === 'a') throw new Error('stuck');
  });
  one.get('a');
  other.get('a');
  other.get('b');
  await services.releaseAll();
  expect(released.sort()).toEqual([
    ['a', null],
    ['b', null],
  ]);
});

test('the host’s processes are known from the start, and ended processes are forgotten', () => {
  const services = createWin32Services({ ownProcesses: [41] });
  services.setOwnProcesses([42]);
  expect([...services.ownProcesses]).toEqual([process.pid, 42]);
});

test('waiting ends with the first answer, with the time, or with the abort', async () => {
  const controller = new AbortController();
  const call = { owner: 'a', deadlineMs: 200, signal: controller.signal, remoteControlMemory: true };
  let asked = 0;
  expect(await waitUntil(() => (++asked === 3 ? 'third' : null), { withinMs: 1000, everyMs: 1, call })).toBe('third');
  expect(await waitUntil(() => null, { withinMs: 0, everyMs: 1, call })).toBeNull();
  const deadline = new Deadline(call);
  expect(deadline.share(1000)).toBeLessThanOrEqual(150);
  expect(deadline.share(10)).toBe(10);
  expect(deadline.patience(100)).toBe(100);
  expect(deadline.patience(10)).toBeCloseTo(200 / 3);
  expect(deadline.patience(1000)).toBeLessThanOrEqual(150);
  const patient = new Deadline({ ...call, deadlineMs: 120_000 });
  expect([patient.patience(5000), patient.patience(50_000)]).toEqual([40_000, 50_000]);
  const waiting = pause(10_000, call, 'unknown');
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled', delivery: 'unknown' });
  await expect(pause(1, call)).rejects.toMatchObject({ code: 'cancelled', delivery: 'not_delivered' });
});
