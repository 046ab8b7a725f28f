/** The replay page of a session: what it shows, and that it runs nothing. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { escapeHtml, renderReplay, type Replay } from '../../../src/audit/replay.ts';
import type { AuditEntry } from '../../../src/audit/entry.ts';
import { card } from '../store/samples.ts';
import { picture } from '../artifacts/pictures.ts';
import { wordsOf } from '../../support/words.ts';

const START = Date.parse('2026-02-15T10:00:00.000Z');
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString();
const HOSTILE = '</style></script><script>alert(1)</script><img src=x onerror=alert(2)>"\' &amp; \u202Egnp.exe';

function entry(seq: number, seconds: number, changes: Partial<AuditEntry> = {}): AuditEntry {
  return {
    seq,
    flush: seq,
    time: at(seconds),
    kind: 'request',
    actor: { tokenId: 'tok_1', surface: 'http' },
    sessionId: 'ses_1',
    actionId: `act_${seq}`,
    action: 'clickElement',
    decision: null,
    riskLevel: null,
    riskTags: [],
    why: [],
    outcome: null,
    errorCode: null,
    text: null,
    input: null,
    digest: null,
    artifacts: [],
    details: {},
    previous: '0'.repeat(64),
    hash: String(seq).repeat(64).slice(0, 64),
    mac: '0'.repeat(32),
    ...changes,
  };
}

const png = await picture('image/png', 320, 200, 40);
const hash = createHash('sha256').update(png).digest('hex');

function replay(changes: Partial<Replay> = {}): Replay {
  return {
    session: {
      sessionId: 'ses_1',
      goal: 'Write a letter',
      urls: ['app:notepad.exe'],
      status: 'completed',
      summary: 'Done',
      startedAt: at(0),
      endedAt: at(60),
      actionsExecuted: 2,
    },
    entries: [
      entry(1, 1, { kind: 'session', action: 'session.started' }),
      entry(2, 5, {
        decision: 'approve',
        riskLevel: 'high',
        riskTags: ['computer:input'],
        why: ['level control asks'],
        input: { name: 'Send' },
      }),
      entry(3, 9, {
        kind: 'outcome',
        action: 'typeIntoElement',
        text: { length: 5, sha256: 'e'.repeat(64) },
        outcome: { effect: 'confirmed' },
        artifacts: [hash],
      }),
      entry(4, 12, { kind: 'decision', decision: 'block', errorCode: 'blocked_by_policy' }),
    ],
    events: [
      { id: 'ses_1:1', event: { type: 'session.started', computerUseSessionId: 'ses_1', timestamp: at(1.5) } },
      {
        id: 'ses_1:2',
        event: { type: 'screenshot', url: `/v1/artifacts/${hash}/content`, width: 320, height: 200, timestamp: at(7) },
      },
      { id: 'ses_1:3', event: { type: 'session.ended', status: 'completed', summary: 'Done', timestamp: at(60) } },
    ],
    cards: [
      card('apr_1', {
        createdAt: at(6),
        status: 'approved',
        decidedBy: 'overlay',
        pictureUrl: `/v1/artifacts/${hash}/content`,
      }),
    ],
    pictures: new Map([[hash, { mimeType: 'image/png', bytes: png, width: 320, height: 200 }]]),
    verification: { records: 4, head: 'f'.repeat(64), firstBad: null },
    ...changes,
  };
}

describe('[audit.replay] the page of a session', () => {
  test('has entries, events, cards and pictures in their order', () => {
    const page = renderReplay(replay());
    const order = [
      'session.started</b>',
      'ses_1:1',
      '#2 by tok_1',
      'A person was asked',
      `id="picture-${hash}"`,
      'ses_1:2',
      '#3 by',
      '#4 by',
      'ses_1:3',
    ].map((mark) => page.indexOf(mark));
    expect(order).not.toContain(-1);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(page).toContain('Text of 5 characters');
    expect(page).toContain('The audit log verifies: 4 records');
  });

  test('holds each picture once, and marks missing pictures', () => {
    const page = renderReplay(replay());
    expect(page.split('data:image/png;base64,')).toHaveLength(2);
    expect(page).toContain(png.toString('base64'));
    expect(page).toContain(`<a href="#picture-${hash}">`);
    expect(renderReplay(replay({ pictures: new Map() }))).toContain(
      `${hash.slice(0, 12)}…</code> is not kept any more`,
    );
  });

  test('needs nothing from anywhere and forbids every script: a policy whose style hash is right', () => {
    const page = renderReplay(replay());
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
    const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
    expect(policy).toBe(
      `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`,
    );
    expect(page).not.toMatch(/<script|<link|<iframe|\son[a-z]+=|javascript:|https?:/i);
    expect(page).not.toMatch(/\sstyle=/);
  });

  test('shows hostile words as text, wherever they stand', () => {
    const page = renderReplay(
      replay({
        session: {
          sessionId: HOSTILE,
          goal: HOSTILE,
          urls: [HOSTILE],
          status: HOSTILE,
          summary: HOSTILE,
          startedAt: at(0),
          endedAt: HOSTILE,
          actionsExecuted: 1,
        },
        entries: [
          entry(1, 1, {
            action: HOSTILE,
            actor: { tokenId: HOSTILE, surface: HOSTILE },
            decision: HOSTILE,
            riskTags: [HOSTILE],
            why: [HOSTILE],
            input: { [HOSTILE]: HOSTILE },
            outcome: { a: HOSTILE },
            details: { a: HOSTILE },
            artifacts: [HOSTILE],
            time: HOSTILE,
            hash: HOSTILE,
            text: { length: 1, sha256: HOSTILE },
          }),
        ],
        events: [
          { id: HOSTILE, event: { type: HOSTILE, summary: HOSTILE, url: HOSTILE, timestamp: HOSTILE, [HOSTILE]: 1 } },
        ],
        cards: [
          card('a', {
            summary: HOSTILE,
            proposerReason: HOSTILE,
            app: { bundleId: HOSTILE, displayName: HOSTILE },
            window: { hwnd: '1', title: HOSTILE, pid: 1 },
            arguments: { a: HOSTILE },
            element: { role: HOSTILE, name: HOSTILE, automationId: HOSTILE },
            why: [{ kind: 'level', text: HOSTILE }],
            flags: [HOSTILE],
            digest: HOSTILE,
            decidedBy: HOSTILE,
            createdAt: HOSTILE,
          }),
        ],
        pictures: new Map([
          [HOSTILE, { mimeType: 'text/html' as never, bytes: Buffer.from(HOSTILE), width: 1, height: 1 }],
        ]),
        verification: { records: 1, head: HOSTILE, firstBad: null },
      }),
    );
    const tags = [...page.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, name]) => name?.toLowerCase());
    expect(new Set(tags)).toEqual(
      new Set(wordsOf`
        html head meta title style body header p code h1 dl dt dd ul li main h2 ol div time small span b details
        summary pre
      `),
    );
    expect(page).not.toContain('\u202E');
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  test('says where the log does not verify, and when it was not verified', () => {
    expect(
      renderReplay(
        replay({
          verification: { records: 2, head: '', firstBad: { seq: 3, reason: 'hash' } },
        }),
      ),
    ).toContain('at entry 3 (hash)');
    expect(renderReplay(replay({ verification: null }))).toContain('was not verified');
  });

  test('is a function of its input alone, and an empty session is a page too', () => {
    expect(renderReplay(replay())).toBe(renderReplay(replay()));
    expect(renderReplay(replay({ entries: [], events: [], cards: [] }))).toContain('Nothing was recorded');
  });

  test('keeps each list in its own order when the clock was set back', () => {
    const page = renderReplay(replay({ entries: [entry(1, 10), entry(2, 2), entry(3, 11)], events: [], cards: [] }));
    const order = ['#1 by', '#2 by', '#3 by'].map((mark) => page.indexOf(mark));
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });
});

test.each([
  ['<a href="x">\'&\'</a>', '&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;'],
  ['a\u0000b', 'a\\u0000b'],
  ['\u202e\u2066\ufeff\u200b', '\\u202e\\u2066\\ufeff\\u200b'],
  ['\ud800x', '\\ud800x'],
  ['😀 é\n\t', '😀 é\n\t'],
])('escapes %j', (text, escaped) => {
  expect(escapeHtml(text)).toBe(escaped);
});
