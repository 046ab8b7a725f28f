// `uiahost policy show`, `edit`, `allow`, `level`, `preset` and `check`.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, type Command } from 'commander';
import { Level, Preset, Tier, type Policy } from '../contract/gate/permissions.ts';
import type { PolicySetting, PolicySources, SettingOrigin } from '../contract/gate/policy-sources.ts';
import { checkPolicyText, describeProblems } from '../policy/file/policy-file.ts';
import { HostNotFoundError } from '../client/errors.ts';
import { dataDirectoryOf } from '../client/locate.ts';
import { adding, addRouteCommand, globalsOf, textIn, type Answer, type Call, type CliContext } from './flags.ts';
import { FailedError, printable, readable, table, writeNewFile } from './output.ts';
import { askNative, nativeBundle } from './start.ts';

const SOURCES = `
With --sources, the layers from the strongest to the weakest: Group Policy (HKEY_LOCAL_MACHINE, then HKEY_CURRENT_USER, key
Software\\Policies\\uiahost), the machine's policy file (%ProgramData%\\uiahost\\policy.json), the user's file,
defaults. The policy of the machine only narrows what the user's allows. Where no host runs, the sources that a host would have are shown (on Windows).`;

const LAYERS: Readonly<Record<SettingOrigin['layer'], string>> = {
  default: 'default',
  installation: 'installation',
  user_file: 'user’s file',
  environment: 'environment',
  machine_file: 'machine’s file',
  registry_user: 'Group Policy (user)',
  registry_machine: 'Group Policy (machine)',
  waiting: 'waiting for a person',
  refused: 'not valid',
};

const valueText = (value: unknown): string =>
  value === null
    ? 'no limit'
    : Array.isArray(value)
      ? value.length === 0
        ? '(none)'
        : value
            .map((one: unknown) =>
              typeof one === 'object' && one !== null && 'app' in one && 'tier' in one
                ? `${String(one.app)}=${String(one.tier)}`
                : String(one),
            )
            .join(', ')
      : String(value);

const originText = ({ layer, place }: SettingOrigin): string =>
  place === null ? LAYERS[layer] : `${LAYERS[layer]}: ${place}`;

function describeSetting(setting: PolicySetting): Record<string, string> {
  return {
    setting: setting.setting,
    value: setting.setting === 'pages' && setting.value === null ? 'any' : valueText(setting.value),
    source: originText(setting),
  };
}

/** A table of settings, then what was narrowed by what, then layers that do not count. */
export function describeSources({ settings, problems }: PolicySources): string {
  const narrowed = settings.flatMap(({ setting, narrowed: steps }) =>
    steps.map((step) => `  ${setting}: ${valueText(step.from)} → ${valueText(step.to)}, by ${originText(step)}`),
  );
  return printable(
    [
      table(settings.map(describeSetting)),
      ...(narrowed.length === 0 ? [] : ['', 'narrowed', ...narrowed]),
      ...problems.map((problem) => `\nNote: ${problem}`),
    ].join('\n'),
  );
}

/**
 * The sources of the policy in force, or, where no host runs, the sources that a host would have. Errors: as for both.
 */
export async function policySources(context: CliContext): Promise<PolicySources> {
  try {
    return await (await context.connect()).getPolicySources();
  } catch (error) {
    const bundle = nativeBundle('inspect');
    if (!(error instanceof HostNotFoundError) || bundle === null) throw error;
    return askNative(bundle, ['policy', dataDirectoryOf(context.env)]);
  }
}

/** What a level still asks about, in words. */
function askedWords({ level, alwaysAsk }: Policy): string {
  if (level === 'disabled') return 'Agents can do nothing.';
  if (level === 'observe') return 'Agents can look, and change nothing.';
  if (level === 'control') return 'Looking is free; any input asks a person, except in programs that have a grant.';
  if (alwaysAsk.length === 0)
    return `No input is asked about any more, including ${Object.values(TAG_WORDS).join(', ')}, and all input into browsers and trading programs.`;
  const rest = `input into browsers and trading programs without a grant, and ${alwaysAsk.map((tag) => TAG_WORDS[tag]).join(', ')}`;
  const free = Object.entries(TAG_WORDS).flatMap(([tag, words]) =>
    alwaysAsk.some((each) => each === tag) ? [] : [words],
  );
  return `Other input is not asked about any more${free.length === 0 ? '' : `, including ${free.join(', ')}`}. A person is still asked about ${rest}.`;
}

const TAG_WORDS: Readonly<Record<Policy['alwaysAsk'][number], string>> = {
  prompts: 'answers to prompts',
  customCommand: 'commands',
  password: 'passwords',
  financial: 'paying',
  destructive: 'deleting',
  authenticated: 'signing in',
  external_submit: 'sending',
  pii_export: 'personal data that leaves',
  terms_or_cookies: 'consent to terms',
};

const TIER_WORDS: Readonly<Record<Tier, string>> = {
  read: 'agents may read it',
  click: 'clicks and scrolling in it are not asked about',
  full: 'input in it is not asked about, except what alwaysAsk names',
};

const FIRST_POLICY = '{\n  "level": "control",\n  "grants": []\n}\n';

/** policy show|edit|allow|level|preset|check. */
export function addPolicyCommands(program: Command, context: CliContext): void {
  const policy = program
    .command('policy')
    .description('show, edit or check the policy; set its level or preset; allow a program')
    .helpGroup('A person in control:');

  const add = adding(policy, context);
  const fileHere = (): string => join(dataDirectoryOf(context.env), 'policy.json');
  add('show', async (flags: { sources?: boolean }): Promise<Answer> => {
    if (flags.sources === true) {
      const sources = await policySources(context);
      return { value: sources, text: describeSources(sources) };
    }
    const shown = await (await context.connect()).getPolicy();
    const isHere = globalsOf(policy).remote === undefined;
    return { value: shown, text: `${readable(shown)}${isHere ? `\nYour policy file: ${printable(fileHere())}` : ''}` };
  })
    .description('show the policy in force')
    .option('--sources', 'for every setting its value, where it comes from, and what narrowed it')
    .addHelpText('after', SOURCES);

  addRouteCommand(policy, context, {
    usage: 'level',
    about:
      'set what agents may do: disabled, observe (read only), control (a person is asked), full (only what alwaysAsk names asks, and browsers and trading programs while it names anything)',
    ask: ({ host, words: [level] }) => host.changePolicy({ level }),
    show: (set) => `The level is now ${set.level}. ${askedWords(set)}`,
  }).addArgument(new Argument('<level>').choices(Level.options));

  addRouteCommand(policy, context, {
    usage: 'preset',
    about:
      'set level and alwaysAsk together: safe (disabled), balanced (control), power or developer (full with an empty alwaysAsk: paying, sending, deleting, passwords, browsers and trading programs are not asked about either)',
    ask: ({ host, words: [preset] }) => host.changePolicy({ preset }),
    show: (set, { words: [preset] }) => `The preset ${preset} is set: level ${set.level}. ${askedWords(set)}`,
  }).addArgument(new Argument('<preset>').choices(Preset.options));

  add('allow', async (app: string, tier: Tier): Promise<Answer> => {
    const host = await context.connect();
    const { settings } = await host.getPolicySources();
    const owner = settings
      .find(({ setting }) => setting === 'grants')
      ?.set.find(({ layer }) => layer === 'machine_file' || layer.startsWith('registry'));
    if (owner !== undefined)
      throw new FailedError(
        `Grants are set by the administrator (${originText(owner)}); nothing was changed.`,
        'Ask the administrator to add the program there.',
      );
    const { grants: present } = await host.getPolicy();
    const grants = [...present.filter((each) => each.app.toLowerCase() !== app.toLowerCase()), { app, tier }];
    const value = await host.changePolicy({ grants });
    return { value, text: printable(`${app} has the grant ${tier}: ${TIER_WORDS[tier]}.`) };
  })
    .description('grant a program a tier')
    .argument('<app>', 'its full path, or bundleId as list-visible-windows shows it')
    .addArgument(new Argument('<tier>', 'read, click (clicks and scrolling), full').choices(Tier.options));

  add('edit', async (_flags: object, call: Call): Promise<Answer> => {
    const file = fileHere();
    if (!existsSync(file)) await writeNewFile(file, FIRST_POLICY, { mode: 0o600 });
    const { VISUAL, EDITOR } = context.env;
    const [editor = '', ...words] = (VISUAL ?? EDITOR ?? (process.platform === 'win32' ? 'notepad' : 'vi')).split(' ');
    const { error, status } = spawnSync(editor, [...words, file], { stdio: 'inherit' });
    if (error !== undefined || status !== 0)
      throw new FailedError(`The editor ${editor} failed. The policy file is ${file}.`, 'Set VISUAL to your editor.');
    return checked(call, file, 'A running host takes it; where it allows more, it may ask a person.');
  }).description('open your policy file in an editor (VISUAL, EDITOR, else Notepad or vi), and check it');

  const checked = ({ isJson }: Call, file: string, then = ''): Answer => {
    const { file: parsed, problems } = checkPolicyText(textIn(file));
    const found = describeProblems(file, problems);
    if (parsed === null && !isJson) throw new FailedError(found);
    return {
      value: { ok: parsed !== null, problems },
      text: `${found}\n${file} is valid. ${then}`.trim(),
      status: parsed === null ? 1 : undefined,
    };
  };
  add('check <file>', async (file: string, _flags: object, call: Call): Promise<Answer> =>
    checked(call, file),
  ).description('check a policy file and report errors by line; needs no running host');
}
