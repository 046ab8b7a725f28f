/** The manifest of the MCP bundle, which Windows' agent registry reads. */
import { expect, test } from 'vitest';
import { bundleManifest } from '../../../scripts/lib/package/mcpb.mjs';
import { buildCatalog } from '../../../src/host/face/catalog.ts';

test('its static answers list the tools that the bridge lists by default', () => {
  const { name, version, _meta } = bundleManifest() as any;
  const { initialize, 'tools/list': list } = _meta['com.microsoft.windows'].static_responses;
  expect(initialize.serverInfo).toEqual({ name, version });
  const tools = list.tools.map((each: { name: string }) => each.name);
  const core = buildCatalog()
    .entries.filter(({ cap }) => cap === 'core')
    .map(({ tool }) => tool);
  expect(core.length).toBeGreaterThan(10);
  expect(tools).toEqual(expect.arrayContaining(core));
  expect(tools).toContain('await_approval');
  for (const { inputSchema } of list.tools) expect(inputSchema).toMatchObject({ type: 'object' });
});
