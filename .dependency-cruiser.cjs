// The import law. Each line: a layer, and what it may import. Checked by `npm run check`.
// A layer always may import itself. `node:` built-ins are free where the row says node.
/** What edges may know of the host. */
const FACE = 'src/host/face';
/** The one door of the gate. */
const GATE = 'src/policy/gate/index';
/** @type {Array<[layer: string, inside: string[], packages: string[]]>} */
const layers = [
  // layer                     may import (paths inside the repository)                       packages
  ['native-bindings', [], ['koffi', 'node']],
  ['src/contract', [], ['zod']],
  // Files and settings of a process: knows nothing of what the project is about.
  ['src/base', [], ['node']],
  ['src/desktop', ['src/contract'], []],
  ['src/actions', ['src/contract', 'src/desktop'], ['zod']],
  ['src/win32', ['src/contract', 'src/base', 'src/desktop', 'native-bindings'], ['koffi', 'sharp', 'node']],
  // A program of its own to practise on: nothing of the host is in it, and nothing of the host imports it.
  ['src/demo', ['src/contract', 'src/win32/system', 'src/win32/windows', 'native-bindings'], ['node']],
  ['src/policy', ['src/contract', 'src/base'], ['zod', 'node']],
  ['src/audit', ['src/contract', 'src/base'], ['zod', 'node']],
  ['src/artifacts', ['src/contract', 'src/base'], ['sharp', 'node']],
  ['src/store', ['src/contract', 'src/base'], ['node']],
  [
    'src/host',
    [
      'src/contract',
      'src/base',
      'src/desktop',
      'src/actions',
      'src/policy/risk',
      'src/policy/rights',
      'src/policy/file',
      GATE,
      'src/audit',
      'src/artifacts',
      'src/store',
    ],
    ['zod', 'pino', 'node'],
  ],
  // It serves the contracts as they were given.
  ['src/http', ['src/contract', FACE, 'schemas/seeds'], ['express', 'zod', 'node']],
  [
    'src/mcp',
    ['src/contract', FACE, 'src/routines/file', 'src/routines/run'],
    ['@modelcontextprotocol', 'express', 'zod', 'node'],
  ],
  ['src/adapters', ['src/contract', FACE], ['express', 'zod', 'node']],
  // Measures what the host reports, by OpenTelemetry, which nothing else knows.
  ['src/telemetry', ['src/contract', FACE], ['@opentelemetry', 'node']],
  // What programs import to drive a running host: needs nothing but Node.
  [
    'src/client',
    [
      'src/contract/executor',
      'src/contract/executor-face',
      'src/contract/process/host-file',
      'src/contract/process/settings',
      `${FACE}/token`,
    ],
    ['eventsource-parser', 'node'],
  ],
  // Many machines on one bus. What is on it: names, signatures, permissions, streams.
  ['src/fleet/bus', ['src/contract/json'], ['@nats-io', 'zod', 'node']],
  // An orchestrator's client of it.
  ['src/fleet/orchestrator', ['src/fleet/bus'], ['@nats-io', 'node']],
  // The process on a machine that takes jobs; it knows hosts by the client alone, as a stranger would.
  ['src/fleet/link', ['src/contract/json', 'src/fleet/bus', 'src/client'], ['@nats-io', 'node']],
  // Routines: steps in a file, run by a client of a host or by the host's own edge for tools.
  ['src/routines', ['src/contract', FACE, 'src/audit/entry'], ['yaml', 'zod', 'node']],
  // The command also judges a policy file and an audit log, and shows pictures, where no host runs.
  [
    'src/cli',
    [
      'src/contract',
      'src/base',
      FACE,
      'src/client',
      'src/routines',
      'src/audit',
      'src/artifacts/image-format',
      // Names and control ids of the demo, which the selftest drives.
      'src/demo/content',
      'src/policy/file/policy-file',
      // by import() alone
      'src/fleet',
    ],
    ['commander', 'jsonc-parser', 'yaml', '@modelcontextprotocol', 'zod', 'node'],
  ],
  // Runs in a browser: knows the host by its routes, and a card by the words that every surface has.
  [
    'src/page',
    [
      'src/contract/gate/card-text',
      'src/contract/gate/card-words',
      'src/contract/gate/approval',
      'src/contract/gate/looker',
      'src/contract/gate/policy-sources',
      'src/contract/element/element',
      'src/contract/gate/views',
    ],
    ['preact', '@preact/signals', 'eventsource-parser'],
  ],
  // The Windows service: starts and watches hosts. It knows them by their channel and exit statuses alone.
  ['src/service', ['src/contract', 'src/base', `${FACE}/token`, 'src/win32/services', 'src/win32/system'], ['node']],
  // What the doctor sees of the machine, with or without a host; what it mends.
  [
    'src/inspection',
    [
      'src/contract',
      'src/base',
      'src/policy/file',
      'src/audit',
      'src/host/home/data-directory',
      'src/host/home/doctor',
      'src/service/commands',
      'src/win32/services',
      'src/win32/system',
      'src/win32/windows/session-facts',
    ],
    ['node'],
  ],
  // A process starts here: each file takes the part that runs in it.
  [
    'src/entry',
    [
      'src/contract',
      'src/main',
      'src/demo',
      'src/audit',
      'src/store',
      'src/policy/file/machine-file',
      'src/policy/file/registry-policy',
      'src/policy/file/registry-values',
      'src/inspection',
      'src/win32/apps/folders',
      'src/service',
      'src/fleet/link',
      'src/fleet/bus/credential',
      'src/win32/index',
      'src/win32/overlay',
      'src/win32/services/machine-folder',
      'src/win32/services/user-sessions',
      'src/win32/system',
      'src/win32/terminal',
      'src/win32/worker',
      'src/host/home/config',
    ],
    ['node'],
  ],
];
/**
 * The rooms of a layer, from the ground up: each may import those that are named before it, and itself.
 * @type {Record<string, string[]>}
 */
const rooms = {
  'src/win32': [
    'system',
    'windows',
    'exits',
    // What a node of the tree is, which drivers make.
    'elements/tree',
    'drivers',
    'imaging',
    'apps',
    'services',
    'terminal',
    'elements',
    'evidence',
    'input',
    'acting',
    'sheet',
    'overlay',
    'ports',
    'worker',
    'index.ts',
  ],
  'src/win32/elements': ['tree', 'sources', 'reading', 'finding', 'showing'],
  'src/policy': ['risk', 'rights', 'file', 'gate'],
  'src/policy/risk': ['words', 'content', 'keys', 'target'],
  'src/host': ['face', 'home', 'access', 'events', 'approvals', 'sessions', 'running', 'create-host.ts'],
};
const esc = (p) => p.replaceAll('/', '\\/');
const forbidden = [
  { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'nothing-imports-main',
    comment: 'main composes from every layer; only what starts a process or is the library imports it',
    severity: 'error',
    from: { pathNot: '^src/(main(-serving)?|library|index|entry/)' },
    to: { path: '^src/(main(-serving)?\\.ts|library\\.ts|index\\.ts|client\\.ts|entry/)' },
  },
  {
    name: 'exits-by-actors-only',
    comment:
      'what sends is called by the rooms that deliver; scripts/check-exits.ts refuses the calls themselves elsewhere',
    severity: 'error',
    from: {
      pathNot: '^src/win32/(exits|apps|terminal|drivers|elements|evidence|input|acting|sheet|ports|worker|index\\.ts)',
    },
    to: { path: '^src/win32/exits/' },
  },
  ...layers.map(([layer, inside, packages]) => ({
    name: `layer-${layer}`,
    severity: 'error',
    from: { path: `^${esc(layer)}/` },
    to: {
      pathNot: [
        `^${esc(layer)}/`,
        ...inside.map((p) => `^${esc(p)}(/|\\.ts$)`),
        ...packages.filter((p) => p !== 'node').flatMap((p) => [`node_modules/${esc(p)}(/|$)`, `^${esc(p)}(/|$)`]),
        ...(packages.includes('node') ? ['^(node:)?[a-z_0-9/]+$'] : []),
      ],
    },
  })),
  ...Object.entries(rooms).flatMap(([layer, names]) =>
    names.slice(0, -1).map((name, floor) => ({
      name: `room-${layer}/${name}`,
      severity: 'error',
      from: { path: `^${esc(layer)}/${esc(name)}(/|$)` },
      to: {
        path: names.slice(floor + 1).map((above) => `^${esc(layer)}/${esc(above)}(/|$)`),
        // A room may lie inside a later one.
        pathNot: names.slice(0, floor + 1).map((below) => `^${esc(layer)}/${esc(below)}(/|$)`),
      },
    })),
  ),
  ...Object.entries(rooms).map(([layer, names]) => ({
    name: `room-of-${layer}`,
    comment: 'every file of a layer with rooms lies in one of them',
    severity: 'error',
    from: { path: `^${esc(layer)}/`, pathNot: names.map((name) => `^${esc(layer)}/${esc(name)}(/|$)`) },
    to: {},
  })),
];
module.exports = {
  forbidden,
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(test|dist|scripts)/' },
  },
};
