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

const SEPARATORS = new RegExp('\\s*(?:>|›|→|\\|)\\s*', 'u');

/** `File > Save As…` → its parts. */
export function pathParts(text: string): string[] {
  return text
    .split(SEPARATORS)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const alike = (one: string, other: string | undefined): boolean => one.toLowerCase() === other?.toLowerCase();

/** The next step on a path: how many of its parts it takes, and which names fit it. */
export interface PathStep {
  readonly parts: number;
  /** Null: by the caller's own rule for names. */
  readonly fits: ((name: string) => boolean) | null;
}

/**
 * A name may contain what separates the parts of a path: `A > B` is an item of this name, if there is one, and else `B` in
 * `A`.
 * @param names all names of this level
 */
export function nextStep(names: readonly string[], path: readonly string[], from: number): PathStep {
  const spells = (name: string): number => {
    const own = pathParts(name);
    return own.length > 1 && own.every((part, at) => alike(part, path[from + at])) ? own.length : 1;
  };
  const parts = names.reduce((most, name) => Math.max(most, spells(name)), 1);
  return { parts, fits: parts === 1 ? null : (name) => spells(name) === parts };
}
