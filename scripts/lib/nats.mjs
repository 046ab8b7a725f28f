// The NATS server for tests of the fleet: UIAHOST_NATS_SERVER, else the one on the PATH, else Debian's, unpacked into
// the cache. uiahost ships none.
import path from 'node:path';
import { ensureDebianTree } from './debian.mjs';
import { which } from './processes.mjs';

const PROGRAM = 'usr/sbin/nats-server';

/** @returns {Promise<string>} the program */
export async function ensureNatsServer() {
  const found = process.env['UIAHOST_NATS_SERVER'] ?? which('nats-server');
  if (found) return found;
  const tree = await ensureDebianTree({
    name: 'nats-server',
    packages: ['nats-server'],
    programs: [PROGRAM],
    revision: 1,
  });
  return path.join(tree, PROGRAM);
}
