/** Each never, always, refused and asked of the threat model and the guides is tied to the tests that show it. */
import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { promisedIds } from '../../../scripts/lib/promises.mjs';

const root = new URL('../../../', import.meta.url);

interface PromisedSentence {
  readonly file: string;
  /** A part of the sentence that no other one has. */
  readonly says: string;
  /** Empty: nothing is promised of the host; `why` says what the sentence is about. */
  readonly shownBy: readonly string[];
  readonly why?: string;
}

const of = (
  file: string,
  rows: ReadonlyArray<readonly [says: string, shownBy: readonly string[], why?: string]>,
): PromisedSentence[] =>
  rows.map(([says, shownBy, why]) => ({ file, says, shownBy, ...(why === undefined ? {} : { why }) }));

const sentences: readonly PromisedSentence[] = [
  ...of('docs/threat-model.md', [
    ['An agent is never trusted', ['risk.claims', 'approval.agent-cannot', 'gate.one-way']],
    ['never an instruction', ['untrusted.block', 'snapshot.escaping', 'errors.quoted-everywhere']],
    ['never wider than the wish', ['exit.permitted', 'press.compared']],
    ['refused at every level, written', ['exit.formula']],
    ['asked wherever it is typed', ['exit.path']],
    ['actions that only read refuse it', ['paths.foreign']],
    ['as shipped always asked, never for longer', ['exit.start', 'scope.shell']],
    ['asked once the agent was given text', ['level.sending']],
    ['whatever `control` executes or asks', ['level.monotonic']],
    ['`install` refuses files that other users can replace', ['service.protected']],
    ['a person is asked', ['policy.loosening', 'policy.agreement']],
    ['`asks.limit` (pure', [], 'names of promises'],
    ['a page that cannot be identified is refused', ['policy.pages']],
    ['judged by what its dialog asks', ['risk.surface']],
    ['other addresses never without TLS', ['settings.remote']],
    ['anything but plain JSON is refused', ['input.strict']],
    ['its windows are refused, never', ['binding.elevated']],
    ['refused until it is stored again', ['secret.origin-needed']],
  ]),
  ...of('docs/approvals.md', [
    ['never text or Enter in terminals and IDEs', ['scope.shell']],
    ['Enter never approves', ['overlay.enter']],
    ['A step asks again', ['scope.plan-changed']],
    ['The host never lists it', ['overlay.hidden']],
    ['An approval from anywhere else is refused', ['decides.surfaces']],
    ['for `approvals.timeoutMs` as always', ['approver.wait']],
    ['`approval.asked`', [], 'the name of a message'],
    ['then the host asks again', ['approver.answers']],
    ['Any other answer (forged, late, repeated', ['approver.forged']],
  ]),
  ...of('docs/concepts.md', [
    ['refused, never guessed', ['refs.gone', 'refs.place']],
    ['set what is asked', ['level.full', 'level.monotonic']],
    ['still asks for some things', ['level.alwaysAsk', 'level.alwaysAsk-shipped', 'level.sending']],
  ]),
  ...of('docs/audit.md', [['asks the running host', ['cli.audit']]]),
  ...of('README.md', [
    ['refuses npm as Windows comes', [], 'what PowerShell does'],
    ['every input asks a person', ['level.control', 'level.control-looks']],
    ['asks even at level `full`', ['level.alwaysAsk']],
    ['`full` still asks for whatever', ['level.alwaysAsk', 'level.monotonic', 'level.presets-named']],
  ]),
  ...of('docs/guides/excel.md', [
    ['refuses to write if anybody has changed', ['sheet.write']],
    ['refused at every level, whoever approves', ['exit.formula']],
    ['more than 64 names are refused', ['sheet.in-book']],
    ['`beforeUrl` always', ['sheet.before']],
    ['the workbook is never saved', ['sheet.write']],
    ['never switched off or changed', ['sheet.write']],
    ['Excel refuses the formula', [], 'what Excel does'],
    ['It asks first, says what you do', [], 'a test that a person runs'],
    ['an elevated Excel (must be refused)', ['binding.elevated']],
  ]),
  ...of('docs/guides/computer-use.md', [['each input asks you', ['level.control', 'level.control-looks']]]),
  ...of('docs/deploy/diagnosis.md', [
    ['It asks the running host', ['doctor.machine']],
    ['the host refused', ['doctor.status']],
    ['never changes a policy, a token', ['doctor.fix']],
  ]),
  ...of('docs/deploy/group-policy.md', [
    ['narrows and never grants', ['policy.registry.narrowing']],
    ['never taken for "nothing set"', ['policy.registry.refused']],
    ['sessions are `refused`', ['service.policy']],
  ]),
  ...of('docs/deploy/hardening.md', [['asks a person for what is risky', ['level.alwaysAsk-shipped']]]),
  ...of('docs/configuration.md', [
    ['never what was typed', ['telemetry.traces']],
    ['say what is no longer asked', ['level.presets-named']],
  ]),
  ...of('docs/deploy/monitoring.md', [['what was typed is never sent', ['telemetry.traces']]]),
  ...of('docs/deploy/processing-record.md', [
    ['both as in [retention.md]', ['data.commands']],
    ['a works agreement', [], 'a question to a lawyer'],
  ]),
  ...of('docs/deploy/rds-and-vdi.md', [['Give agents no shell there', [], 'what an administrator decides']]),
  ...of('docs/deploy/remote.md', [
    ['old RC2 files are refused', [], 'what Node’s TLS takes'],
    ['hash, never the token', ['tokens.policy-text', 'token.hash-only']],
  ]),
  ...of('docs/deploy/removing.md', [['before the removal', ['data.commands']]]),
  ...of('docs/deploy/retention.md', [
    ['only set more days without being asked', ['policy.loosening']],
    ['never the newest', ['audit.cut']],
    ['accounts of Entra ID never', ['data.commands']],
  ]),
  ...of('docs/deploy/rollout.md', [
    ['The MSI refuses a downgrade', ['package.msi.upgrade']],
    ['a newer schema', ['upgrade.data']],
  ]),
  ...of('docs/deploy/siem.md', [
    ['never texts of windows', ['siem.events']],
    ['`decision: "refused"`', [], 'a field of a record'],
  ]),
  ...of('docs/deploy/silent-installation.md', [['failed and undone, or refused', [], 'codes of Windows Installer']]),
  ...of('docs/deploy/network.md', [['other origins are refused', ['http.origin']]]),
  ...of('docs/deploy/scanners.md', [['Smart App Control refuses files', [], 'what Windows does']]),
  ...of('docs/deploy/service.md', [
    ['`install` refuses a folder in which other users', ['service.protected']],
    ['`autostart on` is refused', ['service.autostart']],
    ['`refused`, `excluded`, `ending`', [], 'names of states'],
    ['or a link in its place, is refused', ['service.protected']],
  ]),
  ...of('docs/deploy/unattended.md', [
    ['never shown', [], 'how the tests are run'],
    ['display never off', [], 'a setting of Windows'],
  ]),
  ...of('docs/deploy/upgrading.md', [['refused with a message', ['package.msi.upgrade']]]),
];

const pages = (folder: string): string[] =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}${name}`);
/** What a person reads to decide; docs/behaviour.md has the promises themselves. */
const FILES = [
  'README.md',
  ...['threat-model', 'agents', 'approvals', 'concepts', 'configuration', 'audit'].map((name) => `docs/${name}.md`),
  ...pages('docs/guides/'),
  ...pages('docs/deploy/'),
];
const WORDS = /\b(?:never|always|refuse[sd]?|asked|asks)\b/i;

/** Sentences and cells of tables; headings and examples are none. */
function sentencesOf(file: string): string[] {
  let isCode = false;
  return readFileSync(new URL(file, root), 'utf8')
    .replaceAll(/ \[[a-z][\w-]*(?:\.[\w-]+)+\](?!\()/g, '')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('```')) isCode = !isCode;
      if (isCode || line.startsWith('#')) return [];
      return (line.startsWith('|') ? line.split('|') : [line]).flatMap((part) =>
        part.trim().split(/(?<=[.!?])\s+(?=[A-Z`\u201c*[])|; /),
      );
    })
    .filter((sentence) => WORDS.test(sentence));
}

it('each such sentence is in the table once, with promises that exist', () => {
  const known = promisedIds();
  const problems: string[] = [];
  for (const file of FILES) {
    const rows = sentences.filter((row) => row.file === file);
    const found = sentencesOf(file);
    for (const sentence of found) {
      const count = rows.filter(({ says }) => sentence.includes(says)).length;
      if (count !== 1) problems.push(`${file}: ${count} rows for: ${sentence}`);
    }
    for (const { says } of rows)
      if (!found.some((sentence) => sentence.includes(says))) problems.push(`${file}: no sentence says: ${says}`);
  }
  for (const { file, says, shownBy, why } of sentences) {
    if (!FILES.includes(file)) problems.push(`${file} is not among the pages that are read`);
    if ((shownBy.length === 0) !== (why !== undefined)) problems.push(`${file}: ${says}: tests, or what it is about`);
    for (const id of shownBy) if (!known.has(id)) problems.push(`${file}: ${says}: there is no promise ${id}`);
  }
  expect(problems).toEqual([]);
});
