/** What each program of the task catalogue is, for the report. */
export const PROGRAMS = {
  notepad: 'the system’s Notepad',
  wordpad: 'WordPad: a rich edit control, tool bars without text, the system’s dialogs',
  regedit: 'the registry editor: a tree, a list view, small dialogs',
  winecfg: 'winecfg: a property sheet that many programs’ settings depend on',
  taskmgr: 'the task manager: lists that change while they are read',
  uninstaller: 'the list of installed programs: a property sheet of the common controls',
  console: 'a command interpreter in a console window',
  editor: 'an editor with its own text control (test/fixtures/editor)',
  wizard: 'an installer’s pages (test/fixtures/apps/wizard.c)',
  sheet: 'a property sheet that writes to the registry (test/fixtures/apps/sheet.c)',
  shelf: 'two lists that no interface can read: owner-drawn, and painted by the program (test/fixtures/apps/shelf.c)',
  notes: 'several documents in a frame, MDI (test/fixtures/apps/notes.c)',
  tabs: 'tabs within tabs, with fields of the same names (test/fixtures/apps/tabs.c)',
  picks: 'a tree with its own check marks and children that load late (test/fixtures/apps/picks.c)',
  ribbon: 'tool bars without text in a rebar, below tabs (test/fixtures/apps/ribbon.c)',
  loops: 'dialogs that are modal through their own message loops (test/fixtures/apps/loops.c)',
} as const;
export type ProgramName = keyof typeof PROGRAMS;
export const PROGRAM_NAMES = Object.keys(PROGRAMS) as ProgramName[];
