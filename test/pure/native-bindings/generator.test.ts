/** The generator of the UI Automation bindings and of the constants. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  emitConstants,
  emitConstantsProgram,
  formatConstantFacts,
  parseConstantFacts,
  parseWantedConstants,
} from '../../../scripts/bindings/constants.ts';
import { emitFile } from '../../../scripts/bindings/emit.ts';
import { formatFacts, parseFacts } from '../../../scripts/bindings/headers.ts';
import { parseWanted } from '../../../scripts/bindings/wanted.ts';

const FACTS = parseFacts(
  [
    'interface\tIThing\tIUnknown\t00000000-0000-0000-0000-000000000001',
    'method\tIThing\tGetName\t3\tint index; BSTR *name',
    'method\tIThing\tSetName\t4\tBSTR name',
    'interface\tIThing2\tIThing\t00000000-0000-0000-0000-000000000002',
    'method\tIThing2\tFind\t5\tREFIID riid; void **object',
    'constant\tPropertyId\tName\tUIA_NamePropertyId\t30005',
  ].join('\n'),
);

const emit = (wanted: string): string => {
  const files = parseWanted(wanted);
  return emitFile(files[0]!, files, FACTS);
};
const code = (wanted: string): string => emit(wanted).replace(/\s+/g, ' ');

describe('the wish list', () => {
  it('becomes interfaces with methods', () => {
    expect(
      parseWanted(
        '# words\n[things]\n\nIThing\n  SetName(name: bstr) async\n  GetName(index: int32, out name: bstr)\n',
      ),
    ).toEqual([
      {
        name: 'things',
        interfaces: [
          {
            name: 'IThing',
            line: 4,
            methods: [
              { name: 'SetName', line: 5, async: true, parameters: [{ name: 'name', type: 'bstr', out: false }] },
              {
                name: 'GetName',
                line: 6,
                async: false,
                parameters: [
                  { name: 'index', type: 'int32', out: false },
                  { name: 'name', type: 'bstr', out: true },
                ],
              },
            ],
          },
        ],
      },
    ]);
  });

  it('names the line that it cannot read', () => {
    const refusal = (text: string) => {
      try {
        parseWanted(text);
      } catch (error) {
        return (error as Error).message;
      }
      return 'accepted';
    };
    expect(refusal('IThing\n')).toMatch(/line 1: an interface comes before the first \[file\]/);
    expect(refusal('[a]\n  Get()\n')).toMatch(/line 2: a method comes before the first interface/);
    expect(refusal('[a]\nThing\n')).toMatch(/line 2: "Thing" is neither an interface nor a method/);
    expect(refusal('[a]\nIThing\n  Get(x)\n')).toMatch(/line 3: "x" is not a parameter/);
    expect(refusal('[a]\nIThing\n  Get(arguments: int32)\n')).toMatch(/"arguments" is a reserved word of JavaScript/);
    expect(refusal('[a]\nIThing\n  Get\n')).toMatch(/line 3: "Get" is not a method/);
    expect(refusal('[a]\nIThing\n  Get()\n  Get()\n')).toMatch(/line 4: IThing has Get twice/);
    expect(refusal('[a]\nIThing\nIThing\n')).toMatch(/line 3: IThing occurs here twice/);
  });
});

describe('generated code', () => {
  it('calls the header’s slot and returns what is out', () => {
    expect(code('[a]\nIThing\n  GetName(index: int32, out name: bstr)\n')).toContain(
      "GetName(index: number): string | null { const f = enter(); try { const name_ = f.cell(); check(this.method(3, T_int32_ptr)(this.pointer, index, name_.address), 'IThing.GetName'); return bstrOut(name_); } finally { leave(f); } }",
    );
  });

  it('has a form on another thread where it is wanted', () => {
    const text = code('[a]\nIThing\n  SetName(name: bstr) async\n');
    expect(text).toContain('SetName(name: string | null): number {');
    expect(text).toContain(
      "SetNameAsync(name: string | null): Promise<number> { const f = new Frame(); return later(f, this, { slot: 4, type: T_ptr, name: 'IThing.SetName' }, [f.bstr(name)], (hresult) => hresult); }",
    );
    expect(code('[a]\nIThing\n  SetName(name: bstr)\n')).not.toContain('Async');
  });

  it('extends the nearest base that is wanted, and asks for interfaces by class', () => {
    const text = code('[a]\nIThing\nIThing2\n  Find(riid: type, out object: type)\n');
    expect(text).toContain('class IThing extends ComRef');
    expect(text).toContain('class IThing2 extends IThing');
    expect(text).toContain('Find<T extends ComRef>(riid: ComType<T>): T | null {');
    expect(code('[a]\nIThing2\n')).toContain('class IThing2 extends ComRef');
  });

  it('is refused where the headers say otherwise', () => {
    expect(() => emit('[a]\nIThing\n  SetName(name: int32)\n')).toThrow(
      'line 3: IThing.SetName says name: int32, but the headers say BSTR.',
    );
    expect(() => emit('[a]\nIThing\n  GetName(index: int32, name: bstr)\n')).toThrow(
      'says name: bstr, but the headers say BSTR *.',
    );
    expect(() => emit('[a]\nIThing\n  GetName(out name: bstr)\n')).toThrow('has 1 parameters; the headers have 2');
    expect(() => emit('[a]\nIThing\n  Other()\n')).toThrow('IThing.Other is not in the headers.');
    expect(() => emit('[a]\nIThing\n  SetName(name: word)\n')).toThrow('parameter type word is unknown');
    expect(() => emit('[a]\nIOther\n')).toThrow('IOther is not in headers.tsv');
  });

  it('is committed as it would be generated now', () => {
    const script = fileURLToPath(new URL('../../../scripts/generate-bindings.ts', import.meta.url));
    expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' })).toBe('');
  });

  it('keeps the facts through its table', () => expect(parseFacts(formatFacts(FACTS))).toEqual(FACTS));
});

describe('constants', () => {
  const WANTED = '# words\n[messages] Window messages.\nWM_CLOSE\nWM_NULL\n\n[windows] Windows.\nGWL_STYLE\n';

  it('become one export each, in the file of their section', () => {
    const files = parseWantedConstants(WANTED);
    const facts = parseConstantFacts('# words\nGWL_STYLE\t-16\nWM_CLOSE\t0x10\nWM_NULL\t0\n');
    expect(files.map((file) => emitConstants(file, facts))).toEqual([
      '// generated, do not edit: `npm run generate`\n// Window messages.\nexport const WM_CLOSE = 0x10;\nexport const WM_NULL = 0;\n',
      '// generated, do not edit: `npm run generate`\n// Windows.\nexport const GWL_STYLE = -16;\n',
    ]);
    expect(parseConstantFacts(formatConstantFacts(facts))).toEqual(facts);
  });

  it('are all printed by the program that the test compares them with', () => {
    const program = emitConstantsProgram(parseWantedConstants(WANTED));
    expect(program.match(/(?<=^  CONSTANT\()\w+/gm)).toEqual(['WM_CLOSE', 'WM_NULL', 'GWL_STYLE']);
  });

  it('are listed once, in order, and have a value in the headers', () => {
    expect(() => parseWantedConstants('WM_NULL\n')).toThrow(/line 1: a name comes before the first \[section\]/);
    expect(() => parseWantedConstants('[a] A.\nWM_NULL = 0\n')).toThrow(/line 2: "WM_NULL = 0" is neither a constant/);
    expect(() => parseWantedConstants('[a] A.\nWM_NULL\n[b] B.\nWM_NULL\n')).toThrow(/line 4: WM_NULL is listed twice/);
    expect(() => parseWantedConstants('[a] A.\nWM_NULL\nWM_CLOSE\n')).toThrow(
      /line 3: WM_CLOSE belongs before WM_NULL/,
    );
    expect(() => emitConstants(parseWantedConstants(WANTED)[0]!, new Map([['WM_NULL', '0']]))).toThrow(
      /WM_CLOSE is not in headers.tsv/,
    );
  });
});
