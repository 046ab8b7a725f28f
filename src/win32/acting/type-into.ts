/** typeIntoElement: puts text into a field and reads it back; see docs/behaviour.md#elements. */
import { ES_MULTILINE, ES_READONLY, WM_GETTEXTLENGTH } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { ControlType } from '../../contract/element/control-types.ts';
import { readOnlyTarget } from '../../contract/element/element-words.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Attempt, EffectSeen, Evidence } from '../../contract/outcome.ts';
import { cellOf } from '../../contract/ways/receivers.ts';
import type { CallContext, DeliveryMode, Done } from '../../desktop/index.ts';
import { brokenLimit, brokenStyle, heldText, readEditState } from '../evidence/edit-state.ts';
import { leaveVisited, visit } from '../exits/messages.ts';
import { replaceSelectedText, selectText } from '../drivers/edit.ts';
import { Asker } from '../windows/ask.ts';
import { keepProof, supersede } from '../evidence/kept-proof.ts';
import { isPasswordEdit, kindOfWindow, readWindowInfo, type WindowInfo } from '../windows/window-info.ts';
import { comboParts, isDropDownList } from '../drivers/combo.ts';
import { customSelection, readCustomText, setCustomSelection, type CustomSelection } from '../drivers/edit.ts';
import {
  type ReadBack,
  compareText,
  effectOfText,
  endsLinesWithCr,
  shownDifference,
} from '../elements/tree/text-difference.ts';
import { waysOfElement } from '../elements/finding/element-target.ts';
import { toolkitOf } from '../windows/toolkit.ts';
import { Deadline } from '../windows/waiting.ts';
import type { Witness } from '../windows/witness.ts';
import { type KeyTarget, receiverAt } from '../elements/finding/text-target.ts';
import { postWhole, typeBeginning } from '../input/send-text.ts';
import { newWindow, openedEvidence, type NewWindow } from '../evidence/chord-effects.ts';
import { startAftermath } from '../evidence/late-foreground.ts';
import {
  type Field,
  type TypeTarget,
  accessibleField,
  automationField,
  legacyField,
  VALUE_WAYS,
} from './value-ways.ts';
import { realType } from './value-ways.ts';
import type { Filled } from '../drivers/driver.ts';
import { driverOf } from '../drivers/index.ts';
import {
  climb,
  delivered,
  failed,
  notApplicable,
  refused,
  saidBy,
  unfinished,
  unfit,
  type Way,
} from '../drivers/driver.ts';
import { RemoteBlocks } from '../elements/tree/remote-memory.ts';
import { requireInView } from './reveal.ts';
import {
  elementOf,
  requireEnabled,
  shownDialog,
  targetOf,
  type ElementTarget,
  type ActionTools,
} from '../elements/finding/element-target.ts';

const EDIT_MS = 5000;
/** Text in an outcome is for a quick check; the full text is in the field. */
const EVIDENCE_LENGTH = 1000;

/** A control with the time and memory to read and fill it. */
function withControl<T>(
  { tools, deadline, description }: ElementTarget,
  info: WindowInfo,
  work: (control: Filled) => T,
): T {
  using remote = new RemoteBlocks(tools.read.remoteControlMemory);
  return work({ info, asker: new Asker(deadline.share(EDIT_MS)), remote, description });
}

/** @param text what will be put there: a date is read in its form */
function fieldOf(target: ElementTarget, text: string): Field | null {
  const { node } = target;
  if (node.locator.kind !== 'window') return null;
  let info = readWindowInfo(node.hwnd);
  if (info === null) return null;
  let kind = kindOfWindow(info.hwnd, info.className);
  const parts = kind === 'combo-box' ? comboParts(info.hwnd) : null;
  const isListOnly = parts !== null && parts.edit === 0 && isDropDownList((readWindowInfo(parts.combo) ?? info).style);
  if (parts !== null && parts.edit !== 0) {
    info = readWindowInfo(parts.edit) ?? info;
    kind = 'edit';
  }
  const isPassword = node.states.has('password');
  const { hwnd } = info;
  const driver = driverOf(kind);
  const asker = (): Asker => new Asker(target.deadline.share(EDIT_MS));
  const shown = (): string | null =>
    kind === 'other' ? (readCustomText(hwnd, asker())?.text ?? null) : asker().text(hwnd);
  return {
    info,
    kind,
    isEdit: kind === 'edit' || kind === 'rich-edit',
    isListOnly,
    isPassword,
    read: () => {
      if (isPassword) return null;
      return driver?.held === undefined ? shown() : withControl(target, info, (control) => driver.held!(control, text));
    },
    length: () => asker().ask(hwnd, WM_GETTEXTLENGTH),
  };
}

/** What its window holds once the call is over, or the length of a password; null where only its element tells that. */
function readAgain(target: TypeTarget, hwnd: number): number | string | null {
  const { node, text, call, field } = target;
  const deadline = new Deadline({ ...call, deadlineMs: 300 });
  const again = fieldOf({ ...target, node: { ...node, hwnd }, deadline }, text);
  if (again === null || field.isPassword) return again?.length() ?? null;
  return isPasswordEdit(hwnd) ? null : again.read();
}

/** A classic multi-line edit breaks lines only at CR LF: any other line end would appear as a box. */
function asControlText(text: string, info: WindowInfo): string {
  return (info.style & ES_MULTILINE) !== 0 && kindOfWindow(info.hwnd, info.className) === 'edit'
    ? text.replaceAll(/\r\n|\r|\n/g, '\r\n')
    : text;
}

/**
 * What a person cannot type into a field, its messages would put there nevertheless.
 * Errors: invalid_argument; nothing was sent.
 */
function requireFitting(description: string, hwnd: number, text: string): void {
  const rule = brokenStyle(hwnd, text);
  if (rule !== null) throw unfit(description, rule);
}

/** What is left of a text once a field has met it as typing, which the rules of its program are made for. */
async function typedFirst({ field, text, deadline }: TypeTarget, info: WindowInfo, asker: Asker): Promise<string> {
  const { hwnd } = info;
  if (!field.isEdit || text === '' || (field.isPassword && /\p{Cc}/u.test(text))) return text;
  // A toolkit around it may keep characters from it while another program is in front.
  if (cellOf(toolkitOf(hwnd), 'characters').by !== 'message') return text;
  const kind = field.kind === 'rich-edit' ? 'rich-edit' : 'edit';
  const keys: KeyTarget = { ...receiverAt(hwnd, 'last focus'), kind };
  const before = field.isPassword ? null : readEditState(keys, deadline.share(EDIT_MS));
  if (before === null && !field.isPassword) return text;
  const putIn = (controls: string): void => void replaceSelectedText(asker, hwnd, asControlText(controls, info));
  return (await typeBeginning(keys, before, text, deadline, putIn)).rest;
}

/**
 * Selects and replaces, the beginning by typing: undoable, notifies the parent by itself, respects the field's limit. Source:
 * learn.microsoft.com/windows/win32/controls/em-replacesel
 */
const replaceSelection: Way<TypeTarget> = async (target) => {
  const { field, text, mode, deadline, description } = target;
  // It would overwrite a read-only field: checked again, since it can become one at any time.
  const info = readWindowInfo(field.info.hwnd);
  if (info === null) return failed('message', 'the field is gone');
  if ((info.style & ES_READONLY) !== 0) return refused('message', 'the field is read-only');
  requireFitting(description, info.hwnd, text);
  const asker = new Asker(deadline.share(EDIT_MS));
  visit(info.hwnd);
  const start = mode === 'append' ? asker.ask(info.hwnd, WM_GETTEXTLENGTH) : 0;
  if (start === null || selectText(asker, info.hwnd, start, mode === 'append' ? start : -1) === null)
    return failed('message', 'the field did not answer');
  const rest = await typedFirst(target, info, asker);
  if ((rest !== '' || text === '') && replaceSelectedText(asker, info.hwnd, asControlText(rest, info)) === null)
    return shownDialog(target.root) === null
      ? failed('message', 'the field did not answer; it may hold the text')
      : unfinished('message', 'EM_REPLACESEL');
  const limit = brokenLimit(info.hwnd, start + text.length, asker);
  if (shownDialog(target.root) === null) leaveVisited();
  return delivered(
    'message',
    `EM_SETSEL and ${rest === text ? 'EM_REPLACESEL' : rest === '' ? 'WM_CHAR' : 'WM_CHAR, then EM_REPLACESEL'}, which notify by themselves${limit === null ? '' : `; the field takes ${limit}`}`,
  );
};

/** Sliders, spinners and scroll bars take a number, pickers a date, a day or an address. */
const fillControl: Way<TypeTarget> = (target) => {
  const { node, text } = target;
  const info = node.locator.kind === 'window' ? readWindowInfo(node.hwnd) : null;
  const driver = info === null ? undefined : driverOf(kindOfWindow(info.hwnd, info.className));
  if (info === null || driver?.fill === undefined) return notApplicable('message', 'not a control with a position');
  visit(info.hwnd);
  const filled = withControl(target, info, (control) => driver.fill!(control, text));
  if (shownDialog(target.root) === null) leaveVisited();
  return filled;
};

/** For controls that take characters but have no message for their text. */
const postText: Way<TypeTarget> = ({ field, text, mode }) => {
  if (mode === 'append' || field.read() !== '')
    return notApplicable('posted', 'its caret cannot be placed from outside, and its content cannot be selected');
  return postWhole(field.info.hwnd, text)
    ? delivered('posted', 'WM_CHAR')
    : failed('posted', 'Windows did not accept the messages');
};

/** By the ids of the table of ways (`contract/ways`). */
const waysOf = (witness: Witness): Readonly<Record<string, Way<TypeTarget>>> => ({
  'real-type': (typed) => realType(typed, witness),
  ...VALUE_WAYS,
  'replace-selection': replaceSelection,
  'set-number': fillControl,
  'post-text': postText,
});

function requireWritable(target: ElementTarget, field: Field): void {
  if (target.node.states.has('readonly') || (field.isEdit && (field.info.style & ES_READONLY) !== 0))
    throw readOnlyTarget(target.description);
  if (target.node.source === 'window' && field.isListOnly) {
    throw new UiaHostError(
      'target_readonly',
      `${target.description} accepts only entries of its list. Nothing was changed.`,
      { hint: 'Choose an entry with select-element.' },
    );
  }
}

/** A field that the gate judged as a password field may have become readable since. */
function requireStillPassword({ node, description }: ElementTarget, isSecret: boolean): void {
  if (!isSecret || node.states.has('password')) return;
  throw new UiaHostError(
    'element_stale',
    `${description} was a password field when it was judged and no longer is. Nothing was typed.`,
    { hint: 'Take a new snapshot before typing anything secret.' },
  );
}

/** Paragraphs of a rich edit end with a CR, which some of its interfaces return unchanged. */
const RICH_EDIT = /rich ?edit/i;

interface Reading {
  readonly effect: EffectSeen;
  readonly evidence: Evidence[];
  readonly readBack?: ReadBack;
  /** What the field holds, or the length of a password; null where it was not read. */
  readonly held?: string | number | null;
}

/**
 * Compares the field's current content. A password's text is never read, only its length. A call that has not returned
 * may take effect later: a different text is not a mismatch then.
 */
async function readBack(
  target: TypeTarget,
  before: string | null,
  lengthBefore: number | null,
  isUnfinished: boolean,
  isKept: boolean,
): Promise<Reading> {
  const { field, text, mode, deadline } = target;
  const { hwnd } = field.info;
  if (field.isPassword) {
    const wanted = (mode === 'append' ? (lengthBefore ?? 0) : 0) + text.length;
    const after = await heldText(hwnd, field.length, (length) => length === wanted, deadline, { isKept });
    const [had, has] = [lengthBefore === wanted, after === wanted];
    return {
      effect: has && !had && lengthBefore !== null ? 'confirmed' : 'unverified',
      evidence: [{ kind: 'length-matches', before: had, after: has }],
      held: after,
    };
  }
  const wanted = mode === 'append' ? `${before ?? ''}${text}` : text;
  const crEndsLines = endsLinesWithCr(before) || RICH_EDIT.test(target.node.className);
  const compared = (now: string): ReadBack => compareText(wanted, now, crEndsLines);
  const after = await heldText(hwnd, field.read, (now) => compared(now) !== 'mismatch', deadline, { isKept });
  if (after === null) return { effect: 'unverified', evidence: [] };
  const result = compared(after);
  const evidence: Evidence[] = [{ kind: 'value', ...shownDifference(before, after, EVIDENCE_LENGTH) }];
  if (isUnfinished && result === 'mismatch') return { effect: 'unverified', evidence };
  return { effect: effectOfText(before, after, result), evidence, readBack: result, held: after };
}

/** The dialog in which a program asks something about what was entered. */
function questionOf({ root }: ElementTarget): NewWindow | null {
  const dialog = shownDialog(root);
  return dialog === null ? null : newWindow(Number(dialog.hwnd), root, true);
}

/** The field's selection in its own units; null if it does not report one. */
function selectionOf({ field, node, deadline }: TypeTarget): CustomSelection | null {
  const mayTell = field.isEdit || (field.kind === 'other' && node.locator.kind === 'window');
  return mayTell ? customSelection(field.info.hwnd, new Asker(deadline.share(EDIT_MS))) : null;
}

/** Fields that take keys even where they offer no other way. */
const TYPED_INTO: ReadonlySet<ControlType> = new Set(['Edit', 'Document', 'ComboBox', 'Spinner', 'Custom']);

/** A text for a field, and how it gets there. */
export interface TextToType {
  readonly text: string;
  readonly mode: 'replace' | 'append';
  readonly delivery: DeliveryMode;
  readonly isSecret: boolean;
}

/** Errors: target_disabled, target_readonly, target_offscreen, element_stale, unsupported if no way applies. */
export async function typeIntoElement(
  tools: ActionTools,
  record: BindingRecord,
  ref: string,
  { text, mode, delivery, isSecret }: TextToType,
  call: CallContext,
): Promise<Done<boolean>> {
  const aftermath = startAftermath(record, call);
  const first = await targetOf(tools, record, ref, call);
  requireEnabled(first);
  tools.pending.require(first.root, first.description);
  const base = await requireInView(first);
  using element = elementOf(base);
  const field =
    element !== null
      ? (automationField(base, element) ?? fieldOf(base, text) ?? legacyField(base, element))
      : base.node.locator.kind === 'msaa'
        ? accessibleField(base)
        : fieldOf(base, text);
  if (field === null)
    throw new UiaHostError(
      'unsupported',
      `${base.description} does not accept text. Nothing was sent.`,
      TYPED_INTO.has(base.node.controlType)
        ? { hint: BY_KEYS }
        : base.node.controlType === 'Slider'
          ? { hint: 'Drag its handle with drag, or click it and use the arrow keys.' }
          : {},
    );
  requireWritable(base, field);
  requireStillPassword(base, isSecret);
  const target: TypeTarget = {
    ...base,
    element,
    text,
    mode,
    field: isSecret ? { ...field, isPassword: true, read: () => null } : field,
  };
  // An edit control's own text was read with its branch, right before.
  const isRead = base === first && element === null && field.isEdit && field.info.hwnd === base.node.hwnd;
  const before = (isRead && !target.field.isPassword ? base.node.value : null) ?? target.field.read();
  const lengthBefore = target.field.isPassword ? field.length() : null;
  const selected = selectionOf(target);
  const unfocus = tools.focused(target.root, field.info.hwnd);
  const ways = waysOfElement('type', target.node, delivery === 'foreground', waysOf(aftermath.witness));
  supersede(call, field.info.hwnd);
  const climbed = await climb(ways, target);
  if (climbed.delivered === null) {
    unfocus();
    throw notTyped(target, climbed.attempts);
  }
  const isKept = target.node.locator.kind === 'window';
  const seen = await readBack(target, before, lengthBefore, climbed.isUnfinished === true, isKept);
  if (isKept && (seen.readBack === undefined ? seen.effect === 'confirmed' : seen.readBack !== 'mismatch'))
    keepProof({
      by: call,
      hwnd: field.info.hwnd,
      element: target.description,
      isSecret: target.field.isPassword,
      read: (hwnd) => readAgain(target, hwnd),
      shown: seen.held,
    });
  const asked = questionOf(target);
  if (seen.effect === 'none' && seen.readBack === 'mismatch' && selected !== null)
    setCustomSelection(field.info.hwnd, selected, new Asker(target.deadline.share(EDIT_MS)));
  return aftermath.of(target.node, {
    effect: asked === null ? seen.effect : 'pending_modal',
    delivery: climbed.delivered.rung,
    evidence: [...seen.evidence, ...(asked === null ? [] : [openedEvidence([Number(asked.hwnd)], target.root)])],
    attempts: climbed.attempts,
    ...(seen.readBack === undefined ? {} : { readBack: seen.readBack }),
    ...(asked === null ? {} : { details: { newWindow: asked } }),
  });
}

/** What works when only keys do. */
const BY_KEYS =
  'Click into it (click-element or virtual-mouse), then use virtual-keyboard: combo ctrl+a to replace the text or ctrl+end to append to it, then type; or delivery: "foreground".';

/** A hot key control asks Windows which keys are held: only real ones are whole. */
const BY_REAL_KEYS =
  'Give it the focus (focus-element), then press the combination: virtual-keyboard combo with delivery: "foreground".';

function notTyped({ node, description, field }: TypeTarget, attempts: readonly Attempt[]): UiaHostError {
  const said =
    attempts.length === 0
      ? field.kind === 'hot-key'
        ? 'it takes a combination of keys'
        : 'it is not a text field'
      : saidBy(attempts);
  if (attempts.some(({ result }) => result === 'refused'))
    return new UiaHostError('target_readonly', `${description} refused the text (${said}). Nothing was overwritten.`);
  if (!user32.IsWindow(node.hwnd))
    return new UiaHostError('element_stale', `${description} disappeared before the text was entered (${said}).`, {
      delivery: 'unknown',
    });
  const mayHave = attempts.some(({ result }) => result === 'failed');
  return new UiaHostError('unsupported', `No way of putting text into ${description} worked: ${said}.`, {
    delivery: mayHave ? 'unknown' : 'not_delivered',
    ...(field.kind === 'hot-key' ? { hint: BY_REAL_KEYS } : attempts.length === 0 ? {} : { hint: BY_KEYS }),
  });
}
