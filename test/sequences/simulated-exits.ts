/**
 * What a permit's exits do to an element of the simulated desktop. They are what the ways declare (`WAYS`), so that the model
 * knows no less than they do; and each of them is carried out, since the gate permits whatever way comes to run.
 */
import type { Exit, Permit } from '../../src/contract/gate/exit.ts';
import { UiaHostError } from '../../src/contract/errors.ts';
import { seenPartAt, type SimulatedInput } from './simulated-input.ts';
import { centre, type Part, type SimulatedWindow } from './simulated-window.ts';

export interface Aimed {
  readonly input: SimulatedInput;
  readonly window: SimulatedWindow;
  /** Null: the window as a whole. */
  readonly part: Part | null;
  /** Keys that earlier calls hold. */
  readonly held?: ReadonlySet<string>;
  /** Chooses the item that was judged. */
  readonly choose?: () => void;
}

const refused = (kind: Exit['kind']): UiaHostError =>
  new UiaHostError('state_conflict', `Nothing here is known to make “${kind}” of an element; nothing was sent.`);

const times = (count: number, act: () => void): void => {
  for (let done = 0; done < count; done += 1) act();
};

function press({ input, window, part }: Aimed, { by, button, count }: Extract<Exit, { kind: 'press' }>): void {
  if (part === null) throw refused('press');
  // What has no method of its own is clicked in its middle.
  if (by === 'menu' || button === 'right') input.click(window, centre(part.rect), true);
  else if (part.role === 'List') times(count, () => input.click(window, centre(part.rect)));
  else times(count, () => input.pressNow(window, part));
}

/** Delivery compares what lies at the point with the named element. */
function clickAt({ input, window, part }: Aimed, { button, count }: Extract<Exit, { kind: 'point' }>): void {
  if (part === null) throw refused('point');
  input.activate(window);
  if (input.front !== window || seenPartAt(window, centre(part.rect)) !== part) return;
  times(count, () => input.click(window, centre(part.rect), button === 'right'));
}

/** What each kind of exit does to an element. A new kind has to say it. */
const DOES: { readonly [K in Exit['kind']]: (aimed: Aimed, exit: Extract<Exit, { kind: K }>) => void } = {
  press,
  point: (aimed, exit) => {
    if (exit.does === 'press') clickAt(aimed, exit);
    else if (exit.does === 'wheel' && aimed.part !== null) aimed.input.wheel(aimed.window, centre(aimed.part.rect), -1);
  },
  text: ({ input, window, part }, { text, replaces }) => {
    if (part !== null && text !== null) input.setText(window, part, text, replaces);
  },
  keys: ({ input, window, part, held }, { text, chords, rounds }) => {
    if (part !== null) window.focus = part;
    times(rounds, () => {
      for (const chord of chords) input.chord(window, chord, held);
      input.typeText(window, text, held);
    });
  },
  choose: ({ input, window, part, choose }) => {
    if (choose !== undefined) choose();
    else if (part !== null) input.press(window, part);
  },
  scroll: ({ input, window }) => input.reach(window, 'scroll'),
  focus: ({ input, window, part }) => {
    input.reach(window, 'focus');
    window.focus = part;
  },
  // Real input needs its window in front.
  window: ({ input, window }) => input.activate(window),
  // Touches nothing before a program does.
  path: () => {},
  cells: () => {
    throw refused('cells');
  },
  start: () => {
    throw refused('start');
  },
  clipboard: () => {
    throw refused('clipboard');
  },
  console: () => {
    throw refused('console');
  },
};

/** Errors: state_conflict without a permit. */
export function carryOut(aimed: Aimed, permit: Permit | null | undefined): void {
  if (permit === null || permit === undefined) throw refused('press');
  const before = aimed.part?.value;
  for (const exit of permit.exits) {
    // Each way begins with what the field held.
    if (aimed.part !== null && before !== undefined && (exit.kind === 'text' || exit.kind === 'keys'))
      aimed.part.value = exit.kind === 'keys' && replaces(permit) ? '' : before;
    (DOES[exit.kind] as (of: Aimed, one: Exit) => void)(aimed, exit);
  }
}

const replaces = ({ exits }: Permit): boolean => exits.some((exit) => exit.kind === 'text' && exit.replaces);
