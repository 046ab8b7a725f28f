// Makes the templates for Group Policy (ADMX, ADML) from the table of registry values and the schema of the policy.
// Source: learn.microsoft.com/previous-versions/windows/desktop/policy/admx-schema
import { policyJsonSchema } from '../../src/policy/file/policy-file.ts';
import {
  POLICY_KEY,
  isMachineOnly,
  REGISTRY_VALUES as ALL_VALUES,
  type RegistryValue,
} from '../../src/policy/file/registry-values.ts';
import { TEXTS, type Language } from './policy-texts.ts';

type Schema = Record<string, any>;

/** What administrators can set: no value without effect, and not `Sessions`, which still limits where it is set. */
const REGISTRY_VALUES = ALL_VALUES.filter(({ name, isUnused }) => isUnused !== true && name !== 'Sessions');

/** A place in the schema by its path; unions with null and lists give what they hold. */
export function schemaOf(field: string): Schema {
  let schema: Schema = policyJsonSchema();
  for (const name of field.split('.')) schema = plain(schema)['properties']?.[name];
  return plain(schema);
}

const plain = (schema: Schema): Schema =>
  schema['anyOf'] === undefined ? schema : (schema['anyOf'] as Schema[]).find(({ type }) => type !== 'null')!;

const boundsOf = ({ field }: RegistryValue): Schema => schemaOf(field);

/** What a choice or a set may name. */
const optionsOf = ({ field, kind }: RegistryValue): string[] => {
  const schema = schemaOf(field);
  return (kind === 'set' ? plain(schema['items'] as Schema) : schema)['enum'] as string[];
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const NAMESPACE = 'http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions';
const CATEGORIES = ['rights', 'approvals', 'limits', 'host'] as const;

function elements(value: RegistryValue): string {
  const { name, kind } = value;
  const { minimum, maximum } = boundsOf(value);
  switch (kind) {
    case 'choice':
      return `        <enum id="${name}_value" valueName="${name}" required="true">
${optionsOf(value)
  .map(
    (option) =>
      `          <item displayName="$(string.option_${option})"><value><string>${option}</string></value></item>`,
  )
  .join('\n')}
        </enum>`;
    case 'number':
      return `        <decimal id="${name}_value" valueName="${name}" minValue="${minimum}" maxValue="${maximum}" required="true" />`;
    case 'list':
      return `        <list id="${name}_value" key="${POLICY_KEY}\\${name}" valuePrefix="" />`;
    case 'text':
      return `        <text id="${name}_value" valueName="${name}" maxLength="1024" required="true" />`;
    case 'grants':
    case 'tokens':
      return `        <list id="${name}_value" key="${POLICY_KEY}\\${name}" explicitValue="true" />`;
    default:
      return optionsOf(value)
        .map(
          (option) => `        <boolean id="${name}_${option}" key="${POLICY_KEY}\\${name}" valueName="${option}">
          <trueValue><decimal value="1" /></trueValue>
          <falseValue><decimal value="0" /></falseValue>
        </boolean>`,
        )
        .join('\n');
  }
}

function policy(value: RegistryValue): string {
  const { name, kind, category } = value;
  const isSwitch = kind === 'switch';
  return `    <policy name="${name}" class="${isMachineOnly(value) ? 'Machine' : 'Both'}" displayName="$(string.${name})" explainText="$(string.${name}_help)"${isSwitch ? '' : ` presentation="$(presentation.${name})"`} key="${POLICY_KEY}"${isSwitch ? ` valueName="${name}"` : ''}>
      <parentCategory ref="${category}" />
      <supportedOn ref="SUPPORTED_uiahost_0_1" />
${
  isSwitch
    ? `      <enabledValue><decimal value="1" /></enabledValue>
      <disabledValue><decimal value="0" /></disabledValue>`
    : `      <elements>
${elements(value)}
      </elements>`
}
    </policy>`;
}

/** uiahost.admx. */
export const admx = (): string => `<?xml version="1.0" encoding="utf-8"?>
<policyDefinitions xmlns="${NAMESPACE}" revision="1.0" schemaVersion="1.0">
  <policyNamespaces>
    <target prefix="uiahost" namespace="uiahost.Policies" />
  </policyNamespaces>
  <resources minRequiredRevision="1.0" />
  <supportedOn>
    <definitions>
      <definition name="SUPPORTED_uiahost_0_1" displayName="$(string.SUPPORTED_uiahost_0_1)" />
    </definitions>
  </supportedOn>
  <categories>
    <category name="uiahost" displayName="$(string.category_root)" />
${CATEGORIES.map(
  (name) => `    <category name="${name}" displayName="$(string.category_${name})">
      <parentCategory ref="uiahost" />
    </category>`,
).join('\n')}
  </categories>
  <policies>
${REGISTRY_VALUES.map(policy).join('\n')}
  </policies>
</policyDefinitions>
`;

/** Default that the editor shows in a number's field. */
const DEFAULTS: Readonly<Record<string, number>> = {
  Port: 7423,
  ApprovalTimeoutMs: 120_000,
  ApproverWaitMs: 3_600_000,
  ActionsPerMinute: 6000,
  MaxActions: 200,
  MaxDurationMs: 1_800_000,
  AuditDays: 365,
  PictureDays: 7,
  SessionDays: 30,
};

function presentation(value: RegistryValue, language: Language): string {
  const { name, kind } = value;
  const { values, options } = TEXTS[language];
  const label = escaped(values[name]![1]);
  const control = {
    choice: () => `<dropdownList refId="${name}_value" noSort="true" defaultItem="0">${label}</dropdownList>`,
    number: () => `<decimalTextBox refId="${name}_value" defaultValue="${DEFAULTS[name]}">${label}</decimalTextBox>`,
    list: () => `<listBox refId="${name}_value">${label}</listBox>`,
    grants: () => `<listBox refId="${name}_value">${label}</listBox>`,
    tokens: () => `<listBox refId="${name}_value">${label}</listBox>`,
    text: () => `<textBox refId="${name}_value"><label>${label}</label></textBox>`,
    set: () =>
      [
        `<text>${label}</text>`,
        ...optionsOf(value).map(
          (option) => `<checkBox refId="${name}_${option}">${escaped(options[option]!)}</checkBox>`,
        ),
      ].join('\n        '),
    switch: () => '',
  }[kind]();
  return `      <presentation id="${name}">
        ${control}
      </presentation>`;
}

/** uiahost.adml of a language. Errors: a text that is missing. */
export function adml(language: Language): string {
  const { supportedOn, description, categories, narrows, decides, values, options } = TEXTS[language];
  const choices = new Set(REGISTRY_VALUES.filter(({ kind }) => kind === 'choice').flatMap(optionsOf));
  const strings = new Map([
    ['SUPPORTED_uiahost_0_1', supportedOn],
    ...(['root', ...CATEGORIES] as const).map((name): [string, string] => [`category_${name}`, categories[name]]),
    ...[...choices].map((option): [string, string] => [`option_${option}`, options[option]!]),
    ...REGISTRY_VALUES.flatMap((value): Array<[string, string]> => {
      const { name } = value;
      const [title, , help] = values[name]!;
      return [
        [name, title],
        [`${name}_help`, `${help}\n\n${isMachineOnly(value) ? decides : narrows}`],
      ];
    }),
  ]);
  return `<?xml version="1.0" encoding="utf-8"?>
<policyDefinitionResources xmlns="${NAMESPACE}" revision="1.0" schemaVersion="1.0">
  <displayName>uiahost</displayName>
  <description>${escaped(description)}</description>
  <resources>
    <stringTable>
${[...strings].map(([id, text]) => `      <string id="${id}">${escaped(text)}</string>`).join('\n')}
    </stringTable>
    <presentationTable>
${REGISTRY_VALUES.filter(({ kind }) => kind !== 'switch')
  .map((value) => presentation(value, language))
  .join('\n')}
    </presentationTable>
  </resources>
</policyDefinitionResources>
`;
}
