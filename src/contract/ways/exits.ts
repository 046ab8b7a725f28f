/** What one call can let out of the host: its wish, by every way that its target and delivery leave open. */
import type { ElementContext } from '../element/element.ts';
import type { Button, End, Exit } from '../gate/exit.ts';
import type { ActionTarget, ActionTraits } from '../gate/traits.ts';
import { receiverOf, waysFor, type Verb, type Wish } from './ways.ts';

type Aimed = Extract<ActionTarget, { kind: 'element' }>;

/** `right_click`, `double_click`, `triple_middle_click` → button and count. */
function clicksOf(variant: string | null): { readonly button: Button; readonly count: number } {
  const button = /right|middle/.exec(variant ?? '')?.[0] as Button | undefined;
  return { button: button ?? 'left', count: /triple/.test(variant ?? '') ? 3 : /double/.test(variant ?? '') ? 2 : 1 };
}

function verbOf({ content, variant, isPointerMoveOnly }: ActionTraits, target: Aimed): Verb | 'hover' | 'wheel' {
  if (isPointerMoveOnly) return 'hover';
  switch (target.purpose) {
    case 'type':
      return 'type';
    case 'select':
      return 'select';
    case 'scroll':
      return variant === 'wheel' ? 'wheel' : 'scroll';
    case 'look':
      return content === null ? 'focus' : 'cell';
    default: {
      const { button, count } = clicksOf(variant);
      if (button === 'left') return count === 1 ? 'click' : count === 2 ? 'double' : 'presses';
      return button === 'right' && count === 1 ? 'context' : 'presses';
    }
  }
}

const point = (end: End, does: Extract<Exit, { kind: 'point' }>['does'], traits: ActionTraits): Exit => ({
  kind: 'point',
  end,
  does,
  ...clicksOf(traits.variant),
  held: traits.chords,
});

function ofElement(traits: ActionTraits, target: Aimed, context: ElementContext | null): readonly Exit[] {
  const verb = verbOf(traits, target);
  if (verb === 'hover') return [point('target', 'move', traits)];
  if (verb === 'wheel') return [{ kind: 'scroll' }, point('target', 'wheel', traits)];
  const wish: Wish = {
    verb,
    ...clicksOf(traits.variant),
    text: traits.content,
    replaces: traits.replacesText,
    item: target.item ?? null,
  };
  // What is not in view is brought there first.
  return [
    { kind: 'scroll' },
    ...waysFor(verb, receiverOf(context), traits.isForeground).flatMap((way) => way.makes(wish)),
  ];
}

function ofInput(traits: ActionTraits, context: ElementContext | null): readonly Exit[] {
  const { target, content, chords, variant } = traits;
  if (traits.cells !== null) return [{ kind: 'cells', aim: traits.cells }];
  switch (target.kind) {
    case 'element':
      return ofElement(traits, target, context);
    case 'focus': {
      const keys: Exit = {
        kind: 'keys',
        from: 'focus',
        chords,
        text: content ?? '',
        rounds: variant === 'hold' ? 100 : traits.repeat,
        isHeld: variant === 'hold' || variant === 'press',
      };
      return variant === 'paste' ? [{ kind: 'clipboard', text: content ?? '' }, keys] : [keys];
    }
    case 'point':
    case 'pointer':
      if (traits.isPointerMoveOnly) return [point('target', 'move', traits)];
      if (target.kind === 'point' && target.purpose === 'scroll') return [point('target', 'wheel', traits)];
      // Mouse buttons: pressed, or held down over several calls.
      return [point('target', variant === 'down' || variant === 'up' ? variant : 'press', traits)];
    case 'window':
      return traits.tags.includes('prompts')
        ? [{ kind: 'console', text: content ?? '', variant: variant }]
        : [{ kind: 'scroll' }];
    default:
      return content === null ? [] : [{ kind: 'clipboard', text: content }];
  }
}

/** Everything that the call can cause, each exit once. Nothing for a call that only observes. */
export function exitsOf(traits: ActionTraits, context: ElementContext | null): readonly Exit[] {
  const paths = traits.paths.map((path): Exit => ({ kind: 'path', path }));
  const { target, effect } = traits;
  if (effect === 'observe') return paths;
  if (effect === 'manage') {
    const place = traits.place === null ? {} : { place: traits.place };
    return [...paths, { kind: 'window', operation: traits.variant ?? '', ...place }];
  }
  if (effect === 'launch')
    return [
      ...paths,
      { kind: 'start', programs: target.kind === 'apps' ? target.names : [], terminal: traits.starts, runs: [] },
    ];
  const dragged =
    traits.from === null
      ? null
      : [{ kind: 'scroll' } as const, point('start', 'drag', traits), point('target', 'drop', traits)];
  const made = dragged ?? ofInput(traits, context);
  // Real input needs its window in front.
  const front: readonly Exit[] = traits.isForeground ? [{ kind: 'window', operation: 'focus' }] : [];
  const all = new Map([...paths, ...front, ...made].map((exit) => [JSON.stringify(exit), exit]));
  return [...all.values()];
}
