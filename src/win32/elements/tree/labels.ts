/**
 * Which text labels a field that has no name, judged by position. "The static before it in the tab order" is the rule
 * of Windows' own proxies and is often wrong: texts to the right, groups, forms filled column by column. A text that
 * keeps changing is not a label.
 */
import type { ControlType } from '../../../contract/element/control-types.ts';
import { comparable, withoutAccelerator } from '../../../contract/element/element-words.ts';
import type { Rect } from '../../../contract/element/geometry.ts';
import { rectCentre, rectContains } from '../../../contract/element/coordinates.ts';
import { quoted } from '../../../contract/json/quoted.ts';
import { kindOfClass, controlTypeOf } from '../../windows/classes.ts';
import { nearby, type ByPlace } from './rect-grid.ts';
import { indexOf } from './tree-index.ts';
import type { TreeNode } from './tree.ts';
import { GWLP_ID, GW_CHILD, WS_CHILD } from '../../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { kindOfWindow, windowText, windowStyle } from '../../windows/window-info.ts';

const LENGTH = 80;

/** `Button “Back”`; `Edit id=1152` if it has no text. */
export function windowName(hwnd: number): string {
  if (!user32.IsWindow(hwnd)) return 'a window that is gone';
  const style = windowStyle(hwnd);
  const isTop = (style & WS_CHILD) === 0;
  const role = isTop ? 'Window' : controlTypeOf(kindOfWindow(hwnd), style, user32.GetWindow(hwnd, GW_CHILD) !== 0);
  // Text typed into a field is not its name.
  const name = role === 'Edit' || role === 'Document' ? '' : withoutAccelerator(windowText(hwnd)).slice(0, LENGTH);
  const id = isTop ? 0 : user32.GetWindowLongPtrW(hwnd, GWLP_ID) & 0xffff;
  return name === '' ? `${role}${id === 0 || id === 0xffff ? '' : ` id=${id}`}` : `${role} ${quoted(name)}`;
}

/** What holds a value, a text or items. */
const HOLDING = ['Edit', 'Document', 'ComboBox', 'List', 'Tree', 'Slider', 'DataGrid', 'Table'] as const;
const LABELLED: ReadonlySet<ControlType> = new Set<ControlType>([
  ...HOLDING,
  'ProgressBar',
  'Calendar',
  'ScrollBar',
  'Hyperlink',
  'Tab',
]);
/** Without a name, these are described by what is next to them. */
const PLACED: ReadonlySet<ControlType> = new Set<ControlType>([
  ...HOLDING,
  'Button',
  'SplitButton',
  'CheckBox',
  'RadioButton',
  'Spinner',
  'Hyperlink',
  'Calendar',
  'Custom',
]);
/** Named elements that can describe where another one is. */
const LANDMARKS: ReadonlySet<ControlType> = new Set<ControlType>([...HOLDING, 'Text', 'CheckBox', 'RadioButton']);
const BESIDE_LENGTH = 60;

/** Whether a text keeps changing: it reports a status and labels nothing. */
type IsLive = (text: TreeNode) => boolean;
const byForm: IsLive = (text) => isValueText(text.name);

/**
 * Maximum distance between label and field by side, in pixels at 96 DPI. A label above is closer than one to the left.
 */
const REACH = { left: 160, above: 28, right: 60 } as const;
/** How much worse a side is than a label directly to the left. */
const PENALTY = { left: 0, above: 6, right: 90 } as const;

type Side = keyof typeof REACH;

const right = (rect: Rect): number => rect.x + rect.width;
const bottom = (rect: Rect): number => rect.y + rect.height;
const overlap = (a1: number, a2: number, b1: number, b2: number): number => Math.min(a2, b2) - Math.max(a1, b1);

const distanceOn = (side: Side, gap: number, shift: number, scale: number): { side: Side; distance: number } | null =>
  gap < -4 * scale || gap > REACH[side] * scale
    ? null
    : { side, distance: Math.max(0, gap) / scale + shift / scale + PENALTY[side] };

/** Distance of the text as this field's label; null when it cannot be its label. */
function labelDistance(text: Rect, field: Rect, scale: number): { side: Side; distance: number } | null {
  const sameLine = overlap(text.y, bottom(text), field.y, bottom(field));
  const sameColumn = overlap(text.x, right(text), field.x, right(field));
  const isBeside = sameLine >= Math.min(text.height, field.height) / 2;
  // A tall field next to a text: its label is level with its first line.
  const level = Math.abs(Math.min(text.y - field.y, 0)) + Math.max(0, text.y - field.y - 12 * scale);
  if (isBeside && right(text) <= field.x + 4 * scale) return distanceOn('left', field.x - right(text), level, scale);
  if (sameColumn > 0 && bottom(text) <= field.y + 4 * scale)
    return distanceOn('above', field.y - bottom(text), Math.abs(text.x - field.x) / 4, scale);
  if (isBeside && text.x >= right(field) - 4 * scale) return distanceOn('right', text.x - right(field), level, scale);
  return null;
}

/** Whether another element is between text and field, so that the text belongs to that instead. */
function isBlocked(text: TreeNode, field: TreeNode, side: Side, siblings: ByPlace<TreeNode>): boolean {
  const between: Rect =
    side === 'above'
      ? {
          x: Math.max(text.rect.x, field.rect.x),
          y: bottom(text.rect),
          width: 1,
          height: field.rect.y - bottom(text.rect),
        }
      : side === 'left'
        ? {
            x: right(text.rect),
            y: field.rect.y + Math.min(8, field.rect.height / 2),
            width: field.rect.x - right(text.rect),
            height: 1,
          }
        : {
            x: right(field.rect),
            y: text.rect.y + text.rect.height / 2,
            width: text.rect.x - right(field.rect),
            height: 1,
          };
  if (between.width <= 0 || between.height <= 0) return false;
  return siblings
    .near(between)
    .some(
      (other) =>
        other !== text &&
        other !== field &&
        other.controlType !== 'Group' &&
        other.controlType !== 'Pane' &&
        overlap(other.rect.x, right(other.rect), between.x, right(between)) > 0 &&
        overlap(other.rect.y, bottom(other.rect), between.y, bottom(between)) > 0,
    );
}

/**
 * The text that an element is: itself, or the only thing in a pane, as where a toolkit wraps each of its labels in a
 * window of its own.
 */
function textOf(node: TreeNode): TreeNode[] {
  if (node.controlType === 'Text') return [node];
  const [only, ...more] = node.controlType === 'Pane' || node.controlType === 'Custom' ? node.children : [];
  return only?.controlType === 'Text' && more.length === 0 ? [only] : [];
}

/** Never named by a text to their right: that is another column of the form. */
const NOT_FROM_RIGHT: ReadonlySet<ControlType> = new Set(['Tab', 'List', 'Tree', 'DataGrid', 'Table', 'Calendar']);

/** How much higher than its field a panel may be, to be one control with it. */
const PANEL_FACTOR = 2;

/**
 * The field that a text can label: itself, or the only one in a panel that shows no text, as where a toolkit makes a field
 * and its button one control. The panel's own name is often its program's (“wxSpinCtrlDouble”). `place`: what is next to the
 * text.
 */
function fieldOf(node: TreeNode): { readonly field: TreeNode; readonly place: Rect } | null {
  if (LABELLED.has(node.controlType)) return { field: node, place: node.rect };
  if (node.controlType !== 'Pane' && node.controlType !== 'Custom') return null;
  const inside = node.children.map(fieldOf);
  const [only, ...more] = inside.filter((each) => each !== null);
  const hasText = node.children.some(({ controlType, name }) => controlType === 'Text' && name !== '');
  if (only === undefined || more.length > 0 || hasText) return null;
  return node.rect.height > only.field.rect.height * PANEL_FACTOR ? null : { field: only.field, place: node.rect };
}

/** A colon (\uff1a: the full-width one) announces what follows. */
const announces = ({ name }: TreeNode): boolean => /[:\uff1a]\s*$/u.test(name);

/**
 * A static control, whatever source read it. Other texts may be anything, and toolkits name many fields themselves: such a
 * text labels what follows it if it announces that.
 */
const isStatic = ({ source, className }: TreeNode): boolean =>
  source === 'window' || kindOfClass(className) === 'static';

/** Everything from which a text or a landmark can reach a field lies in here. */
function reachOf(field: Rect, scale: number): Rect {
  const slack = 5 * scale + 1;
  return {
    x: field.x - REACH.left * scale - slack,
    y: field.y - REACH.above * scale - slack,
    width: field.width + (REACH.left + REACH.right) * scale + 2 * slack,
    height: field.height + REACH.above * scale + 2 * slack,
  };
}

const byPlace = (all: readonly TreeNode[]): ByPlace<TreeNode> => nearby(all, ({ rect }) => rect);

interface LabelPair {
  readonly text: TreeNode;
  readonly field: TreeNode;
  readonly side: Side;
  readonly distance: number;
}

/** How far from its field (pixels at 96 DPI) a unit is at most. */
const UNIT_REACH = 12;

/** What units look like: short, and seldom with a capital (`kg`, `%`, `MB`), where a label of another column has one. */
const UNIT = /^(?:[^\p{Lu}].{0,7}|.{1,2})$/u;

/** Whether a text is the unit of the field that it follows, such as `kg`, which has its label elsewhere. */
const isUnit = (text: TreeNode, pairs: readonly LabelPair[]): boolean =>
  UNIT.test(text.name) &&
  pairs.some(
    (after) =>
      after.text === text &&
      after.side === 'right' &&
      after.distance <= PENALTY.right + UNIT_REACH &&
      pairs.some((other) => other.field === after.field && other.text !== text && other.side !== 'right'),
  );

/**
 * Gives each unnamed field among `siblings` the text that labels it, each text to one field, closest pair first. Returns the
 * texts that are labels.
 */
function labelSiblings(siblings: readonly TreeNode[], scale: number, isLive: IsLive): ReadonlySet<TreeNode> {
  // A text that names a field already, where its provider gives the name, labels no other.
  const given = new Set(
    siblings.flatMap(({ controlType, name }) => (LABELLED.has(controlType) && name !== '' ? [comparable(name)] : [])),
  );
  const used = new Set<TreeNode>();
  const texts = siblings
    .flatMap(textOf)
    .filter((text) => text.name !== '' && (isStatic(text) || announces(text)) && !isLive(text))
    .filter((text) => !given.has(comparable(text.name)) || !used.add(text));
  if (texts.length === 0) return used;
  const fields = siblings.flatMap((node) => {
    const found = fieldOf(node);
    return found === null || found.field.name !== '' || found.place.width <= 0 ? [] : [{ ...found, holder: node }];
  });
  const [nearTexts, all] = [byPlace(texts), byPlace(siblings)];
  const pairs: LabelPair[] = [];
  for (const { field, holder, place: at } of fields) {
    for (const text of nearTexts.near(reachOf(at, scale))) {
      const place = labelDistance(text.rect, at, scale);
      if (place === null || isBlocked(text, holder, place.side, all)) continue;
      const isFromRight = holder === field && isStatic(text) && !NOT_FROM_RIGHT.has(field.controlType);
      if (place.side === 'right' && !isFromRight) continue;
      const bonus = announces(text) && place.side !== 'right' ? 10 : 0;
      pairs.push({ text, field, side: place.side, distance: place.distance - bonus });
    }
  }
  pairs.sort((a, b) => a.distance - b.distance);
  for (const pair of pairs) {
    const { text, field } = pair;
    if (used.has(text) || field.label !== null || (pair.side === 'above' && isUnit(text, pairs))) continue;
    used.add(text);
    field.label = withoutAccelerator(text.name);
    field.name = field.label;
  }
  return used;
}

/** A spinner without a name takes its field's. */
function nameSpinners(siblings: readonly TreeNode[]): void {
  const spinners = siblings.filter(({ buddy, name }) => buddy !== 0 && name === '');
  for (const spinner of spinners) {
    const field = siblings.find((node) => node.hwnd === spinner.buddy);
    spinner.name = field?.name ?? '';
  }
}

/** What a field shows while it is empty; null if there is nothing. */
type CueOf = (field: TreeNode) => string | null;

const HAVE_CUES: ReadonlySet<ControlType> = new Set(['Edit', 'ComboBox']);

/** A field that nothing else names has the name that a person reads in it while it is empty. */
function nameByCue(siblings: readonly TreeNode[], cueOf: CueOf): void {
  for (const field of siblings) {
    const cue = field.name === '' && HAVE_CUES.has(field.controlType) ? cueOf(field) : null;
    if (cue !== null) [field.label, field.name] = [cue, cue];
  }
}

/** What a control has in a row: with icons alone, nothing else tells them apart. */
const IN_ROWS: ReadonlySet<ControlType> = new Set([
  'TabItem',
  'TreeItem',
  'HeaderItem',
  'Button',
  'CheckBox',
  'SplitButton',
]);

/** Numbers the parts of a control that have no name. */
function numberItems({ children, itemCount }: TreeNode): void {
  const items = children.filter(({ locator, controlType }) => locator.kind === 'item' && IN_ROWS.has(controlType));
  for (const [index, item] of items.entries())
    if (item.name === '' && item.unread === null && items.length > 1)
      item.place = itemCount === null ? `${index + 1} of ${items.length}` : String(index + 1);
}

/** Describes each element still without a name by what is next to it: a static text, a named field, else its group. */
function placeSiblings(parent: TreeNode, scale: number, isLive: IsLive): void {
  const siblings = parent.children;
  const nameless = siblings.filter(
    (node) =>
      PLACED.has(node.controlType) &&
      node.name === '' &&
      node.label === null &&
      node.locator.kind !== 'item' &&
      node.rect.width > 0,
  );
  if (nameless.length === 0) return;
  const landmarks = siblings.filter(
    (node) => LANDMARKS.has(node.controlType) && node.name !== '' && !(node.controlType === 'Text' && isLive(node)),
  );
  const groups = [...siblings, parent].filter((node) => node.controlType === 'Group' && node.name !== '');
  const [nearLandmarks, all, nearGroups] = [byPlace(landmarks), byPlace(siblings), byPlace(groups)];
  for (const node of nameless) {
    let nearest: { name: string; distance: number } | null = null;
    for (const landmark of nearLandmarks.near(reachOf(node.rect, scale))) {
      const place = labelDistance(landmark.rect, node.rect, scale);
      if (
        place === null ||
        (nearest !== null && place.distance >= nearest.distance) ||
        isBlocked(landmark, node, place.side, all)
      )
        continue;
      nearest = { name: landmark.name, distance: place.distance };
    }
    const around = nearGroups
      .near(node.rect)
      .filter((group) => rectContains(group.rect, rectCentre(node.rect)))
      .sort((a, b) => a.rect.width * a.rect.height - b.rect.width * b.rect.height)[0];
    const name = withoutAccelerator(nearest?.name ?? around?.name ?? '').trim();
    node.beside = name === '' ? null : name.slice(0, BESIDE_LENGTH);
  }
}

/** How an element is shown: by its name, else by its neighbour or its place, marked so that it is not mistaken for a name. */
export function shownName({ name, beside, place }: Pick<TreeNode, 'name' | 'beside' | 'place'>): string {
  if (name !== '') return name;
  return beside !== null ? `(beside ${quoted(beside)})` : place === null ? '' : `(place ${place})`;
}

/** The same for the whole tree: fields are labelled by texts with the same parent. */
export function labelFields(root: TreeNode, scale: number, isLive: IsLive = byForm, cueOf: CueOf = () => null): void {
  const used = labelSiblings(root.children, scale, isLive);
  nameByCue(root.children, cueOf);
  nameSpinners(root.children);
  numberItems(root);
  placeSiblings(root, scale, (text) => used.has(text) || isLive(text));
  for (const child of root.children) if (child.children.length > 0) labelFields(child, scale, isLive, cueOf);
}

/** The texts by which elements are named or placed. */
function labelsIn(all: readonly TreeNode[]): { labels: ReadonlySet<string>; besides: readonly string[] } {
  const labels = new Set<string>();
  const besides = new Set<string>();
  for (const { label, beside } of all) {
    if (label !== null) labels.add(label);
    if (beside !== null) besides.add(beside);
  }
  return { labels, besides: [...besides] };
}

/** Whether a text names or places another element: that would need a new name too. */
export function isLabel(root: TreeNode, text: string): boolean {
  if (text === '') return false;
  const label = withoutAccelerator(text);
  const { labels, besides } = indexOf(root).derived('labels', labelsIn);
  const start = label.trim().slice(0, 40);
  return labels.has(label) || besides.some((beside) => beside.startsWith(start));
}

// Which texts are constant and so can label a field: a counter, a clock or a status message labels nothing. Judged by their
// form if that is conclusive, else by having been seen to change.

/** Ends in a value: “Clicks: 0”, “size=12 KB”, “Time left: 0:12”. `\uff1a` is the full-width colon. */
const ENDS_IN_VALUE = /[=:\uff1a]\s*[-+(]?\p{N}[\p{N}\s.,:/%)]*(?:\p{L}{1,3}(?:\/s)?)?$/u;
/**
 * Begins with an amount, as messages do: “3 of 9 files”, “65 % done”. A trailing colon makes it a label nevertheless.
 */
const BEGINS_WITH_AMOUNT = /^\W*\p{N}[\p{N}.,]*(?:\s|%)/u;

/** Whether the form of a text shows that it is a value rather than a name. */
export function isValueText(text: string): boolean {
  const words = text.trim();
  if (!/\p{L}/u.test(words)) return /\p{N}/u.test(words);
  return ENDS_IN_VALUE.test(words) || (BEGINS_WITH_AMOUNT.test(words) && !/[:\uff1a]$/u.test(words));
}

interface SeenText {
  text: string;
  /** By its form; a window asks it of each of its texts in every reading. */
  isValue: boolean;
  changes: number;
  isLive: boolean;
}

/** Limits the memory of a host that runs for weeks. */
const MAX_KEPT = 20_000;
/** A wizard page may put a new label into an existing text once; a text that keeps changing is not a label. */
const MAX_CHANGES = 1;

const withoutNumbers = (text: string): string => text.replaceAll(/\p{N}+/gu, '#');

/** Remembers which texts have been seen to change. */
export class TextWatch {
  readonly #seen = new Map<string, SeenText>();

  /** Records an element's current text. @param identity constant for the lifetime of the element */
  isLive(identity: string, text: string): boolean {
    const seen = this.#seen.get(identity);
    if (seen === undefined) {
      const isValue = isValueText(text);
      this.#seen.set(identity, { text, isValue, changes: 0, isLive: false });
      for (const oldest of this.#seen.keys()) {
        if (this.#seen.size <= MAX_KEPT) break;
        this.#seen.delete(oldest);
      }
      return isValue;
    }
    if (seen.text !== text) {
      seen.changes += 1;
      const isNumberAlone = withoutNumbers(seen.text) === withoutNumbers(text);
      seen.isLive ||= isNumberAlone || (seen.changes > MAX_CHANGES && !/[:\uff1a]\s*$/u.test(text));
      seen.text = text;
      seen.isValue = isValueText(text);
    }
    return seen.isLive || seen.isValue;
  }
}
