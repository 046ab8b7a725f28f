// `uiahost skills`: short texts that agent CLIs read when a task needs them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Argument, type Command } from 'commander';
import type { CliContext } from './flags.ts';
import skills from './skills.json' with { type: 'json' };

/** Where each CLI looks for a person's skills, below the home folder. */
const FOLDERS = {
  claude: '.claude/skills',
  codex: '.codex/skills',
  gemini: '.gemini/skills',
  copilot: '.copilot/skills',
} as const;
type Client = keyof typeof FOLDERS;

interface Skill {
  /** By this a CLI decides whether a task needs it. */
  readonly description: string;
  readonly lines: readonly string[];
}

/** The file of a skill, as these CLIs read it. */
const fileOf = (name: string, { description, lines }: Skill): string =>
  `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n${lines.join('\n')}\n`;

function present(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** skills install, skills list. */
export function addSkillCommands(program: Command, context: CliContext): void {
  const command = program
    .command('skills')
    .description('texts for agent CLIs on how to use uiahost')
    .helpGroup('Agents:');
  command
    .command('list')
    .description('list the skills')
    .action(() => {
      for (const [name, { description }] of Object.entries(skills as Readonly<Record<string, Skill>>))
        context.output.out(`${name}: ${description}`);
    });
  command
    .command('install')
    .description('write the skills to the CLI’s folder in your home; a skill that you changed is kept')
    .addArgument(new Argument('<client>', 'which agent').choices(Object.keys(FOLDERS)))
    .option('--replace', 'replace skills that differ')
    .action((client: Client, { replace = false }: { replace?: boolean }) => {
      const home = context.env['HOME'] ?? context.env['USERPROFILE'] ?? homedir();
      for (const [name, skill] of Object.entries(skills as Readonly<Record<string, Skill>>)) {
        const folder = join(home, FOLDERS[client], name);
        const file = join(folder, 'SKILL.md');
        const text = fileOf(name, skill);
        const found = present(file);
        const isKept = found !== null && found !== text && !replace;
        if (!isKept) {
          mkdirSync(folder, { recursive: true });
          writeFileSync(file, text);
        }
        context.output.out(`${isKept ? 'kept (it differs; --replace overwrites it)' : 'written'}: ${file}`);
      }
    });
}
