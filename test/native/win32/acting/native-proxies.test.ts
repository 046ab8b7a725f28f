/**
 * Tests that act on standard controls, once more where Windows' native proxies show them: under Wine alone UI Automation
 * shows nothing of them.
 */
import { afterAll, beforeAll, describe } from 'vitest';
import { collecting, showBy } from '../support/elements.ts';
import { UiaCom } from '../support/uia-com.ts';
import { wordsOf } from '../../../support/words.ts';

const com = new UiaCom();

collecting.isNative = true;
// once all are collected, which the parts of a file are after it
beforeAll(() => {
  collecting.isNative = false;
});

describe.each(wordsOf`
  ./combo-boxes.test.ts ./custom-editor.test.ts ./dialogs.test.ts ./element-pointer.test.ts ./field-rules.test.ts
  ./file-dialog.test.ts ./long-lists.test.ts ./pickers.test.ts ./program-time.test.ts ./receivers.test.ts
  ./small-programs.test.ts ./taken-back.test.ts ./write-cell.test.ts ../elements/names.test.ts
  ../elements/unread.test.ts ../elements/popups.test.ts ../evidence/shown-fields.test.ts
`)('native: %s', async (file) => {
  beforeAll(() => {
    com.reset();
    com.configure({ proxies: 'native', timeouts: 0 });
    showBy({ automation: com.factory });
  });
  afterAll(() => {
    showBy({});
    com.reset();
  });
  // a copy of its own: the file itself may have run in this process
  await import(`${file}?native`);
});
