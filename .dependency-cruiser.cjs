// The import law. Each line: a layer, and what it may import. Checked by `npm run check`.
// A layer always may import itself. `node:` built-ins are free where the row says node.
/** @type {Array<[layer: string, inside: string[], packages: string[]]>} */
const layers = [
  // layer                     may import (paths inside the repository)                       packages
  ['native-bindings',          [],                                                            ['koffi', 'node']],
  ['src/contract',             [],                                                            ['zod']],
  // Files and settings of a process: knows nothing of what the project is about.
  ['src/base',                 [],                                                            ['node']],
  ['src/desktop',              ['src/contract'],                                              []],
  ['src/actions',              ['src/contract', 'src/desktop'],                               ['zod']],
  ['src/win32',                ['src/contract', 'src/base', 'src/desktop', 'native-bindings'],            ['koffi', 'sharp', 'node']],
  ['src/policy',               ['src/contract', 'src/base'],                                              ['zod', 'node']],
  ['src/audit',                ['src/contract', 'src/base'],                                              ['node']],
  ['src/artifacts',            ['src/contract', 'src/base'],                                              ['sharp', 'node']],
  ['src/store',                ['src/contract', 'src/base'],                                              ['node']],
  ['src/host',                 ['src/contract', 'src/base', 'src/desktop', 'src/actions', 'src/policy', 'src/audit', 'src/artifacts', 'src/store'], ['zod', 'pino', 'node']],
  ['src/http',                 ['src/contract', 'src/host'],                                  ['express', 'zod', 'node']],
  ['src/mcp',                  ['src/contract', 'src/host'],                                  ['@modelcontextprotocol', 'express', 'zod', 'node']],
  ['src/adapters',             ['src/contract', 'src/host'],                                  ['express', 'zod', 'node']],
  ['src/dashboard',            ['src/contract', 'src/host'],                                  ['express', 'zod', 'node']],
  // The command also judges a policy file and an audit log, and shows pictures, where no host runs.
  ['src/cli',                  ['src/contract', 'src/base', 'src/host', 'src/audit', 'src/artifacts/image-format', 'src/policy/policy-file'], ['commander', 'eventsource-parser', '@modelcontextprotocol', 'zod', 'node']],
  ['src/service',              ['src', 'native-bindings'],                                    ['koffi', 'node']],
];
const esc = (p) => p.replaceAll('/', '\\/');
const forbidden = [
  { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  { name: 'no-orphan-layer-main', comment: 'main and service compose; nothing imports them', severity: 'error',
    from: { pathNot: '^src/(main|library|index|service|entry)' }, to: { path: '^src/(main|service)' } },
  ...layers.map(([layer, inside, packages]) => ({
    name: `layer-${layer}`, severity: 'error',
    from: { path: `^${esc(layer)}/` },
    to: { pathNot: [
      `^${esc(layer)}/`,
      ...inside.map((p) => `^${esc(p)}(/|\\.ts$)`),
      ...packages.filter((p) => p !== 'node').flatMap((p) => [`node_modules/${esc(p)}(/|$)`, `^${esc(p)}(/|$)`]),
      ...(packages.includes('node') ? ['^(node:)?[a-z_0-9/]+$'] : []),
    ] },
  })),
];
module.exports = { forbidden, options: {
  tsPreCompilationDeps: true, doNotFollow: { path: 'node_modules' },
  exclude: { path: '^(test|dist|scripts)/' },
} };
