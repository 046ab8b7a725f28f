/** The templates for Group Policy: what is generated is whole, and each kind of damage is found. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { templateProblems } from '../../../scripts/lib/admx-check.ts';
import { admx, adml, schemaOf } from '../../../scripts/lib/policy-templates.ts';
import { TEXTS, type Language } from '../../../scripts/lib/policy-texts.ts';
import { policyJsonSchema } from '../../../src/policy/file/policy-file.ts';
import { POLICY_KEY, REGISTRY_VALUES } from '../../../src/policy/file/registry-values.ts';
import { wordsOf } from '../../support/words.ts';

const LANGUAGES: readonly Language[] = ['en-US', 'de-DE'];
const texts = (): Record<string, string> => Object.fromEntries(LANGUAGES.map((language) => [language, adml(language)]));

/** Paths of everything that the policy's schema has, without what is not the administrator's to set. */
function fields(): string[] {
  const { properties } = policyJsonSchema() as { properties: Record<string, { properties?: object }> };
  return Object.entries(properties)
    .filter(([name]) => !['$schema', 'source'].includes(name))
    .flatMap(([name, schema]) => pathsOf(name, schema));
}

function pathsOf(name: string, { properties }: { properties?: object }): string[] {
  if (properties === undefined) return [name];
  return Object.entries(properties).flatMap(([below, schema]) => pathsOf(`${name}.${below}`, schema as object));
}

describe('the table of registry values', () => {
  it('has each part of the policy, and each setting of hosts, once', () => {
    const named = REGISTRY_VALUES.map(({ field }) => field);
    expect(named.toSorted()).toEqual(fields().toSorted());
    expect(new Set(REGISTRY_VALUES.map(({ name }) => name.toLowerCase())).size).toBe(REGISTRY_VALUES.length);
  });

  it('gives each part the kind that its schema needs', () => {
    const kindOf = (field: string): string => {
      const schema = schemaOf(field);
      if (schema['type'] === 'boolean') return 'switch';
      if (schema['type'] === 'integer') return 'number';
      if (schema['enum'] !== undefined) return 'choice';
      if (schema['items'] === undefined) return 'text';
      const items = schema['items'] as { enum?: unknown; type?: string };
      return items.enum !== undefined
        ? 'set'
        : items.type === 'object'
          ? field === 'grants'
            ? 'grants'
            : 'tokens'
          : 'list';
    };
    for (const { field, kind, name } of REGISTRY_VALUES) expect([name, kind]).toEqual([name, kindOf(field)]);
  });
});

describe('the templates', () => {
  it('break no rule of the format', () => expect(templateProblems(admx(), texts())).toEqual([]));

  it('take bounds and choices from the schema', () => {
    const { minimum, maximum } = schemaOf('limits.maxActions');
    expect(admx()).toContain(`valueName="MaxActions" minValue="${minimum}" maxValue="${maximum}"`);
    for (const level of schemaOf('level')['enum'] as string[]) expect(admx()).toContain(`<string>${level}</string>`);
  });

  it('write only below the policies’ branch, machine settings for the machine alone', () => {
    expect(
      new Set([...admx().matchAll(/\bkey="([^"]+)"/g)].map(([, key]) => key!.split('\\').slice(0, 3).join('\\'))),
    ).toEqual(new Set([POLICY_KEY]));
    expect([...admx().matchAll(/policy name="(\w+)" class="Machine"/g)].map(([, name]) => name)).toEqual(wordsOf`
      AuditDays PictureDays SessionDays Address Port AllowRemote Names TlsKey TlsCertificate TlsPfx TlsPassphraseFile
      Users Groups OnDemand ApproverAddress ApproverName ApproverKey ApproverSecretFile
      ApproverWaitMs ApproverPictures CollectorAddress CollectorHeadersFile CollectorTitles Fleet FleetDrain
      FleetOnlyWhenIdle FleetPools FleetOrchestrators FleetLedger NotificationIcon Tokens TokensNotBefore
    `);
  });

  it('explain each setting in each language', () => {
    for (const language of LANGUAGES)
      for (const { name, isUnused } of REGISTRY_VALUES) {
        if (isUnused === true || name === 'Sessions') continue;
        const [title, , help] = TEXTS[language].values[name]!;
        expect(title.length).toBeGreaterThan(5);
        expect(help.length).toBeGreaterThan(30);
        expect(adml(language)).toContain(TEXTS[language].narrows);
      }
  });

  it('are committed as they are generated', () => {
    const file = (name: string): string =>
      readFileSync(new URL(`../../../installer/policy/${name}`, import.meta.url), 'utf8');
    expect(file('uiahost.admx')).toBe(admx());
    for (const language of LANGUAGES) expect(file(`${language}/uiahost.adml`)).toBe(adml(language));
  });
});

describe('the checks of the templates find', () => {
  const damaged = (change: (admxText: string, admlText: string) => [string, string]): string[] => {
    const [one, other] = change(admx(), adml('en-US'));
    return templateProblems(one, { 'en-US': other });
  };
  const cases: Array<[string, RegExp, (admxText: string, admlText: string) => [string, string]]> = [
    ['a string that is missing', /string Level is missing/, (a, b) => [a, b.replace(/ *<string id="Level">.*\n/, '')]],
    [
      'a string that nothing shows',
      /nothing shows the string Extra/,
      (a, b) => [a, b.replace('<stringTable>', '<stringTable><string id="Extra">x</string>')],
    ],
    [
      'a presentation that is missing',
      /presentation Port is missing/,
      (a, b) => [a, b.replace('presentation id="Port"', 'presentation id="Other"')],
    ],
    [
      'a field that is not shown',
      /Flags: its fields/,
      (a, b) => [a, b.replace(/ *<checkBox refId="Flags_prompts">.*\n/, '')],
    ],
    [
      'a value that two policies write',
      /written twice/,
      (a, b) => [a.replace('valueName="Port"', 'valueName="Level"'), b],
    ],
    [
      'a key elsewhere',
      /not below Software/,
      (a, b) => [a.replace(/key="Software\\Policies\\uiahost"/, 'key="Software\\uiahost"'), b],
    ],
    [
      'an unknown category',
      /unknown category/,
      (a, b) => [a.replace('parentCategory ref="rights"', 'parentCategory ref="none"'), b],
    ],
    ['two policies of one name', /two policies/, (a, b) => [a.replace('policy name="Deny"', 'policy name="Level"'), b]],
  ];
  it.each(cases)('%s', (_what, expected, change) => expect(damaged(change).join('\n')).toMatch(expected));
});
