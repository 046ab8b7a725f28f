/** Requirements of the page at `/`. */
import type { Requirement } from './requirement.ts';

export const page: readonly Requirement[] = [
  {
    id: 'page.code',
    text: 'A link’s code opens the page once, within a minute, while its token lasts.',
    source: 'page#signing-in',
  },
  {
    id: 'page.link',
    text: 'Without a person at the terminal `uiahost open` prints links to a page that can only look, and to no other.',
    source: 'page#signing-in',
  },
  {
    id: 'page.halves',
    text: 'The page’s session needs its cookie and its key, and ends with its token, by signing out and after twelve hours without use.',
    source: 'page#signing-in',
  },
  {
    id: 'page.csrf',
    text: 'A request from another origin is refused, whatever it sends with it.',
    source: 'page#signing-in',
  },
  {
    id: 'page.files',
    text: 'The page’s files allow no inline script, no inline style and no other origin.',
    source: 'page#signing-in',
  },
  {
    id: 'page.viewer',
    text: 'A viewer’s page can call what is marked for viewers, and nothing else.',
    source: 'page#what-it-shows',
  },
  {
    id: 'page.snapshot',
    text: 'The page reads every line of a snapshot, whatever a program’s texts contain.',
    source: 'page#what-it-shows',
  },
  {
    id: 'page.query',
    text: 'The inspector’s query is the shortest that finds its element alone, quoted for each client.',
    source: 'page#what-it-shows',
  },
  {
    id: 'page.surface',
    text: 'Cards answered on the page count as answered on the surface `page`, which the policy must list for an approval.',
    source: 'page#answering-cards',
  },
  {
    id: 'icon.states',
    text: 'The icon in the notification area shows whether no agent acts, one acts, one waits for an answer, or all are stopped.',
    source: 'page#the-icon',
  },
  {
    id: 'icon.menu',
    text: 'Its menu opens the page, pauses all agents and stops everything, and gives agents nothing.',
    source: 'page#the-icon',
  },
  {
    id: 'icon.task-bar',
    text: 'The icon comes back when the task bar starts again, and goes with its host, its menu open or not.',
    source: 'page#the-icon',
  },
  {
    id: 'icon.hidden',
    text: 'An agent can neither list, bind nor press the icon and its menu; a policy takes the icon away.',
    source: 'page#the-icon',
  },
  {
    id: 'page.own',
    text: 'A window that shows the page counts as the host’s own, also where it was bound before, and within one sequence of keys.',
    source: 'page#answering-cards',
  },
  {
    id: 'page.live',
    text: 'The page shows each action with its effect as it happens; a person pauses an agent there, and stops everything.',
    source: 'page#what-it-shows',
  },
  { id: 'page.once', text: 'A link that was used shows nothing in a second browser.', source: 'page#signing-in' },
  {
    id: 'page.inspector',
    text: 'The inspector’s call binds the window and works as copied, by each client.',
    source: 'page#what-it-shows',
  },
  {
    id: 'page.plan',
    text: 'The page shows which actions would ask, and what a change of the policy would allow, before anything is done.',
    source: 'page#what-it-shows',
  },
  {
    id: 'page.cards',
    text: 'A waiting card is denied on the page, and approved there only where the policy lists `page`.',
    source: 'page#answering-cards',
  },
  {
    id: 'page.access',
    text: 'Every view passes axe in light and dark, and fits into 360 pixels.',
    source: 'page#what-it-shows',
  },
  { id: 'page.keyboard', text: 'Every view and the tree are reached without a mouse.', source: 'page#what-it-shows' },
  { id: 'page.text', text: 'Texts of programs are shown as text, never as markup.', source: 'page#signing-in' },
  {
    id: 'approver.sent',
    text: 'A card for the approver elsewhere goes, signed, to the one address that the policy of the machine names.',
    source: 'approvals#on-another-device',
  },
  {
    id: 'approver.answers',
    text: 'An answer that the approver signed decides its card once, and records name the approver.',
    source: 'approvals#on-another-device',
  },
  {
    id: 'approver.forged',
    text: 'Replayed, late, doubled, forged and misdirected answers change nothing and are recorded.',
    source: 'approvals#on-another-device',
  },
  {
    id: 'approver.wait',
    text: 'A card waits for the approver as long as the policy says, and on the screen no longer than without one.',
    source: 'approvals#on-another-device',
  },
  {
    id: 'approver.policy',
    text: 'Only the policy of the machine names an approver elsewhere; a user can only do without any approval.',
    source: 'approvals#on-another-device',
  },
  {
    id: 'approver.fleet',
    text: 'The approver of a fleet decides cards of its jobs alone, by answers that sign all that was shown; any other answer changes nothing and is in the audit.',
    source: 'approvals#by-a-fleet',
  },
  {
    id: 'approver.example',
    text: 'The example of a receiver shows cards and decides them with two buttons.',
    source: 'approvals#on-another-device',
  },
  {
    id: 'would-ask',
    text: 'A dry run says of each action whether it would run, ask or be refused, by kinds and tags alone, and does none of them.',
    source: 'behaviour#approvals',
  },
  {
    id: 'page.full',
    text: 'With three hundred elements, a waiting card and a long audit axe finds no fault, and hostile texts stay text.',
    source: 'page#what-it-shows',
  },
  {
    id: 'page.idle',
    text: 'An open page that nothing happens on draws nothing and asks for nothing.',
    source: 'page#what-it-shows',
  },
  {
    id: 'page.figures',
    text: 'The page adds up each session’s actions: how many, how long, and how much text and how many pictures they answered.',
    source: 'page#what-it-shows',
  },
  {
    id: 'page.quick',
    text: 'The page is under 120 kB, shows itself after its files and the sign-in, and asks once for each thing that it shows.',
    source: 'page#what-it-shows',
  },
  {
    id: 'page.called-off',
    text: 'A look at a window ends when its page asks for another one, hides it or is gone.',
    source: 'page#what-it-shows',
  },
  {
    id: 'page.load',
    text: 'Ten thousand events do not slow the page, and an idle page asks for nothing.',
    source: 'page#what-it-shows',
  },
];
