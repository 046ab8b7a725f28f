/** How messages name an element, and how callers name an item in it. */
import { quoted } from '../json/quoted.ts';
import { UiaHostError } from '../errors.ts';

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
export interface PathStep {
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
