/**
 * A real host in a process of its own, to be killed: its desktop is a stand-in, whose typing is appended to a journal. It is
 * found as any host is, by host.json and host.key. Arguments: its data directory, the journal.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { openDataDirectory, writeHostFile } from '../../src/host/home/data-directory.ts';
import { readOrCreateSecret } from '../../src/host/access/key-files.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { startTestHost } from '../pure/host/running-host.ts';

const [root = '', journal = ''] = process.argv.slice(2);
const data = openDataDirectory(root);
const test = await startTestHost({ level: 'full' }, root);
test.scene.desktop.element.typeInto = async (_record, _ref, text) => {
  // a kill falls before the effect, or between it and the answer
  await new Promise((resolve) => setTimeout(resolve, 20));
  appendFileSync(journal, `${text}\n`);
  await new Promise((resolve) => setTimeout(resolve, 20));
  return {
    value: true,
    outcome: {
      effect: 'confirmed',
      delivery: 'message',
      evidence: [],
      attempts: [],
      focusChanged: false,
      cursorMoved: false,
    },
  };
};
writeFileSync(data.agentToken, 'agent-token-agent-token', { mode: 0o600 });
writeFileSync(data.operatorToken, 'operator-token-operator', { mode: 0o600 });
const proofKey = Buffer.from(readOrCreateSecret(data.proofKey, { restrict: () => {}, whyNot: () => null }), 'utf8');
const server = await createHttpServer({ host: test.host, address: '127.0.0.1', port: 0, proofKey });
writeHostFile(data.hostFile, {
  url: server.url,
  port: Number(new URL(server.url).port),
  pid: process.pid,
  version: 'test',
  startedAt: new Date().toISOString(),
});
process.stdout.write('ready\n');
