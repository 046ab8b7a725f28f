/** Edit and rich edit controls. A password field's text is never requested. */
import type { ControlReader } from './control-reader.ts';

export const readEdit: ControlReader = ({ info, node }, { asker }) => {
  if (!node.states.has('password')) node.value = asker.text(info.hwnd);
};
