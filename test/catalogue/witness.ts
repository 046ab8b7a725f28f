/** Queries a row's second witnesses. Each returns null if it agrees, else what it saw instead. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { controlId } from '../support/controls.ts';
import type { JournalEvent } from '../support/journal.ts';
import type { Scene } from '../support/scene.ts';
import type { SeenWindow } from '../support/witness.ts';
import type { Aim, Witness } from './row.ts';
import type { Target } from './targets.ts';
import { wordsOf } from '../support/words.ts';

/** What a witness may compare with. */
export interface Look {
  readonly scene: Scene;
  readonly target: Target;
  /** The program's windows before the row. */
  readonly windowsBefore: ReadonlySet<string>;
  /** Numbers that witnesses read before the row, for `is: 'more'`. */
  readonly before: ReadonlyMap<Witness, number>;
  /** The action's answer. */
  readonly value: unknown;
  /** A point of an element, screen pixels. */
  place(aim: Aim): Promise<{ x: number; y: number }>;
}

/** Events that show that something reached the program. */
const REACHED: ReadonlySet<string> = new Set(wordsOf`
  command operated key char mouse wheel custom_click scroll context_menu default_action put_value select answer invoke
  toggle expand collapse set_value set_position scroll_into_view set_focus refused close syscommand
`);
/** The host reads controls by messages too; those change nothing. */
const isInput = ({ event }: JournalEvent): boolean => REACHED.has(event);

const holds = (actual: unknown, wanted: unknown): boolean => {
  try {
    expect(actual).toMatchObject(wanted as object);
    return true;
  } catch {
    return false;
  }
};

const brief = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};

export async function newWindows({
  scene,
  target,
  windowsBefore,
}: Pick<Look, 'scene' | 'target' | 'windowsBefore'>): Promise<SeenWindow[]> {
  return (await scene.witness.windows()).filter(({ hwnd, pid }) => pid === target.pid && !windowsBefore.has(hwnd));
}

const isOf = (text: string, wanted: string | RegExp | undefined): boolean =>
  wanted === undefined || (typeof wanted === 'string' ? text === wanted : wanted.test(text));

export async function ask(witness: Witness, look: Look): Promise<string | null> {
  const { scene, target } = look;
  const journal = (): JournalEvent[] => target.journal?.events() ?? [];
  switch (witness.see) {
    case 'journal': {
      if (target.journal === null) return 'this program keeps no journal';
      const found = journal().some((event) => holds(event, witness.event));
      return found ? null : `the journal has no ${brief(witness.event)}, but ${brief(journal().slice(-4))}`;
    }
    case 'silence': {
      const reached = journal().filter(isInput);
      return reached.length === 0 ? null : `the program noticed ${brief(reached.slice(0, 3))}`;
    }
    case 'state': {
      const id = typeof witness.of === 'number' ? witness.of : controlId(witness.of);
      const state = (await target.fixture!.dump()).get(id);
      return holds(state, witness.holds) ? null : `the program says of ${witness.of} ${brief(state)}`;
    }
    case 'text': {
      const text = await scene.witness.text(target.hwnd, witness.part);
      return isOf(text, witness.is) ? null : `another process reads ${brief(text)}`;
    }
    case 'selection': {
      const seen = await scene.witness.selection(target.hwnd, witness.part);
      return seen.from === witness.from && seen.to === witness.to ? null : `the selection is ${brief(seen)}`;
    }
    case 'answer': {
      const answer = await scene.witness.ask(target.hwnd, witness.part, ...witness.ask);
      const before = look.before.get(witness);
      const agrees = witness.is === 'more' ? before !== undefined && answer > before : answer === witness.is;
      return agrees ? null : `another process is answered ${answer}${before === undefined ? '' : `, before ${before}`}`;
    }
    case 'window': {
      const windows = await newWindows(look);
      return windows.some(({ title, className }) => isOf(title, witness.title) && isOf(className, witness.className))
        ? null
        : `new windows are ${brief(windows.map(({ className, title }) => `${className} ${title}`))}`;
    }
    case 'no window': {
      const windows = await newWindows(look);
      return windows.length === 0 ? null : `there is a new window ${brief(windows[0])}`;
    }
    case 'pixel': {
      const { x, y } = await look.place(witness.where);
      const colour = await scene.witness.pixel(x, y);
      return colour === witness.colour ? null : `the screen shows ${colour.toString(16).padStart(6, '0')} at ${x},${y}`;
    }
    case 'foreground': {
      const { foreground, title } = await scene.witness.where();
      return foreground === target.hwnd ? null : `“${title}” has the foreground`;
    }
    case 'cursor': {
      const [wanted, { x, y }] = [await look.place(witness.where), await scene.witness.where()];
      return isDeepStrictEqual({ x, y }, wanted) ? null : `the cursor is at ${x},${y}, not ${wanted.x},${wanted.y}`;
    }
    case 'value':
      return holds(look.value, witness.holds) && JSON.stringify(look.value).includes(witness.text ?? '')
        ? null
        : `the answer is ${brief(look.value)}`;
  }
}
