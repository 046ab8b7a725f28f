/**
 * Several documents in one frame (MDI): the one that input goes to comes forward first. For a real click Windows asks the
 * windows above to activate what was clicked (WM_MOUSEACTIVATE, WM_PARENTNOTIFY); for messages it does not, and commands
 * would go on to the document that was in front. Source: learn.microsoft.com/windows/win32/winmsg/wm-mdiactivate
 */
import { sendWithin } from '../windows/ask.ts';
import { wakeLoop } from './notify.ts';
import { classNameOf, isEnabledThroughout, parentOf } from '../windows/window-info.ts';

const WM_MDIACTIVATE = 0x0222;
const WM_MDIGETACTIVE = 0x0229;
const ASK_MS = 1000;
/** The system's class, and the copy of it that Windows Forms registers. */
const CLIENT_CLASS = /(?:^|\.)mdiclient(?:\.|$)/i;

/** A document and the client window that holds it. */
interface Document {
  readonly client: number;
  readonly hwnd: number;
}

/** The documents that a child of a window lies in, the outermost first. */
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
  sendWithin(client, WM_MDIACTIVATE, hwnd, 0, ASK_MS);
  wakeLoop(client);
}

/** Whether keys for a child can be meant: no document that it lies in is behind another one. One that does not answer is taken for active. */
export function isInActiveDocument(bound: number, child: number): boolean {
  return documentsAround(bound, child).every(({ client, hwnd }) => {
    const active = sendWithin(client, WM_MDIGETACTIVE, 0, 0, ASK_MS);
    return active === null || active === 0 || active === hwnd;
  });
}

/**
 * Activates the document of a child that is about to be clicked or typed into, where another one is in front.
 * @returns puts the other one back, where nothing was sent in the end
 */
export function activateDocument(bound: number, child: number): () => void {
  const before: Document[] = [];
  for (const document of documentsAround(bound, child)) {
    const active = sendWithin(document.client, WM_MDIGETACTIVE, 0, 0, ASK_MS);
    if (active === null || active === document.hwnd || !isEnabledThroughout(document.hwnd)) continue;
    if (active !== 0) before.unshift({ client: document.client, hwnd: active });
    activate(document);
  }
  return () => {
    for (const document of before) activate(document);
  };
}
