/** Reads `native-bindings/uia/wanted.txt`. */

interface WantedParameter {
  readonly name: string;
  readonly type: string;
  readonly out: boolean;
}
export interface WantedMethod {
  readonly name: string;
  readonly parameters: readonly WantedParameter[];
  readonly async: boolean;
  readonly line: number;
}
export interface WantedInterface {
  readonly name: string;
  readonly methods: readonly WantedMethod[];
  readonly line: number;
}
export interface WantedFile {
  readonly name: string;
  readonly interfaces: readonly WantedInterface[];
}

class WantedError extends Error {
  constructor(line: number, what: string) {
    super(`wanted.txt, line ${line}: ${what}`);
  }
}

/** Words that cannot name a parameter of a generated method; `f` is its frame. */
const RESERVED = new Set([
  'arguments',
  'eval',
  'default',
  'delete',
  'function',
  'in',
  'new',
  'this',
  'var',
  'with',
  'f',
  'ref',
]);

function parseParameter(text: string, line: number): WantedParameter {
  const match = /^(out )?([A-Za-z_]\w*): (\w+)$/.exec(text);
  if (!match)
    throw new WantedError(line, `"${text}" is not a parameter; it looks like "name: type" or "out name: type".`);
  if (RESERVED.has(match[2]!))
    throw new WantedError(line, `"${match[2]}" is a reserved word of JavaScript; choose another name.`);
  return { name: match[2]!, type: match[3]!, out: match[1] !== undefined };
}

function parseMethod(text: string, line: number): WantedMethod {
  const match = /^(\w+)\((.*)\)( async)?$/.exec(text);
  if (!match)
    throw new WantedError(
      line,
      `"${text}" is not a method; it looks like "Name(parameters)" or "Name(parameters) async".`,
    );
  const parameters = match[2] === '' ? [] : match[2]!.split(', ').map((p) => parseParameter(p, line));
  return { name: match[1]!, parameters, async: match[3] !== undefined, line };
}

/** The files, their interfaces and methods, in the order of the text. */
export function parseWanted(text: string): WantedFile[] {
  const files: { name: string; interfaces: { name: string; methods: WantedMethod[]; line: number }[] }[] = [];
  const seen = new Set<string>();
  text.split('\n').forEach((raw, index) => {
    const line = index + 1;
    if (raw.startsWith('#') || raw.trim() === '') return;
    const file = /^\[([a-z-]+)\]$/.exec(raw);
    if (file) {
      files.push({ name: file[1]!, interfaces: [] });
      return;
    }
    const current = files.at(-1);
    if (!current) throw new WantedError(line, 'an interface comes before the first [file].');
    if (raw.startsWith('  ')) {
      const owner = current.interfaces.at(-1);
      if (!owner) throw new WantedError(line, 'a method comes before the first interface.');
      const method = parseMethod(raw.slice(2), line);
      if (owner.methods.some((m) => m.name === method.name))
        throw new WantedError(line, `${owner.name} has ${method.name} twice.`);
      owner.methods.push(method);
      return;
    }
    if (!/^I\w+$/.test(raw))
      throw new WantedError(line, `"${raw}" is neither an interface nor a method (two spaces before it).`);
    if (seen.has(raw)) throw new WantedError(line, `${raw} occurs here twice.`);
    seen.add(raw);
    current.interfaces.push({ name: raw, methods: [], line });
  });
  return files;
}
