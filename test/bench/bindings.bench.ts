/** Nanoseconds of a call: flat, through a table, and of what surrounds it. Windows only. */
import { bench, describe } from 'vitest';
import { createInstance, enterMta } from '../../native-bindings/com/apartment.ts';
import { allocBstr, freeBstr, readBstr } from '../../native-bindings/com/bstr.ts';
import { guid } from '../../native-bindings/com/guid.ts';
import { methodType } from '../../native-bindings/com/vtable.ts';
import { takeVariant, VARIANT_SIZE, writeVariant } from '../../native-bindings/com/variant.ts';
import { IUIAutomation } from '../../native-bindings/uia/automation.generated.ts';
import { kernel32 } from '../../native-bindings/win32/kernel32.ts';
import { RECT } from '../../native-bindings/win32/structs.ts';
import { user32 } from '../../native-bindings/win32/user32.ts';

/** Many calls in one measured step: a single one is shorter than the clock's grain. */
const EACH = 10_000;
const repeat = (work: () => unknown) => (): void => { for (let i = 0; i < EACH; i++) work(); };

describe(`flat calls, ${EACH} at a time`, () => {
  const desktop = user32.GetDesktopWindow();
  const rect = RECT.alloc();
  bench('GetCurrentThreadId()', repeat(() => kernel32.GetCurrentThreadId()));
  bench('IsWindow(window) → boolean', repeat(() => user32.IsWindow(desktop)));
  bench('GetWindowRect(window, memory) and read', repeat(() => { user32.GetWindowRect(desktop, rect); return rect.readInt32LE(0); }));
});

describe(`calls through a table, ${EACH} at a time`, () => {
  const apartment = enterMta();
  const automation = createInstance(guid('e22ad333-b25f-460c-83d0-0581107395c9'), IUIAutomation);
  const count = methodType([], 'uint32');
  const addRef = automation.method(1, count);
  const release = automation.method(2, count);
  const { pointer } = automation;
  void apartment;
  bench('AddRef and Release, functions held', repeat(() => { addRef(pointer); release(pointer); }));
  bench('AddRef and Release, through the reference', repeat(() => { automation.method(1, count)(automation.pointer); automation.method(2, count)(automation.pointer); }));
  bench('clone and dispose', repeat(() => { automation.clone()[Symbol.dispose](); }));
});

describe(`values, ${EACH} at a time`, () => {
  const text = allocBstr('a name of an element');
  const memory = Buffer.alloc(VARIANT_SIZE);
  bench('read a BSTR', repeat(() => readBstr(text)));
  bench('make and free a BSTR', repeat(() => { freeBstr(allocBstr('a name of an element')); }));
  bench('VARIANT of a number there and back', repeat(() => { writeVariant(memory, 5); takeVariant(memory); memory.fill(0); }));
});
