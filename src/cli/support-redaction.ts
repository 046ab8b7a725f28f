// What may leave the machine in a support bundle: only texts of the program itself, numbers, times and codes; names of the user
// and of the computer, tokens and keys are replaced wherever they occur.
import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import logFields from './log-fields.json' with { type: 'json' };

/** Variables whose values are secrets wherever they occur. */
const SECRET_VARIABLE = /(TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|CREDENTIAL|PRIVATE)/i;
const SECRET_FILES = [
  'agent.token',
  'operator.token',
  'agent.given-token',
  'operator.given-token',
  'host.key',
  'audit.key',
];
/** Shorter values would also replace ordinary words. */
const SHORTEST = 4;

export const LEFT_OUT = '[left out]';

export interface Redactor {
  /** Replaces names and secrets. */
  text(text: string): string;
  /** The same in every text of a value, keys included. */
  value(value: unknown): unknown;
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

function secretsIn(dataDirectory: string, env: NodeJS.ProcessEnv): string[] {
  const ofFiles = SECRET_FILES.flatMap((name) => {
    try {
      // audit.key has several parts; each is a secret.
      return readFileSync(join(dataDirectory, name), 'latin1').split(/[\s\0]+/);
    } catch {
      return [];
    }
  });
  const ofVariables = Object.entries(env).flatMap(([name, value]) =>
    SECRET_VARIABLE.test(name) && value !== undefined ? [value.trim()] : [],
  );
  return [...ofFiles, ...ofVariables].filter((secret) => secret.length >= 8);
}

function namesIn(env: NodeJS.ProcessEnv): Array<[name: string, placeholder: string]> {
  const user = ((): string => {
    try {
      return userInfo().username;
    } catch {
      return '';
    }
  })();
  const names: Array<[string | undefined, string]> = [
    [env['USERPROFILE'], '%USERPROFILE%'],
    [env['HOME'], '%USERPROFILE%'],
    [env['USERNAME'], '%USERNAME%'],
    [env['USER'], '%USERNAME%'],
    [user, '%USERNAME%'],
    [env['USERDOMAIN'], '%USERDOMAIN%'],
    [env['COMPUTERNAME'], '%COMPUTERNAME%'],
    [hostname(), '%COMPUTERNAME%'],
  ];
  return names.flatMap(([name, placeholder]): Array<[string, string]> =>
    name === undefined || name.trim().length < SHORTEST ? [] : [[name.trim(), placeholder]],
  );
}

/** Replaces longer texts first: a profile's path contains the user's name. */
export function createRedactor(dataDirectory: string, env: NodeJS.ProcessEnv): Redactor {
  const replaced = new Map<string, string>();
  for (const [name, placeholder] of namesIn(env)) {
    replaced.set(name.toLowerCase(), placeholder);
    // As JSON and URLs write paths.
    replaced.set(name.replaceAll('\\', '\\\\').toLowerCase(), placeholder);
    replaced.set(name.replaceAll('\\', '/').toLowerCase(), placeholder);
  }
  for (const secret of secretsIn(dataDirectory, env)) replaced.set(secret.toLowerCase(), '[secret]');
  const words = [...replaced.keys()].sort((a, b) => b.length - a.length);
  const pattern = words.length === 0 ? null : new RegExp(words.map(escaped).join('|'), 'gi');
  // The profile of any user, including users that this process does not know.
  const profile = /([A-Za-z]:[\\/]+Users[\\/]+|\/home\/)[^\\/\s"'\u201c\u201d;,]+/gi;
  const text = (given: string): string =>
    (pattern === null
      ? given
      : given.replaceAll(pattern, (found) => replaced.get(found.toLowerCase()) ?? LEFT_OUT)
    ).replaceAll(profile, (_found, before: string) => `${before}%USERNAME%`);
  const value = (given: unknown): unknown => {
    if (typeof given === 'string') return text(given);
    if (Array.isArray(given)) return given.map(value);
    if (typeof given !== 'object' || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([key, each]) => [text(key), value(each)]));
  };
  return { text, value };
}

/** Texts of the program are in its bundles; anything else in a log came from outside. */
export type KnownText = (text: string) => boolean;

/** `code`: the program's own text, in which a literal may be escaped as ASCII. */
export function knownTexts(code: string): KnownText {
  const found = new Map<string, boolean>();
  return (text) => {
    let isKnown = found.get(text);
    if (isKnown === undefined) {
      const ascii = text.replaceAll(
        /[\u0080-\uffff]/g,
        (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      const quoted = ['"', "'", '`'].flatMap((mark) =>
        [text, ascii, ascii.toUpperCase()].map((each) => `${mark}${each}${mark}`),
      );
      isKnown = text.length > 0 && text.length <= 300 && quoted.some((each) => code.includes(each));
      found.set(text, isKnown);
    }
    return isKnown;
  };
}

const SAFE_TEXT = [
  // times
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/,
  // loopback addresses
  /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?\/?$/,
];
const FRAME = /([\w.-]{1,60}\.mjs):(\d{1,7}):(\d{1,7})/;

/** One value of a log record: texts that the program itself has, times, addresses, numbers. */
function logValue(value: unknown, isKnown: KnownText, depth = 0): unknown {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'string')
    return SAFE_TEXT.some((pattern) => pattern.test(value)) || isKnown(value) ? value : LEFT_OUT;
  if (depth > 3) return LEFT_OUT;
  if (Array.isArray(value))
    return value.slice(0, 50).map((each) => frameOf(each) ?? logValue(each, isKnown, depth + 1));
  if (typeof value !== 'object') return LEFT_OUT;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 50)
      .map(([key, each]) => [
        /^\w{1,40}$/.test(key) && isKnownKey(key, isKnown) ? key : LEFT_OUT,
        logValue(each, isKnown, depth + 1),
      ]),
  );
}

/** Names of fields are the program's, but not quoted in its code. */
const PLAIN_KEYS = new Set(logFields);
const isKnownKey = (key: string, isKnown: KnownText): boolean => PLAIN_KEYS.has(key) || isKnown(key);

/** A place in the program's code, without the folder. */
function frameOf(value: unknown): string | null {
  const [, file, line, column] = (typeof value === 'string' ? FRAME.exec(value) : null) ?? [];
  return file === undefined ||
    !/^(host|worker|overlay|store|console|service|cli|index|inspect|demo|setup)[\w.-]*\.mjs$/.test(file)
    ? null
    : `${file}:${line ?? ''}:${column ?? ''}`;
}

/** A log of JSON lines without anything that came from outside. */
export function redactLog(log: string, isKnown: KnownText): string {
  return log
    .split('\n')
    .flatMap((line) => {
      if (line.trim() === '') return [];
      try {
        return [JSON.stringify(logValue(JSON.parse(line), isKnown))];
      } catch {
        return [JSON.stringify({ msg: LEFT_OUT })];
      }
    })
    .join('\n');
}
