/** The risk of one action: its level, its tags, and why each tag is there. */
import { areaOf, cellName } from '../../../contract/cells/cell-address.ts';
import { cellsToWrite } from '../../../contract/cells/cell-values.ts';
import { MANY_CELLS } from '../../../contract/cells/cells.ts';
import { type FormulaVerdict, judgeFormula } from '../../../contract/cells/formula.ts';
import type { CellsAim, CellsBefore } from '../../../contract/cells/sheet.ts';
import type { AppIdentity } from '../../../contract/element/binding.ts';
import {
  ITEMS,
  LISTS,
  PRESSABLE,
  PRESSED_BY_FOCUS,
  TEXT_FIELDS,
  TURNED,
  VALUES_TURNED,
} from '../../../contract/element/control-types.ts';
import type { ElementContext, ElementInfo } from '../../../contract/element/element.ts';
import type { End, Exit } from '../../../contract/gate/exit.ts';
import { higherRisk, isElevated } from '../../../contract/gate/orders.ts';
import type { RiskLevel, RiskTag } from '../../../contract/gate/permissions.ts';
import type { ActionTarget, ActionTraits, ProposerClaims } from '../../../contract/gate/traits.ts';
import { quoted } from '../../../contract/json/quoted.ts';
import { canonicalChord, parseChord } from '../../../contract/keys/keys.ts';
import { exitsOf } from '../../../contract/ways/exits.ts';
import { classifyContent, CONTENT_TAGS, type ContentClass } from '../content/content.ts';
import { idle } from '../content/keyboard.ts';
import { findDestructiveCommand, isBin } from '../content/programs.ts';
import { foundIn, type Sent, typedText } from '../content/typed-text.ts';
import { drops, lookAtConsole } from '../keys/console.ts';
import { lookAtKeys } from './key-risk.ts';
import { pastes, sendsLine } from '../keys/line-keys.ts';
import {
  type AppKind,
  DIALOG_CLASS,
  isOfPage,
  kindOf,
  showsFiles,
  startsEntered,
  typingSurface,
} from '../words/app-kind.ts';
import { isPasswordLabel, showsSignedIn } from '../words/match.ts';
import { Findings, MOST_TEXTS, type RiskEvidence, Surroundings } from './surroundings.ts';
import { fieldCodeTyped, formulaTyped, pastesClipboard, pathsTyped } from './typed-places.ts';

/** A formula that reaches outside the workbook. */
interface FormulaFinding {
  /** Its cell, or its place among the values where the range is not known. */
  readonly cell: string;
  readonly verdict: FormulaVerdict;
  readonly reason: string;
}

/** How many names the formulas use. */
export const namesIn = ({ write }: CellsAim): number =>
  new Set(cellsToWrite(write?.values ?? []).formulas.flatMap(({ formula }) => judgeFormula(formula).names)).size;

/** The formulas that reach outside, in reading order; names are resolved by what the workbook said. */
export function outsideFormulas({ range, write }: CellsAim, before: CellsBefore | null): FormulaFinding[] {
  const area = areaOf(before?.range ?? range);
  const names = before?.names ?? {};
  const nameOf = (name: string): string | null => names[name] ?? null;
  const placed = cellsToWrite(write?.values ?? []).formulas.map(({ row, column, formula }) => ({
    cell: area === null ? `row ${row + 1}, column ${column + 1}` : cellName(area.row + row, area.column + column),
    formula,
  }));
  const others = (before?.book?.formulas ?? []).map((formula) => ({ cell: before?.range ?? range, formula }));
  return [...placed, ...others].flatMap(({ cell, formula }) => {
    const { verdict, reason } = judgeFormula(formula, nameOf);
    return reason === null ? [] : [{ cell, verdict, reason }];
  });
}

/** Adds what is found, and returns the least level of the write. */
function lookAtCells(aim: CellsAim, before: CellsBefore | null, found: Findings): RiskLevel {
  const { write } = aim;
  const outside = outsideFormulas(aim, before).find(({ verdict }) => verdict === 'external_submit');
  if (outside !== undefined)
    found.add('external_submit', `the formula in ${outside.cell} reaches outside the workbook: ${outside.reason}`);
  if (aim.book !== undefined && before?.book !== undefined) {
    if (before.book.reaches !== null) found.add('external_submit', before.book.reaches);
    return before.book.formulas.length > 0 || before.book.reaches !== null ? 'high' : 'low';
  }
  if (write === null) return 'low';
  const { written: count, formulas } = cellsToWrite(write.values);
  if (before !== null && before.filled > 0)
    found.add('destructive', `it overwrites ${String(before.filled)} cells that are not empty`);
  if (count > MANY_CELLS) found.add('destructive', `it writes ${String(count)} cells`);
  return found.has('destructive') || formulas.length > 0 ? 'high' : 'low';
}

export interface RiskInput extends Omit<Sent, 'exits'> {
  /** What the call can let out; default: by its traits. */
  readonly exits?: readonly Exit[];
  /** What a drag picks up. */
  readonly start?: { readonly app: AppIdentity | null; readonly context: ElementContext | null } | null;
  /** The cells that are written, as they are. */
  readonly cells?: CellsBefore | null;
  /** Paths of other machines and of devices that are typed. */
  readonly paths?: readonly string[];
  readonly typesSecret: boolean;
  readonly claims: ProposerClaims | null;
}

type Judged = RiskInput & Sent;

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
export function deriveRisk(given: RiskInput): Risk {
  const { traits, claims } = given;
  const input: Judged = { ...given, exits: given.exits ?? exitsOf(traits, given.context) };
  const found = new Findings();
  for (const tag of traits.tags) found.add(tag, `this kind of action always counts as ${tag}`);
  if (traits.effect !== 'observe' && !traits.isPointerMoveOnly) {
    look(input, found);
    const { start } = input;
    if (traits.from !== null && start !== undefined && start !== null) look({ ...input, ...start }, found, 'start');
  }
  for (const tag of claims?.riskTags ?? []) found.add(tag, 'the proposer says so');
  // What Excel cannot undo and no answer keeps.
  const loses = input.cells?.book?.loses ?? null;
  if (loses !== null) found.add('destructive', `${loses}; Excel cannot undo it`);
  const isCritical = found.has('financial') || found.has('destructive') || found.flags.has('run_as_administrator');
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

/** Reading is low; moving a window is medium; input and starting programs are high. */
function baseLevel(traits: ActionTraits): RiskLevel {
  if (traits.effect === 'observe') return 'low';
  if (traits.effect === 'manage' || traits.cells !== null) return 'medium';
  return 'high';
}

/** Judges what goes to one end. */
function look(input: Judged, found: Findings, end: End = 'target'): void {
  const { traits, context, binding } = input;
  const kind = kindOf(input.app);
  if (binding !== null && isElevated(binding.integrity))
    found.add('elevated', `the window runs with ${binding.integrity} integrity`);
  const target = end === 'start' && traits.from !== null ? traits.from : traits.target;
  const exits = input.exits.filter((exit) => !('end' in exit) || exit.end === end);
  const isAimed = exits.some(isAimedAt);
  const isDialog = binding?.className === DIALOG_CLASS;
  const isDownloads = kind === 'browser' && !isOfPage(kind, context);
  const isView = showsFiles(input.app) || context?.fileType !== undefined;
  const files = isDialog ? 'dialog' : isView ? 'view' : isDownloads ? 'downloads' : null;
  const surroundings = new Surroundings(context, kind, found, files, startsEntered(input.app, binding));
  if (isAimed) {
    if (context === null || context.element === null) found.flags.add('unknown_target');
    judgePress(exits, target, surroundings);
    for (const exit of exits) if (exit.kind === 'keys') judgeKeys(exit, input, surroundings, found);
    lookAtSession(context, kind, found);
  }
  // The wheel over a closed combo box, or over its field or button, selects another item.
  const turnsWheel = exits.some((exit) => exit.kind === 'point' && exit.does === 'wheel');
  const wheeled = turnsWheel ? (context?.element?.controlType ?? 'Window') : 'Window';
  if (TURNED.has(wheeled)) surroundings.pressEach(({ isInComboBox }) => isInComboBox);
  const changesWindow = exits.some(
    (exit) =>
      exit.kind === 'console' || (exit.kind === 'cells' && (exit.aim.write !== null || exit.aim.book !== undefined)),
  );
  if (kind === 'trading' && (isAimed || changesWindow || VALUES_TURNED.has(wheeled)))
    found.add('financial', 'this is a trading application');
  lookAtContent(input, kind, found);
  lookAtConsole({ ...input, exits }, (tag, text) => found.add(tag, text));
  const formula = formulaTyped(input);
  if (formula !== null)
    found.add(
      formula.verdict === 'blocked_by_policy' ? 'customCommand' : 'external_submit',
      `the text is a formula that reaches outside: ${formula.reason ?? ''}`,
    );
  const code = fieldCodeTyped(input);
  if (code !== null)
    found.add(code.startsWith('DDE') ? 'customCommand' : 'external_submit', `the text is a field of the kind ${code}`);
  for (const path of input.paths ?? [])
    found.add('external_submit', `${quoted(path, 200)} leads to another machine or to a device`);
  const { starting } = pathsTyped(input);
  if (starting !== null) {
    found.add('external_submit', `${quoted(starting, 200)} is a program, or where Windows starts programs`);
    found.add('customCommand', `${quoted(starting, 200)} is a program, or where Windows starts programs`);
  }
  if (typingSurface(input.app, binding, context)?.sends === true) lookAtSending(input, exits, found);
  const thrown = exits.some(drops) ? (context?.element?.name ?? '') : '';
  if (isBin(thrown)) found.add('destructive', `what is dropped on ${quoted(thrown)} is thrown away`);
  lookAtField(input, found);
}

/** What is dropped, pasted or sent off in a page, a chat or a mail; a line break in a draft may send it. */
function lookAtSending({ app, start, context, keyboard }: RiskInput, exits: readonly Exit[], found: Findings): void {
  const isOwn = start?.app?.bundleId === app?.bundleId;
  if ((exits.some(drops) && !isOwn) || pastesClipboard(exits, context))
    found.add('external_submit', 'what is dropped or pasted there leaves this machine');
  const isMessage = kindOf(app) === 'messaging';
  const { element = null, defaultButtonName = null, menu } = context ?? {};
  const isField = element !== null && !PRESSABLE.has(element.controlType) && !ITEMS.has(element.controlType);
  const sends = exits.some((exit) => {
    if (exit.kind === 'text') return isMessage && /[\r\n]/.test(exit.text ?? '');
    if (exit.kind !== 'keys') return false;
    const keys = exit.chords.map(canonicalChord);
    if (isMessage && keys.some((chord) => /\bctrl\b.*enter$|\balt\b.*\+s$/.test(chord))) return true;
    const isLine = /[\r\n]/.test(exit.text) || exit.chords.some((chord) => sendsLine(parseChord(chord)));
    // What else comes before it may take the focus away.
    const isElsewhere = keys.length > 1 || exit.rounds > 1 || exit.text.length > 1 || keyboard?.mayBeInMenu === true;
    return isLine && defaultButtonName === null && element !== null && (isField || isElsewhere || menu === 'open');
  });
  if (sends)
    found.add('external_submit', `Enter ${isMessage ? 'sends the message' : 'in a field of a page submits it'}`);
}

/** Whether it goes to the element of its end, rather than to a view or a window. */
const isAimedAt = (exit: Exit): boolean =>
  exit.kind === 'point'
    ? exit.does !== 'wheel' && exit.does !== 'move'
    : ['press', 'keys', 'text', 'choose', 'focus'].includes(exit.kind);

/** A press by whatever way it comes; each way presses the same element. */
function judgePress(exits: readonly Exit[], target: ActionTarget, surroundings: Surroundings): void {
  const element = surroundings.context?.element ?? null;
  const chooses = exits.some(({ kind }) => kind === 'choose');
  const isFocused = PRESSED_BY_FOCUS.has(element?.controlType ?? 'Window');
  const presses = exits.some(
    (exit) =>
      exit.kind === 'press' || (exit.kind === 'focus' && isFocused) || (exit.kind === 'point' && isAimedAt(exit)),
  );
  if (!chooses && !presses) return;
  if (target.kind === 'element') surroundings.press(element);
  else surroundings.pressPoint();
  if (target.kind === 'element' && target.item !== undefined)
    surroundings.choose(target.item, surroundings.context?.chosen ?? null);
  // A click on a whole list hits one of its rows.
  if (presses && target.kind === 'element' && LISTS.has(element?.controlType ?? 'Window'))
    surroundings.pressEach(({ controlType, isInComboBox }) => ITEMS.has(controlType) && !isInComboBox);
}

function judgeKeys(
  { chords, text, rounds }: Extract<Exit, { kind: 'keys' }>,
  { context, app, keyboard = idle() }: RiskInput,
  surroundings: Surroundings,
  found: Findings,
): void {
  const input = { context, kind: kindOf(app), chords: chords.map(parseChord), text, rounds, keyboard };
  lookAtKeys(input, surroundings, found);
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

/** The text as it arrives: repeated, spelled by keys, with what its field holds. */
function lookAtContent({ traits, app, context }: RiskInput, kind: AppKind, found: Findings): void {
  const typed = typedText(traits);
  if (typed === null) return;
  const own = classifyContent(typed);
  for (const contentClass of new Set(foundIn(typed, { traits, held: context?.held }, classifyContent))) {
    found.flags.add(`content:${contentClass}`);
    const text = own.includes(contentClass) ? 'the text contains' : 'with what its field holds, the text makes';
    for (const tag of CONTENT_TAGS[contentClass]) found.add(tag, `${text} ${CONTENT_WORDS[contentClass]}`);
  }
  if (kind !== 'terminal' && kind !== 'ide' && traits.effect !== 'launch' && !traits.tags.includes('prompts')) return;
  const command = findDestructiveCommand(typed);
  if (command !== null)
    found.add(
      'destructive',
      `the text contains a command that ${command}${app === null ? '' : ` in ${quoted(app.displayName)}`}`,
    );
}

/** Whether text or characters reach the element. */
function types({ traits, exits, typesSecret }: Judged): boolean {
  const chords = exits.flatMap((exit) => (exit.kind === 'keys' ? exit.chords.map(parseChord) : []));
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

function lookAtField(input: Judged, found: Findings): void {
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
