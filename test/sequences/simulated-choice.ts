/**
 * How the simulated desktop finds the item for a choice by name, path or index, and checks that it is still the judged
 * one.
 */
import type { ElementInfo } from '../../src/contract/element/element.ts';
import { UiaHostError } from '../../src/contract/errors.ts';
import type { TargetSpec } from '../../src/desktop/index.ts';
import { pathParts } from '../../src/contract/element/element-words.ts';
import { bestOf } from '../../src/win32/elements/finding/query.ts';
import type { SimulatedInput } from './simulated-input.ts';
import type { Part, SimulatedWindow } from './simulated-window.ts';

interface Wanted {
  readonly name?: string | undefined;
  readonly index?: number | undefined;
}

interface Judged {
  readonly name: string;
  readonly identity: string;
}

/** The entries along the path, the chosen one last. Errors: target_not_found, target_ambiguous. */
function wayTo(
  window: SimulatedWindow,
  holder: Part | null,
  wanted: Wanted,
  windows: readonly SimulatedWindow[],
): Part[] {
  if (holder !== null) {
    const found =
      wanted.index !== undefined
        ? [holder.parts[wanted.index]].filter((one) => one !== undefined)
        : bestOf(holder.parts, ({ name }) => name, wanted.name ?? '');
    return [onlyOne(found)];
  }
  let level = window.parts.find(({ role }) => role === 'MenuBar')?.parts ?? [];
  return pathParts(wanted.name ?? '').map(({ name }) => {
    const entry = onlyOne(bestOf(level, (part) => part.name, name));
    level = windows.find(({ key }) => key === entry.opens)?.parts ?? [];
    return entry;
  });
}

function onlyOne(found: readonly Part[]): Part {
  if (found.length === 0) throw new UiaHostError('target_not_found', 'There is no such item; nothing was selected.');
  if (found.length > 1)
    throw new UiaHostError('target_ambiguous', 'Several items are called so; nothing was selected.');
  return found[0]!;
}

/** What the gate gets about the item that would be chosen. */
export function chosenIn(
  window: SimulatedWindow,
  target: TargetSpec,
  infoOf: (part: Part) => ElementInfo,
  holder: () => Part | null,
  windows: readonly SimulatedWindow[],
): object {
  const wanted = target.kind === 'element' ? (target as { item?: Wanted }).item : undefined;
  if (wanted === undefined) return {};
  return { chosen: wayTo(window, holder(), wanted, windows).map((part) => chosen(part, infoOf)) };
}

const chosen = (part: Part, infoOf: (part: Part) => ElementInfo): Judged & { controlType: Part['role'] } => ({
  controlType: part.role,
  name: part.name,
  identity: infoOf(part).identity,
});

/** Chooses the wanted item; if the gate judged one, only that. */
export function chooseJudged(
  input: SimulatedInput,
  window: SimulatedWindow,
  holder: Part | null,
  item: (Wanted & { judged?: readonly Judged[] | null | undefined }) | null,
  infoOf: (part: Part) => ElementInfo,
  windows: readonly SimulatedWindow[],
): void {
  if (item === null) {
    if (holder !== null) input.press(window, holder);
    return;
  }
  const way = wayTo(window, holder, item, windows);
  const isOther =
    item.judged !== undefined &&
    item.judged !== null &&
    (item.judged.length !== way.length ||
      item.judged.some(
        ({ name, identity }, index) => name !== way[index]?.name || identity !== infoOf(way[index]!).identity,
      ));
  if (isOther)
    throw new UiaHostError(
      'state_conflict',
      'The item is another one than the one that was judged; nothing was selected.',
    );
  const meant = way.at(-1)!;
  const menu = windows.find(({ isMenu, parts }) => isMenu && parts.includes(meant));
  if (holder !== null) input.choose(window, holder, holder.parts.indexOf(meant));
  else input.press(menu ?? window, meant);
}
