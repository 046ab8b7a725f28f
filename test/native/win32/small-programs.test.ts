/** Posted clicks in programs that ask for more than the message: marks of their own, documents in a frame, buttons with a menu. */
import { describe, expect, it } from 'vitest';
import type { Point } from '../../../src/contract/geometry.ts';
import type { Done } from '../../../src/desktop/index.ts';
import { FocusMemory } from '../../../src/win32/input/focus-memory.ts';
import { HeldInputs } from '../../../src/win32/input/held-input.ts';
import { createPointerPort } from '../../../src/win32/pointer.ts';
import { windowRect } from '../../../src/win32/uia/window-info.ts';
import type { TreeNode } from '../../support/snapshot-tree.ts';
import { Elements, only } from './support/elements.ts';
import { Fixture, newCall } from './support/programs.ts';

const ONE = { button: 'left', count: 1, modifiers: [], delivery: 'background' } as const;

/** A posted click at a screen point. */
function clickAt(elements: Elements, at: Point, call = newCall()): Promise<Done<boolean>> {
  const pointer = createPointerPort(elements.services, { held: new HeldInputs(), focus: new FocusMemory(), trees: elements.port });
  return pointer.click(elements.record, at, ONE, call);
}

/** A place beside or in an element of a snapshot, which counts from the window's corner. */
function placeIn(hwnd: number, { x, y, height }: TreeNode, right: number): Point {
  const frame = windowRect(hwnd)!;
  return { x: Math.round(frame.x + x + right), y: Math.round(frame.y + y + height / 2) };
}

const did = (fixture: Fixture): unknown[] => fixture.journal().filter(({ event }) => event === 'did').map(({ what, detail }) => `${String(what)}: ${String(detail)}`);

describe('a mark that its program draws itself', () => {
  it('[outcome.confirmed] a click on it that turns nothing is not confirmed by the selection that it moves', async () => {
    await using fixture = await Fixture.start('picks');
    const elements = await Elements.bind(fixture.hwnd);
    for (const [name, mark] of [['Fonts', 'unchecked'], ['Print', 'checked']] as const) {
      const { outcome } = await clickAt(elements, placeIn(fixture.hwnd, only(await elements.nodes(), { name }), -12));
      expect(did(fixture)).toEqual([]);
      expect(outcome).toMatchObject({ effect: 'unverified', delivery: 'posted' });
      // the first click brings the tree the focus, and with it a selection
      expect(outcome.evidence[0]).toMatchObject({ kind: 'item-state', before: `collapsed, ${mark}`, after: `collapsed, ${mark}` });
    }
  });

  it('[outcome.confirmed] the selection confirms a click on the text beside it, and the branch one on its button', async () => {
    await using fixture = await Fixture.start('picks');
    const elements = await Elements.bind(fixture.hwnd);
    const place = only(await elements.nodes(), { name: 'Network' });
    expect((await clickAt(elements, placeIn(fixture.hwnd, place, 5))).outcome).toMatchObject({ effect: 'confirmed', evidence: [{ kind: 'selection' }] });
    expect((await clickAt(elements, placeIn(fixture.hwnd, place, -28))).outcome).toMatchObject({ effect: 'confirmed', evidence: [{ kind: 'item-state', before: 'collapsed, unchecked', after: 'expanded, unchecked' }] });
  });

  it('[outcome.confirmed] where memory of the program may not be used, a selection confirms no click in a tree with marks', async () => {
    await using fixture = await Fixture.start('picks');
    const elements = await Elements.bind(fixture.hwnd);
    const at = placeIn(fixture.hwnd, only(await elements.nodes(), { name: 'Fonts' }), -12);
    expect((await clickAt(elements, at, newCall({ remoteControlMemory: false }))).outcome).toMatchObject({ effect: 'unverified', evidence: [{ kind: 'selection' }] });
  });
});
