// `npm run fleet-kills [-- KILLS [WAY…]]`: 200 kills of a fleet's server, links and hosts, and cuts of its connections; the gate
// takes 20. Ways: server, link, host, reset, silence; all in turn where none is named. UIAHOST_NATS_SERVER names another server.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { root } from './lib/places.mjs';

const [kills = '200', ...ways] = process.argv.slice(2);
const child = spawn(process.execPath, [path.join(root, 'scripts/test.mjs'), 'test/fleet/kills'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, UIAHOST_FLEET_KILLS: [kills, ...ways].join(' ') },
});
child.on('exit', (code, signal) => {
  process.exitCode = signal === null ? (code ?? 1) : 1;
});
