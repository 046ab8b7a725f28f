/**
 * A real host in a process of its own, to be killed: its desktop is a stand-in, whose typing is appended to a journal. It is
 * found as any host is, by host.json and host.key, or by what it tells the service. Arguments: its data directory, the journal,
 * its level, and `--supervised` where a service started it. The policy of its machine is `machine.json` in the data directory, if
 * it is there.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { encodeMessage, LineReader, readToHost, SUPERVISED } from '../../src/contract/process/service-channel.ts';
import { Level } from '../../src/contract/gate/permissions.ts';
import { openDataDirectory, readOrCreateSecret, writeHostFile } from '../../src/host/home/data-directory.ts';
import { channelTokens, type Tokens } from '../../src/host/access/token-service.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { startTestHost } from '../pure/host/running-host.ts';

const [root = '', journal = '', level = 'full'] = process.argv.slice(2);
const data = openDataDirectory(root);
const machine = join(root, 'machine.json');
const test = await startTestHost(
  { level: Level.parse(level) },
  root,
  undefined,
  existsSync(machine) ? (JSON.parse(readFileSync(machine, 'utf8')) as object) : null,
);
test.scene.desktop.element.typeInto = async (_record, _ref, text, _options, { signal }) => {
  // a kill falls before the effect, or between it and the answer; a slow one can be called off before it
  await setTimeout(text.startsWith('slow') ? 120_000 : 20, undefined, { signal }).catch(() => {
    throw signal.reason;
  });
  appendFileSync(journal, `${text}\n`);
  await setTimeout(20);
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
if (process.argv.includes(SUPERVISED)) {
  const tokens = test.host.tokens as Tokens;
  const lines = new LineReader();
  process.stdin.setEncoding('utf8').on('data', (piece: string) => {
    for (const message of lines.add(piece).map(readToHost))
      if (message?.kind === 'tokens') void tokens.give('service', channelTokens(message.tokens));
  });
  process.stdin.once('end', () => process.exit(0));
  const local = { url: server.url, key: proofKey.toString('utf8') };
  process.stdout.write(encodeMessage({ kind: 'ready', url: server.url, local }));
} else process.stdout.write('ready\n');
