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
const call = (): ReturnType<typeof newCall> => newCall({ applications: { deny: [] } });
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

describe('[popups.shown] menus and dialogs of a window', () => {
  test('a dialog of another process is in the snapshot below its owner, and its elements are used by ref', async () => {
    await using dialog = await picker();
    expect(popupsOf(owner.hwnd)).toEqual([dialog.hwnd]);
    expect(applicationWindows(owner.hwnd)).toContain(dialog.hwnd);
    const nodes = await elements.nodes({}, call());
    expect(only(nodes, { name: 'Pick a file' })).toMatchObject({ controlType: 'Window', depth: 1 });
    expect(only(nodes, { depth: 0 }).controlType).toBe('Window');
    const field = only(nodes, { name: 'File name', controlType: 'Edit' });
    const typing = await elements.context({ ref: field.ref }, 'type', call());
    // The gate judges the dialog that has the element.
    expect(typing.dialogTitle).toBe('Pick a file');
    expect(path.win32.basename(typing.otherApp?.executable ?? '')).toBe('picker.exe');
    expect((await elements.context({}, 'look', call())).otherApp).toBeUndefined();
    await elements.port.typeInto(
      elements.record,
      typing.element!.ref,
      'C:\\Grüße 狐.txt',
      { mode: 'replace', delivery: 'background', isSecret: false },
      call(),
    );
    const { element } = await elements.context({ name: 'Pick' }, 'click', call());
    const done = await elements.port.click(elements.record, element!.ref, { delivery: 'background' }, call());
    expect(done.outcome).toMatchObject({ effect: 'confirmed' });
    await journaled(dialog, 'picked', { text: 'C:\\Grüße 狐.txt' });
    await refusal(
      elements.port.click(elements.record, element!.ref, { delivery: 'background' }, call()),
      'element_stale',
    );
  });

  test('a flyout without a title, in a window of a toolkit', async () => {
    await using flyout = await picker('--flyout');
    const { ref } = only(await elements.nodes({}, call()), { name: 'Pick' });
    await elements.port.click(elements.record, ref, { delivery: 'background' }, call());
    await journaled(flyout, 'picked');
  });

  test('its title can be waited for', async () => {
    await using dialog = await picker();
    const wanted = { windowTitle: 'Pick a file', condition: 'appears' } as const;
    const done = await elements.port.waitFor(elements.record, wanted, call());
    expect(done.outcome.details).toMatchObject({ window: { hwnd: String(dialog.hwnd) } });
  });
});

describe('[popups.opened] a window without an owner that an action opened', () => {
  const asking = async (
    kind: string,
  ): Promise<{ program: Fixture; bound: Elements; opened: string } & AsyncDisposable> => {
    const program = await Fixture.start('picker', ['--asks', kind]);
    const bound = await Elements.bind(program.hwnd);
    const { outcome } = await bound.click({ name: 'Pick' }, 'background', call());
    const evidence = [{ kind: 'window-opened', after: [{ title: 'Really pick?' }] }];
    expect(outcome).toMatchObject({ evidence, details: { newWindow: { title: 'Really pick?' } } });
    const { hwnd } = (outcome.details as { newWindow: { hwnd: string } }).newWindow;
    return { program, bound, opened: hwnd, [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() };
  };

  test.each(['dialog', 'modal'])(
    '%s: is shown below the bound window, and its elements are used by ref and by name',
    async (kind) => {
      await using asked = await asking(kind);
      const { program, bound, opened } = asked;
      const nodes = await bound.nodes({}, call());
      expect(only(nodes, { name: 'Really pick?' })).toMatchObject({ controlType: 'Window', depth: 1 });
      const { element } = await bound.context({ name: 'Yes' }, 'click', call());
      expect(element!.ref).toBe(only(nodes, { name: 'Yes' }).ref);
      if (kind === 'modal') {
        const refused = await refusal(bound.click({ name: 'Pick' }, 'background', call()), 'target_disabled');
        expect(refused.candidates).toEqual([{ hwnd: opened, title: 'Really pick?' }]);
      }
      await bound.port.click(bound.record, element!.ref, { delivery: 'background' }, call());
      await journaled(program, 'picked');
      expect(popupsOf(program.hwnd)).toEqual([]);
    },
  );

  test('another main window of the program is named, and is bound by itself', async () => {
    await using asked = await asking('main');
    const { program, bound, opened } = asked;
    expect((await bound.nodes({}, call())).filter(({ name }) => name === 'Really pick?')).toEqual([]);
    await (await bound.bound(Number(opened))).click({ name: 'Yes' });
    await journaled(program, 'picked');
  });
});

test('[popups.hidden] a dialog of an application that is denied, or outside the token’s limits, is not shown or used', async () => {
  await using dialog = await picker();
  const { app } = processFacts(dialog.pid);
  expect(path.win32.basename(app.executable ?? '')).toBe('picker.exe');
  const { ref } = only(await elements.nodes({}, call()), { name: 'Pick' });
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
