// Checks an MSI as Windows Installer's own validation (ICE) would, and that its cabinet unpacks to what was put in. Each
// check is named by the ICE whose subject it is: learn.microsoft.com/windows/win32/msi/ice-reference
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { filesBelow } from './files.mjs';
import { grammarProblems } from './grammar.mjs';
import { properties } from './tables.mjs';

const exec = promisify(execFile);
const GUID = /^\{[0-9A-F]{8}-([0-9A-F]{4}-){3}[0-9A-F]{12}\}$/;
const SHORT = /^[^ .|]{1,8}(\.[^ .|]{1,3})?$/;

/** Attributes of a component: learn.microsoft.com/windows/win32/msi/component-table */
const REGISTRY_KEY_PATH = 4;
const IS_64_BIT = 256;
/** Attribute of a row in Upgrade. */
const MAX_INCLUSIVE = 0x200;
/** Types of custom actions that run a program which the installation brings. */
const INSTALLED_PROGRAM = 18;
const SET_PROPERTY = 51;
const IN_SCRIPT = 0x400;
const ROLLBACK_ONLY = 0x100;

/**
 * What is wrong with the tables, one line each.
 * @param {Record<string, import('./read.mjs').Table>} tables
 * @returns {string[]}
 */
export function tableProblems(tables) {
  const rows = (name) => tables[name]?.rows ?? [];
  const problems = [];
  const no = (ice, text) => problems.push(`${ice}: ${text}`);
  const property = Object.fromEntries(rows('Property').map(({ Property, Value }) => [Property, Value]));
  const components = new Map(rows('Component').map((row) => [row.Component, row]));
  const files = new Set(rows('File').map(({ File }) => File));
  const registry = new Map(rows('Registry').map((row) => [row.Registry, row]));
  const directories = new Set(rows('Directory').map(({ Directory }) => Directory));

  // a key path is a file or a registry value of the component itself
  for (const { Component, ComponentId, Directory_, Attributes, KeyPath } of components.values()) {
    const inRegistry = (Number(Attributes) & REGISTRY_KEY_PATH) !== 0;
    const owner = inRegistry
      ? registry.get(KeyPath)?.Component_
      : rows('File').find(({ File }) => File === KeyPath)?.Component_;
    if (KeyPath !== '' && owner !== Component)
      no(
        'ICE02',
        `the key path ${KeyPath} of ${Component} is not among its ${inRegistry ? 'registry values' : 'files'}`,
      );
    if (!GUID.test(ComponentId)) no('ICE08', `${Component} has the id ${ComponentId}, which is not an upper-case GUID`);
    if (!directories.has(Directory_)) no('ICE03', `${Component} is in the folder ${Directory_}, which is not defined`);
    if ((Number(Attributes) & IS_64_BIT) === 0) no('ICE80', `${Component} is not marked as 64-bit`);
  }
  for (const [id, count] of counted(rows('Component').map(({ ComponentId }) => ComponentId)))
    if (count > 1) no('ICE08', `${count} components have the id ${id}`);

  // each column holds what its type allows, and each reference names a row that exists
  for (const [name, table] of Object.entries(tables)) {
    for (const row of table.rows)
      for (const [index, column] of table.columns.entries()) {
        const problem = valueProblem(table.types[index] ?? '', row[column] ?? '');
        if (problem !== undefined) no('ICE03', `${name}.${column} of ${row[table.columns[0] ?? '']}: ${problem}`);
      }
    const keys = table.rows.map((row) => table.keys.map((key) => row[key]).join('\t'));
    for (const [key, count] of counted(keys)) if (count > 1) no('ICE03', `${name} has ${count} rows ${key}`);
    if (table.columns.includes('Component_'))
      for (const row of table.rows)
        if (!components.has(row.Component_))
          no(
            'ICE03',
            `${name}: ${row[table.columns[0] ?? '']} names the component ${row.Component_}, which is not defined`,
          );
  }
  for (const { Directory, Directory_Parent } of rows('Directory'))
    if (Directory_Parent !== '' && !directories.has(Directory_Parent))
      no('ICE03', `the folder ${Directory} is in ${Directory_Parent}, which is not defined`);
  for (const { FileName } of rows('File'))
    if (!SHORT.test(FileName.split('|')[0] ?? '')) no('ICE03', `the file ${FileName} has no short name`);
  for (const { DefaultDir } of rows('Directory')) {
    const [short] = (DefaultDir.split(':').at(-1) ?? '').split('|');
    if (short !== '.' && short !== 'SourceDir' && !SHORT.test(short))
      no('ICE03', `the folder ${DefaultDir} has no short name`);
  }

  // every component belongs to a feature
  const used = new Set(rows('FeatureComponents').map(({ Component_ }) => Component_));
  for (const name of components.keys()) if (!used.has(name)) no('ICE21', `${name} belongs to no feature`);

  // product code, version, language
  for (const name of ['ProductCode', 'UpgradeCode', 'ProductVersion', 'ProductName', 'ProductLanguage', 'Manufacturer'])
    if (!property[name]) no('ICE24', `the property ${name} is missing`);
  for (const name of ['ProductCode', 'UpgradeCode'])
    if (!GUID.test(property[name] ?? '')) no('ICE24', `${name} is ${property[name]}, which is not an upper-case GUID`);
  const numbers = /^(\d+)\.(\d+)\.(\d+)$/
    .exec(property.ProductVersion ?? '')
    ?.slice(1)
    .map(Number);
  if (numbers === undefined || numbers.some((number, index) => number > [255, 255, 65_535][index]))
    no('ICE24', `ProductVersion is ${property.ProductVersion}`);
  if (property.ALLUSERS !== '1') no('ICE24', 'the product is not for the machine');

  // a file with a version has no hash
  const hashed = new Set(rows('MsiFileHash').map(({ File_ }) => File_));
  for (const { File, FileName, Version } of rows('File')) {
    if (Version !== '' && hashed.has(File)) no('ICE60', `${FileName} has a version and a hash`);
    if (Version === '' && !hashed.has(File)) no('ICE60', `${FileName} has neither a version nor a hash`);
  }

  // the versions that an upgrade looks for do not overlap, and its properties reach the elevated part
  const secure = new Set((property.SecureCustomProperties ?? '').split(';'));
  for (const { ActionProperty, Attributes, VersionMin, VersionMax, UpgradeCode } of rows('Upgrade')) {
    if (!secure.has(ActionProperty)) no('ICE61', `${ActionProperty} is not among SecureCustomProperties`);
    if (UpgradeCode !== property.UpgradeCode) no('ICE61', `${ActionProperty} looks for another product`);
    const onlyDetects = (Number(Attributes) & 2) !== 0;
    if (!onlyDetects && VersionMax !== property.ProductVersion)
      no('ICE61', `${ActionProperty} removes versions up to ${VersionMax || 'any'}, not up to this one`);
    if (!onlyDetects && (Number(Attributes) & MAX_INCLUSIVE) === 0)
      no('ICE61', `${ActionProperty} does not remove a product of the same version`);
    if (onlyDetects && VersionMin !== property.ProductVersion)
      no('ICE61', `${ActionProperty} detects versions from ${VersionMin || 'any'}, not from this one`);
  }
  for (const { name } of properties) if (!secure.has(name)) no('ICE61', `${name} is not among SecureCustomProperties`);

  // what a search of the window's part finds does not reach the part that installs
  const inWindow = new Set(rows('InstallUISequence').map(({ Action }) => Action));
  for (const { Property } of rows('AppSearch'))
    if (inWindow.has('AppSearch') && !secure.has(Property))
      no('ICE61', `${Property} is looked for by the window’s part and is not among SecureCustomProperties`);

  // by default a file of the same or an older version is left out, and then removed with the product before
  const keyPaths = new Set(rows('Component').map(({ KeyPath }) => KeyPath));
  const versioned = rows('File').filter(({ File, Version }) => Version !== '' && keyPaths.has(File));
  if (versioned.length > 0 && !/a/.test(property.REINSTALLMODE ?? ''))
    no('ICE60', `${versioned[0]?.FileName} has a version, and REINSTALLMODE lets Windows leave it out`);

  checkActions(rows, files, no);
  checkSearches(rows, no);
  checkDescribed(tables, no);
  for (const problem of grammarProblems(tables)) no('ICE03', problem);

  // services stop before their files go
  for (const { Name, Event } of rows('ServiceControl')) {
    const events = Number(Event);
    if ((events & 0x20) === 0) no('ICE02', `the service ${Name} is not stopped when it is removed`);
    if ((events & 0x80) === 0) no('ICE02', `the service ${Name} is not deleted when it is removed`);
  }
  return problems;
}

/**
 * The order of the actions, and what the custom ones are.
 * @param {(name: string) => Array<Record<string, string>>} rows
 * @param {Set<string>} files
 * @param {(ice: string, text: string) => void} no
 */
function checkActions(rows, files, no) {
  const places = new Map(rows('InstallExecuteSequence').map(({ Action, Sequence }) => [Action, Number(Sequence)]));
  /** Number of an action; none: NaN, which is before and after nothing. */
  const place = (action) => places.get(action) ?? Number.NaN;
  for (const [index, action] of order.entries()) {
    if (!places.has(action)) no('ICE77', `the action ${action} is missing`);
    else if (index > 0 && place(order[index - 1]) >= place(action))
      no('ICE77', `${order[index - 1]} does not come before ${action}`);
  }
  for (const { Action, Type, Source } of rows('CustomAction')) {
    const type = Number(Type);
    const at = place(Action);
    const inTransaction = at > place('InstallInitialize') && at < place('InstallFinalize');
    if (Number.isNaN(at)) no('ICE77', `${Action} is in no sequence`);
    else if ((type & IN_SCRIPT) !== 0 && !inTransaction)
      no('ICE77', `${Action} changes the system and is not between InstallInitialize and InstallFinalize`);
    if ((type & 63) === INSTALLED_PROGRAM && !files.has(Source))
      no('ICE03', `${Action} runs the file ${Source}, which is not there`);
    if (
      (type & 63) === INSTALLED_PROGRAM &&
      (type & ROLLBACK_ONLY) === 0 &&
      at < place('InstallFiles') &&
      !/^(EndPrograms|RemoveMachineData)$/.test(Action)
    )
      no('ICE77', `${Action} runs ${Source} before it is installed`);
    if ((type & 63) !== INSTALLED_PROGRAM && (type & 63) !== SET_PROPERTY && (type & 63) !== 19)
      no('ICE80', `${Action} is of type ${type & 63}: neither a table of its own nor a program of the package`);
  }
}

/**
 * A folder that is looked for is named whole, whatever is given: an empty path is looked for on every drive
 * (learn.microsoft.com/windows/win32/msi/drlocator-table).
 * @param {(name: string) => Array<Record<string, string>>} rows
 * @param {(ice: string, text: string) => void} no
 */
function checkSearches(rows, no) {
  const steps = new Map(rows('InstallExecuteSequence').map((row) => [row.Action, row]));
  const search = Number(steps.get('AppSearch')?.Sequence);
  for (const { Signature_, Parent, Path = '' } of rows('DrLocator')) {
    const name = /^\[(\w+)\]/.exec(Path)?.[1] ?? '';
    const conditions = rows('CustomAction')
      .filter(({ Type, Source }) => (Number(Type) & 63) === SET_PROPERTY && Source === name)
      .map(({ Action }) => steps.get(Action))
      .filter((step) => step !== undefined && Number(step.Sequence) < search)
      .map((step) => step?.Condition ?? '');
    const isAlwaysSet =
      OF_WINDOWS.has(name) || conditions.some((each) => each === '' || conditions.includes(`NOT ${each}`));
    if (!Parent && !isAlwaysSet) no('ICE03', `DrLocator ${Signature_}: ${JSON.stringify(Path)} may be empty`);
  }
}

/**
 * Each column has its row in _Validation.
 * @param {Record<string, import('./read.mjs').Table>} tables
 * @param {(ice: string, text: string) => void} no
 */
function checkDescribed({ _Validation, ...tables }, no) {
  const described = new Set((_Validation?.rows ?? []).map(({ Table, Column }) => `${Table}.${Column}`));
  for (const [name, { columns }] of Object.entries(tables))
    for (const column of columns)
      if (!described.has(`${name}.${column}`)) no('ICE03', `${name}.${column} is not in the table _Validation`);
}

/** Folders that Windows Installer always names: learn.microsoft.com/windows/win32/msi/property-reference */
const OF_WINDOWS = new Set(['CommonAppDataFolder', 'ProgramFiles64Folder', 'System64Folder', 'WindowsFolder']);

/** The order that the installation rests on. */
const order = [
  'FindRelatedProducts',
  'AppSearch',
  'LaunchConditions',
  'Refuse',
  'CostInitialize',
  'FileCost',
  'CostFinalize',
  'InstallValidate',
  'InstallInitialize',
  'RemoveExistingProducts',
  'ProcessComponents',
  'StopServices',
  'EndPrograms',
  'DeleteServices',
  'RemoveRegistryValues',
  'RemoveEnvironmentStrings',
  'RemoveMachineData',
  'RemoveFiles',
  'CreateFolders',
  'InstallFiles',
  'WriteRegistryValues',
  'WriteEnvironmentStrings',
  'UndoPolicy',
  'CheckPORT',
  'ApplyPOLICYFILE',
  'InstallServices',
  'RegisterService',
  'MsiConfigureServices',
  'StartServices',
  'RegisterProduct',
  'PublishProduct',
  'InstallFinalize',
];

function counted(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** By the type of a column: a letter (`s` text, `l` text of a language, `i` number), capital where it may be empty, and its length. */
function valueProblem(type, value) {
  const [, letter, size] = /^(\w)(\d+)$/.exec(type) ?? [];
  if (letter === undefined || /[vV]/.test(letter)) return undefined;
  if (value === '') return letter === letter.toLowerCase() && size !== '0' ? 'is empty' : undefined;
  if (/i/i.test(letter)) return /^-?\d+$/.test(value) ? undefined : `${value} is not a number`;
  const most = Number(size);
  return most > 0 && value.length > most ? `is longer than ${most} characters` : undefined;
}

/**
 * What differs between the folder that was packed and what the MSI unpacks.
 * @param {Record<string, string>} tools
 */
export async function cabinetProblems(tools, msi, stage) {
  const out = mkdtempSync(path.join(os.tmpdir(), 'uiahost-cab-'));
  try {
    await exec(tools.msiextract, ['-C', out, msi], { maxBuffer: 2 ** 24 });
    const given = sums(stage);
    const unpacked = sums(out);
    const prefix =
      [...unpacked.keys()].find((file) => /(^|\/)uiahost\.exe$/.test(file))?.replace(/uiahost\.exe$/, '') ?? '';
    const problems = [...given].flatMap(([file, sum]) =>
      unpacked.get(`${prefix}${file}`) === sum ? [] : [`cabinet: ${file} is missing or differs`],
    );
    if (unpacked.size !== given.size) problems.push(`cabinet: ${unpacked.size} files for ${given.size}`);
    return problems;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

const sums = (folder) =>
  new Map(
    filesBelow(folder).map((file) => [
      file,
      createHash('sha256')
        .update(readFileSync(path.join(folder, file)))
        .digest('hex'),
    ]),
  );
