/**
 * Command lines, quoted by the rules with which Windows programs split them. No Windows in here.
 * Source: learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
 */

/** Characters that neither a program's parsing nor cmd treats specially. */
const PLAIN = /^[\w\-./\\:@+~#]+$/;

/** One argument of a command line: quoted if needed, backslashes doubled before a quote. */
export function quoteArgument(text: string): string {
  return PLAIN.test(text) ? text : quoteAlways(text);
}

/** The same, always in quotes. */
export function quoteAlways(text: string): string {
  return `"${text.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\+)$/, '$1$1')}"`;
}

/** A whole command line. */
export function joinArguments(args: readonly string[]): string {
  return args.map(quoteArgument).join(' ');
}
