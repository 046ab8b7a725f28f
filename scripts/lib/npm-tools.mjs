// npm packages that only some tests need (test/tools).
import { ensureToolTree } from './tool-tree.mjs';

/** How each is installed. The CLIs' optional parts other than this platform's program are keyrings and terminals. */
const places = {
  conformance: ['--omit=optional'],
  'agent-clis': ['--include=optional'],
  'more-agent-clis': ['--include=optional'],
  sdks: ['--omit=optional'],
  'playwright-mcp': ['--omit=optional'],
  tokenizer: [],
  'oldest-node': [],
};

/**
 * Installs the packages of test/tools/NAME if they are not in the cache, and returns the folder that has `node_modules`.
 * @param {'conformance' | 'agent-clis' | 'more-agent-clis' | 'sdks' | 'playwright-mcp' | 'tokenizer' | 'oldest-node'} name
 * @returns {Promise<string>}
 */
export const ensureNpmTools = (name) => ensureToolTree(`test/tools/${name}`, { options: places[name], name });
