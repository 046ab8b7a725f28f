/** Actions of the pointer: click, move, drag, scroll, and single buttons. */
import { z } from 'zod';
import { Point, type Space } from '../contract/element/geometry.ts';
import { type ActionTarget, type ActionTraits, LOOKING, TOUCHING_NONE } from '../contract/gate/traits.ts';
import type { DeliveryMode, Done, Pointing } from '../desktop/index.ts';
import { type ActionContext, boundWindow, defineMethod, type TraitState, saw } from './definition.ts';
import * as field from './fields.ts';
import { clickVariant } from './fields.ts';
import { deliveryOf } from './keyboard.ts';
import { namingTarget, toScreenPoint } from './points.ts';

/** What the inputs of pointer actions have in common. */
interface Pointed {
  readonly modifiers?: readonly string[] | undefined;
  readonly delivery?: DeliveryMode | undefined;
}

/** Real keys that are held need no sending: they are down. */
export const modifiersOf = ({ held = [] }: Pick<TraitState, 'held'>, { modifiers = [], delivery }: Pointed): string[] =>
  delivery === 'foreground' ? [...modifiers] : [...new Set([...modifiers, ...held])];

export const heldChord = (modifiers: readonly string[]): string[] =>
  modifiers.length === 0 ? [] : [modifiers.join('+')];

export function pointingOf(context: ActionContext, input: Pointed): Required<Pointing> {
  const delivery = deliveryOf(context, input.delivery);
  return { delivery, modifiers: modifiersOf(context, { ...input, delivery }) };
}

const PlainPoint = z.strictObject({ x: field.x, y: field.y });

interface Aim {
  readonly x: number;
  readonly y: number;
  readonly space: Space;
  readonly observationId?: string | undefined;
}

function at(input: Aim, purpose: 'press' | 'scroll' = 'press'): ActionTarget {
  return {
    kind: 'point',
    at: { x: input.x, y: input.y },
    space: input.space,
    observationId: input.observationId,
    purpose,
  };
}

/** Where a drag begins: the given point, else the pointer's position. */
function startOf(from: Point | undefined, input: Omit<Aim, 'x' | 'y'>, isReal: boolean): ActionTarget {
  return from === undefined
    ? { kind: 'pointer', isReal }
    : at({ ...from, space: input.space, observationId: input.observationId });
}

function pointerTraits(target: ActionTarget, tier: 'click' | 'full', state: TraitState, input: Pointed): ActionTraits {
  const chords = heldChord(modifiersOf(state, input));
  return {
    ...LOOKING,
    effect: 'input',
    binding: 'optional',
    target,
    tier: chords.length === 0 ? tier : 'full',
    chords,
    isCoordinate: true,
    isForeground: !state.isBound || input.delivery === 'foreground',
    changesSomething: true,
  };
}

const aiming = {
  modifiers: field.modifiers.optional(),
  space: field.space,
  observationId: field.observationId.optional(),
  delivery: field.delivery.optional(),
};

const pointing = { topic: 'pointer', cap: 'pointer', effect: 'input' } as const;

export const moveMouse = defineMethod('moveMouse', {
  ...pointing,
  meaning: 'Move the bound window’s virtual pointer, else the cursor.',
  needs: 'level control, tier click (with modifiers: full)',
  isIdempotent: true,
  notDestructive: 'a pointer without a button changes nothing lasting',
  input: () => ({ x: field.x, y: field.y, ...aiming }),
  sample: { x: 1, y: 1, space: 'screen' },
  output: () => z.null(),
  traits: (input, state) => ({
    ...pointerTraits(at(input), 'click', state, input),
    isPointerMoveOnly: true,
  }),
  async run(context, input) {
    const to = await toScreenPoint(context, input, input.space, input.observationId);
    const done = await context.desktop.pointer.move(context.binding, to, pointingOf(context, input), context.call);
    return { value: null, outcome: namingTarget(context, done).outcome };
  },
});

export const click = defineMethod('click', {
  ...pointing,
  meaning:
    'Click at a point, with button, count (1 to 3) and modifiers (ctrl+click selects several rows): in the bound window in the background, else as real input.',
  needs: 'level control, tier click (other buttons, modifiers: full)',
  input: () => ({
    x: field.x,
    y: field.y,
    button: field.button.optional(),
    count: field.count.optional(),
    ...aiming,
  }),
  sample: { x: 1, y: 1, space: 'screen' },
  output: () => z.null(),
  traits: (input, state) => ({
    ...pointerTraits(at(input), (input.button ?? 'left') === 'left' ? 'click' : 'full', state, input),
    variant: clickVariant(input),
  }),
  async run(context, input) {
    const point = await toScreenPoint(context, input, input.space, input.observationId);
    const done = await context.desktop.pointer.click(
      context.binding,
      point,
      { button: input.button ?? 'left', count: input.count ?? 1, ...pointingOf(context, input) },
      context.call,
    );
    return { value: null, outcome: namingTarget(context, done).outcome };
  },
});

const button = (change: 'down' | 'up', meaning: string) =>
  ({
    topic: 'pointer',
    meaning,
    cap: 'pointer',
    effect: 'input',
    needs: 'level control, tier full',
    input: () => ({ modifiers: field.modifiers.optional(), delivery: field.delivery.optional() }),
    sample: {},
    output: () => z.null(),
    traits: (input: Pointed, state: TraitState): ActionTraits => ({
      ...pointerTraits(
        { kind: 'pointer', isReal: !state.isBound || input.delivery === 'foreground' },
        'full',
        state,
        input,
      ),
      variant: change,
    }),
    async run(context: ActionContext, input: Pointed) {
      const how = pointingOf(context, input);
      const done = await context.desktop.pointer.button(context.binding, change, null, how, context.call);
      return { value: null, outcome: namingTarget(context, done).outcome };
    },
  }) as const;

export const mouseDown = defineMethod(
  'mouseDown',
  button('down', 'Press the left button at the virtual position (bound) or the cursor; held until mouseUp.'),
);
export const mouseUp = defineMethod(
  'mouseUp',
  button('up', 'Release the left button at the virtual position (bound) or the cursor.'),
);

export const getCursorPosition = defineMethod('getCursorPosition', {
  topic: 'pointer',
  meaning: 'Position of the mouse cursor in screen pixels.',
  cap: 'pointer',
  effect: 'observe',
  needs: 'level observe',
  output: () => Point,
  traits: () => TOUCHING_NONE,
  run: async (context) => saw(await context.desktop.pointer.cursor(context.call)),
});

export const drag = defineMethod('drag', {
  ...pointing,
  meaning: 'Drag and drop with the left button from a point (or the current position) to another.',
  needs: 'level control, tier full',
  input: () => ({
    from: PlainPoint.optional().describe('Start; default the virtual pointer (bound) or the cursor.'),
    to: PlainPoint.describe('End.'),
    ...aiming,
  }),
  sample: { to: { x: 1, y: 1 }, space: 'screen' },
  output: () => z.null(),
  traits: (input, state) => ({
    ...pointerTraits(at({ ...input.to, space: input.space, observationId: input.observationId }), 'full', state, input),
    from: startOf(input.from, input, !state.isBound || input.delivery === 'foreground'),
  }),
  async run(context, input) {
    const space = input.space;
    const from = input.from === undefined ? null : await toScreenPoint(context, input.from, space, input.observationId);
    const to = await toScreenPoint(context, input.to, space, input.observationId);
    const done = await context.desktop.pointer.drag(
      context.binding,
      from,
      to,
      pointingOf(context, input),
      context.call,
    );
    return { value: null, outcome: namingTarget(context, done).outcome };
  },
});

export const scroll = defineMethod('scroll', {
  ...pointing,
  meaning: 'Scroll: turn the wheel at a point, in notches: positive dy = down, positive dx = right.',
  needs: 'level control, tier click (with modifiers: full)',
  notDestructive: 'scrolling moves a view and changes no content',
  input: () => ({
    x: field.x,
    y: field.y,
    dx: field.notches.describe('Notches to the right.'),
    dy: field.notches.describe('Notches down.'),
    ...aiming,
  }),
  sample: { x: 1, y: 1, dx: 0, dy: 1, space: 'screen' },
  rules: [{ holds: ({ dx, dy }) => dx !== 0 || dy !== 0, message: field.NO_TURN }],
  output: () => z.null(),
  traits: (input, state) => pointerTraits(at(input, 'scroll'), 'click', state, input),
  async run(context, input) {
    const point = await toScreenPoint(context, input, input.space, input.observationId);
    const done = await context.desktop.pointer.wheel(
      context.binding,
      point,
      { vertical: -input.dy, horizontal: input.dx },
      pointingOf(context, input),
      context.call,
    );
    return { value: null, outcome: namingTarget(context, done).outcome };
  },
});

export const virtualMouse = defineMethod('virtualMouse', {
  ...pointing,
  meaning: 'Mouse on the bound window only, in the background: click, double_click, right_click, move, drag, down, up.',
  needs: 'level control, tier click (right click, drag, down, up: full)',
  input: () => ({
    action: z
      .enum(['click', 'double_click', 'right_click', 'move', 'drag', 'down', 'up'])
      .describe('drag goes from startX, startY to x, y.'),
    x: field.x,
    y: field.y,
    startX: field.x.optional(),
    startY: field.y.optional(),
    space: field.space,
    observationId: field.observationId.optional(),
  }),
  sample: { action: 'click', x: 1, y: 1 },
  rules: [
    {
      holds: (input) => (input.startX === undefined) === (input.startY === undefined),
      message: 'Give both startX and startY, or neither.',
    },
    {
      holds: (input) => input.startX === undefined || input.action === 'drag',
      message: 'Only drag takes startX and startY.',
    },
  ],
  output: () => z.boolean(),
  traits: (input, state): ActionTraits => ({
    // Down, move and up are a drag in three calls.
    ...pointerTraits(
      at(input),
      input.action === 'click' || input.action === 'double_click' || input.action === 'move' ? 'click' : 'full',
      { ...state, isBound: true },
      {},
    ),
    from:
      input.action === 'drag'
        ? startOf(
            input.startX === undefined || input.startY === undefined ? undefined : { x: input.startX, y: input.startY },
            input,
            false,
          )
        : null,
    variant: input.action,
    binding: 'required',
    isPointerMoveOnly: input.action === 'move',
  }),
  async run(context, input) {
    const record = boundWindow(context);
    const { pointer } = context.desktop;
    const point = await toScreenPoint(context, input, input.space, input.observationId);
    const plain = pointingOf(context, { delivery: 'background' });
    const act = async (): Promise<Done<boolean>> => {
      switch (input.action) {
        case 'click':
          return pointer.click(record, point, { button: 'left', count: 1, ...plain }, context.call);
        case 'double_click':
          return pointer.click(record, point, { button: 'left', count: 2, ...plain }, context.call);
        case 'right_click':
          return pointer.click(record, point, { button: 'right', count: 1, ...plain }, context.call);
        case 'move':
          return pointer.move(record, point, plain, context.call);
        case 'down':
          return pointer.button(record, 'down', point, plain, context.call);
        case 'up':
          return pointer.button(record, 'up', point, plain, context.call);
        case 'drag': {
          const from =
            input.startX === undefined || input.startY === undefined
              ? null
              : await toScreenPoint(context, { x: input.startX, y: input.startY }, input.space, input.observationId);
          return pointer.drag(record, from, point, plain, context.call);
        }
      }
    };
    return namingTarget(context, await act());
  },
});

export const mouseWheel = defineMethod('mouseWheel', {
  ...pointing,
  meaning: 'Scroll: turn the wheel over the bound window, in notches: positive delta = up, or right when horizontal.',
  needs: 'level control, tier click',
  notDestructive: 'scrolling moves a view and changes no content',
  input: () => ({
    x: field.x,
    y: field.y,
    delta: field.notches.describe('Notches; positive = up or right.'),
    horizontal: z.boolean().optional().describe('Default false.'),
    space: field.space,
    observationId: field.observationId.optional(),
  }),
  sample: { x: 1, y: 1, delta: 1 },
  rules: [{ holds: ({ delta }) => delta !== 0, message: field.NO_TURN }],
  output: () => z.boolean(),
  traits: (input, state): ActionTraits => ({
    ...pointerTraits(at(input, 'scroll'), 'click', { ...state, isBound: true }, {}),
    binding: 'required',
  }),
  async run(context, input) {
    const point = await toScreenPoint(context, input, input.space, input.observationId);
    const notches =
      input.horizontal === true ? { vertical: 0, horizontal: input.delta } : { vertical: input.delta, horizontal: 0 };
    const how = pointingOf(context, { delivery: 'background' });
    return namingTarget(
      context,
      await context.desktop.pointer.wheel(boundWindow(context), point, notches, how, context.call),
    );
  },
});
