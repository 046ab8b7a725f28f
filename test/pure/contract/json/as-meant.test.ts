/** Arguments as models write them. */
import { describe, expect, test } from 'vitest';
import { ACTIONS } from '../../../../src/actions/index.ts';
import { buildCatalog } from '../../../../src/host/face/catalog.ts';
import { buildTools, callOf } from '../../../../src/host/face/tools.ts';

const box = buildTools(buildCatalog());
const inputOf = (tool: string, given: unknown): unknown => callOf(box.named(tool), given).input;

describe('[tools.as-meant] arguments of tools', () => {
  test.each<readonly [string, string, unknown, unknown]>([
    ['numbers as texts', 'click', { x: '10', y: ' 20.5 ', count: '2' }, { x: 10, y: 20.5, count: 2 }],
    ['a boolean as a text', 'type', { text: 'a', viaClipboard: 'True' }, { text: 'a', viaClipboard: true }],
    ['all as one JSON text', 'click', '{"x":1,"y":"2"}', { x: 1, y: 2 }],
    ['a list as a JSON text', 'hold_key', { keyNames: '["a"]', durationMs: '50' }, { keyNames: ['a'], durationMs: 50 }],
    [
      'an object as a JSON text, with texts in it',
      'zoom',
      { regionLogical: '{"x":"0","y":0,"w":9,"h":9}' },
      { regionLogical: { x: 0, y: 0, w: 9, h: 9 } },
    ],
    [
      'empty strings and nulls for what is left out',
      'click_element',
      { name: 'Save', role: '', automationId: '', ref: '', button: null, count: '' },
      { name: 'Save' },
    ],
    ['snake_case', 'click_element', { automation_id: '7' }, { automationId: '7' }],
    [
      'steps as a JSON text',
      'batch',
      { steps: '[{"action":"snapshot","input":{}}]' },
      { steps: [{ action: 'snapshot', input: {} }] },
    ],
  ])('%s (%s)', (_what, tool, given, input) => expect(inputOf(tool, given)).toEqual(input));

  test.each<readonly [string, string, object]>([
    ['typed text that looks like a number, a list or nothing', 'type', { text: '007' }],
    ['typed JSON', 'type_into_element', { name: 'Notes', text: '["a"]' }],
    ['a text that replaces with nothing', 'type_into_element', { name: 'Notes', text: '' }],
    [
      'cells',
      'write_range',
      {
        range: 'A1:B2',
        values: [
          ['1', 'true'],
          ['', null],
        ],
      },
    ],
    ['keys', 'virtual_keyboard', { action: 'combo', text: '1' }],
    ['a name that is a number', 'click_element', { name: '7' }],
    ['a window handle', 'bind_to_window', { hwnd: '123' }],
    ['an item that is a number', 'select_element', { name: 'Year', item: '2026' }],
  ])('%s is left alone (%s)', (_what, tool, given) => expect(inputOf(tool, given)).toEqual(given));

  test.each<readonly [string, object]>([
    ['click', { x: 'ten', y: 1 }],
    ['click', { x: '0x10', y: 1 }],
    ['click', { x: '1e3', y: 1 }],
    ['click', { x: '', y: 1 }],
    ['hold_key', { keyNames: '[a', durationMs: 5 }],
    ['type', { text: 'a', viaClipboard: 'yes' }],
  ])('what stays in doubt is the host’s to refuse, unchanged (%s %o)', (tool, given) => {
    expect(inputOf(tool, given)).toEqual(given);
    expect(ACTIONS.find((action) => action.tool === tool)!.input.safeParse(inputOf(tool, given)).success).toBe(false);
  });

  test('whatever an action takes, its tool passes on unchanged; a picture comes without text', () => {
    for (const action of ACTIONS) {
      const { success } = action.input.safeParse(action.sample);
      const sent = { ...(action.tool === 'screenshot' ? { text: false } : {}), ...(action.sample as object) };
      expect([action.tool, success, inputOf(action.tool, action.sample)]).toEqual([action.tool, true, sent]);
    }
  });
});

test.each<readonly [string, string, unknown]>([
  ['a list', 'write_range', { range: 'A1', values: '[[871822610227022011]]' }],
  ['steps', 'batch', { steps: '[{"action":"write-range","input":{"range":"A1","values":[[9007199254740993]]}}]' }],
  ['all as one text', 'write_range', '{"range":"A1","values":[[9007199254740993.0]]}'],
])(
  '[json.exact] JSON texts in arguments: %s: a number that JSON does not carry exactly is refused',
  (_what, tool, given) => {
    expect(() => inputOf(tool, given)).toThrow(/not carry exactly; send it as a text/);
  },
);
