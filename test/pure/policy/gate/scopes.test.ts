/** How far each scope of an approval reaches, and what ends it. */
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/policy/gate/gate-types.ts';
import { Allowances, NEVER_LASTING } from '../../../../src/policy/rights/allowances.ts';
import { passGate } from '../../../../src/policy/gate/gate.ts';
import { approvePlan, planDigest } from '../../../../src/policy/gate/plans.ts';
import { stepDigest } from '../../../../src/policy/gate/digest.ts';
import {
  bound,
  CHROME,
  claims,
  context,
  element,
  failure,
  NOTEPAD,
  subject,
  testWorld,
  traits,
  type TestWorld,
} from '../world.ts';

const scoped =
  (scope: Answer['scope'], minutes: number | null = null) =>
  (): Partial<Answer> => ({ scope, minutes });

async function asks(world: TestWorld, one = subject(traits.click())): Promise<boolean> {
  const before = world.cards.length;
  await passGate(one, world);
  return world.cards.length > before;
}

it('once: the next action is asked again', async () => {
  const world = testWorld({ policy: { level: 'control' } });
  expect([await asks(world), await asks(world)]).toEqual([true, true]);
});

describe('window', () => {
  it('[scope.window] covers this kind of action on this window until the time is over', async () => {
    let now = 0;
    const world = testWorld({ policy: { level: 'control' }, now: () => now });
    world.answer = scoped('window', 5);
    expect(await asks(world)).toBe(true);
    world.seen = context(element('Button', 'Another'));
    const covered = await passGate(subject(traits.click()), world);
    expect([covered.approvalId, covered.decision.riskTags, world.cards.length]).toEqual([
      'apr_1',
      ['computer:input'],
      1,
    ]);
    expect(await asks(world, subject(traits.point()))).toBe(true);
    world.live = bound(NOTEPAD, { hwnd: '77' });
    world.answer = () => ({});
    expect(await asks(world)).toBe(true);
    world.live = bound(NOTEPAD);
    now = 5 * 60_000 - 1;
    expect(await asks(world)).toBe(false);
    now += 1;
    expect(await asks(world)).toBe(true);
  });

  it('[scope.window] the same hwnd of another process is another window', async () => {
    const world = testWorld({ policy: { level: 'control' } });
    world.answer = scoped('window');
    await passGate(subject(traits.click()), world);
    world.live = bound(NOTEPAD, { processCreated: '2' });
    expect(await asks(world)).toBe(true);
  });

  it('[scope.window] an action riskier than the approved one is asked', async () => {
    const world = testWorld({ policy: { level: 'control' } });
    world.answer = scoped('window');
    await passGate(subject(traits.click()), world);
    world.seen = context(element('Button', 'Send'));
    expect(await asks(world)).toBe(true);
    world.seen = context(element('Button', 'Delete'));
    expect(await asks(world)).toBe(true);
  });

  it.each([
    ['financial', traits.click('Pay'), context(element('Button', 'Pay'))],
    ['destructive', traits.click('Delete'), context(element('Button', 'Delete'))],
    ['prompts', traits.prompt(), context(null)],
    ['password', traits.type('x', 'Password'), context(element('Edit', 'Password', { states: ['password'] }))],
  ] as const)('is never offered nor kept for %s', async (_name, one, seen) => {
    const world = testWorld({ policy: { level: 'control' }, seen });
    world.answer = scoped('window');
    expect(await asks(world, subject(one))).toBe(true);
    expect(world.cards[0]?.allowedScopes).toEqual(['once']);
    expect(await asks(world, subject(one))).toBe(true);
  });

  it('[scope.window] an action that its proposer wants asked is asked each time', async () => {
    const world = testWorld({ policy: { level: 'control' } });
    world.answer = scoped('window');
    await passGate(subject(traits.click()), world);
    expect(await asks(world, subject(traits.click(), { claims: claims({ requiresApproval: true }) }))).toBe(true);
  });
});

describe('limits of lasting approvals', () => {
  it('[scope.window] a scope that the card did not offer counts as once', async () => {
    const world = testWorld({ policy: { level: 'control' } });
    world.answer = scoped('window');
    await passGate(subject(traits.click(), { claims: claims({ requiresApproval: true }) }), world);
    expect(world.cards[0]?.allowedScopes).toEqual(['once']);
    expect(await asks(world)).toBe(true);
  });

  it.each(NEVER_LASTING)('the book of allowances covers nothing %s, whatever is in it', (tag) => {
    const allowances = new Allowances();
    const approved = { approvalId: 'apr_1', riskLevel: 'critical', riskTags: [tag], flags: [], grounds: [] } as const;
    allowances.allowWindow('click', bound(NOTEPAD), 10, approved);
    allowances.allowSession('click', NOTEPAD, 'full', approved);
    const query = {
      covers: 'click',
      app: NOTEPAD,
      binding: bound(NOTEPAD),
      tier: 'click',
      flags: [],
      riskLevel: 'high',
      riskTags: [],
      grounds: [],
      planStep: null,
    } as const;
    expect(allowances.find(query)?.kind).toBe('window');
    expect(allowances.find({ ...query, riskTags: [tag] })).toBeNull();
    allowances.revokeAll();
    expect(allowances.find(query)).toBeNull();
  });

  it('[secret.ask] a secret is asked for in a plan too', async () => {
    const world = testWorld({
      policy: { level: 'control' },
      seen: context(element('Edit', 'Password', { states: ['password'] })),
    });
    const step = subject(traits.type('', 'Password', { content: null, tags: ['password'] }), {
      secret: { ref: 'uiahost:x', field: 'Password' },
      input: { name: 'Password', secretRef: 'uiahost:x' },
    });
    await approvePlan({ planId: 'plan_1', actionId: 'act_p', proposerReason: null, steps: [step] }, world);
    expect(await asks(world, { ...step, planStep: { planId: 'plan_1' } })).toBe(true);
  });
});

describe('session', () => {
  it('grants the tier for the session', async () => {
    const world = testWorld({ policy: { level: 'control' }, app: CHROME });
    world.answer = scoped('session');
    expect(await asks(world)).toBe(true);
    expect(world.cards[0]?.why.map((reason) => reason.kind)).toEqual(['level', 'tier']);
    expect(world.grants.list().grants).toEqual([{ app: CHROME.bundleId, tier: 'click' }]);
    expect(await asks(world)).toBe(false);
    // Beyond the tier, beyond the risk, another application: asked.
    world.answer = scoped('once');
    expect(await asks(world, subject(traits.type('Hello')))).toBe(true);
    world.seen = context(element('Button', 'Buy now'));
    expect(await asks(world)).toBe(true);
    world.app = NOTEPAD;
    world.live = bound(NOTEPAD);
    world.seen = context(element('Button', 'Save'));
    expect(await asks(world)).toBe(true);
  });

  it('[grant.display] a display picture may be allowed for the session', async () => {
    const world = testWorld({ policy: { level: 'observe' } });
    world.answer = scoped('session');
    expect(await asks(world, subject(traits.display()))).toBe(true);
    expect(world.cards[0]?.why[0]?.kind).toBe('display');
    expect(await asks(world, subject(traits.display()))).toBe(false);
  });
});

describe('plan', () => {
  const steps = [
    subject(traits.click('Find'), { action: 'clickElement', actionId: 'act_a', input: { name: 'Find' } }),
    subject(traits.type('needle', 'Find what'), {
      action: 'typeIntoElement',
      actionId: 'act_b',
      input: { name: 'Find what', text: 'needle' },
    }),
  ];
  const inPlan = (index: number): ReturnType<typeof subject> => ({
    ...(steps[index] ?? subject(traits.click())),
    planStep: { planId: 'plan_1' },
  });
  const plan = { planId: 'plan_1', actionId: 'act_plan', proposerReason: 'to find it', steps };

  it('shows all steps on one card and runs them unasked in their order', async () => {
    const world = testWorld({ policy: { level: 'control' } });
    expect(await approvePlan(plan, world)).toEqual({ approvalId: 'apr_1' });
    expect(world.cards[0]).toMatchObject({
      action: 'batch',
      proposerReason: 'to find it',
      allowedScopes: ['once', 'plan'],
      digest: planDigest(
        steps.map((step) => ({ digest: stepDigest(step.action, step.input) })),
        world.live,
      ),
    });
    expect(JSON.stringify(world.cards[0]?.arguments)).toContain('needle');
    expect((await passGate(inPlan(0), world)).approvalId).toBe('apr_1');
    expect((await passGate(inPlan(1), world)).approvalId).toBe('apr_1');
    expect(world.cards).toHaveLength(1);
  });

  it('[scope.plan-changed] a step twice, out of order, changed, outside the plan, or after its end asks again', async () => {
    const fresh = async (): Promise<TestWorld> => {
      const world = testWorld({ policy: { level: 'control' } });
      await approvePlan(plan, world);
      return world;
    };
    let world = await fresh();
    expect(await asks(world, inPlan(1))).toBe(true);
    expect(await asks(world, inPlan(0))).toBe(false);
    expect(await asks(world, inPlan(0))).toBe(true);
    world = await fresh();
    expect(await asks(world, { ...inPlan(0), input: { name: 'Find next' } })).toBe(true);
    expect(await asks(world, { ...inPlan(0), planStep: null })).toBe(true);
    expect(await asks(world, { ...inPlan(0), planStep: { planId: 'plan_2' } })).toBe(true);
    world.live = bound(NOTEPAD, { hwnd: '1' });
    expect(await asks(world, inPlan(0))).toBe(true);
    world.live = bound(NOTEPAD);
    world.allowances.endPlan('plan_1');
    expect(await asks(world, inPlan(0))).toBe(true);
  });

  it('[scope.plan-changed] a step that turns out riskier than shown asks again', async () => {
    const world = testWorld({ policy: { level: 'control' } });
    await approvePlan(plan, world);
    world.seen = context(element('Button', 'Delete all'));
    expect(await asks(world, inPlan(0))).toBe(true);
  });

  it('risk that was shown is covered: financial steps too', async () => {
    const world = testWorld({ policy: { level: 'control' }, seen: context(element('Button', 'Pay invoice')) });
    const pay = subject(traits.click('Pay invoice'), { input: { name: 'Pay invoice' } });
    await approvePlan({ ...plan, steps: [pay] }, world);
    expect(world.cards[0]).toMatchObject({ riskLevel: 'critical' });
    expect(await asks(world, { ...pay, planStep: { planId: 'plan_1' } })).toBe(false);
  });

  it('a denial, a blocked step and a window that changed meanwhile approve nothing', async () => {
    const denied = testWorld({ policy: { level: 'control' } });
    denied.answer = () => ({ decision: 'deny' });
    expect((await failure(approvePlan(plan, denied))).code).toBe('approval_denied');
    expect(denied.records.map((record) => record.outcome)).toEqual(['asked', 'denied']);
    const blocked = testWorld({ policy: { level: 'observe' } });
    const error = await failure(approvePlan(plan, blocked));
    expect([error.code, error.message]).toEqual(['permission_denied', expect.stringContaining('Step 0')]);
    expect(blocked.cards).toEqual([]);
    const moved = testWorld({ policy: { level: 'control' } });
    moved.answer = () => {
      moved.live = bound(NOTEPAD, { hwnd: '5' });
      return {};
    };
    expect((await failure(approvePlan(plan, moved))).code).toBe('state_conflict');
    expect(moved.voided).toHaveLength(1);
    expect(await asks(moved, inPlan(0))).toBe(true);
  });

  it('a step whose target appears only later is shown, and its own risk decides then', async () => {
    const world = testWorld({ policy: { level: 'control' } });
    world.failAt = { context: 'target_not_found' };
    await approvePlan(plan, world);
    expect(world.cards).toHaveLength(1);
    world.failAt = {};
    expect(await asks(world, inPlan(0))).toBe(false);
  });

  it('[scope.plan-changed] an element that was replaced while the person decided, or between the steps, asks again', async () => {
    const find = element('Button', 'Find');
    const others = { identity: 'another', name: 'Find all', automationId: 'other', controlType: 'MenuItem' } as const;
    for (const one of [steps[0]!, subject(traits.point(), { action: 'click', input: { x: 1, y: 2 } })]) {
      for (const [part, value] of Object.entries(others)) {
        const shown = { ...plan, steps: [one, one, one] };
        const step = { ...one, planStep: { planId: 'plan_1' } };
        const meanwhile = testWorld({ policy: { level: 'control' }, seen: context(find) });
        meanwhile.answer = () => {
          meanwhile.seen = context({ ...find, [part]: value });
          return {};
        };
        await approvePlan(shown, meanwhile);
        meanwhile.answer = () => ({});
        expect(await asks(meanwhile, step), `${one.action}: ${part} while the person decided`).toBe(true);

        const between = testWorld({ policy: { level: 'control' }, seen: context(find) });
        await approvePlan(shown, between);
        expect(await asks(between, step)).toBe(false);
        between.seen = context({ ...find, [part]: value });
        expect(await asks(between, step), `${one.action}: ${part} between the steps`).toBe(true);
        between.seen = context(find);
        expect(await asks(between, step)).toBe(false);
      }
    }
  });

  it('changes by the steps themselves need no approval; changes before the first step do', async () => {
    const world = testWorld({
      policy: { level: 'control' },
      seen: context(element('Button', 'Next', { states: ['disabled'] }), { dialogTexts: ['Page 1'] }),
    });
    const next = subject(traits.click('Next'), { input: { name: 'Next' } });
    const keys = subject(traits.keys(['Tab']), { action: 'key', input: { keySequence: 'Tab' } });
    await approvePlan({ ...plan, steps: [next, next, keys] }, world);
    world.seen = context(element('Button', 'Next'), { dialogTexts: ['Page 7'] });
    expect(await asks(world, { ...next, planStep: { planId: 'plan_1' } })).toBe(true);
    world.seen = context(element('Button', 'Next', { states: ['disabled'] }), { dialogTexts: ['Page 1'] });
    expect(await asks(world, { ...next, planStep: { planId: 'plan_1' } })).toBe(false);
    world.seen = context(element('Button', 'Next'), { dialogTexts: ['Page 2'] });
    expect(await asks(world, { ...next, planStep: { planId: 'plan_1' } })).toBe(false);
    world.seen = context(element('Edit', 'Somewhere else'), { dialogTexts: ['Page 3'] });
    expect(await asks(world, { ...keys, planStep: { planId: 'plan_1' } })).toBe(false);
  });

  it('a drag by steps needs no approval for elements on its way', async () => {
    const world = testWorld({ policy: { level: 'control' }, seen: context(element('ListItem', 'One')) });
    const move = subject(traits.move(), { action: 'moveMouse', input: { x: 1, y: 2 } });
    const press = subject(traits.point({ target: { kind: 'pointer', isReal: false } }), {
      action: 'mouseDown',
      input: {},
    });
    await approvePlan({ ...plan, steps: [move, press, move] }, world);
    for (const [one, over] of [
      [move, 'One'],
      [press, 'One'],
      [move, 'Two'],
    ] as const) {
      world.seen = context(element('ListItem', over));
      expect(await asks(world, { ...one, planStep: { planId: 'plan_1' } })).toBe(false);
    }
  });

  it('without a bound window keys stay with the application that was shown', async () => {
    const world = testWorld({
      policy: { level: 'control', grants: [{ app: CHROME.bundleId, tier: 'full' }] },
      seen: context(null),
    });
    world.live = null;
    const keys = subject(traits.keys(['Tab'], { binding: 'optional' }), {
      action: 'key',
      input: { keySequence: 'Tab' },
    });
    await approvePlan({ ...plan, steps: [keys, keys] }, world);
    expect(await asks(world, { ...keys, planStep: { planId: 'plan_1' } })).toBe(false);
    world.app = CHROME;
    expect(await asks(world, { ...keys, planStep: { planId: 'plan_1' } })).toBe(true);
  });

  it('a look between the steps, which needs no approval, leaves the order unchanged', async () => {
    const world = testWorld({ policy: { level: 'control' } });
    const look = subject(traits.look(), { action: 'snapshot', input: {} });
    await approvePlan({ ...plan, steps: [look, steps[0]!, look, steps[1]!] }, world);
    for (const one of [look, steps[0]!, look, steps[1]!])
      expect(await asks(world, { ...one, planStep: { planId: 'plan_1' } })).toBe(false);
    expect(world.cards).toHaveLength(1);
  });

  it('asks for no approval if no step needs it', async () => {
    const world = testWorld({ policy: { level: 'full' } });
    expect(await approvePlan(plan, world)).toEqual({ approvalId: null });
    expect(world.cards).toEqual([]);
  });
});
