/** Gets the demo the controls of Windows' present look, which a program otherwise asks for in its manifest. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressOf } from '../../native-bindings/library.ts';
import { comctl32 } from '../../native-bindings/win32/comctl32.ts';
import {
  ICC_DATE_CLASSES,
  ICC_STANDARD_CLASSES,
  ICC_WIN95_CLASSES,
  INVALID_HANDLE_VALUE,
} from '../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../native-bindings/win32/kernel32.ts';
import { ACTCTXW, INITCOMMONCONTROLSEX } from '../../native-bindings/win32/structs.ts';

const MANIFEST = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<assembly xmlns="urn:schemas-microsoft-com:asm.v1" manifestVersion="1.0">
  <dependency><dependentAssembly>
    <assemblyIdentity type="win32" name="Microsoft.Windows.Common-Controls" version="6.0.0.0" processorArchitecture="*" publicKeyToken="6595b64144ccf1df" language="*"/>
  </dependentAssembly></dependency>
</assembly>
`;

/**
 * Loads version 6 of the common controls for this thread and registers their classes. node.exe has no manifest that names
 * it, so an activation context does. Without one (Windows refused it) the controls are those of version 5: plainer, and
 * otherwise the same. The context stays active until the thread ends.
 * Source: learn.microsoft.com/windows/win32/controls/cookbook-overview
 */
export function useCommonControls(): void {
  const folder = mkdtempSync(join(tmpdir(), 'uiahost-demo-'));
  try {
    const file = join(folder, 'demo.manifest');
    writeFileSync(file, MANIFEST);
    const source = Buffer.from(`${file}\0`, 'utf16le');
    const context = kernel32.CreateActCtxW(ACTCTXW.alloc({ cbSize: ACTCTXW.size, lpSource: addressOf(source) }));
    // Windows has read the manifest by now; the name must not be collected earlier.
    source.fill(0);
    if (context !== INVALID_HANDLE_VALUE) kernel32.ActivateActCtx(context, Buffer.alloc(8));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  comctl32.InitCommonControlsEx(
    INITCOMMONCONTROLSEX.alloc({
      dwSize: INITCOMMONCONTROLSEX.size,
      dwICC: ICC_STANDARD_CLASSES | ICC_WIN95_CLASSES | ICC_DATE_CLASSES,
    }),
  );
}
