/** Builds, from the gate's findings, the card that a person decides on, and the page that it names. */
import type { ApprovalScope, CardCells, CardPage } from '../../contract/gate/approval.ts';
import type { AppIdentity, BindingRecord } from '../../contract/element/binding.ts';
import type { ElementContext } from '../../contract/element/element.ts';
import type { RiskTag } from '../../contract/gate/permissions.ts';
import { cellChanges } from '../../contract/cells/cell-text.ts';
import { canonicalJson } from '../../contract/json/strict-json.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { cellsToWrite } from '../../contract/cells/cell-values.ts';
import type { CellsBefore } from '../../contract/cells/sheet.ts';
import type { Sentence } from '../../contract/gate/card-words.ts';
import type { ActionTraits } from '../../contract/gate/traits.ts';
import { NEVER_LASTING } from '../rights/allowances.ts';
import { classifyContent, isSecretText, SECRET_CLASSES, type ContentClass } from '../risk/content/content.ts';
import { sentenceFor, spellsText, summaryOf, type Told } from './card-sentence.ts';
import { keyedDigest } from './digest.ts';
import type { CardDraft, GateSubject } from './gate-types.ts';
import { leavesApp, type Verdict } from './judge.ts';
import { typedText } from '../risk/content/typed-text.ts';
import { domainToUnicode } from 'node:url';
import { originOf } from '../../contract/gate/pages.ts';
import { showsPage } from '../risk/words/app-kind.ts';

const MAX_ADDRESS = 300;

/** Drops a name and password before the host: they do not change where the address leads, as in `https://bank.example@evil.example/`. */
function shownAddress(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href.length > MAX_ADDRESS ? `${url.href.slice(0, MAX_ADDRESS - 1)}…` : url.href;
}

function unicodeHostOf(origin: string | null): string | null {
  if (origin === null) return null;
  const { hostname } = new URL(origin);
  const unicode = domainToUnicode(hostname);
  return unicode === '' || unicode === hostname ? null : unicode;
}

/** Null if no page is concerned. */
export function pageOf(app: AppIdentity | null, context: ElementContext | null): CardPage | null {
  if (app === null || !showsPage(app, context)) return null;
  const address = context?.address ?? null;
  const origin = originOf(address);
  return {
    origin,
    unicodeHost: unicodeHostOf(origin),
    address: address === null ? null : shownAddress(address),
    frame: context?.document.kind === 'frame' ? { origin: originOf(context.document.address) } : null,
  };
}

export interface CardFacts extends Told {
  readonly binding: BindingRecord | null;
  readonly digest: string;
  readonly sessionId: string;
  readonly timeoutMs: number;
  /** Goal of a computer-use session, in the agent's words. */
  readonly goal?: string | undefined;
}

/** Replaces every string of the input that is the typed text; the rest stays unchanged. */
function replaceText(value: unknown, text: string | null, replacement: unknown): unknown {
  if (text === null || text === '') return value;
  if (typeof value === 'string') return value === text ? replacement : value;
  if (Array.isArray(value)) return value.map((item) => replaceText(item, text, replacement));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, replaceText(member, text, replacement)]),
  );
}

const lengthOf = (text: string): string => `${[...text].length} character${[...text].length === 1 ? '' : 's'}`;

/** Inputs that hold keys. */
const KEY_FIELDS: ReadonlySet<string> = new Set(['keySequence', 'keyNames', 'text']);

/** Text that is itself a secret, as it arrives: repeated, or spelled by keys. */
const secretClasses = (traits: ActionTraits): ContentClass[] =>
  classifyContent(typedText(traits) ?? '').filter((one) => SECRET_CLASSES.includes(one));
const hasSecret = (traits: ActionTraits): boolean => secretClasses(traits).length > 0;

/** Keys that type characters into a password field are its text, one by one. */
function pressesSecret({ traits }: GateSubject, tags: readonly RiskTag[]): boolean {
  return traits.content === null && traits.chords.length > 0 && (tags.includes('password') || hasSecret(traits));
}

function replaceKeys(input: unknown, replacement: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, KEY_FIELDS.has(name) ? replacement : value]),
  );
}

type CellValues = Parameters<typeof cellsToWrite>[0];

/** The input with other words in place of keys that spell a secret, of the values of cells, or of the typed text. */
function inputWith(
  subject: GateSubject,
  tags: readonly RiskTag[],
  by: { readonly keys: unknown; readonly cells: (values: CellValues) => unknown; text(content: string): unknown },
): unknown {
  const { content, cells } = subject.traits;
  if (pressesSecret(subject, tags)) return replaceKeys(subject.input, by.keys);
  if (cells?.write) return { ...(subject.input as object), values: by.cells(cells.write.values) };
  return content === null ? subject.input : replaceText(subject.input, content, by.text(content));
}

const countOf = (values: CellValues): number => cellsToWrite(values).written;

/** Arguments for the audit: typed text appears only by its length, and keys pressed into a password field not at all. */
export const auditArguments = (subject: GateSubject, tags: readonly RiskTag[]): unknown =>
  inputWith(subject, tags, {
    keys: { secret: true },
    cells: (values) => ({ cells: countOf(values), length: subject.traits.content?.length ?? 0 }),
    text: ({ length }) => ({ length }),
  });

/** Arguments for the digest. What goes into a password field counts, but guessing cannot recover it from the digest. */
export const digestArguments = (subject: GateSubject, tags: readonly RiskTag[]): unknown =>
  tags.includes('password')
    ? inputWith(subject, tags, {
        keys: keyedDigest(subject.traits.chords.join(' ')),
        cells: (values) => keyedDigest(canonicalJson(values)),
        text: keyedDigest,
      })
    : subject.input;

/** Tags of content whose hash is not recorded either, even a keyed one: too few texts are possible. */
const UNHASHED: readonly RiskTag[] = ['password', 'financial'];

/** Length and keyed hash of typed text; no hash for a secret, or for text in a field for secrets. */
export function auditContent(
  subject: GateSubject,
  tags: readonly RiskTag[],
  hash: (text: string) => string | null,
): { length: number; hmac: string | null } | null {
  const { content } = subject.traits;
  if (content === null) return null;
  return {
    length: content.length,
    hmac: UNHASHED.some((tag) => tags.includes(tag)) || isSecretText(content) ? null : hash(content),
  };
}

/** Arguments for the card: complete, with secrets masked. A card number keeps its last four digits. */
export function cardArguments(subject: GateSubject, tags: readonly RiskTag[]): unknown {
  const classes = secretClasses(subject.traits);
  const isPassword = tags.includes('password');
  if (!isPassword && classes.length === 0) return subject.input;
  const shows = classes.includes('card_number') && !isPassword;
  return inputWith(subject, tags, {
    keys: '•••• (keys that spell a secret)',
    cells: (values) => `•••• (${String(countOf(values))} cells)`,
    text: (content) => `••••${shows ? ` ${content.replace(/\D/g, '').slice(-4)}` : ''} (${lengthOf(content)})`,
  });
}

/** What a write changes in the cells of a sheet; nothing for other actions. */
export function cardCells(
  { traits }: Pick<GateSubject, 'traits'>,
  before: CellsBefore | null | undefined,
  tags: readonly RiskTag[],
): CardCells[] {
  const write = traits.cells?.write ?? null;
  if (before === null || before === undefined) return [];
  if (before.book !== undefined) {
    const { changes, more } = before.book;
    return changes.length === 0 ? [] : [{ sheet: before.sheet, range: before.range, changes, more }];
  }
  if (write === null) return [];
  const isMasked = tags.includes('password') || hasSecret(traits);
  const { sheet, range, hidden } = before;
  const place = { sheet, range, ...(hidden === undefined ? {} : { hidden }) };
  return [{ ...place, ...cellChanges(write.values, before, isMasked) }];
}

export const chosenNames = (context: ElementContext | null): string[] =>
  (context?.chosen ?? []).map(({ name }) => name);

/** What would happen and where. */
export const sentenceOfCard = (subject: GateSubject, facts: Told): Sentence =>
  sentenceFor(subject, facts, {
    isSecret: hasSecret(subject.traits),
    page: facts.window === null ? null : pageOf(facts.app, facts.context),
  });

/** The scopes an answer may have. Actions that can never be approved for longer, secrets, and what the proposer wants asked are approved once. */
export function allowedScopes(
  subject: GateSubject,
  verdict: Verdict,
  facts: Pick<CardFacts, 'app' | 'binding' | 'context' | 'start'>,
): ApprovalScope[] {
  const scopes: ApprovalScope[] = ['once'];
  const isOnceOnly =
    subject.secret !== null ||
    subject.claims?.requiresApproval === true ||
    verdict.riskTags.some((tag) => NEVER_LASTING.includes(tag)) ||
    verdict.why.some(({ kind }) => kind === 'path' || kind === 'unknown') ||
    leavesApp({ app: facts.app, context: facts.context, start: facts.start ?? null }) ||
    verdict.coverage === null;
  if (isOnceOnly) return scopes;
  if (facts.binding !== null && subject.traits.effect !== 'observe') scopes.push('window');
  const lifted = verdict.coverage?.inSession === null ? ['tier'] : ['tier', 'level'];
  const isLifted = verdict.why.some(({ kind }) => lifted.includes(kind));
  if ((facts.app !== null && isLifted) || verdict.why.some(({ kind }) => kind === 'display')) scopes.push('session');
  return scopes;
}

/** What each scope covers, in plain words. */
function coversOf(subject: GateSubject, verdict: Verdict, facts: CardFacts): NonNullable<CardDraft['covers']> {
  const { coverage } = verdict;
  const inSession = coverage?.inSession ?? null;
  const session = [
    ...(verdict.why.some(({ kind }) => kind === 'display')
      ? ['Take pictures of whole displays, other applications included, until the session ends']
      : []),
    ...(facts.app !== null && inSession !== null ? [inSession] : []),
    ...(facts.app !== null && verdict.why.some(({ kind }) => kind === 'tier')
      ? [
          `${inSession === null ? 'This one time; it' : 'it'} is granted ${subject.traits.tier} until ${inSession === null ? 'the session ends' : 'then'}`,
        ]
      : []),
  ].join('; ');
  const texts = { once: 'This one time', window: coverage?.inWindow ?? '', plan: '', session };
  return allowedScopes(subject, verdict, facts).map((scope) => ({ scope, text: texts[scope] }));
}

/** Shorter texts occur in any sentence. */
const TELLING_LENGTH = 4;

/** An agent's reason may repeat what it types. */
function withoutContent(reason: string | null, content: string | null): string | null {
  if (reason === null || content === null || content.trim().length < TELLING_LENGTH) return reason;
  return reason.replaceAll(content, '[typed text]').replaceAll(content.trim(), '[typed text]');
}

export function draftCard(subject: GateSubject, verdict: Verdict, facts: CardFacts): CardDraft {
  const element = facts.context?.element ?? null;
  const cells = cardCells(subject, facts.cells, verdict.riskTags);
  const sentence = sentenceOfCard(subject, facts);
  return {
    actionId: subject.actionId,
    action: subject.action,
    sessionId: facts.sessionId,
    summary: summaryOf(sentence),
    sentence,
    why:
      facts.goal === undefined
        ? [...verdict.why]
        : [
            ...verdict.why,
            { kind: 'proposer', text: `Goal of the session, in the agent’s words: ${quoted(facts.goal)}.` },
          ],
    proposerReason: subject.claims?.reason ?? null,
    app: facts.app === null ? null : { bundleId: facts.app.bundleId, displayName: facts.app.displayName },
    window:
      facts.window === null ? null : { hwnd: facts.window.hwnd, title: facts.window.title, pid: facts.window.pid },
    page: facts.window === null ? null : pageOf(facts.app, facts.context),
    element:
      element === null ? null : { role: element.controlType, name: element.name, automationId: element.automationId },
    ...(cells.length === 0 ? {} : { cells }),
    arguments: cardArguments(subject, verdict.riskTags),
    riskLevel: verdict.riskLevel,
    riskTags: [...verdict.riskTags],
    flags: [...verdict.flags],
    digest: facts.digest,
    allowedScopes: allowedScopes(subject, verdict, facts),
    covers: coversOf(subject, verdict, facts),
    timeoutMs: facts.timeoutMs,
    outline: element?.rect ?? null,
    address: facts.context?.address ?? null,
    chosen: chosenNames(facts.context),
    kept: {
      ...(cells.length === 0 ? {} : { cells: [] }),
      arguments: auditArguments(subject, verdict.riskTags),
      proposerReason: withoutContent(subject.claims?.reason ?? null, subject.traits.content),
      ...(spellsText(subject.traits.chords)
        ? {
            covers: coversOf(subject, verdict, facts).map(({ scope, text }) => ({
              scope,
              text: scope === 'once' ? text : 'Press the same keys',
            })),
          }
        : {}),
    },
  };
}
