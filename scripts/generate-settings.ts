/** The table of settings in docs/configuration.md, from src/contract/process/settings.json. */
import { readFileSync } from 'node:fs';
import { HOST_SETTINGS, SETTINGS } from '../src/contract/process/settings.ts';
import { keepFiles } from './lib/generated.ts';

const page = 'docs/configuration.md';
const text = readFileSync(new URL(`../${page}`, import.meta.url), 'utf8');
const WHO = {
  anyone: 'any command',
  person: 'a person’s command',
  'npm start': 'only node scripts/start.mjs',
  tools: '',
} as const;

const rows = HOST_SETTINGS.map((name) => {
  const { help, from, where } = SETTINGS[name];
  return `| \`${name}\` | ${help} | ${WHO[from]}${where === 'checkout' ? ', in a checkout' : ''} |`;
});
const table = ['| variable | what it sets | who may pass it on |', '|---|---|---|', ...rows].join('\n');
const wanted = text.replace(
  /(<!-- settings:[^\n]*-->\n)[^]*?(<!-- \/settings -->)/,
  (_all, head: string, tail: string) => `${head}${table}\n${tail}`,
);

if (!wanted.includes(table)) throw new Error(`${page} has no markers for the table of settings.`);
keepFiles([[page, wanted]]);
