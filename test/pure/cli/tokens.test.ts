/** `uiahost token make|list|revoke`: what is printed, what is written, and what is refused. */
import { mkdtempSync, readFileSync, rmSync, statSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parsePolicyToken, PolicyToken } from '../../../src/contract/gate/machine-host.ts';
import { tokenHash } from '../../../src/host/face/token.ts';
import { serveCli } from '../../support/cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'uiahost-tokens-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string): string => join(folder, name);
const read = (name: string) => JSON.parse(readFileSync(file(name), 'utf8')) as Record<string, unknown>;

describe('[tokens.commands] tokens by command', () => {
  it('makes a token in the host, shows it once, lists it without it, and revokes it', async () => {
    const { cli } = await serveCli();
    const made = await cli(['token', 'make', 'Anna', '--operator', '--days', '30', '--json']);
    const { token, tokenId, scope, expiresAt } = JSON.parse(made.stdout) as Record<string, string>;
    expect([made.status, scope, Date.parse(expiresAt!) > Date.now()]).toEqual([0, 'operator', true]);
    const listed = await cli(['token', 'list']);
    expect(listed.stdout).toMatch(new RegExp(`${tokenId} +Anna +operator +valid`));
    expect(listed.stdout).not.toContain(token);
    expect((await cli(['token', 'revoke', tokenId!])).stdout).toContain('Revoked');
    expect((await cli(['token', 'list'])).stdout).toContain('revoked');
  });

  it('writes an enrolment file that is its user’s alone, never over another, and prints no token', async () => {
    const { cli } = await serveCli();
    const words = 'token make orders --id fleet-orders --level observe --out'.split(' ');
    const made = await cli([...words, file('orders')]);
    expect(made.status).toBe(0);
    const content = read('orders');
    expect(content).toMatchObject({ format: 'uiahost enrolment 1', tokenId: 'fleet-orders', scope: 'agent' });
    expect(made.stdout + made.stderr).not.toContain(String(content['token']));
    expect(statSync(file('orders')).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600);
    const before = readFileSync(file('orders'), 'utf8');
    expect((await cli(['token', 'make', 'again', '--out', file('orders')])).status).toBe(1);
    expect(readFileSync(file('orders'), 'utf8')).toBe(before);
    // The token that no file holds does not stay valid.
    expect((await cli(['token', 'list'])).stdout).toMatch(/again +agent +revoked/);
  });

  it('makes one for the machine’s policy without a host: the policy’s text has the hash, the file the token', async () => {
    const { cli } = await serveCli();
    const words = 'token make desk --operator --policy --expires 2030-01-01T00:00:00Z --out'.split(' ');
    const make = (...more: string[]) => cli([...words, ...more], { env: { UIAHOST_DATA_DIR: '/nowhere' } });
    const made = await make(file('desk'));
    expect(made.status).toBe(0);
    const token = String(read('desk')['token']);
    expect(made.stdout + made.stderr).not.toContain(token);
    const text = /value (scope=.*)/.exec(made.stdout)?.[1] ?? '';
    expect(PolicyToken.parse(parsePolicyToken('desk', text))).toEqual({
      id: 'desk',
      scope: 'operator',
      sha256: tokenHash(token),
      expiresAt: '2030-01-01T00:00:00.000Z',
    });
    expect(made.stdout).toContain(`reg add HKLM\\SOFTWARE\\Policies\\uiahost\\Tokens /v "desk"`);
    const { old } = JSON.parse((await make(file('next'), '--old', file('desk'), '--json')).stdout) as PolicyToken;
    expect([old?.sha256, Math.round((Date.parse(old!.until) - Date.now()) / 86_400_000)]).toEqual([
      tokenHash(token),
      7,
    ]);
  });

  it.each([
    [['token', 'make', 'x', '--policy'], '--out'],
    [['token', 'make', 'x', '--user', 'anna'], '--out'],
    [['token', 'make', 'x', '--days', '1', '--expires', '2030-01-01T00:00:00Z'], 'give one'],
    [['token', 'make', 'x', '--days', '0'], 'Expected a whole number'],
    [['token', 'make', 'x', '--expires', 'soon'], 'not a time'],
    [['token', 'make', 'a b', '--policy', '--out', 'never'], 'cannot be named'],
    [['token', 'make', 'x', '--policy', '--old', 'never', '--out', 'never'], '--old: never cannot be read'],
    [['token', 'make', 'x', '--old', 'never'], '--policy'],
    [['token', 'make', 'x', '--level', 'root'], 'level'],
  ])('refuses %j as wrong usage, and makes nothing', async (words, reason) => {
    const { cli } = await serveCli();
    const refused = await cli(words);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining(reason)]);
    expect((await cli(['token', 'list'])).stdout).toContain('No tokens');
    expect(existsSync('never')).toBe(false);
  });
});
