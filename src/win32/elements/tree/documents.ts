/**
 * Several documents in one frame (MDI): the target document is activated first. A real click makes Windows ask the
 * parent windows to activate it (WM_MOUSEACTIVATE, WM_PARENTNOTIFY); posted messages do not, and commands would go to
 * the previously active document. Source: learn.microsoft.com/windows/win32/winmsg/wm-mdiactivate
 */
import { WM_MDIACTIVATE, WM_MDIGETACTIVE } from '../../../../native-bindings/win32/constants.ts';
import { changeWithin, leaveVisited } from '../../exits/messages.ts';
import { askWithin, wakeLoop } from '../../windows/ask.ts';
import { classNameOf, isEnabledThroughout, parentOf } from '../../windows/window-info.ts';

const ASK_MS = 1000;
/** The system's class, and the copy that Windows Forms registers. */
const CLIENT_CLASS = /(?:^|\.)mdiclient(?:\.|$)/i;

/** A document and the MDI client window that contains it. */
interface Document {
  readonly client: number;
  readonly hwnd: number;
}

/** The documents that contain a child window, outermost first. */
function documentsAround(bound: number, child: number): Document[] {
  const found: Document[] = [];
  for (let hwnd = child; hwnd !== 0 && hwnd !== bound;) {
    const client = parentOf(hwnd);
    if (client !== 0 && CLIENT_CLASS.test(classNameOf(client))) found.unshift({ client, hwnd });
    hwnd = client;
  }
  return found;
}

function activate({ client, hwnd }: Document): void {
  changeWithin(client, WM_MDIACTIVATE, hwnd, 0, ASK_MS);
  wakeLoop(client);
}

/**
 * Whether keys may go to a child: none of its documents is inactive. A document that does not answer counts as active.
 */
export function isInActiveDocument(bound: number, child: number): boolean {
  return documentsAround(bound, child).every(({ client, hwnd }) => {
    const active = askWithin(client, WM_MDIGETACTIVE, 0, 0, ASK_MS);
    return active === null || active === 0 || active === hwnd;
  });
}

/**
 * Activates the document of a child that is about to be clicked or typed into, if another one is active. What was acted on
 * before is left.
 * @returns reactivates the previous document, for when nothing was sent after all
 */
export function activateDocument(bound: number, child: number): () => void {
  leaveVisited(child);
  const before: Document[] = [];
  for (const document of documentsAround(bound, child)) {
    const active = askWithin(document.client, WM_MDIGETACTIVE, 0, 0, ASK_MS);
    if (active === null || active === document.hwnd || !isEnabledThroughout(document.hwnd)) continue;
    if (active !== 0) before.unshift({ client: document.client, hwnd: active });
    activate(document);
  }
  return () => {
    for (const document of before) activate(document);
  };
}
