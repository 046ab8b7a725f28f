/** Parts of a window that are slow, and calls that were given up: what they cost the rest of the reading. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { Automation } from '../../../../src/win32/elements/sources/uia-client.ts';
import { sendWithin } from '../support/send.ts';
import { parseTree, type TreeNode } from '../../../support/snapshot-tree.ts';
import { Elements, only } from '../support/elements.ts';
import { Fixture, newCall } from '../support/programs.ts';
import { UiaCom } from '../support/uia-com.ts';

const WM_SETTEXT = 0x0c;
const com = new UiaCom();
let window: Fixture;
let elements: Elements;

beforeAll(async () => {
  window = await Fixture.start('sentinel', ['--x', '20', '--y', '20', '--width', '560', '--height', '540']);
});
afterAll(() => window[Symbol.asyncDispose]());
beforeEach(async () => {
  com.reset();
  com.configure({ graft: window.hwnd });
  elements = await Elements.bind(window.hwnd, { automation: com.factory });
});
afterEach(() => {
  elements.port[Symbol.dispose]();
  com.reset();
});

const ids = (nodes: readonly TreeNode[]): string[] => nodes.map(({ id }) => id ?? '');
const runtimeId = (identity: string): number[] => identity.replace('rid:', '').split('.').map(Number);

describe('a call that was given up', () => {
  // The client waits 60 % of the budget; the call lasts a little longer.
  const LASTS = { abandoned: 2200 };

  test('continues in its program: nothing more is asked there until it has ended', async () => {
    const full = await elements.nodes();
    com.configure(LASTS);
    com.log();
    const data = await elements.snapshot({ budgetMs: 3000 });
    expect(com.log()).toEqual([]);
    expect(ids(parseTree(data.accessibilityText))).toEqual(ids(full));
    expect(data.partial).toBe(false);
  });

  test('a call that does not end within the budget leaves what the window itself shows, partial', async () => {
    com.configure({ abandoned: 3200 });
    com.log();
    const data = await elements.snapshot({ budgetMs: 1500 });
    expect(com.log()).toEqual([]);
    expect(data.partial).toBe(true);
    // The program is free again before the next test.
    await new Promise((resolve) => {
      setTimeout(resolve, 2700);
    });
  });

  test('the same where one element is looked up', async () => {
    const { identity } = (await elements.context({ automationId: 'btnOk' })).element!;
    using automation = Automation.start(com.factory)!;
    com.configure(LASTS);
    com.log();
    using found = automation.find(window.hwnd, runtimeId(identity));
    expect(found).not.toBeNull();
    expect(com.log()).toEqual([]);
  });

  test('and after a search for password fields', async () => {
    com.configure({ abandoned: 1500 });
    const fields = await elements.port.passwordRects(window.hwnd, { askMs: 800, walkMs: 0 }, newCall());
    expect(fields).toMatchObject({ rects: [], known: 'unanswered' });
    com.log();
    expect(ids(await elements.nodes())).toContain('btnOk');
    expect(com.log()).toEqual([]);
  });
});

describe('a part that is slow', () => {
  const settings = { host: 1, foreign: 'grpSize', gap: 'paneHost,paneDeep,grpSize', late: 'paneHost' };
  /** In which order the parts behind boundaries are asked for everything. */
  const order = async (budgetMs = 2000): Promise<string[]> => {
    com.log();
    await elements.snapshot({ budgetMs });
    const asked = com.log().map((line) => line.replace('everything below ', ''));
    return [...new Set(asked)].filter((id) => id === 'paneHost' || id === 'grpSize');
  };

  test('is asked last once it has failed twice, until it answers again', async () => {
    com.configure(settings);
    expect(await order()).toEqual(['paneHost', 'grpSize']);
    expect(await order()).toEqual(['paneHost', 'grpSize']);
    expect(await order()).toEqual(['grpSize', 'paneHost']);
    com.configure({ late: 'none' });
    expect(await order()).toEqual(['grpSize', 'paneHost']);
    expect(await order()).toEqual(['paneHost', 'grpSize']);
  });

  test('a dialog over a slow window is read too', async () => {
    await using dialog = await Fixture.start('picker', ['--owner', String(window.hwnd)]);
    elements.port[Symbol.dispose]();
    com.configure({ subtreeCache: 0, slow: 40 });
    elements = await Elements.bind(window.hwnd, { automation: com.factory });
    const call = newCall({ applications: { deny: [] } });
    const field = user32.FindWindowExW(dialog.hwnd, 0, 'EDIT', null);
    sendWithin(field, WM_SETTEXT, 0, Buffer.from('report.txt\0', 'utf16le'), 1000);
    const { accessibilityText, partial } = await elements.snapshot({ budgetMs: 2400 }, call);
    expect(partial).toBe(true);
    expect(only(parseTree(accessibilityText), { controlType: 'Edit', name: 'File name' }).value).toBe('report.txt');
  });

  test('leaves the others their share of the time', async () => {
    com.configure(settings);
    const { accessibilityText, partial } = await elements.snapshot({ budgetMs: 1500 });
    const nodes = parseTree(accessibilityText);
    expect(ids(nodes)).toContain('radSmall');
    expect(partial).toBe(true);
    expect(only(nodes, { id: 'paneHost' }).isCut).toBe(true);
  });
});

test('an element whose own window serves nothing is looked up from the window that shows it', async () => {
  await using inner = await Fixture.start('sentinel', ['--x', '900', '--y', '20']);
  com.configure({ inner: `btnOk ${inner.hwnd}` });
  const { element } = await elements.context({ automationId: 'btnOk' });
  // As a worker that kept nothing of the window.
  using automation = Automation.start(com.factory)!;
  const node = {
    hwnd: inner.hwnd,
    locator: { kind: 'uia', hwnd: inner.hwnd, runtimeId: runtimeId(element!.identity) },
  };
  using found = automation.elementOf(node as Parameters<Automation['elementOf']>[0], window.hwnd);
  expect(found?.get_CurrentAutomationId()).toBe('btnOk');
});
