/**
 * The pattern ways and UI Automation as the main source, on an IUIAutomation made from the public headers. It proves
 * layout, calling, reference counts and the mapping of errors; it does not prove how Windows behaves.
 */
import { describe, expect, test } from 'vitest';
import { HRESULT } from '../../../../native-bindings/com/hresult.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { ElementQuery } from '../../../../src/contract/element/element.ts';
import type { ItemChoice } from '../../../../src/desktop/index.ts';
import type { PasswordRects } from '../../../../src/win32/imaging/password-memory.ts';
import { Automation } from '../../../../src/win32/elements/sources/uia-client.ts';
import { HeldInputs } from '../../../../src/win32/input/held-input.ts';
import { FocusMemory } from '../../../../src/win32/elements/finding/text-target.ts';
import { createPointerPort } from '../../../../src/win32/ports/input.ts';
import { isModal } from '../../../../src/win32/elements/sources/patterns.ts';
import { parseTree, type TreeNode } from '../../../support/snapshot-tree.ts';
import { Elements, journaled, only, refusal } from '../support/elements.ts';
import { Fixture, newCall } from '../support/programs.ts';
import { until } from '../../../support/until.ts';
import { com, elements, graft, graftEach, window } from '../support/grafted.ts';

const SW_SHOWMINNOACTIVE = 7;
const SW_SHOWNOACTIVATE = 4;
const SWP_NOSIZE = 0x1;
const SWP_NOMOVE = 0x2;
const SWP_NOZORDER = 0x4;
const SWP_NOACTIVATE = 0x10;
const hresult = (code: number): string => `0x${(code >>> 0).toString(16)}`;

graftEach();

const byId = (nodes: readonly TreeNode[], id: string): TreeNode => only(nodes, { id });

describe('reading', () => {
  test('[snapshot.sources] types, names, values, ids, states and rectangles; as few calls as the system offers', async () => {
    com.remoteCalls();
    const nodes = await elements.nodes();
    expect(com.remoteCalls()).toBeLessThan(15);
    expect(byId(nodes, 'btnOk')).toMatchObject({ controlType: 'Button', name: 'OK', states: [] });
    expect(byId(nodes, 'btnOff').states).toEqual(['disabled']);
    expect(byId(nodes, 'txtName')).toMatchObject({ controlType: 'Edit', name: 'Full name:', value: 'Ada' });
    expect(byId(nodes, 'txtSerial')).toMatchObject({ value: 'SN-0042', states: ['readonly'] });
    expect(byId(nodes, 'chkThree').states).toEqual(['mixed']);
    expect(byId(nodes, 'radSmall').states).toEqual(['selected']);
    expect(byId(nodes, 'sldVolume').value).toBe('30');
    expect(byId(nodes, 'cmbCountry')).toMatchObject({ value: 'Austria', states: ['collapsed'] });
    expect(byId(nodes, 'document').value).toContain('First line of text.');
    expect(byId(nodes, 'forged').name).toBe('ok"\n[Button] "forged"');
    expect(byId(nodes, 'itViolet').states).toContain('offscreen');
    const root = only(nodes, { depth: 0 });
    const ok = byId(nodes, 'btnOk');
    expect([ok.width, ok.height]).toEqual([90, 24]);
    expect(ok.x).toBeGreaterThan(root.x);
  });

  test('a button with only a picture is named by the first line of its tool tip', async () => {
    expect(byId(await elements.nodes(), 'btnRefresh')).toMatchObject({
      controlType: 'Button',
      name: 'Refresh the list',
    });
    expect((await elements.click({ name: 'Refresh the list' })).outcome).toMatchObject({ delivery: 'uia-invoke' });
  });

  test('[snapshot.password] the value of a password field is not even asked for', async () => {
    const text = (await elements.snapshot()).accessibilityText;
    expect(text).toContain('id="txtSecret" password');
    expect(text).not.toContain('Geheim');
    // graftEach looks for reads in the fixture's log.
  });

  test('[snapshot.sources] a document without a value is read by its text', async () => {
    await graft({ without: 10002 });
    expect(byId(await elements.nodes(), 'document').value).toContain('Second line: ’ ‘ " ` $ ; 😀 漢字');
    expect((await elements.snapshot()).accessibilityText).not.toContain('Geheim');
  });

  test('without subtree caches, conditions and patterns the tree is walked', async () => {
    const full = await elements.nodes();
    await graft({ subtreeCache: 0, conditions: 0, patterns: 0 });
    const walked = await elements.nodes();
    expect(elements.port.automationAbilities()).toEqual({ subtreeCache: false, conditions: false, patterns: false });
    expect(walked.map((node) => `${node.depth} ${node.controlType} ${node.name} ${node.x},${node.y}`)).toEqual(
      full.map((node) => `${node.depth} ${node.controlType} ${node.name} ${node.x},${node.y}`),
    );
    expect(byId(walked, 'txtSecret').states).toContain('password');
  });

  test('the system’s abilities are found by asking', () => {
    expect(elements.port.automationAbilities()).toEqual({ subtreeCache: true, conditions: true, patterns: true });
  });

  test('a ref stays with its RuntimeId; an element that is gone is element_stale', async () => {
    const before = await elements.nodes();
    expect((await elements.nodes()).map((node) => node.ref)).toEqual(before.map((node) => node.ref));
    const { ref } = byId(before, 'btnOk');
    expect((await elements.context({ ref })).element).toMatchObject({
      automationId: 'btnOk',
      source: 'uia',
      identity: expect.stringMatching(/^rid:/) as unknown,
    });
    com.configure({ remove: 'btnOk' });
    await refusal(elements.context({ ref }), 'element_stale');
    await refusal(elements.port.click(elements.record, ref, { delivery: 'background' }, newCall()), 'element_stale');
  });

  test('a ref keeps its element: it is never searched for, only asked for its identity', async () => {
    const { ref } = byId(await elements.nodes(), 'chkNews');
    const click = async (): Promise<number> => {
      com.traversals();
      await elements.port.click(elements.record, ref, { delivery: 'background' }, newCall());
      return com.traversals();
    };
    expect([await click(), await click(), await click()]).toEqual([0, 0, 0]);
    com.configure({ remove: 'chkNews' });
    await refusal(elements.port.click(elements.record, ref, { delivery: 'background' }, newCall()), 'element_stale');
  });

  test('[snapshot.partial] a provider that is too slow gives a partial reading, within the budget', async () => {
    await graft({ subtreeCache: 0, slow: 40 });
    const data = await elements.snapshot({ budgetMs: 700 });
    expect(data.partial).toBe(true);
    expect(parseTree(data.accessibilityText).length).toBeGreaterThan(1);
  });
});

// As Qt's programs are on a busy machine: a walk of their windows takes longer than five seconds, and longer than eight.
test('elements of a slow program are found within a long deadline; a short deadline is exceeded, and nothing is reported missing', async () => {
  await graft({ subtreeCache: 0 });
  com.log();
  com.remoteCalls();
  await elements.context({ automationId: 'btnOk' });
  const calls = com.remoteCalls();
  com.configure({ slow: Math.ceil(9500 / calls) });
  const found = await elements.context({ automationId: 'btnOk' }, 'click', newCall({ deadlineMs: 60_000 }));
  expect(found.element).toMatchObject({ name: 'OK', controlType: 'Button' });
  await refusal(
    elements.context({ automationId: 'no such id' }, 'click', newCall({ deadlineMs: 6000 })),
    'deadline_exceeded',
  );
});

describe('a window that is too large for one call', () => {
  const tooLarge = { subtree: hresult(HRESULT.UIA_E_TIMEOUT) };

  test('[snapshot.partial] is walked within the time that is left', async () => {
    const full = await elements.nodes();
    com.configure(tooLarge);
    const data = await elements.snapshot({ budgetMs: 30_000 });
    expect(
      parseTree(data.accessibilityText).map(
        (node) => `${node.depth} ${node.controlType} ${node.name} ${node.value ?? ''}`,
      ),
    ).toEqual(full.map((node) => `${node.depth} ${node.controlType} ${node.name} ${node.value ?? ''}`));
    expect(data.partial).toBe(false);
    expect(elements.port.automationAbilities()).toMatchObject({ subtreeCache: true });
  });

  test('[snapshot.partial] unanswered steps and values leave the rest of the reading', async () => {
    com.configure({ search: hresult(HRESULT.UIA_E_TIMEOUT) });
    const withoutValues = await elements.snapshot();
    expect(withoutValues.partial).toBe(true);
    expect(byId(parseTree(withoutValues.accessibilityText), 'btnOk').name).toBe('OK');
    com.configure({ ...tooLarge, search: 0, gone: 'sldVolume' });
    const broken = await elements.snapshot({ budgetMs: 30_000 });
    expect(broken.partial).toBe(true);
    expect(byId(parseTree(broken.accessibilityText), 'btnOk').name).toBe('OK');
  });

  test('[snapshot.partial] a late result is still reported', async () => {
    com.configure({ slow: 700 });
    const data = await elements.snapshot({ budgetMs: 1200 });
    expect(data.partial).toBe(true);
    expect(byId(parseTree(data.accessibilityText), 'btnOk').name).toBe('OK');
  });

  test('[element.stale] its elements are still found; an element that cannot be looked up is not reported as gone', async () => {
    com.configure(tooLarge);
    expect((await elements.click({ automationId: 'btnOk' })).outcome).toMatchObject({ delivery: 'uia-invoke' });
    const locator = (await elements.context({ automationId: 'btnOk' }))
      .element!.identity.replace('rid:', '')
      .split('.')
      .map(Number);
    using automation = Automation.start(com.factory)!;
    com.configure({ gone: 'staticRoot' });
    expect(automation.find(window.hwnd, locator)).toBeNull();
    com.configure({ gone: '', subtree: hresult(HRESULT.E_FAIL) });
    automation.find(window.hwnd, locator)![Symbol.dispose]();
    com.configure({ broken: 'btnOk' });
    expect(() => automation.find(window.hwnd, locator)).toThrow(
      expect.objectContaining({ code: 'window_hung', retryable: true, delivery: 'not_delivered' }) as Error,
    );
    com.configure({ subtree: 0, broken: '' });
    automation.find(window.hwnd, locator)![Symbol.dispose]();
    expect(automation.find(window.hwnd, [42, 1, 2])).toBeNull();
  });
});

describe('a provider that fails', () => {
  const names = (nodes: readonly TreeNode[]): string[] =>
    nodes.map((node) => `${node.controlType} ${node.name} ${node.value ?? ''}`);

  test('a child that fails takes nothing else with it, before or behind it', async () => {
    const full = await elements.nodes();
    com.configure({ broken: 'chkNews' });
    const data = await elements.snapshot({ budgetMs: 30_000 });
    expect(data.partial).toBe(true);
    const nodes = parseTree(data.accessibilityText);
    expect(names(nodes)).toEqual(names(full.filter(({ id }) => id !== 'chkNews')));
    expect(nodes.filter(({ isCut }) => isCut).map(({ depth }) => depth)).toEqual([0]);
    expect(data.accessibilityText).not.toContain('Geheim');
  });

  test('children that cannot be reached cost only their own branch, whose line is marked', async () => {
    const full = await elements.nodes();
    com.configure({ barren: 'lstColours' });
    const data = await elements.snapshot({ budgetMs: 30_000 });
    expect(data.partial).toBe(true);
    const nodes = parseTree(data.accessibilityText);
    expect(nodes.filter(({ isCut }) => isCut).map(({ id }) => id)).toEqual(['lstColours']);
    expect(names(nodes)).toEqual(
      names(full.filter(({ id }) => !['itRed', 'itGreen', 'itBlue', 'itViolet'].includes(id ?? ''))),
    );
  });

  test('subtrees or searches alone that fail cost nothing', async () => {
    const full = await elements.nodes();
    for (const settings of [
      { subtree: hresult(HRESULT.E_FAIL) },
      { subtree: hresult(HRESULT.E_FAIL), search: hresult(HRESULT.E_FAIL) },
    ]) {
      com.configure(settings);
      expect(names(await elements.nodes({ budgetMs: 30_000 }))).toEqual(names(full));
    }
  });

  test('elements that were read are used; an element that cannot be looked up is not reported as gone', async () => {
    com.configure({ broken: 'chkNews' });
    expect((await elements.click({ automationId: 'radLarge' })).outcome).toMatchObject({
      effect: 'confirmed',
      delivery: 'uia-selection-item',
    });
    await refusal(elements.context({ name: 'Newsletter' }), 'deadline_exceeded');
    const { ref } = byId(await elements.nodes(), 'radLarge');
    com.configure({ broken: 'radLarge' });
    await refusal(elements.context({ ref }), 'window_hung');
  });

  test('[capture.password] pictures mask the fields of the rest, and paint over parts that cannot be searched', async () => {
    const fields = (): Promise<PasswordRects> =>
      elements.port.passwordRects(window.hwnd, { askMs: 20_000, walkMs: 20_000 }, newCall());
    const nodes = await elements.nodes();
    const sizes = ({ rects }: PasswordRects): Array<[number, number]> =>
      rects.map(({ width, height }) => [width, height]);
    const secret = byId(nodes, 'txtSecret');
    const list = byId(nodes, 'lstColours');
    com.configure({ broken: 'chkNews' });
    expect(await fields()).toMatchObject({ known: 'partly' });
    expect(sizes(await fields())).toEqual([[secret.width, secret.height]]);
    com.configure({ broken: 'lblName' });
    expect(sizes(await fields())).toEqual([[secret.width, secret.height]]);
    com.configure({ broken: '', barren: 'lstColours' });
    expect(sizes(await fields())).toEqual([
      [secret.width, secret.height],
      [list.width, list.height],
    ]);
    com.configure({ barren: '', search: hresult(HRESULT.E_FAIL) });
    expect(sizes(await fields())).toEqual([[secret.width, secret.height]]);
  });
});

test('waiting: reads no tree while nothing is reported, and once at the end', async () => {
  const query = { name: 'Never there' };
  await refusal(elements.context(query), 'target_not_found');
  com.traversals();
  await refusal(elements.context(query), 'target_not_found');
  const once = com.traversals();
  const wanted = { query, condition: 'appears' } as const;
  await refusal(elements.port.waitFor(elements.record, wanted, newCall({ deadlineMs: 1800 })), 'deadline_exceeded');
  // The first look, one after a second, and the last. Polling every 100 ms would be 15.
  expect(com.traversals()).toBeLessThanOrEqual(3 * once);
});

describe('a page that is not built yet', () => {
  const chromium = { address: 'https://example.test/sign-in' };
  const readOnce = async (settings: Record<string, string | number> = {}): Promise<number> => {
    com.configure(settings);
    com.traversals();
    await elements.snapshot();
    return com.traversals();
  };

  test('is waited for although it has an address and offers a text; its content is in the snapshot', async () => {
    com.configure({ wakes: 3, ...chromium });
    const data = await elements.snapshot();
    expect(data.partial).toBe(false);
    expect(byId(parseTree(data.accessibilityText), 'txtPage').states).toContain('password');
    expect(data.accessibilityText).not.toContain('Geheim');
  });

  test('is named as missing after the wait, which is not repeated', async () => {
    const usual = await readOnce();
    const waited = await readOnce({ wakes: 1000, ...chromium });
    expect(waited).toBeGreaterThan(usual * 3);
    com.traversals();
    const data = await elements.snapshot();
    expect(com.traversals()).toBe(usual);
    expect(data.partial).toBe(true);
    const [note, ...lines] = data.accessibilityText.split('\n').reverse();
    expect(note).toMatch(/^\(.*accessibility: true.*\)$/);
    const cut = parseTree(lines.reverse().join('\n')).filter(({ isCut }) => isCut);
    expect(cut.map(({ id }) => id)).toEqual(['page']);
    await refusal(elements.context({ name: 'Password' }), 'deadline_exceeded');
  });

  test('a page that was shown is not waited for again; the next one of its program is, unless it is out of view', async () => {
    com.configure({ wakes: 1, ...chromium });
    await elements.snapshot();
    const usual = await readOnce();
    expect(await readOnce({ wakes: 1000 })).toBe(usual);
    expect((await elements.snapshot()).partial).toBe(false);
    user32.ShowWindow(window.hwnd, SW_SHOWMINNOACTIVE);
    expect(await readOnce({ wakes: 3, address: 'https://example.test/next' })).toBe(usual);
    const hidden = await elements.snapshot();
    expect(hidden.accessibilityText).toContain('(A page here is hidden');
    expect(hidden.partial).toBe(true);
    user32.ShowWindow(window.hwnd, SW_SHOWNOACTIVATE);
    com.configure({ wakes: 3 });
    expect(byId(await elements.nodes(), 'txtPage').states).toContain('password');
    com.configure({ wakes: 3, address: 'https://example.test/third' });
    const fields = await elements.port.passwordRects(window.hwnd, { askMs: 20_000, walkMs: 0 }, newCall());
    expect(fields).toMatchObject({ known: 'all', rects: { length: 2 } });
  });
});

describe('a call for everything that stops short', () => {
  const behind = ['btnInner', 'txtInner', 'txtHidden', 'paneDeep', 'btnDeep'];
  const ids = (nodes: readonly TreeNode[]): string[] => nodes.map(({ id }) => id ?? '');
  const lines = (nodes: readonly TreeNode[]): string[] =>
    nodes.map((node) => `${node.depth} ${node.controlType} ${node.name} ${node.id ?? ''} ${node.value ?? ''}`);
  const lookUp = (automation: Automation, identity: string): boolean => {
    const id = identity.replace('rid:', '').split('.').map(Number);
    using found = automation.find(window.hwnd, id);
    return found !== null;
  };

  test('elements behind a large pane are read from there and joined, with their values, in every layer', async () => {
    com.configure({ host: 1 });
    const full = await elements.nodes();
    expect(ids(full)).toEqual(expect.arrayContaining(behind.filter((id) => id !== 'paneDeep')));
    com.configure({ gap: 'paneHost,paneDeep' });
    const data = await elements.snapshot();
    expect(lines(parseTree(data.accessibilityText))).toEqual(lines(full));
    expect(data).toMatchObject({ partial: false });
    expect(byId(parseTree(data.accessibilityText), 'txtInner').value).toBe('behind');
    expect(data.accessibilityText).not.toContain('Geheim');
  });

  test('the same where the process or framework changes, whatever the kind of element', async () => {
    const full = await elements.nodes();
    com.configure({ gap: 'grpSize' });
    expect(ids(await elements.nodes())).not.toContain('radSmall');
    com.configure({ foreign: 'grpSize' });
    expect(lines(await elements.nodes())).toEqual(lines(full));
  });

  test('elements behind a boundary are looked up and acted on', async () => {
    com.configure({ host: 1, gap: 'paneHost,paneDeep' });
    expect((await elements.click({ name: 'Deep' })).outcome).toMatchObject({ delivery: 'uia-invoke' });
    expect(com.log()).toEqual(['invoke btnDeep']);
    const { identity } = (await elements.context({ name: 'Deep' })).element!;
    using automation = Automation.start(com.factory)!;
    expect(lookUp(automation, identity)).toBe(true);
    com.configure({ remove: 'btnDeep' });
    expect(lookUp(automation, identity)).toBe(false);
  });

  test('pictures mask the fields behind boundaries, and paint over fields that cannot be read', async () => {
    const fields = (): Promise<PasswordRects> =>
      elements.port.passwordRects(window.hwnd, { askMs: 20_000, walkMs: 20_000 }, newCall());
    com.configure({ host: 1 });
    const nodes = await elements.nodes();
    const place = (id: string): unknown => {
      const { width, height } = byId(nodes, id);
      return { width, height };
    };
    const found = async (): Promise<unknown> => {
      const { rects, known } = await fields();
      return { known, rects: rects.map(({ width, height }) => ({ width, height })) };
    };
    const every = { known: 'all', rects: [place('txtSecret'), place('txtHidden')] };
    expect(await found()).toEqual(every);
    com.configure({ gap: 'paneHost,paneDeep' });
    expect(await found()).toEqual(every);
    com.configure({ barren: 'paneHost' });
    const host = { width: 190, height: 140 };
    expect(await found()).toEqual({ known: 'partly', rects: [place('txtSecret'), host] });
  });

  test('a boundary that fails is marked, and the snapshot is partial', async () => {
    com.configure({ host: 1, gap: 'paneHost', barren: 'paneDeep' });
    const data = await elements.snapshot({ budgetMs: 30_000 });
    const nodes = parseTree(data.accessibilityText);
    expect(data.partial).toBe(true);
    expect(nodes.filter(({ isCut }) => isCut).map(({ id }) => id)).toEqual(['paneDeep']);
    expect(byId(nodes, 'txtInner').value).toBe('behind');
    expect(byId(nodes, 'btnOk').name).toBe('OK');
    com.configure({ barren: 'paneHost' });
    const without = await elements.snapshot({ budgetMs: 30_000 });
    expect(without.partial).toBe(true);
    const cut = parseTree(without.accessibilityText).filter(({ isCut }) => isCut);
    expect(cut.map(({ id }) => id)).toEqual(['paneHost']);
  });
});

test('identity: parts that give their window’s handle as theirs are elements of their own', async () => {
  const full = await elements.nodes();
  await graft({ innerHandles: 1 });
  const nodes = await elements.nodes();
  expect(nodes.map(({ id }) => id)).toEqual(full.map(({ id }) => id));
  expect(new Set(nodes.map(({ ref }) => ref)).size).toBe(nodes.length);
  const { ref } = byId(nodes, 'radLarge');
  expect((await elements.context({ ref })).element).toMatchObject({
    automationId: 'radLarge',
    identity: expect.stringMatching(/^rid:/) as unknown,
  });
  await elements.port.click(elements.record, ref, { delivery: 'background' }, newCall());
  expect(com.log()).toEqual(['select radLarge']);
});

describe('password fields for pictures', () => {
  const long = { askMs: 20_000, walkMs: 20_000 };
  const fields = (time = long): Promise<PasswordRects> => elements.port.passwordRects(window.hwnd, time, newCall());
  const walking = { subtreeCache: 0, conditions: 0, patterns: 0 };
  const again = async (settings: Record<string, string | number>): Promise<void> => {
    await graft(settings);
  };

  test('[capture.password] are found at their elements’ own places, by one search', async () => {
    const secret = only(await elements.nodes(), { id: 'txtSecret' });
    com.remoteCalls();
    const { rects, known } = await fields();
    expect(com.remoteCalls()).toBeLessThan(6);
    expect(known).toBe('all');
    expect(rects.map(({ width, height }) => [width, height])).toEqual([[secret.width, secret.height]]);
  });

  test('[capture.password] an answer that comes late counts', async () => {
    await again({ slow: 300 });
    expect(await fields({ askMs: 500, walkMs: 300 })).toMatchObject({ rects: [expect.anything()], known: 'all' });
  });

  test('[capture.password] a page that is not built yet is asked again', async () => {
    await again({ wakes: 3 });
    const { rects, known } = await fields();
    expect({ known, count: rects.length }).toEqual({ known: 'all', count: 2 });
    await again({ wakes: 1000 });
    expect(await fields()).toMatchObject({ known: 'partly', rects: [expect.anything()] });
  });

  test('[capture.password.unanswered] a search that is not answered or may not begin says that nothing is known', async () => {
    com.configure({ search: hresult(HRESULT.UIA_E_TIMEOUT) });
    expect(await fields()).toEqual({ rects: [], known: 'unanswered' });
    com.configure({ search: 0 });
    expect(await fields({ askMs: 0, walkMs: 0 })).toEqual({ rects: [], known: 'unanswered' });
    expect((await fields()).known).toBe('all');
  });

  test('[capture.password] without searches the window is walked, and fields found before it broke off count', async () => {
    await again({ ...walking, remove: 'document' });
    expect(await fields()).toMatchObject({ rects: [expect.anything()], known: 'all' });
    com.configure({ gone: 'sldVolume' });
    expect(await fields()).toMatchObject({ rects: [expect.anything()], known: 'partly' });
    com.configure({ gone: '', slow: 5 });
    expect((await fields({ askMs: 300, walkMs: 60 })).known).toBe('partly');
    expect(await fields({ askMs: 0, walkMs: 0 })).toEqual({ rects: [], known: 'partly' });
    // Conditions can be made and are not searched by: found out by the first search.
    await again({ search: hresult(HRESULT.E_NOTIMPL) });
    expect(await fields()).toMatchObject({ rects: [expect.anything()], known: 'all' });
    // A document that cannot be read may contain anything.
    await again(walking);
    expect(await fields()).toMatchObject({ rects: [expect.anything()], known: 'partly' });
  });
});

describe('clicking', () => {
  test('[click.ladder] Invoke', async () => {
    expect(await elements.click({ automationId: 'btnOk' })).toMatchObject({
      value: true,
      outcome: { delivery: 'uia-invoke', attempts: [{ rung: 'uia-invoke', result: 'delivered' }] },
    });
    expect(com.log()).toEqual(['invoke btnOk']);
  });

  test('[click.ladder] Toggle, confirmed by the toggle state', async () => {
    expect((await elements.click({ automationId: 'chkNews' })).outcome).toMatchObject({
      effect: 'confirmed',
      delivery: 'uia-toggle',
      evidence: [{ kind: 'toggle', before: 'off', after: 'on' }],
    });
    expect(com.log()).toEqual(['toggle chkNews 1']);
  });

  test('[click.ladder] SelectionItem, confirmed by the selection', async () => {
    expect((await elements.click({ automationId: 'radLarge' })).outcome).toMatchObject({
      effect: 'confirmed',
      delivery: 'uia-selection-item',
      evidence: [{ kind: 'selection', before: false, after: true }],
    });
    // Nothing changes by a second one.
    expect((await elements.click({ automationId: 'radLarge' })).outcome).toMatchObject({
      effect: 'unverified',
      evidence: [{ kind: 'selection', before: true, after: true }],
    });
  });

  test('[click.ladder] ExpandCollapse, both ways', async () => {
    expect((await elements.click({ automationId: 'cmbCountry' })).outcome).toMatchObject({
      effect: 'confirmed',
      delivery: 'uia-expand-collapse',
      evidence: [{ kind: 'expanded', before: 'collapsed', after: 'expanded' }],
    });
    expect((await elements.click({ automationId: 'cmbCountry' })).outcome.evidence).toEqual([
      { kind: 'expanded', before: 'expanded', after: 'collapsed' },
    ]);
  });

  test('[click.ladder] LegacyIAccessible’s default action where there is no other pattern', async () => {
    expect((await elements.click({ automationId: 'btnLegacy' })).outcome).toMatchObject({
      delivery: 'legacy-accessible',
    });
    expect(com.log().join()).toContain('btnLegacy');
  });

  test('[click.ladder] a pattern that is not supported leads to the next way', async () => {
    await graft({ without: 10000 });
    const done = await elements.click({ automationId: 'btnOk' });
    expect(done.outcome.delivery).toBe('legacy-accessible');
    expect(done.outcome.attempts[0]).toMatchObject({ rung: 'uia-invoke', result: 'not_applicable' });
  });

  test('[click.ladder] a button of the title bar, which is outside the client area', async () => {
    com.configure({ titleBar: 1 });
    expect(byId(await elements.nodes(), 'btnClose').states).toEqual([]);
    expect((await elements.click({ automationId: 'btnClose' })).outcome).toMatchObject({ delivery: 'uia-invoke' });
    expect(com.log()).toEqual(['invoke btnClose']);
  });

  test('disabled, gone and failing providers', async () => {
    await refusal(elements.click({ automationId: 'btnOff' }), 'target_disabled');
    const { ref } = (await elements.context({ automationId: 'btnOk' })).element!;
    const click = () => elements.port.click(elements.record, ref, { delivery: 'background' }, newCall());
    com.configure({ fail: 'btnOk', failWith: hresult(HRESULT.UIA_E_ELEMENTNOTENABLED) });
    await refusal(click(), 'target_disabled');
    com.configure({ failWith: hresult(HRESULT.UIA_E_ELEMENTNOTAVAILABLE) });
    await refusal(click(), 'element_stale');
    com.configure({ failWith: hresult(HRESULT.E_FAIL), without: 10018 });
    const done = await click();
    expect(done.outcome.attempts.map(({ rung, result }) => `${rung} ${result}`)).toEqual(
      expect.arrayContaining(['uia-invoke failed', 'posted delivered']),
    );
    com.configure({ failWith: hresult(HRESULT.UIA_E_INVALIDOPERATION) });
    expect((await refusal(click(), 'unsupported')).message).toContain('refused');
    expect(com.log()).toEqual([]);
  });

  test('[click.modal] an Invoke that does not return: the call answers at its deadline, one at a time for a window', async () => {
    await graft({ invokeBlocks: 6000 });
    const { ref } = (await elements.context({ automationId: 'btnModal' })).element!;
    const done = await elements.port.click(
      elements.record,
      ref,
      { delivery: 'background' },
      newCall({ deadlineMs: 900 }),
    );
    expect(com.log(), 'it has not come back').toEqual(['invoke btnModal']);
    expect(done.outcome).toMatchObject({
      delivery: 'uia-invoke',
      effect: 'unverified',
      attempts: [{ rung: 'uia-invoke', reason: expect.stringContaining('not returned') as unknown }],
    });
    const error = await refusal(elements.click({ automationId: 'btnOk' }), 'state_conflict');
    expect(error.message).toContain('Open dialog');
    await until(() => com.log().includes('invoked btnModal'), 'the end of the call');
    // a moment from the end in the provider to the answer here
    const next = await until(() => elements.click({ automationId: 'chkNews' }).catch(() => null), 'the next click');
    expect(next.outcome.effect).toBe('confirmed');
    expect(com.log()).toEqual(['toggle chkNews 1']);
  });
});

describe('a handler that outlives UI Automation’s time-out', () => {
  const slow = { answer: hresult(HRESULT.UIA_E_TIMEOUT) };

  test('[click.once] is not pressed a second time', async () => {
    com.configure(slow);
    const { outcome } = await elements.click({ automationId: 'btnOk' });
    expect(outcome).toMatchObject({
      delivery: 'uia-invoke',
      effect: 'unverified',
      attempts: [
        { rung: 'uia-invoke', result: 'delivered', reason: expect.stringContaining('has not returned') as unknown },
      ],
    });
    expect(outcome.attempts).toHaveLength(1);
    expect(com.log()).toEqual(['invoke btnOk']);
  });

  test('[click.once] is confirmed by its visible effect', async () => {
    com.configure(slow);
    expect((await elements.click({ automationId: 'chkNews' })).outcome).toMatchObject({
      delivery: 'uia-toggle',
      effect: 'confirmed',
      evidence: [{ kind: 'toggle', before: 'off', after: 'on' }],
    });
    expect((await elements.select({ automationId: 'lstColours' }, { name: 'Blue' })).outcome).toMatchObject({
      delivery: 'uia-selection-item',
      effect: 'confirmed',
    });
    expect(com.log()).toEqual(['toggle chkNews 1', 'select itBlue']);
  });

  test('[click.once] does not get a text twice', async () => {
    com.configure(slow);
    expect(await elements.type({ automationId: 'txtName' }, '!', { mode: 'append' })).toMatchObject({
      value: true,
      outcome: {
        delivery: 'uia-value',
        effect: 'confirmed',
        readBack: 'verified',
        attempts: [{ rung: 'uia-value' }],
        evidence: [{ before: 'Ada', after: 'Ada!' }],
      },
    });
    com.configure({ fail: 'txtName', failWith: hresult(HRESULT.UIA_E_TIMEOUT) });
    const late = await elements.type({ automationId: 'txtName' }, '?', { mode: 'append' });
    expect(late).toMatchObject({
      value: true,
      outcome: { delivery: 'uia-value', effect: 'unverified', evidence: [{ before: 'Ada!', after: 'Ada!' }] },
    });
    expect(late.outcome.attempts).toHaveLength(1);
    expect(late.outcome.readBack).toBeUndefined();
    expect(com.log()).toEqual(['set-value txtName Ada!']);
  });
});

describe('typing', () => {
  test('[into.ladder] Value, read back', async () => {
    const done = await elements.type({ name: 'Full name' }, '’ 😀 漢字 é');
    expect(done.outcome).toMatchObject({
      effect: 'confirmed',
      delivery: 'uia-value',
      readBack: 'verified',
      evidence: [{ kind: 'value', before: 'Ada', after: '’ 😀 漢字 é' }],
    });
    expect((await elements.type({ name: 'Full name' }, '!', { mode: 'append' })).outcome.evidence).toEqual([
      { kind: 'value', before: '’ 😀 漢字 é', after: '’ 😀 漢字 é!' },
    ]);
  });

  test('[into.read-back] a program that changes the text', async () => {
    expect((await elements.type({ automationId: 'txtUpper' }, 'abc')).outcome).toMatchObject({
      readBack: 'normalised',
      evidence: [{ after: 'ABC' }],
    });
  });

  test('[into.readonly] [element.disabled] refused before, nothing is set', async () => {
    await refusal(elements.type({ automationId: 'txtSerial' }, 'x'), 'target_readonly');
    expect(com.log()).toEqual([]);
  });

  test('into a password field: nothing of it is read or reported', async () => {
    const done = await elements.type({ automationId: 'txtSecret' }, 'neu-Geheim-1', { isSecret: true });
    expect(done).toMatchObject({ value: true, outcome: { delivery: 'uia-value', effect: 'unverified' } });
    expect(JSON.stringify(done)).not.toContain('Geheim');
    expect(com.log()).toEqual(['set-value txtSecret']);
  });

  test('RangeValue for numeric fields', async () => {
    expect((await elements.type({ automationId: 'sldVolume' }, '75')).outcome).toMatchObject({
      effect: 'confirmed',
      delivery: 'uia-range-value',
      evidence: [{ before: '30', after: '75' }],
    });
    const error = await refusal(elements.type({ automationId: 'sldVolume' }, '101'), 'invalid_argument');
    expect(error.message).toContain('a number from 0 to 100');
    await refusal(elements.type({ automationId: 'prgLoad' }, '5'), 'unsupported').catch(() =>
      refusal(elements.type({ automationId: 'prgLoad' }, '5'), 'target_readonly'),
    );
  });
});

describe('selecting, scrolling, tables', () => {
  test('[select.item] items of lists, trees, tabs and drop-down lists', async () => {
    expect((await elements.select({ automationId: 'lstColours' }, { name: 'Blue' })).outcome).toMatchObject({
      effect: 'confirmed',
      delivery: 'uia-selection-item',
    });
    expect((await elements.select({ automationId: 'tab' }, { index: 1 })).outcome).toMatchObject({
      effect: 'confirmed',
    });
    expect((await elements.select({ automationId: 'cmbCountry' }, { name: 'Belgium' })).outcome).toMatchObject({
      effect: 'confirmed',
    });
    expect((await elements.select({ automationId: 'radLarge' }, null)).outcome).toMatchObject({ effect: 'confirmed' });
  });

  test('[lists.search] a list that makes its items when they are needed: by exact name, index or part of a name', async () => {
    const grid = { automationId: 'grdLog' };
    expect((await elements.select(grid, { name: '12:00:50' })).outcome).toMatchObject({
      effect: 'confirmed',
      delivery: 'uia-selection-item',
    });
    expect((await elements.select(grid, { index: 83 })).outcome).toMatchObject({ effect: 'confirmed' });
    expect(com.log().filter((line) => line.startsWith('select '))).toEqual(['select row50', 'select row83']);
    const table = await elements.port.readTable(
      elements.record,
      await elements.ref(grid, 'look'),
      { from: 83, count: 1 },
      newCall(),
    );
    expect(table.rows[0]?.cells[0]).toBe('12:01:23');
    expect((await refusal(elements.select(grid, { index: 100 }), 'target_not_found')).message).toContain(
      'has 100 items',
    );
    await refusal(elements.select(grid, { name: '12:00:' }), 'deadline_exceeded');
    expect(com.log().filter((line) => line.startsWith('select '))).toEqual([]);
  });

  test('an item that such a list has not created is never reported missing; looking does not create it', async () => {
    const missing = await refusal(elements.context({ name: '12:01:10' }, 'look'), 'deadline_exceeded');
    expect(missing).toMatchObject({
      delivery: 'not_delivered',
      message: expect.stringContaining('is not loaded yet'),
      hint: expect.stringContaining('select-element'),
    });
    await refusal(elements.click({ name: '12:09:59' }), 'target_not_found');
    expect(com.log().filter((line) => line.startsWith('select ') || line.startsWith('realize '))).toEqual([]);
  });

  test('a click by the name of an item that such a list has not created creates it, and hits that item', async () => {
    expect((await elements.click({ name: '12:01:10' })).outcome).toMatchObject({
      effect: 'confirmed',
      delivery: 'uia-selection-item',
    });
    expect(com.log().filter((line) => line.startsWith('select '))).toEqual(['select row70']);
    await refusal(elements.click({ name: '12:01:11', role: 'Button' }), 'target_not_found');
  });

  test('[select.menu] a menu entry by its path', async () => {
    const root = only(await elements.nodes(), { depth: 0 }).ref;
    const select = (name: string) => elements.port.select(elements.record, root, { name }, newCall());
    expect((await select('File > Save As…')).outcome).toMatchObject({ delivery: 'uia-invoke' });
    expect((await select('File > Recent > second.txt')).outcome).toMatchObject({ delivery: 'uia-invoke' });
    const log = com.log();
    expect(log.filter((line) => line.startsWith('invoke'))).toEqual(['invoke miSaveAs', 'invoke miSecond']);
    await refusal(select('File > Print'), 'target_disabled');
    await refusal(select('File > Nothing'), 'target_not_found');
    expect(com.log().filter((line) => line.startsWith('invoke'))).toEqual([]);
    // the window's own menu needs no element
    expect((await elements.select({}, { name: 'File > Save As...' })).outcome).toMatchObject({
      delivery: 'uia-invoke',
    });
    expect(com.log().filter((line) => line.startsWith('invoke'))).toEqual(['invoke miSaveAs']);
  });

  test('the gate sees the item that would be chosen, and opens and makes nothing to see it', async () => {
    const chosen = async (query: ElementQuery, item: { name?: string; index?: number }): Promise<unknown> =>
      (await elements.meant(query, item)).chosen?.map(({ controlType, name }) => `${controlType} ${name}`) ?? null;
    expect(await chosen({ automationId: 'lstColours' }, { name: 'blu' })).toEqual(['ListItem Blue']);
    expect(await chosen({ automationId: 'lstColours' }, { name: 'iol' })).toEqual(['ListItem Violet']);
    expect(await chosen({ automationId: 'lstColours' }, { index: 1 })).toEqual(['ListItem Green']);
    expect(await chosen({ automationId: 'tab' }, { index: 1 })).toEqual([expect.stringMatching(/^TabItem ./)]);
    expect(await chosen({ automationId: 'grdLog' }, { name: '12:00:03' })).toEqual([
      expect.stringContaining('12:00:03'),
    ]);
    // Closed and not created: unknown before it is opened or created.
    for (const [query, item] of [
      [{ automationId: 'cmbCountry' }, { name: 'Belgium' }],
      [{ automationId: 'cmbCountry' }, { index: 1 }],
      [{ automationId: 'grdLog' }, { index: 83 }],
      [{ automationId: 'grdLog' }, { name: '12:00:50' }],
      [{ automationId: 'tree' }, { name: 'Fruit > Apple' }],
      [{}, { name: 'File > Save As…' }],
      [{}, { name: 'Fi > Sa' }],
    ] as const)
      expect(await chosen(query, item), JSON.stringify(item)).toBeNull();
    await refusal(elements.meant({ automationId: 'lstColours' }, { name: 'Pink' }), 'target_not_found');
    expect(com.log()).toEqual([]);
    // Alone in the menu bar it is shown.
    expect(await chosen({}, { name: 'file' })).toEqual(['MenuItem File']);
  });

  test('a text that takes the caret differs from a page that only shows text, and from an element without text', async () => {
    expect(await elements.caretAt('txtName')).toEqual(['txtName', true]);
    expect(await elements.caretAt('document')).toEqual(['document', false]);
    expect(await elements.caretAt('btnOk')).toEqual(['btnOk', false]);
  });

  test('[gate.chosen] an item other than the judged one is not chosen; an item that could not be judged, only by its exact name', async () => {
    const ref = async (id: string): Promise<string> => elements.ref({ automationId: id }, 'select');
    const select = (at: string, item: ItemChoice): Promise<unknown> =>
      elements.port.select(elements.record, at, item, newCall());
    const blue = (await elements.meant({ automationId: 'lstColours' }, { index: 2 })).chosen!;
    const list = await ref('lstColours');
    for (const judged of [
      [{ ...blue[0]!, name: 'Delete' }],
      [{ ...blue[0]!, controlType: 'Button' as const }],
      [...blue, ...blue],
    ])
      await refusal(select(list, { name: 'Blue', judged }), 'state_conflict');
    await refusal(select(list, { index: 2, judged: [{ ...blue[0]!, identity: 'rid:9.9' }] }), 'state_conflict');
    const conflict = await refusal(select(list, { index: 1, judged: blue }), 'state_conflict');
    expect(conflict).toMatchObject({
      delivery: 'not_delivered',
      message: expect.stringContaining('is now ListItem “Green”'),
    });
    const combo = await ref('cmbCountry');
    for (const name of ['Bel', 'lgiu'])
      expect(await refusal(select(combo, { name, judged: null }), 'target_not_found')).toMatchObject({
        delivery: 'not_delivered',
        hint: 'Give the exact name.',
      });
    const root = only(await elements.nodes(), { depth: 0 }).ref;
    for (const name of ['Fi > Save As…', 'File > Sa', 'File > Save As… x'])
      await refusal(select(root, { name }), 'target_not_found');
    const way = [
      { controlType: 'MenuItem' as const, name: 'File', identity: '' },
      { controlType: 'MenuItem' as const, name: 'Delete', identity: '' },
    ];
    await refusal(select(root, { name: 'File > Save As…', judged: way }), 'state_conflict');
    expect(com.log().filter((line) => /^(?:select|invoke)/.test(line))).toEqual([]);
    await select(list, { index: 2, judged: blue });
    await select(combo, { name: 'belgium', judged: null });
    expect(com.log().filter((line) => /^(?:select|invoke)/.test(line))).toEqual(['select itBlue', 'select optBelgium']);
  });

  test('a path below an entry that cannot be opened is target_not_found', async () => {
    await refusal(elements.select({ automationId: 'tree' }, { name: 'Leaf > Nothing' }), 'target_not_found');
    for (const code of [HRESULT.UIA_E_INVALIDOPERATION, HRESULT.E_FAIL]) {
      com.configure({ fail: 'tiFruit', failWith: hresult(code) });
      await refusal(elements.select({ automationId: 'tree' }, { name: 'Fruit > Apple' }), 'target_not_found');
      com.configure({ fail: 'cmbCountry' });
      await refusal(elements.select({ automationId: 'cmbCountry' }, { name: 'Belgium' }), 'target_not_found');
    }
    expect(com.log()).toEqual([]);
    expect((await elements.select({ automationId: 'tree' }, { name: 'Fruit > Apple' })).outcome).toMatchObject({
      effect: 'confirmed',
    });
    expect(com.log()).toEqual(['expand tiFruit', 'select tiApple']);
  });

  test('[select.menu] a menu that UI Automation does not open is searched for in the window itself', async () => {
    com.configure({ fail: 'menuFile', failWith: hresult(HRESULT.UIA_E_INVALIDOPERATION) });
    const root = only(await elements.nodes(), { depth: 0 }).ref;
    // This window has none.
    await refusal(elements.port.select(elements.record, root, { name: 'File > Save As…' }, newCall()), 'unsupported');
    expect(com.log()).toEqual([]);
  });

  test('a part that refuses is followed by the next', async () => {
    com.configure({ fail: 'grdLog', failWith: hresult(HRESULT.UIA_E_INVALIDOPERATION) });
    const { outcome } = await elements.port.scrollIntoView(elements.record, null, newCall());
    expect(outcome).toMatchObject({
      delivery: 'uia-scroll',
      effect: 'confirmed',
      attempts: [{ result: 'refused' }, { result: 'delivered' }],
    });
    expect(com.log()).toEqual(['scroll document 25']);
    com.configure({ fail: 'grdLog', failWith: hresult(HRESULT.UIA_E_TIMEOUT) });
    expect((await elements.port.scrollIntoView(elements.record, null, newCall())).outcome).toMatchObject({
      effect: 'unverified',
      attempts: [{ result: 'delivered' }],
    });
    expect(com.log()).toEqual([]);
  });

  test('[scroll.element] ScrollItem brings an item into view before it is clicked', async () => {
    const ref = await elements.ref({ automationId: 'itViolet' }, 'scroll');
    expect(await elements.port.scrollIntoView(elements.record, ref, newCall())).toMatchObject({
      value: true,
      outcome: { effect: 'confirmed', delivery: 'uia-scroll-item' },
    });
    expect((await elements.click({ automationId: 'itViolet' })).outcome.effect).toBe('confirmed');
  });

  test('Scroll by one page', async () => {
    const done = await elements.port.scrollIntoView(elements.record, null, newCall());
    expect(done.outcome).toMatchObject({ delivery: 'uia-scroll', evidence: [{ kind: 'scroll-percent' }] });
    expect(com.log().some((line) => line.startsWith('scroll'))).toBe(true);
  });

  test('Scroll replaces a wheel that the program ignores, and the outcome names the part it moved', async () => {
    using focus = new FocusMemory();
    const pointer = createPointerPort(elements.services, { held: new HeldInputs(), focus, trees: elements.port });
    const { rect } = (await elements.context({ automationId: 'document' }, 'scroll')).element!;
    const at = { x: rect.x + 20, y: rect.y + 20 };
    const wheel = async (vertical: number, horizontal = 0) => {
      await elements.port.context(elements.record, { kind: 'point', at }, newCall());
      com.log();
      return (await pointer.wheel(elements.record, at, { vertical, horizontal }, { delivery: 'background' }, newCall()))
        .outcome;
    };
    const down = await wheel(-1);
    expect(down).toMatchObject({
      effect: 'confirmed',
      delivery: 'uia-scroll',
      evidence: [{ kind: 'scroll-percent', before: { vertical: 0 }, element: expect.stringContaining('Text') }],
      attempts: [{ rung: 'posted' }, { rung: 'uia-scroll', result: 'delivered' }],
    });
    expect(com.log().filter((line) => line.startsWith('scroll document')).length).toBeGreaterThan(0);
    expect(await wheel(4)).toMatchObject({
      effect: 'confirmed',
      delivery: 'uia-scroll',
      evidence: [{ after: { vertical: 0 } }],
    });
    // It is at its top, with nothing to its left or right.
    expect(await wheel(1)).toMatchObject({ effect: 'none', delivery: 'uia-scroll' });
    expect(await wheel(0, 1)).toMatchObject({
      effect: 'unverified',
      delivery: 'posted',
      attempts: [{ rung: 'posted' }, { rung: 'uia-scroll', result: 'not_applicable' }],
    });
  });

  test('a grid with its columns; virtual rows are made real, none has another row’s values', async () => {
    const ref = await elements.ref({ automationId: 'grdLog' }, 'look');
    const table = await elements.port.readTable(elements.record, ref, { from: 5, count: 60 }, newCall());
    expect(table).toMatchObject({ columns: ['Time', 'Level', 'Message'], totalRows: 100 });
    expect(table.rows.map(({ index }) => index)).toEqual(Array.from({ length: 60 }, (_, row) => row + 5));
    for (const { index, cells } of table.rows) {
      expect(cells).toEqual([
        `12:${String(Math.floor(index / 60)).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}`,
        ['info', 'warning', 'error'][index % 3],
        `Event number ${index}`,
      ]);
    }
  });

  test('without a grid, a list that makes its items when they are needed is counted whole, and the rows asked for are made', async () => {
    await graft({ without: 10_006 });
    const ref = await elements.ref({ automationId: 'grdLog' }, 'look');
    const table = await elements.port.readTable(elements.record, ref, { from: 83, count: 3 }, newCall());
    expect(table).toMatchObject({
      totalRows: 100,
      rows: [
        { index: 83, cells: ['12:01:23'] },
        { index: 84, cells: ['12:01:24'] },
        { index: 85, cells: ['12:01:25'] },
      ],
    });
    expect(await elements.port.readTable(elements.record, ref, { from: 200, count: 3 }, newCall())).toMatchObject({
      totalRows: 100,
      rows: [],
    });
  });

  describe('a sheet with thousands of columns', () => {
    const reading = async (
      range: { from: number; count: number; fromColumn?: number; columnCount?: number },
      deadlineMs: number,
    ) => {
      const ref = await elements.ref({ automationId: 'grdLog' }, 'look');
      com.configure({ sheet: 16_384 });
      return () => elements.port.readTable(elements.record, ref, range, newCall({ deadlineMs }));
    };

    test('is read by a range of columns', async () => {
      const read = await reading({ from: 2, count: 2, fromColumn: 16_380, columnCount: 10 }, 10_000);
      expect(await read()).toMatchObject({
        fromColumn: 16_380,
        totalColumns: 16_384,
        totalRows: 100,
        rows: [{ index: 2, cells: ['12:00:02', 'error', 'Event number 2', '12:00:02'] }, { index: 3 }],
      });
      expect((await (await reading({ from: 0, count: 1 }, 20_000))()).rows[0]?.cells).toHaveLength(100);
      const narrow = await reading({ from: 0, count: 2, columnCount: 50 }, 20_000);
      com.remoteCalls();
      await narrow();
      expect(com.remoteCalls()).toBeLessThan(2 * 50 * 3 + 60);
    });

    test('the deadline holds within a row, and other calls run meanwhile', async () => {
      const read = await reading({ from: 0, count: 5, columnCount: 16_384 }, 1500);
      const ok = await elements.ref({ automationId: 'btnOk' }, 'look');
      com.configure({ slow: 2 });
      const answered: string[] = [];
      const since = performance.now();
      const table = refusal(read(), 'deadline_exceeded').finally(() => answered.push('table'));
      const turns = (async () => {
        for (let turn = 0; turn < 6; turn += 1)
          await new Promise((resolve) => {
            setTimeout(resolve, 10);
          });
        answered.push('turns');
      })();
      const other = elements.port
        .context(elements.record, { kind: 'element', query: { ref: ok }, purpose: 'look' }, newCall())
        .finally(() => answered.push('other call'));
      const error = await table;
      com.configure({ slow: 0 });
      expect(performance.now() - since).toBeLessThan(4000);
      await Promise.all([turns, other]);
      expect(answered.at(-1)).toBe('table');
      expect(error.partialResult).toMatchObject({ totalRows: 100, rows: [] });
    });
  });

  test('lists and trees without a grid', async () => {
    const ref = await elements.ref({ automationId: 'lstColours' }, 'look');
    expect(
      (await elements.port.readTable(elements.record, ref, { from: 0, count: 10 }, newCall())).rows.map(
        ({ cells, selected }) => [cells[0], selected],
      ),
    ).toEqual([
      ['Red', true],
      ['Green', false],
      ['Blue', false],
      ['Violet', false],
    ]);
  });
});

test('[click.modal] windows: whether a window is modal is known by its pattern', () => {
  using client = com.factory();
  using root = client.ElementFromHandle(window.hwnd);
  expect(isModal(root!)).toBe(false);
  com.configure({ without: 10009 });
  expect(isModal(root!)).toBeNull();
});

test('merged with windows: a window with controls: UI Automation’s tree, the controls’ own items, no password', async () => {
  com.reset();
  await using fixture = await Fixture.start('controls');
  const real = await Elements.bind(fixture.hwnd, { automation: com.factory });
  // What a failure leaves would count in the next file too.
  using opened = new DisposableStack();
  opened.defer(() => real.port[Symbol.dispose]());
  // On a busy machine a reading may end before it is whole.
  const nodes = await until(
    () => real.nodes(),
    (all) => all.some(({ name, controlType }) => name === 'Apple' && controlType === 'TreeItem'),
    150_000,
  );
  expect(only(nodes, { id: '101' })).toMatchObject({ controlType: 'Button', name: 'Push me' });
  expect(only(nodes, { id: '205' })).toMatchObject({ value: undefined });
  expect(only(nodes, { id: '205' }).states).toContain('password');
  expect(nodes.filter((node) => node.name === 'Apple' && node.controlType === 'TreeItem')).toHaveLength(1);
  expect(nodes.filter((node) => node.id === '101')).toHaveLength(1);
  // Its elements act by patterns, seen in the program’s own journal.
  expect((await real.click({ name: 'Push me' })).outcome).toMatchObject({
    delivery: 'uia-invoke',
    effect: 'confirmed',
  });
  await journaled(fixture, 'command', { id: 101 });
  expect((await real.click({ name: 'Check me' })).outcome).toMatchObject({
    delivery: 'uia-toggle',
    effect: 'confirmed',
  });
  expect((await real.type({ name: 'Full name' }, 'Grace')).outcome).toMatchObject({
    delivery: 'uia-value',
    readBack: 'verified',
  });
  const modal = await real.click({ name: 'Open dialog' });
  expect(modal.outcome).toMatchObject({
    effect: 'pending_modal',
    delivery: 'uia-invoke',
    details: { newWindow: { title: 'Rename item', modal: true } },
  });
  const { hwnd } = (modal.outcome.details as { newWindow: { hwnd: string } }).newWindow;
  await refusal(real.click({ name: 'Push me' }), 'target_disabled');
  // The system shows a dialog under the window that owns it: it is seen and found there again.
  com.configure({ owned: 1 });
  user32.SetWindowPos(Number(hwnd), 0, 700, 500, 0, 0, SWP_NOSIZE | SWP_NOZORDER | SWP_NOACTIVATE);
  user32.SetWindowPos(fixture.hwnd, 0, 0, 0, 300, 200, SWP_NOMOVE | SWP_NOZORDER | SWP_NOACTIVATE);
  const cancel = only(await real.nodes(), { name: 'Cancel', controlType: 'Button' });
  expect(cancel.states).toEqual([]);
  expect(await real.port.scrollIntoView(real.record, cancel.ref, newCall())).toMatchObject({
    value: true,
    outcome: { delivery: 'none', evidence: [{ kind: 'visible', before: true }] },
  });
  com.configure({ owned: 0 });
  const dialog = await real.bound(Number(hwnd));
  await dialog.click({ name: 'Cancel' });
  await journaled(fixture, 'dialog_closed', { answer: 2 });
  expect(fixture.journal().filter((entry) => entry.event === 'password_read')).toEqual([]);
  opened.dispose();
  expect(user32.IsWindow(fixture.hwnd)).toBe(true);
});
