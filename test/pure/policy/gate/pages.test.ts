/** The policy's list of pages: which addresses it covers, how two lists narrow each other, and what the gate makes of it. */
import { describe, expect, it } from 'vitest';
import { addedPages, commonPages, coversPage, isPageEntry } from '../../../../src/contract/gate/pages.ts';
import { defaultPolicy } from '../../../../src/contract/gate/permissions.ts';
import { passGate } from '../../../../src/policy/gate/gate.ts';
import { loosened, narrowPolicy } from '../../../../src/policy/file/loosening.ts';
import { checkPolicyText } from '../../../../src/policy/file/policy-file.ts';
import { CHROME, context, element, failure, NOTEPAD, subject, testWorld, traits } from '../world.ts';
import { wordsOf } from '../../../support/words.ts';

describe('entries', () => {
  it.each([
    ['https://a.example', 'https://a.example/', true],
    ['https://a.example', 'https://a.example/x/y?q=1#f', true],
    ['https://a.example/shop', 'https://a.example/shop', true],
    ['https://a.example/shop', 'https://a.example/shop/cart', true],
    ['https://a.example/shop/', 'https://a.example/shop/cart', true],
    ['https://A.example:443/', 'https://a.example/', true],
    ['https://*.a.example', 'https://b.a.example/', true],
    ['https://*.a.example/x', 'https://c.b.a.example/x/y', true],
    ['about:blank', 'about:blank', true],
    ['http://intranet/', 'http://intranet/x', true],
    ['https://a.example/shop', 'https://a.example/shopping', false],
    ['https://a.example/shop', 'https://a.example/', false],
    ['https://a.example', 'https://b.example/', false],
    ['https://a.example', 'https://a.example.evil.example/', false],
    ['https://a.example', 'http://a.example/', false],
    ['https://a.example', 'https://a.example:8443/', false],
    ['https://*.a.example', 'https://a.example/', false],
    ['https://*.a.example', 'https://evila.example/', false],
    ['about:blank', 'about:config', false],
    ['https://a.example/shop', 'https://a.example/shop/../admin', false],
    ['https://a.example', 'not an address', false],
  ])('[policy.pages] %s and %s: %s', (entry, address, isCovered) => {
    expect(isPageEntry(entry)).toBe(true);
    expect(coversPage([entry], address)).toBe(isCovered);
  });

  it('an unknown page is never covered, and an empty list covers none', () => {
    expect(coversPage(['https://a.example'], null)).toBe(false);
    expect(coversPage([], 'https://a.example/')).toBe(false);
  });

  it.each([
    '',
    'a.example',
    'https://',
    'https://user:pass@a.example/',
    'https://a.example/?q=1',
    'https://a.example/#f',
    'https://*',
    'https://a.*.example',
    'https:\\\\a.example',
  ])('[policy.pages] %j is not an entry', (entry) => {
    expect(isPageEntry(entry)).toBe(false);
    const checked = checkPolicyText(JSON.stringify({ level: 'full', pages: ['https://ok.example', entry] }));
    expect(checked.file).toBeNull();
    expect(checked.problems.some(({ reason }) => reason.includes('pages'))).toBe(true);
  });

  it('user and machine both have to allow a page', () => {
    const user = ['https://a.example/shop', 'https://*.b.example', 'https://c.example'];
    const machine = ['https://a.example', 'https://x.b.example/docs', 'https://d.example', 'about:blank'];
    const both = commonPages(user, machine) ?? [];
    const addresses = wordsOf`
      https://a.example/ https://a.example/shop/1 https://x.b.example/docs/1 https://x.b.example/
      https://y.b.example/docs https://c.example/ https://d.example/ about:blank
    `;
    for (const address of addresses)
      expect([address, coversPage(both, address)]).toEqual([
        address,
        coversPage(user, address) && coversPage(machine, address),
      ]);
    expect(both.every(isPageEntry)).toBe(true);
    expect([commonPages(null, null), commonPages(user, null), commonPages(null, machine)]).toEqual([
      null,
      user,
      machine,
    ]);
    expect(commonPages(user, [])).toEqual([]);
    const policy = { ...defaultPolicy('full'), pages: user };
    expect(narrowPolicy(policy, { level: 'full', pages: machine }).pages).toEqual(both);
    expect(narrowPolicy(policy, { level: 'full' }).pages).toEqual(user);
  });

  it('[policy.pages] more pages are a looser policy, fewer are not', () => {
    expect([
      addedPages(null, ['https://a.example']),
      addedPages(['https://a.example'], null),
      addedPages(['https://a.example'], ['https://a.example/x']),
      addedPages(['https://a.example/x'], ['https://a.example']),
    ]).toEqual([[], ['any page'], [], ['https://a.example']]);
    const policy = { ...defaultPolicy('full'), pages: ['https://a.example'] };
    expect(loosened(policy, { ...policy, pages: null })).toEqual(['page allowed: any page']);
    expect(loosened({ ...policy, pages: null }, policy)).toEqual([]);
  });
});

describe('in the gate', () => {
  const policy = { grants: [{ app: CHROME.bundleId, tier: 'full' as const }], pages: ['https://shop.example/'] };
  const showing = (address: string | null) =>
    testWorld({ app: CHROME, policy, seen: context(element('Button', 'Next page'), { address }) });
  const kinds = () => [traits.click('Next page'), traits.point(), traits.keys(['a']), traits.look(), traits.manage()];

  it('a plain session is held to them, looks too; an unknown page is refused', async () => {
    for (const one of kinds()) {
      await passGate(subject(one), showing('https://shop.example/cart'));
      for (const address of ['https://evil.example/', null])
        expect((await failure(passGate(subject(one), showing(address)))).code).toBe('blocked_by_policy');
    }
  });

  it('[policy.pages] a session’s urls and the policy’s pages both have to name the page', async () => {
    for (const urls of [['https://shop.example/cart'], [`app:${encodeURIComponent(CHROME.bundleId)}`]]) {
      const world = showing('https://shop.example/cart');
      world.urls = urls;
      await passGate(subject(traits.click('Next page')), world);
      world.seen = context(element('Button', 'Next page'), { address: 'https://evil.example/' });
      expect((await failure(passGate(subject(traits.click('Next page')), world))).code).toBe('blocked_by_policy');
    }
    const world = showing('https://shop.example/help');
    world.urls = ['https://shop.example/cart'];
    expect((await failure(passGate(subject(traits.click('Next page')), world))).code).toBe('app_not_granted');
  });

  it('[policy.pages] other programs are not concerned, and a browser may be started', async () => {
    await passGate(subject(traits.click('Save')), testWorld({ app: NOTEPAD, policy }));
    await passGate(subject(traits.launch('chrome.exe')), testWorld({ app: CHROME, policy }));
  });
});
