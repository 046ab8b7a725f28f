/** The refusal of input to a disabled element: the same from the gate, before a person is asked, and from the desktop. */
import { UiaHostError } from '../errors.ts';
import { quoted } from '../json/quoted.ts';

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
