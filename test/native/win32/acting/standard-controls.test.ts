/** The standard controls in the shapes that they have on the systems, and where a program's memory may not be used. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../support/elements.ts';
import { newCall } from '../support/programs.ts';
import {
  act,
  ask,
  BUSY_MS,
  close,
  com,
  type Did,
  elements,
  expectNothingOpened,
  expectTold,
  id,
  open,
  standardCases,
  states,
} from '../support/standard-cases.ts';

const LVM_DELETEITEM = 0x1008;

describe('native', () => {
  standardCases('native');
});

describe('where the memory of its program may not be used', () => {
  const call = (): ReturnType<typeof newCall> => newCall({ remoteControlMemory: false, deadlineMs: BUSY_MS });

  beforeAll(() => open('Controls without memory', { proxies: 'native' }));
  afterAll(close);

  test('[snapshot.own-messages] [click.items] a row is chosen by its pattern, and neither opened nor ticked', async () => {
    const { checkedCount } = await states('LIST_REPORT');
    const { element } = await elements.context({ name: 'Row 2', role: 'ListItem' }, 'click', call());
    const did = await act(() => elements.port.click(elements.record, element!.ref, { delivery: 'background' }, call()));
    expect(did.patterns).toEqual(['proxy select Row 2']);
    expectNothingOpened(did);
    expect(await states('LIST_REPORT')).toMatchObject({ selected: 2, selectedCount: 1, checkedCount });
    await expectTold(did, 'LIST_REPORT', 'LVN_ITEMCHANGED');
  });

  test('items are recognised by their type: by name and by index', async () => {
    const choose = async (item: { name?: string; index?: number }): Promise<Did> => {
      const target = { kind: 'element', query: id('LIST_REPORT'), purpose: 'select', item } as const;
      const { element, chosen } = await elements.port.context(elements.record, target, call());
      return act(() => elements.port.select(elements.record, element!.ref, { ...item, judged: chosen }, call()));
    };
    const named = await choose({ name: 'Row 4' });
    expect(await states('LIST_REPORT')).toMatchObject({ selected: 4, selectedCount: 1 });
    await expectTold(named, 'LIST_REPORT', 'LVN_ITEMCHANGED');
    const counted = await choose({ index: 1 });
    expect(await states('LIST_REPORT')).toMatchObject({ selected: 1, selectedCount: 1 });
    await expectTold(counted, 'LIST_REPORT', 'LVN_ITEMCHANGED');
  });

  test('a tree item is chosen, and not ticked', async () => {
    const { element } = await elements.context({ name: 'Vegetables', role: 'TreeItem' }, 'click', call());
    const did = await act(() => elements.port.click(elements.record, element!.ref, { delivery: 'background' }, call()));
    expect(await states('TREE')).toMatchObject({ item: 'Vegetables', checked: false });
    await expectTold(did, 'TREE', 'TVN_SELCHANGED');
  });

  test('[refs.place] another row in its place is not mistaken for it', async () => {
    const { element } = await elements.context({ name: 'Row 5', role: 'ListItem' }, 'click', call());
    ask('LIST_REPORT', LVM_DELETEITEM, 0);
    com.log();
    await refusal(
      elements.port.click(elements.record, element!.ref, { delivery: 'background' }, call()),
      'element_stale',
    );
    expect(com.log().filter((line) => line.startsWith('proxy '))).toEqual([]);
  });
});

describe('native', () => {
  afterEach(close);

  test('a drop-down list without ExpandCollapse, as those of WinForms on .NET Framework: select by name', async () => {
    await open('Controls of WinForms', { proxies: 'native', comboExpand: 0 });
    const did = await act(() => elements.select(id('COMBO_LIST'), { name: 'Estonia' }));
    expect(await states('COMBO_LIST')).toMatchObject({ selected: 4, selectedText: 'Estonia' });
    await expectTold(did, 'COMBO_LIST', 'CBN_SELCHANGE');
  });

  test('[snapshot.own-messages] a long list view gives only the rows in view, and any row can be chosen', async () => {
    await open('Long lists of proxies', { proxies: 'native' }, { args: ['--rows', '400'] });
    await elements.nodes();
    // The client's own table: the proxy that shows every row is taken out once.
    expect(com.log().filter((line) => line.includes('removed'))).toEqual(['proxy entry 7 removed']);
    await elements.select(id('LIST_REPORT'), { index: 350 });
    expect(await states('LIST_REPORT')).toMatchObject({ selected: 350 });
  });
});
