/**
 * Windows' named numbers: which are wanted (`native-bindings/win32/constants/wanted.txt`), their values in the public
 * headers (`headers.tsv` next to it), the generated files, and the C program that compares them.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMAND } from './emit.ts';

export interface WantedConstants {
  readonly name: string;
  /** The section's heading after its name. */
  readonly about: string;
  readonly constants: readonly string[];
}
/** Each constant as TypeScript writes it: `16`, `-1`, `0x8000`. */
export type ConstantFacts = ReadonlyMap<string, string>;

const MARK = `generated, do not edit: \`${COMMAND}\``;
const INCLUDES = `#define NTDDI_VERSION 0x0A000008
#include <winsock2.h>
#include <windows.h>
#include <ole2.h>
#include <commctrl.h>
#include <richedit.h>
#include <aclapi.h>
#include <dwmapi.h>
#include <iads.h>
#include <iphlpapi.h>
#include <oleacc.h>
#include <sddl.h>
#include <shellapi.h>
#include <shellscalingapi.h>
#include <shlobj.h>
#include <shobjidl.h>
#include <softpub.h>
#include <tlhelp32.h>
#include <uiautomation.h>
#include <wincred.h>
#include <wincrypt.h>
#include <wintrust.h>
#include <wtsapi32.h>
`;

/**
 * The sections of the list, one file each. Each name occurs once, in alphabetical order, so that two additions do not
 * collide.
 */
export function parseWantedConstants(text: string): WantedConstants[] {
  const files: { name: string; about: string; constants: string[] }[] = [];
  const seen = new Set<string>();
  text.split('\n').forEach((raw, index) => {
    const refuse = (what: string) => new Error(`constants/wanted.txt, line ${index + 1}: ${what}`);
    if (raw.startsWith('#') || raw.trim() === '') return;
    const section = /^\[([a-z-]+)\] (.+)$/.exec(raw);
    if (section) {
      files.push({ name: section[1]!, about: section[2]!, constants: [] });
      return;
    }
    const current = files.at(-1);
    if (!current) throw refuse('a name comes before the first [section].');
    if (!/^[A-Z]\w*$/.test(raw)) throw refuse(`"${raw}" is neither a constant nor "[section] what it is for".`);
    if (seen.has(raw)) throw refuse(`${raw} is listed twice.`);
    const before = current.constants.at(-1);
    if (before !== undefined && before > raw) throw refuse(`${raw} belongs before ${before}.`);
    seen.add(raw);
    current.constants.push(raw);
  });
  return files;
}

/**
 * The values as a compiler sees them. It only compiles: the assembly contains each value, so no program has to run. A
 * value is hexadecimal if the headers write it that way.
 */
export function readConstants(compiler: string, headers: string, names: readonly string[]): ConstantFacts {
  const folder = mkdtempSync(join(tmpdir(), 'uiahost-constants-'));
  try {
    const flags = ['-std=gnu17', '-DUNICODE', '-D_WIN32_WINNT=0x0A00', '-DWINVER=0x0A00', '-isystem', headers];
    const translate = (modes: readonly string[], lines: readonly string[]): string => {
      const source = join(folder, 'constants.c');
      writeFileSync(source, `${INCLUDES}${lines.join('\n')}\n`);
      return execFileSync(compiler, [...flags, ...modes, '-o', '-', source], { encoding: 'utf8', maxBuffer: 2 ** 26 });
    };
    const assembly = translate(
      ['-S'],
      names.map((name) => `long long value_${name} = (long long)(${name});`),
    );
    const values = new Map<string, number>();
    for (const [, name, directive, value] of assembly.matchAll(/^value_(\w+):\s+\.(quad|space)\s+(-?\d+)/gm))
      values.set(name!, directive === 'quad' ? Number(value) : 0);
    const expanded = translate(
      ['-E', '-P'],
      names.map((name, index) => `spelling_${index} ${name}`),
    );
    const spellings = new Map<string, string>();
    for (const [, index, spelling] of expanded.matchAll(/^spelling_(\d+) ([^\n]*)/gm))
      spellings.set(names[Number(index)]!, spelling!);
    return new Map(
      names.map((name) => {
        const value = values.get(name);
        if (value === undefined) throw new Error(`The compiler gave no value for ${name}.`);
        const isHex = value > 9 && /0x/i.test(spellings.get(name) ?? '');
        return [name, isHex ? `0x${value.toString(16).padStart(value > 0xff ? 4 : 2, '0')}` : String(value)];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** As the committed table: tab-separated lines. */
export function formatConstantFacts(facts: ConstantFacts): string {
  const rows = [...facts].sort(([a], [b]) => (a < b ? -1 : 1)).map((row) => row.join('\t'));
  return [
    `# Read from the public mingw-w64 headers by \`${COMMAND} -- --headers DIR\`. Do not edit.`,
    ...rows,
    '',
  ].join('\n');
}

/** The committed table. */
export function parseConstantFacts(text: string): ConstantFacts {
  const rows = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(rows.map((line) => line.split('\t') as [string, string]));
}

/** The constants of one section. Each is a separate export, so that a bundle has only the constants that it uses. */
export function emitConstants(file: WantedConstants, facts: ConstantFacts): string {
  const lines = file.constants.map((name) => {
    const value = facts.get(name);
    if (value === undefined)
      throw new Error(`constants/wanted.txt: ${name} is not in headers.tsv. Run \`${COMMAND} -- --headers DIR\`.`);
    return `export const ${name} = ${value};`;
  });
  return [`// ${MARK}`, `// ${file.about}`, ...lines, ''].join('\n');
}

/** A C program that prints the values that a compiler sees, for the test that compares them. */
export function emitConstantsProgram(files: readonly WantedConstants[]): string {
  return `// cc: -lole32
// ${MARK}
// Prints the constants of the public headers, one a line.
#include <stdio.h>
${INCLUDES}#define CONSTANT(name) printf(#name "\\t%lld\\n", (long long)(name))

int main(void) {
${files.flatMap((file) => file.constants.map((name) => `  CONSTANT(${name});`)).join('\n')}
  return 0;
}
`;
}
