/** The risk of one action: its level, its tags, and why each tag is there. */
import type { AppIdentity, BindingRecord } from '../../../contract/element/binding.ts';
import { isElevated, higherRisk } from '../../../contract/gate/orders.ts';
import type { ElementContext, ElementInfo } from '../../../contract/element/element.ts';
import type { Chord } from '../../../contract/keys/keys.ts';
import type { RiskLevel, RiskTag } from '../../../contract/gate/permissions.ts';
import type { ProposerClaims, ActionTraits } from '../../../contract/gate/traits.ts';
import { quoted } from '../../../contract/json/quoted.ts';
import type { CellsBefore } from '../../../contract/cells/sheet.ts';
import { kindOf, type AppKind } from '../words/app-kind.ts';
import { findDestructiveCommand } from '../content/commands.ts';
import { classifyContent, CONTENT_TAGS, type ContentClass } from '../content/content.ts';
import { ITEMS, LISTS, TEXT_FIELDS, TURNED } from '../../../contract/element/control-types.ts';
import { lookAtKeys } from '../keys/key-risk.ts';
import { pastes } from '../keys/line-keys.ts';
import { lookAtConsole } from '../keys/console.ts';
import { lookAtCells } from './cells.ts';
import { isPasswordLabel, showsSignedIn } from '../words/match.ts';
import { Findings, MOST_TEXTS, type RiskEvidence, Surroundings } from './surroundings.ts';
import { typedText } from '../content/typed-text.ts';

export interface RiskInput {
  readonly traits: ActionTraits;
  readonly app: AppIdentity | null;
  readonly binding: BindingRecord | null;
  readonly context: ElementContext | null;
  /** What a drag picks up. */
  readonly start?: { readonly app: AppIdentity | null; readonly context: ElementContext | null } | null;
  /** The cells that are written, as they are. */
  readonly cells?: CellsBefore | null;
  readonly chords: readonly Chord[];
  /** Text typed into the same field shortly before. */
  readonly typedBefore?: string;
  /** Keys that are already down. */
  readonly held?: Chord;
  readonly typesSecret: boolean;
  readonly claims: ProposerClaims | null;
}

export interface Risk {
  readonly level: RiskLevel;
  readonly tags: readonly RiskTag[];
  /** Facts that are not tags: `content:card_number`, `default_button`, `unknown_target`. */
  readonly flags: readonly string[];
  readonly evidence: readonly RiskEvidence[];
}

/**
 * Level and tags of one action, from the live element, its surroundings, the application, keys and text.
 * `computer:input` is not set here: the decision adds it if a confirmation is required.
 */
export function deriveRisk(input: RiskInput): Risk {
  const { traits, claims } = input;
  const found = new Findings();
  for (const tag of traits.tags) found.add(tag, `this kind of action always counts as ${tag}`);
  if (traits.effect !== 'observe' && !traits.isPointerMoveOnly) {
    look(input, found);
    const { start } = input;
    if (traits.from !== null && start !== undefined && start !== null)
      look({ ...input, ...start, traits: { ...traits, target: traits.from } }, found);
  }
  for (const tag of claims?.riskTags ?? []) found.add(tag, 'the proposer says so');
  const isCritical = found.has('financial') || found.has('destructive');
  // Added after that: what is overwritten in a sheet stays in the answer and in the artifact, so it is high and not critical.
  const cells = traits.cells === null ? 'low' : lookAtCells(traits.cells, input.cells ?? null, found);
  return {
    level: isCritical
      ? 'critical'
      : higherRisk(higherRisk(baseLevel(traits), cells), traits.tags.length > 0 ? 'high' : 'low'),
    tags: found.tags,
    flags: [...found.flags],
    evidence: found.evidence,
  };
}

/** Reading is low; moving the pointer or a window is medium; input and starting programs are high. */
function baseLevel(traits: ActionTraits): RiskLevel {
  if (traits.effect === 'observe') return 'low';
  if (traits.effect === 'manage' || traits.isPointerMoveOnly || traits.cells !== null) return 'medium';
  return 'high';
}

function look(input: RiskInput, found: Findings): void {
  const { traits, context, binding } = input;
  const kind = kindOf(input.app);
  if (binding !== null && isElevated(binding.integrity))
    found.add('elevated', `the window runs with ${binding.integrity} integrity`);
  const { target } = traits;
  const isAimed =
    target.kind === 'element' || target.kind === 'point' || target.kind === 'pointer' || target.kind === 'focus';
  const scrolls = (target.kind === 'element' || target.kind === 'point') && target.purpose === 'scroll';
  if (isAimed && !scrolls) {
    if (context === null || context.element === null) found.flags.add('unknown_target');
    const surroundings = new Surroundings(context, kind, found);
    if (target.kind === 'focus')
      lookAtKeys(
        {
          context,
          kind,
          chords: input.chords,
          rounds: traits.variant === 'hold' ? Infinity : traits.repeat,
          held: input.held ?? [],
          typed: traits.content,
        },
        surroundings,
        found,
      );
    else if (target.kind === 'point' || target.kind === 'pointer') surroundings.pressPoint();
    else if (target.purpose === 'click' || target.purpose === 'select') surroundings.press(context?.element ?? null);
    // A chord that an element names as its own presses that element.
    for (const { element } of context?.commands ?? []) surroundings.press(element, 'the keys press');
    if (target.kind === 'element' && target.item !== undefined)
      surroundings.choose(target.item, context?.chosen ?? null);
    // A click on a whole list hits one of its rows.
    if (target.kind === 'element' && target.purpose === 'click' && LISTS.has(context?.element?.controlType ?? 'Window'))
      surroundings.pressEach(({ controlType, isInComboBox }) => ITEMS.has(controlType) && !isInComboBox);
    lookAtSession(context, kind, found);
  }
  // The wheel over a closed combo box, or over its field or button, selects another item.
  const turnsWheel = scrolls && (target.kind === 'point' || traits.variant === 'wheel');
  if (turnsWheel && TURNED.has(context?.element?.controlType ?? 'Window'))
    new Surroundings(context, kind, found).pressEach(({ isInComboBox }) => isInComboBox);
  const pressesWindow = target.kind === 'window' && traits.tier === 'full';
  // A line break in text for an element may reach it as the Enter key.
  if (target.kind === 'element' && kind === 'messaging' && /[\r\n]/.test(traits.content ?? ''))
    found.add('external_submit', 'Enter sends the message');
  if (kind === 'trading' && traits.effect === 'input' && ((isAimed && !scrolls) || pressesWindow))
    found.add('financial', 'this is a trading application');
  lookAtContent(input, kind, found);
  for (const { tag, text } of lookAtConsole({ ...input, held: input.held ?? [] })) found.add(tag, text);
  lookAtField(input, found);
}

const SIGNED_IN_PATHS =
  /(?:^|[/.-])(?:account|accounts|admin|administration|dashboard|inbox|mail|settings|billing|profile|konto|cuenta|compte|conta)(?:[/.-]|$)/i;

/** Signs that a user is signed in, so that actions are done in that user's name. */
function lookAtSession(context: ElementContext | null, kind: AppKind, found: Findings): void {
  if (kind === 'messaging') found.add('authenticated', 'the application acts in the user’s name');
  if (context === null) return;
  const sign = [...context.nearbyTexts.slice(0, MOST_TEXTS), ...context.dialogTexts.slice(0, MOST_TEXTS)].find(
    showsSignedIn,
  );
  if (sign !== undefined) found.add('authenticated', `the window shows ${quoted(sign)}`);
  else if (context.address !== null && SIGNED_IN_PATHS.test(context.address))
    found.add('authenticated', `the page is ${quoted(context.address)}`);
}

const CONTENT_WORDS: Readonly<Record<ContentClass, string>> = {
  card_number: 'a payment card number',
  bank_account: 'a bank account number',
  crypto_address: 'a crypto wallet address',
  private_key: 'a private key',
  api_key: 'an access token or key',
  password_text: 'a password',
  national_id: 'a national identity number',
  address_list: 'a list of email addresses',
};

/** The text as it arrives: repeated, spelled by keys, after what was typed before. Earlier findings are not repeated. */
function lookAtContent({ traits, app, typedBefore }: RiskInput, kind: AppKind, found: Findings): void {
  const typed = typedText(traits);
  if (typed === null) return;
  const before = traits.replacesText ? '' : (typedBefore ?? '');
  const present = before === '' ? [] : classifyContent(before);
  const own = classifyContent(typed);
  for (const contentClass of new Set([
    ...own,
    ...(before === '' ? [] : classifyContent(before + typed).filter((one) => !present.includes(one))),
  ])) {
    found.flags.add(`content:${contentClass}`);
    const text = own.includes(contentClass)
      ? 'the text contains'
      : 'together with what was typed before, the text contains';
    for (const tag of CONTENT_TAGS[contentClass]) found.add(tag, `${text} ${CONTENT_WORDS[contentClass]}`);
  }
  if (kind !== 'terminal' && kind !== 'ide' && traits.effect !== 'launch' && !traits.tags.includes('prompts')) return;
  const command =
    findDestructiveCommand(typed) ??
    (before === '' || findDestructiveCommand(before) !== null ? null : findDestructiveCommand(before + typed));
  if (command !== null)
    found.add(
      'destructive',
      `the text contains a command that ${command}${app === null ? '' : ` in ${quoted(app.displayName)}`}`,
    );
}

/** Whether text or characters reach the element. */
function types({ traits, chords, typesSecret }: RiskInput): boolean {
  return (
    typesSecret ||
    traits.content !== null ||
    chords.some(
      (chord) =>
        pastes(chord) ||
        (chord.some((key) => key.character !== null || key.name === 'space') &&
          !chord.some((key) => key.modifier !== null && key.modifier !== 'shift')),
    )
  );
}

function lookAtField(input: RiskInput, found: Findings): void {
  const element = input.context?.element ?? null;
  if (input.typesSecret) found.add('password', 'a stored secret is typed');
  if (!types(input)) return;
  const { target } = input.traits;
  // A field that does not exist yet, in a dialog that an earlier step of a plan opens, is known only by its name.
  if (
    element === null &&
    target.kind === 'element' &&
    target.query.name !== undefined &&
    isPasswordLabel(target.query.name)
  ) {
    found.add('password', `${quoted(target.query.name)} is the name of a password field`);
  }
  if (element === null) return;
  if (isPasswordField(element)) found.add('password', `${quoted(element.name)} is a password field`);
}

/** Whether a field hides what is typed, or asks for a secret by its label. */
export function isPasswordField(element: ElementInfo): boolean {
  return element.states.includes('password') || (TEXT_FIELDS.has(element.controlType) && isPasswordLabel(element.name));
}
