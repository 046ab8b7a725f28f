// What the commands of `uiahost fleet` have in common: how they answer, and how they speak to the server.
import { Option, type Command } from 'commander';
import type { Fleet } from '../fleet/orchestrator/types.ts';
import { globalsOf, textIn, type CliContext } from './flags.ts';
import { AnsweredError, FailedError, UsageError } from './output.ts';

/** What a command says: `value` with `--json`, else `text`, and a note to a person. `status`: its exit status, if not 0. */
export interface Answer {
  readonly value: unknown;
  readonly text: string;
  readonly note?: string | undefined;
  readonly status?: number | undefined;
}

/** How a command was called. */
export interface Call extends CliContext {
  readonly isJson: boolean;
}

export function print({ output, isJson }: Call, { value, text, note }: Answer): void {
  output.out(isJson ? JSON.stringify(value) : text);
  if (note !== undefined && !isJson) output.err(note);
}

/**
 * Adds commands of these words, each with its work, which gets its words, its flags and the call; null where it has printed itself.
 * As in the library, nothing ties the types of words and flags to the command's.
 */
export const adding =
  (fleet: Command, context: CliContext) =>
  (words: string, work: (...given: never[]) => Promise<Answer | null>): Command =>
    fleet.command(words).action(async (...given: unknown[]) => {
      const call: Call = { ...context, isJson: globalsOf(given.pop() as Command).json };
      const answer = await work(...([...given, call] as never[]));
      if (answer === null) return;
      print(call, answer);
      if (answer.status !== undefined) throw new AnsweredError(answer.status);
    });
export type Add = ReturnType<typeof adding>;

/** Runs work that speaks to the server; its errors become the command's. */
export async function speaking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FailedError || error instanceof UsageError) throw error;
    const { name, message, hint, code } = error as Error & { hint?: string; code?: string };
    if (error instanceof RangeError) throw new UsageError(message);
    if (name === 'FleetError') throw new FailedError(`${code}: ${message}`, hint);
    if (/authorization|authentication|expired/i.test(`${name} ${message}`))
      throw new FailedError(
        `The server refused this credential (${message}).`,
        'Enrol it again, or see whether it was revoked.',
      );
    throw new FailedError(
      `The fleet’s server could not be asked: ${message}.`,
      'Start it with the configuration of `uiahost fleet init` (nats-server -c server.conf), and check its address.',
    );
  }
}

export interface CredentialFlags {
  readonly credential: string;
}

export const credentialFlag = (whose = 'an orchestrator'): Option =>
  new Option('--credential <file>', `the credential of ${whose}`).makeOptionMandatory();

/** Works with the fleet, and closes it. */
export function withFleet<T>(flags: CredentialFlags, work: (fleet: Fleet) => Promise<T>): Promise<T> {
  const credential = textIn(flags.credential, '--credential: ');
  return speaking(async () => {
    const { openFleet } = await import('../fleet/orchestrator/fleet.ts');
    await using fleet = await openFleet({ credential });
    return await work(fleet);
  });
}
