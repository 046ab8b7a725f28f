/** The clipboard topic on Windows. */
import { UiaHostError } from '../../contract/errors.ts';
import type { ClipboardPort } from '../../desktop/index.ts';
import { readClipboardText, writeClipboardText } from '../input/clipboard-data.ts';
import { startWitness } from '../windows/witness.ts';

export function createClipboardPort(): ClipboardPort {
  return {
    read: (call) => readClipboardText(call),
    async write(text, call) {
      if (text.includes('\0'))
        throw new UiaHostError(
          'invalid_argument',
          'Clipboard text ends at its first NUL character, so a text with one cannot be written; the clipboard is unchanged.',
        );
      const witness = startWitness();
      await writeClipboardText(text, false, call);
      const back = await readClipboardText(call);
      const isSame = back === text;
      return {
        value: null,
        outcome: witness.outcome({
          effect: isSame ? 'confirmed' : 'unverified',
          delivery: 'clipboard',
          // Length only: clipboard content may be a secret.
          evidence: [{ kind: 'clipboard-length', before: null, after: back.length }],
          attempts: [{ rung: 'clipboard', result: 'delivered', reason: 'text set' }],
          readBack: isSame ? 'verified' : 'mismatch',
        }),
      };
    },
  };
}
