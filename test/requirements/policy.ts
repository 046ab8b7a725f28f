/** What docs/behaviour.md says of the gate, sentence by sentence; tests cite the ids in their titles. */
export const requirements = [
  {
    id: 'gate.same-object',
    source: 'behaviour#the-gate',
    text: 'The gate and the executor get the same parsed object.',
  },
  {
    id: 'gate.order',
    source: 'behaviour#the-gate',
    text: 'Order: 0 live → 1 schema → 2 limits → 3 level → 4 grant and tier → 5 binding → 6 observation → 7 target unique → 8 risk → 9 keys and flags → 10 decision → 11 after the answer 0 to 9 again.',
  },
  { id: 'gate.first-failure', source: 'behaviour#the-gate', text: 'The first failure stops.' },
  { id: 'gate.audited', source: 'behaviour#the-gate', text: 'Each outcome is audited.' },
  { id: 'gate.audit-first', source: 'behaviour#audit', text: 'Cannot be written → actions are refused.' },
  { id: 'gate.no-text', source: 'behaviour#audit', text: 'Hashes and lengths of typed text and never the text.' },
  {
    id: 'gate.binding',
    source: 'behaviour#binding',
    text: 'The record is checked before every action: dead → window_gone, hung → window_hung, higher integrity → target_elevated.',
  },
  {
    id: 'gate.narrow',
    source: 'behaviour#snapshots',
    text: 'allowedBundleIds narrows (bound application outside it → app_not_granted) and never widens.',
  },
  {
    id: 'gate.maxActions',
    source: 'behaviour#sessions',
    text: 'The next one ends the session action_limit_exceeded before anyone is asked.',
  },
  {
    id: 'gate.property',
    source: 'behaviour#the-gate',
    text: 'Every action, by its own definition, is judged as the table of levels, grants, tiers, flags and risk says, whatever its input.',
  },
  {
    id: 'gate.recheck',
    source: 'behaviour#the-gate',
    text: 'After the answer 0 to 9 again: higher risk or another digest voids.',
  },

  { id: 'level.disabled', source: 'behaviour#levels', text: 'disabled: nothing.' },
  {
    id: 'level.observe',
    source: 'behaviour#levels',
    text: 'observe: look yes, clipboard read with its flag, input, manage, launch, clipboard write no (says which level it needs).',
  },
  {
    id: 'level.control',
    source: 'behaviour#levels',
    text: 'control: look yes, clipboard read with its flag, input, manage, launch, clipboard write asked.',
  },
  { id: 'level.full', source: 'behaviour#levels', text: 'full: yes, except alwaysAsk.' },
  {
    id: 'level.presets',
    source: 'behaviour#levels',
    text: 'Presets: safe = disabled, balanced = control, power and developer = full.',
  },
  {
    id: 'level.unknown',
    source: 'behaviour#levels',
    text: 'A policy without the key, or with an unknown value = disabled.',
  },
  { id: 'level.no-file', source: 'behaviour#levels', text: 'No policy file at all = preset balanced.' },
  {
    id: 'level.alwaysAsk',
    text: 'alwaysAsk is a policy list, shipped on: prompts (any respondToPrompt), customCommand, password, financial, destructive.',
    source: 'behaviour#levels',
  },
  { id: 'level.alwaysAsk-empty', text: 'An operator can empty alwaysAsk.', source: 'behaviour#levels' },
  { id: 'level.builder', source: 'behaviour#levels', text: 'The exported builder of the seed has none.' },
  {
    id: 'token.apps',
    source: 'api#http',
    text: 'A token that is limited to applications reaches nothing else by any action: no other launch, no picture of a display, no clipboard, no input to whichever application is in front; lists and looks tell of its own applications alone.',
  },
  {
    id: 'deny.launch',
    source: 'behaviour#grants',
    text: 'The deny list holds for the terminal, the shell and the program that open-terminal would start.',
  },
  {
    id: 'terminal.tier',
    source: 'behaviour#terminals',
    text: 'open-terminal needs tier full for the terminal and for the program.',
  },
  {
    id: 'grant.bare-name.rights',
    text: 'A grant by a bare name counts for a file that administrators alone can write, in a folder that they alone can write or replace.',
    source: 'behaviour#grants',
  },
  {
    id: 'grant.bare-name.refusal',
    text: 'Where a grant by a bare name does not count, it grants nothing, and the refusal says to grant the path.',
    source: 'behaviour#grants',
  },
  {
    id: 'level.token',
    source: 'api#http',
    text: 'Further agent tokens can be made with limits (applications, level).',
  },

  { id: 'grant.tiers', source: 'behaviour#grants', text: 'read = look; click = left click, scroll; full = all.' },
  {
    id: 'grant.defaults',
    source: 'behaviour#grants',
    text: 'Without a grant: browsers and trading read, terminals and IDEs click, others ask.',
  },
  {
    id: 'grant.control',
    source: 'behaviour#grants',
    text: 'At control, what goes beyond the grant is asked on the same card, whose answer may grant the tier for the session.',
  },
  {
    id: 'grant.full',
    source: 'behaviour#grants',
    text: 'At full, everything outside browsers and trading counts as full.',
  },
  { id: 'grant.opened', source: 'behaviour#grants', text: 'A terminal that an approved openTerminal opened is full.' },
  {
    id: 'grant.owner',
    text: 'The application that counts is the one that owns the bound or hit window.',
    source: 'behaviour#grants',
  },
  { id: 'grant.unknown', text: 'An application of unknown identity is refused.', source: 'behaviour#grants' },
  { id: 'grant.deny', source: 'behaviour#grants', text: 'Deny list by executable.' },
  {
    id: 'grant.one-rule',
    source: 'behaviour#grants',
    text: 'Gate, pictures and lists match an entry of the deny list by one rule, however the path is spelled.',
  },
  {
    id: 'unbound.judged',
    source: 'behaviour#the-gate',
    text: 'Unbound, the window in front is verified and judged like a bound one: application, deny list, tier, dialog, password field.',
  },
  {
    id: 'unbound.unread',
    source: 'behaviour#the-gate',
    text: 'What nobody could read is asked at every level, each time.',
  },
  {
    id: 'unbound.bound-in',
    source: 'behaviour#the-gate',
    text: 'The digest binds the window that was judged, and delivery compares it before each flush: another one in front → state_conflict, saying how much was sent.',
  },
  {
    id: 'drag.both-ends',
    source: 'behaviour#the-gate',
    text: 'Where a drag picks up and where it drops are both judged: deny list, grant, tier, urls, pages, risk, untrusted text; bound and unbound.',
  },
  { id: 'drag.tier', source: 'behaviour#the-gate', text: 'Down, move and up are no drag at tier click.' },
  {
    id: 'policy.pages',
    text: 'The policy may list the pages that a bound browser may show.',
    source: 'behaviour#the-gate',
  },
  { id: 'policy.pages-both', text: 'User and machine both have to allow a page.', source: 'behaviour#the-gate' },
  {
    id: 'policy.pages-plain',
    text: 'Plain sessions are held to the policy’s pages too.',
    source: 'behaviour#the-gate',
  },
  { id: 'policy.pages-unknown', text: 'An unknown page is covered by no entry.', source: 'behaviour#the-gate' },
  {
    id: 'policy.limits',
    text: 'The policy’s limits of actions and duration bind every session.',
    source: 'behaviour#sessions',
  },
  { id: 'policy.limits-plain', text: 'The policy’s limits bind plain sessions too.', source: 'behaviour#sessions' },
  {
    id: 'policy.limits-lower',
    text: 'Limits that a session asks for only lower the policy’s.',
    source: 'behaviour#sessions',
  },
  {
    id: 'paths.foreign',
    source: 'behaviour#the-gate',
    text: 'A path of another machine or of a device is never touched before a person’s yes: a look is refused, a launch asked.',
  },
  {
    id: 'proposal.no-coordinate',
    source: 'behaviour#proposals',
    text: 'A proposal’s coordinate is reviewed unless the policy allows coordinates explicitly.',
  },
  {
    id: 'terminal.custom-command',
    source: 'behaviour#terminals',
    text: 'customCommand also means the further arguments of a named agent.',
  },
  { id: 'grant.revoke', source: 'behaviour#grants', text: 'Revoking works on the next action.' },
  { id: 'grant.merge', source: 'behaviour#grants', text: 'Merging never widens by itself.' },
  {
    id: 'grant.bare-name',
    source: 'behaviour#grants',
    text: 'A bare name matches only a packaged app’s own executable or a file in a folder that administrators alone can write.',
  },
  {
    id: 'grant.flags.real',
    source: 'behaviour#grants',
    text: 'Every flag is asked for by the actions that say so: their own definitions carry it, or their keys do.',
  },
  {
    id: 'grant.flags',
    source: 'behaviour#grants',
    text: 'Flags clipboardRead, clipboardWrite, systemKeyCombos, displayCapture, prompts.',
  },
  {
    id: 'grant.display',
    source: 'behaviour#grants',
    text: 'A display picture needs the flag displayCapture or an approval.',
  },

  {
    id: 'risk.input',
    source: 'behaviour#risk',
    text: 'Every input action is at least high and carries computer:input where a confirmation is required.',
  },
  { id: 'risk.pointer', source: 'behaviour#risk', text: 'Pointer movement alone is medium.' },
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
    text: 'Every entry on a menu’s way counts for the risk of a choice.',
    source: 'behaviour#risk',
  },
  {
    id: 'risk.unknown-item',
    text: 'Where the item of a choice cannot be told yet, it is an unknown target.',
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
    text: 'Look-alike letters, letters set apart, invisible characters and digits in the place of letters are brought back before words are looked for.',
  },
  {
    id: 'lexicon.scripts',
    source: 'behaviour#risk',
    text: 'A name in a writing that no language of the lexicon has is an unknown target.',
  },
  {
    id: 'lexicon.harmless',
    source: 'behaviour#risk',
    text: 'Names that only look a little like a disguised word carry no tag.',
  },
  {
    id: 'risk.name',
    source: 'behaviour#risk',
    text: 'Tags come from the live element: words of the name in several languages, control type.',
  },
  { id: 'risk.default-button', source: 'behaviour#risk', text: 'Default button (Enter on it is a click on it).' },
  {
    id: 'risk.key-sequence',
    text: 'Once a key may have moved the focus, what presses after it is judged as a press on anything in that window or menu.',
    source: 'behaviour#risk',
  },
  {
    id: 'risk.unseen',
    text: 'What cannot be seen of a window or menu may be anything: keys there count as destructive.',
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
    text: 'Text that is pasted, and a blank, are text that is typed: into a password field they carry its tag.',
  },
  { id: 'risk.dialog', source: 'behaviour#risk', text: 'Its dialog’s text.' },
  { id: 'risk.application', source: 'behaviour#risk', text: 'Application.' },
  { id: 'risk.password', source: 'behaviour#risk', text: 'Password.' },
  { id: 'risk.elevation', source: 'behaviour#risk', text: 'Elevation.' },
  { id: 'risk.address', source: 'behaviour#risk', text: 'Address of a browser window.' },
  { id: 'risk.content', source: 'behaviour#risk', text: 'Class of typed content (card numbers by checksum, keys).' },
  { id: 'risk.critical', source: 'behaviour#risk', text: 'financial and destructive are critical.' },
  { id: 'risk.claims', source: 'behaviour#risk', text: 'Proposers’ tags and requires_approval: true only raise.' },
  { id: 'risk.difference', source: 'behaviour#risk', text: 'A difference is recorded.' },

  {
    id: 'untrusted.block',
    source: 'behaviour#untrusted-text',
    text: 'Instruction-like text on the screen with any risk tag → block, flag untrusted_instruction_seen.',
  },
  {
    id: 'untrusted.reach',
    text: 'Instruction-like text is looked for in documents, fields, mails, list items, links, pages, consoles, titles and names: near the target, in its dialog, and in the part of the window in view.',
    source: 'behaviour#untrusted-text',
  },
  { id: 'untrusted.harmless', text: 'Harmless text blocks nothing.', source: 'behaviour#untrusted-text' },
  {
    id: 'untrusted.budget',
    text: 'The texts on a screen are collected from the nearest on, within a budget, without what is off-screen.',
    source: 'behaviour#untrusted-text',
  },
  { id: 'elements.only', source: 'behaviour#the-gate', text: 'Elements only: a coordinate action → review.' },
  {
    id: 'decisions',
    source: 'behaviour#the-gate',
    text: 'Decisions: execute, review (not run, reason back), approve (a person), block.',
  },

  {
    id: 'approval.deny',
    source: 'behaviour#approvals',
    text: 'Default at the deadline, at abort, cancel or a closed request: deny.',
  },
  { id: 'approval.deadline', source: 'behaviour#approvals', text: 'The deadline is 120 s, at most 300 s.' },
  {
    id: 'approval.digest',
    source: 'behaviour#approvals',
    text: 'The digest covers action, canonical arguments, binding record, application, and the target’s identity (RuntimeId or control id, role, name, enabled, its dialog’s text).',
  },
  { id: 'approval.other-changes', source: 'behaviour#approvals', text: 'Other changes on the screen do not count.' },
  { id: 'scope.once', source: 'behaviour#approvals', text: 'Scope once.' },
  {
    id: 'scope.window',
    text: 'The scope window covers this kind of action on this window for N minutes.',
    source: 'behaviour#approvals',
  },
  {
    id: 'scope.window-never',
    text: 'The scope window is never offered for financial and destructive actions, prompts and passwords.',
    source: 'behaviour#approvals',
  },
  {
    id: 'scope.plan',
    text: 'The scope plan shows all steps at once and binds them by their digest.',
    source: 'behaviour#approvals',
  },
  {
    id: 'scope.plan-changed',
    text: 'Anything other than the approved step of a plan asks again.',
    source: 'behaviour#approvals',
  },
  { id: 'scope.session', source: 'behaviour#approvals', text: 'Scope session for a tier.' },
  {
    id: 'command.effect',
    source: 'behaviour#the-gate',
    text: 'A line that is sent off or pasted in a terminal is a custom command, whichever way it is given; the line that is sent off is judged whole and bound by the approval.',
  },
  {
    id: 'command.open',
    source: 'behaviour#the-gate',
    text: 'Scripts, programs with arguments, and what the Run dialog, an address bar or a launcher starts are custom commands.',
  },
  {
    id: 'command.editor',
    source: 'behaviour#the-gate',
    text: 'The shell inside of a development environment is a shell.',
  },
  {
    id: 'prompts.effect',
    text: 'Whatever reaches a terminal that shows a prompt answers it: keys, text, paste, clicks.',
    source: 'behaviour#the-gate',
  },
  { id: 'prompts.unreadable', text: 'A terminal that cannot be read may show a prompt.', source: 'behaviour#the-gate' },
  {
    id: 'scope.covers',
    source: 'behaviour#approvals',
    text: 'A lasting approval covers calls of the method, the sub-action and the purpose that its card showed, and nothing with another risk, level or reason; a session’s never crosses from one kind of effect to another.',
  },
  {
    id: 'scope.shell',
    source: 'behaviour#approvals',
    text: 'No approval lasts for typed text, pasting or Enter in terminals and IDEs.',
  },
  {
    id: 'card.covers',
    source: 'behaviour#approvals',
    text: 'The card, the overlay and the API say in plain words what each scope of an answer covers.',
  },
  {
    id: 'card.why',
    source: 'behaviour#approvals',
    text: 'The card says why it asks (level from → to, tier, flag, tag, alwaysAsk).',
  },
  { id: 'card.reason', source: 'behaviour#approvals', text: 'The card shows the proposer’s reason as its words.' },
  { id: 'card.arguments', text: 'The card shows the arguments of the call.', source: 'api#card' },
  { id: 'card.masked', text: 'Secrets among a card’s arguments are masked.', source: 'api#card' },
  {
    id: 'secret.ask',
    source: 'behaviour#secrets',
    text: 'A stored secret goes into password fields only, and always with an approval that names secret and field.',
  },

  {
    id: 'keys.table',
    source: 'behaviour#keyboard',
    text: 'Keys join with +, several chords with blanks; one case-insensitive table with aliases.',
  },
  { id: 'keys.unknown', source: 'behaviour#keyboard', text: 'Unknown → invalid_argument with close names.' },
  {
    id: 'keys.characters',
    source: 'behaviour#keyboard',
    text: 'Character keys go through the target thread’s layout: p is P, not F1; . is not Delete.',
  },
  {
    id: 'keys.blocked',
    source: 'behaviour#keyboard',
    text: 'Blocked without the flag systemKeyCombos, on the canonical form: ctrl+alt+delete, alt+f4, alt+tab, alt+shift+tab, alt+esc, alt+space, ctrl+esc, ctrl+shift+esc, win alone and win+anything, printscreen.',
  },
  {
    id: 'keys.every-route',
    source: 'behaviour#keyboard',
    text: 'By every route (key, holdKey, virtualKeyboard, batch, bound or not).',
  },
  { id: 'keys.stop', source: 'behaviour#keyboard', text: 'The stop hotkey always.' },

  {
    id: 'urls.entries',
    text: 'urls take https: pages, and app: with a percent-encoded bundleId, AppUserModelID or bare file name.',
    source: 'behaviour#sessions',
  },
  {
    id: 'urls.insecure',
    text: 'http: pages and IP hosts are valid urls that the default policy blocks.',
    source: 'behaviour#sessions',
  },
  { id: 'urls.refused', text: 'urls with other schemes or credentials are refused.', source: 'behaviour#sessions' },
  {
    id: 'urls.touch',
    text: 'urls name what may be touched; an unknown address is refused.',
    source: 'behaviour#sessions',
  },

  { id: 'policy.check', text: 'The policy is a file with a published JSON Schema.', source: 'behaviour#the-gate' },
  { id: 'policy.refused', text: 'An invalid policy is refused with line and reason.', source: 'behaviour#the-gate' },
  { id: 'policy.reload', text: 'A policy file that changes is read again.', source: 'behaviour#the-gate' },
  {
    id: 'policy.last-good',
    text: 'Where a changed policy file is invalid, the last good one stays.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'policy.start',
    source: 'behaviour#the-gate',
    text: 'At start an invalid policy means the host does not start.',
  },
  { id: 'policy.patch', text: 'GET, PUT and PATCH answer the whole policy.', source: 'api#http' },
  { id: 'policy.merge', text: 'PATCH merges as RFC 7396 says.', source: 'api#http' },
  { id: 'policy.etag', text: 'A change with another ETag changes nothing.', source: 'api#http' },
  {
    id: 'policy.loosening',
    source: 'behaviour#the-gate',
    text: 'Loosening the policy follows the same rule: an installed host takes it after a person’s yes on the overlay, unless the administrator’s policy adds the API.',
  },
  { id: 'policy.machine', source: 'behaviour#the-gate', text: 'Environment variables never beat machine policy.' },
  {
    id: 'lexicon.languages',
    source: 'behaviour#risk',
    text: 'Lexicon in English, German, French, Spanish, Portuguese, Japanese and Chinese kept as data with its tests.',
  },
  {
    id: 'proposal.cases',
    source: 'behaviour#proposals',
    text: 'The seven evaluation cases of a proposal harness at level full with alwaysAsk as shipped.',
  },
] as const;
export type RequirementId = (typeof requirements)[number]['id'];
