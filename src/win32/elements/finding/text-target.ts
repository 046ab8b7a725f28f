/** Which window inside the bound one receives the keys. */
import { UiaHostError } from '../../../contract/errors.ts';
import type { Point } from '../../../contract/element/geometry.ts';
import { isTerminalClass } from '../../../contract/terminal/terminals.ts';
import { needsFront } from '../../../contract/ways/receivers.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import {
  threadOf,
  classNameOf,
  descendantsOf,
  isEnabledThroughout,
  isInMenu,
  kindOfWindow,
} from '../../windows/window-info.ts';
import { type ControlKind, losesPostedKeys } from '../../windows/classes.ts';
import { toolkitOf } from '../../windows/toolkit.ts';
import { comboParts } from '../../drivers/combo.ts';
import { isInActiveDocument } from '../tree/documents.ts';
import { LEAVES_FOCUS, type FocusMemory } from './focus-memory.ts';

export { FocusMemory } from './focus-memory.ts';

/** The window that receives the keys. */
export interface KeyTarget {
  readonly hwnd: number;
  readonly thread: number;
  readonly kind: ControlKind;
  readonly foundBy: 'last focus' | 'system focus' | 'only text control' | 'window itself';
  /** Posted keys are lost there: elements have to be used instead. */
  readonly losesKeys?: boolean;
  /** Where it was last clicked, screen pixels: in a window that draws its own fields the keys go there. */
  readonly at?: Point;
}

/** A window that keys or pointer messages are sent to, as it is now. */
export const receiverAt = (
  hwnd: number,
  foundBy: KeyTarget['foundBy'] = 'window itself',
): Pick<KeyTarget, 'hwnd' | 'thread' | 'kind' | 'foundBy'> => ({
  hwnd,
  thread: threadOf(hwnd).thread,
  kind: kindOfWindow(hwnd),
  foundBy,
});

const TEXT_KINDS: ReadonlySet<ControlKind> = new Set(['edit', 'rich-edit']);
/**
 * Browsers and similar frames: the top-level window receives the keys and routes them to what it draws, whatever child
 * windows it has.
 */
const FRAMES_WITH_KEYS = /^(?:Chrome_WidgetWin_\d+|MozillaWindowClass|MozillaDialogClass)$/;

const isReached = (hwnd: number): boolean => user32.IsWindowVisible(hwnd) && isEnabledThroughout(hwnd);

/**
 * The windows below the bound one, asked only where they decide. Whether one is visible and enabled takes several calls,
 * so only windows that could matter are asked.
 */
function childrenOf(bound: number) {
  let all: Array<{ readonly hwnd: number; readonly className: string; readonly kind: ControlKind }> | undefined;
  let texts: readonly number[] | undefined;
  const list = (): NonNullable<typeof all> =>
    (all ??= descendantsOf(bound).map((hwnd) => {
      const className = classNameOf(hwnd);
      return { hwnd, className, kind: kindOfWindow(hwnd, className) };
    }));
  return {
    /** Text controls that keys can reach. */
    texts: (): readonly number[] =>
      (texts ??= list()
        .filter(({ hwnd, kind }) => TEXT_KINDS.has(kind) && isReached(hwnd) && isInActiveDocument(bound, hwnd))
        .map(({ hwnd }) => hwnd)),
    /** Whether one of these classes is within reach of keys. */
    hasClass: (isMeant: (className: string) => boolean): boolean =>
      list().some(({ hwnd, className }) => isMeant(className) && isReached(hwnd)),
    /** Whether keys can reach a part that takes the focus. */
    takeFocus: (): boolean => list().some(({ hwnd, kind }) => !LEAVES_FOCUS.has(kind) && isReached(hwnd)),
  };
}

/**
 * Whether a window handles keys sent to itself: a dialog passes them on, and a window without parts that could take
 * keys handles them itself.
 */
function takesKeysItself(bound: number, children: ReturnType<typeof childrenOf>): boolean {
  const className = classNameOf(bound);
  return (
    kindOfWindow(bound) === 'dialog' ||
    FRAMES_WITH_KEYS.test(className) ||
    isTerminalClass(className) ||
    !children.takeFocus()
  );
}

/**
 * The child that has the focus or was clicked last, else the only text control, else the window itself where it handles
 * keys. Always within the bound window.
 * @param owner whose clicks count
 * @param isCommand the keys are handled by a frame for all its parts: menus, function keys
 * Errors: window_gone, target_ambiguous with candidates or where nothing has the focus.
 */
export function findKeyTarget(bound: number, memory: FocusMemory, owner: string, isCommand = false): KeyTarget {
  if (!user32.IsWindow(bound))
    throw new UiaHostError('window_gone', 'The bound window no longer exists; nothing was sent.');
  const target = (found: number, foundBy: KeyTarget['foundBy']): KeyTarget => {
    // The field in a combo box has the focus for it.
    const inside = kindOfWindow(found) === 'combo-box' ? comboParts(found).edit : 0;
    return receiverAt(inside === 0 ? found : inside, foundBy);
  };

  const children = childrenOf(bound);
  const known = memory.find(bound, owner);
  const part = known === null || known.hwnd === bound ? null : classNameOf(known.hwnd);
  const top = classNameOf(bound);
  // A text control of a classic kind takes posted keys, whatever is around it.
  const isClassic = (): boolean => isTerminalClass(top) || (part === null && children.texts().length > 0);
  if (losesPostedKeys(top, part, children.hasClass) && !isClassic())
    return { ...target(known?.hwnd ?? bound, known?.foundBy ?? 'window itself'), losesKeys: true };
  // A frame gets the focus for a moment whenever its program is activated; that alone does not make it a place for text
  // where there are fields. Without any, a frame that keeps the focus takes the keys for what its parts draw.
  if (
    known !== null &&
    (known.hwnd !== bound ||
      known.isClicked ||
      isCommand ||
      children.texts().length === 0 ||
      takesKeysItself(bound, children))
  ) {
    return { ...target(known.hwnd, known.foundBy), ...(known.at === null ? {} : { at: known.at }) };
  }
  const texts = children.texts();
  // The loop of an open menu takes the keys of its thread, whatever window they are for.
  if (isInMenu(threadOf(bound).thread)) return target(bound, 'window itself');
  if (texts.length === 1) return target(texts[0]!, 'only text control');
  if (isCommand || (texts.length === 0 && takesKeysItself(bound, children))) return target(bound, 'window itself');
  if (user32.IsIconic(bound)) {
    throw new UiaHostError(
      'target_ambiguous',
      'The bound window is minimised, and no part of it is known to have the focus; nothing was sent.',
      { hint: 'Restore the window with manage-window, then send the keys again.' },
    );
  }
  if (texts.length === 0) {
    throw new UiaHostError(
      'target_ambiguous',
      'No part of the bound window is known to have the focus, and the window itself takes no text; nothing was sent.',
      {
        hint: needsFront(toolkitOf(bound))
          ? 'Bring the window to the front with manage-window (focus), then send the keys again.'
          : 'Click into an element first (click-element, or virtual-mouse), then send the keys again.',
      },
    );
  }
  throw new UiaHostError(
    'target_ambiguous',
    `The bound window has ${texts.length} text controls and none is known to have the focus; nothing was sent.`,
    {
      hint: 'Click the field first (click-element), or use type-into-element.',
      candidates: texts.slice(0, 10).map((hwnd) => ({
        hwnd: String(hwnd),
        role: 'Edit',
        automationId: String(user32.GetDlgCtrlID(hwnd)),
      })),
    },
  );
}
