/**
 * What a fleet's administrators set for this machine: one file for each seat, written by the link that checked its signature. It has
 * a policy for each of the seat's scopes (`all`, its pools, its name), and each only narrows.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { invalidArgument } from '../../contract/json/issues.ts';
import { parseStrictJson } from '../../contract/json/strict-json.ts';
import { FleetPolicyFile, type PolicyFile, type PolicyProblem } from './policy-file.ts';

export interface FleetLayer {
  /** Scope and file. */
  readonly place: string;
  readonly policy: PolicyFile;
}

export interface FleetLayers {
  readonly layers: readonly FleetLayer[];
  /** Files that cannot be read as what they must be; with one of them nothing counts. */
  readonly refused: ReadonlyArray<{ readonly file: string; readonly problems: readonly PolicyProblem[] }>;
}

const Layers = z.record(z.string(), FleetPolicyFile);
const DEPTH = 32;

/** Where links keep them: the user's own below the data directory, the service's in the machine's folder, if there is one. */
export const fleetFolders = (dataDirectory: string, machineFolder: string | null): string[] => [
  join(dataDirectory, 'fleet', 'policy'),
  ...(machineFolder === null ? [] : [join(machineFolder, 'fleet-policy')]),
];

/** Never throws. A folder that is not there sets nothing. */
export function readFleetLayers(folders: readonly string[]): FleetLayers {
  const layers: FleetLayer[] = [];
  const refused: Array<FleetLayers['refused'][number]> = [];
  const reading = (file: string, read: () => void): void => {
    try {
      read();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return;
      refused.push({ file, problems: [{ severity: 'error', line: 1, column: 1, reason: message }] });
    }
  };
  for (const folder of folders)
    reading(folder, () => {
      for (const name of readdirSync(folder)
        .filter((each) => each.endsWith('.json'))
        .toSorted()) {
        const file = join(folder, name);
        reading(file, () => {
          const value = parseStrictJson(readFileSync(file, 'utf8'), { depth: DEPTH });
          const parsed = Layers.safeParse(value);
          if (!parsed.success) throw invalidArgument(parsed.error, value, Layers);
          for (const [scope, policy] of Object.entries(parsed.data))
            layers.push({ place: `${scope}: ${file}`, policy });
        });
      }
    });
  return { layers, refused };
}
