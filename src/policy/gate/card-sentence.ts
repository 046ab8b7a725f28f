/** The sentence of a card: what would happen and where, in parts, so that each surface says it in the person's language. */
import type { CardPage } from '../../contract/gate/approval.ts';
import type { AppIdentity, BindingRecord } from '../../contract/element/binding.ts';
import type { ChosenItem, ElementContext, WantedItem } from '../../contract/element/element.ts';
import type { CellsAim, CellsBefore } from '../../contract/cells/sheet.ts';
import { cellsToWrite } from '../../contract/cells/cell-values.ts';
import { ENGLISH, sayWhat, type Sentence } from '../../contract/gate/card-words.ts';
import { quoted, visible } from '../../contract/json/quoted.ts';
import type { ActionTarget, ActionTraits } from '../../contract/gate/traits.ts';
import { isPasswordField } from '../risk/target/risk.ts';
import { sentenceOf } from '../rights/coverage.ts';
import type { GateSubject } from './gate-types.ts';
import { isOfAnother, type DragStart, type JudgeFacts } from './judge.ts';

/** What the sentence is made from. */
export interface Told extends Pick<JudgeFacts, 'app' | 'window' | 'context'>, Partial<Pick<JudgeFacts, 'start'>> {
  /** The cells that are written, as they are. */
  readonly cells?: CellsBefore | null;
}

/** Sub-actions and actions by the phrase that says them. */
const ACTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '#click': 'click clickElement left_click',
    '#doubleClick': 'double_click',
    '#tripleClick': 'triple_click',
    '#rightClick': 'right_click',
    '#middleClick': 'middle_click',
    '#mouseDown': 'down mouseDown',
    '#mouseUp': 'up mouseUp',
    '#movePointer': 'move moveMouse hoverElement',
    '#focus': 'focusElement',
    '#scroll': 'scroll scrollElement mouseWheel wheel',
    '#select': 'selectElement',
    '#replaceText': 'replace writeCell',
    '#appendText': 'append',
    '#type': 'type',
    '#paste': 'paste',
    '#writeClipboard': 'writeClipboard',
    '#readClipboard': 'readClipboard',
    '#answerPrompt': 'respondToPrompt',
    '#openApp': 'openApp',
    '#openTerminal': 'openTerminal',
    '#minimize': 'minimize',
    '#maximize': 'maximize',
    '#restore': 'restore',
    '#close': 'close',
    '#bringForward': 'focus activateWindow',
    '#moveOff': 'move_offscreen',
    '#moveResize': 'move_resize',
    '#picture': 'screenshot zoom',
  }).flatMap(([act, names]) => names.split(' ').map((name) => [name, act] as const)),
);

function actOf(action: string, variant: string | null): Sentence {
  const act =
    (action === 'writeCell' || action === 'respondToPrompt' ? undefined : ACTS.get(variant ?? '')) ?? ACTS.get(action);
  return act === undefined ? { act: '#other', action: quoted(sentenceOf(variant ?? action)) } : { act };
}

/** The file and the name of a program: its file cannot be chosen freely by its window. */
const programOf = ({ executable, displayName, bundleId }: AppIdentity): string => {
  const file = (executable ?? bundleId).replace(/^.*[\\/]/, '');
  return file === displayName ? file : `${file} (${displayName})`;
};

/** `on https://host`: where it happens, by origin; the page itself chooses its title. */
function onPage({ origin, address, frame }: CardPage, app: string): Sentence {
  const page = origin ?? (address === null ? '#unknownPage' : quoted(address));
  return frame === null
    ? { where: '#onPage', page, app }
    : { where: '#inFrame', page, app, frame: frame.origin ?? '#unknownOrigin' };
}

/** The window of a whole plan. */
export const placeOf = (binding: BindingRecord | null): Sentence =>
  binding === null ? {} : { where: '#inWindow', app: quoted(binding.app.displayName), window: quoted(binding.title) };

/** A browser’s window is named by the page’s origin: the page chooses the title. */
function whereOf({ app, window, context }: Told, page: CardPage | null): Sentence {
  if (app === null) return {};
  if (page !== null) return onPage(page, quoted(app.displayName));
  const place: Sentence =
    window === null
      ? { where: '#inApp', app: quoted(app.displayName) }
      : { where: '#inWindow', app: quoted(app.displayName), window: quoted(window.title) };
  const other = context?.otherApp;
  if (other === undefined) return place;
  return {
    ...place,
    where: '#inPopup',
    place: place['where'] ?? '',
    dialog: quoted(context?.dialogTitle ?? ''),
    dialogApp: quoted(programOf(other)),
  };
}

/** The item as found; if it could not be looked up, as the caller named it. */
function itemOf({ name, index }: WantedItem, chosen: readonly ChosenItem[] | null): Sentence {
  if (chosen !== null) return { target: '#item', item: quoted(chosen.map((one) => one.name).join(' > '), 200) };
  return name === undefined
    ? { target: '#itemNumber', item: String((index ?? 0) + 1) }
    : { target: '#itemUnread', item: quoted(name) };
}

function targetOf(target: ActionTarget, context: ElementContext | null): Sentence {
  const element = context?.element ?? null;
  const found: Sentence =
    element !== null && target.kind !== 'window' && target.kind !== 'none'
      ? { target: '#element', role: `#role.${element.controlType}`, name: quoted(element.name) }
      : target.kind === 'element'
        ? {
            target: '#element',
            role: '#role.Custom',
            name: quoted(target.query.name ?? target.query.automationId ?? target.query.path ?? target.query.ref ?? ''),
          }
        : target.kind === 'point'
          ? { target: '#point', point: `${target.at.x}, ${target.at.y} (${target.space})` }
          : target.kind === 'apps'
            ? { target: '#apps', apps: target.names.map((name) => quoted(name)).join(', ') }
            : target.kind === 'focus'
              ? { target: '#focusPlace' }
              : {};
  return target.kind === 'element' && target.item !== undefined
    ? { ...found, of: '#element', ...itemOf(target.item, context?.chosen ?? null) }
    : found;
}

/** What a drag picks up, under names of their own. */
function fromOf(target: ActionTarget, start: DragStart, isElsewhere: boolean): Sentence {
  const { target: id, role = '', name = '', point = '' } = targetOf(target, start.context);
  const from = id === '#element' ? '#fromElement' : id === '#point' ? '#fromPoint' : '#pointerPlace';
  return {
    from: isElsewhere ? '#fromOther' : from,
    ...(isElsewhere ? { start: from, fromApp: quoted(start.app?.displayName ?? '') } : {}),
    fromRole: role,
    fromName: name,
    fromPoint: point,
  };
}

/** Keys that type several characters are a text: the card's arguments show it, but summaries are recorded. One or two choose in a menu. */
export const spellsText = (chords: readonly string[]): boolean =>
  chords.filter((chord) => [...chord.replace(/^shift\+/i, '')].length === 1).length > 2;

/** Cells and formulas that are written, and cells that are not empty now. */
function cellsSentence({ sheet, range, write, book }: CellsAim, before: CellsBefore | null | undefined): Sentence {
  // The workbook's words in it are quoted where it is made.
  if (book !== undefined) return { act: '#book', action: visible(before?.book?.what ?? book.op) };
  const on = before?.sheet ?? sheet;
  const cellsPlace = `${on === undefined ? '' : `${quoted(on)} `}${quoted(before?.range ?? range).slice(1, -1)}`;
  if (write === null) return { act: '#selectCells', cellsPlace };
  const { written, formulas } = cellsToWrite(write.values);
  const filled = before?.filled ?? 0;
  const part = `${formulas.length > 0 ? 'Formulas' : ''}${filled > 0 ? 'Filled' : ''}`;
  return {
    act: '#writeCells',
    cells: written === 1 ? '#oneCell' : '#cells',
    count: String(written),
    parts: part === '' ? '' : `#cells${part}`,
    formulas: String(formulas.length),
    filled: String(filled),
    cellsPlace,
  };
}

/** Whether the keys must not be read on a card: a secret spelled by keys, or keys into a field for one. */
const hidesKeys = ({ content }: ActionTraits, context: ElementContext | null, isSecret: boolean): boolean =>
  content === null &&
  (isSecret || (context?.element !== undefined && context.element !== null && isPasswordField(context.element)));

/** What would happen and where. `isSecret`: what is typed is itself a secret. `page`: the page of a browser. */
export function sentenceFor(
  subject: GateSubject,
  facts: Told,
  { isSecret, page }: { readonly isSecret: boolean; readonly page: CardPage | null },
): Sentence {
  const { traits, action, secret } = subject;
  const where = whereOf(facts, page);
  const target = targetOf(traits.target, facts.context);
  if (secret !== null) return { act: '#typeSecret', secret: quoted(secret.ref), ...target, ...where };
  if (traits.chords.length > 0 && traits.target.kind === 'focus') {
    const isHidden = hidesKeys(traits, facts.context, isSecret) || spellsText(traits.chords);
    const keys: Sentence = isHidden
      ? { act: '#pressSeveral', count: String(traits.chords.length) }
      : { act: '#press', keys: traits.chords.join(' ') };
    return { ...keys, ...target, ...where };
  }
  if (traits.cells !== null) return { ...cellsSentence(traits.cells, facts.cells), ...where };
  const start = facts.start ?? null;
  if (traits.from !== null && start !== null)
    return {
      act: '#drag',
      ...fromOf(traits.from, start, isOfAnother({ app: facts.app, start })),
      ...target,
      ...where,
    };
  const act = actOf(action, traits.variant);
  const isPlain = act['act'] === '#other' && target['target'] === undefined;
  return { ...act, ...(isPlain ? { act: '#otherPlain' } : {}), ...target, ...where };
}

/** The same as one line of English, for records and the API. */
export const summaryOf = (sentence: Sentence): string => sayWhat(ENGLISH, sentence);
