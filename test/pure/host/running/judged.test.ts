/** What the gate judged goes with the call, for delivery to compare: window and element, both ends of a drag. */
import { expect, test } from 'vitest';
import type { Permit } from '../../../../src/contract/gate/exit.ts';
import type { Done } from '../../../../src/desktop/index.ts';
import { startBoundHost, startTestHost, type TestHost } from '../running-host.ts';
import { element, NOTEPAD, outcomeOf } from '../stand-in-desktop.ts';

async function seen(): Promise<TestHost & { readonly judged: Array<readonly [string, Permit | undefined]> }> {
  const t = await startTestHost({ level: 'full' });
  const judged: Array<readonly [string, Permit | undefined]> = [];
  const done: Done<boolean> = { value: true, outcome: outcomeOf('unverified', 'input') };
  const { pointer, keyboard } = t.scene.desktop;
  pointer.click = async (_record, _at, _options, call) => {
    judged.push(['click', call.permit]);
    return done;
  };
  pointer.button = async (_record, change, _at, _delivery, call) => {
    judged.push([change, call.permit]);
    return done;
  };
  pointer.drag = async (_record, _from, _to, _delivery, call) => {
    judged.push(['drag', call.permit]);
    return done;
  };
  keyboard.chords = async (_record, _chords, _repeat, _delivery, call) => {
    judged.push(['chords', call.permit]);
    return done;
  };
  keyboard.typeText = async (_record, _text, _options, call) => {
    judged.push(['type', call.permit]);
    return done;
  };
  t.scene.under = element('e5', 'Next');
  t.scene.focused = element('e6', 'Text', { controlType: 'Edit' });
  return Object.assign(t, { judged });
}

const CALLS = [
  ['click', { x: 5, y: 5, space: 'screen' }],
  ['mouse-down', {}],
  ['mouse-up', {}],
  ['drag', { from: { x: 1, y: 1 }, to: { x: 9, y: 9 }, space: 'screen' }],
  ['key', { keySequence: 'pagedown' }],
  ['type', { text: 'a', viaClipboard: false }],
] as const;

test.each(['unbound', 'bound'])(
  '[unbound.bound-in] [point.same] %s, every input carries the window and the element that were judged',
  async (state) => {
    await using t = await seen();
    if (state === 'bound') await t.host.runner.run(t.agent, 'bind-to-window', { title: 'Notepad' }).result;
    for (const [action, input] of CALLS) await t.host.runner.run(t.agent, action, input).result;
    expect(t.judged.map(([what]) => what)).toEqual(['click', 'down', 'up', 'drag', 'chords', 'type']);
    for (const [what, judged] of t.judged) {
      expect([what, judged?.target.window?.hwnd]).toEqual([what, NOTEPAD.hwnd]);
      if (what !== 'chords' && what !== 'type') expect(judged?.target.element?.name).toBe('Next');
      expect(judged?.start === null).toBe(what !== 'drag');
    }
    expect(t.judged.find(([what]) => what === 'drag')?.[1]?.start).toMatchObject({
      window: { hwnd: NOTEPAD.hwnd },
      element: { name: 'Next' },
    });
  },
);

test('[outcome.taken-name] an outcome names the element where a part of its name was given', async () => {
  await using t = await startBoundHost({ level: 'full' });
  const port = t.scene.desktop.element;
  const { context } = port;
  port.context = async (record, target, call) => {
    const isPart = target.kind === 'element' && target.query.name === 'draft';
    return context(record, isPart ? { ...target, query: { name: 'Save draft' } } : target, call);
  };
  const details = async (name: string): Promise<unknown> =>
    (await t.host.runner.run(t.agent, 'click-element', { name }).result).outcome.details;
  expect(await details('draft')).toMatchObject({ target: { ref: 'e1', name: 'Save draft' } });
  expect(await details('Save draft')).toMatchObject({ on: { ref: 'e1', name: 'Save draft' } });
});
