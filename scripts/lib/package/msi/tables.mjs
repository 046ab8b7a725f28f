// What the MSI's tables say beyond product.wxs: the checks of the properties, the steps that uiahost.exe carries out, what
// wixl has no element for. As data; scripts/lib/package/msi/build.mjs writes it with msibuild.

/** One for all versions: by it an installation finds the one before. */
export const UPGRADE_CODE = '5D0C2C0B-6A4E-4F6B-9C43-8B7A1E0F2D91';

/** Properties that an administrator may give, with the value where nothing is given or remembered. */
export const properties = [
  { name: 'INSTALLDIR' },
  { name: 'PORT', fallback: '7423' },
  { name: 'LEVEL', fallback: 'control' },
  { name: 'STARTSERVICE', fallback: '1' },
  { name: 'ADDTOPATH', fallback: '1' },
  { name: 'POLICYFILE', isOnce: true },
  { name: 'REMOVEDATA', isOnce: true },
];

const installing = 'NOT REMOVE ~= "ALL"';
/**
 * When the steps of uiahost.exe run. A user may repair; whether Windows gives the steps of such a repair that user's variables is not
 * documented, and with NODE_OPTIONS they would run the user's code with the system's rights. So they do not run then.
 */
const stepping = `${installing} AND NOT (Installed AND RestrictedUserControl)`;
const oneOf = (name, ...values) => `(${values.map((value) => `${name} = "${value}"`).join(' OR ')})`;

/** Wrong values: where the condition holds, the installation ends with the text before anything has changed. */
export const refusals = [
  // PORT is judged by the step CheckPORT: a condition compares integers up to 32,767 only, and whether the beginning of a number
  // is compared as a text is not documented
  {
    name: 'WrongLEVEL',
    condition: `${installing} AND NOT ${oneOf('LEVEL', 'disabled', 'observe', 'control', 'full')}`,
    text: 'LEVEL is "[LEVEL]". It must be disabled, observe, control or full. Nothing was changed.',
    german: 'LEVEL ist "[LEVEL]". Erlaubt sind disabled, observe, control und full. Es wurde nichts geändert.',
  },
  {
    name: 'WrongSTARTSERVICE',
    condition: `${installing} AND NOT ${oneOf('STARTSERVICE', '0', '1')}`,
    text: 'STARTSERVICE is "[STARTSERVICE]". It must be 1 or 0. Nothing was changed.',
    german: 'STARTSERVICE ist "[STARTSERVICE]". Erlaubt sind 1 und 0. Es wurde nichts geändert.',
  },
  {
    name: 'WrongADDTOPATH',
    condition: `${installing} AND NOT ${oneOf('ADDTOPATH', '0', '1')}`,
    text: 'ADDTOPATH is "[ADDTOPATH]". It must be 1 or 0. Nothing was changed.',
    german: 'ADDTOPATH ist "[ADDTOPATH]". Erlaubt sind 1 und 0. Es wurde nichts geändert.',
  },
  {
    name: 'WrongREMOVEDATA',
    condition: `REMOVEDATA AND NOT ${oneOf('REMOVEDATA', '0', '1')}`,
    text: 'REMOVEDATA is "[REMOVEDATA]". It must be 1 or 0. Nothing was changed.',
    german: 'REMOVEDATA ist "[REMOVEDATA]". Erlaubt sind 1 und 0. Es wurde nichts geändert.',
  },
  {
    // the access list of the folder is replaced: that must never be a drive's root
    name: 'WrongINSTALLDIR',
    condition: `${installing} AND INSTALLDIR AND (NOT INSTALLDIR >< ":\\" OR INSTALLDIR >> ":\\" OR INSTALLDIR << "\\\\")`,
    text: 'INSTALLDIR is "[INSTALLDIR]". It must be the full path of a folder on a local drive, such as D:\\Programs\\uiahost. Nothing was changed.',
    german:
      'INSTALLDIR ist "[INSTALLDIR]". Nötig ist der vollständige Pfad eines Ordners auf einem lokalen Laufwerk, zum Beispiel D:\\Programme\\uiahost. Es wurde nichts geändert.',
  },
  {
    // The access list of the folder is replaced, and the steps of this installation run uiahost.exe there with the system's
    // rights: not in a folder that holds others' files, such as a DLL that a user put there first.
    name: 'ExistingINSTALLDIR',
    condition:
      'NOT Installed AND EXISTINGFOLDER AND GIVENINSTALLDIR AND NOT (GIVENINSTALLDIR ~= SAVEDINSTALLDIR OR GIVENINSTALLDIRFULL ~= SAVEDINSTALLDIR OR GIVENINSTALLDIR ~<< ProgramFiles64Folder)',
    text: 'INSTALLDIR is "[INSTALLDIR]", a folder that exists. Give a new folder, or one in [ProgramFiles64Folder]. Nothing was changed.',
    german:
      'INSTALLDIR ist "[INSTALLDIR]", ein vorhandener Ordner. Geben Sie einen neuen Ordner an oder einen in [ProgramFiles64Folder]. Es wurde nichts geändert.',
  },
  {
    name: 'OtherINSTALLDIR',
    condition:
      'Installed AND NOT REMOVE ~= "ALL" AND GIVENINSTALLDIR AND NOT (GIVENINSTALLDIR ~= SAVEDINSTALLDIR OR GIVENINSTALLDIRFULL ~= SAVEDINSTALLDIR)',
    text: 'INSTALLDIR is "[GIVENINSTALLDIR]", but this version of uiahost is installed in [SAVEDINSTALLDIR]. Remove it first. Nothing was changed.',
    german:
      'INSTALLDIR ist "[GIVENINSTALLDIR]", aber diese Version von uiahost ist in [SAVEDINSTALLDIR] installiert. Entfernen Sie sie zuerst. Es wurde nichts geändert.',
  },
  {
    name: 'WrongPOLICYFILE',
    condition: `${installing} AND POLICYFILE AND NOT (POLICYFILE >< ":\\" OR POLICYFILE << "\\\\")`,
    text: 'POLICYFILE is "[POLICYFILE]". It must be the full path of a policy file. Nothing was changed.',
    german:
      'POLICYFILE ist "[POLICYFILE]". Nötig ist der vollständige Pfad einer Richtliniendatei. Es wurde nichts geändert.',
  },
  // Windows lets any user repair a product, with the system's rights, and passes on what is among SecureCustomProperties:
  // learn.microsoft.com/windows/win32/msi/restricted-public-properties
  ...[
    ['PORT', 'GIVENPORT'],
    ['LEVEL', 'GIVENLEVEL'],
    ['STARTSERVICE', 'STARTSERVICE <> SAVEDSTARTSERVICE'],
    ['ADDTOPATH', 'ADDTOPATH <> SAVEDADDTOPATH'],
    ['POLICYFILE', 'POLICYFILE'],
    ['REMOVEDATA', 'REMOVEDATA'],
  ].map(([name, isGiven]) => ({
    name: `User${name}`,
    condition: `RestrictedUserControl AND Installed AND ${isGiven}`,
    text: `${name} is "[${name}]". Only an administrator can give it for an installed uiahost: use a terminal that was opened with "Run as administrator". Nothing was changed.`,
    german: `${name} ist "[${name}]". Nur Administratoren können das für ein installiertes uiahost angeben: in einem Terminal, das mit "Als Administrator ausführen" geöffnet wurde. Es wurde nichts geändert.`,
  })),
];

/** The same sentences are in product.wxs. */
const newerIsThere = {
  name: 'NameDowngrade',
  condition: 'WIX_DOWNGRADE_DETECTED',
  text: 'A newer version of uiahost is installed. Remove it first if you want version [ProductVersion]. Nothing was changed.',
  german:
    'Eine neuere Version von uiahost ist installiert. Entfernen Sie sie zuerst, wenn Sie Version [ProductVersion] möchten. Es wurde nichts geändert.',
};

/** Known only once Windows has computed what the files need: learn.microsoft.com/windows/win32/msi/outofdiskspace */
const lateRefusals = [
  {
    name: 'NoSpace',
    condition: `${installing} AND OutOfDiskSpace = 1`,
    text: 'INSTALLDIR is "[INSTALLDIR]". Its drive, or the drive of Windows, has too little free space for uiahost. Nothing was changed.',
    german:
      'INSTALLDIR ist "[INSTALLDIR]". Auf diesem Laufwerk oder dem von Windows ist zu wenig Platz für uiahost. Es wurde nichts geändert.',
  },
];

/** Types of custom actions: learn.microsoft.com/windows/win32/msi/summary-list-of-all-custom-action-types */
const SET_PROPERTY = 51;
const ERROR = 19;
/** A program that the MSI installs, in the file table. */
const INSTALLED_PROGRAM = 18;
const CONTINUE = 0x40;
const ROLLBACK = 0x100;
const IN_SCRIPT = 0x400;
const AS_SYSTEM = 0x800;
const deferred = INSTALLED_PROGRAM | IN_SCRIPT | AS_SYSTEM;

const setup = (words) => `"[INSTALLDIR]dist\\setup.mjs" ${words}`;

/**
 * Custom actions with their places: `before` and `after` are numbers of the sequence table (see `sequence`).
 * @returns {Array<{ name: string, type: number, source: string, target: string, condition: string, at: number }>}
 */
function customActions() {
  const rows = [];
  let at = 110;
  const add = (name, type, [source, target], condition, where = (at += 1)) =>
    rows.push({ name, type, source, target, condition, at: where });
  const set = (name, property, value, condition, where) => add(name, SET_PROPERTY, [property, value], condition, where);

  // German of Germany, Switzerland, Austria, Luxembourg and Liechtenstein
  set(
    'SpeakGerman',
    'GERMAN',
    '1',
    [1031, 2055, 3079, 4103, 5127].map((id) => `UserLanguageID = ${id}`).join(' OR '),
    30,
  );
  // as a property, which the log shows whatever it is asked to contain
  const refuse = ({ name, condition, text, german }, where = () => (at += 1)) => {
    set(`${name}German`, 'REFUSAL', german, `NOT REFUSAL AND GERMAN AND (${condition})`, where());
    set(name, 'REFUSAL', text, `NOT REFUSAL AND (${condition})`, where());
  };
  // a launch condition of product.wxs ends it
  let early = 96;
  refuse(newerIsThere, () => (early += 1));
  // An empty path would be looked for on all drives. What is not given is looked for where it never is.
  set('LookForGivenFolder', 'LOOKEDFOR', '[INSTALLDIR]', 'INSTALLDIR', 40);
  set('LookForNoFolder', 'LOOKEDFOR', '[CommonAppDataFolder]uiahost\\none', 'NOT INSTALLDIR', 41);
  set('KeepGivenINSTALLDIR', 'GIVENINSTALLDIR', '[INSTALLDIR]', 'INSTALLDIR');
  set('KeepGivenINSTALLDIRFull', 'GIVENINSTALLDIRFULL', '[INSTALLDIR]\\', 'INSTALLDIR');
  set('KeepGivenPORT', 'GIVENPORT', '[PORT]', 'PORT');
  set('KeepGivenLEVEL', 'GIVENLEVEL', '[LEVEL]', 'LEVEL');
  for (const { name, isOnce } of properties)
    if (!isOnce) set(`UseSaved${name}`, name, `[SAVED${name}]`, `NOT ${name} AND SAVED${name}`);
  for (const { name, fallback } of properties)
    if (fallback !== undefined) set(`Default${name}`, name, fallback, `NOT ${name}`);
  for (const each of refusals) refuse(each);
  add('Refuse', ERROR, ['', '[REFUSAL]'], 'REFUSAL');

  let late = 1001;
  for (const each of lateRefusals) refuse(each, () => (late += 1));
  add('RefuseLate', ERROR, ['', '[REFUSAL]'], 'REFUSAL', 1009);

  set('ShowInstallLocation', 'ARPINSTALLLOCATION', '[INSTALLDIR]', 'NOT REMOVE ~= "ALL"', 1010);
  set(
    'NameKeptData',
    'KEPTDATA',
    'uiahost keeps the data of each user in %LOCALAPPDATA%\\uiahost and the policy of the machine in [CommonAppDataFolder]uiahost; REMOVEDATA=1 removes the latter.',
    'REMOVE ~= "ALL" AND NOT UPGRADINGPRODUCTCODE',
    1020,
  );

  // learn.microsoft.com/windows/win32/msi/msintproducttype: 1 is a workstation
  set(
    'NameServerApprovals',
    'APPROVALS',
    'On a Server edition of Windows a card can only be denied. An administrator allows approvals with `uiahost approvals` once: reg add HKLM\\SOFTWARE\\Policies\\uiahost\\ApprovalSurfaces /v api /t REG_DWORD /d 1',
    `${installing} AND MsiNTProductType > 1`,
    1021,
  );

  add(
    'EndPrograms',
    deferred | CONTINUE,
    ['uiahost.exe', setup('end-programs')],
    'Installed AND REMOVE ~= "ALL"',
    1950,
  );
  add(
    'RemoveMachineData',
    deferred | CONTINUE,
    ['uiahost.exe', setup('remove-data')],
    'REMOVE ~= "ALL" AND REMOVEDATA = "1" AND NOT UPGRADINGPRODUCTCODE',
    3400,
  );
  // Windows starts again what it stopped, where it undoes a step after that. What ends before it, and Wine, do not.
  add(
    'StartAgain',
    deferred | ROLLBACK | CONTINUE,
    ['uiahost.exe', '"[INSTALLDIR]dist\\service.mjs" start'],
    `${stepping} AND Installed AND STARTSERVICE = "1"`,
    1890,
  );
  add('UndoPolicy', deferred | ROLLBACK | CONTINUE, ['uiahost.exe', setup('undo "[HADPOLICY]"')], stepping, 5300);
  add('CheckPORT', deferred, ['uiahost.exe', setup('port "[PORT]"')], `${stepping} AND GIVENPORT`, 5310);
  add(
    'ApplyPOLICYFILE',
    deferred,
    ['uiahost.exe', setup('policy "[POLICYFILE]" "[GIVENLEVEL]"')],
    `${stepping} AND POLICYFILE`,
    5320,
  );
  add(
    'ApplyLEVEL',
    deferred,
    ['uiahost.exe', setup('level "[LEVEL]" "[GIVENLEVEL]"')],
    `${stepping} AND NOT POLICYFILE`,
    5320,
  );
  // sets what the tables cannot express, such as the pre-shutdown time; refuses a folder that users can change
  add('RegisterService', deferred, ['uiahost.exe', '"[INSTALLDIR]dist\\service.mjs" install'], stepping, 5810);
  return rows;
}

/** Attributes of a row in Upgrade: learn.microsoft.com/windows/win32/msi/upgrade-table */
const MIGRATES_FEATURES = 0x1;
const MAX_INCLUSIVE = 0x200;

/**
 * Rows that are changed: the table, which row, and what changes; null: it is left out.
 * @type {Array<[table: string, which: Record<string, string>, what: Record<string, string> | null]>}
 */
const changes = [
  // inside the transaction: where the new version fails, Windows puts the old one back
  ['InstallExecuteSequence', { Action: 'RemoveExistingProducts' }, { Sequence: '1510' }],
  ['InstallExecuteSequence', { Action: 'StartServices' }, { Condition: 'STARTSERVICE = "1"' }],
  // what is installed is looked for by the part that has the system's rights, once: what the window's part found would have
  // to be sent there, and anyone could send it
  ['InstallUISequence', { Action: 'AppSearch' }, null],
  ['InstallUISequence', { Action: 'LaunchConditions' }, null],
  // also the same version, which a pre-release, a rebuild and the other architecture have: two products would share one service
  ['Upgrade', { ActionProperty: 'WIX_UPGRADE_DETECTED' }, { Attributes: String(MIGRATES_FEATURES | MAX_INCLUSIVE) }],
  // where the person's Windows is German, product.wxs has the condition with German words
  [
    'LaunchCondition',
    { Condition: 'NOT WIX_DOWNGRADE_DETECTED' },
    { Condition: 'NOT WIX_DOWNGRADE_DETECTED OR GERMAN' },
  ],
  // transitive: a repair decides again whether this component belongs there
  ['Component', { Component: 'Path' }, { Attributes: '324' }],
];

/** Tables that wixl has no element for, or writes with a random key. */
const more = {
  // `-`: the entry goes when the product goes
  Environment: {
    columns: ['Environment', 'Name', 'Value', 'Component_'],
    types: ['s72', 'l255', 'L255', 's72'],
    keys: ['Environment'],
    rows: [{ Environment: 'PathEntry', Name: '=-*PATH', Value: '[~];[INSTALLDIR]', Component_: 'Path' }],
  },
  // HADPOLICY: the machine has a policy already, which a failed installation leaves alone
  Signature: {
    columns: [
      'Signature',
      'FileName',
      'MinVersion',
      'MaxVersion',
      'MinSize',
      'MaxSize',
      'MinDate',
      'MaxDate',
      'Languages',
    ],
    types: ['s72', 's255', 'S20', 'S20', 'I4', 'I4', 'I4', 'I4', 'S255'],
    keys: ['Signature'],
    rows: [{ Signature: 'PolicyFile', FileName: 'POLICY~1.JSO|policy.json' }],
  },
  DrLocator: {
    columns: ['Signature_', 'Parent', 'Path', 'Depth'],
    types: ['s72', 'S72', 'S255', 'I2'],
    keys: ['Signature_', 'Parent', 'Path'],
    rows: [
      { Signature_: 'PolicyFile', Path: '[CommonAppDataFolder]uiahost', Depth: '0' },
      // without a row in Signature: the folder itself
      { Signature_: 'GivenFolder', Path: '[LOOKEDFOR]', Depth: '0' },
    ],
  },
  // only administrators may change what a service of the system runs, wherever it is installed
  MsiLockPermissionsEx: {
    columns: ['MsiLockPermissionsEx', 'LockObject', 'Table', 'SDDLText', 'Condition'],
    types: ['s72', 's72', 's32', 's0', 'S255'],
    keys: ['MsiLockPermissionsEx'],
    rows: [
      {
        MsiLockPermissionsEx: 'InstallFolder',
        LockObject: 'INSTALLDIR',
        Table: 'CreateFolder',
        SDDLText: 'D:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;BU)',
      },
    ],
  },
  // as `uiahost service install` sets it: after 1 s, 5 s, then every 60 s; the count is reset after a day
  MsiServiceConfigFailureActions: {
    columns: [
      'MsiServiceConfigFailureActions',
      'Name',
      'Event',
      'ResetPeriod',
      'RebootMessage',
      'Command',
      'Actions',
      'DelayActions',
      'Component_',
    ],
    types: ['s72', 'l255', 'i2', 'I4', 'L255', 'L255', 'S255', 'S255', 's72'],
    keys: ['MsiServiceConfigFailureActions'],
    rows: [
      {
        MsiServiceConfigFailureActions: 'RestartService',
        Name: 'uiahost',
        Event: '1',
        ResetPeriod: '86400',
        Actions: '1[~]1[~]1',
        DelayActions: '1000[~]5000[~]60000',
        Component_: 'Program',
      },
    ],
  },
  Error: {
    columns: ['Error', 'Message'],
    types: ['i2', 'L0'],
    keys: ['Error'],
    rows: [
      {
        Error: '1722',
        Message:
          'uiahost was not installed: the step [2] failed, and everything was undone. CheckPORT: PORT is not a port from 1 to 65535, or another program uses it. ApplyPOLICYFILE: the file given as POLICYFILE cannot be read or is not a valid policy. ApplyLEVEL: the policy of the machine cannot be read or written. RegisterService: users can change the folder given as INSTALLDIR. The reason is in the Application event log, source uiahost. uiahost wurde nicht installiert; alles wurde rückgängig gemacht, der Grund steht im Anwendungsprotokoll der Ereignisanzeige, Quelle uiahost. {{Command: [4]}}',
      },
    ],
  },
};

/**
 * The tables to write over wixl's.
 * @param {Record<string, import('./read.mjs').Table>} made
 * @param {string} [helpLink] page about uiahost
 * @returns {Record<string, import('./read.mjs').Table>}
 */
export function finishedTables(made, helpLink) {
  const copy = (name) => ({ ...made[name], rows: made[name].rows.map((row) => ({ ...row })) });
  const tables = Object.fromEntries(
    [...new Set(changes.map(([table]) => table)), 'Property', 'CustomAction', 'AppSearch'].map((name) => [
      name,
      copy(name),
    ]),
  );
  for (const [table, which, what] of changes) {
    const row = tables[table].rows.find((each) => Object.entries(which).every(([key, value]) => each[key] === value));
    if (row === undefined) throw new Error(`The table ${table} has no row ${JSON.stringify(which)}.`);
    if (what === null) tables[table].rows = tables[table].rows.filter((each) => each !== row);
    else Object.assign(row, what);
  }
  if (helpLink !== undefined)
    for (const name of ['ARPHELPLINK', 'ARPURLINFOABOUT'])
      tables.Property.rows.push({ Property: name, Value: helpLink });
  const secure = /** @type {any} */ (
    tables.Property.rows.find(({ Property }) => Property === 'SecureCustomProperties')
  );
  secure.Value = [...new Set([...secure.Value.split(';'), ...properties.map(({ name }) => name)])].sort().join(';');
  for (const { name, type, source, target, condition, at } of customActions()) {
    tables.CustomAction.rows.push({ Action: name, Type: String(type), Source: source, Target: target });
    tables.InstallExecuteSequence.rows.push({ Action: name, Condition: condition, Sequence: String(at) });
  }
  tables.InstallExecuteSequence.rows.push(
    { Action: 'MsiConfigureServices', Condition: 'VersionNT', Sequence: '5850' },
    { Action: 'RemoveEnvironmentStrings', Sequence: '3300' },
    { Action: 'WriteEnvironmentStrings', Sequence: '5200' },
  );
  tables.AppSearch.rows.push(
    { Property: 'HADPOLICY', Signature_: 'PolicyFile' },
    { Property: 'EXISTINGFOLDER', Signature_: 'GivenFolder' },
  );
  return { ...tables, ...more };
}
