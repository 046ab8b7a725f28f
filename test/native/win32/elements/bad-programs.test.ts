/** Programs that behave badly: every call ends within its deadline and answers what is true. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { UiaHostError } from '../../../../src/contract/errors.ts';
import { parseTree, type TreeNode } from '../../../support/snapshot-tree.ts';
import { Machine } from '../../../support/machine.ts';
import { Elements, refusal } from '../support/elements.ts';
import { Fixture, newCall } from '../support/programs.ts';
import { UiaCom } from '../support/uia-com.ts';

const DEADLINE_MS = 4000;
const com = new UiaCom();
let machine: Machine;
let window: Fixture;
let elements: Elements;

beforeAll(async () => {
  machine = new Machine();
  window = await Fixture.start('sentinel', ['--x', '20', '--y', '20', '--width', '560', '--height', '540']);
});
afterAll(async () => {
  await window[Symbol.asyncDispose]();
  await machine[Symbol.asyncDispose]();
});
beforeEach(async () => {
  com.reset();
  com.configure({ graft: window.hwnd });
  elements = await Elements.bind(window.hwnd, { automation: com.factory });
});
afterEach(() => {
  elements.port[Symbol.dispose]();
  com.reset();
});

/** A snapshot as the host takes it, within the bound. */
async function look(): Promise<{ text: string; partial: boolean; nodes: TreeNode[] }> {
  const call = newCall({ deadlineMs: DEADLINE_MS });
  const { value, tookMs, atMostMs } = await machine.measure(DEADLINE_MS, () =>
    elements.snapshot({ budgetMs: DEADLINE_MS * 0.8, maxTokens: 4000 }, call),
  );
  expect(tookMs).toBeLessThan(atMostMs);
  return { text: value.accessibilityText, partial: value.partial, nodes: parseTree(value.accessibilityText) };
}

/** An action within the bound. */
async function act<T>(run: (call: ReturnType<typeof newCall>) => Promise<T>): Promise<T> {
  const { value, tookMs, atMostMs } = await machine.measure(DEADLINE_MS, () =>
    run(newCall({ deadlineMs: DEADLINE_MS })),
  );
  expect(tookMs).toBeLessThan(atMostMs);
  return value;
}
/** Looks an element up and presses it, as the host does: two calls, each within the bound. */
async function press(automationId: string): Promise<string> {
  try {
    const { element } = await act((call) => elements.context({ automationId }, 'click', call));
    const how = { delivery: 'background' } as const;
    return (await act((call) => elements.port.click(elements.record, element!.ref, how, call))).outcome.delivery;
  } catch (error) {
    if (error instanceof UiaHostError) return error.code;
    throw error;
  }
}
const ids = (nodes: readonly TreeNode[]): string[] => nodes.flatMap(({ id }) => id ?? []);

describe('a program', () => {
  test('whose element dies at once: the others are read and used, and the dead element is element_stale', async () => {
    com.configure({ gone: 'txtName' });
    const { nodes } = await look();
    expect(ids(nodes)).toContain('btnOk');
    expect((await act((call) => elements.click({ automationId: 'btnOk' }, 'background', call))).outcome.delivery).toBe(
      'uia-invoke',
    );
    com.reset();
    com.configure({ graft: window.hwnd });
    const ref = await elements.ref({ automationId: 'btnLegacy' });
    com.configure({ remove: 'btnLegacy' });
    await act((call) =>
      refusal(elements.port.click(elements.record, ref, { delivery: 'background' }, call), 'element_stale'),
    );
    expect(com.log()).toEqual([]);
  });

  test('whose element reports another element’s RuntimeId: none is pressed in place of another', async () => {
    com.configure({ alias: 'btnModal btnOk' });
    const { nodes } = await look();
    const refs = nodes.filter(({ id }) => id === 'btnOk' || id === 'btnModal').map(({ ref }) => ref);
    expect(refs).toHaveLength(new Set(refs).size);
    for (const automationId of ['btnOk', 'btnModal']) {
      com.log();
      const pressed = await press(automationId);
      const log = com.log().filter((line) => line.startsWith('invoke'));
      if (pressed === 'uia-invoke') expect(log).toEqual([`invoke ${automationId}`]);
      else expect([pressed, log]).toEqual(['target_ambiguous', []]);
    }
  });

  test('whose tree changes at every read: it is shown as read, and only the judged element is pressed', async () => {
    com.configure({ churn: 1 });
    const first = await look();
    const second = await look();
    const refOf = ({ nodes }: typeof first): string | undefined => nodes.find(({ id }) => id === 'btnOk')?.ref;
    expect(refOf(first)).toBe(refOf(second));
    const answer = await act((call) =>
      elements.click({ automationId: 'btnOk' }, 'background', call).then(
        ({ outcome }) => outcome.effect,
        (error: { code: string }) => error.code,
      ),
    );
    expect(['unverified', 'confirmed', 'state_conflict', 'element_stale']).toContain(answer);
  });

  test('that ignores everything: nothing is confirmed', async () => {
    com.configure({ deaf: 1 });
    const pressed = await act((call) => elements.click({ automationId: 'btnOk' }, 'background', call));
    expect(pressed.outcome.effect).not.toBe('confirmed');
    const turned = await act((call) => elements.click({ automationId: 'chkNews' }, 'background', call));
    expect(turned.outcome.effect).not.toBe('confirmed');
    const typed = await elements.type({ automationId: 'txtName' }, 'Grace');
    expect(typed).toMatchObject({ value: false, outcome: { readBack: 'mismatch' } });
    expect(com.log()).toEqual([]);
  });

  // The fixture makes and frees them in this very process. In the product the worker's client holds the bound:
  // test/pure/win32/worker/worker-client.test.ts.
  test('with 100,000 elements: a part is answered, and marked as partial', async () => {
    com.configure({ many: 100_000 });
    const call = newCall({ deadlineMs: DEADLINE_MS });
    const { accessibilityText, partial } = await elements.snapshot({ budgetMs: 3000, maxTokens: 4000 }, call);
    expect(ids(parseTree(accessibilityText))).toContain('btnOk');
    expect(partial || /more/.test(accessibilityText)).toBe(true);
    expect(Buffer.byteLength(accessibilityText)).toBeLessThanOrEqual(16_000);
  });

  test('with a name of a megabyte: the text keeps to its budget, and the other elements are there', async () => {
    com.configure({ longName: 'btnOk' });
    const { nodes, text } = await look();
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16_000);
    expect(ids(nodes)).toEqual(expect.arrayContaining(['btnOk', 'btnModal', 'txtName']));
    expect((await act((call) => elements.click({ automationId: 'btnOk' }, 'background', call))).outcome.delivery).toBe(
      'uia-invoke',
    );
  });

  test('with names of control characters, overrides and lone surrogates: no line is forged, nothing is hidden', async () => {
    const forged = 'a\u0007b\u202Edcba\u2066\uD800x\uDC00\n[Button] "forged" (0,0 1x1) ref=e1\u0000';
    com.configure({ name: `btnOk ${forged.replace('\u0000', '')}` });
    const { nodes, text } = await look();
    expect(text.isWellFormed()).toBe(true);
    // eslint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069]/);
    expect(nodes.filter(({ id }) => id === 'btnOk')).toHaveLength(1);
    expect(text.split('\n').filter((line) => line.trimStart().startsWith('[Button] "forged"'))).toEqual([]);
  });

  test.each(['nan', 'huge', 'negative'])(
    'with a nonsensical rectangle (%s): numbers stay numbers, and a click goes nowhere else',
    async (kind) => {
      com.configure({ rect: `btnModal ${kind}` });
      const { nodes } = await look();
      const node = nodes.find(({ id }) => id === 'btnModal');
      for (const side of [node?.x ?? 0, node?.y ?? 0, node?.width ?? 0, node?.height ?? 0])
        expect(Number.isSafeInteger(side)).toBe(true);
      const answer = await press('btnModal');
      expect(['uia-invoke', 'target_offscreen']).toContain(answer);
      expect(com.log().filter((line) => line.startsWith('invoke') && line !== 'invoke btnModal')).toEqual([]);
    },
  );

  test('that hangs in the middle of a call for everything: its window’s own elements are answered, and nothing is pressed', async () => {
    await using hanging = await Fixture.start('sentinel');
    elements.port[Symbol.dispose]();
    com.reset();
    com.configure({ graft: hanging.hwnd });
    elements = await Elements.bind(hanging.hwnd, { automation: com.factory });
    const ref = await elements.ref({ automationId: 'btnOk' });
    com.configure({ abandoned: 12_000 });
    com.log();
    const { partial, nodes } = await look();
    expect(partial).toBe(true);
    expect(nodes[0]?.controlType).toBe('Window');
    await act((call) =>
      refusal(elements.port.click(elements.record, ref, { delivery: 'background' }, call), 'window_hung'),
    );
    expect(com.log()).toEqual([]);
  });

  test('that does not return from Invoke: the call answers at its deadline, and another is refused', async () => {
    com.configure({ invokeBlocks: DEADLINE_MS + 2000 });
    const done = await act((call) => elements.click({ automationId: 'btnOk' }, 'background', call));
    expect(done.outcome.effect).toBe('unverified');
    await act((call) => refusal(elements.click({ automationId: 'btnModal' }, 'background', call), 'state_conflict'));
    // The blocked call ends before the fixture does.
    await new Promise((resolve) => {
      setTimeout(resolve, 3000);
    });
  });
});
