/** The given executor interface and ours have the same types. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../support/words.ts';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** Members of each interface as text: `name?` → its parameters or type, without comments, blanks and closing separators. */
function interfacesOf(text: string): Map<string, Map<string, { what: string; answer: string }>> {
  const source = ts.createSourceFile('executor.ts', text, ts.ScriptTarget.Latest, true);
  const plain = (node: ts.Node | undefined): string =>
    (node === undefined
      ? ''
      : ts.createPrinter({ removeComments: true }).printNode(ts.EmitHint.Unspecified, node, source)
    )
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/[;,] (?=[})])/g, ' ')
      .replaceAll(/(?<=[({]) | (?=[)}])/g, '')
      .replaceAll(/;(?=\})/g, '')
      .replaceAll(/;\s*/g, ', ');
  const found = new Map<string, Map<string, { what: string; answer: string }>>();
  for (const one of source.statements) {
    if (!ts.isInterfaceDeclaration(one)) continue;
    found.set(
      one.name.text,
      new Map(
        one.members.map((member) => {
          const key = `${(member.name as ts.Identifier).text}${member.questionToken === undefined ? '' : '?'}`;
          if (ts.isMethodSignature(member))
            return [key, { what: `(${member.parameters.map(plain).join(', ')})`, answer: plain(member.type) }];
          return [key, { what: plain((member as ts.PropertySignature).type), answer: '' }];
        }),
      ),
    );
  }
  return found;
}

/** The given text is one line: its rulers would swallow the rest as comments, and generic arguments are lost (`Promise>`). */
const seedText = read('schemas/seeds/computer-executor.txt')
  .replaceAll(/\/\*\*.*?\*\//gs, ' ')
  .replaceAll(/\/\/ ──.*?─{3,}/gs, ' ')
  .replaceAll(/Promise>?(?!<)/g, 'Promise')
  .replaceAll(/(?<![;{}\s])\s+(?=[A-Za-z]\w*\??:)/g, '; ')
  .replaceAll(/(Promise|\}>|\| null>)\s+(?=[a-z]\w*\??\()/g, '$1; ');
const seed = interfacesOf(seedText);
const ours = interfacesOf(read('src/contract/executor.ts'));

describe('[executor.types] the given interface and ours', () => {
  it('[executor.types] the given text was read: 26 required and 16 optional methods, and capabilities', () => {
    const members = [...seed.get('ComputerExecutor')!.keys()];
    expect(members.filter((name) => !name.endsWith('?'))).toHaveLength(27);
    expect(members.filter((name) => name.endsWith('?'))).toHaveLength(16);
    expect(members).toContain('capabilities');
  });

  it('[executor.types] have the same methods with the same parameters, options and unions', () => {
    const shapes = (all: typeof seed): Array<[string, string]> =>
      [...all.get('ComputerExecutor')!].map(([name, { what }]) => [name, what]);
    expect(shapes(ours)).toEqual(shapes(seed));
  });

  it('[executor.types] answer what the given text still states about answers', () => {
    const told = [...seed.get('ComputerExecutor')!].filter(([, { answer }]) => answer.includes('<'));
    expect(told.length).toBeGreaterThan(5);
    for (const [name, { answer }] of told)
      expect([name, ours.get('ComputerExecutor')!.get(name)!.answer]).toEqual([name, answer]);
  });

  it('[executor.types] [method.capabilities] have the same fields in every type', () => {
    for (const [name, fields] of seed) {
      if (name === 'ComputerExecutor') continue;
      expect([name, [...ours.get(name)!].map(([key, { what }]) => [key, what])]).toEqual([
        name,
        [...fields].map(([key, { what }]) => [key, what]),
      ]);
    }
    expect([...seed.keys()]).toEqual(
      expect.arrayContaining(wordsOf`
        ScreenshotResult FrontmostApp InstalledApp RunningApp ResolvePrepareCaptureResult
        ComputerExecutorCapabilities DisplayGeometry
      `),
    );
  });
});
