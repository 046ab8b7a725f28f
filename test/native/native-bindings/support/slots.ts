/** Which slot each method of a generated class calls, by calling it on an object that only records the slot. */
import type { ComRef } from '../../../../native-bindings/com/com-ref.ts';

class Noted extends Error {
  readonly slot: number;
  readonly args: readonly string[];
  constructor(slot: number, args: readonly string[]) {
    super(`slot ${slot}`);
    this.slot = slot;
    this.args = args;
  }
}

/** Asked for its function before any argument is looked at. */
const noting = {
  pointer: 1n,
  method: (slot: number, { args }: { readonly args: readonly string[] }): never => {
    throw new Noted(slot, args);
  },
};

/** `['IUIAutomationElement.SetFocus', 3]` for each method that the class itself introduces. */
export const slotsOf = (type: typeof ComRef): [string, number][] =>
  signaturesOf(type).map(([name, slot]) => [name, slot]);

/** The same with the words of its parameters. */
export function signaturesOf(type: typeof ComRef): Array<[name: string, slot: number, args: readonly string[]]> {
  const methods = type.prototype as unknown as Record<string, (this: object) => unknown>;
  return Object.getOwnPropertyNames(methods)
    .filter((name) => name !== 'constructor' && !name.endsWith('Async'))
    .map((name) => {
      try {
        methods[name]!.call(Object.create(noting) as object);
      } catch (error) {
        if (error instanceof Noted) return [`${type.interfaceName}.${name}`, error.slot, error.args];
        throw error;
      }
      throw new Error(`${type.interfaceName}.${name} called nothing.`);
    });
}
