/** Grants: how applications are named, tiers, and the deny list. */
import { describe, expect, it } from 'vitest';
import type { AppIdentity } from '../../../../src/contract/element/binding.ts';
import {
  defaultPolicy,
  type Grant,
  type Level,
  type Policy,
  type Tier,
} from '../../../../src/contract/gate/permissions.ts';
import { isDenied, isInAdminOnlyFolder, matchApp } from '../../../../src/contract/gate/app-match.ts';
import { kindOf } from '../../../../src/policy/risk/words/app-kind.ts';
import { passGate } from '../../../../src/policy/gate/gate.ts';
import type { ActionTraits } from '../../../../src/contract/gate/traits.ts';
import { SessionGrants } from '../../../../src/policy/rights/grants.ts';
import { Revocations } from '../../../../src/policy/rights/revocations.ts';
import {
  bound,
  CALCULATOR,
  CHROME,
  failure,
  NOTEPAD,
  subject,
  TERMINAL,
  testWorld,
  tierAsked,
  TRADER,
  traits,
} from '../world.ts';
import { phrasesOf } from '../../../support/words.ts';

const at = (path: string, bundleId = path.toLowerCase()): AppIdentity => ({
  bundleId,
  displayName: 'App',
  executable: path,
});
const EDITOR = at('C:\\Users\\me\\AppData\\Local\\Programs\\Microsoft VS Code\\Code.exe');

function grantsWith(grants: Grant[], level: Level = 'control'): SessionGrants {
  return new SessionGrants(() => ({ ...defaultPolicy(level), grants }));
}

/** Spellings of C:\Vault\My Keeper.Safe.exe. */
const DENYING = phrasesOf`
  C:\Vault\My Keeper.Safe.exe | c:/vault/MY KEEPER.SAFE.EXE | \\?\C:\Vault\My Keeper.Safe.exe |
  \??\C:\Vault\My Keeper.Safe.exe | \\.\c:\Vault\My Keeper.Safe.exe | //?/C:/Vault/My Keeper.Safe.exe |
  C:\Vault\..\Vault\.\My Keeper.Safe.exe | C:\Vault\\My Keeper.Safe.exe | C:\Vault\My Keeper.Safe.exe. . |
  C:\Vault.\My Keeper.Safe.exe | C:\Vault\My Keeper.Safe.exe::$DATA | \\localhost\C$\Vault\My Keeper.Safe.exe |
  \\?\UNC\127.0.0.1\c$\Vault\My Keeper.Safe.exe | C:\Vault\MYKEEP~1.EXE | C:\VAULT\MY1A2F~1.EXE | My Keeper.Safe.exe |
  my keeper.safe | MY KEEPER.SAFE.EXE. | MYKEEP~2.EXE
`;
const NOT_DENYING = [
  '',
  ' ',
  'C:\\Vault',
  'C:\\Vault\\',
  'Keeper.Safe.exe',
  'my keeper',
  'C:\\Vault\\x\\My Keeper.Safe.exe',
  'D:\\Vault\\My Keeper.Safe.exe',
  '\\\\elsewhere\\C$\\Vault\\My Keeper.Safe.exe',
  'C:\\Vault \\My Keeper.Safe.exe',
  'OTHERK~1.EXE',
  'MYKEEP~1.COM',
  'C:\\MYKEEP~1.EXE',
  'C:\\..\\My Keeper.Safe.exe',
];

describe('names of applications', () => {
  it.each([
    ['C:\\Windows\\notepad.exe', true],
    ['c:/windows/NOTEPAD.EXE', true],
    ['\\\\?\\C:\\Windows\\.\\notepad.exe', true],
    ['C:\\Windows\\system32\\..\\notepad.exe', true],
    ['C:\\Windows\\System32\\notepad.exe', false],
    ['C:\\Users\\me\\notepad.exe', false],
  ])('[grant.bare-name] the path %s means Notepad: %s', (name, means) => {
    expect(matchApp(name, NOTEPAD) !== null).toBe(means);
  });

  it('[grant.bare-name] a bare name matches in folders that administrators alone can write', () => {
    expect(matchApp('notepad.exe', NOTEPAD)).toBe('name');
    expect(matchApp('Notepad', NOTEPAD)).toBe('name');
    expect(matchApp('notepad.exe', at('C:\\Program Files (x86)\\Vendor\\notepad.exe'))).toBe('name');
    expect(matchApp('notepa', NOTEPAD)).toBeNull();
  });

  it.each(phrasesOf`
    C:\Users\me\Downloads\notepad.exe | C:\Windows\Temp\notepad.exe |
    C:\Windows\System32\spool\drivers\color\notepad.exe | C:\Windows\Tasks\notepad.exe | D:\Windows\notepad.exe |
    \\server\share\windows\notepad.exe | C:\Windows\..\Users\me\notepad.exe | C:\Program Files Fake\notepad.exe |
    C:\ProgramData\notepad.exe
  `)('[grant.bare-name] not %s', (path) => {
    expect(matchApp('notepad.exe', at(path))).toBeNull();
    expect(isInAdminOnlyFolder(path)).toBe(false);
  });

  it('[grant.bare-name] a packaged app’s own executable, and its AppUserModelID', () => {
    expect(matchApp('CalculatorApp.exe', CALCULATOR)).toBe('name');
    expect(matchApp('microsoft.windowscalculator_8wekyb3d8bbwe!app', CALCULATOR)).toBe('exact');
    expect(matchApp('calc.exe', CALCULATOR)).toBeNull();
    expect(matchApp('CalculatorApp.exe', { ...CALCULATOR, executable: null })).toBeNull();
  });

  it('where the rights of the file are known, they count and not its folder’s name', () => {
    expect(matchApp('notepad.exe', NOTEPAD, () => false)).toBeNull();
    expect(matchApp('tool.exe', at('D:\\Programs\\tool.exe'), () => true)).toBe('name');
    expect(matchApp('c:\\windows\\notepad.exe', NOTEPAD, () => false)).toBe('exact');
    expect(matchApp('CalculatorApp.exe', CALCULATOR, () => false)).toBe('name');
  });

  it('a name that does not count grants nothing but can revoke, and the refusal names the path', async () => {
    const world = testWorld({ policy: { level: 'control', grants: [{ app: 'notepad.exe', tier: 'full' }] } });
    const reachOf = (tier: 'read' | 'full', level: 'control' | 'full') => {
      world.policyNow = { ...world.policyNow, level, grants: [{ app: 'notepad.exe', tier }] };
      return new SessionGrants(world.policy, { isProtected: () => false }).reach(NOTEPAD, null, 'full', level);
    };
    expect(reachOf('full', 'control')).toMatchObject({ tier: 'read', result: 'ask' });
    expect(reachOf('read', 'full')).toMatchObject({ tier: 'read', result: 'ask' });
    const grants = new SessionGrants(world.policy, { isProtected: () => false });
    await passGate(subject(traits.type('x')), { ...world, grants });
    expect(world.cards[0]?.why.find(({ kind }) => kind === 'tier')?.text).toContain(
      'grant it by its path, “C:\\Windows\\notepad.exe”',
    );
  });

  it('a display name grants nothing: any program can call itself anything', () => {
    expect(matchApp('Notepad', { ...at('C:\\Users\\me\\evil.exe'), displayName: 'Notepad' })).toBeNull();
  });

  it.each([
    [CHROME, 'browser'],
    [at('C:\\x\\msedge.exe'), 'browser'],
    [at('', 'Microsoft.MicrosoftEdge.Stable_8wekyb3d8bbwe!App'), 'browser'],
    [TRADER, 'trading'],
    [at('C:\\x\\electrum-4.5.5.exe'), 'trading'],
    [TERMINAL, 'terminal'],
    [at('', 'Microsoft.WindowsTerminal_8wekyb3d8bbwe!App'), 'terminal'],
    [EDITOR, 'ide'],
    [at('C:\\x\\pycharm64.exe'), 'ide'],
    [at('C:\\x\\OUTLOOK.EXE'), 'messaging'],
    [NOTEPAD, 'other'],
    [CALCULATOR, 'other'],
    [at('C:\\x\\chrome.exe.bak'), 'other'],
    [at('C:\\x\\mychrome.exe'), 'other'],
  ] as const)('[grant.defaults] the kind of %o is %s', (app, kind) => expect(kindOf(app)).toBe(kind));
});

describe('tiers', () => {
  const reach = (app: AppIdentity, needed: Tier, level: Level, grants: Grant[] = []): string =>
    grantsWith(grants, level).reach(app, null, needed, level).result;

  it('[grant.tiers] each reaches as far as it says', () => {
    for (const [tier, reached] of [
      ['read', [true, false, false]],
      ['click', [true, true, false]],
      ['full', [true, true, true]],
    ] as const) {
      const grants = [{ app: NOTEPAD.bundleId, tier }];
      expect(
        (['read', 'click', 'full'] as const).map((needed) => reach(NOTEPAD, needed, 'control', grants) === 'within'),
      ).toEqual(reached);
    }
  });

  it('[grant.defaults] [grant.control] without a grant at control', () => {
    const rows: Array<[AppIdentity, string[]]> = [
      [CHROME, ['within', 'ask', 'ask']],
      [TRADER, ['within', 'ask', 'ask']],
      [TERMINAL, ['within', 'within', 'ask']],
      [EDITOR, ['within', 'within', 'ask']],
      [NOTEPAD, ['within', 'ask', 'ask']],
    ];
    for (const [app, results] of rows)
      expect((['read', 'click', 'full'] as const).map((needed) => reach(app, needed, 'control'))).toEqual(results);
  });

  it('without a grant at full', () => {
    for (const app of [NOTEPAD, TERMINAL, EDITOR, CALCULATOR]) expect(reach(app, 'full', 'full')).toBe('within');
    for (const app of [CHROME, TRADER]) {
      expect(reach(app, 'read', 'full')).toBe('within');
      expect(reach(app, 'click', 'full')).toBe('ask');
      expect(reach(app, 'full', 'full', [{ app: app.bundleId, tier: 'full' }])).toBe('within');
    }
  });

  it('a lower grant that an operator wrote holds at full too', () => {
    expect(reach(NOTEPAD, 'click', 'full', [{ app: 'notepad.exe', tier: 'read' }])).toBe('ask');
  });

  it('beyond it the gate asks, as at control', async () => {
    for (const level of ['control', 'full'] as const)
      expect(
        await tierAsked(testWorld({ app: CHROME, policy: { level } }), (one) => passGate(subject(traits.click()), one)),
      ).toBe(true);
  });

  it('the closest of several policy entries counts; among equally close entries the lower', () => {
    expect(
      reach(NOTEPAD, 'full', 'control', [
        { app: 'notepad.exe', tier: 'read' },
        { app: NOTEPAD.bundleId, tier: 'full' },
      ]),
    ).toBe('within');
    expect(
      reach(NOTEPAD, 'click', 'control', [
        { app: NOTEPAD.bundleId, tier: 'read' },
        { app: 'notepad.exe', tier: 'full' },
      ]),
    ).toBe('ask');
    expect(
      reach(NOTEPAD, 'click', 'control', [
        { app: 'notepad.exe', tier: 'full' },
        { app: 'Notepad', tier: 'read' },
      ]),
    ).toBe('ask');
  });

  it('grants of the session are each for their own application and never lowered by another', () => {
    const grants = grantsWith([]);
    grants.grantApp(NOTEPAD.bundleId, 'full');
    grants.grantApp(NOTEPAD.bundleId, 'read');
    grants.grantApp(CHROME.bundleId, 'read');
    expect(grants.reach(NOTEPAD, null, 'full', 'control').result).toBe('within');
    expect(grants.reach(CHROME, null, 'click', 'control').result).toBe('ask');
    expect(grants.reach(TRADER, null, 'click', 'control').result).toBe('ask');
  });

  it('a session’s read does not narrow what the level gives', () => {
    const grants = grantsWith([], 'full');
    grants.grantApp(NOTEPAD.bundleId, 'read');
    expect(grants.reach(NOTEPAD, null, 'full', 'full').result).toBe('within');
  });

  it('[grant.revoke] revoking works on the next action, of the policy and of the session', async () => {
    const world = testWorld({ app: CHROME, policy: { grants: [{ app: CHROME.bundleId, tier: 'full' }] } });
    await passGate(subject(traits.click()), world);
    world.policyNow = { ...world.policyNow, grants: [] };
    expect(await tierAsked(world, (one) => passGate(subject(traits.click()), one))).toBe(true);
    world.grants.grantApp(CHROME.bundleId.toUpperCase(), 'full');
    await passGate(subject(traits.click()), world);
    world.grants.revokeAll();
    expect(await tierAsked(world, (one) => passGate(subject(traits.click()), one))).toBe(true);
  });

  it.each<[string, Partial<Policy>, Partial<Policy>, 'within' | 'ask']>([
    [
      'it went down',
      { grants: [{ app: 'notepad.exe', tier: 'full' }] },
      { grants: [{ app: 'notepad.exe', tier: 'click' }] },
      'ask',
    ],
    ['it went away', { grants: [{ app: NOTEPAD.bundleId, tier: 'full' }] }, { grants: [] }, 'ask'],
    ['it was set lower than what was given', { grants: [] }, { grants: [{ app: 'NOTEPAD', tier: 'read' }] }, 'ask'],
    ['the application was denied', { deny: [] }, { deny: ['notepad.exe'] }, 'ask'],
    [
      'it went up',
      { grants: [{ app: 'notepad.exe', tier: 'read' }] },
      { grants: [{ app: 'notepad.exe', tier: 'click' }] },
      'within',
    ],
    [
      'that of another application went away',
      { grants: [{ app: CHROME.bundleId, tier: 'full' }] },
      { grants: [] },
      'within',
    ],
  ])(
    '[grant.revoke] a session’s grant from before a change of the policy’s grant: %s',
    (_name, before, after, expected) => {
      for (const give of [
        (grants: SessionGrants): void => grants.grantApp(NOTEPAD.bundleId, 'full'),
        (grants: SessionGrants): void => grants.grantWindow('65552', 40, 'full'),
      ]) {
        let policy: Policy = { ...defaultPolicy('control'), ...before };
        const revocations = new Revocations();
        const grants = new SessionGrants(() => policy, { revocations });
        const change = (to: Partial<Policy>): void => {
          const was = policy;
          policy = { ...policy, ...to };
          revocations.follow(was, policy);
        };
        give(grants);
        expect(grants.reach(NOTEPAD, bound(NOTEPAD), 'full', 'control').result).toBe('within');
        change(after);
        // Even if it has returned before any check.
        change({ deny: [] });
        expect(grants.reach(NOTEPAD, bound(NOTEPAD), 'full', 'control').result).toBe(expected);
        give(grants);
        expect(grants.reach(NOTEPAD, bound(NOTEPAD), 'full', 'control').result).toBe('within');
      }
    },
  );

  it('[grant.revoke] a smaller grant after a revocation does not bring back the earlier one', () => {
    const revocations = new Revocations();
    const grants = new SessionGrants(() => defaultPolicy('control'), { revocations });
    grants.grantApp(NOTEPAD.bundleId, 'full');
    revocations.follow(defaultPolicy(), { ...defaultPolicy(), deny: [NOTEPAD.bundleId] });
    grants.grantApp(NOTEPAD.bundleId, 'click');
    expect(
      ['click', 'full'].map((tier) => grants.reach(NOTEPAD, null, tier as 'click' | 'full', 'control').result),
    ).toEqual(['within', 'ask']);
  });

  it('[grant.revoke] a flag that the policy gave and takes away is gone from the session too', () => {
    const revocations = new Revocations();
    const grants = new SessionGrants(() => defaultPolicy('control'), { revocations });
    for (const flag of ['displayCapture', 'prompts'] as const) grants.grantFlag(flag);
    revocations.follow({ ...defaultPolicy(), flags: ['displayCapture'] }, { ...defaultPolicy(), flags: [] });
    expect([grants.hasFlag('displayCapture'), grants.hasFlag('prompts')]).toEqual([false, true]);
  });

  it('[grant.revoke] past the limit of changes the oldest are forgotten, with what was granted before them', () => {
    const revocations = new Revocations();
    const grants = new SessionGrants(() => defaultPolicy('control'), { revocations });
    grants.grantApp(NOTEPAD.bundleId, 'full');
    const denies = (count: number): Policy => ({
      ...defaultPolicy(),
      deny: Array.from({ length: count }, (_, index) => `other-${index}.exe`),
    });
    revocations.follow(denies(0), denies(1000));
    expect(grants.reach(NOTEPAD, null, 'full', 'control').result).toBe('within');
    revocations.follow(denies(1000), denies(1001));
    expect(grants.reach(NOTEPAD, null, 'full', 'control').result).toBe('ask');
  });

  it('a window that an approved launch opened is full: this window alone', async () => {
    const world = testWorld({ app: TERMINAL, policy: { grants: [{ app: TERMINAL.bundleId, tier: 'read' }] } });
    expect(await tierAsked(world, (one) => passGate(subject(traits.keys(['enter'])), one))).toBe(true);
    world.grants.grantWindow('65552', 40, 'full');
    expect((await passGate(subject(traits.keys(['enter'])), world)).decision.result).toBe('execute');
    world.live = bound(TERMINAL, { pid: 41 });
    expect(await tierAsked(world, (one) => passGate(subject(traits.keys(['enter'])), one))).toBe(true);
    world.live = bound(TERMINAL, { hwnd: '1' });
    expect(await tierAsked(world, (one) => passGate(subject(traits.keys(['enter'])), one))).toBe(true);
  });

  it('[grant.flags] flags of policy and session, revocable', () => {
    const grants = grantsWith([]);
    expect(grants.hasFlag('systemKeyCombos')).toBe(false);
    grants.grantFlag('systemKeyCombos');
    expect([grants.hasFlag('systemKeyCombos'), grants.list().flags]).toEqual([true, ['systemKeyCombos']]);
    grants.revokeAll();
    expect(grants.hasFlag('systemKeyCombos')).toBe(false);
  });
});

describe('identity and deny list', () => {
  it('[grant.unknown] an unknown identity is refused, at every level and also for a look', async () => {
    for (const one of [traits.look(), traits.click(), traits.point(), traits.launch('whatever')]) {
      const world = testWorld();
      world.app = null;
      expect((await failure(passGate(subject(one), world))).code).toBe('app_not_granted');
      world.app = { bundleId: '', displayName: '', executable: null };
      expect((await failure(passGate(subject(one), world))).code).toBe('app_not_granted');
    }
  });

  it('the window that is hit counts, not the bound window', async () => {
    const world = testWorld({ app: NOTEPAD });
    world.app = CHROME;
    expect(await tierAsked(world, (one) => passGate(subject(traits.point()), one))).toBe(true);
  });

  it.each(['notepad.exe', 'NOTEPAD', 'C:\\Windows\\notepad.exe', 'c:/windows/notepad.exe'])(
    '[grant.deny] the entry %s denies it',
    async (entry) => {
      const world = testWorld({ policy: { deny: [entry], grants: [{ app: NOTEPAD.bundleId, tier: 'full' }] } });
      for (const one of [traits.look(), traits.click()])
        expect((await failure(passGate(subject(one), world))).code).toBe('blocked_by_policy');
    },
  );

  it('[grant.deny] a file name is denied in any folder, and packaged apps by identity', () => {
    expect(isDenied(at('D:\\Copy\\notepad.exe'), ['notepad.exe'])).toBe(true);
    expect(isDenied({ ...at('', 'c:\\tools\\keepass.exe'), executable: null }, ['keepass.exe'])).toBe(true);
    expect(isDenied(CALCULATOR, [CALCULATOR.bundleId.toLowerCase()])).toBe(true);
    expect(isDenied(CALCULATOR, ['calculatorapp.exe'])).toBe(true);
    expect(isDenied(NOTEPAD, ['otepad.exe', '', 'C:\\Other\\notepad.exe'])).toBe(false);
  });

  it.each(DENYING)('[grant.deny] %s names the program, however it is spelled', async (entry) => {
    const keep = at('C:\\Vault\\My Keeper.Safe.exe');
    expect(isDenied(keep, [entry])).toBe(true);
    const world = testWorld({ app: keep, policy: { deny: [entry], grants: [{ app: keep.bundleId, tier: 'full' }] } });
    for (const one of [traits.look(), traits.click()])
      expect((await failure(passGate(subject(one), world))).code).toBe('blocked_by_policy');
  });

  it.each(NOT_DENYING)('%s names another program', (entry) => {
    expect(isDenied(at('C:\\Vault\\My Keeper.Safe.exe'), [entry])).toBe(false);
  });

  it('[grant.display] a display picture needs the flag or an approval, at every level', async () => {
    for (const level of ['observe', 'control', 'full'] as const) {
      const world = testWorld({ policy: { level } });
      await passGate(subject(traits.display()), world);
      expect(world.cards[0]?.why).toEqual([
        { kind: 'display', text: expect.stringContaining('displayCapture') as string },
      ]);
      const withFlag = testWorld({ policy: { level, flags: ['displayCapture'] } });
      await passGate(subject(traits.display()), withFlag);
      expect(withFlag.cards).toEqual([]);
    }
  });

  it('[grant.display-named] with nothing bound and no display named it is not_bound without the flag, and no person is asked', async () => {
    const picture: ActionTraits = { ...traits.display(), binding: 'preferred' };
    for (const level of ['observe', 'control', 'full'] as const) {
      const world = testWorld({ policy: { level }, app: null });
      expect((await failure(passGate(subject(picture), world))).code).toBe('not_bound');
      expect(world.cards).toEqual([]);
      await passGate(subject(picture), testWorld({ policy: { level, flags: ['displayCapture'] }, app: null }));
    }
  });
});
