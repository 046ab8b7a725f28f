/** Who looks at this seat: a view of a viewer that the machine names lasts as long as its signed requests come. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import { chunksOf, hashOf } from '../bus/artifacts.ts';
import { NOT_NAMED, publishChunks, RENEW_MS, VIEW_MS, type Head } from '../bus/live.ts';
import { liveSubject } from '../bus/names.ts';
import { claimedId, open, seal, type Signer, type Trust } from '../bus/signed.ts';
import { tokenOf, type SeatRules } from './membership.ts';
import type { SeatHosts } from './seat-host.ts';

interface ViewsOptions {
  readonly seat: string;
  readonly signer: Signer;
  readonly trust: Trust;
  rules(): SeatRules;
  readonly hosts: Pick<SeatHosts, 'look'>;
  /** The job that is under way. */
  job(): string | null;
}

interface View {
  readonly id: string;
  readonly viewer: string;
  /** The viewer's card, which may be revoked meanwhile. */
  readonly card: string;
  until: number;
  /** The picture that the viewer has, since its last request; null once that was answered. */
  has: string | null;
}

/** What one viewer's card has asked, by the ids that it gave its views. */
interface Asked {
  readonly views: Map<string, View>;
  /** The last request of each view, for as long as it could be sent again. */
  readonly clocks: Map<string, number>;
}

const MOST_VIEWS = 4;
/** A viewer whose credential was stolen leaves room for the others. */
const MOST_OF_ONE = 2;
const MOST_CLOCKS = 50;
const FRESH_MS = 60_000;
const PICTURE_MS = 500;
/** A look takes the window's turn: a window that does not change is looked at less often. */
const STILL_MS = 2000;
/** Why no later look would be answered differently until something is done about it. Others pass. */
const ENDS = new Set(['not_bound', 'no_host', 'stopped', 'blocked_by_policy', 'permission_denied', 'unauthenticated']);

export class Views {
  readonly #options: ViewsOptions;
  readonly #nc: NatsConnection;
  readonly #since = Date.now();
  /** By the ids of viewers' cards. */
  readonly #asked = new Map<string, Asked>();

  constructor(nc: NatsConnection, options: ViewsOptions) {
    this.#nc = nc;
    this.#options = options;
  }

  /** A request that is not signed by a viewer of the tenant, is old, or came before, does nothing. */
  ask(text: string): void {
    const { seat, trust } = this.#options;
    const [id, now] = [claimedId(text), Date.now()];
    const opened = open(text, { kind: 'view', target: seat, id }, trust, now);
    if ('refused' in opened) return;
    const { name: viewer, id: card } = opened.by;
    const asked = this.#asked.get(card) ?? { views: new Map(), clocks: new Map() };
    const { views, clocks } = asked;
    for (const [each, at] of clocks) if (at < now - FRESH_MS) clocks.delete(each);
    const clock = Number(opened.body['clock']);
    // requests of before this link are not remembered
    if (!(clock > (clocks.get(id) ?? this.#since)) || Math.abs(now - clock) > FRESH_MS) return;
    if (clocks.size >= MOST_CLOCKS && !clocks.has(id)) return;
    this.#asked.set(card, asked);
    clocks.set(id, clock);
    const view = views.get(id);
    const until = opened.body['end'] === true ? 0 : now + VIEW_MS;
    if (view !== undefined) Object.assign(view, { until, has: String(opened.body['has'] ?? '') });
    else if (until > 0) this.#begin({ id, viewer, card, until, has: null }, views);
  }

  #begin(view: View, views: Map<string, View>): void {
    const openOf = (each: Asked['views']): number =>
      [...each.values()].filter(({ until }) => until > Date.now()).length;
    const count = [...this.#asked.values()].reduce((sum, each) => sum + openOf(each.views), 0);
    if (count >= MOST_VIEWS || openOf(views) >= MOST_OF_ONE) return;
    views.set(view.id, view);
    void this.#show(view)
      .catch((error: unknown) => process.stderr.write(`A view ended: ${String(error)}\n`))
      .finally(() => views.delete(view.id));
  }

  #mayLook = (viewer: string): boolean => tokenOf(this.#options.rules(), viewer, 'viewers') !== null;

  async #show(view: View): Promise<void> {
    const { seat, signer, trust, hosts, job } = this.#options;
    const { id, viewer, card } = view;
    const subject = liveSubject(seat, viewer);
    let [told, toldAt, n, pauseMs] = ['', 0, 0, PICTURE_MS];
    const tell = (head: Omit<Head, 'n' | 'at'>): void => {
      // also after an earlier link of this seat
      n = Math.max(n + 1, Date.now());
      toldAt = Date.now();
      const about = { kind: 'picture', target: seat, id } as const;
      this.#nc.publish(subject, seal(about, { ...head, n, at: toldAt }, signer));
    };
    const end = (reason: string): void => tell({ why: reason, app: '', title: '', job: null, sha256: '', chunks: 0 });
    const isWanted = (): boolean => Date.now() < view.until && !trust.revoked.has(card) && !this.#nc.isClosed();
    const isOn = (): boolean => isWanted() && this.#mayLook(viewer);
    for (; isOn(); await sleep(pauseMs)) {
      const seen = await hosts.look(viewer);
      if (!isOn()) break;
      if ('why' in seen) {
        pauseMs = STILL_MS;
        if (!ENDS.has(seen.why)) continue;
        return end(seen.why);
      }
      const { app, title, png } = seen;
      const sha256 = hashOf(png);
      const head = { why: null, app, title, job: seen.isFleets ? job() : null, sha256 };
      // a picture that was lost on the way is sent again
      const isNew = JSON.stringify(head) !== told || (view.has ?? sha256) !== sha256;
      view.has = null;
      pauseMs = isNew ? PICTURE_MS : Math.min(2 * pauseMs, STILL_MS);
      if (!isNew && Date.now() - toldAt < RENEW_MS) continue;
      told = JSON.stringify(head);
      tell({ ...head, chunks: isNew ? chunksOf(png).length : 0 });
      if (isNew) publishChunks(this.#nc, subject, sha256, png);
      // one picture is on its way at a time
      await this.#nc.flush().catch(() => {});
    }
    if (isWanted()) end(NOT_NAMED);
  }
}
