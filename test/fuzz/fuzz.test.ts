/** Generated requests to every operation of the API, and generated messages to the MCP endpoint. */
import { describe, expect, it } from 'vitest';
import { Checks, fuzzHttp, type OpenApi } from './http-fuzz.ts';
import { fuzzMcp } from './mcp-fuzz.ts';
import { openTarget, RUNS, SEED, type Target } from './target.ts';

/** Generous: only against standing still. */
const LIMIT = { timeout: 120_000 + RUNS * 500 };
const again = `node scripts/fuzz.mjs ${RUNS} ${SEED}`;

async function expectIntact(target: Target): Promise<void> {
  expect(target.host.faults).toEqual([]);
  const verified = await fetch(`${target.url}/v1/audit/verify`, {
    headers: { authorization: `Bearer ${target.operatorToken}` },
  });
  expect(await verified.json()).toMatchObject({ ok: true });
  expect((await fetch(`${target.url}/healthz`)).status).toBe(200);
}

describe(`generated requests, ${RUNS} from seed ${SEED}`, () => {
  it('get a documented answer on its schema, and the audit verifies afterwards', LIMIT, async () => {
    await using target = await openTarget();
    const { findings, statuses, operations } = await fuzzHttp(target, { seed: SEED, runs: RUNS });
    expect(findings, again).toEqual([]);
    expect(operations.size).toBeGreaterThan(60);
    // Requests that reach an action, and requests that are refused.
    expect(Number(statuses['200'])).toBeGreaterThan(RUNS / 20);
    expect(Number(statuses['400'])).toBeGreaterThan(RUNS / 20);
    await expectIntact(target);
  });

  it('get a JSON-RPC answer, and the audit verifies afterwards', LIMIT, async () => {
    await using target = await openTarget();
    const { findings, statuses } = await fuzzMcp(target, { seed: SEED, runs: RUNS });
    expect(findings, again).toEqual([]);
    expect(Number(statuses['200'])).toBeGreaterThan(RUNS / 20);
    expect(Number(statuses['400'])).toBeGreaterThan(RUNS / 20);
    await expectIntact(target);
  });
});

it('the checks of generated requests: find an undocumented status, another type, an answer off its schema and a fault of the host', async () => {
  await using target = await openTarget();
  const document = (await (await fetch(`${target.url}/v1/openapi.json`)).json()) as OpenApi;
  const operation = document.paths['/v1/status']?.['get'];
  if (operation === undefined) throw new Error('the document has no GET /v1/status');
  const checks = new Checks(document);
  const faults = (status: number, body: object | string, type = 'application/json'): Promise<string[]> =>
    checks.faultsOf(
      operation,
      new Response(typeof body === 'string' ? body : JSON.stringify(body), {
        status,
        headers: { 'content-type': type },
      }),
      [],
    );
  const right = await fetch(`${target.url}/v1/status`, {
    headers: { authorization: `Bearer ${target.agentToken}` },
  });
  expect(await checks.faultsOf(operation, right, [])).toEqual([]);
  expect((await faults(203, {}))[0]).toMatch(/status 203 is not documented/);
  expect((await faults(200, 'hello', 'text/plain'))[0]).toMatch(/type text\/plain/);
  expect((await faults(200, { level: 7 }))[0]).toMatch(/off its schema/);
  expect((await faults(500, { code: 'internal' }, 'application/problem+json'))[0]).toMatch(/status 500/);
});
