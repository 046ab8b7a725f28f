/** Clicks at a point, with modifiers. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Point } from '../../contract/element/geometry.ts';
import { parseChord } from '../../contract/keys/keys.ts';
import type { CallContext, Done, MouseButton, PointerPort } from '../../desktop/index.ts';
import { judgedWindow } from '../input/judged-window.ts';
import { pressForeground } from '../input/keyboard-foreground.ts';
import { sendMouseEvents } from '../exits/input.ts';
import { assertMayPoint, buttonEvent, moveEvent } from '../input/mouse-foreground.ts';
import { followFocus } from '../evidence/late-foreground.ts';
import { modifierFlags, postClicks } from '../input/mouse-posted.ts';
import { resolveAll } from '../input/chords-background.ts';
import { isInFront, PERSON_QUIET_MS, withKeyState } from '../input/key-state.ts';
import { quietMoment, YIELD_MS } from '../windows/person.ts';
import { findMouseTarget, type MouseTarget } from '../input/mouse-target.ts';
import { activateDocument } from '../elements/tree/documents.ts';
import { windowName } from '../elements/tree/text.ts';
import { assertCarried } from '../windows/toolkit.ts';
import { Deadline } from '../windows/waiting.ts';
import { startWitness } from '../windows/witness.ts';
import {
  assertSameAt,
  assertSameAtReal,
  effectsOfInput,
  effectsOfReal,
  isReal,
  outcomeOf,
  readBefore,
  readBeforeReal,
  type PointerTools,
} from './pointer-target.ts';

export async function clickPoint(
  tools: PointerTools,
  record: BindingRecord | null,
  at: Point,
  options: Parameters<PointerPort['click']>[2],
  call: CallContext,
): Promise<Done<boolean>> {
  const witness = startWitness();
  const deadline = new Deadline(call);
  const modifiers = options.modifiers.map((name) => parseChord(name)[0]!);
  if (modifiers.some((key) => key.modifier === null))
    throw new UiaHostError('invalid_argument', '`modifiers` accepts only ctrl, shift, alt and win; nothing was sent.');
  const bound = Number(record?.hwnd ?? 0);
  if (isReal(record, options.delivery)) {
    await quietMoment(YIELD_MS, deadline, call);
    assertMayPoint(judgedWindow(record, call), at);
    const looked = await readBeforeReal(tools, record, at, call, true);
    assertSameAtReal(tools, record, at, call);
    assertMayPoint(judgedWindow(record, call), at);
    if (bound !== 0) tools.focus.remember(bound, looked?.target.hwnd ?? bound, call.owner, at);
    if (modifiers.length > 0) pressForeground(null, modifiers, 'down');
    try {
      sendMouseEvents([moveEvent(at), ...clicks(options.button, options.count)]);
    } finally {
      if (modifiers.length > 0) pressForeground(null, modifiers, 'up');
    }
    return {
      value: true,
      outcome: outcomeOf(
        witness,
        'input',
        await effectsOfReal(tools, looked, deadline),
        `${options.button} × ${options.count}`,
        { looked },
      ),
    };
  }
  const target = findMouseTarget(bound, at);
  assertCarried(target.hwnd, 'click');
  const names = modifiers.map((key) => key.modifier ?? '');
  const flags = modifierFlags(names);
  requireCarried(names, target, bound);
  const followed = followFocus(record, witness, call, deadline);
  const hasAlt = names.includes('alt');
  if (hasAlt) await quietMoment(PERSON_QUIET_MS, deadline, call);
  requireCarried(names, target, bound);
  activateDocument(bound, target.hwnd);
  const looked = await readBefore(tools, record, { target, at }, call, { isClick: true });
  assertSameAt(tools, record, { at, hwnd: target.hwnd }, call);
  tools.focus.remember(bound, target.hwnd, call.owner, at);
  const post = (): void => postClicks(target, options.button, options.count, flags);
  if (hasAlt) await withKeyState(target, resolveAll(modifiers, target), [post], call);
  else post();
  tools.pointerOf(call.owner).at = at;
  const how = `${options.button} × ${options.count} to ${windowName(target.hwnd)} under the point`;
  return {
    value: true,
    outcome: await followed(
      outcomeOf(witness, hasAlt ? 'attached' : 'posted', await effectsOfInput(tools, looked, deadline), how, {
        looked,
      }),
    ),
  };
}

/** Errors: unsupported for modifiers that cannot be carried to a window in the background. */
function requireCarried(modifiers: readonly string[], target: MouseTarget, bound: number): void {
  if (modifiers.includes('win')) {
    throw new UiaHostError(
      'unsupported',
      'The Windows key belongs to the system: neither mouse messages nor the key state carry it to a program in the background. Nothing was sent.',
      { hint: 'Leave it out, or use delivery: "foreground".' },
    );
  }
  if (modifiers.includes('alt') && isInFront(target, bound)) {
    throw new UiaHostError(
      'unsupported',
      'Alt with a click is carried by the key state, which belongs to the person while the program is in front; nothing was sent.',
      { hint: 'Use delivery: "foreground", which clicks and presses for real.' },
    );
  }
}

function clicks(button: MouseButton, count: number) {
  return Array.from({ length: count }, () => [buttonEvent(button, 'down'), buttonEvent(button, 'up')]).flat();
}
