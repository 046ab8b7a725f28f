/** The gate, step by step, over a simulated world. */
import { describe, expect, it } from 'vitest';
import { UiaHostError, type ErrorCode } from '../../../../src/contract/errors.ts';
import { defaultPolicy, type Policy } from '../../../../src/contract/gate/permissions.ts';
import { actionDigest } from '../../../../src/policy/gate/digest.ts';
import { passGate } from '../../../../src/policy/gate/gate.ts';
import { approvePlan } from '../../../../src/policy/gate/plans.ts';
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
  tierAsked,
  traits,
} from '../world.ts';
import { wordsOf } from '../../../support/words.ts';

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

describe('order of the steps', () => {
  it('runs them as numbered, and records last', async () => {
    const world = testWorld();
    await passGate(subject(traits.point()), world);
    expect(world.steps).toEqual(wordsOf`assertLive takeAction appOf binding assertObservation context record`);
  });

  /** Everything is wrong at once; each row mends one more step, so the next step must answer. */
  it('the first failure answers, whatever else is wrong', async () => {
    const world = testWorld({ policy: { level: 'observe', deny: ['notepad.exe'] } });
    world.failAt = {
      assertLive: 'stopped',
      takeAction: 'rate_limited',
      binding: 'window_gone',
      assertObservation: 'element_stale',
      context: 'target_ambiguous',
    };
    let input: unknown = { n: Number.NaN };
    const run = async (): Promise<[ErrorCode, number]> => {
      const error = await failure(passGate(subject(traits.point({ chords: ['alt+tab'] }), { input }), world));
      return [error.code, world.records.at(-1)?.step ?? -1];
    };
    expect(await run()).toEqual(['stopped', 0]);
    delete world.failAt.assertLive;
    expect(await run()).toEqual(['invalid_argument', 1]);
    input = { n: 1 };
    expect(await run()).toEqual(['rate_limited', 2]);
    delete world.failAt.takeAction;
    expect(await run()).toEqual(['permission_denied', 3]);
    world.policyNow = { ...world.policyNow, level: 'full' };
    expect(await run()).toEqual(['blocked_by_policy', 4]);
    world.policyNow = { ...world.policyNow, deny: [] };
    expect(await run()).toEqual(['window_gone', 5]);
    delete world.failAt.binding;
    expect(await run()).toEqual(['element_stale', 6]);
    delete world.failAt.assertObservation;
    expect(await run()).toEqual(['target_ambiguous', 7]);
    delete world.failAt.context;
    expect(await run()).toEqual(['key_blocked', 9]);
    expect(world.cards).toEqual([]);
  });

  it('[gate.maxActions] the limit answers before anyone is asked', async () => {
    const world = testWorld({ policy: { level: 'control' } });
    world.failAt = { takeAction: 'action_limit_exceeded' };
    expect((await failure(passGate(subject(traits.click()), world))).code).toBe('action_limit_exceeded');
    expect(world.cards).toEqual([]);
  });

  it('takes a frozen input and leaves every part of it alone', async () => {
    const input = deepFreeze({ name: 'Save', nested: { list: [1, { deep: true }] } });
    const world = testWorld({ policy: { level: 'control' } });
    await passGate(subject(traits.click(), { input }), world);
    expect(world.cards[0]?.arguments).toBe(input);
  });

  it('refuses chords that no key has, at the schema', async () => {
    const world = testWorld();
    const error = await failure(passGate(subject(traits.keys(['ctrl+entr'])), world));
    expect([error.code, error.suggestions, world.records[0]?.step]).toEqual(['invalid_argument', ['enter'], 1]);
  });
});

describe('binding', () => {
  it.each(['window_gone', 'window_hung', 'target_elevated'] as const)(
    '%s stops every action on the window',
    async (code) => {
      const world = testWorld();
      world.failAt = { binding: code };
      for (const one of [traits.look(), traits.click(), traits.keys(['a']), traits.manage()]) {
        expect((await failure(passGate(subject(one), world))).code).toBe(code);
      }
    },
  );

  it('verifies the bound window of each action, also before a person is asked', async () => {
    const world = testWorld();
    world.failAt = { binding: 'window_gone' };
    const asking = subject(traits.look({ flags: ['displayCapture'] }));
    for (const one of [subject(traits.look()), subject(traits.click()), asking])
      expect((await failure(passGate(one, world))).code).toBe('window_gone');
    expect(world.cards).toEqual([]);
  });

  it('[gate.not-bound] without a bound window an action that needs one is refused with not_bound', async () => {
    const world = testWorld({ app: null });
    expect((await failure(passGate(subject(traits.click()), world))).code).toBe('not_bound');
  });

  it('an action that has nothing to do with a window works while the bound window is gone', async () => {
    const world = testWorld();
    world.failAt = { binding: 'window_gone' };
    expect(
      (await passGate(subject(traits.look({ binding: 'none', target: { kind: 'none' } })), world)).decision.result,
    ).toBe('execute');
  });

  it('[gate.narrow] allowedBundleIds narrows', async () => {
    const world = testWorld();
    expect((await failure(passGate(subject(traits.look({ allowedBundleIds: [CHROME.bundleId] })), world))).code).toBe(
      'app_not_granted',
    );
    expect((await passGate(subject(traits.look({ allowedBundleIds: [NOTEPAD.bundleId] })), world)).app).toEqual(
      NOTEPAD,
    );
  });

  it('allowedBundleIds never widens', async () => {
    const world = testWorld({ policy: { deny: ['notepad.exe'] } });
    expect((await failure(passGate(subject(traits.look({ allowedBundleIds: [NOTEPAD.bundleId] })), world))).code).toBe(
      'blocked_by_policy',
    );
    const read = testWorld({ policy: { grants: [{ app: NOTEPAD.bundleId, tier: 'read' }] } });
    const click = subject(traits.click('Save', { allowedBundleIds: [NOTEPAD.bundleId] }));
    expect(await tierAsked(read, (one) => passGate(click, one))).toBe(true);
  });
});

describe('levels', () => {
  const rows = [
    ['look', traits.look()],
    ['display picture', traits.display()],
    ['clipboard read', traits.clipboardRead()],
    ['clipboard write', traits.clipboardWrite()],
    ['click', traits.click()],
    ['type', traits.type('Hello')],
    ['keys', traits.keys(['ctrl+s'])],
    ['move', traits.move()],
    ['manage', traits.manage()],
    ['launch', traits.launch('notepad')],
    ['prompt', traits.prompt()],
  ] as const;

  it.each(rows)('[level.disabled] disabled refuses %s', async (_name, one) => {
    const error = await failure(
      passGate(subject(one), testWorld({ policy: { level: 'disabled', flags: ['clipboardRead', 'displayCapture'] } })),
    );
    expect(error.code).toBe('permission_denied');
    expect(error.message).toContain('disabled');
  });

  it.each(rows.slice(3))('observe refuses %s and names the level it needs', async (_name, one) => {
    const error = await failure(passGate(subject(one), testWorld({ policy: { level: 'observe' } })));
    expect(error.code).toBe('permission_denied');
    expect(error.message).toMatch(/is observe, and this needs control/);
  });

  it.each(['observe', 'control', 'full'] as const)(
    '[level.observe] [level.control-looks] %s lets look, unasked',
    async (level) => {
      const world = testWorld({ policy: { level } });
      expect((await passGate(subject(traits.look()), world)).decision).toEqual({
        result: 'execute',
        riskLevel: 'low',
        riskTags: [],
        approvalId: null,
      });
      expect(world.cards).toEqual([]);
    },
  );

  it.each(['observe', 'control', 'full'] as const)(
    '[grant.flags] %s reads the clipboard with its flag only',
    async (level) => {
      const without = testWorld({ policy: { level } });
      expect((await failure(passGate(subject(traits.clipboardRead()), without))).code).toBe('grant_flag_required');
      expect(without.cards).toEqual([]);
      const withFlag = testWorld({ policy: { level, flags: ['clipboardRead'] } });
      expect((await passGate(subject(traits.clipboardRead()), withFlag)).decision.result).toBe('execute');
      expect(withFlag.cards).toEqual([]);
    },
  );

  it.each(rows.slice(3))('[level.control] control asks before %s', async (_name, one) => {
    const world = testWorld({
      policy: {
        level: 'control',
        grants: [{ app: 'notepad.exe', tier: 'full' }],
        flags: ['clipboardWrite', 'prompts'],
      },
    });
    const passed = await passGate(subject(one), world);
    expect(world.cards).toHaveLength(1);
    expect(world.cards[0]?.why[0]).toEqual({
      kind: 'level',
      text: expect.stringContaining('control → full') as string,
    });
    expect(passed.approvalId).toBe('apr_1');
  });

  it.each(rows.slice(3, 10))('[level.full] full runs %s unasked', async (_name, one) => {
    const world = testWorld({ policy: { level: 'full' } });
    expect((await passGate(subject(one), world)).decision.result).toBe('execute');
    expect(world.cards).toEqual([]);
  });

  it('[level.alwaysAsk] [level.alwaysAsk-shipped] as shipped, full asks for prompts, custom commands, passwords, financial and destructive', async () => {
    const asked = [
      traits.prompt(),
      traits.launch('cmd', { tags: ['customCommand'] }),
      traits.type('hunter2', 'Password'),
      traits.click('Pay now'),
      traits.click('Delete account'),
    ];
    const seen = [
      context(null),
      null,
      context(element('Edit', 'Password', { states: ['password'] })),
      context(element('Button', 'Pay now')),
      context(element('Button', 'Delete account')),
    ];
    const tags = ['prompts', 'customCommand', 'password', 'financial', 'destructive'];
    for (const [index, one] of asked.entries()) {
      const world = testWorld({ policy: { level: 'full' }, seen: seen[index] ?? null });
      await passGate(subject(one), world);
      expect(world.cards[0]?.why[0]).toMatchObject({
        kind: 'alwaysAsk',
        text: expect.stringContaining(tags[index] ?? '') as string,
      });
    }
  });

  it('an emptied list asks for none of them', async () => {
    const world = testWorld({
      policy: { level: 'full', alwaysAsk: [] },
      seen: context(element('Button', 'Delete account')),
    });
    const passed = await passGate(subject(traits.click('Delete account')), world);
    expect(passed.decision).toEqual({
      result: 'execute',
      riskLevel: 'critical',
      riskTags: ['destructive'],
      approvalId: null,
    });
    await passGate(subject(traits.prompt()), world);
    expect(world.cards).toEqual([]);
  });

  it('an operator can add a tag', async () => {
    const world = testWorld({
      policy: { level: 'full', alwaysAsk: ['external_submit'] },
      seen: context(element('Button', 'Send')),
    });
    await passGate(subject(traits.click('Send')), world);
    expect(world.cards[0]?.flags).toContain('approval_required:external_submit');
  });

  it('[level.token] the lower of policy and token counts, and approval does not widen a token', async () => {
    const world = testWorld({ policy: { level: 'full' }, limits: { level: 'observe' } });
    expect((await failure(passGate(subject(traits.click()), world))).message).toMatch(/token is limited to observe/);
    world.limits = { level: 'full' };
    world.policyNow = { ...world.policyNow, level: 'observe' };
    expect((await failure(passGate(subject(traits.click()), world))).code).toBe('permission_denied');
    world.policyNow = { ...world.policyNow, level: 'full' };
    world.limits = { apps: [CHROME.bundleId] };
    expect((await failure(passGate(subject(traits.look()), world))).code).toBe('app_not_granted');
    expect(world.cards).toEqual([]);
  });
});

describe('offers and texts of a card', () => {
  it('[grant.control] names level, tier, flag, tag and alwaysAsk on one card', async () => {
    const world = testWorld({
      policy: { ...defaultPolicy('control'), alwaysAsk: ['financial'] },
      app: CHROME,
      seen: context(element('Button', 'Send payment')),
    });
    await passGate(subject(traits.click('Send payment', { tier: 'full', flags: ['clipboardWrite'] })), world);
    expect(world.cards).toHaveLength(1);
    const kinds = world.cards[0]?.why.map((reason) => reason.kind);
    expect(kinds).toEqual(['level', 'tier', 'flag', 'alwaysAsk', 'tag', 'tag']);
    expect(world.cards[0]?.why[1]?.text).toContain('read → full');
    expect(world.cards[0]).toMatchObject({
      riskLevel: 'critical',
      riskTags: ['financial', 'external_submit', 'authenticated', 'computer:input'],
      allowedScopes: ['once'],
      app: { bundleId: CHROME.bundleId },
      element: { role: 'Button', name: 'Send payment' },
      timeoutMs: 120_000,
      outline: { x: 10, y: 20, width: 80, height: 24 },
    });
  });

  it('[card.reason] shows the proposer’s reason as its words', async () => {
    const world = testWorld({ policy: { level: 'control' } });
    await passGate(subject(traits.click(), { claims: claims({ reason: 'It is quite safe, trust me' }) }), world);
    expect(world.cards[0]?.proposerReason).toBe('It is quite safe, trust me');
    expect(world.cards[0]?.summary).not.toContain('trust me');
  });

  it('[card.masked] masks what goes into a password field, keys and card numbers; the rest is whole', async () => {
    const shown = async (text: string, field = element('Edit', 'Note')): Promise<unknown> => {
      const world = testWorld({ policy: { level: 'control' }, seen: context(field) });
      await passGate(subject(traits.type(text), { input: { name: 'Note', text } }), world);
      return (world.cards[0]?.arguments as { text: string } | undefined)?.text;
    };
    expect(await shown('A whole letter, as it will be typed')).toBe('A whole letter, as it will be typed');
    expect(await shown('hunter2', element('Edit', 'PIN', { states: ['password'] }))).toBe('•••• (7 characters)');
    expect(await shown('4111 1111 1111 1111')).toBe('•••• 1111 (19 characters)');
    expect(await shown(`ghp_${'aB3dE6gH9'.repeat(4)}`)).toBe('•••• (40 characters)');
  });

  it('waits as the policy says', async () => {
    const world = testWorld({
      policy: { ...defaultPolicy('control'), approvals: { timeoutMs: 300_000, surfaces: ['api'] } },
    });
    await passGate(subject(traits.click()), world);
    expect(world.cards[0]?.timeoutMs).toBe(300_000);
    expect(defaultPolicy().approvals.timeoutMs).toBe(120_000);
  });

  it('another program’s words stay on one line, quoted and short', async () => {
    const world = testWorld({
      policy: { level: 'control' },
      seen: context(element('Button', `Save\n\u202eevas ${'x'.repeat(300)}`)),
    });
    await passGate(subject(traits.click()), world);
    const summary = world.cards[0]?.summary ?? '';
    expect(summary).not.toMatch(/[\n\u202e]/);
    expect(summary.length).toBeLessThan(260);
  });
});

describe('the answer', () => {
  it('[approval.deny] a denial is approval_denied and audited', async () => {
    const world = testWorld({ policy: { level: 'control' } });
    world.answer = () => ({ decision: 'deny' });
    expect((await failure(passGate(subject(traits.click()), world))).code).toBe('approval_denied');
    expect(world.records.map((record) => record.outcome)).toEqual(['asked', 'denied']);
    expect(world.records[1]).toMatchObject({ decidedBy: 'operator', approvalId: 'apr_1', code: 'approval_denied' });
  });

  it.each(['approval_denied', 'approval_expired', 'cancelled'] as const)(
    '[approval.deny] %s from the surface stops the action',
    async (code) => {
      const world = testWorld({ policy: { level: 'control' } });
      world.answer = () => {
        throw new UiaHostError(code, 'no');
      };
      expect((await failure(passGate(subject(traits.click()), world))).code).toBe(code);
      expect(world.records.at(-1)).toMatchObject({ outcome: 'denied', code });
    },
  );

  it('[gate.recheck] runs 0 to 9 again after an approval, counting nothing twice', async () => {
    const world = testWorld({ policy: { level: 'control' } });
    world.answer = () => {
      world.steps.push('answer');
      return {};
    };
    await passGate(subject(traits.click()), world);
    expect(world.steps).toEqual(wordsOf`
      assertLive takeAction appOf binding context record answer assertLive takeAction recheck appOf binding context
      record
    `);
  });

  it.each([
    ['stopped', 'assertLive'],
    ['duration_exceeded', 'takeAction'],
    ['window_gone', 'binding'],
    ['target_not_found', 'context'],
  ] as const)('[gate.recheck] %s while a person decided voids the approval', async (code, step) => {
    const world = testWorld({ policy: { level: 'control' } });
    world.answer = () => {
      world.failAt = { [step]: code };
      return {};
    };
    expect((await failure(passGate(subject(traits.click()), world))).code).toBe(code);
    expect(world.voided).toHaveLength(1);
    expect(world.records.at(-1)).toMatchObject({ outcome: 'void', code, approvalId: 'apr_1' });
  });

  it('[gate.recheck] a lowered level, a revoked grant and a new deny entry stop an approved action', async () => {
    const changes: ReadonlyArray<readonly [Partial<Policy>, ErrorCode]> = [
      [{ level: 'observe' as const }, 'permission_denied'],
      [{ deny: ['notepad.exe'] }, 'blocked_by_policy'],
      [{ elementsOnly: true }, 'review_required'],
    ];
    for (const [change, code] of changes) {
      const world = testWorld({ policy: { level: 'control' } });
      world.answer = () => {
        world.policyNow = { ...world.policyNow, ...change };
        return {};
      };
      expect((await failure(passGate(subject(traits.point()), world))).code).toBe(code);
      expect(world.voided).toHaveLength(1);
    }
  });

  it('[gate.recheck] [approval.digest] another digest voids with state_conflict', async () => {
    const changes = [
      () => ({ seen: context(element('Button', 'Save', { identity: 'another' })) }),
      () => ({ seen: context(element('Button', 'Save all')) }),
      () => ({ seen: context(element('Button', 'Save', { states: ['disabled'] })) }),
      () => ({ seen: context(element('Button', 'Save'), { dialogTexts: ['Something else is asked now'] }) }),
      () => ({ live: bound(NOTEPAD, { hwnd: '99' }) }),
      () => ({ live: bound(NOTEPAD, { processCreated: '1' }) }),
    ];
    for (const change of changes) {
      const world = testWorld({ policy: { level: 'control' } });
      world.answer = () => {
        Object.assign(world, change());
        return {};
      };
      const error = await failure(passGate(subject(traits.click()), world));
      expect(error.code).toBe('state_conflict');
      expect(world.voided[0]?.reason).toContain('changed');
      expect(world.records.at(-1)).toMatchObject({ outcome: 'void', step: 11 });
    }
  });

  it('[approval.unmoved] title, rectangle, ref, focus, neighbours, clocks and other fields of its window do not void', async () => {
    const world = testWorld({ policy: { level: 'control' } });
    world.live = bound(NOTEPAD, { title: 'Untitled' });
    world.seen = context(element('Button', 'Save'), { dialogTitle: 'Untitled' });
    world.answer = () => {
      world.live = bound(NOTEPAD, { title: '*Untitled' });
      world.seen = context(
        element('Button', 'Save', { ref: 'e9', rect: { x: 1, y: 1, width: 5, height: 5 }, states: ['focused'] }),
        {
          dialogTitle: '*Untitled',
          nearbyTexts: ['Line 2'],
          dialogTexts: ['10:42', 'City: Bern'],
          defaultButtonName: 'Next',
        },
      );
      return {};
    };
    expect((await passGate(subject(traits.click()), world)).approvalId).toBe('apr_1');
    expect(world.voided).toEqual([]);
  });

  it('[gate.recheck] a higher risk voids though the digest is the same', async () => {
    const world = testWorld({ policy: { level: 'control' } });
    world.seen = context(element('Button', 'OK'), { nearbyTexts: [] });
    world.answer = () => {
      world.seen = context(element('Button', 'OK'), { nearbyTexts: ['Delete everything'] });
      return {};
    };
    const error = await failure(passGate(subject(traits.click('OK')), world));
    expect(error.code).toBe('state_conflict');
    expect(error.message).toContain('the risk rose from high to critical');
  });

  it('[gate.recheck] a new reason to ask voids', async () => {
    const world = testWorld({ policy: { level: 'control', grants: [{ app: 'notepad.exe', tier: 'full' }] } });
    world.answer = () => {
      world.policyNow = { ...world.policyNow, grants: [] };
      return {};
    };
    expect((await failure(passGate(subject(traits.manage()), world))).message).toContain('another reason to ask');
  });
});

describe('audit', () => {
  it('[gate.audited] every outcome has one record with who, what and why', async () => {
    const world = testWorld({ policy: { level: 'control' } });
    await passGate(subject(traits.click()), world);
    expect(world.records.map(({ outcome, decision }) => [outcome, decision])).toEqual([
      ['asked', 'approve'],
      ['approved', 'approve'],
    ]);
    expect(world.records[1]).toMatchObject({
      actionId: 'act_1',
      action: 'clickElement',
      sessionId: 'default',
      tokenId: 'tok_1',
      riskLevel: 'high',
      riskTags: ['computer:input'],
      approvalId: 'apr_1',
      decidedBy: 'operator',
      scope: 'once',
      app: { bundleId: NOTEPAD.bundleId },
      window: { hwnd: '65552', pid: 40 },
      element: { role: 'Button', name: 'Save' },
    });
    expect(world.records[1]?.digest).toMatch(/^[0-9a-f]{64}$/);
    const full = testWorld();
    await passGate(subject(traits.click()), full);
    expect(full.records.map(({ outcome, decision }) => [outcome, decision])).toEqual([['execute', 'execute']]);
    const refused = testWorld({ policy: { level: 'observe' } });
    await failure(passGate(subject(traits.click()), refused));
    expect(refused.records[0]).toMatchObject({
      outcome: 'refused',
      decision: 'block',
      code: 'permission_denied',
      step: 3,
      stepName: 'level',
      riskLevel: 'high',
    });
  });

  it('[gate.audit-first] an action that cannot be recorded is not done', async () => {
    const world = testWorld();
    world.failAt = { record: 'audit_unavailable' };
    expect((await failure(passGate(subject(traits.click()), world))).code).toBe('audit_unavailable');
    const asking = testWorld({ policy: { level: 'control' } });
    asking.failAt = { record: 'audit_unavailable' };
    expect((await failure(passGate(subject(traits.click()), asking))).code).toBe('audit_unavailable');
    expect(asking.cards).toEqual([]);
  });

  it('typed text is in no record, by no field', async () => {
    const text = 'a planted sentence 9731';
    const world = testWorld({ policy: { level: 'control' } });
    await passGate(subject(traits.type(text), { input: { name: 'Note', text, nested: [text] } }), world);
    expect(world.records).not.toHaveLength(0);
    for (const record of world.records) {
      expect(JSON.stringify(record)).not.toContain('planted');
      expect(record.content).toMatchObject({
        length: text.length,
        hmac: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      });
    }
    const secret = testWorld({ seen: context(element('Edit', 'PIN', { states: ['password'] })) });
    await passGate(subject(traits.type('4711'), { input: { name: 'PIN', text: '4711' } }), secret);
    expect(secret.records.at(-1)?.content).toEqual({ length: 4, hmac: null });
  });

  it('keys that press characters into a password field are in no record and on no card, and its digest reveals nothing of them', async () => {
    const field = context(element('Edit', 'PIN', { states: ['password'] }));
    const world = testWorld({ policy: { level: 'control' }, seen: field });
    await passGate(
      subject(traits.keys(['4', '7', '1', '1']), { action: 'key', input: { keySequence: '4 7 1 1' } }),
      world,
    );
    expect(JSON.stringify([world.records, world.cards])).not.toContain('4 7 1 1');
    const [card] = world.cards;
    expect(card?.digest).not.toBe(
      actionDigest({
        action: 'key',
        input: { keySequence: '4 7 1 1' },
        binding: world.live,
        app: world.app,
        context: field,
      }),
    );
    const plain = testWorld({ policy: { level: 'control' } });
    await passGate(subject(traits.keys(['ctrl+s']), { action: 'key', input: { keySequence: 'ctrl+s' } }), plain);
    expect(plain.cards[0]?.arguments).toEqual({ keySequence: 'ctrl+s' });
  });

  it('a plan shows no text for a field that its name says is a password’s', async () => {
    const world = testWorld({ policy: { level: 'control' }, seen: null });
    world.failAt = { context: 'target_not_found' };
    const step = subject(traits.type('hunter-zwei', 'Password'), {
      action: 'typeIntoElement',
      input: { name: 'Password', text: 'hunter-zwei' },
    });
    await approvePlan({ planId: 'plan_1', actionId: 'act_9', proposerReason: null, steps: [step] }, world);
    expect(world.cards).toHaveLength(1);
    expect(JSON.stringify([world.records, world.cards])).not.toContain('hunter-zwei');
  });

  it('tags of the proposer alone or the gate alone are recorded', async () => {
    const world = testWorld({ seen: context(element('Button', 'Delete account')) });
    await passGate(subject(traits.click('Delete account'), { claims: claims({ riskTags: ['financial'] }) }), world);
    expect(world.records.at(-1)?.claims).toEqual({
      riskTags: ['financial'],
      requiresApproval: false,
      onlyProposed: ['financial'],
      onlyFound: ['destructive'],
    });
  });
});

describe('secrets', () => {
  const secret = { ref: 'uiahost:bank', field: 'Password' };
  const typed = traits.type('', 'Password', { content: null, tags: ['password'] });

  it('[secret.ask] asks at full with the list emptied, names secret and field, and is never lasting', async () => {
    const world = testWorld({
      policy: { level: 'full', alwaysAsk: [] },
      seen: context(element('Edit', 'Password', { states: ['password'] })),
    });
    await passGate(subject(typed, { secret }), world);
    expect(world.cards[0]?.summary).toContain('uiahost:bank');
    expect(world.cards[0]?.why[0]?.text).toMatch(/uiahost:bank.*Password/);
    expect(world.cards[0]?.allowedScopes).toEqual(['once']);
  });

  it('goes into password fields only', async () => {
    const world = testWorld({ seen: context(element('Edit', 'Password hint')) });
    expect((await failure(passGate(subject(typed, { secret }), world))).code).toBe('blocked_by_policy');
  });
});
