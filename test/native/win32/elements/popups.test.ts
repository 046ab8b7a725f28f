/** Windows that belong to the bound one: dialogs of other processes and flyouts, read and used without binding them. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { processFacts } from '../../../../src/win32/system/process.ts';
import { applicationWindows, popupsOf } from '../../../../src/win32/windows/popups.ts';
import { parseTree } from '../../../support/snapshot-tree.ts';
import { Elements, journaled, only, refusal } from '../support/elements.ts';
import { Fixture, newCall } from '../support/programs.ts';

let owner: Fixture;
let elements: Elements;
const call = newCall({ applications: { deny: [] } });
const denying = newCall({ applications: { deny: ['picker.exe'] } });
const picker = (...more: string[]): Promise<Fixture> =>
  Fixture.start('picker', ['--owner', String(owner.hwnd), ...more]);

beforeAll(async () => {
  owner = await Fixture.start('controls', ['--many', '3']);
  elements = await Elements.bind(owner.hwnd);
});
afterAll(async () => {
  elements.port[Symbol.dispose]();
  await owner[Symbol.asyncDispose]();
});

describe('[popups.shown] [popups.acted]', () => {
  test('a dialog of another process is in the snapshot below its owner, and its elements are used by ref', async () => {
    await using dialog = await picker();
    expect(popupsOf(owner.hwnd)).toEqual([dialog.hwnd]);
    expect(applicationWindows(owner.hwnd)).toContain(dialog.hwnd);
    const nodes = await elements.nodes({}, call);
    expect(only(nodes, { name: 'Pick a file' })).toMatchObject({ controlType: 'Window', depth: 1 });
    expect(only(nodes, { depth: 0 }).controlType).toBe('Window');
    const field = only(nodes, { name: 'File name', controlType: 'Edit' });
    const typing = await elements.context({ ref: field.ref }, 'type', call);
    // The gate judges the dialog that has the element.
    expect(typing.dialogTitle).toBe('Pick a file');
    expect(path.win32.basename(typing.otherApp?.executable ?? '')).toBe('picker.exe');
    expect((await elements.context({}, 'look', call)).otherApp).toBeUndefined();
    await elements.port.typeInto(
      elements.record,
      typing.element!.ref,
      'C:\\Grüße 狐.txt',
      { mode: 'replace', delivery: 'background', isSecret: false },
      call,
    );
    const { element } = await elements.context({ name: 'Pick' }, 'click', call);
    const done = await elements.port.click(elements.record, element!.ref, { delivery: 'background' }, call);
    expect(done.outcome).toMatchObject({ effect: 'confirmed' });
    await journaled(dialog, 'picked', { text: 'C:\\Grüße 狐.txt' });
    await refusal(
      elements.port.click(elements.record, element!.ref, { delivery: 'background' }, call),
      'element_stale',
    );
  });

  test('a flyout without a title, in a window of a toolkit', async () => {
    await using flyout = await picker('--flyout');
    const { ref } = only(await elements.nodes({}, call), { name: 'Pick' });
    await elements.port.click(elements.record, ref, { delivery: 'background' }, call);
    await journaled(flyout, 'picked');
  });

  test('[wait.window] its title can be waited for', async () => {
    await using dialog = await picker();
    const wanted = { windowTitle: 'Pick a file', condition: 'appears' } as const;
    const done = await elements.port.waitFor(elements.record, wanted, call);
    expect(done.outcome.details).toMatchObject({ window: { hwnd: String(dialog.hwnd) } });
  });
});

test('[popups.hidden] a dialog of an application that is denied, or outside the token’s limits, is not shown or used', async () => {
  await using dialog = await picker();
  const { app } = processFacts(dialog.pid);
  expect(path.win32.basename(app.executable ?? '')).toBe('picker.exe');
  const { ref } = only(await elements.nodes({}, call), { name: 'Pick' });
  const outside = newCall({ applications: { deny: [], only: [elements.record.app.bundleId] } });
  for (const limited of [denying, outside, newCall()]) {
    const text = (await elements.snapshot({}, limited)).accessibilityText;
    expect(parseTree(text).filter(({ name }) => name === 'Pick' || name === 'Pick a file')).toEqual([]);
    await refusal(elements.context({ name: 'Pick' }, 'click', limited), 'target_not_found');
    await refusal(elements.context({ ref }, 'click', limited), 'element_stale');
    await refusal(elements.port.click(elements.record, ref, { delivery: 'background' }, limited), 'element_stale');
  }
  expect(dialog.journal().filter(({ event }) => event === 'picked')).toEqual([]);
});
