// Decides cards on another device: receives what hosts send, shows it as a page with two buttons, and signs the answers.
// `node examples/approver.mjs [port] [folder]` prints the values for the machine's policy and the address of its page.
import {
  createHash,
  createHmac,
  generateKeyPairSync,
  randomBytes,
  sign,
  timingSafeEqual,
  createPrivateKey,
} from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

/**
 * @typedef {import('node:http').IncomingMessage} IncomingMessage
 * @typedef {import('node:http').ServerResponse} ServerResponse
 *
 * @typedef {object} Card
 * @property {string} approvalId
 * @property {string} digest
 * @property {readonly string[]} allowedScopes
 * @property {string} expiresAt
 *
 * @typedef {object} Waiting
 * @property {Card} card
 * @property {string} target the id of the host that asks
 * @property {string} question all that the page displays of it
 * @property {boolean} isDoubted another question came with the same id
 * @property {string | null} picture
 * @property {string | null} answer the signed answer, once there is one
 * @property {() => void} tell
 */

const port = Number(process.argv[2] ?? 8480);
const folder = process.argv[3] ?? 'approver-data';
const NAME = 'example-approver';
const POLL_MS = 50_000;
const MOST_BYTES = 16 * 1024 * 1024;

/** Made once. The private key stays here; hosts are given the public one. */
mkdirSync(folder, { recursive: true });
const [keyFile, secretFile] = [join(folder, 'key.pem'), join(folder, 'secret.txt')];
if (!existsSync(keyFile))
  writeFileSync(keyFile, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }), {
    mode: 0o600,
  });
if (!existsSync(secretFile))
  writeFileSync(secretFile, `whsec_${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
const privateKey = createPrivateKey(readFileSync(keyFile));
const secret = Buffer.from(readFileSync(secretFile, 'utf8').trim().slice('whsec_'.length), 'base64');
const publicKey = Buffer.from(privateKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
/** Every program that knows this path can decide: put a sign-in of your own and HTTPS before it. */
const pagePath = `/${randomBytes(16).toString('base64url')}`;

/** @type {Map<string, Waiting>} */
const waiting = new Map();

/**
 * Standard Webhooks: the secret signs id, time and body.
 * @param {IncomingMessage} request
 * @param {string} body
 */
function isFromHost({ headers }, body) {
  const [id, time, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    String(headers[name] ?? ''),
  );
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false;
  const expected = createHmac('sha256', secret).update(`${id}.${time}.${body}`).digest();
  return (signatures ?? '').split(' ').some((each) => {
    const given = Buffer.from(each.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/**
 * The answer to a card: the keys in alphabetical order, without spaces (RFC 8785), signed with Ed25519.
 * @param {Waiting} asked
 * @param {'approve' | 'deny'} decision
 */
function signed({ card, question, target }, decision) {
  const now = Date.now();
  const words = {
    at: new Date(now).toISOString(),
    by: NAME,
    decision,
    digest: card.digest,
    id: card.approvalId,
    kind: 'decision',
    notAfter: new Date(now + 5 * 60_000).toISOString(),
    scope: card.allowedScopes[0] ?? 'once',
    // The hash of what this page displays: the host takes the answer for no other question.
    shown: createHash('sha256').update(question).digest('hex'),
    target,
    v: 1,
  };
  const signature = sign(null, Buffer.from(JSON.stringify(words)), privateKey).toString('base64');
  return JSON.stringify({ decision: words, signature });
}

/**
 * @param {string} body
 * @param {ServerResponse} response
 */
async function fromHost(body, response) {
  /** @type {{ type: string, data: Waiting & { approvalId: string } }} */
  const { type, data } = JSON.parse(body);
  if (type === 'approval.asked') {
    const known = waiting.get(data.card.approvalId);
    // A host repeats its question word by word; another one in its name is never shown in its place.
    if (known !== undefined) known.isDoubted ||= known.question !== data.question;
    else waiting.set(data.card.approvalId, { ...data, isDoubted: false, answer: null, tell: () => {} });
  }
  if (type === 'approval.ended') waiting.delete(data.approvalId);
  const asked = type === 'approval.waiting' ? waiting.get(data.approvalId) : undefined;
  if (asked !== undefined && asked.answer === null)
    await new Promise((resolve) => {
      asked.tell = () => resolve(undefined);
      setTimeout(resolve, POLL_MS).unref();
      response.on('close', resolve);
    });
  const answer = asked?.answer ?? null;
  if (answer === null) response.writeHead(204).end();
  else response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
}

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"']/g, (letter) => `&#${letter.codePointAt(0) ?? 0};`);

/** @param {Waiting} asked */
const cardPage = ({ card, question, isDoubted, picture }) => `<article>
  <pre>${escaped(question)}</pre>
  ${picture === null ? '' : `<img alt="The window" src="data:image/png;base64,${picture}">`}
  ${isDoubted ? '<p><strong>Another question came with the same number. This one can only be denied.</strong></p>' : ''}
  <p>Until ${escaped(card.expiresAt)}. No answer means no.</p>
  <form method="post"><input type="hidden" name="id" value="${escaped(card.approvalId)}">
    <button name="decision" value="deny">Deny</button>
    ${isDoubted ? '' : '<button name="decision" value="approve">Approve</button>'}</form>
</article>`;

const page = () => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Approvals</title>
<meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="15">
<style>body{font:16px system-ui;max-width:40rem;margin:2rem auto;padding:0 1rem}article{border:1px solid #999;border-radius:8px;padding:1rem;margin:1rem 0}img{max-width:100%}pre{white-space:pre-wrap;overflow-wrap:anywhere}button{font:inherit;padding:.5rem 1.5rem}</style>
<h1>Waiting for an answer</h1>${
  [...waiting.values()]
    .filter(({ answer }) => answer === null)
    .map(cardPage)
    .join('') || '<p>Nothing waits.</p>'
}</html>`;

/** @param {IncomingMessage} request */
async function bodyOf(request) {
  const pieces = [];
  let length = 0;
  for await (const piece of request) {
    length += piece.length;
    if (length > MOST_BYTES) throw new Error('too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/**
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 */
async function serve(request, response) {
  const body = request.method === 'POST' ? await bodyOf(request) : '';
  if (request.url === '/cards' && request.method === 'POST')
    return isFromHost(request, body) ? await fromHost(body, response) : void response.writeHead(401).end();
  if (request.url !== pagePath) return void response.writeHead(404).end();
  if (request.method === 'POST') {
    const given = new URLSearchParams(body);
    const asked = waiting.get(given.get('id') ?? '');
    if (asked !== undefined && asked.answer === null) {
      asked.answer = signed(asked, given.get('decision') === 'approve' && !asked.isDoubted ? 'approve' : 'deny');
      asked.tell();
    }
    return void response.writeHead(303, { location: pagePath }).end();
  }
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'",
  });
  response.end(page());
}

const server = createServer((request, response) => {
  serve(request, response).catch(() => response.writeHead(400).end());
});
server.listen(port, '127.0.0.1', () => {
  const { port: taken } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const approver = { address: `http://127.0.0.1:${taken}/cards`, name: NAME, publicKey, secretFile, waitMs: 3_600_000 };
  console.log(JSON.stringify({ host: { approver } }, null, 2));
  console.log(`Cards: http://127.0.0.1:${taken}${pagePath}`);
});
