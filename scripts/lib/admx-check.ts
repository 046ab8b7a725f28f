// Checks templates for Group Policy for what the format's schema does not see: references that lead nowhere, texts that
// nothing shows, values that two policies write, keys outside the policies' branch of the registry.

interface Found {
  readonly name: string;
  readonly key: string;
  readonly presentation: string | undefined;
  readonly ids: readonly string[];
  readonly category: string | undefined;
  readonly supportedOn: string | undefined;
  /** Each value that it writes: key and name. */
  readonly writes: readonly string[];
}

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1] ?? '');
const one = (text: string, pattern: RegExp): string | undefined => pattern.exec(text)?.[1];

function policiesOf(admx: string): Found[] {
  return [...admx.matchAll(/<policy\s([^>]*)>([^]*?)<\/policy>/g)].map(([, head = '', body = '']) => {
    const name = one(head, /\bname="([^"]+)"/) ?? '';
    const key = one(head, /\bkey="([^"]+)"/) ?? '';
    const written = (tag: string): string[] => {
      const its = one(tag, /\bvalueName="([^"]+)"/);
      const where = one(tag, /\bkey="([^"]+)"/) ?? key;
      return its === undefined ? (/^<list\b/.test(tag) ? [`${where}\\*`] : []) : [`${where}\\${its}`];
    };
    return {
      name,
      key,
      presentation: one(head, /presentation="\$\(presentation\.([^)]+)\)"/),
      ids: all(body, /<(?:enum|decimal|list|boolean|text)\s[^>]*\bid="([^"]+)"/g),
      category: one(body, /<parentCategory ref="([^"]+)"/),
      supportedOn: one(body, /<supportedOn ref="([^"]+)"/),
      writes: [`<policy ${head}>`, ...(body.match(/<(?:enum|decimal|list|boolean|text)\s[^>]*>/g) ?? [])].flatMap(
        (tag) => (tag.startsWith('<policy') && !/valueName=/.test(tag) ? [] : written(tag)),
      ),
    };
  });
}

const twice = (names: readonly string[]): string[] => names.filter((name, index) => names.indexOf(name) !== index);

/** One line for each problem. `languages`: the text of each ADML file by language. */
export function templateProblems(admx: string, languages: Readonly<Record<string, string>>): string[] {
  const problems: string[] = [];
  const policies = policiesOf(admx);
  const categories = new Set(all(admx, /<category\s[^>]*?name="([^"]+)"/g));
  const supported = new Set(all(admx, /<definition\s[^>]*?name="([^"]+)"/g));
  const strings = new Set(all(admx, /\$\(string\.([^)]+)\)/g));
  if (policies.length === 0) problems.push('there is no policy');
  for (const name of twice(policies.map((each) => each.name))) problems.push(`${name}: two policies of that name`);
  for (const value of twice(policies.flatMap(({ writes }) => writes))) problems.push(`${value}: written twice`);
  for (const { name, key, presentation, ids, category, supportedOn, writes } of policies) {
    if (!/^Software\\Policies\\/i.test(key)) problems.push(`${name}: its key is not below Software\\Policies`);
    if (category === undefined || !categories.has(category)) problems.push(`${name}: unknown category ${category}`);
    if (supportedOn === undefined || !supported.has(supportedOn))
      problems.push(`${name}: unknown supportedOn ${supportedOn}`);
    if (ids.length > 0 && presentation === undefined) problems.push(`${name}: has fields and no presentation`);
    if (writes.length === 0) problems.push(`${name}: writes no value`);
    for (const id of twice(ids)) problems.push(`${name}: two fields ${id}`);
  }
  for (const parent of all(admx, /<category\s[^]*?<parentCategory ref="([^"]+)"/g))
    if (!categories.has(parent)) problems.push(`unknown parent category ${parent}`);

  for (const [language, adml] of Object.entries(languages)) {
    const no = (text: string): void => void problems.push(`${language}: ${text}`);
    const texts = new Map(
      [...adml.matchAll(/<string id="([^"]+)">([^]*?)<\/string>/g)].map(([, id = '', text = '']) => [id, text]),
    );
    const ids = all(adml, /<string id="([^"]+)"/g);
    for (const id of twice(ids)) no(`two strings ${id}`);
    for (const id of strings) if (!texts.has(id)) no(`string ${id} is missing`);
    for (const [id, text] of texts) {
      if (!strings.has(id)) no(`nothing shows the string ${id}`);
      if (text.trim() === '' || text.includes('undefined')) no(`string ${id} has no text`);
    }
    const shown = new Map(
      [...adml.matchAll(/<presentation id="([^"]+)">([^]*?)<\/presentation>/g)].map(([, id = '', body = '']) => [
        id,
        all(body, /refId="([^"]+)"/g),
      ]),
    );
    for (const { name, presentation, ids: fields } of policies) {
      if (presentation === undefined) continue;
      const controls = shown.get(presentation);
      if (controls === undefined) no(`presentation ${presentation} is missing`);
      else if (fields.toSorted().join() !== controls.toSorted().join())
        no(`${name}: its fields are ${fields.join(', ')}, its presentation shows ${controls.join(', ')}`);
    }
    for (const id of shown.keys())
      if (!policies.some(({ presentation }) => presentation === id)) no(`no policy has the presentation ${id}`);
  }
  return problems;
}
