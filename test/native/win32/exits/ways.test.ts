/**
 * Every kind of control, every action on elements and keys: with exactly the permit that the gate makes of the call, what
 * leaves is within it, and nothing that a way sends is missing in the table of ways.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACTIONS, type ActionContext, type ActionDefinition } from '../../../../src/actions/index.ts';
import type { ControlType } from '../../../../src/contract/element/control-types.ts';
import type { ElementContext } from '../../../../src/contract/element/element.ts';
import { UiaHostError } from '../../../../src/contract/errors.ts';
import type { Exit, Permit } from '../../../../src/contract/gate/exit.ts';
import { exitsOf } from '../../../../src/contract/ways/exits.ts';
import type { Desktop, TargetSpec } from '../../../../src/desktop/index.ts';
import { whatLeft, withPermit } from '../../../../src/win32/exits/leaving.ts';
import { Fixture, newCall } from '../support/programs.ts';
import { Session } from '../support/session.ts';

/** What a call of an action may let out at most: a permit is never wider than the wish. */
const WISHES: Readonly<Record<string, readonly Exit['kind'][]>> = {
  clickElement: ['scroll', 'press'],
  typeIntoElement: ['scroll', 'text', 'keys'],
  selectElement: ['scroll', 'choose'],
  focusElement: ['focus', 'scroll'],
  hoverElement: ['point', 'scroll'],
  scrollElement: ['scroll', 'point'],
  key: ['keys'],
  type: ['keys'],
  holdKey: ['keys'],
};

interface Call {
  readonly method: string;
  /** Without the query. */
  readonly input: Record<string, unknown>;
  readonly types?: readonly ControlType[];
}
const INPUTS: readonly Call[] = [
  { method: 'clickElement', input: {} },
  { method: 'clickElement', input: { count: 2 } },
  { method: 'clickElement', input: { button: 'right' } },
  { method: 'clickElement', input: { button: 'middle' } },
  { method: 'selectElement', input: {} },
  { method: 'focusElement', input: {} },
  { method: 'hoverElement', input: {} },
  { method: 'scrollElement', input: {} },
  { method: 'typeIntoElement', input: { text: '42' } },
  {
    method: 'typeIntoElement',
    input: { text: 'one\ntwo\tthree', mode: 'append' },
    types: ['Edit', 'Document', 'ComboBox'],
  },
];
const KEYS: readonly Call[] = [
  { method: 'key', input: { keySequence: 'f5' } },
  { method: 'key', input: { keySequence: 'ctrl+a' } },
  { method: 'key', input: { keySequence: 'ctrl+shift+f9' } },
  { method: 'key', input: { keySequence: 'alt' } },
  { method: 'key', input: { keySequence: 'escape' } },
  { method: 'type', input: { text: 'ab\nc\t' } },
  { method: 'type', input: { text: 'pasted', viaClipboard: true } },
  { method: 'holdKey', input: { keyNames: ['a'], durationMs: 50 } },
];

const definitionOf = (method: string): ActionDefinition => ACTIONS.find((each) => each.method === method)!;

let fixture: Fixture;
let session: Session;
/** One element of each kind of control. */
const elements: Array<readonly [kind: string, ref: string]> = [];

beforeAll(async () => {
  fixture = await Fixture.start('controls');
  session = await Session.bind(fixture.hwnd);
  const kinds = new Set<string>();
  for (const node of await session.elements.nodes()) {
    const kind = node.controlType;
    if (kinds.has(kind) || node.states.includes('disabled') || node.depth === 0) continue;
    kinds.add(kind);
    elements.push([kind, node.ref]);
  }
});
afterAll(async () => {
  session[Symbol.dispose]();
  await fixture[Symbol.asyncDispose]();
});

/** As the host does: traits, a look at the target, the permit, delivery with it. What was permitted and what left. */
async function act(
  method: string,
  given: Record<string, unknown>,
): Promise<{ permit: Permit; left: readonly string[] }> {
  const definition = definitionOf(method);
  const input = given as never;
  const traits = definition.traits(input, { isBound: true });
  const { record, elements: tree, keyboard, pointer } = session;
  const seen: ElementContext = await tree.port.context(record, traits.target as TargetSpec, newCall());
  const exits = exitsOf(traits, seen);
  const { element, keysTo, dialogTitle, chosen } = seen;
  const target = { window: record, element, keysTo, dialogTitle, chosen };
  const permit: Permit = { exits, target, start: null };
  const { owner, deadlineMs, signal, remoteControlMemory } = newCall();
  const context = {
    desktop: { element: tree.port, keyboard, pointer } as unknown as Desktop,
    call: { owner, deadlineMs, signal, remoteControlMemory, permit },
    binding: record,
    element: seen,
  } as unknown as ActionContext;
  return withPermit(permit, async () => {
    try {
      await definition.run(context, input);
    } catch (error) {
      // A control may refuse it; what is not permitted is a hole in the table of ways.
      if (!(error instanceof UiaHostError) || /was not judged/.test(error.message)) throw error;
    }
    return { permit, left: whatLeft() };
  });
}

function expectWithin(method: string, { permit, left }: Awaited<ReturnType<typeof act>>): void {
  const kinds = permit.exits.map(({ kind }) => kind);
  expect(WISHES[method]).toEqual(expect.arrayContaining([...new Set(kinds)].filter((kind) => kind !== 'clipboard')));
  for (const kind of left) expect([...kinds, 'along']).toContain(kind);
}

describe('[exit.permitted] what left is what was permitted, and that is what the call wished', () => {
  test.each(INPUTS)(
    '$method $input of every kind of control',
    { timeout: 300_000 },
    async ({ method, input, types }) => {
      expect(elements.length).toBeGreaterThan(10);
      for (const [kind, ref] of elements)
        if (types === undefined || types.includes(kind as ControlType))
          expectWithin(
            method,
            await act(method, { ...input, ref }).catch((error: unknown) => {
              throw new Error(`${method} of ${kind} ${ref}: ${String(error)}`, { cause: error });
            }),
          );
    },
  );

  test.each(KEYS)('$method $input', { timeout: 60_000 }, async ({ method, input }) => {
    session.focus.remember(fixture.hwnd, fixture.hwnd, 'test/default');
    expectWithin(method, await act(method, input));
  });
});
