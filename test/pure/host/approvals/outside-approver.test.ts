/** A person on another device: what leaves for whom, which answers count, and how long a card waits. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApprovalCard, decisionText, type Decision } from '../../../../src/contract/gate/approval.ts';
import { questionText } from '../../../../src/contract/gate/card-text.ts';
import type { ActionRun } from '../../../../src/host/face/host.ts';
import { until } from '../../../support/until.ts';
import { startTestHost, type TestHost } from '../running-host.ts';

const NAME = 'jane@example.org';
const keys = generateKeyPairSync('ed25519');
const rawKey = (key: KeyObject): string =>
  Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');

interface Message {
  readonly type: string;
  readonly data: {
    readonly target: string;
    readonly card?: ApprovalCard;
    readonly approvalId?: string;
    readonly question?: string;
    readonly picture?: string | null;
  };
}

/** A receiver that answers each request for an answer with the next text, and with 204 when there is none. */
interface Receiver extends AsyncDisposable {
  readonly address: string;
  readonly secretFile: string;
  readonly got: Message[];
  readonly answers: string[];
  /** Answers with this status instead. */
  status: number | null;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'uiahost-approver-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function startReceiver(): Promise<Receiver> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const secretFile = join(folder, 'secret.txt');
  writeFileSync(secretFile, `${secret}\r\n`);
  // The library of the scheme's own authors is the witness of what is sent.
  const scheme = new Webhook(secret);
  const got: Message[] = [];
  const answers: string[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
    const message = scheme.verify(Buffer.concat(pieces), request.headers as Record<string, string>) as Message;
    got.push(message);
    if (receiver.status !== null) return void response.writeHead(receiver.status, { location: '/elsewhere' }).end();
    const answer = message.type === 'approval.waiting' ? answers.shift() : undefined;
    if (answer === undefined) response.writeHead(204).end();
    else response.writeHead(200).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/cards`,
    secretFile,
    got,
    answers,
    status: null,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

const approverOf = ({ address, secretFile }: Pick<Receiver, 'address' | 'secretFile'>, more: object = {}) => ({
  address,
  name: NAME,
  publicKey: rawKey(keys.publicKey),
  secretFile,
  ...more,
});
const hostWith = (approver: object, policy: object = {}, machine: object = {}): Promise<TestHost> =>
  startTestHost({ level: 'control', ...policy }, undefined, undefined, {
    level: 'full',
    ...machine,
    host: { approver },
  });

/** Asks for a click; resolves when its card waits. */
async function ask(t: TestHost): Promise<{ run: ActionRun; card: ApprovalCard }> {
  await t.host.runner.run(t.agent, 'bind-to-window', { title: 'Notepad' }).result;
  const run = t.host.runner.run(t.agent, 'click-element', { name: 'Save draft' });
  run.result.catch(() => {});
  return { run, card: await t.host.approvals.get((await run.pending) ?? '') };
}

const MACHINE = { name: 'pc17', user: 'anna' };
const decisionOn = (card: ApprovalCard, change: Partial<Decision> = {}): Decision => ({
  v: 1,
  kind: 'decision',
  target: 'sto_test',
  id: card.approvalId,
  digest: card.digest,
  shown: createHash('sha256').update(questionText(card, MACHINE)).digest('hex'),
  decision: 'approve',
  scope: 'once',
  by: NAME,
  at: new Date().toISOString(),
  notAfter: new Date(Date.now() + 60_000).toISOString(),
  ...change,
});
const signedBy = (key: KeyObject, decision: Decision): string =>
  JSON.stringify({ decision, signature: sign(null, Buffer.from(decisionText(decision)), key).toString('base64') });
const answerTo = (card: ApprovalCard, change: Partial<Decision> = {}): string =>
  signedBy(keys.privateKey, decisionOn(card, change));
const refusals = async (t: TestHost): Promise<string[]> =>
  (await t.auditEntries()).filter(({ action }) => action === 'answer.refused').map(({ why }) => why?.[0] ?? '');

describe('[approver.sent] what leaves', () => {
  test('a card goes to the one address, signed by the scheme of Standard Webhooks, without a picture as shipped', async () => {
    await using receiver = await startReceiver();
    await using t = await hostWith(approverOf(receiver));
    const { card } = await ask(t);
    const asked = await until(() => receiver.got.find(({ type }) => type === 'approval.asked'), 'the card');
    expect(asked.data).toMatchObject({ target: 'sto_test', picture: null, host: { name: 'pc17', user: 'anna' } });
    expect(asked.data.question).toBe(questionText(card, MACHINE));
    expect(ApprovalCard.parse(asked.data.card)).toMatchObject({ approvalId: card.approvalId, digest: card.digest });
    await t.host.approvals.decide(card.approvalId, { decision: 'deny' }, 'operator', 'api');
    await until(() => receiver.got.find(({ type }) => type === 'approval.ended'), 'the end of the card');
    expect(receiver.got.at(-1)?.data).toMatchObject({ approvalId: card.approvalId });
  });

  test('nothing goes elsewhere: a redirect is a failure, and the same card is sent again', async () => {
    await using receiver = await startReceiver();
    receiver.status = 307;
    await using t = await hostWith(approverOf(receiver));
    await ask(t);
    await until(() => receiver.got.length >= 2 || undefined, 'a second try');
    expect(receiver.got.map(({ type }) => type)).toEqual(receiver.got.map(() => 'approval.asked'));
    expect(t.approver.findings().map(({ code }) => code)).toContain('approver_unreachable');
    receiver.status = null;
    await until(() => receiver.got.find(({ type }) => type === 'approval.waiting'), 'a request for the answer');
  });

  test('no card leaves where the policy is incomplete, its file is missing, or only the user names an approver', async () => {
    await using receiver = await startReceiver();
    const whole = approverOf(receiver);
    for (const broken of [
      { ...whole, publicKey: undefined },
      { ...whole, secretFile: join(folder, 'none') },
    ]) {
      await using t = await hostWith(broken);
      await ask(t);
      expect(t.approver.findings().map(({ code }) => code)).toContain('approver_incomplete');
    }
    await using t = await startTestHost({
      level: 'control',
      approvals: { timeoutMs: 5000, surfaces: ['api', 'approver'] },
    });
    expect(t.host.policy.get().policy.approvals.surfaces).toEqual(['api']);
    await ask(t);
    expect(receiver.got).toEqual([]);
  });
});

describe('[approver.answers] the answer', () => {
  test.each(['approve', 'deny'] as const)('%s counts once, and names the approver', async (decision) => {
    await using receiver = await startReceiver();
    await using t = await hostWith(approverOf(receiver));
    const { run, card } = await ask(t);
    receiver.answers.push(answerTo(card, { decision }));
    if (decision === 'approve') await run.result;
    else
      await expect(run.result).rejects.toMatchObject({
        code: 'approval_denied',
        message: expect.stringContaining(`The approver said no from another device (${NAME})`),
      });
    expect(await t.host.approvals.get(card.approvalId)).toMatchObject({
      status: decision === 'approve' ? 'approved' : 'denied',
      decidedBy: `approver:${NAME}`,
    });
    expect(await refusals(t)).toEqual([]);
  });

  test('[approver.forged] forged, late, early, replayed and misdirected answers change nothing and are recorded', async () => {
    await using receiver = await startReceiver();
    await using t = await hostWith(approverOf(receiver));
    const earlier = await ask(t);
    const used = answerTo(earlier.card);
    receiver.answers.push(used);
    await earlier.run.result;
    const { run, card } = await ask(t);
    const stranger = generateKeyPairSync('ed25519').privateKey;
    const good = JSON.parse(answerTo(card)) as { decision: Decision; signature: string };
    const time = (ms: number): string => new Date(Date.now() + ms).toISOString();
    const wrong: ReadonlyArray<readonly [string, string]> = [
      ['replayed', used],
      ['by a stranger', signedBy(stranger, decisionOn(card))],
      ['a denial by a stranger', signedBy(stranger, decisionOn(card, { decision: 'deny' }))],
      ['changed after it was signed', JSON.stringify({ ...good, decision: { ...good.decision, decision: 'deny' } })],
      ['without a signature', JSON.stringify({ decision: good.decision, signature: '' })],
      ['with more than the format has', JSON.stringify({ ...good, also: 1 })],
      ['for another host', answerTo(card, { target: 'sto_other' })],
      ['for another card', answerTo(card, { id: earlier.card.approvalId })],
      ['for other content', answerTo(card, { digest: 'f'.repeat(64) })],
      ['for another question', answerTo(card, { shown: decisionOn({ ...card, sentence: { act: '#picture' } }).shown })],
      ['by another name', answerTo(card, { by: 'someone' })],
      ['wider than the card', answerTo(card, { scope: 'session' })],
      ['too late', answerTo(card, { at: time(-1000), notAfter: time(-1) })],
      ['of the future', answerTo(card, { at: time(120_000), notAfter: time(180_000) })],
      ['older than the card', answerTo(card, { at: time(-3_600_000) })],
      ['with too long a limit', answerTo(card, { notAfter: time(90_000_000) })],
      ['not JSON', '<html>'],
      ['an array', '[]'],
    ];
    // As the reply to a request, but without the pauses between requests.
    const take = (text: string): Promise<string | null> => t.approver.take(text, card);
    for (const [what, text] of wrong) {
      expect(await take(text), what).toEqual(expect.any(String));
      expect((await t.host.approvals.get(card.approvalId)).status, what).toBe('pending');
    }
    expect(new Set(await refusals(t)).size).toBeGreaterThan(9);
    expect(await take(answerTo(card))).toBeNull();
    await run.result;
    // The same answer twice, and the opposite afterwards: nothing changes.
    await take(answerTo(card));
    expect(await take(answerTo(card, { decision: 'deny' }))).toContain('approved');
    expect((await t.host.approvals.get(card.approvalId)).status).toBe('approved');
  });
});

describe('[approver.wait] the time', () => {
  test('a card waits as long as the policy says for the approver, and no longer on the screen', async () => {
    await using receiver = await startReceiver();
    await using t = await hostWith(approverOf(receiver, { waitMs: 86_400_000 }), {
      approvals: { timeoutMs: 1000, surfaces: ['overlay', 'api'] },
    });
    const { run, card } = await ask(t);
    expect(Date.parse(card.expiresAt) - Date.parse(card.createdAt)).toBe(86_400_000);
    await until(() => t.takenDown.includes(card.approvalId) || undefined, 'the card to leave the screen');
    expect((await t.host.approvals.get(card.approvalId)).status).toBe('pending');
    receiver.answers.push(answerTo(card));
    await run.result;
  });

  test('without an approver it ends with the policy’s own time', async () => {
    await using t = await startTestHost({
      level: 'control',
      approvals: { timeoutMs: 1000, surfaces: ['overlay', 'api', 'approver'] },
    });
    const { run } = await ask(t);
    await expect(run.result).rejects.toMatchObject({ code: 'approval_expired' });
  });
});

test.each([
  ['a list of the machine without it', { approvals: { surfaces: ['overlay'] } }, {}, false],
  ['a list of the machine with it', { approvals: { surfaces: ['overlay', 'approver'] } }, {}, true],
  ['no list of the machine', {}, {}, true],
  ['a user who allows no surface', {}, { approvals: { timeoutMs: 1000, surfaces: [] } }, false],
])('[approver.policy] who names the approver: %s', async (_what, machine, policy, isNamed) => {
  await using receiver = await startReceiver();
  await using t = await hostWith(approverOf(receiver), policy, machine);
  expect(t.host.policy.get().policy.approvals.surfaces.includes('approver')).toBe(isNamed);
  if (isNamed) return;
  await ask(t).catch(() => {});
  expect(receiver.got).toEqual([]);
});

describe('an approver of a fleet, whom a policy of an earlier version names', () => {
  const OF_FLEET = { address: 'fleet:', name: NAME, publicKey: rawKey(keys.publicKey), waitMs: 86_400_000 };

  test.each([
    ['without a secret', {}],
    ['with one', { secretFile: 'secret.txt' }],
  ])('decides nothing %s: cards are decided as without one', async (_, more) => {
    const policy = { approvals: { timeoutMs: 30_000, surfaces: ['overlay', 'approver'] } } as const;
    await using t = await hostWith({ ...OF_FLEET, ...more }, policy);
    expect(t.host.policy.get().policy.approvals.surfaces).toEqual(['overlay']);
    const agent = { ...t.agent, tokenId: 'fleet-orders', session: 'job_1' };
    const { run, card } = await ask({ ...t, agent });
    expect(Date.parse(card.expiresAt) - Date.parse(card.createdAt)).toBe(30_000);
    expect(await t.approver.take(answerTo(card), card)).toBe('no approver is named');
    expect((await t.host.approvals.get(card.approvalId)).status).toBe('pending');
    await t.host.approvals.decide(card.approvalId, { decision: 'approve' }, 'overlay', 'overlay');
    await run.result;
  });

  test('is reported as unused', async () => {
    await using t = await hostWith(OF_FLEET);
    expect(t.host.policy.flaws?.unusedSettings).toEqual([expect.stringContaining('host.approver.address (fleet:)')]);
    expect((await t.host.status(t.agent)).doctor).toContainEqual(
      expect.objectContaining({ code: 'policy_unused', severity: 'limits' }),
    );
  });
});

describe('examples/approver.mjs', () => {
  let example: ChildProcess | null = null;
  afterEach(() => void example?.kill());

  test('its page shows the card and its two buttons decide', async () => {
    const program = spawn(process.execPath, [
      fileURLToPath(new URL('../../../../examples/approver.mjs', import.meta.url)),
      '0',
      folder,
    ]);
    example = program;
    let printed = '';
    program.stdout.on('data', (piece: Buffer) => (printed += piece.toString()));
    const page = await until(() => /^Cards: (.*)$/m.exec(printed)?.[1], 'its address');
    const { host } = JSON.parse(printed.slice(0, printed.indexOf('Cards:'))) as {
      host: { approver: { address: string; secretFile: string } };
    };
    await using t = await startTestHost({ level: 'control' }, undefined, undefined, { level: 'full', host });
    /** As any program can that reads the secret: another question in place of the host's. */
    const forge = async (card: ApprovalCard): Promise<void> => {
      const body = JSON.stringify({
        type: 'approval.asked',
        data: { target: 'sto_test', card, question: 'Take a picture', picture: null },
      });
      const at = new Date();
      const scheme = new Webhook(readFileSync(host.approver.secretFile, 'utf8').trim());
      const headers = {
        'webhook-id': 'msg_forged',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': scheme.sign('msg_forged', at, body),
      };
      expect((await fetch(host.approver.address, { method: 'POST', headers, body })).status).toBe(204);
    };
    for (const [index, decision] of ['deny', 'approve', 'approve'].entries()) {
      const isForged = index === 2;
      const { run, card } = await ask(t);
      const shown = async (): Promise<string> => (await fetch(page)).text();
      await until(async () => (await shown()).includes(card.approvalId) || undefined, 'the card on its page');
      if (isForged) await forge(card);
      expect(await shown()).toContain('Save draft');
      expect(await shown()).not.toContain('Take a picture');
      await fetch(page, { method: 'POST', body: new URLSearchParams({ id: card.approvalId, decision }) });
      if (decision === 'approve' && !isForged) await run.result;
      else await expect(run.result).rejects.toMatchObject({ code: 'approval_denied' });
    }
    expect((await fetch(new URL('/cards', page), { method: 'POST', body: '{}' })).status).toBe(401);
  });
});
