/** What a log says about a fault: where it happened, never its message, which may quote a window or typed text. */

/** Enough to find the place of a fault. */
const MAX_FRAMES = 7;
/** A fault, what caused it, and so on: no more than this. */
const MAX_CAUSES = 4;
/** A line of V8's stack: `    at name (place:line:column)`. A message could have a line that only begins like one. */
const FRAME = /^ +at .*(?::\d+:\d+|<anonymous>|native)\)?$/;
const CODE = /^\w{1,40}$/;

const framesOf = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => FRAME.test(line))
    .slice(0, MAX_FRAMES)
    .map((line) => ` < ${line.trim()}`)
    .join('');

function describeOne(thrown: unknown): string {
  if (typeof thrown === 'string') return `string${framesOf(thrown)}`;
  if (!(thrown instanceof Error)) return typeof thrown;
  const { name, message, code, stack } = thrown as Error & { readonly code?: unknown };
  // V8 writes the message before the frames.
  const text = stack ?? '';
  const messageAt = text.indexOf(message);
  const frames = framesOf(messageAt < 0 ? text : text.slice(messageAt + message.length));
  return `${name}${typeof code === 'string' && CODE.test(code) ? ` ${code}` : ''}${frames}`;
}

/** Name, code and stack frames of an error and of its causes, on one line, without their messages. */
export function describeFault(thrown: unknown): string {
  const parts: string[] = [];
  for (let at = thrown; at !== undefined && parts.length < MAX_CAUSES;) {
    parts.push(describeOne(at));
    at = at instanceof Error ? at.cause : undefined;
  }
  return parts.length === 0 ? typeof thrown : parts.join(' caused by ');
}
