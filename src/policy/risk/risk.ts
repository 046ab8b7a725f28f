import type { AppIdentity, BindingRecord } from '../../contract/binding.ts';
import { isElevated } from '../../contract/integrity.ts';
import type { ControlType } from '../../contract/control-types.ts';
import type { ChosenItem, ElementContext, ElementInfo, KeyReach, WantedItem } from '../../contract/element.ts';
import { pathParts } from '../../contract/item-path.ts';
import type { Chord } from '../../contract/keys.ts';
import type { RiskLevel, RiskTag } from '../../contract/permissions.ts';
import type { ProposerClaims } from '../../contract/proposal.ts';
import { quoted } from '../../contract/quoted.ts';
import type { ActionTraits } from '../../contract/traits.ts';
import { kindOf } from './app-kind.ts';
import { findDestructiveCommand } from './commands.ts';
import { classifyContent, CONTENT_TAGS, type ContentClass } from './content.ts';
import { ITEMS, TEXT_FIELDS } from './control-groups.ts';
import { lookAtKeys, type Pressed, type Presses } from './key-risk.ts';
import { lookAtConsole } from './console.ts';
import type { AppKind } from './known-apps.ts';
import {
  asksToSave,
  findTagWords,
  identifierWords,
  isAffirmative,
  isPasswordLabel,
  isRefusal,
  isUnreadable,
  showsSignedIn,
} from './lexicon/match.ts';
import { higherRisk } from './risk-order.ts';
import { isUnnamed } from './surfaces.ts';
import { typedText } from './typed-text.ts';

export interface RiskInput {
  readonly traits: ActionTraits;
  readonly app: AppIdentity | null;
  readonly binding: BindingRecord | null;
  readonly context: ElementContext | null;
  /** What a drag picks up. */
  readonly start?: { readonly app: AppIdentity | null; readonly context: ElementContext | null } | null;
  readonly chords: readonly Chord[];
  /** What was typed into the same field shortly before. */
  readonly typedBefore?: string;
  /** Keys that are down already. */
  readonly held?: Chord;
  readonly typesSecret: boolean;
  readonly claims: ProposerClaims | null;
}

/** Why a tag is there, in words for a person. */
export interface RiskEvidence {
  readonly tag: RiskTag;
  readonly text: string;
}

export interface Risk {
  readonly level: RiskLevel;
  readonly tags: readonly RiskTag[];
  /** Facts beside the tags: `content:card_number`, `default_button`, `unknown_target`. */
  readonly flags: readonly string[];
  readonly evidence: readonly RiskEvidence[];
}

/** Controls that a click opens, focuses or scrolls, but that do nothing by their name. */
const PASSIVE: ReadonlySet<ControlType> = new Set<ControlType>([
  'Edit',
  'Document',
  'ComboBox',
  'TabItem',
  'Tab',
  'ScrollBar',
  'Slider',
  'Thumb',
  'TitleBar',
  'Window',
  'StatusBar',
  'Header',
  'HeaderItem',
  'ProgressBar',
  'ToolTip',
  'Separator',
  'Spinner',
  'Calendar',
  'Table',
  'DataGrid',
  'List',
  'Tree',
  'Menu',
  'MenuBar',
  'ToolBar',
  'AppBar',
  'SemanticZoom',
]);
const LISTS: ReadonlySet<ControlType> = new Set<ControlType>(['List', 'Tree', 'DataGrid', 'Table']);
const TURNED: ReadonlySet<ControlType> = new Set<ControlType>(['ComboBox', 'Edit', 'Button']);
const looksLikeFile = (name: string): boolean => /\.[A-Za-z0-9]{1,5}$/.test(name.trim());

/** So many texts of a dialog are read; the rest of a window is not its question. */
const MAX_TEXTS = 64;

class Findings {
  readonly evidence: RiskEvidence[] = [];
  readonly flags = new Set<string>();
  readonly #tags = new Set<RiskTag>();

  add(tag: RiskTag, text: string): void {
    if (this.#tags.has(tag)) return;
    this.#tags.add(tag);
    this.evidence.push({ tag, text });
  }

  has(tag: RiskTag): boolean {
    return this.#tags.has(tag);
  }

  get tags(): RiskTag[] {
    return [...this.#tags];
  }
}

/**
 * Level and tags of one action from the live element, what surrounds it, the application, keys and text.
 * `computer:input` is not among the tags here: it is carried where a confirmation is required, which the decision says.
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
  return {
    level: isCritical ? 'critical' : higherRisk(baseLevel(traits), traits.tags.length > 0 ? 'high' : 'low'),
    tags: found.tags,
    flags: [...found.flags],
    evidence: found.evidence,
  };
}

/** Looking is low; a pointer that only moves, and windows moved about, medium; input and starting programs high. */
function baseLevel(traits: ActionTraits): RiskLevel {
  if (traits.effect === 'observe') return 'low';
  if (traits.effect === 'manage' || traits.isPointerMoveOnly) return 'medium';
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
    if (target.kind === 'element' && target.item !== undefined)
      surroundings.choose(target.item, context?.chosen ?? null);
    // A click on a list as a whole lands on one of its rows.
    if (target.kind === 'element' && target.purpose === 'click' && LISTS.has(context?.element?.controlType ?? 'Window'))
      surroundings.pressEach(({ controlType, isInComboBox }) => ITEMS.has(controlType) && !isInComboBox);
    lookAtSession(context, kind, found);
  }
  // The wheel over a closed combo box, or over the field and the button in it, chooses another item.
  if (scrolls && target.kind === 'point' && TURNED.has(context?.element?.controlType ?? 'Window'))
    new Surroundings(context, kind, found).pressEach(({ isInComboBox }) => isInComboBox);
  const pressesWindow = target.kind === 'window' && traits.tier === 'full';
  // A line's end in a text that is put into an element may reach it as the Enter key.
  if (target.kind === 'element' && kind === 'messaging' && /[\r\n]/.test(traits.content ?? ''))
    found.add('external_submit', 'Enter sends the message');
  if (kind === 'trading' && traits.effect === 'input' && ((isAimed && !scrolls) || pressesWindow))
    found.add('financial', 'the application trades');
  lookAtContent(input, kind, found);
  for (const { tag, text } of lookAtConsole({ ...input, held: input.held ?? [] })) found.add(tag, text);
  lookAtField(input, found);
}

/** What pressing things in this window means. */
class Surroundings implements Presses {
  readonly context: ElementContext | null;
  readonly kind: AppKind;
  readonly #found: Findings;

  constructor(context: ElementContext | null, kind: AppKind, found: Findings) {
    this.context = context;
    this.kind = kind;
    this.#found = found;
  }

  /** The dialog as its texts put it. */
  get #texts(): string[] {
    return this.context === null
      ? []
      : [this.context.dialogTitle, ...this.context.dialogTexts].filter((text) => text !== '').slice(0, MAX_TEXTS);
  }

  /** A press on an element; null = something that nobody could name. */
  press(element: Pressed | null, says?: string): void {
    if (element === null) {
      this.pressNamed('', null, says);
      return;
    }
    if (PASSIVE.has(element.controlType)) return;
    if (ITEMS.has(element.controlType) && looksLikeFile(element.name)) return;
    this.pressNamed(
      element.name === '' ? identifierWords(element.automationId) : element.name,
      element.controlType,
      says,
    );
    if (element.isDefaultButton === true) this.#found.flags.add('default_button');
  }

  /** A press at a point: on the element that lies there, or on something that it only holds. */
  pressPoint(): void {
    const element = this.context?.element ?? null;
    if (this.context !== null && element !== null && isUnnamed(this.context, element)) this.pressUnknown();
    this.press(element);
  }

  /** An item inside of an element, or a menu's entry and those on the way to it: as they are, not as the caller calls them. */
  choose({ name }: WantedItem, chosen: readonly ChosenItem[] | null): void {
    if (chosen === null) {
      // Nobody could look it up. By name only that very name will be chosen.
      this.pressUnknown();
      if (name !== undefined) for (const part of new Set([name, ...pathParts(name)])) this.pressNamed(part, 'MenuItem');
      return;
    }
    const holder = this.context?.element?.controlType;
    for (const item of chosen) {
      if (item.name === '') this.pressUnknown();
      // A drop-down list holds choices and no files.
      else if (!ITEMS.has(item.controlType) || holder === 'ComboBox' || !looksLikeFile(item.name))
        this.pressNamed(item.name, item.controlType);
    }
  }

  /** Something that nobody could name. */
  pressUnknown(): void {
    this.#found.flags.add('unknown_target');
    this.press(null);
  }

  /** What could be meant among all that the window has. */
  pressEach(isMeant: (element: KeyReach) => boolean): void {
    for (const element of this.context?.reachable ?? [])
      if (isMeant(element)) this.press(element, 'among what it can reach is');
  }

  /** `says`: how the evidence of its name begins. */
  pressNamed(name: string, controlType: ControlType | null, says = 'its name says'): void {
    for (const hit of findTagWords(name, 'name')) this.#tag(hit.tag, `${says} ${quoted(name)}`);
    if (isRefusal(name)) {
      const question = this.#texts.find(asksToSave);
      if (question !== undefined) this.#tag('destructive', `${quoted(name)} throws work away: ${quoted(question)}`);
    }
    const isForeign = (controlType === null || !ITEMS.has(controlType)) && isUnreadable(name);
    if (isForeign) this.#found.flags.add('unknown_target');
    // A plain yes, and a button whose name is missing or cannot be read, mean what the dialog asks.
    const saysYes = name.trim() === '' || isForeign || isAffirmative(name);
    if (saysYes && (controlType === null || !ITEMS.has(controlType))) this.answerDialog();
  }

  /** The dialog is answered with a yes, or with something that nobody could name. */
  answerDialog(): void {
    if (this.context === null) return;
    for (const text of this.#texts)
      for (const hit of findTagWords(text, 'sentence')) this.#tag(hit.tag, `the dialog says ${quoted(text)}`);
    for (const text of this.context.nearbyTexts.slice(0, MAX_TEXTS))
      for (const hit of findTagWords(text, 'name')) this.#tag(hit.tag, `beside it stands ${quoted(text)}`);
    const words = addressWords(this.context.address);
    if (words !== '')
      for (const hit of findTagWords(words, 'name'))
        this.#tag(hit.tag, `the page is ${quoted(this.context.address ?? '')}`);
  }

  #tag(tag: RiskTag, text: string): void {
    this.#found.add(tag, text);
    if (tag !== 'financial') return;
    // Money moves to somebody else, in the name of whoever is signed in.
    this.#found.add('external_submit', text);
    this.#found.add('authenticated', text);
  }
}

/** Words of a page's address that say what it does: host labels and path, without the query. */
function addressWords(address: string | null): string {
  if (address === null) return '';
  try {
    const url = new URL(address);
    return identifierWords(decodeURIComponent(`${url.hostname} ${url.pathname}`).replaceAll('/', ' | '));
  } catch {
    return '';
  }
}

const SIGNED_IN_PATHS =
  /(?:^|[/.-])(?:account|accounts|admin|administration|dashboard|inbox|mail|settings|billing|profile|konto|cuenta|compte|conta)(?:[/.-]|$)/i;

/** Signs that somebody is signed in, so that what is done is done in that name. */
function lookAtSession(context: ElementContext | null, kind: AppKind, found: Findings): void {
  if (kind === 'messaging') found.add('authenticated', 'the application is used in somebody’s name');
  if (context === null) return;
  const sign = [...context.nearbyTexts.slice(0, MAX_TEXTS), ...context.dialogTexts.slice(0, MAX_TEXTS)].find(
    showsSignedIn,
  );
  if (sign !== undefined) found.add('authenticated', `the window shows ${quoted(sign)}`);
  else if (context.address !== null && SIGNED_IN_PATHS.test(context.address))
    found.add('authenticated', `the page is ${quoted(context.address)}`);
}

const CONTENT_WORDS: Readonly<Record<ContentClass, string>> = {
  card_number: 'a payment card’s number',
  bank_account: 'a bank account’s number',
  crypto_address: 'the address of a crypto wallet',
  private_key: 'a private key',
  api_key: 'an access token or key',
  password_text: 'a password',
  national_id: 'a national identity number',
  address_list: 'a list of mail addresses',
};

/** The text as it arrives: repeated, spelled by keys, behind what was typed before. What was there already is not found again. */
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
    const text = own.includes(contentClass) ? 'the text contains' : 'with what was typed before, the text contains';
    for (const tag of CONTENT_TAGS[contentClass]) found.add(tag, `${text} ${CONTENT_WORDS[contentClass]}`);
  }
  if (kind !== 'terminal' && kind !== 'ide' && traits.effect !== 'launch' && !traits.tags.includes('prompts')) return;
  const command =
    findDestructiveCommand(typed) ??
    (before === '' || findDestructiveCommand(before) !== null ? null : findDestructiveCommand(before + typed));
  if (command !== null)
    found.add(
      'destructive',
      `the text holds a command that ${command}${app === null ? '' : ` in ${quoted(app.displayName)}`}`,
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

/** What stands on the clipboard comes into the field. */
function pastes(chord: Chord): boolean {
  const holds = (modifier: string): boolean => chord.some((key) => key.modifier === modifier);
  return chord.some(({ name }) => (name === 'v' && holds('ctrl')) || (name === 'insert' && holds('shift')));
}

function lookAtField(input: RiskInput, found: Findings): void {
  const element = input.context?.element ?? null;
  if (input.typesSecret) found.add('password', 'a stored secret is typed');
  if (!types(input)) return;
  const { target } = input.traits;
  // A field that is not there yet, in a dialog that an earlier step of a plan opens, is known by its name alone.
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

/** A field that hides what is typed, or that asks for a secret by its label. */
export function isPasswordField(element: ElementInfo): boolean {
  return element.states.includes('password') || (TEXT_FIELDS.has(element.controlType) && isPasswordLabel(element.name));
}
