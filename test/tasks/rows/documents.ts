/** Tasks with documents: several in a frame, and an editor with its own text control. */
import {
  step,
  bind,
  bindNew,
  click,
  did,
  ended,
  file,
  fill,
  gone,
  look,
  press,
  shows,
  type Task,
  window,
  write,
} from '../task.ts';

const notes: readonly Task[] = [
  {
    program: 'notes',
    goal: 'Write into the note behind the other one, and save only that note',
    steps: () => [
      bind('Notes'),
      look('Note 1'),
      {
        ...step('click-element', {}, window('Notes')),
        ref: { line: { controlType: 'Edit' }, below: { name: 'Note 1' } },
      },
      write('Milk\nBread', window('Notes')),
      press('ctrl+s', did('wrote', 'Note 1.txt')),
    ],
    leaves: { files: { 'Note 1.txt': 'Milk\r\nBread' }, did: ['wrote: Note 1.txt'] },
  },
  {
    program: 'notes',
    goal: 'Close the program and save the changed note when it asks',
    steps: () => [
      bind('Notes'),
      look('Note 2'),
      {
        ...step('type-into-element', { text: 'not yet saved' }, shows('Edit', 'not yet saved')),
        ref: { line: { controlType: 'Edit' }, below: { name: 'Note 2' } },
      },
      { ...step('manage-window', { action: 'close' }, window('Notes')), ends: 'still_open' },
      bindNew,
      look('Note 2 has changed. Save it?'),
      step('click-element', { name: 'Yes' }, file('Note 2.txt', 'not yet saved'), ended),
    ],
    leaves: { files: { 'Note 2.txt': 'not yet saved' }, did: ['wrote: Note 2.txt'] },
  },
];

const SAVE_AS = 'Save As';
const editor: readonly Task[] = [
  {
    program: 'editor',
    goal: 'Type code with line breaks and tabs, and save it under a name',
    steps: (place) => [
      bind('Editor'),
      look('[Document]'),
      step('click-element', { role: 'Document' }, window(/Editor/)),
      write('int a;\n\tint b; // å\n', window(/Editor/)),
      press('ctrl+s', window(SAVE_AS)),
      bind(SAVE_AS),
      step('type-into-element', { name: 'File name', text: place.path('code.c') }, window(SAVE_AS)),
      click('Save', file('code.c', /^int a;/)),
    ],
    leaves: { files: { 'code.c': 'int a;\r\n\tint b; // å\r\n' } },
  },
  {
    program: 'editor',
    goal: 'Open a file with the dialog, replace a word everywhere, and save',
    files: { 'poem.txt': 'red rose\r\nred wine\r\ntired\r\n' },
    steps: (place) => [
      bind('Editor'),
      press('ctrl+o', window('Open')),
      bind('Open'),
      step('type-into-element', { name: 'File name', text: place.path('poem.txt') }, window('Open')),
      click('Open', window(/poem\.txt/)),
      bind('Editor'),
      press('ctrl+h', window('Replace')),
      bind('Replace'),
      fill('Find what', 'red', window('Replace')),
      fill('Replace with', 'blue', window('Replace')),
      click('Replace All', window('Replace')),
      click('Close', gone('Replace')),
      bind('Editor'),
      press('ctrl+s', file('poem.txt', /^blue/)),
    ],
    leaves: { files: { 'poem.txt': 'blue rose\r\nblue wine\r\ntiblue\r\n' } },
  },
  {
    program: 'editor',
    goal: 'Add a line at the end of a file that is open at its beginning',
    files: { 'log.txt': 'one\ntwo\n' },
    args: (place) => ['--file', place.path('log.txt')],
    steps: () => [
      bind('log.txt'),
      look('[Document]'),
      step('click-element', { role: 'Document' }, window(/log\.txt/)),
      press('ctrl+end', window(/log\.txt/)),
      write('three\n', window(/log\.txt/)),
      press('ctrl+s', file('log.txt', /three/)),
    ],
    leaves: { files: { 'log.txt': 'one\ntwo\nthree\n' } },
  },
];

export const documents: readonly Task[] = [...notes, ...editor];
