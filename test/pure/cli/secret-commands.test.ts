/** Asking for a secret on a terminal that shows nothing. */
import { PassThrough } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { expect, it } from 'vitest';
import { askHidden } from '../../../src/cli/secret-commands.ts';

it('the terminal’s echo is off before the question appears: an immediate answer is not shown', async () => {
  const steps: string[] = [];
  const keys = new PassThrough();
  const input = Object.assign(keys, {
    isTTY: true,
    isRaw: false,
    setRawMode: (raw: boolean) => {
      steps.push(raw ? 'hidden' : 'shown');
      return input;
    },
  }) as unknown as ReadStream;
  const write = (text: string): void => {
    steps.push(text);
    if (text === 'Word: ') keys.write('at once\r');
  };
  expect(await askHidden('Word: ', { input, write })).toBe('at once');
  expect(steps).toEqual(['hidden', 'Word: ', 'shown', '\n']);
});
