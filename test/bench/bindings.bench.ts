/**
 * Nanoseconds per call: flat, through a vtable, and the conversions around it. A program for Windows' Node:
 * `node test/bench/bindings.bench.ts`. Prints p50 and p95 of 40 rounds of 5,000 calls each.
 */
import { createInstance, enterMta } from '../../native-bindings/com/apartment.ts';
import { allocBstr, freeBstr, readBstr } from '../../native-bindings/com/bstr.ts';
import { guid } from '../../native-bindings/com/guid.ts';
import { methodType } from '../../native-bindings/com/vtable.ts';
import { takeVariant, VARIANT_SIZE, writeVariant } from '../../native-bindings/com/variant.ts';
import { IUIAutomation } from '../../native-bindings/uia/automation.generated.ts';
import { PropertyId } from '../../native-bindings/uia/identifiers.generated.ts';
import { kernel32 } from '../../native-bindings/win32/kernel32.ts';
import { RECT } from '../../native-bindings/win32/structs.ts';
import { user32 } from '../../native-bindings/win32/user32.ts';

const ROUNDS = 40;

function measure(name: string, work: () => unknown, calls = 5000): void {
  for (let i = 0; i < calls; i++) work();
  const rounds = Array.from({ length: ROUNDS }, () => {
    const start = process.hrtime.bigint();
    for (let i = 0; i < calls; i++) work();
    return Number(process.hrtime.bigint() - start) / calls;
  }).sort((a, b) => a - b);
  const at = (share: number) => rounds[Math.floor(rounds.length * share)]!.toFixed(0).padStart(8);
  console.log(`${name.padEnd(48)}${at(0.5)} ns${at(0.95)} ns`);
}

const desktop = user32.GetDesktopWindow();
const rect = RECT.alloc();
console.log(`${''.padEnd(48)}     p50        p95`);
measure('GetCurrentThreadId()', () => kernel32.GetCurrentThreadId());
measure('IsWindow(window)', () => user32.IsWindow(desktop));
measure('GetForegroundWindow()', () => user32.GetForegroundWindow());
measure('GetWindowRect(window, memory) and one field', () => {
  user32.GetWindowRect(desktop, rect);
  return rect.readInt32LE(RECT.at.right);
});

const apartment = enterMta();
const automation = createInstance(guid('e22ad333-b25f-460c-83d0-0581107395c9'), IUIAutomation);
const element = automation.GetRootElement()!;
const count = methodType([], 'uint32');
const addRef = automation.method(1, count);
const release = automation.method(2, count);
const { pointer } = automation;
measure('AddRef + Release, functions held (two calls)', () => {
  addRef(pointer);
  release(pointer);
});
measure('AddRef + Release, looked up (two calls)', () => {
  automation.method(1, count)(automation.pointer);
  automation.method(2, count)(automation.pointer);
});
measure('clone and dispose', () => {
  automation.clone()[Symbol.dispose]();
});
measure(
  'GetCurrentPropertyValueEx, number',
  () => element.GetCurrentPropertyValueEx(PropertyId.ControlType, true),
  200,
);

const text = allocBstr('a name of an element');
const memory = Buffer.alloc(VARIANT_SIZE);
measure('read a BSTR', () => readBstr(text));
measure('make and free a BSTR', () => {
  freeBstr(allocBstr('a name of an element'));
});
measure('VARIANT of a number, written and taken', () => {
  writeVariant(memory, 5);
  takeVariant(memory);
  memory.fill(0);
});

freeBstr(text);
element[Symbol.dispose]();
automation[Symbol.dispose]();
apartment[Symbol.dispose]();
