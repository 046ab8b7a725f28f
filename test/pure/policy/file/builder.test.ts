/** The policy builder, and the permission checker of the safety document. */
import { describe, expect, it } from 'vitest';
import { Policy, type Level } from '../../../../src/contract/gate/permissions.ts';
import { securityPolicy, SECURITY_PRESETS, toPolicy } from '../../../../src/policy/file/builder.ts';
import { checkComputerTool } from '../../../../src/policy/rights/computer-permission.ts';
import { passGate } from '../../../../src/policy/gate/gate.ts';
import { context, element, subject, testWorld, traits } from '../world.ts';

describe('builder', () => {
  it('the safety document’s example', () => {
    const policy = securityPolicy().withComputerPermission('observe').build();
    expect(policy).toMatchObject({ computer: 'observe', level: 'observe', alwaysAsk: [] });
    expect(Policy.parse(toPolicy(policy))).toEqual(toPolicy(policy));
  });

  it('[level.presets] presets', () => {
    expect(Object.entries(SECURITY_PRESETS).map(([name, policy]) => [name, policy.computer])).toEqual([
      ['safe', 'disabled'],
      ['balanced', 'control'],
      ['power', 'full'],
      ['developer', 'full'],
    ]);
    for (const policy of Object.values(SECURITY_PRESETS)) expect(policy.alwaysAsk).toEqual([]);
  });

  it('full runs without confirmation, even destructive actions', async () => {
    const world = testWorld({
      policy: toPolicy(securityPolicy().withComputerPermission('full').build()),
      seen: context(element('Button', 'Delete all')),
    });
    expect((await passGate(subject(traits.click('Delete all')), world)).decision).toMatchObject({
      result: 'execute',
      riskLevel: 'critical',
    });
  });

  it('[level.unknown] without a permission, or with an unknown permission, it is disabled', () => {
    expect(securityPolicy().build().level).toBe('disabled');
    expect(
      securityPolicy()
        .withComputerPermission('everything' as Level)
        .build().level,
    ).toBe('disabled');
    expect(
      securityPolicy()
        .withPreset('toString' as 'safe')
        .build().level,
    ).toBe('disabled');
  });

  it('each call gives a builder of its own', () => {
    const base = securityPolicy().withPreset('balanced');
    const strict = base
      .withGrant('notepad.exe', 'full')
      .withFlags('clipboardRead', 'clipboardRead')
      .withDenied('x.exe')
      .withAlwaysAsk('financial')
      .withElementsOnly();
    expect(
      base.withPages('https://a.example').withPages('https://b.example/x').withCoordinateProposals().build(),
    ).toMatchObject({ pages: ['https://a.example', 'https://b.example/x'], coordinateProposals: true });
    expect(() => base.withPages('a.example')).toThrow('not a page address');
    expect(base.build()).toMatchObject({ pages: null, coordinateProposals: false });
    expect(base.build()).toMatchObject({ grants: [], flags: [], deny: [], alwaysAsk: [], elementsOnly: false });
    expect(strict.build()).toMatchObject({
      level: 'control',
      grants: [{ app: 'notepad.exe', tier: 'full' }],
      flags: ['clipboardRead'],
      deny: ['x.exe'],
      alwaysAsk: ['financial'],
      elementsOnly: true,
    });
  });
});

describe('permission checker of the safety document', () => {
  const tools = ['screenshot', 'pointer_move', 'click', 'keypress', 'type'] as const;
  it.each([
    ['disabled', '-----'],
    ['observe', '+----'],
    ['control', '+????'],
    ['full', '+++++'],
  ] as const)('%s: %s', (level, row) => {
    expect(
      tools
        .map((tool) => {
          const answer = checkComputerTool(level, tool);
          expect(answer.riskTags).toEqual(answer.requiresConfirmation ? ['computer:input'] : []);
          return answer.isAllowed ? (answer.requiresConfirmation ? '?' : '+') : '-';
        })
        .join(''),
    ).toBe(row);
  });

  it('[risk.pointer] risk of each tool', () => {
    expect(tools.map((tool) => checkComputerTool('control', tool).riskLevel)).toEqual(
      'low high high high high'.split(' '),
    );
    expect(checkComputerTool('what' as Level, 'click')).toMatchObject({ isAllowed: false });
  });
});
