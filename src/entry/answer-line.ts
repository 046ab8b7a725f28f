/** How an entry that a command runs answers it: one line of JSON, with the result or the error. */
import { UiaHostError } from '../contract/errors.ts';

export async function answerLine(carryOut: () => Promise<unknown>): Promise<void> {
  try {
    process.stdout.write(`${JSON.stringify({ result: await carryOut() })}\n`);
  } catch (error) {
    const { code, message, hint } =
      error instanceof UiaHostError
        ? error
        : new UiaHostError('internal', error instanceof Error ? error.message : String(error));
    process.stdout.write(`${JSON.stringify({ error: { code, message, hint } })}\n`);
    process.exitCode = 1;
  }
}
