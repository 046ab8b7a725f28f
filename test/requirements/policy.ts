/** Requirements of the policy: gate, levels, grants, paths and proposals. */
import type { Requirement } from './requirement.ts';

export const requirements: readonly Requirement[] = [
  {
    id: 'gate.same-object',
    source: 'behaviour#the-gate',
    text: 'The gate and the executor get the same parsed object.',
  },
  {
    id: 'gate.order',
    text: 'The gate checks in this order: live, schema, limits, level, grant and tier, binding, observation, target, risk, keys and flags, decision.',
    source: 'behaviour#the-gate',
  },
  { id: 'gate.first-failure', text: 'The first check that fails answers.', source: 'behaviour#the-gate' },
  { id: 'gate.audited', text: 'Every outcome of the gate is audited.', source: 'behaviour#the-gate' },
  { id: 'gate.audit-first', text: 'If the audit cannot be written, actions are refused.', source: 'behaviour#audit' },
  {
    id: 'gate.no-text',
    text: 'Records of the gate have hashes and lengths of typed text, never the text.',
    source: 'behaviour#audit',
  },
  {
    id: 'gate.binding',
    text: 'A bound window that is dead, hung or of higher integrity stops every action on it.',
    source: 'behaviour#binding',
  },
  {
    id: 'gate.look-verified',
    text: 'The window of each action is verified before anything of it is read, and before a person is asked.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'gate.not-bound',
    text: 'An action that needs a window is not_bound without one.',
    source: 'behaviour#binding',
  },
  {
    id: 'gate.unrelated',
    text: 'An action that needs no window runs even if the bound one is gone.',
    source: 'behaviour#binding',
  },
  {
    id: 'gate.narrow',
    text: 'allowedBundleIds narrows: a bound application outside it is app_not_granted.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'gate.never-widens',
    text: 'allowedBundleIds never widens what policy and grants allow.',
    source: 'behaviour#snapshots',
  },
  {
    id: 'gate.maxActions',
    text: 'The action after the last one that maxActions allows ends the session action_limit_exceeded before a person is asked.',
    source: 'behaviour#sessions',
  },
  {
    id: 'gate.property',
    source: 'behaviour#the-gate',
    text: 'Every action, by its own definition, is judged as the table of levels, grants, tiers, flags and risk says, whatever its input.',
  },
  {
    id: 'gate.recheck',
    text: 'After a person’s answer everything is checked again: higher risk or another digest voids the approval.',
    source: 'behaviour#the-gate',
  },

  { id: 'level.disabled', text: 'Level disabled allows nothing.', source: 'behaviour#levels' },
  { id: 'level.observe', text: 'Level observe allows looks.', source: 'behaviour#levels' },
  {
    id: 'level.observe-refuses',
    text: 'Level observe refuses input, managing, launching and writing the clipboard.',
    source: 'behaviour#levels',
  },
  {
    id: 'level.observe-names',
    text: 'The refusal at level observe names the level that the action needs.',
    source: 'behaviour#levels',
  },
  {
    id: 'level.clipboard-read',
    text: 'Reading the clipboard needs its flag at every level.',
    source: 'behaviour#levels',
  },
  {
    id: 'level.control',
    text: 'Level control asks a person before input, managing, launching and writing the clipboard.',
    source: 'behaviour#levels',
  },
  { id: 'level.control-looks', text: 'Level control allows looks without asking.', source: 'behaviour#levels' },
  {
    id: 'level.full',
    text: 'Level full runs everything without asking, except what alwaysAsk names.',
    source: 'behaviour#levels',
  },
  { id: 'level.full-looks', text: 'Level full allows looks without asking.', source: 'behaviour#levels' },
  {
    id: 'level.presets',
    text: 'Preset safe is disabled, balanced is control, power and developer are full.',
    source: 'behaviour#levels',
  },
  {
    id: 'level.unknown',
    text: 'A policy without a level, or with an unknown one, is disabled.',
    source: 'behaviour#levels',
  },
  { id: 'level.no-file', text: 'Without a policy file the preset is balanced.', source: 'behaviour#levels' },
  { id: 'level.alwaysAsk', text: 'At level full, what alwaysAsk names is still asked.', source: 'behaviour#levels' },
  {
    id: 'level.alwaysAsk-shipped',
    text: 'alwaysAsk ships with prompts, customCommand, password, financial and destructive.',
    source: 'behaviour#levels',
  },
  { id: 'level.alwaysAsk-added', text: 'An operator can add tags to alwaysAsk.', source: 'behaviour#levels' },
  { id: 'level.alwaysAsk-empty', text: 'An operator can empty alwaysAsk.', source: 'behaviour#levels' },
  {
    id: 'level.builder',
    text: 'The exported policy builder of the safety document has an empty alwaysAsk.',
    source: 'behaviour#levels',
  },
  {
    id: 'token.apps',
    text: 'A token that is limited to applications reaches nothing else by any action: it cannot launch others, take a picture of a display, use the clipboard, or send input to whichever application is in front.',
    source: 'api#http',
  },
  { id: 'token.lists', text: 'Lists and looks show a limited token only its own applications.', source: 'api#http' },
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
    text: 'A grant by a bare name that does not count grants nothing.',
    source: 'behaviour#grants',
  },
  {
    id: 'grant.bare-name.hint',
    text: 'The refusal of a bare name that does not count says to grant the path.',
    source: 'behaviour#grants',
  },
  { id: 'level.token', text: 'The lower of the policy’s level and the token’s counts.', source: 'api#http' },

  {
    id: 'grant.tiers',
    text: 'Tier read allows looks, click also left clicks and scrolling, full everything.',
    source: 'behaviour#grants',
  },
  {
    id: 'grant.defaults',
    text: 'Without a grant, browsers and trading programs have tier read, terminals and IDEs click, others are asked for.',
    source: 'behaviour#grants',
  },
  {
    id: 'grant.control',
    text: 'At level control, what exceeds the grant is asked on the same card.',
    source: 'behaviour#grants',
  },
  {
    id: 'grant.control-session',
    text: 'The answer on a card may grant its tier for the session.',
    source: 'behaviour#grants',
  },
  {
    id: 'grant.full',
    text: 'At level full, every application but browsers and trading programs has tier full.',
    source: 'behaviour#grants',
  },
  {
    id: 'grant.full-lower',
    text: 'A lower grant that the operator wrote holds at level full too.',
    source: 'behaviour#grants',
  },
  {
    id: 'grant.opened',
    text: 'A terminal that an approved openTerminal opened has tier full.',
    source: 'behaviour#grants',
  },
  {
    id: 'grant.owner',
    text: 'The application that counts is the one that owns the bound or hit window.',
    source: 'behaviour#grants',
  },
  { id: 'grant.unknown', text: 'An application of unknown identity is refused.', source: 'behaviour#grants' },
  { id: 'grant.deny', text: 'The deny list names programs by their executable.', source: 'behaviour#grants' },
  {
    id: 'grant.one-rule',
    source: 'behaviour#grants',
    text: 'Gate, pictures and lists match an entry of the deny list by one rule, however the path is spelled.',
  },
  {
    id: 'exit.keys',
    text: 'Text that a way sends as keys is judged as keys: a line break, a tab or another control character into an element too.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'exit.keyboard',
    text: 'Modifiers, menus and pieces of text that earlier calls of any session left behind count for the next one, text included, until what ends or replaces them was delivered.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'exit.formula',
    text: 'A formula is judged by whatever way it reaches a spreadsheet: those that start programs are refused at every level.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'exit.path',
    text: 'A path to another machine or a startup folder is asked wherever it is typed.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'exit.start',
    text: 'Starting a program is known by what would happen, and what is not known as a folder or document asks.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'level.monotonic',
    text: 'Whatever level control executes or asks, level full executes or asks.',
    source: 'behaviour#grants',
  },
  {
    id: 'level.sending',
    text: 'As shipped, sending to another machine or person asks once any action gave the agent text to read, in whatever session; the policy can grant it for an application.',
    source: 'behaviour#grants',
  },
  {
    id: 'level.presets-named',
    text: 'A preset by name, on the API and the command line, sets level and alwaysAsk as the safety document says.',
    source: 'behaviour#grants',
  },
  {
    id: 'popups.grant',
    text: 'A popup of another application needs that application’s own grant.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'exit.thrown-away',
    text: 'A drop on the Recycle Bin, and closing a terminal in which something runs, are destructive.',
    source: 'behaviour#risk',
  },
  {
    id: 'unbound.judged',
    text: 'Without a binding, the element in the window in front is judged like one of a bound window.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'unbound.rights',
    text: 'Without a binding, deny list and tiers apply to the application in front.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'unbound.verified',
    text: 'Without a binding, the window in front is verified before a person is asked.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'unbound.scope',
    text: 'Without a binding, an approval for the session covers no other element.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'unbound.unread',
    source: 'behaviour#the-gate',
    text: 'What could not be read needs approval at every level, each time.',
  },
  {
    id: 'unbound.bound-in',
    text: 'Without a binding, input goes only to the window that was judged; another one in front is state_conflict.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'unbound.sent',
    text: 'If another window comes to the front, the error says how much was sent.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'drag.both-ends',
    source: 'behaviour#the-gate',
    text: 'Where a drag picks up and where it drops are both judged: deny list, grant, tier, urls, pages, risk, untrusted text; bound and unbound.',
  },
  { id: 'drag.tier', source: 'behaviour#the-gate', text: 'At tier click, down, move and up do not make a drag.' },
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
    text: 'A look at a path of another machine or of a device is refused.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'paths.foreign-launch',
    text: 'Launching from another machine needs a person’s approval at every level, each time.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'paths.foreign-untouched',
    text: 'A path of another machine is judged by its text, without reading the file.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'paths.places',
    text: 'Whether a path is of another machine is known for every spelling of it, mapped drives included.',
    source: 'behaviour#the-gate',
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
    text: 'Every flag is required by the actions that name it: their own definitions carry it, or their keys do.',
  },
  {
    id: 'grant.flags',
    source: 'behaviour#grants',
    text: 'Flags clipboardRead, clipboardWrite, systemKeyCombos, displayCapture, prompts.',
  },
  {
    id: 'grant.display',
    source: 'behaviour#grants',
    text: 'A picture of a whole display needs the flag displayCapture or an approval.',
  },
  {
    id: 'grant.display-named',
    source: 'behaviour#grants',
    text: 'A picture with nothing bound and no display named is not_bound where displayCapture is not granted; no person is asked.',
  },

  { id: 'elements.only', text: 'Under elements only, a coordinate action is reviewed.', source: 'behaviour#the-gate' },

  {
    id: 'secret.ask',
    text: 'A stored secret is typed only after an approval that names secret and field, at every level.',
    source: 'behaviour#secrets',
  },
  { id: 'secret.password-field', text: 'A stored secret goes into password fields only.', source: 'behaviour#secrets' },

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
    text: 'urls name the pages and applications that may be touched; others are refused.',
    source: 'behaviour#sessions',
  },
  { id: 'urls.unknown', text: 'A browser whose address is unknown is refused.', source: 'behaviour#sessions' },

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
    text: 'With an invalid policy, the host does not start.',
  },
  {
    id: 'policy.fleet',
    text: 'A fleet’s policy narrows hosts and can do nothing else; a forged, unsigned or older one changes nothing, and one that cannot be understood is an invalid policy.',
    source: 'behaviour#trust-in-files',
  },
  { id: 'policy.patch', text: 'PUT and PATCH of the policy answer the whole policy.', source: 'api#http' },
  { id: 'policy.put', text: 'PUT replaces the policy.', source: 'api#http' },
  { id: 'policy.written', text: 'A changed policy is written to its file.', source: 'api#http' },
  { id: 'policy.merge', text: 'PATCH merges as RFC 7396 says.', source: 'api#http' },
  { id: 'policy.etag', text: 'A change with another ETag changes nothing.', source: 'api#http' },
  {
    id: 'policy.loosening',
    text: 'A looser policy of an installed host takes effect only after a person’s approval.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'policy.agreement',
    text: 'A data directory that was not used before, or a policy looser than the one that a person agreed to, waits for a person at the start too.',
    source: 'behaviour#trust-in-files',
  },
  { id: 'policy.narrowing', text: 'A narrower policy takes effect immediately.', source: 'behaviour#the-gate' },
  {
    id: 'policy.loosening-unasked',
    text: 'From a checkout, and where the administrator’s policy adds the API, a looser policy is not asked for.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'policy.machine',
    text: 'An environment variable never overrides the machine’s policy.',
    source: 'behaviour#the-gate',
  },
  {
    id: 'proposal.cases',
    text: 'The seven evaluation cases of a proposal harness are decided as expected at level full with alwaysAsk as shipped.',
    source: 'behaviour#proposals',
  },
  {
    id: 'policy.registry.read',
    text: 'Each value that Group Policy writes is read into the part of the policy that the table names.',
    source: 'deploy/group-policy#values',
  },
  {
    id: 'policy.registry.unknown',
    text: 'A name in the registry that is not known is reported and limits nothing; the others hold.',
    source: 'deploy/group-policy#values-that-are-not-understood',
  },
  {
    id: 'policy.registry.refused',
    text: 'A registry value of the wrong kind, an unknown choice, a value out of bounds and an unreadable key keep the host from starting; the message names key and value.',
    source: 'deploy/group-policy#values-that-are-not-understood',
  },
  {
    id: 'policy.registry.machine-only',
    text: 'Port and AllowRemote count in HKEY_LOCAL_MACHINE alone; AllowRemote = 0 forbids access from other machines, 1 allows nothing.',
    source: 'deploy/group-policy#values',
  },
  {
    id: 'policy.registry.narrowing',
    text: 'Registry, the machine’s file and the user’s file only narrow each other: the lowest level, every denial, the smallest limits.',
    source: 'deploy/group-policy#precedence',
  },
  {
    id: 'policy.registry.no-opinion',
    text: 'A missing level or list of surfaces in the registry means no opinion.',
    source: 'deploy/group-policy#precedence',
  },
  {
    id: 'policy.registry.changes',
    text: 'A changed registry value applies while the host runs: a narrower one at once, a looser one in an installed host after a person has agreed.',
    source: 'deploy/group-policy#changes',
  },
  {
    id: 'policy.registry.api',
    text: 'Only a registry key that administrators alone can change may let the API decide cards of an installed host, and any layer that lists surfaces without it takes that back.',
    source: 'deploy/group-policy#precedence',
  },
  {
    id: 'policy.registry.trust',
    text: 'A registry key of the policy that others than administrators can change only narrows, and the doctor reports it.',
    source: 'deploy/group-policy#precedence',
  },
  {
    id: 'policy.registry.native',
    text: 'The policy’s registry values are read in both hives of a real registry, and their changes are noticed.',
    source: 'deploy/group-policy#changes',
  },
  {
    id: 'policy.sources',
    text: 'The sources of the policy say for every setting which value is in force, where it comes from, what each layer sets and what narrowed it.',
    source: 'deploy/group-policy#which-value-is-in-force',
  },
  {
    id: 'policy.host-settings',
    text: 'Where a host listens, its names, certificate, tokens and users come from the registry or the machine’s file, and only from where administrators alone can write.',
    source: 'behaviour#trust-in-files',
  },
];
