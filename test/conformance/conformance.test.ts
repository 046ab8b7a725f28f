/** The official MCP conformance suite, against the real transport, guards, token and gate. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFixtureServer } from './fixture-server.ts';
import { EXPECTED_FAILURES, requiredScenarios, runSuite, suiteFolder, type SuiteRun } from './suite.ts';

const LIMIT = { timeout: 300_000 };
const withFixtures = { createServer: createFixtureServer };

/** Scenarios that a revision does not require and that pass. Those of its extensions (tasks) are not built. */
const BEYOND: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': ['server-session-lifecycle', 'json-schema-2020-12'],
  '2026-07-28': ['http-header-validation', 'json-schema-2020-12'],
};

/** `npm run conformance` shows what the suite says. */
const shown = (run: SuiteRun): SuiteRun => {
  if (process.env['UIAHOST_CONFORMANCE_REPORT'] === '1') process.stdout.write(run.output);
  return run;
};

// The suite is fetched from npm the first time: 122 packages, 52 MB in the cache.
beforeAll(suiteFolder, 600_000);

describe.each(Object.entries(BEYOND))('the conformance suite of %s', (revision, beyond) => {
  it('[mcp.conformance] passes every required server scenario', LIMIT, async () => {
    const { status, output, scenarios } = shown(await runSuite(['--requirements', revision], withFixtures));
    const required = await requiredScenarios(revision);
    expect(required.length).toBeGreaterThanOrEqual(30);
    const checks = [...required, ...beyond].map((name) => [name, scenarios.get(name) ?? []] as const);
    const failed = checks.flatMap(([name, all]) =>
      all
        .filter((check) => check.status === 'FAILURE')
        .map(({ id, errorMessage }) => `${name}: ${id}: ${errorMessage}`),
    );
    expect(failed).toEqual([]);
    const passed = checks.filter(([, all]) => all.some((check) => check.status === 'SUCCESS'));
    // A server without sessions has nothing to end: the suite skips that scenario.
    expect(checks.length - passed.length).toBeLessThanOrEqual(revision === '2025-11-25' ? 1 : 0);
    expect(status, output.slice(-2000)).toBe(0);
  });
});

describe('the list of expected failures', () => {
  it('is empty', () => {
    const lines = readFileSync(EXPECTED_FAILURES, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines).toEqual(['server: []']);
  });

  it('is checked both ways: a failure not listed fails the run, and so does a listed pass', LIMIT, async () => {
    const scenario = ['--scenario', 'tools-call-simple-text', '--spec-version', '2025-11-25'];
    const folder = mkdtempSync(join(tmpdir(), 'uiahost-expected-'));
    try {
      const listed = join(folder, 'listed.yml');
      writeFileSync(listed, 'server:\n  - tools-call-simple-text\n');
      const outcome = async (options: Parameters<typeof runSuite>[1]): Promise<boolean> =>
        (await runSuite(scenario, options)).status === 0;
      expect(await outcome(withFixtures)).toBe(true);
      // The product alone has no fixture, so the scenario fails.
      expect(await outcome({})).toBe(false);
      expect(await outcome({ expectedFailures: listed })).toBe(true);
      expect(await outcome({ ...withFixtures, expectedFailures: listed })).toBe(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
