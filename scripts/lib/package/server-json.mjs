// What the registry of MCP servers wants to know of the bundle for MCP clients, with its hash.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { packageJson } from '../places.mjs';
import { sha256 } from './zip.mjs';

/** github.com/modelcontextprotocol/registry, docs/reference/server-json */
const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/**
 * @param {string} file
 * @param {object} options
 * @param {string} options.mcpb the bundle
 * @param {string} options.name in the registry: the owner's domain backwards, a slash, the server
 * @param {string} options.downloads address of the folder that the bundle is published in
 * @param {string} [options.helpLink]
 */
export async function writeServerJson(file, { mcpb, name, downloads, helpLink }) {
  const { version } = packageJson();
  const server = {
    $schema: SCHEMA,
    name,
    title: 'uiahost',
    description: 'Operate one bound window of a Windows desktop by its elements, with a person in control.',
    version,
    ...(helpLink === undefined ? {} : { websiteUrl: helpLink }),
    packages: [
      {
        registryType: 'mcpb',
        identifier: `${downloads.replace(/\/$/, '')}/${path.basename(mcpb)}`,
        version,
        fileSha256: await sha256(mcpb),
        transport: { type: 'stdio' },
      },
    ],
  };
  writeFileSync(file, `${JSON.stringify(server, null, 2)}\n`);
}
