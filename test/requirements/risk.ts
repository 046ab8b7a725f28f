/** Requirements of the risk of actions: elements, words, typed text, text on the screen, keys and command lines. */
import type { Requirement } from './requirement.ts';

export const risk: readonly Requirement[] = [
  {
    id: 'risk.no-text-kept',
    text: 'No text that is judged for its content outlives its action in the gate.',
    source: 'behaviour#risk',
  },
  { id: 'risk.input', text: 'Every input action is at least high.', source: 'behaviour#risk' },
  {
    id: 'risk.input-tag',
    text: 'Input carries computer:input where a confirmation is required.',
    source: 'behaviour#risk',
  },
  { id: 'risk.pointer', source: 'behaviour#risk', text: 'Pointer movement alone is high.' },
  { id: 'risk.looking', source: 'behaviour#risk', text: 'Looking is low.' },
  { id: 'risk.unknown', source: 'behaviour#risk', text: 'Unknown is never low.' },
  {
    id: 'risk.surface',
    text: 'A point on a container or on a surface without text, with nothing named inside, is an unknown target.',
    source: 'behaviour#risk',
  },
  {
    id: 'risk.caret',
    text: 'A point in a text that takes the caret is not an unknown target.',
    source: 'behaviour#risk',
  },
  {
    id: 'risk.chosen',
    text: 'A choice is judged by the item that would be chosen, whatever the caller calls it.',
    source: 'behaviour#risk',
  },
  {
    id: 'risk.menu-way',
    text: 'Every entry on a menu path counts for the risk of a choice.',
    source: 'behaviour#risk',
  },
  {
    id: 'risk.unknown-item',
    text: 'If the item of a choice is not known yet, it is an unknown target.',
    source: 'behaviour#risk',
  },
  {
    id: 'content.delivered',
    source: 'behaviour#risk',
    text: 'Text is judged as it arrives: repeated, spelled by keys, and together with what was typed into the same field shortly before.',
  },
  {
    id: 'lexicon.disguises',
    source: 'behaviour#risk',
    text: 'Look-alike letters, spaced letters, invisible characters and digits in place of letters are folded before words are matched.',
  },
  {
    id: 'lexicon.scripts',
    source: 'behaviour#risk',
    text: 'A name in a script that no language of the lexicon uses is an unknown target.',
  },
  {
    id: 'lexicon.harmless',
    source: 'behaviour#risk',
    text: 'Names that only look a little like a disguised word carry no tag.',
  },
  {
    id: 'risk.name',
    text: 'Tags come from the words of the live element’s name, in several languages.',
    source: 'behaviour#risk',
  },
  { id: 'risk.control-type', text: 'Whether a name is a risk depends on the control type.', source: 'behaviour#risk' },
  {
    id: 'risk.default-button',
    text: 'Enter in a dialog is judged as a click on its default button.',
    source: 'behaviour#risk',
  },
  {
    id: 'risk.key-sequence',
    text: 'Once a key may have moved the focus, a later key that presses is judged as a press on anything in that window or menu.',
    source: 'behaviour#risk',
  },
  {
    id: 'risk.unseen',
    text: 'The unseen part of a window or menu may be anything: keys there count as destructive.',
    source: 'behaviour#risk',
  },
  {
    id: 'risk.combo-box',
    source: 'behaviour#risk',
    text: 'What chooses an item without pressing it counts as its choice: arrows and letters in a combo box, the wheel over one, a click on a list as a whole.',
  },
  {
    id: 'risk.pasted',
    source: 'behaviour#risk',
    text: 'Pasted text and a space count as typed text: into a password field they carry its tag.',
  },
  { id: 'risk.dialog', text: 'The text of an element’s dialog counts for its risk.', source: 'behaviour#risk' },
  { id: 'risk.application', text: 'The application counts for the risk.', source: 'behaviour#risk' },
  { id: 'risk.password', text: 'Typing into a password field carries the tag password.', source: 'behaviour#risk' },
  { id: 'risk.elevation', text: 'Acting on an elevated window carries the tag elevated.', source: 'behaviour#risk' },
  { id: 'risk.address', text: 'The address of a browser window counts for the risk.', source: 'behaviour#risk' },
  {
    id: 'risk.content',
    text: 'Typed text is classed by its content: card numbers by checksum, account and identity numbers, keys, destructive commands.',
    source: 'behaviour#risk',
  },
  { id: 'risk.critical', source: 'behaviour#risk', text: 'financial and destructive are critical.' },
  { id: 'risk.claims', text: 'A proposer’s tags only raise the risk.', source: 'behaviour#risk' },
  {
    id: 'risk.claims-approval',
    text: 'requires_approval: true asks, and false lowers nothing.',
    source: 'behaviour#risk',
  },
  { id: 'risk.difference', text: 'A difference between claimed and found tags is recorded.', source: 'behaviour#risk' },
  {
    id: 'untrusted.block',
    text: 'Instruction-like text on the screen is recognised, whatever its form or place in a long text.',
    source: 'behaviour#untrusted-text',
  },
  {
    id: 'untrusted.blocks',
    text: 'An action with any risk tag is blocked while such text is on the screen, with the flag untrusted_instruction_seen.',
    source: 'behaviour#untrusted-text',
  },
  {
    id: 'untrusted.flags',
    text: 'An action without a risk tag runs, and the flag is reported.',
    source: 'behaviour#untrusted-text',
  },
  { id: 'untrusted.looks', text: 'A look is not blocked by text on the screen.', source: 'behaviour#untrusted-text' },
  {
    id: 'untrusted.reach',
    text: 'Instruction-like text is looked for in documents, fields, mails, list items, links, pages, consoles, titles and names: near the target, in its dialog, and in the part of the window in view.',
    source: 'behaviour#untrusted-text',
  },
  { id: 'untrusted.harmless', text: 'Harmless text blocks nothing.', source: 'behaviour#untrusted-text' },
  {
    id: 'untrusted.budget',
    text: 'The texts on a screen are collected within a budget.',
    source: 'behaviour#untrusted-text',
  },
  {
    id: 'untrusted.nearest',
    text: 'The texts nearest to the target are collected first.',
    source: 'behaviour#untrusted-text',
  },
  { id: 'untrusted.offscreen', text: 'Text that is off-screen is not collected.', source: 'behaviour#untrusted-text' },
  {
    id: 'command.effect',
    text: 'A line that is entered or pasted in a terminal is a custom command, however it is sent.',
    source: 'behaviour#the-gate',
  },
  { id: 'command.whole', text: 'The line that is sent off is judged whole.', source: 'behaviour#the-gate' },
  { id: 'command.bound', text: 'The line that is sent off is bound by its approval.', source: 'behaviour#the-gate' },
  {
    id: 'command.open',
    source: 'behaviour#the-gate',
    text: 'Scripts, programs with arguments, and what the Run dialog, an address bar or a launcher starts are custom commands.',
  },
  {
    id: 'command.editor',
    source: 'behaviour#the-gate',
    text: 'The shell inside a development environment is a shell.',
  },
  {
    id: 'prompts.effect',
    text: 'Whatever reaches a terminal that shows a prompt answers it: keys, text, paste, clicks.',
    source: 'behaviour#the-gate',
  },
  { id: 'prompts.unreadable', text: 'A terminal that cannot be read may show a prompt.', source: 'behaviour#the-gate' },
  {
    id: 'prompts.own-dialog',
    text: 'A terminal’s configuration dialog of standard controls is not a terminal that could not be read.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'keys.table',
    text: 'Keys join with +, chords with blanks, by one case-insensitive table with aliases.',
    source: 'behaviour#keyboard',
  },
  { id: 'keys.codes', text: 'Key codes and extended bits are those of Windows.', source: 'behaviour#keyboard' },
  { id: 'keys.unknown', text: 'An unknown key is invalid_argument with close names.', source: 'behaviour#keyboard' },
  {
    id: 'keys.characters',
    text: 'Character keys type that character by the target thread’s layout: p is P, not F1.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keys.blocked',
    text: 'Without the flag systemKeyCombos these are blocked: ctrl+alt+delete, alt+f4, alt+tab, alt+shift+tab, alt+esc, alt+space, ctrl+esc, ctrl+shift+esc, win alone and with anything, printscreen.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keys.canonical',
    text: 'Blocked combinations are compared in their canonical form.',
    source: 'behaviour#keyboard',
  },
  {
    id: 'keys.every-route',
    text: 'System combinations are blocked by key, holdKey, virtualKeyboard and batch, bound or not.',
    source: 'behaviour#keyboard',
  },
  { id: 'keys.held', text: 'Keys that are held count: press alt, then tab is alt+tab.', source: 'behaviour#keyboard' },
  { id: 'keys.stop', text: 'The stop hotkey is blocked always, whatever is granted.', source: 'behaviour#keyboard' },
  {
    id: 'lexicon.languages',
    source: 'behaviour#risk',
    text: 'Lexicon in English, German, French, Spanish, Portuguese, Japanese and Chinese kept as data with its tests.',
  },
];
