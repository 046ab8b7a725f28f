/** The urls of a session: how they are read, and what they cover. */
import { describe, expect, it } from 'vitest';
import { passGate } from '../../../../src/policy/gate/gate.ts';
import { parseSessionUrl, sessionScope } from '../../../../src/policy/rights/session-urls.ts';
import {
  CALCULATOR,
  CHROME,
  context,
  element,
  failure,
  failureOf,
  NOTEPAD,
  subject,
  testWorld,
  traits,
} from '../world.ts';
import { wordsOf } from '../../../support/words.ts';

describe('entries', () => {
  it.each([
    ['https://example.com', { kind: 'page', origin: 'https://example.com', path: '/' }],
    ['https://example.com:8443/a/b?q=1#x', { kind: 'page', origin: 'https://example.com:8443', path: '/a/b' }],
    ['HTTPS://EXAMPLE.com/', { kind: 'page', origin: 'https://example.com', path: '/' }],
    ['app:notepad.exe', { kind: 'app', name: 'notepad.exe' }],
    ['app:c%3A%5Cwindows%5Cnotepad.exe', { kind: 'app', name: 'c:\\windows\\notepad.exe' }],
    [
      'app:Microsoft.WindowsCalculator_8wekyb3d8bbwe%21App',
      { kind: 'app', name: 'Microsoft.WindowsCalculator_8wekyb3d8bbwe!App' },
    ],
    ['APP://notepad.exe', { kind: 'app', name: 'notepad.exe' }],
  ])('[urls.entries] %s', (text, url) => expect(parseSessionUrl(text, false)).toEqual(url));

  it.each(wordsOf`
    http://example.com http://localhost:3000 https://127.0.0.1/ https://[::1]/ https://2130706433/ https://0x7f.1/
  `)('[urls.insecure] %s is valid and blocked by default policy', (text) => {
    expect(failureOf(() => parseSessionUrl(text, false)).code).toBe('blocked_by_policy');
    expect(parseSessionUrl(text, true).kind).toBe('page');
  });

  it.each([
    ...wordsOf`
      https://user:pass@example.com/ https://user@example.com/ file:///C:/x javascript:alert(1) data:text/html,x
      chrome://settings ftp://example.com nothing https:// app: app:% app:%00 about:blank
    `,
    '',
  ])('[urls.refused] %j is refused', (text) => {
    expect(failureOf(() => parseSessionUrl(text, true)).code).toBe('invalid_argument');
  });
});

describe('scope', () => {
  it('[urls.touch] pages at or under the named one, of the same origin', () => {
    const scope = sessionScope(['https://example.com/shop', 'https://other.example.com'], false);
    const covered = (address: string | null): boolean => scope.coversPage(address);
    expect(
      wordsOf`
        https://example.com/shop https://example.com/shop/ https://example.com/shop/item?x=1
        https://other.example.com/any/thing
      `.map(covered),
    ).toEqual([true, true, true, true]);
    expect(
      [
        'https://example.com/',
        'https://example.com/shopping',
        'http://example.com/shop',
        'https://example.com:444/shop',
        'https://example.com.evil.com/shop',
        'https://evil.com/https://example.com/shop',
        'https://example.com/shop/../admin',
        'not an address',
        '',
        null,
      ].map(covered),
    ).toEqual(Array(10).fill(false));
  });

  it('[urls.touch] applications by identity, path, and bare name as grants have it', () => {
    const scope = sessionScope(['app:notepad.exe', `app:${encodeURIComponent(CALCULATOR.bundleId)}`], false);
    expect([scope.coversApp(NOTEPAD), scope.coversApp(CALCULATOR), scope.coversApp(CHROME)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(
      scope.coversApp({
        bundleId: 'c:\\users\\me\\notepad.exe',
        displayName: 'Notepad',
        executable: 'C:\\Users\\me\\notepad.exe',
      }),
    ).toBe(false);
  });
});

describe('through the gate', () => {
  const grants = [{ app: 'chrome.exe', tier: 'full' as const }];
  const pageAt = (address: string | null) => context(element('Button', 'Next'), { address });

  it('[urls.touch] another application is refused, for looking too', async () => {
    const world = testWorld({ urls: ['app:calc.exe'] });
    for (const one of [traits.look(), traits.click(), traits.launch('notepad')])
      expect((await failure(passGate(subject(one), world))).code).toBe('app_not_granted');
    world.urls = ['app:notepad.exe'];
    for (const one of [traits.look(), traits.click(), traits.launch('notepad')]) await passGate(subject(one), world);
  });

  it('[urls.touch] a launch that names no application is refused', async () => {
    const world = testWorld({ urls: ['app:notepad.exe'] });
    expect((await failure(passGate(subject(traits.launch('x', { target: { kind: 'none' } })), world))).code).toBe(
      'app_not_granted',
    );
  });

  it('[urls.touch] a browser by its page: listed runs, another, unknown and none are refused', async () => {
    const world = testWorld({
      app: CHROME,
      urls: ['https://example.com/shop'],
      policy: { grants },
      seen: pageAt('https://example.com/shop/2'),
    });
    await passGate(subject(traits.click('Next')), world);
    await passGate(subject(traits.look()), world);
    for (const address of ['https://example.com/admin', 'about:blank', null]) {
      world.seen = pageAt(address);
      for (const one of [traits.look(), traits.click('Next')])
        expect((await failure(passGate(subject(one), world))).code).toBe('app_not_granted');
    }
    world.seen = null;
    expect((await failure(passGate(subject(traits.look()), world))).code).toBe('app_not_granted');
  });

  it('[urls.touch] an address in another program’s window is not a page', async () => {
    const world = testWorld({ urls: ['https://example.com'], seen: pageAt('https://example.com/') });
    expect((await failure(passGate(subject(traits.click('Next')), world))).code).toBe('app_not_granted');
  });

  it('is checked again before delivery', async () => {
    const world = testWorld({
      app: CHROME,
      urls: ['https://example.com'],
      policy: { grants, level: 'control' },
      seen: pageAt('https://example.com/'),
    });
    world.answer = () => {
      world.seen = pageAt('https://evil.example/');
      return {};
    };
    expect((await failure(passGate(subject(traits.click('Next')), world))).code).toBe('app_not_granted');
    expect(world.voided).toHaveLength(1);
  });

  it('[urls.touch] http pages only where the policy allows insecure addresses', async () => {
    const world = testWorld({
      app: CHROME,
      urls: ['http://example.com'],
      policy: { grants },
      seen: pageAt('http://example.com/'),
    });
    expect((await failure(passGate(subject(traits.click('Next')), world))).code).toBe('app_not_granted');
    world.policyNow = { ...world.policyNow, allowInsecureUrls: true };
    await passGate(subject(traits.click('Next')), world);
  });
});
