/** Keys without a binding go to whichever window is in front: that window is judged like a bound one. */
import { describe, expect, it } from 'vitest';
import { METHODS, type ActionDefinition } from '../../../../src/actions/index.ts';
import type { ActionTraits } from '../../../../src/contract/gate/traits.ts';
import { UiaHostError } from '../../../../src/contract/errors.ts';
import { exitsOf } from '../../../../src/contract/ways/exits.ts';
import { coverageOf } from '../../../../src/policy/rights/coverage.ts';
import { passGate } from '../../../../src/policy/gate/gate.ts';
import {
  bound,
  CHROME,
  context,
  element,
  failure,
  NOTEPAD,
  subject,
  TERMINAL,
  testWorld,
  tierAsked,
  type TestWorld,
  type WorldOptions,
} from '../world.ts';

const of = (definition: ActionDefinition, input: object): ActionTraits =>
  definition.traits(definition.input.parse(input) as never, { isBound: false });
const ENTER = of(METHODS.key, { keySequence: 'enter' });
const SECRET = of(METHODS.type, { text: 'hunter2' });
const HARMLESS = of(METHODS.key, { keySequence: 'pagedown' });
const press = (traits: ActionTraits, world: TestWorld) =>
  passGate(subject(traits, { action: 'key', input: { keySequence: traits.chords.join(' ') } }), world);

function unbound(options: WorldOptions = {}): TestWorld {
  const world = testWorld({ seen: context(element('Document', 'Text')), ...options });
  world.live = null;
  world.front = bound(options.app ?? NOTEPAD);
  return world;
}
const QUESTION = context(element('Button', 'Yes'), { dialogTexts: ['Delete everything?'], defaultButtonName: 'Yes' });

describe('unbound keys', () => {
  it('[unbound.judged] Enter on a destructive dialog and text into a password field are asked at level full', async () => {
    const world = unbound({ seen: QUESTION });
    await press(ENTER, world);
    expect(world.cards).toMatchObject([
      { riskTags: expect.arrayContaining(['destructive']) as unknown, window: { hwnd: world.front?.hwnd } },
    ]);
    const field = unbound({ seen: context(element('Edit', 'Code', { states: ['password'] })) });
    await press(SECRET, field);
    expect(field.cards[0]?.riskTags).toContain('password');
  });

  it('an approval for the session of a harmless key does not cover them', async () => {
    const world = unbound({ policy: { level: 'control' } });
    world.answer = () => ({ scope: 'session' });
    await press(HARMLESS, world);
    await press(HARMLESS, world);
    expect(world.cards).toHaveLength(1);
    world.seen = QUESTION;
    await press(ENTER, world);
    expect(world.cards).toHaveLength(2);
  });

  it('deny list and read-only tiers hold for the program in front', async () => {
    expect((await failure(press(HARMLESS, unbound({ app: TERMINAL, policy: { deny: ['cmd.exe'] } })))).code).toBe(
      'blocked_by_policy',
    );
    expect(await tierAsked(unbound({ app: CHROME }), (one) => press(HARMLESS, one))).toBe(true);
    const nobody = unbound();
    nobody.front = null;
    nobody.app = null;
    expect((await failure(press(HARMLESS, nobody))).code).toBe('app_not_granted');
  });

  it('a window of higher integrity is found before a person is asked', async () => {
    const world = unbound();
    world.verify = async () => {
      throw new UiaHostError('target_elevated', 'made to fail');
    };
    expect((await failure(press(HARMLESS, world))).code).toBe('target_elevated');
    expect(world.cards).toEqual([]);
  });

  it('an unreadable window is asked at every level, each time, and for one action', async () => {
    for (const level of ['control', 'full'] as const) {
      const world = unbound({ seen: null, policy: { level, alwaysAsk: [] } });
      const covers = coverageOf({ exits: exitsOf(HARMLESS, null), app: NOTEPAD, binding: null, context: null })!.key;
      const approved = {
        approvalId: 'apr_0',
        riskLevel: 'critical',
        riskTags: ['computer:input'],
        flags: [],
        grounds: ['level', 'tier', 'unknown', 'unknown_target'],
      } as const;
      world.allowances.allowSession(covers, NOTEPAD, 'full', approved);
      world.allowances.allowWindow(covers, bound(NOTEPAD), 10, approved);
      await press(HARMLESS, world);
      await press(HARMLESS, world);
      expect(world.cards).toHaveLength(2);
      expect(world.cards[0]).toMatchObject({
        allowedScopes: ['once'],
        why: expect.arrayContaining([expect.objectContaining({ kind: 'unknown' })]) as unknown,
      });
    }
  });

  it('[unbound.bound-in] the approval is for the window that was shown: another window in front, even of the same application, voids it', async () => {
    for (const other of [{ hwnd: '777' }, { processCreated: '133000000000000001' }]) {
      const world = unbound({ policy: { level: 'control' } });
      world.answer = () => {
        world.front = bound(NOTEPAD, other);
        return {};
      };
      expect((await failure(press(HARMLESS, world))).code).toBe('state_conflict');
      expect(world.voided).toHaveLength(1);
    }
  });

  it('[unbound.bound-in] a passed action names the judged window, for delivery to compare', async () => {
    const world = unbound();
    expect((await press(HARMLESS, world)).permit).toMatchObject({
      target: { window: world.front, element: { name: 'Text' } },
      start: null,
    });
  });
});
