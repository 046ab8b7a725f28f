// `uiahost open` and `uiahost inspect`: the page at `/`, opened by a one-time link.
import type { Command } from 'commander';
import { showInBrowser } from '../base/browser.ts';
import type { CliContext } from './flags.ts';
import { globalsOf } from './flags.ts';
import { FailedError, printable } from './output.ts';

interface OpenFlags {
  readonly print?: boolean;
  readonly viewer?: boolean;
}

/** A program that reads a printed link gets a page that can only look, never another one. */
const isPersonThere = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;

async function openPage(
  context: CliContext,
  command: Command,
  flags: OpenFlags,
  place: Readonly<Record<string, string>>,
) {
  const connection = await context.connect();
  const isViewer = flags.viewer === true || (flags.print === true && !isPersonThere());
  const { code, expiresAt } = JSON.parse(
    await connection.text('POST', '/v1/page/codes', {
      scope: 'operator',
      body: { scope: isViewer ? 'viewer' : 'operator' },
    }),
  ) as { code: string; expiresAt: string };
  const link = new URL(`/#${new URLSearchParams({ ...place, code }).toString()}`, connection.url).href;
  const { json } = globalsOf(command);
  const isShown = flags.print !== true && (await showInBrowser(link));
  if (!isShown && !isViewer && !isPersonThere())
    throw new FailedError('No browser could be started, and the link is printed for a person at a terminal alone.');
  if (json)
    context.output.out(
      JSON.stringify({ link: isShown ? null : link, scope: isViewer ? 'viewer' : 'operator', expiresAt }),
    );
  else if (isShown) context.output.out('The page is opening in your browser.');
  else {
    if (flags.print !== true)
      context.output.err('No browser could be started. Open this link within a minute; it works once:');
    context.output.out(printable(link));
    if (isViewer && flags.viewer !== true)
      context.output.err('Note: no person is at this terminal, so the page of this link can only look.');
  }
}

export function addPageCommands(program: Command, context: CliContext): void {
  const group = 'A person in control:';
  program
    .command('open')
    .description('open the page on which you watch, stop, inspect and answer')
    .helpGroup(group)
    .option('--print', 'print the one-time link instead of opening a browser')
    .option('--viewer', 'a page that can only look')
    .addHelpText(
      'after',
      '\nThe link works once, within a minute. The page needs no other program and reaches no other computer.',
    )
    .action((flags: OpenFlags, command: Command) => openPage(context, command, flags, {}));
  program
    .command('inspect')
    .description('open the page at its inspector: point at an element, copy the query that finds it')
    .helpGroup(group)
    .option('--hwnd <hwnd>', 'the window to inspect; `list-visible-windows` lists them')
    .option('--print', 'print the one-time link instead of opening a browser')
    .action((flags: OpenFlags & { hwnd?: string }, command: Command) =>
      openPage(context, command, flags, {
        view: 'inspector',
        ...(flags.hwnd === undefined ? {} : { hwnd: flags.hwnd }),
      }),
    );
}
