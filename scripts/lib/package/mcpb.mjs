// The bundle for MCP clients: the bridge to the running host, with a manifest that the format's own tool has validated.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { packageJson, root } from '../places.mjs';
import { SetupError } from '../progress.mjs';
import { copyBundles, copyDocuments } from './folder.mjs';
import { ensureInstallerTree } from './tools.mjs';
import { writeZip } from './zip.mjs';

const exec = promisify(execFile);

/** @param {string} file */
export async function makeMcpb(file) {
  const tree = await ensureInstallerTree('tools');
  const stage = mkdtempSync(path.join(os.tmpdir(), 'uiahost-mcpb-'));
  try {
    mkdirSync(path.join(stage, 'dist'));
    copyBundles(path.join(stage, 'dist'), (each) => each === 'cli.mjs');
    copyDocuments(stage);
    const { version, description, license } = packageJson();
    writeJson(path.join(stage, 'package.json'), { name: 'uiahost', version, description, license, type: 'module' });
    writeJson(path.join(stage, 'manifest.json'), bundleManifest());
    const tool = path.join(tree, 'node_modules/@anthropic-ai/mcpb/dist/cli/cli.js');
    await exec(process.execPath, [tool, 'validate', path.join(stage, 'manifest.json')]).catch((error) => {
      throw new SetupError(`The manifest of the MCP bundle is not valid:\n${error.stdout}${error.stderr}`);
    });
    await writeZip(stage, file);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/**
 * Windows' agent registry lists a server's tools without starting it: `static_responses` is where it looks for them.
 * Source: learn.microsoft.com/windows/ai/mcp/servers/mcp-mcpb
 */
function staticResponses() {
  const { caps, always, answers } = JSON.parse(
    readFileSync(path.join(root, 'src/cli/mcp-answers.generated.json'), 'utf8'),
  );
  const shown = new Set([...caps.core, ...always]);
  const { tools } = answers['tools/list'];
  return { initialize: answers.initialize, 'tools/list': { tools: tools.filter(({ name }) => shown.has(name)) } };
}

export function bundleManifest() {
  const { version, description, license, engines } = packageJson();
  return {
    manifest_version: '0.3',
    name: 'uiahost',
    display_name: 'uiahost',
    version,
    description,
    long_description:
      'Connects this client to the uiahost on this machine, which operates one bound window by its elements. A person stays in control: what needs approval is asked on the screen. Install uiahost first (MSI or npm package); this bundle is the bridge to it.',
    author: { name: 'uiahost' },
    license,
    keywords: ['windows', 'ui-automation', 'computer-use'],
    server: {
      type: 'node',
      entry_point: 'dist/cli.mjs',
      mcp_config: { command: 'node', args: ['${__dirname}/dist/cli.mjs', 'mcp'], env: {} },
    },
    tools_generated: true,
    _meta: { 'com.microsoft.windows': { static_responses: staticResponses() } },
    compatibility: { platforms: ['win32'], runtimes: { node: engines.node } },
  };
}

const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
