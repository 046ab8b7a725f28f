/** The checks of the MSI's tables, on tables as wixl makes them: whole ones pass, and each kind of damage is found. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tableProblems } from '../../../scripts/lib/package/msi/check.mjs';
import { conditionProblem, formattedProblem } from '../../../scripts/lib/package/msi/grammar.mjs';
import { finishedTables, properties, refusals, UPGRADE_CODE } from '../../../scripts/lib/package/msi/tables.mjs';
import { validationTable } from '../../../scripts/lib/package/msi/validation.mjs';
import { APPROVE_BY_API } from '../../../src/contract/process/doctor.ts';
import { ADMINISTRATORS, readDescriptor, SYSTEM, untrustedWriters } from '../../../src/win32/system/descriptor.ts';
import { descriptor } from '../../support/descriptors.ts';
import { phrasesOf } from '../../support/words.ts';

type Row = Record<string, string>;
interface Table {
  readonly columns: string[];
  readonly types: string[];
  readonly keys: string[];
  readonly rows: Row[];
}
type Tables = Record<string, Table>;

const table = (columns: Record<string, string>, rows: Row[], keys = 1): Table => ({
  columns: Object.keys(columns),
  types: Object.values(columns),
  keys: Object.keys(columns).slice(0, keys),
  rows,
});

const GUID = (digit: string): string => `{${digit.repeat(8)}-1111-5111-8111-111111111111}`;

/** What wixl writes for product.wxs and one more file, as far as the checks look at it. */
function wholeTables(): Tables {
  const made: Tables = {
    Property: table({ Property: 's72', Value: 'l0' }, [
      { Property: 'ProductCode', Value: GUID('A') },
      { Property: 'UpgradeCode', Value: `{${UPGRADE_CODE}}` },
      { Property: 'ProductVersion', Value: '0.1.0' },
      { Property: 'ProductName', Value: 'uiahost' },
      { Property: 'ProductLanguage', Value: '1033' },
      { Property: 'Manufacturer', Value: 'uiahost' },
      { Property: 'ALLUSERS', Value: '1' },
      { Property: 'REINSTALLMODE', Value: 'amus' },
      { Property: 'SecureCustomProperties', Value: 'WIX_DOWNGRADE_DETECTED;WIX_UPGRADE_DETECTED' },
    ]),
    Directory: table({ Directory: 's72', Directory_Parent: 'S72', DefaultDir: 'l255' }, [
      { Directory: 'TARGETDIR', Directory_Parent: '', DefaultDir: 'SourceDir' },
      { Directory: 'INSTALLDIR', Directory_Parent: 'TARGETDIR', DefaultDir: 'uiahost' },
    ]),
    Component: table(
      { Component: 's72', ComponentId: 'S38', Directory_: 's72', Attributes: 'i2', Condition: 'S255', KeyPath: 'S72' },
      [
        component('Program', 'B', '256', 'uiahost.exe'),
        component('Settings', 'E', '260', 'reg0'),
        component('Path', 'C', '260', 'reg1'),
        component('Readme', 'D', '256', 'readme'),
      ],
    ),
    Registry: table({ Registry: 's72', Root: 'i2', Key: 'l255', Name: 'L255', Value: 'L0', Component_: 's72' }, [
      { Registry: 'reg0', Root: '2', Key: 'SOFTWARE\\uiahost', Name: 'Port', Value: '1', Component_: 'Settings' },
      { Registry: 'reg1', Root: '2', Key: 'SOFTWARE\\uiahost', Name: 'OnPath', Value: '1', Component_: 'Path' },
    ]),
    File: table({ File: 's72', Component_: 's72', FileName: 'l255', FileSize: 'i4', Version: 'S72', Language: 'S20' }, [
      { File: 'uiahost.exe', Component_: 'Program', FileName: 'uiahost.exe', FileSize: '1', Version: '24.0.0.0' },
      { File: 'readme', Component_: 'Readme', FileName: 'README.md', FileSize: '1', Version: '' },
    ]),
    MsiFileHash: table({ File_: 's72', Options: 'i2' }, [{ File_: 'readme', Options: '0' }]),
    FeatureComponents: table(
      { Feature_: 's38', Component_: 's72' },
      ['Program', 'Settings', 'Path', 'Readme'].map((name) => ({ Feature_: 'Main', Component_: name })),
      2,
    ),
    AppSearch: table(
      { Property: 's72', Signature_: 's72' },
      ['PORT', 'LEVEL', 'INSTALLDIR', 'STARTSERVICE', 'ADDTOPATH'].map((name) => ({
        Property: `SAVED${name}`,
        Signature_: `Saved${name}`,
      })),
      2,
    ),
    ServiceControl: table({ ServiceControl: 's72', Name: 'l255', Event: 'i2', Component_: 's72' }, [
      { ServiceControl: 'ServiceControl', Name: 'uiahost', Event: '163', Component_: 'Program' },
    ]),
    Upgrade: table(
      { UpgradeCode: 's38', VersionMin: 'S20', VersionMax: 'S20', Attributes: 'i4', ActionProperty: 's72' },
      [upgrade('', '0.1.0', '1', 'WIX_UPGRADE_DETECTED'), upgrade('0.1.0', '', '2', 'WIX_DOWNGRADE_DETECTED')],
      4,
    ),
    LaunchCondition: table({ Condition: 's255', Description: 'l255' }, [
      { Condition: 'NOT WIX_DOWNGRADE_DETECTED', Description: 'A newer version is installed.' },
    ]),
    CustomAction: table({ Action: 's72', Type: 'i2', Source: 'S72', Target: 'S255' }, []),
    InstallExecuteSequence: table({ Action: 's72', Condition: 'S255', Sequence: 'I2' }, SEQUENCE()),
    InstallUISequence: table({ Action: 's72', Condition: 'S255', Sequence: 'I2' }, [
      { Action: 'AppSearch', Condition: '', Sequence: '50' },
      { Action: 'LaunchConditions', Condition: '', Sequence: '100' },
    ]),
  };
  // a copy: a test may damage it
  const tables: Tables = structuredClone({ ...made, ...(finishedTables(made) as Tables) });
  return { ...tables, _Validation: validationTable(tables) as Table };
}

const component = (name: string, digit: string, attributes: string, keyPath: string): Row => ({
  Component: name,
  ComponentId: GUID(digit),
  Directory_: 'INSTALLDIR',
  Attributes: attributes,
  Condition: '',
  KeyPath: keyPath,
});
const upgrade = (min: string, max: string, attributes: string, property: string): Row => ({
  UpgradeCode: `{${UPGRADE_CODE}}`,
  VersionMin: min,
  VersionMax: max,
  Attributes: attributes,
  ActionProperty: property,
});
/** The places that wixl gives the standard actions. */
const STANDARD =
  'FindRelatedProducts 25 AppSearch 50 LaunchConditions 100 CostInitialize 800 FileCost 900 CostFinalize 1000 ' +
  'InstallValidate 1400 RemoveExistingProducts 1401 InstallInitialize 1500 ProcessComponents 1600 ' +
  'StopServices 1900 DeleteServices 2000 RemoveRegistryValues 2600 RemoveFiles 3500 CreateFolders 3700 ' +
  'InstallFiles 4000 WriteRegistryValues 5000 InstallServices 5800 StartServices 5900 RegisterProduct 6100 ' +
  'PublishProduct 6400 InstallFinalize 6600';
const SEQUENCE = (): Row[] =>
  [...STANDARD.matchAll(/(\w+) (\d+)/g)].map(([, Action = '', Sequence = '']) => ({ Action, Condition: '', Sequence }));

describe('the checks of the tables', () => {
  it('find nothing in whole tables', () => expect(tableProblems(wholeTables())).toEqual([]));

  const row = (tables: Tables, name: string, column: string, value: string): Row =>
    tables[name]!.rows.find((each) => each[column] === value)!;
  /** The column that names a row. */
  const NAMES: Record<string, string> = {
    CustomAction: 'Action',
    DrLocator: 'Signature_',
    InstallExecuteSequence: 'Action',
    Upgrade: 'ActionProperty',
  };
  const [RUNS, ACTS] = ['InstallExecuteSequence', 'CustomAction'] as const;
  const set = (name: string, key: string, column: string, value: string) => (t: Tables) =>
    (row(t, name, NAMES[name] ?? name, key)[column] = value);
  const damages: Array<[ice: string, what: string, damage: (tables: Tables) => void]> = [
    ['ICE02', 'a key path that is another component’s', set('Component', 'Readme', 'KeyPath', 'uiahost.exe')],
    ['ICE02', 'a service that is not stopped', (t) => (t['ServiceControl']!.rows[0]!['Event'] = '1')],
    ['ICE03', 'a folder that is not defined', set('Component', 'Readme', 'Directory_', 'ELSEWHERE')],
    ['ICE03', 'a row of an undefined component', (t) => (t['ServiceControl']!.rows[0]!['Component_'] = 'None')],
    ['ICE03', 'a long name without a short one', set('File', 'readme', 'FileName', 'THIRD-PARTY.txt')],
    ['ICE03', 'a value of the wrong type', (t) => (t[RUNS]!.rows[0]!['Sequence'] = 'first')],
    ['ICE03', 'a value that is too long', (t) => (t[ACTS]!.rows[0]!['Target'] = 'x'.repeat(256))],
    ['ICE03', 'a condition with an integer that is too large', set(RUNS, 'WrongLEVEL', 'Condition', 'PORT <= 65535')],
    ['ICE03', 'a text with a property that nothing sets', set(ACTS, 'WrongLEVEL', 'Target', 'LEVEL is [LEVLE].')],
    ['ICE03', 'a folder looked for on every drive', set('DrLocator', 'GivenFolder', 'Path', '[INSTALLDIR]')],
    ['ICE03', 'a path that is set in one case alone', set(RUNS, 'LookForNoFolder', 'Sequence', '90')],
    ['ICE03', 'a column that _Validation does not describe', (t) => t['_Validation']!.rows.shift()],
    ['ICE03', 'two rows of one key', (t) => t['File']!.rows.push(t['File']!.rows[0]!)],
    ['ICE08', 'one id for two components', set('Component', 'Readme', 'ComponentId', GUID('B'))],
    ['ICE21', 'a component of no feature', (t) => t['FeatureComponents']!.rows.pop()],
    ['ICE24', 'a product code in small letters', set('Property', 'ProductCode', 'Value', GUID('a'))],
    [
      'ICE24',
      'a version that is too large',
      (t) => {
        row(t, 'Property', 'Property', 'ProductVersion')['Value'] = '0.256.0';
        t['Upgrade']!.rows[0]!['VersionMax'] = '0.256.0';
        t['Upgrade']!.rows[1]!['VersionMin'] = '0.256.0';
      },
    ],
    ['ICE60', 'a version and a hash', set('File', 'readme', 'Version', '1.0.0.0')],
    ['ICE61', 'a property that is not handed on', set('Property', 'SecureCustomProperties', 'Value', 'PORT')],
    ['ICE60', 'a key path with an optional version', set('Property', 'REINSTALLMODE', 'Value', 'omus')],
    ['ICE61', 'an upgrade that leaves the same version', set('Upgrade', 'WIX_UPGRADE_DETECTED', 'Attributes', '1')],
    [
      'ICE61',
      'a search by the window’s part whose answer does not reach the part that installs',
      (t) => t['InstallUISequence']!.rows.push({ Action: 'AppSearch', Condition: '', Sequence: '50' }),
    ],
    ['ICE61', 'an upgrade that removes newer versions', (t) => (t['Upgrade']!.rows[0]!['VersionMax'] = '9.0.0')],
    ['ICE77', 'files that go before their service stops', set(RUNS, 'StopServices', 'Sequence', '3600')],
    ['ICE77', 'a deferred action outside the transaction', set(RUNS, 'CheckPORT', 'Sequence', '1200')],
    ['ICE77', 'a removal outside the transaction', set(RUNS, 'RemoveExistingProducts', 'Sequence', '1401')],
    ['ICE80', 'a component that is not 64-bit', set('Component', 'Readme', 'Attributes', '0')],
    ['ICE80', 'an action that is a script', set(ACTS, 'ShowInstallLocation', 'Type', '38')],
  ];
  it.each(damages)('%s: %s', (ice, _what, damage) => {
    const tables = wholeTables();
    damage(tables);
    const found = tableProblems(tables);
    expect(found.length).toBeGreaterThan(0);
    expect(
      found.every((line) => line.startsWith(`${ice}:`)),
      found.join('\n'),
    ).toBe(true);
  });
});

describe('the table _Validation', () => {
  it('has each column of each table, with what it may hold', () => {
    const { _Validation: validation, ...tables } = wholeTables();
    const expected = Object.entries(tables).flatMap(([name, { columns }]) => columns.map((each) => `${name}.${each}`));
    expect(validation!.rows.map((each) => `${each['Table']}.${each['Column']}`)).toEqual(expected);
    expect(validation!.rows.every((each) => Boolean(each['Category']) !== Boolean(each['MaxValue']))).toBe(true);
    const described = (name: string, column: string): Row | undefined =>
      validation!.rows.find((each) => each['Table'] === name && each['Column'] === column);
    expect(described('Component', 'Directory_')).toMatchObject({
      Nullable: 'N',
      KeyTable: 'Directory',
      KeyColumn: '1',
      Category: 'Identifier',
    });
    expect(described('InstallExecuteSequence', 'Sequence')).toMatchObject({ Nullable: 'Y', MaxValue: '32767' });
  });

  it('is not made for a column of an unknown kind', () => {
    expect(() => validationTable({ Other: table({ Other: 's72', Kind: 's9' }, []) })).toThrow('Other.Kind');
  });
});

describe('conditions and formatted texts', () => {
  const known = new Set(['PORT', 'LEVEL', 'INSTALLDIR', '#uiahost.exe']);
  it.each([
    ['PORT <= 65535', /beyond ±32767/],
    ['PORT = -40000', /beyond/],
    ['PROT = "7423"', /nothing sets the property PROT/],
    ['PORT = ', /expected a value, found the end/],
    ['PORT == "1"', /expected a value, found =/],
    ["PORT = '1'", /cannot be read/],
    ['PORT + 1 = 2', /cannot be read/],
    ['(PORT', /closing bracket/],
    ['PORT LEVEL', /goes on with LEVEL/],
    ['NOT NOT PORT', /expected a value, found NOT/],
    ['PORT AND', /expected a value/],
    ['PORT < "7"', /orders integers/],
    ['PORT ~= 7', /compares texts/],
    ['PORT << "7"', /compares bits/],
    [`${'L'.repeat(73)} = "1"`, /nothing sets|goes on/],
  ])('the condition %s is refused', (condition, problem) => {
    expect(conditionProblem(condition, known)).toMatch(problem);
  });

  it.each([
    'Installed OR VersionNT >= 603',
    'NOT REMOVE ~= "ALL" AND NOT (LEVEL << "c" or INSTALLDIR >< ":\\")',
    '%TEMP',
  ])('the condition %s is documented', (condition) => expect(conditionProblem(condition, known)).toBeUndefined());

  it.each([
    ['[PROT]', /names nothing/],
    ['[#other.exe]', /names nothing/],
    ['[PORT', /square bracket/],
    ['PORT]', /square bracket/],
    ['[PORT NUMBER]', /none of the documented forms/],
    ['{[PORT]', /curly brace/],
    ['}[PORT]{', /curly brace/],
  ])('the text %s is refused', (text, problem) => expect(formattedProblem(text, known)).toMatch(problem));

  it.each(phrasesOf`
    "[INSTALLDIR]dist\x.mjs" run | [#uiahost.exe] {{Command: [4]}} | 1[~]2 | [\[]literal[\]] | [%TEMP]
  `)('the text %s is documented', (text) => expect(formattedProblem(text, known)).toBeUndefined());

  it('those in product.wxs are documented too', () => {
    const source = readFileSync(new URL('../../../installer/product.wxs', import.meta.url), 'utf8');
    const conditions = [...source.matchAll(/<Condition[^>]*>([^<]*)<\/Condition>/g)].map(([, text = '']) =>
      text.replaceAll('&gt;', '>').replaceAll('&lt;', '<'),
    );
    expect(conditions).toHaveLength(4);
    for (const condition of conditions)
      expect(
        conditionProblem(
          condition,
          new Set(['WINDOWSMAJOR', 'GERMAN', 'WIX_DOWNGRADE_DETECTED', ...properties.map(({ name }) => name)]),
        ),
      ).toBeUndefined();
  });
});

describe('[package.msi.values] refusals of the MSI', () => {
  it('names the property and its value for each that may be wrong', () => {
    const named = refusals.map(({ text }) => /^([A-Z]+) is "\[[A-Z]+\]"/.exec(text)?.[1]);
    expect(new Set(named)).toEqual(new Set(properties.map(({ name }) => name)));
    for (const { text, german } of refusals) {
      expect(text).toMatch(/^.{1,234}Nothing was changed\.$/);
      // In German where the person's Windows is German: the same property, as short.
      expect(german).toMatch(new RegExp(`^${text.split(' ')[0]} ist .{1,225}Es wurde nichts geändert\\.$`));
    }
  });

  it('ends before anything has changed, with one message', () => {
    const { InstallExecuteSequence, CustomAction } = wholeTables();
    const at = (action: string): number =>
      Number(InstallExecuteSequence!.rows.find(({ Action }) => Action === action)?.['Sequence']);
    for (const { name } of refusals) {
      expect(at(name)).toBeLessThan(at('Refuse'));
      // The first that fits is shown, so German comes before English.
      expect(at(`${name}German`)).toBeLessThan(at(name));
    }
    expect(at('SpeakGerman')).toBeLessThan(at('NameDowngradeGerman'));
    expect(at('Refuse')).toBeLessThan(at('CostInitialize'));
    expect(CustomAction!.rows.find(({ Action }) => Action === 'Refuse')).toMatchObject({
      Type: '19',
      Target: '[REFUSAL]',
    });
  });

  it('[approval.server] names on a Server edition the line that allows approvals there', () => {
    const { CustomAction, InstallExecuteSequence } = wholeTables();
    const named = CustomAction!.rows.find(({ Action }) => Action === 'NameServerApprovals');
    const line = APPROVE_BY_API.slice(APPROVE_BY_API.indexOf('reg add'));
    expect(named).toMatchObject({ Type: '51', Source: 'APPROVALS', Target: expect.stringContaining(line) as unknown });
    expect(InstallExecuteSequence!.rows.find(({ Action }) => Action === 'NameServerApprovals')?.['Condition']).toMatch(
      /MsiNTProductType > 1$/,
    );
  });

  it('hands no token and no secret to a program', () => {
    const { CustomAction } = wholeTables();
    for (const { Target } of CustomAction!.rows) expect(Target).not.toMatch(/token|secret|password/i);
  });
});

describe('rights of users over an installation', () => {
  it('[package.msi.folder] its folder can be changed by the system and administrators alone', () => {
    const { MsiLockPermissionsEx } = wholeTables();
    expect(MsiLockPermissionsEx!.rows).toHaveLength(1);
    const [{ LockObject, Table: table, SDDLText } = {} as Row] = MsiLockPermissionsEx!.rows;
    expect([LockObject, table]).toEqual(['INSTALLDIR', 'CreateFolder']);
    // nothing is inherited from a folder above that users can write
    expect(SDDLText).toMatch(/^D:P/);
    const trusted = new Set([SYSTEM, ADMINISTRATORS]);
    expect(untrustedWriters(readDescriptor(descriptor(`O:BA${SDDLText}`)), trusted)).toEqual([]);
    // … which this finds
    expect(untrustedWriters(readDescriptor(descriptor(`O:BA${SDDLText}(A;;0x1301bf;;;BU)`)), trusted)).toEqual([
      'S-1-5-32-545',
    ]);
  });

  it('[package.msi.user-repair] each property that reaches the elevated part is refused to a user for an installed product', () => {
    for (const { name } of properties) {
      if (name === 'INSTALLDIR') continue;
      const refusal = refusals.find((each) => each.name === `User${name}`);
      expect(refusal?.condition, name).toMatch(/^RestrictedUserControl AND Installed AND /);
      expect(refusal?.condition, name).toContain(name);
    }
    // the folder of an installed product is not to be changed
    expect(refusals.find(({ name }) => name === 'OtherINSTALLDIR')?.condition).toMatch(/^Installed AND /);
  });

  it('[package.msi.user-repair] no program of the package runs with the system’s rights in a repair by a user', () => {
    const { CustomAction, InstallExecuteSequence } = wholeTables();
    const programs = CustomAction!.rows.filter(({ Type }) => (Number(Type) & 63) === 18);
    expect(programs.length).toBeGreaterThan(5);
    for (const { Action } of programs) {
      const condition = InstallExecuteSequence!.rows.find((each) => each['Action'] === Action)?.['Condition'] ?? '';
      expect(condition, Action).toMatch(/AND NOT \(Installed AND RestrictedUserControl\)|REMOVE ~= "ALL"( AND|$)/);
      expect(condition, Action).not.toBe('');
    }
  });

  it('[package.msi.user-repair] nothing that is installed follows from the environment of the user who repairs', () => {
    for (const [name, table] of Object.entries(wholeTables()))
      for (const each of table.rows) for (const value of Object.values(each)) expect(value, name).not.toContain('[%');
    expect(readFileSync(new URL('../../../installer/product.wxs', import.meta.url), 'utf8')).not.toContain('"[%');
  });

  it('too little space ends it before anything has changed', () => {
    const { InstallExecuteSequence, CustomAction } = wholeTables();
    const at = (action: string): number =>
      Number(InstallExecuteSequence!.rows.find(({ Action }) => Action === action)?.['Sequence']);
    expect([at('CostFinalize'), at('NoSpace'), at('RefuseLate'), at('InstallValidate')]).toEqual(
      [at('CostFinalize'), at('NoSpace'), at('RefuseLate'), at('InstallValidate')].toSorted((a, b) => a - b),
    );
    expect(at('NoSpace')).toBeLessThan(at('RefuseLate'));
    expect(CustomAction!.rows.find(({ Action }) => Action === 'RefuseLate')).toMatchObject({ Type: '19' });
  });
});
