/** Clients search tools by words: everyday wishes find the tool that does them, by names and descriptions alone. */
import { describe, expect, test } from 'vitest';
import { buildCatalog } from '../../../src/host/face/catalog.ts';
import { buildMcpTools } from '../../../src/mcp/tool-list.ts';

/** What people ask for, with the tools that do it. */
const WISHES: ReadonlyArray<readonly [wish: string, tools: readonly string[]]> = [
  ['click a button', ['click_element']],
  ['fill in a form field', ['type_into_element']],
  ['type text into a text box', ['type_into_element']],
  ['take a screenshot', ['screenshot']],
  ['list open windows', ['list_visible_windows']],
  ['launch an application', ['open_app']],
  ['start a program', ['open_app']],
  ['open notepad application', ['open_app']],
  ['run a command in a terminal', ['open_terminal']],
  ['read terminal output', ['read_terminal']],
  ['scroll down', ['scroll_element', 'scroll', 'mouse_wheel']],
  ['copy to clipboard', ['write_clipboard']],
  ['paste from clipboard', ['read_clipboard']],
  ['drag and drop', ['drag_element', 'drag']],
  ['read excel cells', ['read_range', 'workbook_info']],
  ['write values into a spreadsheet', ['write_range']],
  ['choose from a drop-down list', ['select_element']],
  ['select a menu item', ['select_element']],
  ['read a table', ['read_table']],
  ['find an element on screen', ['find', 'snapshot']],
  ['search for a field by name', ['find']],
  ['press a keyboard shortcut', ['virtual_keyboard', 'key']],
  ['close a window', ['manage_window']],
  ['maximize window', ['manage_window']],
  ['switch to another window', ['bind_to_window', 'activate_window']],
  ['wait for a dialog to appear', ['wait_for']],
  ['right click', ['click_element', 'click', 'virtual_mouse']],
  ['double click', ['click_element', 'click', 'virtual_mouse']],
  ['check a check box', ['click_element']],
  ['list installed programs', ['list_installed_apps']],
];

/** Wishes in words that are not the descriptions' own: the tool comes first or second of all. */
const OTHER_WISHES: typeof WISHES = [
  ['press ctrl+s in the editor', ['key', 'virtual_keyboard']],
  ['read the third row of a table', ['read_table']],
  ['scroll down the list', ['scroll', 'scroll_element', 'mouse_wheel']],
  ['right-click a file', ['click_element', 'virtual_mouse']],
  ['start Excel', ['open_app']],
  ['open the menu File Save As', ['select_element']],
  ['copy text to clipboard', ['write_clipboard']],
  ['tick a check box', ['click_element']],
  ['close the window', ['manage_window']],
  ['wait until a dialog appears', ['wait_for']],
  ['set a slider to 50', ['type_into_element']],
  ['expand a tree node', ['select_element']],
  ['run a command in a terminal', ['open_terminal']],
  ['read cell B3 of a spreadsheet', ['read_range']],
  ['fill in a form field', ['type_into_element']],
  ['select several rows with ctrl+click', ['click', 'virtual_mouse']],
];

/** Tools that a client shows its model for a search. */
const SHOWN = 5;

const stem = (word: string): string => word.replace(/(?:ing|ed|es|s)$/, '');
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stem).filter((word) => word !== '');

interface Document {
  readonly name: string;
  readonly words: readonly string[];
}

/** Okapi BM25, with the usual constants: what search over short texts does. */
function ranked(documents: readonly Document[], wish: string): string[] {
  const average = documents.reduce((sum, { words }) => sum + words.length, 0) / documents.length;
  const score = ({ words }: Document): number =>
    wordsOf(wish).reduce((sum, word) => {
      const having = documents.filter((document) => document.words.includes(word)).length;
      const times = words.filter((each) => each === word).length;
      const rarity = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
      return sum + (rarity * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * words.length) / average));
    }, 0);
  return documents
    .map((document) => ({ name: document.name, score: score(document) }))
    .filter((each) => each.score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ name }) => name);
}

describe('search by words', () => {
  const tools = buildMcpTools(buildCatalog());
  const documents = tools.list(new Set(tools.caps)).map(({ name, title, description }) => ({
    name,
    words: wordsOf(`${name.replaceAll('_', ' ')} ${title} ${description}`),
  }));

  test('finds the tool for at least 28 of 30 everyday wishes among the first five', () => {
    const missed = WISHES.filter(
      ([wish, wanted]) =>
        !ranked(documents, wish)
          .slice(0, SHOWN)
          .some((name) => wanted.includes(name)),
    ).map(([wish]) => [wish, ranked(documents, wish).slice(0, SHOWN)]);
    expect(
      OTHER_WISHES.flatMap(([wish, wanted]) =>
        ranked(documents, wish)
          .slice(0, 2)
          .some((name) => wanted.includes(name))
          ? []
          : [[wish, ranked(documents, wish).slice(0, 4)]],
      ),
    ).toEqual([]);
    expect(WISHES).toHaveLength(30);
    expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(2);
  });
});
