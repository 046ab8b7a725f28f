/** Who looks at this seat: each viewer that the machine names has one view, for as long as its signed requests come. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import { hashOf } from '../bus/artifacts.ts';
import { chunksOf, publishChunks, RENEW_MS, VIEW_MS, type Head } from '../bus/live.ts';
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
}

const MOST_VIEWS = 4;
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
  /** By the ids that viewers gave them. */
  readonly #views = new Map<string, View>();
  /** The last request of each view, for as long as it could be sent again. */
  readonly #clocks = new Map<string, number>();

  constructor(nc: NatsConnection, options: ViewsOptions) {
    this.#nc = nc;
    this.#options = options;
  }

  /** A request that is not signed by a viewer whom the machine names, is old, or came before, does nothing. */
  ask(text: string): void {
    const { seat, trust } = this.#options;
    const [id, now] = [claimedId(text), Date.now()];
    const opened = open(text, { kind: 'view', target: seat, id }, trust, now);
    if ('refused' in opened || !this.#mayLook(opened.by.name)) return;
    const clock = Number(opened.body['clock']);
    for (const [each, at] of this.#clocks) if (at < now - FRESH_MS) this.#clocks.delete(each);
    // requests of before this link are not remembered
    if (!(clock > (this.#clocks.get(id) ?? this.#since)) || Math.abs(now - clock) > FRESH_MS) return;
    this.#clocks.set(id, clock);
    const view = this.#views.get(id);
    const until = opened.body['end'] === true ? 0 : now + VIEW_MS;
    if (view !== undefined) view.until = until;
    else if (until > 0 && this.#views.size < MOST_VIEWS) {
      const begun = { id, viewer: opened.by.name, card: opened.by.id, until };
      this.#views.set(id, begun);
      void this.#show(begun)
        .catch((error: unknown) => process.stderr.write(`A view ended: ${String(error)}\n`))
        .finally(() => this.#views.delete(id));
    }
  }

  #mayLook = (viewer: string): boolean => tokenOf(this.#options.rules(), viewer, 'viewers') !== null;

  async #show(view: View): Promise<void> {
    const { seat, signer, trust, hosts, job } = this.#options;
    const { id, viewer, card } = view;
    const subject = liveSubject(seat, viewer);
    let [told, toldAt, n, pauseMs] = ['', 0, 0, PICTURE_MS];
    const tell = (head: Omit<Head, 'n' | 'at'>): void => {
      n += 1;
      toldAt = Date.now();
      const about = { kind: 'picture', target: seat, id } as const;
      this.#nc.publish(subject, seal(about, { ...head, n, at: toldAt }, signer));
    };
    const isOn = (): boolean =>
      Date.now() < view.until && !trust.revoked.has(card) && this.#mayLook(viewer) && !this.#nc.isClosed();
    for (; isOn(); await sleep(pauseMs)) {
      const seen = await hosts.look(viewer);
      if (!isOn()) return;
      if ('why' in seen) {
        pauseMs = STILL_MS;
        if (!ENDS.has(seen.why)) continue;
        tell({ why: seen.why, app: '', title: '', job: null, sha256: '', chunks: 0 });
        return;
      }
      const { app, title, png } = seen;
      const sha256 = hashOf(png);
      const head = { why: null, app, title, job: seen.isFleets ? job() : null, sha256 };
      const isNew = JSON.stringify(head) !== told;
      pauseMs = isNew ? PICTURE_MS : Math.min(2 * pauseMs, STILL_MS);
      if (!isNew && Date.now() - toldAt < RENEW_MS) continue;
      told = JSON.stringify(head);
      tell({ ...head, chunks: isNew ? chunksOf(png) : 0 });
      if (isNew) publishChunks(this.#nc, subject, sha256, png);
      // one picture is on its way at a time
      await this.#nc.flush().catch(() => {});
    }
  }
}
