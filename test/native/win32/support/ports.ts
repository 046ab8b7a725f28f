/** The ports of one desktop worker, in the test’s own process. */
import { vi } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { Win32AppPort } from '../../../../src/win32/ports/app.ts';
import { createBindingPort } from '../../../../src/win32/ports/binding.ts';
import { Win32CapturePort, createDisplayPort } from '../../../../src/win32/ports/capture.ts';
import type { PasswordFinder } from '../../../../src/win32/imaging/password-memory.ts';
import { createWin32Services } from '../../../../src/win32/ports/services.ts';
import { createSystemPort } from '../../../../src/win32/ports/system.ts';
import { createWindowPort } from '../../../../src/win32/ports/window.ts';

// Programs are started and ended for each test, on machines that do other things meanwhile.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
// A desktop that was just made believes the cursor at 0,0 until it is first moved, and would report a move later on.
user32.SetCursorPos(1200, 780);

/** The ports of one desktop worker, in this process. */
export function createPorts(findPasswords?: PasswordFinder) {
  const services = createWin32Services();
  return {
    services,
    app: new Win32AppPort(services),
    binding: createBindingPort(services),
    capture: new Win32CapturePort(services, findPasswords),
    display: createDisplayPort(services),
    system: createSystemPort(services),
    window: createWindowPort(services),
  };
}
