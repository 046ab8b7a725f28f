/** Finds texts on the screen that give orders to an agent. */
import instructions from './instruction-signals.json' with { type: 'json' };
import { foldText, hasCjk } from '../words/text.ts';

/** Why a text looks like an instruction to the agent. */
export interface InstructionFinding {
  readonly signals: readonly string[];
  /** The text that contains it, shortened; other programs' words. */
  readonly excerpt: string;
}

/** Weight from which a text counts as an instruction: one sign that ordinary screens hardly ever show, or two that they may. */
const ENOUGH = 2;

/** Invisible letters of the tag block spell ASCII that a person does not see and a model may read. */
function hiddenText(text: string): string {
  return [...text.matchAll(/[\u{e0020}-\u{e007e}]/gu)]
    .map(([character]) => String.fromCodePoint((character.codePointAt(0) ?? 0) - 0xe0000))
    .join('');
}

const EXCERPT_LENGTH = 160;
/**
 * Longer texts are checked in overlapping pieces: signs far from each other do not form one order. The longest
 * pattern is shorter than the overlap.
 */
const PIECE = { any: 4000, plain: 1000 } as const;
const OVERLAP = 400;
const MAX_PIECES = 64;

/**
 * How plain an order must be. `any`: next to the target and in its dialog, where texts concern the action itself.
 * `plain`: anywhere else in view, as in mails and documents, which often ask people for things: only what is meant for
 * an agent counts there, or what speaks as the system and asks for something.
 */
export type Plainness = 'any' | 'plain';

/**
 * Regular expressions against folded text (lower case, no accents, single blanks), in which `%NAME%` stands for a part that
 * several have. Japanese and Chinese ones are tried only if the text has such characters.
 */
const { parts, signals: SIGNALS } = instructions;
const BY_SCRIPT = SIGNALS.map(({ name, weight, patterns }) => {
  const compiled = patterns.map(
    (source) =>
      new RegExp(
        source.replace(/%([A-Z]+)%/g, (_, part: keyof typeof parts) => parts[part]),
        'u',
      ),
  );
  return {
    name,
    weight,
    patterns: compiled,
    cjk: compiled.filter((one) => hasCjk(one.source)),
    other: compiled.filter((one) => !hasCjk(one.source)),
  };
});

function judgePiece(folded: string): { signals: string[]; weight: number } {
  const signals: string[] = [];
  let weight = 0;
  const isCjk = hasCjk(folded);
  for (const signal of BY_SCRIPT) {
    if (!signal.other.some((one) => one.test(folded)) && !(isCjk && signal.cjk.some((one) => one.test(folded))))
      continue;
    signals.push(signal.name);
    weight += signal.weight;
  }
  // Urgency, or posing as the system, means nothing by itself: something must be requested.
  const asks = signals.some((name) => name !== 'urges' && name !== 'speaks_as_system');
  return asks ? { signals, weight } : { signals, weight: 0 };
}

/** Signs meant for an agent rather than a person. */
const FOR_AGENTS: ReadonlySet<string> = new Set(
  SIGNALS.filter(({ weight, name }) => weight === 2 && name !== 'sends_data_out').map(({ name }) => name),
);

const isPlain = (signals: readonly string[]): boolean =>
  signals.includes('speaks_as_system') || signals.some((name) => FOR_AGENTS.has(name));

/** The sentences of a piece that carry the first of its signs. */
function excerptOf(piece: string, signals: readonly string[]): string {
  const starts = BY_SCRIPT.filter(({ name }) => signals.includes(name))
    .flatMap(({ patterns }) => patterns.map((one) => piece.search(one)))
    .filter((at) => at >= 0);
  const from = Math.min(...starts);
  return piece.slice(from, from + EXCERPT_LENGTH);
}

function findInText(text: string, plainness: Plainness): InstructionFinding | null {
  const hidden = hiddenText(text);
  if (hidden.length >= 8) return { signals: ['hidden_text'], excerpt: hidden.slice(0, EXCERPT_LENGTH) };
  const folded = foldText(text)
    .replace(/[\u2018\u2019`\u00b4]/g, "'")
    .replace(/\s+/gu, ' ');
  const size = PIECE[plainness];
  for (
    let count = 0, from = 0;
    count < MAX_PIECES && (from === 0 || from < folded.length - OVERLAP);
    count++, from += size - OVERLAP
  ) {
    const piece = folded.slice(from, from + size);
    const { signals, weight } = judgePiece(piece);
    if (weight < ENOUGH || (plainness === 'plain' && !isPlain(signals))) continue;
    return {
      signals,
      excerpt: folded.length <= EXCERPT_LENGTH ? text.slice(0, EXCERPT_LENGTH) : excerptOf(piece, signals),
    };
  }
  return null;
}

/**
 * The first text that reads like an instruction to the agent rather than to a person; null if none does.
 * Texts are other programs' words: a finding here can only hold an action back.
 */
export function findInstruction(texts: Iterable<string>, plainness: Plainness = 'any'): InstructionFinding | null {
  for (const text of texts) {
    // The shortest order in any of the languages is longer than this.
    if (text.length < 5) continue;
    const finding = findInText(text, plainness);
    if (finding !== null) return finding;
  }
  return null;
}
