/** All texts of errors, read from the sources, are in one style. */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, describe, expect, test } from 'vitest';
import banned from '../../../scripts/lib/banned-words.json' with { type: 'json' };
import { INTERNAL, SHAPES } from '../../../scripts/lib/error-classes.ts';
import { errorTexts, sourceProgram } from '../../../scripts/lib/error-texts.ts';
import { ACTIONS } from '../../../src/actions/index.ts';
import { ProblemError } from '../../../src/client/errors.ts';
import { describeError } from '../../../src/cli/output.ts';
import { wordsOf } from '../../../src/contract/json/face-words.ts';
import { ERRORS, ERROR_CODES, UiaHostError } from '../../../src/contract/errors.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const list = errorTexts(sourceProgram(root), root);

/** A capital, a figure, a quotation, code, an option, a value, or the field that is meant, with a colon. */
const BEGIN = /^(?:\p{Lu}|\d|[`“"{]|--|[\w.-]+(?:\[[^\]]*\])?: )/u;
/** The end of a sentence, or a value whose own text ends it. */
const END = /(?:[.?!]|\{(?:[^{}]|\{[^{}]*\})*\})$/u;
const STRAIGHT_APOSTROPHE = /\p{L}'\p{L}/u;

const table = ERROR_CODES.flatMap((code) =>
  [ERRORS[code].title, ERRORS[code].hint].map((text) => ({ text, file: 'src/contract/errors.ts' })),
);
const hints = [
  ...list.texts.flatMap(({ hints: own, file }) => own.map((text) => ({ text, file }))),
  ...list.loose.filter(({ kind }) => kind === 'hint'),
  ...ERROR_CODES.map((code) => ({ text: ERRORS[code].hint, file: 'src/contract/errors.ts' })),
];
const sentences = [...list.texts.filter(({ made }) => SHAPES[made]?.part === undefined), ...hints];
const everything = [...list.texts, ...list.loose, ...hints, ...table];

const places = (texts: readonly { readonly text: string; readonly file: string }[]): string[] => [
  ...new Set(texts.map(({ text, file }) => `${file}: ${text}`)),
];

describe('a hint as each face says it', () => {
  const actions = ACTIONS.map(({ name }) => name);
  const said = (face: 'tools' | 'cli') => hints.map(({ text }) => wordsOf(face, actions)(text));

  test('names no route to a model or to a person at a terminal', () => {
    expect(hints.filter(({ text }) => text.includes('/v1/')).length).toBeGreaterThan(5);
    expect([...said('tools'), ...said('cli')].filter((text) => text.includes('/v1/'))).toEqual([]);
  });

  test('is a command where the command line prints a problem', () => {
    const problem = new UiaHostError('session_not_found', 'There is no session x.').toProblem();
    expect(describeError(new ProblemError(problem, JSON.stringify(problem)), false)).toContain(
      'try: `uiahost session list` lists the sessions',
    );
  });

  test('names tools to a model, and actions otherwise', () => {
    const names = actions.filter((name) => name.includes('-'));
    const naming = (texts: string[]) => texts.filter((text) => names.some((name) => text.includes(name)));
    expect(naming(hints.map(({ text }) => text)).length).toBeGreaterThan(5);
    expect(naming(said('tools'))).toEqual([]);
    expect(wordsOf('tools', actions)('Use list-visible-windows, not x-list-visible-windows or fallback-less.')).toBe(
      'Use list_visible_windows, not x-list-visible-windows or fallback-less.',
    );
  });
});

describe('the list', () => {
  test('has every error that src makes', () => {
    expect(list.missed).toEqual([]);
    expect(list.texts.length).toBeGreaterThan(400);
    // Counted in another way: by the words of the sources, without their comments.
    const names = [...Object.keys(SHAPES), ...Object.keys(INTERNAL)];
    const made = new RegExp(`\\bnew (?:${names.join('|')}|\\w+Error)\\(`, 'g');
    for (const file of readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue;
      const name = `src/${file.replaceAll('\\', '/')}`;
      const source = readFileSync(path.join(root, 'src', file), 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
      const count = [...source.matchAll(made)].length;
      expect({ name, count }).toEqual({ name, count: list.made.get(name) ?? 0 });
    }
  });

  test('each class of error has its place in one of the two lists, and each of the lists is in use', () => {
    const made = new Set(list.texts.map((text) => text.made));
    expect(Object.keys(SHAPES).filter((name) => !made.has(name))).toEqual([]);
    expect(Object.keys(INTERNAL).filter((name) => Object.hasOwn(SHAPES, name))).toEqual([]);
    for (const { reason } of Object.values(INTERNAL)) expect(reason).toMatch(/\w+ \w+/);
  });
});

describe('the reader', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'uiahost-error-texts-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function read(source: string): ReturnType<typeof errorTexts> {
    const file = path.join(folder, 'one.ts');
    writeFileSync(
      file,
      `class UiaHostError extends Error {
        constructor(code: string, detail: string, more: { hint?: string } = {}) { super(detail + String(more.hint) + code); }
        with(more: { detail?: string; hint?: string }): UiaHostError { return new UiaHostError('internal', String(more.detail), {}); }
      }
      ${source}`,
    );
    const program = ts.createProgram([file], { target: ts.ScriptTarget.ESNext, strict: true, noLib: false });
    return errorTexts(program, path.dirname(folder), path.basename(folder));
  }
  const textsOf = (source: string): string[] =>
    read(source)
      .texts.filter(({ made, text }) => made === 'UiaHostError' && text !== '{more.detail}')
      .map(({ codes, text, hints: own }) => [codes.join(), text, ...own].join(' | '));

  test('shows placeholders, alternatives, constants and hints', () => {
    expect(
      textsOf(`const NEXT = 'Try again.';
        export function one(title: string, count: number): never {
          throw new UiaHostError('window_gone', \`The window \${JSON.stringify(title)} has \${count === 1 ? 'a pane' : 'panes'}.\`, { hint: NEXT });
        }
        export function two(isOpen: boolean): never {
          throw new UiaHostError(isOpen ? 'still_open' : 'internal', isOpen ? 'It is ' + 'open.' : 'It failed.');
        }`),
    ).toEqual([
      'window_gone | The window {title} has {a pane|panes}. | Try again.',
      'internal,still_open | It is open.',
      'internal,still_open | It failed.',
    ]);
  });

  test('follows a helper to its callers, even if its text begins with a parameter', () => {
    expect(
      textsOf(`function refuse(code: 'not_found' | 'internal', text: string, hint = 'Look again.'): never {
          throw new UiaHostError(code, text, { hint });
        }
        const missing = (what: string) => new UiaHostError('not_found', \`\${what} is missing.\`);
        export const all = [() => refuse('not_found', 'There is none.'), () => refuse('internal', 'It broke.', 'Wait.'), () => missing('The file')];`),
    ).toEqual([
      'not_found | There is none. | Look again.',
      'internal | It broke. | Wait.',
      'not_found | The file is missing.',
    ]);
  });

  test('names a class of error that it does not know, and lists a text that is added to an error', () => {
    const { missed, texts } = read(`class LostError extends Error {}
      export const lost = () => new LostError('Lost.');
      export const more = (error: UiaHostError) => error.with({ detail: \`In step 1: \${error.message}\` });`);
    expect(missed).toEqual([expect.stringContaining('LostError is in neither list')]);
    expect(texts.filter(({ made }) => made === 'with').map(({ text }) => text)).toEqual(['In step 1: {error.message}']);
  });
});

describe('the style', () => {
  test('each text is a sentence with a capital and a full stop', () => {
    expect(places(sentences.filter(({ text }) => !BEGIN.test(text)))).toEqual([]);
    expect(places(sentences.filter(({ text }) => !END.test(text)))).toEqual([]);
    expect(places(table.filter(({ text }) => !BEGIN.test(text)))).toEqual([]);
  });

  test('apostrophes are the curly ones', () => {
    expect(places(everything.filter(({ text }) => STRAIGHT_APOSTROPHE.test(text)))).toEqual([]);
  });

  test.each(banned)('no text has /$pattern/: write $write', ({ pattern }) => {
    const rule = new RegExp(pattern, 'iu');
    const found = everything.filter(({ text }) => rule.test(text));
    expect(places(found)).toEqual([]);
  });

  test('the rules refuse their own examples', () => {
    for (const wrong of ['no window is bound.', 'the window']) expect(BEGIN.test(wrong)).toBe(false);
    for (const right of ['No window is bound.', '`limit` is too large.', 'urls: expected one.', '{title} is gone.'])
      expect(BEGIN.test(right)).toBe(true);
    expect([END.test('It is gone'), END.test('It is gone.'), END.test('Expected JSON: {a|{b.c}}')]).toEqual([
      false,
      true,
      true,
    ]);
    expect([STRAIGHT_APOSTROPHE.test("the host's"), STRAIGHT_APOSTROPHE.test('the host’s')]).toEqual([true, false]);
    const isBanned = (text: string): boolean => banned.some(({ pattern }) => new RegExp(pattern, 'iu').test(text));
    expect(
      ['x is no address', 'It was left as it is.', 'Whoever asks', 'it waits so long'].filter(isBanned),
    ).toHaveLength(4);
    expect(['There is no display.', 'It is no longer open.', 'Look at it as it is now.'].filter(isBanned)).toEqual([]);
  });
});
