/** Finds commands that destroy something, in the text that a shell gets. */
import commands from './destructive-commands.json' with { type: 'json' };

/**
 * Destructive terminal commands. Each row: what the command does, and how it is written in the shells of Windows and Unix, in
 * any case or exactly. A command not listed there is still input, at least `high`.
 */
const DESTRUCTIVE_COMMANDS = commands.map(({ what, patterns, exact }) => ({
  what,
  patterns: [...patterns.map((one) => new RegExp(one, 'i')), ...exact.map((one) => new RegExp(one))],
}));

/** Longer lines are checked in overlapping pieces, so that no pattern runs on unbounded text. */
const PIECE = 4000;
const OVERLAP = 200;

function* piecesOf(text: string): Generator<string> {
  for (const line of text.split(/[\r\n]+/)) {
    for (let from = 0; from === 0 || from < line.length - OVERLAP; from += PIECE - OVERLAP)
      yield line.slice(from, from + PIECE);
  }
}

/** What a destructive command in the text does; null if it contains none that is known. */
export function findDestructiveCommand(text: string): string | null {
  for (const piece of piecesOf(text)) {
    for (const { what, patterns } of DESTRUCTIVE_COMMANDS)
      if (patterns.some((pattern) => pattern.test(piece))) return what;
  }
  return null;
}
