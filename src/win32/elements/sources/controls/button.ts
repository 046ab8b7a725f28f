/** Check boxes and radio buttons. Source: learn.microsoft.com/windows/win32/controls/bm-getcheck */
import { BM_GETCHECK, BST_CHECKED, BST_INDETERMINATE } from '../../../../../native-bindings/win32/constants.ts';
import { buttonKind } from '../../../windows/classes.ts';
import type { ControlReader } from './control-reader.ts';

export const readButton: ControlReader = ({ info, node }, { asker }) => {
  const kind = buttonKind(info.style);
  if (kind !== 'check' && kind !== 'radio') return;
  const check = asker.ask(info.hwnd, BM_GETCHECK);
  if (check === BST_CHECKED) node.states.add(kind === 'radio' ? 'selected' : 'checked');
  if (check === BST_INDETERMINATE) node.states.add('mixed');
};
