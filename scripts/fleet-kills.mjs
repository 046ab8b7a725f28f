// `npm run fleet-kills [-- KILLS]`: 200 kills of a fleet's server, links and hosts, and cuts of its connections; the gate takes 20.
// UIAHOST_NATS_SERVER names another server.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { root } from './lib/places.mjs';

const [kills = '200'] = process.argv.slice(2);
const child = spawn(process.execPath, [path.join(root, 'scripts/test.mjs'), 'test/fleet/kills'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, UIAHOST_FLEET_KILLS: kills },
});
child.on('exit', (code, signal) => {
  process.exitCode = signal === null ? (code ?? 1) : 1;
});
