// The table _Validation of an MSI: what each column may hold, which tools that edit or check MSI files read
// (learn.microsoft.com/windows/win32/msi/-validation-table). wixl writes none. Made of the tables themselves and of the categories
// that each table's page there names.

/** Text columns by their name, where every table here means the same by it. */
const COLUMNS = {
  Action: 'Identifier',
  Arguments: 'Formatted',
  Component_: 'Identifier',
  Condition: 'Condition',
  Data: 'Binary',
  Description: 'Text',
  Directory_: 'Identifier',
  DirProperty: 'Identifier',
  DisplayName: 'Formatted',
  Feature_: 'Identifier',
  File_: 'Identifier',
  FileName: 'Filename',
  Icon_: 'Identifier',
  Name: 'Formatted',
  Property: 'Identifier',
  Signature_: 'Identifier',
  Value: 'Formatted',
};

/** The others, by table. */
const CATEGORIES = {
  ActionText: { Template: 'Template' },
  Binary: { Name: 'Identifier' },
  Component: { ComponentId: 'Guid', KeyPath: 'Identifier' },
  CustomAction: { Source: 'CustomSource', Target: 'Formatted' },
  Directory: { Directory_Parent: 'Identifier', DefaultDir: 'DefaultDir' },
  DrLocator: { Parent: 'Identifier', Path: 'AnyPath' },
  Environment: { Name: 'Text' },
  Error: { Message: 'Template' },
  Feature: { Feature_Parent: 'Identifier', Title: 'Text', Directory_: 'UpperCase' },
  File: { Version: 'Version', Language: 'Language' },
  Icon: { Name: 'Identifier' },
  IniFile: { Section: 'Formatted', Key: 'Formatted' },
  LaunchCondition: { Description: 'Formatted' },
  Media: { DiskPrompt: 'Text', Cabinet: 'Cabinet', VolumeLabel: 'Text', Source: 'Property' },
  MsiLockPermissionsEx: { LockObject: 'Identifier', Table: 'Text', SDDLText: 'FormattedSDDLText' },
  MsiServiceConfigFailureActions: {
    RebootMessage: 'Formatted',
    Command: 'Formatted',
    Actions: 'Text',
    DelayActions: 'Text',
  },
  Property: { Value: 'Text' },
  Registry: { Key: 'RegPath' },
  RegLocator: { Key: 'RegPath' },
  RemoveFile: { FileKey: 'Identifier', FileName: 'WildCardFilename' },
  RemoveIniFile: { Section: 'Formatted', Key: 'Formatted' },
  ServiceInstall: {
    LoadOrderGroup: 'Formatted',
    Dependencies: 'Formatted',
    StartName: 'Formatted',
    Password: 'Formatted',
  },
  Shortcut: {
    Name: 'Filename',
    Target: 'Shortcut',
    WkDir: 'Identifier',
    DisplayResourceDLL: 'Formatted',
    DescriptionResourceDLL: 'Formatted',
  },
  Signature: { FileName: 'Text', MinVersion: 'Text', MaxVersion: 'Text', Languages: 'Language' },
  Upgrade: {
    UpgradeCode: 'Guid',
    VersionMin: 'Text',
    VersionMax: 'Text',
    Language: 'Text',
    Remove: 'Formatted',
    ActionProperty: 'UpperCase',
  },
};

/** Columns that name a row of another table, by that table's key. */
const KEYS = {
  Component_: 'Component',
  Directory_: 'Directory',
  Directory_Parent: 'Directory',
  Feature_: 'Feature',
  Feature_Parent: 'Feature',
  File_: 'File',
  Icon_: 'Icon',
};
const BOUNDS = { 2: 32_767, 4: 2_147_483_647 };

const columns = [
  'Table',
  'Column',
  'Nullable',
  'MinValue',
  'MaxValue',
  'KeyTable',
  'KeyColumn',
  'Category',
  'Set',
  'Description',
];

/** The category of a text column; undefined where none is known. */
const categoryOf = (table, column) =>
  CATEGORIES[table]?.[column] ?? (column === table ? 'Identifier' : COLUMNS[column]);

/** @returns {Record<string, string>} */
function rowOf(table, column, type) {
  const [, letter = '', size = ''] = /^(\w)(\d+)$/.exec(type) ?? [];
  const row = { Table: table, Column: column, Nullable: letter === letter.toUpperCase() ? 'Y' : 'N' };
  if (/i/i.test(letter)) return { ...row, MinValue: String(-BOUNDS[size]), MaxValue: String(BOUNDS[size]) };
  const category = categoryOf(table, column);
  if (category === undefined) throw new Error(`validation.mjs has no category for ${table}.${column}.`);
  const key = KEYS[column];
  return { ...row, ...(key === undefined ? {} : { KeyTable: key, KeyColumn: '1' }), Category: category };
}

/**
 * @param {Record<string, import('./read.mjs').Table>} tables
 * @returns {import('./read.mjs').Table}
 */
export function validationTable(tables) {
  const rows = Object.entries(tables)
    .filter(([name]) => !name.startsWith('_'))
    .flatMap(([name, table]) => table.columns.map((column, index) => rowOf(name, column, table.types[index] ?? '')));
  return {
    columns,
    types: ['s32', 's32', 's4', 'I4', 'I4', 'S255', 'I2', 'S32', 'S255', 'S255'],
    keys: ['Table', 'Column'],
    rows,
  };
}
