/** Check boxes and radio buttons. Source: learn.microsoft.com/windows/win32/controls/bm-getcheck */
import { buttonKind } from '../../../windows/classes.ts';
import type { ControlReader } from './control-reader.ts';

const BM_GETCHECK = 0x00f0;
const BST_CHECKED = 1;
const BST_INDETERMINATE = 2;

export const readButton: ControlReader = ({ info, node }, { asker }) => {
  const kind = buttonKind(info.style);
  if (kind !== 'check' && kind !== 'radio') return;
  const check = asker.ask(info.hwnd, BM_GETCHECK);
  if (check === BST_CHECKED) node.states.add(kind === 'radio' ? 'selected' : 'checked');
  if (check === BST_INDETERMINATE) node.states.add('mixed');
};
