/** End to end: the window of `uiahost demo`. */
import { once } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../support/demo.ts';
import { sharedScene } from '../support/scene.ts';
import { parseTree } from '../support/snapshot-tree.ts';
import { until } from '../support/until.ts';

const LVM_GETITEMCOUNT = 0x1004;
const TCM_GETCURSEL = 0x130b;
const WM_CANCELMODE = 0x1f;
const WM_COMMAND = 0x111;
const EXIT = 2003;

let demo: Demo;
const { scene, client } = await sharedScene(async (opened) => {
  demo = await startDemo(opened.witness);
  return {};
});
const says = (text: string): Promise<string> =>
  until(
    () => demo.says(),
    (said) => said === text,
  );
const dialog = (title: string) => scene.window((window) => window.title === title && window.pid === demo.report.pid);
/** What asks a person even at level full: it waits, is approved, and is carried out. */
const approved = async (name: string, input: object): Promise<void> => {
  const { actionId, card } = await client.pending(name, input);
  await client.decide(card.approvalId, 'approve');
  expect(await client.ended(actionId)).toMatchObject({ status: 'succeeded' });
};

const canPlace = async (): Promise<boolean> =>
  !(await client.element({ controlType: 'Button', name: 'Place order' })).states.includes('disabled');

beforeEach(async () => {
  await client.bind({ hwnd: demo.hwnd });
});

describe('uiahost demo', () => {
  it('[demo.controls] has every control that an agent meets, with its name, id and value', async () => {
    const tree = parseTree((await client.act('snapshot')).value.accessibilityText);
    const named = (controlType: string, name: string) =>
      tree.find((line) => line.controlType === controlType && line.name === name);
    for (const [controlType, name] of [
      ['Edit', 'Customer'],
      ['Edit', 'Password'],
      ['Edit', 'Order number'],
      ['CheckBox', 'Express delivery'],
      ['RadioButton', 'Bank transfer'],
      ['ComboBox', 'Product'],
      ['Edit', 'Delivery date'],
      ['List', 'Orders'],
      ['Tree', 'Product groups'],
      ['TabItem', 'Billing'],
      ['Button', 'Place order'],
      ['Button', 'Order details…'],
      ['Button', 'Delete all orders…'],
      ['Button', 'Check stock'],
    ] as const)
      expect(named(controlType, name), `${controlType} ${name}`).toBeDefined();
    expect(named('Edit', 'Customer')).toMatchObject({ id: '1001' });
    expect(tree.some(({ controlType }) => controlType === 'StatusBar')).toBe(true);
    expect(await demo.ask('orders', LVM_GETITEMCOUNT)).toBe(200);
  });

  it('a button is disabled until a field is filled', async () => {
    expect(await canPlace()).toBe(false);
    await client.act('type-into-element', { name: 'Customer', text: 'Zhang Heng 张衡' });
    await says('Customer: Zhang Heng 张衡');
    expect(await canPlace()).toBe(true);
    await approved('click-element', { name: 'Place order' });
    await says('Order 2026-0201 placed for Zhang Heng 张衡');
    expect(await demo.text('orderNumber')).toBe('2026-0202');
    expect(await canPlace()).toBe(false);
  });

  it('its status bar shows what happened last', async () => {
    await client.act('click-element', { name: 'Gift wrap' });
    await says('Gift wrap: on');
    await client.act('click-element', { name: 'Card' });
    await says('Payment: Card');
    await client.act('select-element', { name: 'Product', item: 'Honey' });
    await says('Product: Honey');
    await client.act('select-element', { name: 'Orders', item: '2026-0150' });
    await says('Order 2026-0150 selected');
    await client.act('click-element', { name: 'Food' });
    await says('Product group: Food');
    await client.act('click-element', { name: 'Billing' });
    await says('Page: Billing');
    expect(await demo.ask('pages', TCM_GETCURSEL)).toBe(1);
    await client.act('type-into-element', { name: 'Tax number', text: '42' });
    await says('Tax number: 42');
    await approved('type-into-element', { name: 'Password', text: 'secret' });
    await says('Password: 6 characters');
  });

  it('a group box holds what its frame surrounds, and an unknown name or title has near ones', async () => {
    const { ref } = await client.element({ controlType: 'Group', name: 'Payment' });
    const { value } = await client.act('find', { role: 'RadioButton', within: ref, form: 'full' });
    const kinds = ({ controlType, name }: { controlType: string; name: string }): string => `${controlType} ${name}`;
    const inside = ['RadioButton Invoice', 'RadioButton Card', 'RadioButton Bank transfer'];
    expect(parseTree(value.accessibilityText).map(kinds)).toEqual(inside);
    expect((await client.look({ ref })).nodes.map(kinds)).toEqual(['Group Payment', ...inside]);
    const typo = await client.refused('target_not_found', 'click-element', { name: 'Check Stok' });
    expect(typo.suggestions).toEqual(['Check stock']);
    const title = await client.refused('target_not_found', 'bind-to-window', { title: 'uiahots demo' });
    expect(title.suggestions).toEqual(['uiahost demo']);
  });

  it('an effect comes two seconds after its click', async () => {
    await client.act('click-element', { name: 'Check stock' });
    expect(await demo.text('stock')).toBe('Stock: not checked');
    expect((await client.act('wait-for', { name: 'Stock: 12 pieces' })).value).toMatchObject({ met: true });
    expect(await demo.says()).toBe('Stock checked: 12 pieces');
  });

  it('[demo.dialogs] a button opens a modal dialog, one asks "Delete all orders?"', async () => {
    await client.act('click-element', { name: 'Order details…' });
    await client.bind({ hwnd: (await dialog('Order details')).hwnd });
    await client.act('type-into-element', { name: 'Comment', text: 'Ring twice' });
    await client.act('click-element', { name: 'OK' });
    await says('Order details: Ring twice');

    await client.bind({ hwnd: demo.hwnd });
    await approved('click-element', { name: 'Delete all orders…' });
    const asked = await dialog('Delete all orders?');
    await client.bind({ hwnd: asked.hwnd });
    await client.act('click-element', { name: 'Cancel' });
    await says('No order was deleted');
    expect(await demo.ask('orders', LVM_GETITEMCOUNT)).toBe(200);

    await client.bind({ hwnd: demo.hwnd });
    await approved('click-element', { name: 'Delete all orders…' });
    await client.bind({ hwnd: (await dialog('Delete all orders?')).hwnd });
    await approved('click-element', { name: 'Delete' });
    await says('All orders deleted');
    expect(await demo.ask('orders', LVM_GETITEMCOUNT)).toBe(0);
    await client.bind({ hwnd: demo.hwnd });
    await client.act('virtual-keyboard', { action: 'combo', text: 'f5' });
    await says('Orders reloaded');
    expect(await demo.ask('orders', LVM_GETITEMCOUNT)).toBe(200);
  });

  it('has a menu bar and a context menu', async () => {
    await client.act('virtual-keyboard', { action: 'combo', text: 'ctrl+n' });
    await says('New order');
    await client.act('select-element', { name: 'Orders', item: '2026-0002' });
    const { x, y, width, height } = await client.element({ controlType: 'ListItem', name: '2026-0002' });
    await client.act('virtual-mouse', {
      action: 'right_click',
      x: Math.round(x + width / 4),
      y: Math.round(y + height / 2),
      space: 'image',
    });
    const menu = await scene.window(({ className, pid }) => className === '#32768' && pid === demo.report.pid);
    expect(menu.height).toBeGreaterThan(40);
    await scene.witness.ask(demo.hwnd, '', WM_CANCELMODE);
  });

  it('a second demo opens only on request', async () => {
    await using again = await startDemo(scene.witness);
    expect(again.report).toEqual({ ...demo.report, wasOpen: true });
    await using another = await startDemo(scene.witness, ['--another']);
    expect(another.report).toMatchObject({ wasOpen: false, title: 'uiahost demo' });
    expect(another.hwnd).not.toBe(demo.hwnd);
  });

  it('ends when its window is closed, by its menu too', async () => {
    await using first = await startDemo(scene.witness, ['--another']);
    const gone = once(first.program.process, 'exit');
    await scene.witness.close(first.hwnd);
    expect((await gone)[0]).toBe(0);
    await using second = await startDemo(scene.witness, ['--another']);
    const over = once(second.program.process, 'exit');
    await scene.witness.ask(second.hwnd, '', WM_COMMAND, EXIT, 0);
    expect((await over)[0]).toBe(0);
  });
});
