// Sets up what the tests and the benchmarks need, and the variables that name where it is.
import path from 'node:path';
import { ensurePackages, ensureWindowsTree, toolNode, windowsNode } from './dependencies.mjs';
import { isWindows, root, windowsPath } from './places.mjs';
import { SetupError, step } from './progress.mjs';
import { ensureNarrowCompiler, ensureTestTools } from './test-tools.mjs';
import { ensureNarrowWine, ensureWine } from './wine.mjs';

/**
 * @typedef {object} TestSetup
 * @property {string} windowsTree folder of the packages for Windows
 * @property {string} fixtures folder of the Windows test programs
 * @property {string} [unbuilt] why there are no test programs: on Windows a person must install the compiler
 * @property {Record<string, string>} env variables for tests in this machine's Node
 * @property {Record<string, string>} nativeEnv variables for tests in Node for Windows
 */

/**
 * Sets up everything for tests that start Windows programs: packages, runtime, tools, test programs, bundles.
 * @returns {Promise<TestSetup>}
 */
export async function prepareTests() {
  const [windowsTree, tools] = await Promise.all([
    ensureWindowsTree({ full: true }),
    isWindows ? undefined : ensureTestTools(),
    ensurePackages(),
    isWindows ? undefined : ensureWine(),
  ]);
  const { build } = await import('../build.mjs');
  const unbuilt = isWindows ? (await import('../build-fixtures.mjs')).missingTool() : undefined;
  const [fixtures = ''] = await Promise.all([
    unbuilt === undefined ? buildFixtures(tools) : undefined,
    build({ windowsTree }),
  ]);
  const env = {
    UIAHOST_FIXTURES: fixtures,
    UIAHOST_TEST_TREE: windowsTree,
    ...(tools
      ? { UIAHOST_XDOTOOL: tools.xdotool, UIAHOST_MINGW_CC: tools.compiler, UIAHOST_MINGW_INCLUDE: tools.headers }
      : {}),
  };
  return {
    windowsTree,
    fixtures,
    env,
    ...(unbuilt === undefined ? {} : { unbuilt }),
    // the scripts come from the checkout's packages; their machine code is found here instead of next to them
    nativeEnv: {
      UIAHOST_FIXTURES: windowsPath(fixtures),
      UIAHOST_TEST_RETRY: process.env.UIAHOST_TEST_RETRY ?? '0',
      ...Object.fromEntries(
        ['UIAHOST_SEQUENCES', 'UIAHOST_SEQUENCES_SEED'].map((name) => [name, process.env[name] ?? '']),
      ),
      ...(isWindows ? {} : { NODE_PATH: windowsPath(path.join(windowsTree, 'node_modules')) }),
    },
  };
}

/**
 * What the tests of 32-bit programs need besides.
 * @returns {Promise<{ wine: string | undefined, nativeEnv: Record<string, string> }>}
 */
export async function prepareNarrow() {
  const [wine, compiler] = await Promise.all([ensureNarrowWine(), ensureNarrowCompiler()]);
  const { buildFixtures: run } = await import('../build-fixtures.mjs');
  const fixtures = await step('32-bit test programs', () => run({ compiler, names: ['controls.exe', 'structs.exe'] }));
  return { wine, nativeEnv: { UIAHOST_FIXTURES_32: windowsPath(fixtures) } };
}

async function buildFixtures(tools) {
  // the compiler is given by variables, as for a person who runs the script by hand
  if (tools) Object.assign(process.env, { UIAHOST_MINGW_CC: tools.compiler, UIAHOST_MINGW_INCLUDE: tools.headers });
  const { buildFixtures: run } = await import('../build-fixtures.mjs');
  try {
    return await step('test programs', () => run());
  } catch (error) {
    throw new SetupError(error.message);
  }
}

/** Node for Windows, a tool of the checkout's packages, and its arguments: how a tool runs on a desktop under Wine. */
export function windowsTool(windowsTree, tool, args) {
  return {
    program: isWindows ? toolNode() : windowsNode(windowsTree),
    args: [windowsPath(path.join(root, tool)), ...args],
  };
}
