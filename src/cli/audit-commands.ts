import { writeFile } from 'node:fs/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { globalsOf, type CliContext } from './context.ts';
import { FailedError, printable } from './output.ts';
import { replayPage } from './replay.ts';

interface Entry {
  readonly seq: number;
  readonly time: string;
  readonly kind: string;
  readonly actor: { readonly tokenId: string | null; readonly surface: string };
  readonly sessionId: string | null;
  readonly action: string | null;
  readonly decision: string | null;
  readonly errorCode: string | null;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError('Expected a whole number.');
  return value;
}

function describeEntry({ seq, time, kind, actor, sessionId, action, decision, errorCode }: Entry): string {
  const parts = [String(seq).padStart(6), time, kind.padEnd(10), `${actor.tokenId ?? '-'}/${actor.surface}`, sessionId ?? '-', action ?? '-', decision ?? '', errorCode ?? ''];
  return printable(parts.join('  ').trimEnd());
}

/** audit verify|show|replay. */
export function addAuditCommands(program: Command, context: CliContext): void {
  const audit = program.command('audit').description('what was asked, decided and done').helpGroup('A person in control:');

  audit.command('verify').description('whether the audit is whole and unchanged (status 1 if not)')
    .action(async (_flags: unknown, command: Command) => {
      const text = await (await context.connect()).text('GET', '/v1/audit/verify', { scope: 'operator' });
      const { ok, records, head, firstBad } = JSON.parse(text) as { ok: boolean; records: number; head: string; firstBad: { seq: number; reason: string } | null };
      if (globalsOf(command).json) context.output.out(text);
      else if (ok) context.output.out(`The audit is whole: ${records} records, head ${head}.`);
      if (!ok) throw new FailedError(`The audit is damaged at record ${firstBad?.seq ?? '?'} (${firstBad?.reason ?? 'unknown'}).`, 'Keep the files as they are, and find out who or what changed them.');
    });

  audit.command('show').description('print entries')
    .addOption(new Option('--after <seq>', 'from the entry after this one').default(0).argParser(wholeNumber))
    .addOption(new Option('--limit <number>', 'at most so many').default(100).argParser(wholeNumber))
    .action(async ({ after, limit }: { after: number; limit: number }, command: Command) => {
      const text = await (await context.connect()).text('GET', `/v1/audit?after=${after}&limit=${limit}`, { scope: 'operator' });
      const { entries } = JSON.parse(text) as { entries: Entry[] };
      context.output.out(globalsOf(command).json ? text : entries.length === 0 ? 'No entries.' : entries.map(describeEntry).join('\n'));
    });

  audit.command('replay <session>').description('write a session as one HTML page: entries, events, cards and pictures in their order')
    .requiredOption('--output <file>', 'the page to write')
    .action(async (session: string, { output }: { output: string }) => {
      const page = await replayPage(await context.connect(), session);
      await writeFile(output, page.html);
      context.output.err(`written to ${output}: ${page.entries} entries, ${page.pictures} pictures`);
    });
}
