/** Acting on elements with more than a left click: right click, double click, focus, hover, drag and wheel. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { LB_GETTOPINDEX } from '../../../../native-bindings/win32/constants.ts';
import type { CallContext } from '../../../../src/desktop/index.ts';
import { Asker } from '../../../../src/win32/windows/ask.ts';
import { outerRect } from '../../../../src/win32/windows/rects.ts';
import { controlId } from '../../../support/controls.ts';
import { bare, dump, type Elements, journaled, refusal } from '../support/elements.ts';
import { com, elements, graftEach } from '../support/grafted.ts';
import { Fixture, newCall } from '../support/programs.ts';
import { Session } from '../support/session.ts';

const ways = (attempts: ReadonlyArray<{ rung: string; result: string }>): string[] =>
  attempts.map(({ rung, result }) => `${rung} ${result}`);

describe('standard controls', () => {
  let fixture: Fixture;
  let session: Session;

  beforeAll(async () => {
    fixture = await Fixture.start('controls');
    session = await Session.bind(fixture.hwnd);
  });
  afterAll(async () => {
    session[Symbol.dispose]();
    await fixture[Symbol.asyncDispose]();
  });

  const elements = (): Elements => session.elements;
  const click = async (
    query: Parameters<Elements['ref']>[0],
    how: { button?: 'left' | 'right' | 'middle'; count?: 1 | 2 | 3 },
  ) =>
    elements().port.click(session.record, await elements().ref(query), { delivery: 'background', ...how }, newCall());
  /** A call with what the gate hands over for a drag between two elements. */
  const judgedDrag = async (from: { name: string }, to: { name: string }): Promise<CallContext> => {
    const place = async (query: { name: string }) => ({
      window: session.record,
      element: (await elements().context(query)).element,
      isNamed: true,
    });
    return { ...newCall(), permit: { exits: [], target: await place(to), start: await place(from) } };
  };
  const point = (ref: string): ReturnType<Elements['port']['point']> =>
    elements().port.point(session.record, ref, newCall());

  it('a right click on a row selects it and opens the context menu at it', async () => {
    const { outcome } = await click({ name: 'Row 2', role: 'ListItem' }, { button: 'right' });
    await journaled(fixture, 'context_menu');
    expect(outcome).toMatchObject({ effect: 'confirmed', delivery: 'message', evidence: [{ kind: 'window-opened' }] });
    const { hwnd } = (outcome.details as { newWindow: { hwnd: string } }).newWindow;
    await session.keys('escape');
    expect(user32.IsWindow(Number(hwnd)) && user32.IsWindowVisible(Number(hwnd))).toBe(false);
    const row = (await elements().context({ name: 'Row 2', role: 'ListItem' }, 'look')).element!;
    expect(row.states).toContain('selected');
  });

  bare(it)('where the message opens nothing, the pointer’s own messages follow', async () => {
    const { outcome } = await click({ automationId: '121' }, { button: 'right' });
    expect(ways(outcome.attempts).slice(0, 2)).toEqual(['uia-context-menu not_applicable', 'message delivered']);
    await session.keys('escape');
  });

  it('a double click is Windows’ own message at the element', async () => {
    const { outcome } = await click({ automationId: '121' }, { count: 2 });
    expect(outcome.delivery).toBe('posted');
    const rect = outerRect(user32.GetDlgItem(fixture.hwnd, 121))!;
    const down = await journaled(fixture, 'mouse', { id: 121, kind: 'down', button: 'left' });
    expect(Math.abs((down['screenX'] as number) - (rect.x + rect.width / 2))).toBeLessThanOrEqual(1);
    expect(
      fixture.journal().filter(({ event, id, kind }) => event === 'mouse' && id === 121 && kind === 'up').length,
    ).toBeGreaterThanOrEqual(2);
  });

  it('[element.focus] an element gets the focus of its program, and keys go there next', async () => {
    const ref = await elements().ref({ automationId: '202' }, 'look');
    const { value, outcome } = await elements().port.focus(session.record, ref, newCall());
    expect({ value, ...outcome }).toMatchObject({
      value: true,
      effect: 'confirmed',
      evidence: [{ kind: 'focus', before: false, after: true }],
    });
    await journaled(fixture, 'focus', { id: 202 });
    await session.type('3');
    expect((await dump(fixture)).get(202)?.['text']).toContain('3');
    await refusal(
      elements()
        .ref({ automationId: '214' }, 'look')
        .then((off) => elements().port.focus(session.record, off, newCall())),
      'target_disabled',
    );
  });

  it.each([
    ['Row 3', 'ListItem', 'select-element'],
    ['Entry 3', 'ListItem', 'select-element'],
    ['Gamma', 'ListItem', 'select-element'],
    ['Denmark', 'ListItem', 'select-element'],
    ['Vegetables', 'TreeItem', 'select-element'],
    ['Advanced', 'TabItem', 'select-element'],
    ['New', 'Button', 'click-element'],
    ['Bold', 'CheckBox', 'click-element'],
    ['Middle', 'HeaderItem', 'click-element'],
    ['help', 'Hyperlink', 'click-element'],
    ['UTF-8', 'Text', 'click-element'],
  ] as const)('[element.focus] %s is not its control: the focus is refused, with the way', async (name, role, way) => {
    const ref = await elements().ref({ name, role }, 'look');
    const seen = fixture.journal().length;
    const error = await refusal(elements().port.focus(session.record, ref, newCall()), 'unsupported');
    expect([error.hint, error.delivery]).toEqual([expect.stringContaining(way), 'not_delivered']);
    const told = fixture.journal().slice(seen);
    expect(told.filter(({ event }) => ['focus', 'command', 'notify', 'key'].includes(event))).toEqual([]);
  });

  it('keys go to an item that was selected already, and not to what was clicked since', async () => {
    await elements().select({ automationId: '243' }, { name: 'Vegetables' });
    await elements().click({ automationId: '202' });
    const { outcome } = await elements().select({ automationId: '243' }, { name: 'Vegetables' });
    expect(outcome.effect).toBe('none');
    await session.keys('up');
    expect((await dump(fixture)).get(243)).toMatchObject({ item: 'Pear' });
  });

  it('the pointer moves over an element, and the element’s reaction is seen', async () => {
    await fixture.tell('drawn 121 hover');
    const at = await point(await elements().ref({ automationId: '121' }, 'look'));
    const { outcome } = await session.pointer.hover(session.record, at, 'background', newCall());
    expect(outcome).toMatchObject({ effect: 'confirmed', delivery: 'posted', cursorMoved: false });
    await journaled(fixture, 'mouse', { id: 121, kind: 'move' });
  });

  it('[element.drag] the button goes down on one element and up on the other', async () => {
    const [from, to] = [{ name: 'Push me' }, { name: 'Default action' }];
    const call = await judgedDrag(from, to);
    const [start, end] = [await point(call.permit!.start!.element!.ref), await point(call.permit!.target.element!.ref)];
    const seen = fixture.journal().length;
    await session.pointer.drag(session.record, start, end, { delivery: 'background' }, call);
    const mouse = fixture
      .journal()
      .slice(seen)
      .filter(({ event, kind }) => event === 'mouse' && kind !== 'move');
    expect(mouse.map(({ kind, screenX, screenY }) => [kind, screenX, screenY])).toEqual([
      ['down', start.x, start.y],
      ['up', end.x, end.y],
    ]);
  });

  it.each(['LIST_REPORT', 'TREE', 'LISTBOX'])('a drag that %s begins in a loop of its own is refused', async (key) => {
    const rect = outerRect(user32.GetDlgItem(fixture.hwnd, controlId(key)))!;
    const [start, end] = [30, 50].map((down) => ({ x: rect.x + 20, y: rect.y + down }));
    await session.elements.port.context(session.record, { kind: 'point', at: start! }, newCall());
    const refused = await refusal(
      session.pointer.drag(session.record, start!, end!, { delivery: 'background' }, newCall()),
      'unsupported',
    );
    expect(refused).toMatchObject({ delivery: 'not_delivered', hint: expect.stringContaining('foreground') });
  });

  it('[element.drag] an element that has moved away from the point is not dropped on', async () => {
    const call = await judgedDrag({ name: 'Push me' }, { name: 'Default action' });
    const start = await point(call.permit!.start!.element!.ref);
    const seen = fixture.journal().length;
    await refusal(
      session.pointer.drag(session.record, start, { x: start.x, y: start.y + 1 }, { delivery: 'background' }, call),
      'state_conflict',
    );
    expect(
      fixture
        .journal()
        .slice(seen)
        .filter(({ kind }) => kind === 'down'),
    ).toEqual([]);
  });

  it('the wheel turns over an element', async () => {
    const list = user32.GetDlgItem(fixture.hwnd, 230);
    const top = (): number | null => new Asker(1000).ask(list, LB_GETTOPINDEX);
    expect(top()).toBe(0);
    const at = await point(await elements().ref({ automationId: '230' }, 'scroll'));
    const { outcome } = await session.pointer.wheel(
      session.record,
      at,
      { vertical: -2, horizontal: 0 },
      { delivery: 'background' },
      newCall(),
    );
    expect(outcome).toMatchObject({ effect: 'confirmed', delivery: 'posted' });
    expect(top()).toBeGreaterThan(0);
  });
});

// the grafted tree is the same where proxies show the controls
bare(describe)('elements of UI Automation', () => {
  graftEach();

  it('ShowContextMenu comes first', async () => {
    com.log();
    const ref = await elements.ref({ automationId: 'btnOk' });
    const { outcome } = await elements.port.click(
      elements.record,
      ref,
      { delivery: 'background', button: 'right' },
      newCall(),
    );
    expect(com.log()).toEqual(['context-menu btnOk']);
    expect(outcome).toMatchObject({ delivery: 'uia-context-menu', effect: 'unverified' });
    expect(ways(outcome.attempts)).toEqual(['uia-context-menu delivered']);
  });

  it('a double click takes an item’s default action', async () => {
    const ref = await elements.ref({ automationId: 'itGreen' });
    const { outcome } = await elements.port.click(
      elements.record,
      ref,
      { delivery: 'background', count: 2 },
      newCall(),
    );
    expect(ways(outcome.attempts)).toEqual([
      'uia-invoke not_applicable',
      'legacy-accessible not_applicable',
      'posted delivered',
    ]);
  });

  it('[element.focus] SetFocus, confirmed by the element’s state afterwards', async () => {
    com.log();
    const ref = await elements.ref({ automationId: 'txtName' }, 'look');
    const { outcome } = await elements.port.focus(elements.record, ref, newCall());
    expect(com.log()).toEqual(['focus txtName']);
    expect(outcome).toMatchObject({ effect: 'confirmed', delivery: 'uia-focus', evidence: [{ kind: 'focus' }] });
    // The window that draws a label can have the focus; the label cannot.
    const label = await elements.ref({ automationId: 'lblName' }, 'look');
    await expect(elements.port.focus(elements.record, label, newCall())).rejects.toMatchObject({ code: 'unsupported' });
    com.log();
    const again = await elements.port.focus(elements.record, ref, newCall());
    expect(again.outcome).toMatchObject({ effect: 'none', delivery: 'none' });
    expect(com.log()).toEqual([]);
  });
});
