/** The word lists, tables and patterns of the classifier are data: their form, so that a new entry cannot be written wrongly. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ProposalRiskTag } from '../../../../../src/contract/gate/permissions.ts';

const src = new URL('../../../../../src/', import.meta.url);
const textOf = (file: string): string => readFileSync(new URL(file, src), 'utf8');
const read = (file: string): unknown => JSON.parse(textOf(file));

const languages = 'policy/risk/words/languages/';
const LEXICONS = readdirSync(new URL(languages, src)).filter(
  (file) => file !== 'paste.json' && file !== 'starting.json',
);

/** As the matcher compares: composed letters, single blanks, no mark of the beginning or end that is not a wildcard. */
const isNormal = (entry: string): boolean => entry === entry.normalize('NFC').trim().replace(/\s+/gu, ' ');
const entry = z.string().min(1).refine(isNormal, 'not composed, or with blanks too many');
const word = entry.refine((text) => text === text.toLowerCase(), 'not in lower case');
const list = (of: typeof entry) =>
  z
    .array(of)
    .min(1)
    .superRefine((entries, { addIssue }) => {
      for (const [at, text] of entries.entries())
        if (entries.indexOf(text) !== at) addIssue({ code: 'custom', message: `${text} is there twice` });
    });
/** A wildcard stands for letters at the beginning or end of a word. */
const words = list(word.regex(/^(?:[^*\s]+\*?|\*[^*\s]+)(?: (?:[^*\s]+\*?|\*[^*\s]+))*$/u));

const lexicon = z.strictObject({
  language: z.string().length(2),
  hasBlanks: z.boolean(),
  tags: z.record(
    ProposalRiskTag,
    z.strictObject({ anywhere: words, whole: words.optional(), sentence: words.optional() }),
  ),
  innocent: words,
  negators: z.union([words, z.tuple([])]),
  negatorsAfter: z.union([words, z.tuple([])]),
  cancellers: z.union([words, z.tuple([])]),
  joiners: z.union([words, z.tuple([])]),
  affirmatives: words,
  refusals: words,
  saveQuestions: words,
  signedIn: words,
  passwordLabels: words,
});

/** Other tables, by file. */
const TABLES: Record<string, z.ZodType> = {
  'policy/risk/words/languages/paste.json': z.strictObject({ words, unspaced: words }),
  'policy/risk/words/languages/starting.json': z.strictObject({
    administrator: words,
    run: words,
    install: words,
    open: words,
    shows: words,
    palette: words,
    bin: words,
    keep: words,
    folder: words,
    document: words,
    shell: list(entry),
  }),
  'policy/risk/words/known-apps.json': z.record(
    z.enum(['browser', 'trading', 'terminal', 'ide', 'messaging', 'spreadsheet']),
    z.strictObject({ executables: list(word.regex(/\.(?:exe|bin)$/)), identities: list(word.regex(/!/)) }),
  ),
  'policy/risk/words/confusables.json': z.record(z.string().regex(/^(?:[a-z]{1,2}|I)$/), z.string().min(1)),
  'policy/risk/content/iban-lengths.json': z.record(z.string().regex(/^[A-Z]{2}$/), z.int().min(15).max(34)),
  'contract/terminal/prompt-words.json': z.array(z.strictObject({ language: entry, yes: list(word), no: list(word) })),
  'contract/cells/formula-functions.json': z.record(
    z.enum(['outside', 'forbidden', 'forbiddenCalls', 'readsText', 'takesFunction']),
    list(entry.regex(/^[\p{Lu}\d._]+$/u)),
  ),
};

describe('data', () => {
  it.each(LEXICONS)('%s has the form of a language, each list on one line', (file) => {
    const data = lexicon.parse(read(languages + file));
    expect(Object.keys(data.tags).sort()).toEqual([...ProposalRiskTag.options].sort());
    const lines = textOf(languages + file).split('\n');
    expect(lines.filter((line) => line.includes('[') && !/\](?: \})?,?$/.test(line))).toEqual([]);
    expect(lines.length).toBeLessThan(25);
  });

  it.each(Object.entries(TABLES))('%s has its form', (file, schema) => {
    expect(schema.safeParse(read(file)).error?.message).toBeUndefined();
  });

  it('[lexicon.disguises] no letter is listed for two looks', () => {
    const letters = Object.values(read('policy/risk/words/confusables.json') as Record<string, string>).flatMap(
      (all) => [...all],
    );
    expect(letters.filter((letter, at) => letters.indexOf(letter) !== at)).toEqual([]);
  });
});

describe('patterns', () => {
  const { parts, signals } = z
    .strictObject({
      parts: z.record(z.string().regex(/^[A-Z]+$/), z.string()),
      signals: z.array(
        z.strictObject({
          name: z.string().regex(/^[a-z_]+$/),
          weight: z.literal([1, 2]),
          patterns: z.array(z.string()).min(1),
        }),
      ),
    })
    .parse(read('policy/risk/content/instruction-signals.json'));
  const patterns = signals.flatMap(({ patterns: each }) => each);

  it('[untrusted.block] names and patterns are there once', () => {
    expect(new Set(signals.map(({ name }) => name)).size).toBe(signals.length);
    expect(new Set(patterns).size).toBe(patterns.length);
  });

  it.each(patterns)('[untrusted.block] compiles, and its cost stays linear: %s', (pattern) => {
    const source = pattern.replace(/%([A-Z]+)%/g, (_, part: string) => {
      expect(Object.keys(parts)).toContain(part);
      return parts[part] ?? '';
    });
    expect(source).not.toContain('%');
    // Folded text has neither.
    expect(source.replace(/\\./g, '')).not.toMatch(/[A-Z]/);
    expect(() => new RegExp(source, 'u')).not.toThrow();
    expect(source).not.toMatch(/\\[1-9k]/);
    expect(nestedRepeats(source)).toEqual([]);
  });
});

/**
 * Groups that repeat without end and contain something that does: they make a search exponential, unless each round begins
 * with a point, which the rest does not match.
 */
function nestedRepeats(source: string): string[] {
  const found: string[] = [];
  const open: Array<{ at: number; repeats: boolean }> = [];
  const endless = (at: number): boolean => /^(?:[*+]|\{\d+,\})/.test(source.slice(at));
  let isClass = false;
  for (let at = 0; at < source.length; at++) {
    const letter = source[at];
    if (letter === '\\') at++;
    else if (isClass) isClass = letter !== ']';
    else if (letter === '[') isClass = true;
    else if (letter === '(') open.push({ at, repeats: false });
    else if (letter === ')') {
      const group = open.pop();
      if (group?.repeats === true && endless(at + 1) && !source.startsWith('(?:\\.[\\w-]', group.at))
        found.push(source.slice(group.at, at + 2));
      const outer = open.at(-1);
      if (outer !== undefined && (group?.repeats === true || endless(at + 1))) outer.repeats = true;
    } else if (endless(at)) {
      const group = open.at(-1);
      if (group !== undefined) group.repeats = true;
    }
  }
  return found;
}
