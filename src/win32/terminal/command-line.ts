/**
 * Command lines by the rules that Windows programs take them apart with. No Windows in here.
 * Source: learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
 */

/** Nothing in here means anything to a program's own parsing, nor to cmd. */
const PLAIN = /^[\w\-./\\:@+~#]+$/;

/** One argument as it stands in a command line: quoted where needed, backslashes doubled before a quote. */
export function quoteArgument(text: string): string {
  return PLAIN.test(text) ? text : quoted(text);
}

/** The same, always in quotes. */
export function quoted(text: string): string {
  return `"${text.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\+)$/, '$1$1')}"`;
}

/** A whole command line. */
export function joinArguments(args: readonly string[]): string {
  return args.map(quoteArgument).join(' ');
}
