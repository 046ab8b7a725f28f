/**
 * The names that each face has for what a text mentions. Hints and descriptions are written once, with the names of the HTTP API
 * (`list-visible-windows`, `GET /v1/policy`); a model with tools and a person at a terminal have other names for the same things.
 */

export type Face = 'http' | 'tools' | 'cli';

/** Routes that texts mention, and what they are elsewhere. Longer ones first: the first that fits is taken. */
const ROUTES: ReadonlyArray<readonly [route: string, names: Readonly<Record<'tools' | 'cli', string>>]> = [
  [
    'GET /v1/approvals?status=all lists them',
    { tools: 'The pending answer has its id', cli: '`uiahost approvals` lists them' },
  ],
  ['GET /v1/approval-pauses', { tools: '`uiahost approvals pauses`', cli: '`uiahost approvals pauses`' }],
  ['GET /v1/computer-use/sessions', { tools: '`uiahost session list`', cli: '`uiahost session list`' }],
  [
    'GET /v1/openapi.json lists every route, GET /v1/actions every action',
    { tools: 'Use a tool of this connection’s list', cli: '`uiahost --help` lists every command' },
  ],
  [
    'GET /v1/actions has the schema of every action',
    { tools: 'the tool’s own schema has its arguments', cli: '`uiahost ACTION --help` lists its flags' },
  ],
  ['GET /v1/openapi.json', { tools: 'tools/list', cli: '`uiahost --help`' }],
  ['GET /v1/actions', { tools: 'tools/list', cli: '`uiahost actions --json`' }],
  ['GET /v1/policy', { tools: '`uiahost policy show`', cli: '`uiahost policy show`' }],
  ['GET /v1/secrets', { tools: '`uiahost secret list`', cli: '`uiahost secret list`' }],
  ['PATCH /v1/policy', { tools: '`uiahost policy level`', cli: '`uiahost policy level`' }],
  ['POST /v1/resume', { tools: '`uiahost resume`', cli: '`uiahost resume`' }],
];

/**
 * Makes texts of this product speak a face's names. Never for other programs' text: what a window says stays unchanged.
 */
export type Words = (text: string) => string;

/** @param actions names of all actions, as in the HTTP API. */
export function wordsOf(face: Face, actions: Iterable<string> = []): Words {
  if (face === 'http') return (text) => text;
  const toolNames = new Map([...actions].map((name) => [name, name.replaceAll('-', '_')]));
  return (text) => {
    let said = text;
    for (const [route, names] of ROUTES) said = said.replaceAll(route, names[face]);
    return face === 'tools'
      ? said.replaceAll(/(?<![\w-])[a-z]+(?:-[a-z]+)+(?![\w-])/g, (name) => toolNames.get(name) ?? name)
      : said;
  };
}
