/** Points are bound to what the gate judged there: what a program puts there meanwhile is not pressed. */
import { personIdleMs } from '../../../../src/win32/windows/person.ts';
import { describe, expect, test } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { rectCentre } from '../../../../src/contract/element/coordinates.ts';
import type { Point } from '../../../../src/contract/element/geometry.ts';
import type { PermittedPlace } from '../../../../src/contract/gate/exit.ts';
import type { CallContext, PointerPort } from '../../../../src/desktop/index.ts';
import { HeldInputs } from '../../../../src/win32/input/held-input.ts';
import { FocusMemory } from '../../../../src/win32/elements/finding/text-target.ts';
import { createPointerPort } from '../../../../src/win32/ports/input.ts';
import { controlId } from '../../../support/controls.ts';
import { Elements, refusal } from '../support/elements.ts';
import { Fixture, newCall } from '../support/programs.ts';
import { until } from '../../../support/until.ts';

const ONE = { button: 'left', count: 1, modifiers: [], delivery: 'background' } as const;

interface Scene extends AsyncDisposable {
  readonly fixture: Fixture;
  readonly elements: Elements;
  readonly pointer: PointerPort;
  readonly at: Point;
  /** The control's own number. */
  readonly id: number;
  /** What the gate would find there now. */
  judge(at?: Point): Promise<PermittedPlace>;
  call(target: PermittedPlace, start?: PermittedPlace): CallContext;
  pressed(): number;
}

async function open(): Promise<Scene> {
  const fixture = await Fixture.start('controls');
  const elements = await Elements.bind(fixture.hwnd);
  const pointer = createPointerPort(elements.services, {
    held: new HeldInputs(),
    focus: new FocusMemory(),
    trees: elements.port,
  });
  const id = controlId('PUSH');
  const at = rectCentre((await elements.context({ automationId: String(id) })).element!.rect);
  return {
    fixture,
    elements,
    pointer,
    at,
    id,
    judge: async (point = at) => ({
      window: elements.record,
      element: (await elements.port.context(elements.record, { kind: 'point', at: point }, newCall())).element,
    }),
    call: (target, start) => ({ ...newCall(), permit: { exits: [], target, start: start ?? null } }),
    pressed: () =>
      fixture
        .journal()
        .filter(
          ({ event, codeName, ...entry }) => event === 'command' && codeName === 'BN_CLICKED' && entry['id'] === id,
        ).length,
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

describe('[point.same] between the judgement and the message', () => {
  test('nothing changed: it is pressed', async () => {
    await using scene = await open();
    await scene.pointer.click(scene.elements.record, scene.at, ONE, scene.call(await scene.judge()));
    await until(() => scene.pressed() > 0, 'the click');
  });

  test('another name, another element on top, or none: state_conflict, and nothing is pressed', async () => {
    await using scene = await open();
    const { pointer, elements, fixture, at, id } = scene;
    const judged = await scene.judge();
    expect(judged.element).toMatchObject({ controlType: 'Button' });
    await fixture.tell(`text ${id} Delete everything`);
    const call = scene.call(judged);
    const attempts = [
      () => pointer.click(elements.record, at, ONE, call),
      () => pointer.button(elements.record, 'down', at, { delivery: 'background' }, call),
      () =>
        pointer.drag(
          elements.record,
          { x: at.x, y: at.y },
          { x: at.x, y: at.y + 3 },
          { delivery: 'background' },
          scene.call(judged, judged),
        ),
    ];
    for (const attempt of attempts) {
      const error = await refusal(attempt(), 'state_conflict');
      expect(error).toMatchObject({ delivery: 'not_delivered', message: expect.stringContaining('Delete everything') });
    }
    await fixture.tell(`show ${id} 0`);
    expect(
      (await refusal(pointer.click(elements.record, at, ONE, scene.call(judged)), 'state_conflict')).delivery,
    ).toBe('not_delivered');
    await fixture.tell(`show ${id} 1`);
    await fixture.tell(`enable ${id} 1`);
    expect(scene.pressed()).toBe(0);
    // What is judged again is pressed.
    await pointer.click(elements.record, at, ONE, scene.call(await scene.judge()));
    await until(() => scene.pressed() > 0, 'the click');
  });

  test('the end of a drag counts as its start does', async () => {
    await using scene = await open();
    const { pointer, elements, fixture, at, id } = scene;
    const field = await elements.context({ automationId: String(controlId('EDIT_NAME')) }, 'type');
    const from = rectCentre(field.element!.rect);
    const [start, target] = [await scene.judge(from), await scene.judge()];
    await fixture.tell(`text ${id} Delete everything`);
    expect(
      (
        await refusal(
          pointer.drag(elements.record, from, at, { delivery: 'background' }, scene.call(target, start)),
          'state_conflict',
        )
      ).delivery,
    ).toBe('not_delivered');
    expect(scene.pressed()).toBe(0);
  });

  test('real input too, in the window that was judged and no other', async () => {
    await using scene = await open();
    const { pointer, fixture, at, id } = scene;
    user32.SetForegroundWindow(fixture.hwnd);
    await until(() => user32.GetForegroundWindow() === fixture.hwnd, 'the foreground');
    const judged = await scene.judge();
    const place = `--x ${at.x - 60} --y ${at.y - 60} --width 200 --height 160 --topmost`;
    await using over = await Fixture.start('sentinel', place.split(' '));
    const real = { ...ONE, delivery: 'foreground' } as const;
    await until(() => user32.GetAncestor(user32.WindowFromPoint(at), 2) === over.hwnd, 'the window on top');
    await until(() => personIdleMs() > 1100, 'a second without a person');
    expect((await refusal(pointer.click(null, at, real, scene.call(judged)), 'state_conflict')).delivery).toBe(
      'not_delivered',
    );
    expect((await refusal(pointer.click(null, at, real, newCall()), 'state_conflict')).delivery).toBe('not_delivered');
    await over[Symbol.asyncDispose]();
    await until(() => user32.GetAncestor(user32.WindowFromPoint(at), 2) === fixture.hwnd, 'the window again');
    await fixture.tell(`text ${id} Delete everything`);
    await until(() => personIdleMs() > 1100, 'a second without a person');
    expect((await refusal(pointer.click(null, at, real, scene.call(judged)), 'state_conflict')).delivery).toBe(
      'not_delivered',
    );
    expect(scene.pressed()).toBe(0);
  });
});
