/**
 * Calls every bound function once, after the one named in the first argument. Writes `> name` before a call and
 * `= name` after it, each at once, so that the parent knows where it hung or died. A second argument names a function
 * at which it hangs on purpose, so that the parent's own eyes can be tested.
 */
import { writeSync } from 'node:fs';
import type { FunctionType } from '../../../../native-bindings/library.ts';
import { argumentsFor } from './arguments.ts';
import { CALLS, LIBRARIES } from './every-function.ts';

const say = (line: string): void => {
  writeSync(1, `${line}\n`);
};

let skipping = process.argv[2] ?? '';
const hangAt = process.argv[3];
for (const [dll, library] of Object.entries(LIBRARIES)) {
  const { has, declarations } = library as unknown as {
    has(name: string): boolean;
    declarations: Record<string, FunctionType>;
  };
  const functions = library as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const [name, type] of Object.entries(declarations)) {
    const full = `${dll}.${name}`;
    if (skipping !== '') {
      if (skipping === full) skipping = '';
      continue;
    }
    if (!has(name)) {
      say(`- ${full}`);
      continue;
    }
    say(`> ${full}`);
    if (full === hangAt) for (;;); // like a call that never comes back
    const args = argumentsFor(type, CALLS[full]);
    let result: string;
    try {
      result = String(functions[name]!(...args));
    } catch (error) {
      result = `threw ${String(error)}`;
    }
    say(`= ${full} ${result}`);
  }
}
say('end');
