/** What a card shows about a browser's page. */
import { describe, expect, test } from 'vitest';
import { draftCard, pageOf } from '../../../../src/policy/gate/card.ts';
import { passGate } from '../../../../src/policy/gate/gate.ts';
import { approvePlan } from '../../../../src/policy/gate/plans.ts';
import { bound, CHROME, context, element, NOTEPAD, subject, testWorld, traits, type TestWorld } from '../world.ts';

const page = (address: string | null, more: Parameters<typeof context>[1] = {}) =>
  pageOf(CHROME, context(element('Edit', 'Password'), { address, ...more }));

/** A browser whose window title is the page’s word. */
function browsing(address: string | null): TestWorld {
  const world = testWorld({
    app: CHROME,
    policy: { grants: [{ app: CHROME.bundleId, tier: 'full' }] },
    seen: context(element('Button', 'Sign in'), { address }),
  });
  world.live = bound(CHROME, { title: 'https://bank.example - My Bank' });
  return world;
}

describe('[card.page] the page on a card', () => {
  test('its origin, as the browser compares it, whatever is before or after it', () => {
    const origins: ReadonlyArray<readonly [string, string]> = [
      ['https://bank.example/login', 'https://bank.example'],
      ['https://bank.example@evil.example/', 'https://evil.example'],
      ['https://bank.example:pw@evil.example:8443/bank.example', 'https://evil.example:8443'],
      ['https://evil.example/https://bank.example/', 'https://evil.example'],
      ['https://evil.example\\@bank.example/', 'https://evil.example'],
      ['https://BANK.example:443/', 'https://bank.example'],
      ['http://[::1]:8080/x', 'http://[::1]:8080'],
    ];
    for (const [address, origin] of origins) expect(page(address)?.origin, address).toBe(origin);
    expect(page('https://bank.example:pw@evil.example/a')?.address).toBe('https://evil.example/a');
    const long = page(`https://evil.example/${'bank.example/'.repeat(100)}`);
    expect(long?.address).toMatch(/^https:\/\/evil\.example\/.*…$/);
    expect(long?.address?.length).toBe(300);
  });

  test('a host in other letters is shown in its ASCII form, followed by its letters', () => {
    expect(page('https://bаnk.example/')).toMatchObject({
      origin: 'https://xn--bnk-6cd.example',
      unicodeHost: 'bаnk.example',
    });
    expect(page('https://xn--bnk-6cd.example/')).toMatchObject({ unicodeHost: 'bаnk.example' });
    expect(page('https://bank.example/')).toMatchObject({ unicodeHost: null });
    // A host of full-width letters is the plain one to the browser, and so here.
    expect(page('https://ｂａｎｋ.example/')).toMatchObject({ origin: 'https://bank.example', unicodeHost: null });
  });

  test('an unreadable page is shown as unknown, and no page belongs to other programs', () => {
    expect(page(null)).toEqual({ origin: null, unicodeHost: null, address: null, frame: null });
    expect(page('file:///C:/bank.html')).toMatchObject({ origin: null, address: 'file:///C:/bank.html' });
    expect(pageOf(NOTEPAD, context(null))).toBeNull();
    expect(pageOf(null, null)).toBeNull();
    expect(pageOf(NOTEPAD, context(null, { address: 'https://evil.example/' }))).toMatchObject({
      origin: 'https://evil.example',
    });
  });

  test('a frame of another origin is named', () => {
    expect(
      page('https://shop.example/', { document: { kind: 'frame', address: 'https://pay.example/x' } })?.frame,
    ).toEqual({ origin: 'https://pay.example' });
    expect(page('https://shop.example/', { document: { kind: 'frame', address: null } })?.frame).toEqual({
      origin: null,
    });
  });

  test('the summary names the origin, and not the title that the page gives itself', async () => {
    for (const [address, says] of [
      ['https://evil.example/login', 'on https://evil.example in'],
      [null, 'on an unknown page in'],
    ] as const) {
      const world = browsing(address);
      await passGate(
        subject(traits.click('Sign in'), { claims: { riskTags: [], requiresApproval: true, reason: null } }),
        world,
      );
      expect(world.cards[0]?.summary).toContain(says);
      expect(world.cards[0]?.summary).not.toContain('bank.example');
      expect(world.cards[0]?.page?.origin).toBe(address === null ? null : 'https://evil.example');
    }
  });

  test('a plan in a browser names it as well', async () => {
    const world = browsing('https://evil.example/login');
    world.policyNow = { ...world.policyNow, level: 'control' };
    await approvePlan(
      { planId: 'plan_1', actionId: 'act_1', proposerReason: null, steps: [subject(traits.click('Sign in'))] },
      world,
    );
    expect(world.cards[0]?.page?.origin).toBe('https://evil.example');
  });

  test('a launch of a browser is about no page', () => {
    const draft = draftCard(
      subject(traits.launch('chrome.exe')),
      {
        result: 'approve',
        code: null,
        reason: '',
        riskLevel: 'high',
        riskTags: [],
        flags: [],
        why: [],
        grounds: [],
        coverage: null,
        covered: null,
      },
      { app: CHROME, binding: null, window: null, context: null, digest: '', sessionId: 'default', timeoutMs: 1 },
    );
    expect(draft.page).toBeNull();
  });
});
