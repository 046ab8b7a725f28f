/** How messages name an element, and how callers name an item in it; how names are read and compared. */
import { UiaHostError } from '../errors.ts';
import { quoted } from '../json/quoted.ts';

/** `Button "OK"`, or its type alone if it has no name. */
export const describeElement = (element: { readonly controlType: string; readonly name: string }): string =>
  element.name === '' ? element.controlType : `${element.controlType} ${quoted(element.name)}`;

/** A modal dialog that keeps the window of an element disabled. */
export interface DialogInFront {
  readonly hwnd: string;
  readonly title: string;
}

/** target_disabled, which names the dialog where there is one. */
export function disabledTarget(description: string, dialog: DialogInFront | null): UiaHostError {
  if (dialog === null) return new UiaHostError('target_disabled', `${description} is disabled. Nothing was sent.`);
  return new UiaHostError(
    'target_disabled',
    `${description} cannot be used while the dialog ${quoted(dialog.title)} (${dialog.hwnd}) is open. Nothing was sent.`,
    {
      hint: `Bind the dialog ${dialog.hwnd} and answer it first.`,
      candidates: [{ hwnd: dialog.hwnd, title: dialog.title }],
    },
  );
}

export const readOnlyTarget = (description: string): UiaHostError =>
  new UiaHostError('target_readonly', `${description} is read-only. Nothing was overwritten.`);

/** The names between what separates the parts of a path. */
const NAMES = new RegExp('[^>›→|]+', 'gu');

/** A name on a path, and what separates it from the name before it: `>`, `|`; empty for the first. */
export interface PathPart {
  readonly name: string;
  readonly after: string;
}

/** `File > Save As…` → its parts. */
export function pathParts(text: string): PathPart[] {
  const parts: PathPart[] = [];
  let end = 0;
  for (const { 0: part, index } of text.matchAll(NAMES)) {
    const name = part.trim();
    if (name === '') continue;
    parts.push({ name, after: parts.length === 0 ? '' : text.slice(end, index).replaceAll(/\s/g, '') });
    end = index + part.length;
  }
  return parts;
}

/** The names of a path, as messages show them. */
export const pathText = (path: readonly PathPart[]): string => path.map(({ name }) => name).join(' > ');

/** The next step on a path: how many of its parts it takes, and which names fit it. */
interface PathStep {
  readonly parts: number;
  /** Null: by the caller's own rule for names. */
  readonly fits: ((name: string) => boolean) | null;
}

/**
 * A name may contain what separates the parts of a path: `A > B` is an item of this name, if there is one, and else `B` in
 * `A`. An item `A|B` is spelt otherwise.
 * @param names all names of this level
 */
export function nextStep(names: readonly string[], path: readonly PathPart[], from: number): PathStep {
  const spells = (name: string): number => {
    const own = pathParts(name);
    const isSpelt = own.every(({ name: part, after }, at) => {
      const given = path[from + at];
      return part.toLowerCase() === given?.name.toLowerCase() && (at === 0 || after === given.after);
    });
    return own.length > 1 && isSpelt ? own.length : 1;
  };
  const parts = names.reduce((most, name) => Math.max(most, spells(name)), 1);
  return { parts, fits: parts === 1 ? null : (name) => spells(name) === parts };
}

/**
 * A window text without accelerator marks: `&Save` → `Save`, `Fish && chips` → `Fish & chips`, `保存(&S)` → `保存`.
 * The shortcut behind a tab (`Open…\tCtrl+O`) is removed too.
 */
export function withoutAccelerator(text: string): string {
  const tab = text.indexOf('\t');
  const words = tab < 0 ? text : text.slice(0, tab);
  if (!words.includes('&')) return words;
  return words.replace(/\s?\(&[^&\s]\)(?=\s*(?:\u2026|\.\.\.|:)?\s*$)/u, '').replaceAll(/&(&?)/g, '$1');
}

/** For comparing names: no accelerator marks, no trailing `…`, `...` or `:`, blanks collapsed. */
export function comparable(text: string): string {
  return withoutAccelerator(text)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/(?:\s*(?:\u2026|\.{3}|:|\uff1a))+$/u, '');
}

const folded = (name: string): string => (comparable(name) || name.trim()).toLowerCase();

/** Whether a name is the wanted one except for case; a part does not count. */
export const isSameName = (wanted: string, name: string): boolean =>
  folded(name) !== '' && folded(name) === folded(wanted);
