/** Log files with a limit: when they turn, what is kept, and what happens when the disk refuses. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRotatingFile } from '../../../src/base/rotating-file.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'uiahost-log-'));
  file = join(folder, 'host.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const line = (number: number): string => `${String(number).padStart(9, '0')}\n`;

test('a log turns before it exceeds its limit, and five files are kept, the newest first', () => {
  const log = openRotatingFile(file, 30);
  for (let number = 0; number < 20; number += 1) log.write(line(number));
  log.close();
  expect(readdirSync(folder).sort()).toEqual(['host.log', 'host.log.1', 'host.log.2', 'host.log.3', 'host.log.4']);
  const all = ['.4', '.3', '.2', '.1', ''].map((end) => readFileSync(`${file}${end}`, 'utf8'));
  expect(all.join('')).toBe(Array.from({ length: 14 }, (_, index) => line(index + 6)).join(''));
  expect(Math.max(...all.map(({ length }) => length))).toBe(30);
});

test('the limit is ten megabytes, also for a log that an earlier process filled', () => {
  const big = `${'x'.repeat(1024 * 1024 - 1)}\n`;
  const first = openRotatingFile(file);
  for (let count = 0; count < 9; count += 1) first.write(big);
  first.close();
  const second = openRotatingFile(file);
  second.write(big);
  expect(readdirSync(folder)).toEqual(['host.log']);
  second.write('one more\n');
  second.close();
  expect(statSync(`${file}.1`).size).toBe(10 * 1024 * 1024);
  expect(readFileSync(file, 'utf8')).toBe('one more\n');
});

test('a line that is longer than the limit is kept whole', () => {
  const log = openRotatingFile(file, 10);
  log.write('longer than the limit\n');
  log.write('next\n');
  log.close();
  expect(readFileSync(`${file}.1`, 'utf8')).toBe('longer than the limit\n');
  expect(readFileSync(file, 'utf8')).toBe('next\n');
});

test('a log that cannot turn is written on', () => {
  mkdirSync(join(folder, 'host.log.1', 'in the way'), { recursive: true });
  mkdirSync(join(folder, 'host.log.2', 'in the way'), { recursive: true });
  const log = openRotatingFile(file, 10, 2);
  log.write('first\n');
  log.write('second line\n');
  log.close();
  expect(readFileSync(file, 'utf8')).toBe('first\nsecond line\n');
});
