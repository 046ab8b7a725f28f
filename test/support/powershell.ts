/** PowerShell's grammar, for its scripts where no PowerShell can run. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureNpmTools } from '../../scripts/lib/npm-tools.mjs';

/** A word of a command as it is written, and where it begins: what `CommandAst.CommandElements` has. */
interface CommandElement {
  readonly text: string;
  readonly start: number;
}

export interface PowerShellGrammar {
  isValid(script: string): boolean;
  /** The commands of a script's first level, each with its name first. */
  commands(script: string): CommandElement[][];
}

/** The parts of web-tree-sitter that are used here. */
interface Node {
  readonly type: string;
  readonly text: string;
  readonly startIndex: number;
  readonly hasError: boolean;
  readonly namedChildren: readonly Node[];
}
interface TreeSitter {
  readonly Parser: {
    new (): { setLanguage(language: object): void; parse(text: string): { rootNode: Node } };
    init(): Promise<void>;
  };
  readonly Language: { load(file: string): Promise<object> };
}

/** Its packages are fetched from npm the first time: 2 MB. */
export async function powerShellGrammar(): Promise<PowerShellGrammar> {
  const folder = await ensureNpmTools('powershell');
  const module = createRequire(join(folder, 'package.json')).resolve('web-tree-sitter');
  const { Parser, Language } = (await import(pathToFileURL(module).href)) as TreeSitter;
  await Parser.init();
  const parser = new Parser();
  const wasm = join(folder, 'node_modules/tree-sitter-powershell/tree-sitter-powershell.wasm');
  parser.setLanguage(await Language.load(wasm));
  const root = (text: string): Node => parser.parse(text).rootNode;
  return {
    isValid: (script) => !root(script).hasError,
    commands: (script) => outermost(root(script)).map(elementsOf),
  };
}

/** Commands that are in no other command. */
const outermost = (node: Node): Node[] =>
  node.type === 'command' ? [node] : node.namedChildren.flatMap((child) => outermost(child));

const elementsOf = (command: Node): CommandElement[] =>
  command.namedChildren
    .flatMap((child) => (child.type === 'command_elements' ? child.namedChildren : [child]))
    .filter(({ type }) => type !== 'command_argument_sep')
    .map(({ text, startIndex }) => ({ text, start: startIndex }));
