/** Arguments for the table of all functions. */
import type { FunctionType } from '../../../../native-bindings/library.ts';

/** A list whose functions are asked for the argument at the time of the call, or a function that makes the whole list. */
export type Arguments = readonly unknown[] | (() => readonly unknown[]);

const kept: Buffer[] = [];
/** Memory that stays for the life of the process: some functions keep what they get. */
export function memory(content: Buffer): Buffer {
  kept.push(content);
  return content;
}
/** 4 KiB of zeros. */
export const scratch = (): Buffer => memory(Buffer.alloc(4096));
/** Placeholder for a callback in the table; calling it gives the callback. */
export const callbackAnsweringZero = (): (() => number) => () => 0;

function harmless(declared: FunctionType['args'][number]): unknown {
  if (typeof declared !== 'string') return () => 0;
  switch (declared.split(' ', 1)[0]) {
    case 'bool':
      return false;
    case 'ptr':
      return scratch();
    case 'str16':
      return '';
    case 'point':
      return { x: 0, y: 0 };
    case 'coord':
      return { X: 0, Y: 0 };
    default:
      return 0;
  }
}

/** What a function is called with. */
export function argumentsFor(type: FunctionType, special: Arguments | undefined): unknown[] {
  if (special === undefined) return type.args.map(harmless);
  if (typeof special === 'function')
    return special().map((value) => (value === callbackAnsweringZero ? callbackAnsweringZero() : value));
  return special.map((value) => (typeof value === 'function' ? (value as () => unknown)() : value));
}
