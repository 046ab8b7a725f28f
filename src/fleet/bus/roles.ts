/**
 * What each role may do on the bus: permissions of its scoped signing key, in which the server replaces the templates by
 * the name and the tags of the user. They stop reading and honest mistakes; signatures stop forging (`signed.ts`).
 */
import { POLICY_SUBJECT, STREAM } from './names.ts';
import type { Role } from './signed.ts';

const NAME = '{{name()}}';
const POOL = '{{tag(pool)}}';
const { jobs, pools, records, hosts, policy, events, artifacts, admissions } = STREAM;

const directGet = (stream: string, ...subjects: string[]): string[] =>
  subjects.map((subject) => `$JS.API.DIRECT.GET.${stream}.${subject}`);

/** A reader's own consumers, on these subjects of a stream alone. */
const reading = (stream: string, filter: string): string[] => [
  `$JS.API.CONSUMER.CREATE.${stream}.*.${filter}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.*`,
  `$JS.API.CONSUMER.INFO.${stream}.*`,
  `$JS.API.CONSUMER.DELETE.${stream}.*`,
  ...directGet(stream, filter),
];
/** A card has texts of windows, and a picture of one: they are the approver's to read. */
const STEPS = reading(events, 'uia.v1.evt.*.*.step');
const CARDS = reading(events, 'uia.v1.evt.*.*.approval');
const CARD_PICTURES = reading(artifacts, 'uia.v1.pic.>');
const ARTIFACTS = reading(artifacts, 'uia.v1.art.>');
const RECORDS = reading(records, '$KV.uia_jobs.>');
const HOSTS = reading(hosts, '$KV.uia_hosts.>');
/** Whose cards are valid no longer. */
const REVOKED = directGet(policy, POLICY_SUBJECT);
const OWN_REPLIES = `_INBOX.${NAME}.>`;

const may = (publish: string[], receive: string[]) => ({ pub: { allow: publish }, sub: { allow: receive } });

/** A seat without a pool has a role of its own: a template without a tag makes a user invalid. */
function seat(hasPools: boolean) {
  const targets = hasPools ? [NAME, POOL] : [NAME];
  const queue = (target: string): string => (target === NAME ? jobs : pools);
  return may(
    [
      ...targets.flatMap((target) => [
        `$JS.API.CONSUMER.MSG.NEXT.${queue(target)}.${target}`,
        `$JS.ACK.${queue(target)}.${target}.>`,
        `$KV.uia_jobs.${target}.>`,
        ...directGet(records, `$KV.uia_jobs.${target}.>`),
        ...directGet(policy, `$KV.uia_policy.${target}`),
      ]),
      ...REVOKED,
      `$KV.uia_hosts.${NAME}`,
      ...directGet(hosts, `$KV.uia_hosts.${NAME}`),
      ...['evt', 'art', 'pic', 'live'].map((kind) => `uia.v1.${kind}.${NAME}.>`),
    ],
    [
      OWN_REPLIES,
      ...targets.map((target) => `uia.v1.ctl.${target}`),
      `uia.v1.dec.${NAME}`,
      `uia.v1.view.${NAME}`,
      POLICY_SUBJECT,
    ],
  );
}

const JOBS = ['uia.v1.job.>', 'uia.v1.pool.>', 'uia.v1.ctl.>', '$KV.uia_jobs.>'];

export const PERMISSIONS: Readonly<Record<Role | 'lone seat', ReturnType<typeof may>>> = {
  seat: seat(true),
  'lone seat': seat(false),
  orchestrator: may([...JOBS, ...RECORDS, ...HOSTS, ...STEPS, ...ARTIFACTS, ...REVOKED], [OWN_REPLIES]),
  approver: may(['uia.v1.dec.*', ...CARDS, ...CARD_PICTURES, ...REVOKED], [OWN_REPLIES]),
  viewer: may(
    ['uia.v1.view.*', ...HOSTS, ...RECORDS, ...STEPS, ...ARTIFACTS, ...REVOKED],
    [OWN_REPLIES, `uia.v1.live.*.${NAME}`],
  ),
  // machines of one image share it: each asks, and reads its answer by the key that it made
  enrolment: may([`$KV.uia_enrol.${NAME}.*`, ...directGet(admissions, `$KV.uia_admit.${NAME}.*`)], [OWN_REPLIES]),
  administrator: may(['$JS.API.>', '$KV.uia_policy.>', '$KV.uia_admit.>'], [OWN_REPLIES]),
};
