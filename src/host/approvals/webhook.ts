/** Sends a message by the scheme of Standard Webhooks (standardwebhooks.com) and reads the short answer. */
import { createHmac } from 'node:crypto';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { getCACertificates } from 'node:tls';

export interface Webhook {
  readonly address: string;
  /** `whsec_` and Base64, or Base64 alone. */
  readonly secret: string;
  /** The same for each attempt to send one message. */
  readonly id: string;
  readonly body: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface WebhookAnswer {
  readonly status: number;
  readonly text: string;
}

/** Answers are a few hundred bytes. */
const MOST_BYTES = 64 * 1024;

/** Authorities that Windows trusts, where companies put theirs, in addition to Node's own. Read once: it takes 100 ms. */
let authorities: string[] | null = null;
const trusted = (): string[] => (authorities ??= [...getCACertificates('default'), ...getCACertificates('system')]);

/** Null if the text is not a secret of 24 to 64 bytes. */
export function webhookSecret(text: string): Buffer | null {
  const key = text.trim().replace(/^whsec_/, '');
  const bytes = Buffer.from(key, 'base64');
  return /^[A-Za-z0-9+/]+={0,2}$/.test(key) && bytes.length >= 24 && bytes.length <= 64 ? bytes : null;
}

/** Redirects are answers like others: nothing goes to an address that the policy does not name. Errors: Error with a short cause. */
export function sendWebhook({ address, secret, id, body, timeoutMs, signal }: Webhook): Promise<WebhookAnswer> {
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
