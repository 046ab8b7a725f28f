// `uiahost policy show`, `policy level`, `policy preset` and `policy check`.
import { Argument, type Command } from 'commander';
import { Level, Preset } from '../contract/gate/permissions.ts';
import type { PolicySetting, PolicySources, SettingOrigin } from '../contract/gate/policy-sources.ts';
import { checkPolicyText, describeProblems } from '../policy/file/policy-file.ts';
import { HostNotFoundError } from '../client/errors.ts';
import { dataDirectoryOf } from '../client/locate.ts';
import { adding, addRouteCommand, print, textIn, type Answer, type Call, type CliContext } from './flags.ts';
import { FailedError, printable, readable, table } from './output.ts';
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

/** policy show|level|preset|check. */
export function addPolicyCommands(program: Command, context: CliContext): void {
  const policy = program
    .command('policy')
    .description('show the policy, set its level or preset, or check a policy file')
    .helpGroup('A person in control:');

  const add = adding(policy, context);
  add('show', async (flags: { sources?: boolean }): Promise<Answer> => {
    if (flags.sources === true) {
      const sources = await policySources(context);
      return { value: sources, text: describeSources(sources) };
    }
    const shown = await (await context.connect()).getPolicy();
    return { value: shown, text: readable(shown) };
  })
    .description('show the policy in force')
    .option('--sources', 'for every setting its value, where it comes from, and what narrowed it')
    .addHelpText('after', SOURCES);

  addRouteCommand(policy, context, {
    usage: 'level',
    about: 'set what agents may do: disabled, observe (read only), control (a person is asked), full (no asking)',
    ask: ({ host, words: [level] }) => host.changePolicy({ level }),
    show: ({ level }) => `The level is now ${level}.`,
  }).addArgument(new Argument('<level>').choices(Level.options));

  addRouteCommand(policy, context, {
    usage: 'preset',
    about:
      'set level and alwaysAsk together: safe (disabled), balanced (control), power or developer (full, no asking)',
    ask: ({ host, words: [preset] }) => host.changePolicy({ preset }),
    show: ({ level }, { words: [preset] }) => `The preset ${preset} is set: level ${level}.`,
  }).addArgument(new Argument('<preset>').choices(Preset.options));

  add('check <file>', async (file: string, _flags: object, call: Call): Promise<Answer> => {
    const { file: parsed, problems } = checkPolicyText(textIn(file));
    const value = { ok: parsed !== null, problems };
    if (parsed !== null) return { value, text: `${describeProblems(file, problems)}\n${file} is valid.`.trimStart() };
    if (!call.isJson) throw new FailedError(describeProblems(file, problems));
    print(call, { value, text: '' });
    throw new FailedError(`${file} is not valid.`);
  }).description('check a policy file and report errors by line; needs no running host');
}
