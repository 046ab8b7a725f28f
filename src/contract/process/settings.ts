/**
 * Every UIAHOST_* variable: who reads it, and who may pass it on to a host. The host, the commands and the
 * scripts of a checkout follow this table; scripts read its JSON themselves, since they run before anything is compiled.
 */
import settings from './settings.json' with { type: 'json' };

/** A setting that configures the host; the others are for the scripts and tests of a checkout. */
export type HostSetting = keyof typeof settings.host;
export type SettingName = HostSetting | keyof typeof settings.tools;

export interface Setting {
  /** `checkout`: an installed host ignores it, since an agent with a shell could start a host with it. */
  readonly where: 'anywhere' | 'checkout';
  /** A path is relative to the machine and the folder where it was typed. */
  readonly is: 'word' | 'path';
  /**
   * Who may set it. `anyone`: it only identifies a host. `person`: it sets what a host may do, so a person's command
   * passes it on, but an agent's program that starts a host does not. `npm start`, `tools`: set only by those.
   */
  readonly from: 'anyone' | 'person' | 'npm start' | 'tools';
  readonly help: string;
}

export const SETTINGS = { ...settings.host, ...settings.tools } as Readonly<Record<SettingName, Setting>>;

const NAMES = Object.keys(SETTINGS) as SettingName[];
export const HOST_SETTINGS = Object.keys(settings.host) as HostSetting[];

/** Who starts a host: a person's command, or the bridge on behalf of an agent's program. */
export type StartedBy = 'typed' | 'bridge';

type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a variable; undefined if it is empty or blank. */
export function readSetting(env: Environment, name: SettingName): string | undefined {
  const given = env[name]?.trim();
  return given === undefined || given === '' ? undefined : given;
}

const mayPass = ({ from }: Setting, by: StartedBy): boolean =>
  from === 'anyone' || (from === 'person' && by === 'typed');

/** The variables that are passed on to a host when it is started, or to the script that starts it. */
export const passedSettings = (by: StartedBy): SettingName[] => NAMES.filter((name) => mayPass(SETTINGS[name], by));

/** Host variables that are set but do not reach a host started this way: the starting program reports them. */
export const withheldSettings = (env: Environment, by: StartedBy): SettingName[] =>
  HOST_SETTINGS.filter((name) => readSetting(env, name) !== undefined && !mayPass(SETTINGS[name], by));

/**
 * Variables that a host reads only at its start; they do not affect a running host. Without the two that locate
 * the host, and the tokens, which commands send.
 */
export const startSettings = (env: Environment): SettingName[] =>
  HOST_SETTINGS.filter(
    (name) => readSetting(env, name) !== undefined && !/^UIAHOST_(DATA_DIR|PORT|\w+_TOKEN)$/.test(name),
  );

/** What an installed host ignores in its environment, and names in its log: all that the machine's does not say too. */
export const ignoredWhenInstalled = (env: Environment, machine: Environment): SettingName[] =>
  HOST_SETTINGS.filter((name) => {
    const given = readSetting(env, name);
    return given !== undefined && (SETTINGS[name].where === 'checkout' || given !== readSetting(machine, name));
  });

/** Whether a path begins at a root, on Windows at a drive or another machine. */
export const isFullPath = (path: string, platform: string): boolean =>
  platform === 'win32' ? /^(?:[a-z]:[\\/]|[\\/]{2}[^\\/])/i.test(path) : path.startsWith('/');

/** Unknown names that look like ours: most likely mistyped. */
export const unknownSettings = (env: Environment): string[] =>
  Object.keys(env)
    .filter((name) => /^UIAHOST_/i.test(name) && !(name.toUpperCase() in SETTINGS) && (env[name] ?? '') !== '')
    .sort();
