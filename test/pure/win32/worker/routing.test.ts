/** Which worker serves a program: the rules, without processes. */
import { expect, test } from 'vitest';
import {
  isRealInput,
  isRelease,
  needsFirst,
  programOf,
  sharedThings,
  windowOf,
} from '../../../../src/win32/worker/call-kinds.ts';
import {
  averageBusy,
  chooseWorker,
  freePlace,
  mostWorkers,
  TERMINALS,
  type RoutedProgram,
  type RoutedWorker,
} from '../../../../src/win32/worker/routing.ts';
import { NOTEPAD } from '../../host/stand-in-desktop.ts';

const program = (key: string, since: number, place = 0, isInUse = true, busyMs = 10): RoutedProgram => ({
  key,
  place,
  since,
  isInUse,
  busyMs,
});
const worker = (place: number, isReady = true, startedFor: string | null = null): RoutedWorker => ({
  place,
  isReady,
  startedFor,
});

test('[worker.programs] the first program stays with the first worker, alone or not', () => {
  const a = program('a', 1);
  expect(chooseWorker(a, [a], [worker(0)], 8)).toEqual({ kind: 'stay' });
  expect(chooseWorker(a, [a, program('b', 2)], [worker(0)], 8)).toEqual({ kind: 'stay' });
});

test('[worker.programs] a further one gets a worker, and stays where it is until that is ready', () => {
  const a = program('a', 1);
  const b = program('b', 2);
  expect(chooseWorker(b, [a, b], [worker(0)], 8)).toEqual({ kind: 'start', place: 1 });
  expect(chooseWorker(b, [a, b], [worker(0), worker(1, false, 'b')], 8)).toEqual({ kind: 'wait', place: 1 });
  expect(chooseWorker(b, [a, b], [worker(0), worker(1, true, 'b')], 8)).toEqual({ kind: 'move', place: 1 });
});

test('[worker.programs] a worker without programs is used before another is started, but not the one that starts for another', () => {
  const a = program('a', 1);
  const b = program('b', 2);
  expect(chooseWorker(b, [a, b], [worker(0), worker(1)], 8)).toEqual({ kind: 'move', place: 1 });
  expect(chooseWorker(b, [a, b], [worker(0), worker(1, true, 'c')], 8)).toEqual({ kind: 'start', place: 2 });
});

test('[worker.programs] one that nobody uses any more does not count', () => {
  const a = program('a', 1, 0, false);
  const b = program('b', 2);
  expect(chooseWorker(b, [a, b], [worker(0)], 8)).toEqual({ kind: 'stay' });
});

test('[worker.programs] a program does not come back to another worker while it is used', () => {
  const b = program('b', 2, 1);
  expect(chooseWorker(b, [b], [worker(0), worker(1)], 8)).toEqual({ kind: 'stay' });
});

test('[worker.limit] at the limit, eight programs share two workers evenly', () => {
  const places = new Map<string, number>();
  const workers = [worker(0), worker(1)];
  const all = (): RoutedProgram[] => [...places].map(([key, place]) => program(key, Number(key), place));
  for (let key = 1; key <= 8; key += 1) {
    places.set(String(key), 0);
    const choice = chooseWorker(program(String(key), key), all(), workers, 2);
    if (choice.kind === 'move') places.set(String(key), choice.place);
    expect(choice.kind).not.toBe('start');
  }
  expect([...places.values()].filter((place) => place === 0)).toHaveLength(4);
});

test('[worker.slow] quick programs leave a worker that a slow one keeps busy, and only for one without', () => {
  const slow = program('slow', 9, 1, true, 300);
  const quick = [1, 3, 5].map((key) => program(String(key), key, 0));
  const beside = program('2', 2, 1);
  const workers = [worker(0), worker(1)];
  const all = [...quick, beside, slow];
  expect(chooseWorker(beside, all, workers, 2)).toEqual({ kind: 'move', place: 0 });
  expect(chooseWorker(slow, all, workers, 2)).toEqual({ kind: 'stay' });
  // Once there, it does not come back, though the other worker has fewer programs.
  const moved = { ...beside, place: 0 };
  expect(chooseWorker(moved, [...quick, moved, slow], workers, 2)).toEqual({ kind: 'stay' });
  const [first, second] = [quick[0]!, quick[1]!];
  expect(chooseWorker(second, [...quick, moved, slow], workers, 2)).toEqual({ kind: 'stay' });
  // The first program leaves the first worker too.
  const host = { ...slow, place: 0 };
  expect(chooseWorker(first, [first, host], workers, 2)).toEqual({ kind: 'move', place: 1 });
  // With a slow one on each, everything stays; one that is not used holds nothing up; nor does one as quick as itself.
  expect(chooseWorker(beside, [...all, host], workers, 2)).toEqual({ kind: 'stay' });
  expect(chooseWorker(beside, [first, beside, { ...slow, isInUse: false }], workers, 2)).toEqual({ kind: 'stay' });
  expect(chooseWorker(beside, [first, beside, { ...slow, busyMs: 50 }], workers, 2)).toEqual({ kind: 'stay' });
  expect(chooseWorker({ ...beside, busyMs: 100 }, [first, beside, slow], workers, 2)).toEqual({ kind: 'stay' });
});

test('[worker.slow] programs that left spread again once nothing is slow', () => {
  const workers = [worker(0), worker(1)];
  const idle = program('idle', 9, 0, true, 0);
  const crowd = [1, 2, 3].map((key) => program(String(key), key, 1));
  expect(chooseWorker(crowd[2]!, [...crowd, idle], workers, 2)).toEqual({ kind: 'move', place: 0 });
  const spread = [crowd[0]!, crowd[1]!, { ...crowd[2]!, place: 0 }];
  for (const each of spread) expect(chooseWorker(each, [...spread, idle], workers, 2)).toEqual({ kind: 'stay' });
  expect(chooseWorker(crowd[2]!, [...crowd, { ...idle, busyMs: 300 }], workers, 2)).toEqual({ kind: 'stay' });
});

test('[worker.slow] one long call makes no program slow, several do', () => {
  const after = (...calls: number[]): number => calls.reduce(averageBusy, 0);
  expect(after(2000)).toBeLessThan(60);
  expect(after(250)).toBeLessThan(60);
  expect(after(250, 15, 15)).toBeLessThan(60);
  expect(after(250, 250, 250)).toBeGreaterThan(100);
});

test('[worker.limit] a limit of one leaves everything with the first worker', () => {
  const a = program('a', 1);
  const b = program('b', 2);
  expect(chooseWorker(b, [a, b], [worker(0)], 1)).toEqual({ kind: 'stay' });
});

test('[worker.programs] terminals are one program, which stays with the first worker', () => {
  const console = programOf({ ...NOTEPAD, className: 'ConsoleWindowClass' });
  expect(console).toBe(TERMINALS);
  expect(programOf({ ...NOTEPAD, pid: 7, className: 'CASCADIA_HOSTING_WINDOW_CLASS' })).toBe(console);
  expect(chooseWorker(program(console, 2), [program('a', 1), program(console, 2)], [worker(0)], 8)).toEqual({
    kind: 'stay',
  });
});

test('[worker.programs] a process that has another one’s number is another program', () => {
  expect(programOf({ ...NOTEPAD, processCreated: '2' })).not.toBe(programOf(NOTEPAD));
});

test('a place is used again when its worker has ended', () => {
  expect(freePlace([worker(0), worker(2)])).toBe(1);
  expect(freePlace([worker(0), worker(1)])).toBe(2);
});

test('[worker.programs] a call concerns the window of its first argument; a query names none', () => {
  expect(windowOf([NOTEPAD, 'e12'])).toBe(NOTEPAD);
  expect(windowOf([{ record: NOTEPAD }, {}])).toBe(NOTEPAD);
  expect(windowOf([null, 'text'])).toBeNull();
  expect(windowOf([{ hwnd: '4242' }])).toBeNull();
  expect(windowOf([])).toBeNull();
});

test('[worker.shared] real input and the clipboard are used in turn; text that reads like a delivery is text', () => {
  const background = { viaClipboard: false, delivery: 'background' };
  expect(sharedThings('keyboard', 'typeText', [NOTEPAD, 'foreground', background])).toEqual([]);
  expect(sharedThings('keyboard', 'typeText', [null, 'x', background])).toEqual(['input']);
  expect(sharedThings('keyboard', 'typeText', [NOTEPAD, 'x', { viaClipboard: true, delivery: 'foreground' }])).toEqual([
    'clipboard',
    'input',
  ]);
  expect(sharedThings('clipboard', 'read', [])).toEqual(['clipboard']);
  expect(sharedThings('element', 'click', [NOTEPAD, 'e1', { delivery: 'foreground' }])).toEqual(['input']);
  expect(sharedThings('element', 'typeInto', [NOTEPAD, 'e1', 'x', { delivery: 'foreground' }])).toEqual(['input']);
  expect(sharedThings('pointer', 'drag', [NOTEPAD, null, { x: 1, y: 1 }, 'foreground'])).toEqual(['input']);
  expect(sharedThings('window', 'activate', [NOTEPAD, null])).toEqual(['input']);
  expect(sharedThings('element', 'snapshot', [NOTEPAD, {}])).toEqual([]);
});

test('[worker.shared] letting go of keys and buttons waits for nothing', () => {
  expect(isRelease('pointer', 'button', [NOTEPAD, 'up', null, 'foreground'])).toBe(true);
  expect(isRelease('pointer', 'button', [NOTEPAD, 'down', null, 'foreground'])).toBe(false);
  expect(isRealInput('keyboard', 'release', [NOTEPAD, ['ctrl'], 'foreground'])).toBe(true);
  expect(sharedThings('keyboard', 'release', [NOTEPAD, ['ctrl'], 'foreground'])).toEqual([]);
});

test('[worker.shared] what the first worker knows is asked of it', () => {
  expect(needsFirst('terminal', 'open')).toBe(true);
  expect(needsFirst('keyboard', 'chords')).toBe(true);
  expect(needsFirst('binding', 'find')).toBe(false);
  expect(needsFirst('window', 'listVisible')).toBe(false);
});

test('[worker.limit] there may be as many workers as processors, at least two and at most eight', () => {
  expect([1, 2, 3, 8, 64].map(mostWorkers)).toEqual([2, 2, 3, 8, 8]);
});
