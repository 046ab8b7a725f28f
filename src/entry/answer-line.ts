/** How an entry that a command runs answers it: one line of JSON, with the result or the error. */
import { UiaHostError } from '../contract/errors.ts';
import { attempt } from '../contract/attempt.ts';

/** The work comes first: a step of Windows Installer may have no standard output, and its exit status is the answer then. */
export async function answerLine(carryOut: () => Promise<unknown>): Promise<void> {
  let line: string;
  try {
    line = JSON.stringify({ result: await carryOut() });
  } catch (error) {
    const { code, message, hint } =
      error instanceof UiaHostError
        ? error
        : new UiaHostError('internal', error instanceof Error ? error.message : String(error));
    line = JSON.stringify({ error: { code, message, hint } });
    process.exitCode = 1;
  }
  // Node opens it at the first use, and throws where there is none.
  attempt(() => process.stdout.write(`${line}\n`), false);
}
