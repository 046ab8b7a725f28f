/** Writes the generated files from the wanted list and the headers' facts. */
import type { HeaderFacts, HeaderMethod } from './headers.ts';
import { parameterType, resultType } from './types.ts';
import type { WantedFile, WantedInterface, WantedMethod } from './wanted.ts';

export const COMMAND = 'npm run generate';
const MARK = `generated, do not edit: \`${COMMAND}\``;

/** `enum TreeScope scope` → `enum TreeScope`. */
const cTypeOf = (parameter: string) => parameter.replace(/(\w+)(\[\])?$/, '').trim();

class BindingError extends Error {
  constructor(face: WantedInterface, method: WantedMethod, what: string) {
    super(`wanted.txt, line ${method.line}: ${face.name}.${method.name} ${what}`);
  }
}

/** The header's method, after comparing each parameter with it. */
function headerMethod(facts: HeaderFacts, face: WantedInterface, method: WantedMethod): HeaderMethod {
  const header = facts.interfaces.get(face.name)!.methods.find((m) => m.name === method.name);
  if (!header) throw new BindingError(face, method, 'is not in the headers.');
  if (header.parameters.length !== method.parameters.length) {
    throw new BindingError(
      face,
      method,
      `has ${method.parameters.length} parameters; the headers have ${header.parameters.length}: ${header.parameters.join(', ')}.`,
    );
  }
  method.parameters.forEach((p, i) => {
    const c = cTypeOf(header.parameters[i]!);
    const known = p.out ? resultType(p.type) : parameterType(p.type);
    if (!known)
      throw new BindingError(
        face,
        method,
        `has a parameter ${p.name} whose ${p.out ? 'result' : 'parameter'} type ${p.type} is unknown.`,
      );
    if (!known.c.test(c))
      throw new BindingError(
        face,
        method,
        `says ${p.out ? 'out ' : ''}${p.name}: ${p.type}, but the headers say ${c}.`,
      );
  });
  return header;
}

/** Collects what a file must import. */
class Imports {
  readonly call = new Set<string>();
  readonly callTypes = new Set<string>();
  readonly shapes = new Map<string, string>();
  readonly types = new Set<string>();
  readonly classes = new Set<string>();

  /** The name of the constant for a method's shape. */
  shape(native: readonly string[]): string {
    const key = native.join(',');
    let name = this.shapes.get(key);
    if (!name) {
      const suffix = native.length === 0 ? 'none' : native.join('_');
      this.shapes.set(key, (name = `T_${suffix}`));
    }
    return name;
  }
  note(ts: string): void {
    for (const word of ['PointValue', 'VariantInput', 'VariantValue', 'ArrayValue', 'Pointer', 'RectValue', 'ComType'])
      if (new RegExp(`\\b${word}\\b`).test(ts)) this.types.add(word);
    for (const [name] of ts.matchAll(/\bI[A-Z]\w+/g)) this.classes.add(name);
  }
}

function emitMethod(imports: Imports, facts: HeaderFacts, face: WantedInterface, method: WantedMethod): string[] {
  const header = headerMethod(facts, face, method);
  const outs = method.parameters.filter((p) => p.out);
  const ins = method.parameters.filter((p) => !p.out);
  const generic = method.parameters.some((p) => p.type === 'type') ? '<T extends ComRef>' : '';
  const signature = ins.map((p) => `${p.name}: ${parameterType(p.type)!.ts}`).join(', ');
  const reads = outs.map((p) => ({ name: p.name, ...resultType(p.type)! }));
  const result =
    reads.length === 0
      ? 'number'
      : reads.length === 1
        ? reads[0]!.ts
        : `{ ${reads.map((r) => `${r.name}: ${r.ts}`).join('; ')} }`;
  const value =
    reads.length === 0
      ? ''
      : reads.length === 1
        ? reads[0]!.read(`${reads[0]!.name}_`)
        : `{ ${reads.map((r) => `${r.name}: ${r.read(`${r.name}_`)}`).join(', ')} }`;
  for (const r of reads) {
    r.imports.forEach((i) => imports.call.add(i));
    imports.note(r.ts);
  }
  for (const p of ins) imports.note(parameterType(p.type)!.ts);
  const shape = imports.shape(method.parameters.map((p) => (p.out ? 'ptr' : parameterType(p.type)!.native)));
  const passes = method.parameters.map((p) => (p.out ? `${p.name}_.address` : parameterType(p.type)!.pass(p.name)));
  const usesRef = passes.some((p) => p.startsWith('ref('));
  if (usesRef) imports.call.add('ref');
  const needsFrame = outs.length > 0 || passes.some((p) => p.startsWith('f.'));
  const label = `'${face.name}.${method.name}'`;
  const call = `check(this.method(${header.slot}, ${shape})(${['this.pointer', ...passes].join(', ')}), ${label})`;
  const lines: string[] = [`  /** Slot ${header.slot}. */`, `  ${method.name}${generic}(${signature}): ${result} {`];
  if (!needsFrame) lines.push(`    return ${call};`);
  else {
    ['enter', 'leave'].forEach((i) => imports.call.add(i));
    lines.push('    const f = enter();', '    try {');
    for (const p of outs) lines.push(`      const ${p.name}_ = f.cell();`);
    if (reads.length === 0) lines.push(`      return ${call};`);
    else lines.push(`      ${call};`, `      return ${value};`);
    lines.push('    } finally { leave(f); }');
  }
  lines.push('  }');
  if (method.async) {
    ['Frame', 'later'].forEach((i) => imports.call.add(i));
    const held = passes.map((p) => p.replace(/^ref\(/, 'f.hold('));
    lines.push(`  ${method.name}Async${generic}(${signature}): Promise<${result}> {`, '    const f = new Frame();');
    for (const p of outs) lines.push(`    const ${p.name}_ = f.cell();`);
    const reader =
      reads.length === 0 ? '(hresult) => hresult' : reads.length === 1 ? `() => ${value}` : `() => (${value})`;
    lines.push(
      `    return later(f, this, { slot: ${header.slot}, type: ${shape}, name: ${label} }, [${held.join(', ')}], ${reader});`,
      '  }',
    );
  }
  return lines;
}

/** The nearest base that is also wanted; else ComRef. */
function baseOf(facts: HeaderFacts, wanted: ReadonlySet<string>, name: string): string {
  for (
    let base = facts.interfaces.get(name)!.base;
    base && base !== 'IUnknown';
    base = facts.interfaces.get(base)?.base ?? ''
  )
    if (wanted.has(base)) return base;
  return 'ComRef';
}

const TYPE_SOURCES: Readonly<Record<string, string>> = {
  PointValue: '../library.ts',
  Pointer: '../library.ts',
  VariantInput: '../com/variant.ts',
  VariantValue: '../com/variant.ts',
  ArrayValue: '../com/safe-array.ts',
  RectValue: './call.ts',
  ComType: '../com/com-ref.ts',
};

/** The classes of one file. */
export function emitFile(file: WantedFile, all: readonly WantedFile[], facts: HeaderFacts): string {
  const home = new Map(all.flatMap((f) => f.interfaces.map((i) => [i.name, f.name] as const)));
  const wanted = new Set(home.keys());
  const imports = new Imports();
  const body: string[] = [];
  for (const face of file.interfaces) {
    const header = facts.interfaces.get(face.name);
    if (!header)
      throw new Error(
        `wanted.txt, line ${face.line}: ${face.name} is not in headers.tsv. Run \`${COMMAND} -- --headers DIR\`.`,
      );
    const base = baseOf(facts, wanted, face.name);
    if (base !== 'ComRef') imports.classes.add(base);
    body.push(
      '',
      `export class ${face.name} extends ${base} {`,
      `  static override readonly iid: Buffer = guid('${header.iid}');`,
      `  static override readonly interfaceName: string = '${face.name}';`,
    );
    for (const method of face.methods) body.push(...emitMethod(imports, facts, face, method));
    body.push('}');
  }
  const bySource = new Map<string, { values: Set<string>; types: Set<string> }>();
  const source = (path: string) =>
    bySource.get(path) ?? bySource.set(path, { values: new Set(), types: new Set() }).get(path)!;
  source('../com/com-ref.ts').values.add('ComRef');
  source('../com/guid.ts').values.add('guid');
  if (file.interfaces.some((i) => i.methods.length > 0)) {
    source('../com/hresult.ts').values.add('check');
    source('../com/vtable.ts').values.add('methodType');
  }
  for (const name of imports.call) source('./call.ts').values.add(name);
  for (const name of imports.types) source(TYPE_SOURCES[name]!).types.add(name);
  for (const name of imports.classes) {
    const from = home.get(name);
    if (from === undefined) throw new Error(`${file.name}: ${name} is used but not wanted.`);
    if (from !== file.name) source(`./${from}.generated.ts`).values.add(name);
  }
  const importLines = [...bySource]
    .filter(([, s]) => s.values.size + s.types.size > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([path, s]) =>
        `import { ${[...[...s.values].sort(), ...[...s.types].sort().map((t) => `type ${t}`)].join(', ')} } from '${path}';`,
    );
  const shapes = [...imports.shapes].map(
    ([key, name]) =>
      `const ${name} = methodType([${
        key === ''
          ? ''
          : key
              .split(',')
              .map((k) => `'${k}'`)
              .join(', ')
      }]);`,
  );
  return [
    `// ${MARK}`,
    '// Methods return their result; those without one return the success code. A failure throws ComError.',
    ...importLines,
    '',
    ...shapes,
    ...body,
    '',
  ].join('\n');
}

/** Identifiers and enumerations. */
export function emitIdentifiers(facts: HeaderFacts): string {
  const groups = new Map<string, { name: string; value: number }[]>();
  for (const { group, name, value } of facts.constants)
    groups.set(group, [...(groups.get(group) ?? []), { name, value }]);
  const lines = [`// ${MARK}`];
  for (const [group, members] of groups) {
    const bits = group.startsWith('Acc');
    lines.push(
      '',
      `export const ${group} = {`,
      ...members.map((m) => `  ${m.name}: ${bits ? `0x${m.value.toString(16)}` : m.value},`),
      '} as const;',
    );
  }
  return `${lines.join('\n')}\n`;
}

/** A C program that prints the slots that a compiler sees, for the test that compares them. */
export function emitSlotsProgram(files: readonly WantedFile[], facts: HeaderFacts): string {
  const faces = files.flatMap((f) => f.interfaces);
  const slots = faces.flatMap((face) => face.methods.map((m) => `  SLOT(${face.name}, ${m.name});`));
  const iids = faces.map((face) => `  IID(${face.name});`);
  const constants = facts.constants.map(({ group, name, symbol }) => `  CONSTANT("${group}.${name}", ${symbol});`);
  return `// cc: -lole32 -luuid
// ${MARK}
// Prints the vtable slots, interface ids and constants of the public headers, one a line.
#include <stdio.h>
#include <stddef.h>
#define COBJMACROS
#include <initguid.h>
#include <windows.h>
#include <ole2.h>
#include <oleacc.h>
#include <propsys.h>
#include <servprov.h>
#include <shobjidl.h>
#include <uiautomationcore.h>
#include <uiautomationclient.h>
#define SLOT(face, method) printf("slot\\t" #face "." #method "\\t%u\\n", (unsigned)(offsetof(face##Vtbl, method) / sizeof(void *)))
#define IID(face) print_iid(#face, &IID_##face)
#define CONSTANT(name, value) printf("constant\\t" name "\\t%lld\\n", (long long)(value))

static void print_iid(const char *name, const GUID *id) {
  printf("iid\\t%s\\t%08lx-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x\\n", name, id->Data1, id->Data2, id->Data3, id->Data4[0], id->Data4[1],
    id->Data4[2], id->Data4[3], id->Data4[4], id->Data4[5], id->Data4[6], id->Data4[7]);
}

int main(void) {
${[...slots, ...iids, ...constants].join('\n')}
  return 0;
}
`;
}

interface StructTable {
  readonly name: string;
  readonly at: object;
}

/** A C program that prints sizes and offsets of the structures that are declared in TypeScript. */
export function emitStructsProgram(structs: readonly StructTable[]): string {
  const lines = structs.flatMap((s) => [
    `  SIZE(${s.name});`,
    // A leading underscore marks what C cannot name: bit fields.
    ...Object.keys(s.at)
      .filter((field) => !field.startsWith('_'))
      .map((field) => `  FIELD(${s.name}, ${field});`),
  ]);
  return `// cc: -lole32
// ${MARK}
// Prints the size of each structure, and offset and size of each field, as the public headers have them.
#include <stdio.h>
#include <stddef.h>
#define NTDDI_VERSION 0x0A000008
#include <winsock2.h>
#include <windows.h>
#include <commctrl.h>
#include <iphlpapi.h>
#include <propidl.h>
#include <psapi.h>
#include <richedit.h>
#include <shellapi.h>
#include <tlhelp32.h>
#include <uxtheme.h>
#include <wincred.h>
#include <wincrypt.h>
#include <winternl.h>
#include <wintrust.h>
#include <wtypes.h>
#include <wtsapi32.h>
#define SIZE(type) printf(#type "\\t%u\\n", (unsigned)sizeof(type))
#define FIELD(type, field) printf(#type "." #field "\\t%u\\t%u\\n", (unsigned)offsetof(type, field), (unsigned)sizeof(((type *)0)->field))

int main(void) {
${lines.join('\n')}
  return 0;
}
`;
}
