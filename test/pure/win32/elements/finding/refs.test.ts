/** Refs: given once, never to another element. */
import { makeNode, type TreeNode } from '../../../../../src/win32/elements/tree/tree.ts';
import { describe, expect, test } from 'vitest';
import { RefBook, RefCounter, type Observation } from '../../../../../src/win32/elements/finding/refs.ts';

const at = (hwnd: number) => ({ kind: 'window', hwnd }) as const;
const node = (identity: string, hwnd: number): TreeNode =>
  makeNode({
    identity,
    locator: at(hwnd),
    controlType: 'Edit',
    rect: { x: 0, y: 0, width: 1, height: 1 },
    source: 'window',
    hwnd,
  });
const geometry = { imageWidth: 1, imageHeight: 1, displayWidth: 1, displayHeight: 1, originX: 0, originY: 0 };
const observation = (observationId: string): Observation => ({
  observationId,
  geometry,
  elements: [],
  sent: [],
  partial: false,
  view: { form: 'full', items: 'counted' },
});

describe('refs', () => {
  test('an element keeps its ref, whatever comes between', () => {
    const book = new RefBook(new RefCounter(1));
    const first = book.refFor(1, node('hwnd:5', 5), 'Edit');
    for (let other = 0; other < 500; other++) book.refFor(1, node(`hwnd:${1000 + other}`, other), 'x');
    expect(book.refFor(1, node('hwnd:5', 5), 'Edit')).toBe(first);
    expect(book.entry(first)).toMatchObject({ identity: 'hwnd:5', root: 1, locator: at(5) });
  });

  test('[refs.place] an item is its place and its name: another item in its place gets another ref', () => {
    const book = new RefBook(new RefCounter(1));
    const row = (name: string): TreeNode =>
      makeNode({
        identity: 'rid:42.5.4.0',
        locator: { kind: 'uia', hwnd: 5, runtimeId: [42, 5, 4, 0] },
        controlType: 'ListItem',
        name,
        rect: { x: 0, y: 0, width: 1, height: 1 },
        source: 'uia',
        hwnd: 5,
      });
    const first = book.refFor(1, row('alpha.txt'), '');
    expect(book.refFor(1, row('alpha.txt'), '')).toBe(first);
    const second = book.refFor(1, row('payroll.xls'), '');
    expect(second).not.toBe(first);
    expect([book.entry(first)?.named, book.entry(second)?.named]).toEqual(['alpha.txt', 'payroll.xls']);
  });

  test('[refs.never] a number is never given to another element, also not in another window or by another owner', () => {
    const counter = new RefCounter(1);
    const [a, b] = [new RefBook(counter), new RefBook(counter)];
    const given = [a.refFor(1, node('x', 1), ''), b.refFor(1, node('x', 1), ''), a.refFor(2, node('x', 1), '')];
    given.push(a.refFor(1, node('y', 1), ''));
    expect(new Set(given).size).toBe(4);
    expect(counter.next).toBe(5);
  });

  test('[refs.never] a new worker continues past the old one', () => {
    const old = new RefCounter(1);
    new RefBook(old).refFor(1, node('x', 1), '');
    expect(new RefBook(new RefCounter(old.next)).refFor(1, node('y', 2), '')).toBe('e2');
    expect(new RefBook(new RefCounter(0)).refFor(1, node('y', 2), '')).toBe('e1');
  });

  test('[refs.never] workers that run at the same time give different numbers', () => {
    const given = [0, 1, 7].flatMap((place) => {
      const counter = new RefCounter(1, place);
      return Array.from({ length: 2500 }, () => counter.take());
    });
    expect(given.slice(0, 2)).toEqual([1, 2]);
    expect(new Set(given).size).toBe(given.length);
    const [first, other] = [new RefCounter(1), new RefCounter(1, 1)];
    for (let taken = 0; taken < 1500; taken += 1) first.take();
    expect(new RefCounter(first.next, 0).take()).toBe(first.next);
    expect(new RefCounter(first.next, 1).take()).not.toBe(other.take());
  });

  test('[observations.eight] the last eight observations of a window stay', () => {
    const book = new RefBook(new RefCounter(1));
    for (let n = 1; n <= 9; n++) book.keep(1, observation(`obs_${n}`));
    book.keep(2, observation('obs_other'));
    expect(book.observation(1, 'obs_1')).toBeUndefined();
    expect(book.observation(1, 'obs_2')?.observationId).toBe('obs_2');
    expect(book.observation(1, 'obs_9')?.observationId).toBe('obs_9');
    expect(book.observation(1, 'obs_other')).toBeUndefined();
  });
});
