/**
 * What one desktop worker can do on a desktop without a screen: run there by hidden.exe, with a file for its answer. Each kind of
 * action is tried once on test programs of that desktop, and their journals or a second reading say whether it was done.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { UiaHostError } from '../../../../src/contract/errors.ts';
import type { BindingRecord } from '../../../../src/contract/element/binding.ts';
import { createWin32Desktop } from '../../../../src/win32/index.ts';
import { Fixture, newCall } from './programs.ts';

const [answer = ''] = process.argv.slice(2);
process.on('uncaughtException', (error) => {
  writeFileSync(answer, JSON.stringify({ error: String(error.stack) }));
  process.exit(1);
});
const found: Record<string, unknown> = {};
const { desktop, close } = createWin32Desktop(
  { kind: 'init', place: 0, ownPids: [], refBase: 1, held: [], moved: [], leftAway: [], ownInput: [] },
  { console: fileURLToPath(new URL('../../../../src/entry/console.ts', import.meta.url)) },
);

/** Notes the result, or the error's code. */
async function tried(what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    found[what] = (await work()) ?? true;
  } catch (error) {
    const { code, message } = error as UiaHostError;
    found[what] = { code: code ?? 'error', message };
  }
}

const bind = (hwnd: number): Promise<BindingRecord> => desktop.binding.find({ hwnd: String(hwnd) }, newCall());
const ref = async (
  record: BindingRecord,
  automationId: string,
  purpose: 'click' | 'type' | 'select',
): Promise<string> =>
  (await desktop.element.context(record, { kind: 'element', query: { automationId }, purpose }, newCall())).element!
    .ref;

{
  await using editor = await Fixture.start('names');
  const record = await bind(editor.hwnd);
  await tried('facts', () => desktop.system.facts(record, newCall()));
  await tried('list', async () => (await desktop.binding.find({ title: 'Names' }, newCall())).hwnd === record.hwnd);
  await tried('snapshot', async () => {
    const options = { observationId: 'obs_1', maxTokens: 20_000, maxElements: 500, budgetMs: 5000 };
    return (
      (await desktop.element.snapshot(record, { ...options, remoteControlMemory: true }, newCall())).elementCount > 3
    );
  });
}
{
  await using controls = await Fixture.start('controls', ['--activate']);
  const record = await bind(controls.hwnd);
  const done = async (work: Promise<{ outcome: { effect: string } }>): Promise<string> => (await work).outcome.effect;
  await tried('click', async () =>
    done(desktop.element.click(record, await ref(record, '101', 'click'), { delivery: 'background' }, newCall())),
  );
  await tried('type', async () =>
    done(
      desktop.element.typeInto(
        record,
        await ref(record, '201', 'type'),
        'no screen',
        { mode: 'replace', delivery: 'background', isSecret: false },
        newCall(),
      ),
    ),
  );
  await tried('select', async () => {
    const item = { name: 'Entry 2' };
    const target = { kind: 'element', query: { automationId: '230' }, purpose: 'select', item } as const;
    const { element, chosen } = await desktop.element.context(record, target, newCall());
    return done(desktop.element.select(record, element!.ref, { ...item, judged: chosen }, newCall()));
  });
  await tried('table', async () => {
    const list = await ref(record, '240', 'select');
    return (await desktop.element.readTable(record, list, { from: 0, count: 2 }, newCall())).rows.length === 2;
  });
  await tried('keys', async () => {
    await desktop.element.focus(record, await ref(record, '201', 'type'), newCall());
    const background = { viaClipboard: false, delivery: 'background' } as const;
    return done(desktop.keyboard.typeText(record, 'typed', background, newCall()));
  });
  await tried('real input', async () =>
    done(desktop.element.click(record, await ref(record, '101', 'click'), { delivery: 'foreground' }, newCall())),
  );
  found['real presses'] = controls
    .journal()
    .filter(({ event, origin }) => event === 'mouse' && origin === 'injected').length;
  const format = { format: 'png', deny: [] } as const;
  await tried('picture of a window', async () => (await desktop.capture.window(record, format, newCall())).method);
  await tried(
    'picture of the display',
    async () => (await desktop.capture.display(undefined, format, newCall())).method,
  );
}
{
  await using book = await Fixture.start('workbook');
  const record = await bind(book.hwnd);
  await tried('cells', async () => {
    const options = { sheet: 'Data', range: 'A1:B2', what: 'both', text: false, dates: 'iso', maxCells: 100 } as const;
    return (await desktop.sheet.read(record, options, newCall())) !== null;
  });
}
await close();
writeFileSync(answer, JSON.stringify(found));
process.exit(0);
