/** Tasks in the system's own editors: Notepad and WordPad, with its dialogs for files, fonts and replacing. */
import {
  step,
  bind,
  bindNew,
  click,
  ended,
  file,
  gone,
  look,
  press,
  shows,
  type Step,
  type Task,
  window,
  write,
} from '../task.ts';

const SAVE_AS = 'Save As';
const named = (path: string): Step =>
  step('type-into-element', { name: 'File name', text: path }, window(/^(Save As|Open)$/));

const notepad: readonly Task[] = [
  {
    program: 'notepad',
    goal: 'Write a letter and save it under a new name',
    steps: (place) => [
      bind('Notepad'),
      step(
        'type-into-element',
        { role: 'textbox', text: 'Dear Ann,\r\n\r\nthank you.\tBob\r\n' },
        shows('Edit', 'Dear Ann,\r\n\r\nthank you.\tBob\r\n'),
      ),
      press('ctrl+s', window(SAVE_AS)),
      bind(SAVE_AS),
      named(place.path('letter.txt')),
      click('Save', gone(SAVE_AS), file('letter.txt', /^Dear/)),
    ],
    leaves: { files: { 'letter.txt': 'Dear Ann,\r\n\r\nthank you.\tBob\r\n' } },
  },
  {
    program: 'notepad',
    goal: 'Open a file with the dialog, add a line at the top, and save it',
    files: { 'names.txt': 'Ann and Bob\r\nAnnabel\r\n' },
    steps: (place) => [
      bind('Notepad'),
      press('ctrl+o', window('Open')),
      bind('Open'),
      named(place.path('names.txt')),
      click('Open', window(/names\.txt/)),
      bind('Notepad'),
      press('ctrl+home', window(/names/)),
      write('Names:\n', shows('Edit', /^Names:/)),
      press('ctrl+s', file('names.txt', /^Names/)),
    ],
    leaves: { files: { 'names.txt': 'Names:\r\nAnn and Bob\r\nAnnabel\r\n' } },
  },
  {
    program: 'notepad',
    goal: 'Close with an unsaved change and discard it, after a person approves',
    files: { 'kept.txt': 'as it was' },
    args: (place) => [place.path('kept.txt')],
    steps: () => [
      bind('kept.txt'),
      step(
        'type-into-element',
        { role: 'textbox', text: ' and more', mode: 'append' },
        shows('Edit', 'as it was and more'),
      ),
      { ...step('manage-window', { action: 'close' }, shows('Edit', 'as it was and more')), ends: 'still_open' },
      bindNew,
      look('kept.txt'),
      { ...click('No', ended), asks: {} },
    ],
    leaves: { files: { 'kept.txt': 'as it was' }, seen: [ended] },
  },
  {
    program: 'notepad',
    goal: 'At level control, where a person approves typing and saving: add to a file and save it',
    level: 'control',
    files: { 'plan.txt': 'Plan:\r\n' },
    args: (place) => [place.path('plan.txt')],
    steps: () => [
      bind('plan.txt'),
      {
        ...step('type-into-element', { role: 'textbox', text: 'rest', mode: 'append' }, shows('Edit', 'Plan:\r\nrest')),
        asks: { scope: 'session' },
      },
      { ...press('ctrl+s', file('plan.txt', 'Plan:\r\nrest')), asks: { scope: 'session' } },
    ],
    leaves: { files: { 'plan.txt': 'Plan:\r\nrest' } },
  },
];

const wordpad: readonly Task[] = [
  {
    program: 'wordpad',
    goal: 'Write a bold line and save it as a document',
    steps: (place) => [
      bind('WordPad'),
      step('type-into-element', { role: 'Document', text: 'Minutes of May' }, shows('#2001', 'Minutes of May')),
      press('ctrl+a', window(/WordPad/i)),
      press('ctrl+b', window(/WordPad/i)),
      press('ctrl+s', window(SAVE_AS)),
      bind(SAVE_AS),
      named(place.path('minutes.rtf')),
      click('Save', gone(SAVE_AS), file('minutes.rtf', /rtf/)),
    ],
    leaves: { files: { 'minutes.rtf': /\\b(?:\\[a-z0-9]+)* Minutes of May/ } },
  },
];
export const system: readonly Task[] = [...notepad, ...wordpad];
