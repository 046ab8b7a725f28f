// What the commands share: output, environment, connection, global options.
import type { Command } from 'commander';
import { UiaHostClient } from '../client/client.ts';
import type { Output } from './output.ts';

/** Passed to every command. */
export interface CliContext {
  readonly output: Output;
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  connect(): Promise<UiaHostClient>;
}

export function createContext(output: Output, env: NodeJS.ProcessEnv, version: string): CliContext {
  let connection: Promise<UiaHostClient> | undefined;
  return { output, env, version, connect: () => (connection ??= UiaHostClient.connect({ env })) };
}

/** Global options, which every command accepts. */
export interface GlobalOptions {
  readonly json: boolean;
  readonly session: string | undefined;
}

export function globalsOf(command: Command): GlobalOptions {
  const { json, session } = command.optsWithGlobals<{ json?: boolean; session?: string }>();
  return { json: json === true, session };
}
