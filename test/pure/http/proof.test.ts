/** A client finds the host, and knows it from another program on its port. */
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { HostNotFoundError } from '../../../src/client/errors.ts';
import { dataDirectoryOf, findHost, findToken } from '../../../src/client/locate.ts';
import { proofOf } from '../../../src/host/face/token.ts';
import { problemOf, serve } from '../../support/http-server.ts';

const KEY = 'a-key-that-only-the-user-can-read';
const folders: string[] = [];
const squatters: Server[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  await Promise.all(
    squatters.splice(0).map((server) => {
      server.closeAllConnections();
      return once(server.close(), 'close');
    }),
  );
});

function dataDirectory(port: number | null, key: string | null = KEY): string {
  const folder = mkdtempSync(join(tmpdir(), 'uiahost-locate-'));
  folders.push(folder);
  if (port !== null)
    writeFileSync(
      join(folder, 'host.json'),
      JSON.stringify({ url: `http://127.0.0.1:${port}`, port, pid: 1, version: '1', startedAt: 'now' }),
    );
  if (key !== null) writeFileSync(join(folder, 'host.key'), `${key}\n`);
  return folder;
}

/** A program that took the port: keeps every header it got. */
async function squat(
  answer: (url: string) => Promise<unknown> | unknown,
): Promise<{ port: number; headers: string[] }> {
  const headers: string[] = [];
  const server = createServer(async (request, response) => {
    headers.push(...request.rawHeaders);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(await answer(request.url ?? '')));
  });
  squatters.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, headers };
}

describe('finding the host', () => {
  it('[locate.proof] finds the host that proves itself', async () => {
    const { server } = await serve({ proofKey: Buffer.from(KEY) });
    expect(await findHost(dataDirectory(server.port))).toMatchObject({ port: server.port });
  });

  it('[locate.squatter] sends no token to another program on the port, whatever it answers', async () => {
    const answers: Array<(url: string) => unknown> = [
      () => ({ status: 'ok', version: '1' }),
      () => ({ status: 'ok', version: '1', proof: 'f'.repeat(64) }),
      (url) => ({ status: 'ok', proof: proofOf(Buffer.from('another key'), 1, url.split('=')[1] ?? '') }),
      () => ({ proof: 3 }),
      () => 'nonsense',
    ];
    for (const answer of answers) {
      const { port, headers } = await squat(answer);
      await expect(findHost(dataDirectory(port))).rejects.toBeInstanceOf(HostNotFoundError);
      expect(headers.map((text) => text.toLowerCase())).not.toContain('authorization');
    }
  });

  it('[locate.relay] a squatter that passes the question on to the real host on another port proves nothing', async () => {
    const { server } = await serve({ proofKey: Buffer.from(KEY) });
    const { port } = await squat(async (url) => (await fetch(`${server.url}${url}`)).json());
    await expect(findHost(dataDirectory(port))).rejects.toThrow(/is not the host/);
  });

  it('names what is missing: no host.json, no key, nothing on the port', async () => {
    await expect(findHost(dataDirectory(null))).rejects.toThrow(/no host\.json/);
    await expect(findHost(dataDirectory(1, null))).rejects.toThrow(/host\.key/);
    const { server } = await serve();
    await server.close();
    await expect(findHost(dataDirectory(server.port))).rejects.toThrow(/No host answers/);
    expect(() => findToken(dataDirectory(null), 'agent', {})).toThrow(/agent\.token/);
  });

  it('the token that a host was given is found where its starter wrote it, else the variable is named', () => {
    const folder = dataDirectory(1);
    writeFileSync(join(folder, 'agent.token'), 'of an earlier host\n');
    const file = join(folder, 'host.json');
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), givenTokens: ['agent'] }));
    expect(() => findToken(folder, 'agent', {})).toThrow(/UIAHOST_AGENT_TOKEN, which is not set here/);
    writeFileSync(join(folder, 'agent.given-token'), 'given\n');
    expect(findToken(folder, 'agent', {})).toEqual({ token: 'given', place: join(folder, 'agent.given-token') });
    expect(() => findToken(folder, 'operator', {})).toThrow(/operator\.token/);
  });

  it('the host answers well-formed challenges alone, and none without a key', async () => {
    const { call } = await serve({ proofKey: Buffer.from(KEY) });
    expect((await problemOf(await call('GET', '/healthz?challenge=short', { token: null }))).code).toBe(
      'invalid_argument',
    );
    const other = await serve();
    expect(
      (await problemOf(await other.call('GET', `/healthz?challenge=${'0'.repeat(64)}`, { token: null }))).code,
    ).toBe('unsupported');
  });

  it('[locate.directory] looks where the variables say', () => {
    expect(dataDirectoryOf({ UIAHOST_DATA_DIR: '/data/x' }, 'linux')).toBe('/data/x');
    expect(dataDirectoryOf({ XDG_DATA_HOME: '/data' }, 'linux')).toBe(join('/data', 'uiahost'));
    expect(dataDirectoryOf({ LOCALAPPDATA: 'C:\\Users\\a\\AppData\\Local' }, 'win32')).toBe(
      join('C:\\Users\\a\\AppData\\Local', 'uiahost'),
    );
    // A machine-wide folder of another user never identifies a host, whatever is in it.
    const machine = mkdtempSync(join(tmpdir(), 'uiahost-machine-'));
    mkdirSync(join(machine, 'uiahost'));
    writeFileSync(join(machine, 'uiahost', 'host.json'), '{}');
    expect(dataDirectoryOf({ LOCALAPPDATA: 'C:\\Users\\a\\AppData\\Local', ProgramData: machine }, 'win32')).toBe(
      join('C:\\Users\\a\\AppData\\Local', 'uiahost'),
    );
    rmSync(machine, { recursive: true });
    expect(findToken('/nowhere', 'operator', { UIAHOST_OPERATOR_TOKEN: ' op ' })).toEqual({
      token: 'op',
      place: 'the variable UIAHOST_OPERATOR_TOKEN',
    });
  });
});
