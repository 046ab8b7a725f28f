/** The peers that `npm run bench -- peers` installs: freely licensed, from npm, and able to load under Wine 10. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from '../../../scripts/lib/npm.mjs';
import { cacheFolder } from '../../../scripts/lib/places.mjs';

export interface Peer {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

/** Exact versions, so that a table can be measured again. None of them is a dependency of the product. */
export const PEERS: readonly Peer[] = [
  { name: '@trycua/cua-driver', version: '0.28.2', licence: 'MIT' },
  { name: 'node-screenshots', version: '0.2.8', licence: 'Apache-2.0' },
  { name: '@nut-tree-fork/nut-js', version: '4.2.6', licence: 'Apache-2.0' },
  { name: 'robotjs', version: '0.9.1', licence: 'MIT' },
];

/** Installs them once into the cache folder, without running their scripts; returns that folder. */
export async function installPeers(): Promise<string> {
  const named = PEERS.map(({ name, version }) => `${name}@${version}`);
  const folder = join(cacheFolder(), 'peers');
  const done = join(folder, `installed-${named.join('+').replaceAll(/[^\w.+-]/g, '_')}`);
  if (existsSync(done)) return folder;
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  await npm(['install', '--ignore-scripts', '--os=win32', '--cpu=x64', ...named], folder, 'npm install of the peers');
  writeFileSync(done, '');
  return folder;
}
