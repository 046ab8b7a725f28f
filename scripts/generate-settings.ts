/**
 * The table of settings in docs/configuration.md, from src/contract/process/settings.json. Without arguments: writes it. `--check`, part of
 * `npm run check`: fails if the committed one differs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SETTINGS, type SettingName } from '../src/contract/process/settings.ts';

const file = fileURLToPath(new URL('../docs/configuration.md', import.meta.url));
const text = readFileSync(file, 'utf8');
const WHO = { anyone: 'any command', person: 'a person’s command', 'npm start': 'only npm start', tools: '' } as const;

const rows = (Object.keys(SETTINGS) as SettingName[])
  .filter((name) => SETTINGS[name].reader === 'host')
  .map(
    (name) =>
      `| \`${name}\` | ${SETTINGS[name].help} | ${WHO[SETTINGS[name].from]}${SETTINGS[name].where === 'checkout' ? ', in a checkout' : ''} |`,
  );
const table = ['| variable | what it sets | who may pass it on |', '|---|---|---|', ...rows].join('\n');
const wanted = text.replace(
  /(<!-- settings:[^\n]*-->\n)[^]*?(<!-- \/settings -->)/,
  (_all, head: string, tail: string) => `${head}${table}\n${tail}`,
);

if (!wanted.includes(table)) {
  process.stderr.write('docs/configuration.md has no markers for the table of settings.\n');
  process.exitCode = 1;
} else if (process.argv.includes('--check')) {
  if (wanted !== text) {
    process.stderr.write(
      'docs/configuration.md has an outdated table of settings. Try: node scripts/generate-settings.ts\n',
    );
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, wanted);
  process.stdout.write(`docs/configuration.md: ${rows.length} settings\n`);
}
