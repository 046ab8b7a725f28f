/** Actions of wheel, pointer and keyboard focus on elements of the bound window: scroll, focus, hover, and drag to another element. */
import { z } from 'zod';
import { UiaHostError } from '../contract/errors.ts';
import type { ActionTraits } from '../contract/gate/traits.ts';
import { boundWindow, defineAction, type ActionContext, inputTo } from './definition.ts';
import { heldChord, modifiersOf, pointingOf } from './pointer.ts';
import { aimedAt, judgedRef } from './element.ts';
import * as field from './fields.ts';
import { namingTarget } from './points.ts';

const turnsWheel = ({ dx, dy }: { dx?: number | undefined; dy?: number | undefined }): boolean =>
  dx !== undefined || dy !== undefined;

const scrollElement = defineAction('scrollElement', {
  topic: 'element',
  meaning:
    'Scroll down or up: bring an element into view, or with dx or dy turn the wheel over it; without an element, scroll the bound window down one page.',
  cap: 'pointer',
  effect: 'input',
  needs: 'level control, tier click (with modifiers: full)',
  notDestructive: 'scrolling moves a view and changes no content',
  input: () => ({
    ...field.elementQuery,
    dx: field.notches.optional().describe('Notches to the right.'),
    dy: field.notches.optional().describe('Notches down.'),
    modifiers: field.modifiers.optional(),
  }),
  sample: { name: 'List' },
  rules: [
    {
      holds: (input) => (input.dx === undefined && input.dy === undefined) || field.queryGiven(input),
      message: 'dx and dy need an element: give a name, role, automationId, path or ref.',
    },
    {
      holds: (input) => !turnsWheel(input) || (input.dx ?? 0) !== 0 || (input.dy ?? 0) !== 0,
      message: field.NO_TURN,
    },
    {
      holds: (input) => input.modifiers === undefined || turnsWheel(input),
      message: 'modifiers are for the wheel: give dx or dy too.',
    },
    {
      holds: (input) =>
        input.role === undefined ||
        turnsWheel(input) ||
        input.name !== undefined ||
        input.automationId !== undefined ||
        input.path !== undefined ||
        input.ref !== undefined,
      message: 'With a role, give a name, automationId, path or ref too; or give nothing at all.',
    },
  ],
  output: () => z.boolean(),
  traits: (input, state): ActionTraits => {
    const chords = turnsWheel(input) ? heldChord(modifiersOf(state, input)) : [];
    return {
      ...inputTo(
        field.queryGiven(input) ? aimedAt(input, 'scroll') : { kind: 'window' },
        chords.length === 0 ? 'click' : 'full',
      ),
      variant: turnsWheel(input) ? 'wheel' : null,
      chords,
    };
  },
  async run(context, input) {
    if (turnsWheel(input)) {
      const record = boundWindow(context);
      const at = await context.desktop.element.point(record, judgedRef(context), context.call);
      const turned = { vertical: -(input.dy ?? 0), horizontal: input.dx ?? 0 };
      const how = pointingOf(context, { ...input, delivery: 'background' });
      return namingTarget(context, await context.desktop.pointer.wheel(record, at, turned, how, context.call));
    }
    const ref = field.queryGiven(input) ? judgedRef(context) : null;
    return context.desktop.element.scrollIntoView(boundWindow(context), ref, context.call);
  },
});

const focusElement = defineAction('focusElement', {
  topic: 'element',
  meaning: 'Give an element of the bound window the keyboard focus of its program, so that keys go there next.',
  cap: 'keyboard',
  effect: 'input',
  needs: 'level control, tier click',
  isIdempotent: true,
  notDestructive: 'the keyboard focus changes no content',
  input: () => ({ ...field.elementQuery }),
  sample: { name: 'Name' },
  rules: [{ holds: field.queryGiven, message: field.QUERY_MESSAGE }],
  output: () => z.boolean(),
  traits: (input) => inputTo(aimedAt(input, 'look'), 'click'),
  run: async (context) => context.desktop.element.focus(boundWindow(context), judgedRef(context), context.call),
});

const hoverElement = defineAction('hoverElement', {
  topic: 'element',
  meaning: 'Hover: move the pointer of the bound window over an element, in the background (tooltips).',
  cap: 'pointer',
  effect: 'input',
  needs: 'level control, tier click',
  isIdempotent: true,
  notDestructive: 'a pointer without a button changes nothing lasting',
  input: () => ({ ...field.elementQuery, delivery: field.delivery.optional() }),
  sample: { name: 'Save' },
  rules: [{ holds: field.queryGiven, message: field.QUERY_MESSAGE }],
  output: () => z.boolean(),
  traits: (input): ActionTraits => ({
    ...inputTo(aimedAt(input, 'look'), 'click'),
    isPointerMoveOnly: true,
    isForeground: input.delivery === 'foreground',
  }),
  async run(context, input) {
    const record = boundWindow(context);
    const at = await context.desktop.element.point(record, judgedRef(context), context.call);
    return namingTarget(
      context,
      await context.desktop.pointer.hover(record, at, input.delivery ?? 'background', context.call),
    );
  },
});

const held = { modifiers: field.modifiers.optional(), delivery: field.delivery.optional() };

const dropQuery = {
  toName: field.name.optional().describe('Name of the element to drop on.'),
  toRole: field.role.optional().describe('Role of the element to drop on.'),
  toAutomationId: field.automationId.optional().describe('Exact AutomationId of the element to drop on.'),
  toPath: field.path.optional().describe('Path of the element to drop on.'),
  toRef: field.ref.optional().describe('Ref of the element to drop on.'),
};

const dropOf = ({
  toName,
  toRole,
  toAutomationId,
  toPath,
  toRef,
}: { readonly [Field in keyof typeof dropQuery]?: string | undefined }): field.Query => ({
  name: toName,
  role: toRole,
  automationId: toAutomationId,
  path: toPath,
  ref: toRef,
});

/** The element that the gate judged as the start of the drag. */
function startRef(context: ActionContext): string {
  const element = context.call.permit?.start?.element ?? null;
  if (element === null) throw new UiaHostError('target_not_found', 'No element to drag matches this query.');
  return element.ref;
}

const dragElement = defineAction('dragElement', {
  topic: 'element',
  meaning: 'Drag and drop: drag an element of the bound window with the left button onto another element.',
  cap: 'pointer',
  effect: 'input',
  needs: 'level control, tier full',
  input: () => ({ ...field.elementQuery, ...dropQuery, ...held }),
  sample: { name: 'Row', toName: 'List' },
  rules: [
    { holds: field.queryGiven, message: field.QUERY_MESSAGE },
    {
      holds: (input) => field.queryGiven(dropOf(input)),
      message: 'Say where to drop it: give toName, toRole, toAutomationId, toPath or toRef.',
    },
  ],
  output: () => z.boolean(),
  traits: (input, state): ActionTraits => ({
    ...inputTo(aimedAt(dropOf(input), 'click'), 'full'),
    from: aimedAt(input, 'click'),
    chords: heldChord(modifiersOf(state, input)),
    isForeground: input.delivery === 'foreground',
  }),
  async run(context, input) {
    const record = boundWindow(context);
    const { element, pointer } = context.desktop;
    // The second may have scrolled the first one away: both must be in view at the end.
    await element.point(record, startRef(context), context.call);
    const to = await element.point(record, judgedRef(context), context.call);
    const from = await element.point(record, startRef(context), context.call);
    return namingTarget(context, await pointer.drag(record, from, to, pointingOf(context, input), context.call));
  },
});

/** In the order in which lists show them. */
export const beyond = [scrollElement, focusElement, hoverElement, dragElement] as const;
