/**
 * A person elsewhere who decides cards: each card is sent to the one address that the administrators' policy names, and the
 * signed answer comes as the reply to a request of this host, so that nothing listens here. docs/approvals.md has the messages.
 */
import { createHash, createHmac, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { getCACertificates } from 'node:tls';
import type { AuditEntryInput } from '../../audit/entry.ts';
import { toUiaHostError } from '../../contract/errors.ts';
import type { ApprovalCard, ApprovalDecision } from '../../contract/gate/approval.ts';
import { BY_APPROVER } from '../../contract/gate/card-lines.ts';
import { questionText } from '../../contract/gate/card-text.ts';
import { isOfFleet, isWholeApprover, type MachineHost, type WholeApprover } from '../../contract/gate/machine-host.ts';
import { decisionText, SignedDecision } from '../../contract/gate/approval.ts';
import type { MachineNames } from '../../contract/gate/views.ts';
import type { DoctorFinding } from '../../contract/process/doctor.ts';
import { newId } from '../face/caller.ts';
import type { CardPicture, Surface } from './surface.ts';
import { attempt } from '../../contract/attempt.ts';

/** A message by the scheme of Standard Webhooks (standardwebhooks.com). */
interface Webhook {
  readonly address: string;
  /** `whsec_` and Base64, or Base64 alone. */
  readonly secret: string;
  /** The same for each attempt to send one message. */
  readonly id: string;
  readonly body: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

interface WebhookAnswer {
  readonly status: number;
  readonly text: string;
}

/** Answers are a few hundred bytes. */
const MOST_BYTES = 64 * 1024;

/** Authorities that Windows trusts, where companies put theirs, in addition to Node's own. Read once: it takes 100 ms. */
let authorities: string[] | null = null;
const trusted = (): string[] => (authorities ??= [...getCACertificates('default'), ...getCACertificates('system')]);

/** Null if the text is not a secret of 24 to 64 bytes. */
function webhookSecret(text: string): Buffer | null {
  const key = text.trim().replace(/^whsec_/, '');
  const bytes = Buffer.from(key, 'base64');
  return /^[A-Za-z0-9+/]+={0,2}$/.test(key) && bytes.length >= 24 && bytes.length <= 64 ? bytes : null;
}

/** Redirects are answers like others: nothing goes to an address that the policy does not name. Errors: Error with a short cause. */
function sendWebhook({ address, secret, id, body, timeoutMs, signal }: Webhook): Promise<WebhookAnswer> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const mac = createHmac('sha256', webhookSecret(secret) ?? '').update(`${id}.${timestamp}.${body}`, 'utf8');
  const url = new URL(address);
  const isSecure = url.protocol === 'https:';
  const options = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${mac.digest('base64')}`,
    },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  };
  return new Promise((resolve, reject) => {
    const sent = isSecure ? secureRequest(url, { ...options, ca: trusted() }) : plainRequest(url, options);
    sent.on('error', reject);
    sent.on('response', (response) => {
      const pieces: Buffer[] = [];
      let length = 0;
      response.on('data', (piece: Buffer) => {
        length += piece.length;
        if (length > MOST_BYTES) response.destroy(new Error(`the answer is longer than ${MOST_BYTES} bytes`));
        else pieces.push(piece);
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString('utf8') }),
      );
    });
    sent.end(body);
  });
}

interface Expected {
  readonly card: ApprovalCard;
  readonly machine: MachineNames;
  /** The id of this host. */
  readonly target: string;
  readonly approver: { readonly name: string; readonly publicKey: string };
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Clocks of two machines differ by so much. */
const SKEW_MS = 60_000;
const LONGEST_MS = 86_400_000;

function isSigned({ decision, signature }: SignedDecision, publicKey: string): boolean {
  const x = Buffer.from(publicKey, 'base64').toString('base64url');
  // 32 bytes that are not a point of the curve sign nothing.
  const key = attempt(() => createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }), null);
  const text = Buffer.from(decisionText(decision), 'utf8');
  return key !== null && attempt(() => verify(null, text, key, Buffer.from(signature, 'base64')), false);
}

/** Null if the answer counts, else why not. */
function whyNotCounted(answer: SignedDecision, { card, machine, target, approver, now }: Expected): string | null {
  const { decision } = answer;
  if (!isSigned(answer, approver.publicKey)) return 'the signature is not the approver’s';
  if (decision.target !== target) return 'it is for another host';
  if (decision.id !== card.approvalId) return 'it is for another card';
  if (decision.digest !== card.digest) return 'it is for another content of the card';
  if (decision.shown !== createHash('sha256').update(questionText(card, machine)).digest('hex'))
    return 'another question was shown';
  if (decision.by !== approver.name) return 'it names another approver';
  if (decision.decision === 'approve' && decision.scope !== (card.allowedScopes[0] ?? 'once'))
    return 'its scope is not the card’s narrowest';
  const [at, until] = [Date.parse(decision.at), Date.parse(decision.notAfter)];
  if (at > now + SKEW_MS || at < Date.parse(card.createdAt) - SKEW_MS) return 'its time is not the card’s';
  if (until < now) return 'it is too late';
  if (until - at > LONGEST_MS) return 'its time limit is longer than 24 hours';
  return null;
}

interface OutsideApproverParts {
  /** Identifies this host in what is signed. */
  readonly target: string;
  machine(): MachineNames;
  /** The door of every decision. Errors: those of `Approvals.decide`. */
  decide(approvalId: string, decision: ApprovalDecision, by: string): Promise<unknown>;
  audit(entry: AuditEntryInput): Promise<unknown>;
  onFault(error: unknown, where: string): void;
}

/** A receiver answers a request for the answer before this time, with 204 where there is none yet. */
const POLL_MS = 90_000;
const SEND_MS = 30_000;
/** Between two requests to a receiver that does not wait, and after the first failure; each further one doubles it. */
const PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
const MOST_CAUSES = 10_000;
/** A larger picture is left out. */
const MOST_PICTURE_BYTES = 4 * 1024 * 1024;

interface Address {
  readonly approver: WholeApprover;
  readonly secret: string;
}

type Words = Readonly<Record<string, unknown>>;

export class OutsideApprover implements Surface {
  readonly name = 'approver';
  readonly #parts: OutsideApproverParts;
  /** Cards that wait, each with what ends the asking. */
  readonly #open = new Map<string, AbortController>();
  /** Why answers to a card did not count, as it is in the audit: any agent may hand in answers without end. */
  readonly #recorded = new Set<string>();
  #settings: MachineHost['approver'];
  #fault: string | null = null;

  constructor(parts: OutsideApproverParts) {
    this.#parts = parts;
  }

  /** What administrators set now. */
  configure(settings: MachineHost['approver']): void {
    this.#settings = settings;
    if (settings === undefined) this.#fault = null;
  }

  isAvailable(): boolean {
    return typeof this.#address() !== 'string';
  }

  waitMs(): number {
    return this.#settings?.waitMs ?? 0;
  }

  show(card: ApprovalCard, picture: CardPicture | null): void {
    const ended = new AbortController();
    this.#open.set(card.approvalId, ended);
    void this.#ask(card, picture, ended.signal).catch((error: unknown) =>
      this.#parts.onFault(error, 'approver elsewhere'),
    );
  }

  takeAway(approvalId: string): void {
    const ended = this.#open.get(approvalId);
    if (ended === undefined) return;
    this.#open.delete(approvalId);
    ended.abort();
    const address = this.#address();
    if (typeof address === 'string') return;
    // The receiver takes the card from its page; it knows the card's end in any case.
    void this.#send(address, 'approval.ended', { approvalId }, { id: newId('msg'), ms: SEND_MS }).catch(() => {});
  }

  findings(): DoctorFinding[] {
    if (this.#settings === undefined || isOfFleet(this.#settings)) return [];
    const address = this.#address();
    if (typeof address === 'string')
      return [
        {
          code: 'approver_incomplete',
          severity: 'limits',
          message: `The policy of the machine names an approver on another device, and cards cannot be sent: ${address}.`,
          cure: 'Correct the values Approver… in the policy of the machine: docs/deploy/group-policy.md.',
        },
      ];
    if (this.#fault === null) return [];
    return [
      {
        code: 'approver_unreachable',
        severity: 'limits',
        message: `Cards do not reach the approver’s address (${new URL(address.approver.address).origin}): ${this.#fault}.`,
        cure: 'Check the address, its certificate and the firewall: docs/deploy/network.md. The host keeps trying while a card waits.',
      },
    ];
  }

  /** A sentence's part where something is missing. */
  #address(): Address | string {
    const approver = this.#settings;
    if (approver === undefined) return 'no approver is named';
    if (!isWholeApprover(approver)) return 'address, name, key and file of the secret are all needed';
    try {
      const secret = readFileSync(approver.secretFile, 'utf8').trim();
      return webhookSecret(secret) === null
        ? 'the file of the secret must hold whsec_ and 24 to 64 bytes in Base64'
        : { approver, secret };
    } catch (error) {
      return `the file of the secret cannot be read (${String((error as NodeJS.ErrnoException).code)})`;
    }
  }

  #send(
    { approver, secret }: Address,
    type: string,
    data: Words,
    { id, ms, signal = new AbortController().signal }: { id: string; ms: number; signal?: AbortSignal },
  ): Promise<WebhookAnswer> {
    const message = { type, timestamp: new Date().toISOString(), data: { target: this.#parts.target, ...data } };
    const body = JSON.stringify(message);
    return sendWebhook({ address: approver.address, secret, id, body, timeoutMs: ms, signal });
  }

  /** Sends the card until it has arrived, then asks for the answer until one counts or the card has ended. */
  async #ask(card: ApprovalCard, picture: CardPicture | null, signal: AbortSignal): Promise<void> {
    const { approvalId, digest } = card;
    const bytes = this.#settings?.pictures === true ? picture?.bytes : undefined;
    const image = bytes === undefined || bytes.length > MOST_PICTURE_BYTES ? null : Buffer.from(bytes);
    const host = this.#parts.machine();
    const question = questionText(card, host);
    const asked = { host, card, question, picture: image?.toString('base64') ?? null };
    const sent = newId('msg');
    let isSent = false;
    let failures = 0;
    while (!signal.aborted) {
      const began = Date.now();
      let why: string | null;
      try {
        const address = this.#address();
        if (typeof address === 'string') throw new Error(address);
        const answer: WebhookAnswer = isSent
          ? await this.#send(
              address,
              'approval.waiting',
              { approvalId, digest },
              { id: newId('msg'), ms: POLL_MS, signal },
            )
          : await this.#send(address, 'approval.asked', asked, { id: sent, ms: SEND_MS, signal });
        const isTaken: boolean = answer.status >= 200 && answer.status <= 299;
        why = !isTaken
          ? `it answered ${answer.status}`
          : isSent && answer.status !== 204
            ? await this.take(answer.text, card)
            : null;
        isSent ||= isTaken;
      } catch (error) {
        if (signal.aborted) return;
        why = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
      }
      this.#fault = why;
      failures = why === null ? 0 : failures + 1;
      const pause = Math.min(PAUSE_MS * 2 ** Math.max(0, failures - 1), LONGEST_PAUSE_MS);
      await wait(pause - (Date.now() - began), undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** What a receiver answered. What does not count changes nothing and is recorded, once for each card and cause. Null if it counted. */
  async take(text: string, card: ApprovalCard): Promise<string | null> {
    const why = await this.#decide(text, card);
    const cause = `${card.approvalId} ${why}`;
    if (why === null || this.#recorded.has(cause)) return why;
    if (this.#recorded.size === MOST_CAUSES) this.#recorded.clear();
    this.#recorded.add(cause);
    await this.#parts
      .audit({
        kind: 'approval',
        actor: { tokenId: null, surface: 'approver' },
        action: 'answer.refused',
        decision: 'refused',
        digest: card.digest,
        why: [why],
        details: { approvalId: card.approvalId },
      })
      .catch((error: unknown) => this.#parts.onFault(error, 'audit of an answer that does not count'));
    return why;
  }

  async #decide(text: string, card: ApprovalCard): Promise<string | null> {
    const approver = this.#settings;
    if (!isWholeApprover(approver)) return 'no approver is named';
    const given = attempt<unknown, undefined>(() => JSON.parse(text), undefined);
    if (given === undefined) return 'it is not JSON';
    const parsed = SignedDecision.safeParse(given);
    if (!parsed.success) return 'it is not a signed decision';
    const { target, machine } = this.#parts;
    const expected = { card, machine: machine(), target, approver, now: Date.now() };
    const why = whyNotCounted(parsed.data, expected);
    if (why !== null) return why;
    const { decision, scope } = parsed.data.decision;
    try {
      await this.#parts.decide(
        card.approvalId,
        decision === 'deny' ? { decision } : { decision, scope },
        `${BY_APPROVER}${approver.name}`,
      );
      return null;
    } catch (error) {
      return toUiaHostError(error).message;
    }
  }
}
