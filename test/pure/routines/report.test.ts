/** The page of a session and of a routine's run: what it shows, and that it runs nothing. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { escapeHtml, renderReport, type RunRecord, type SessionRecord } from '../../../src/routines/report.ts';
import type { AuditEntry } from '../../../src/audit/entry.ts';
import { card } from '../store/samples.ts';
import { picture } from '../artifacts/pictures.ts';
import { phrasesOf, wordsOf } from '../../support/words.ts';

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

const RUN: RunRecord = {
  name: 'note',
  description: 'Writes a line.',
  hash: 'a'.repeat(64),
  ran: {
    verdict: 'halted before the effect',
    why: 'Step 1: it was not there.',
    lost: null,
    steps: [
      {
        at: '1',
        sentence: 'Type',
        action: 'type-into-element',
        status: 'halted',
        evidence: ['value: 1 → 2'],
        expected: ['value "a"'],
        seen: ['"b"'],
        trouble: {
          code: 'target_not_found',
          message: 'No such',
          hint: '',
          delivery: 'not_delivered',
          suggestions: [],
          candidates: [],
        },
        ms: 1200,
        before: { mimeType: 'image/png', base64: 'AAAA', width: 1, height: 1 },
        after: null,
      },
    ],
  },
};

const png = await picture('image/png', 320, 200, 40);
const hash = createHash('sha256').update(png).digest('hex');

const START_DETAILS = { goal: 'Write a letter', urls: ['app:notepad.exe'] };
const page = (changes: Partial<SessionRecord> = {}, run: RunRecord | null = null): string =>
  renderReport([{ run, record: record(changes) }]);

function record(changes: Partial<SessionRecord> = {}): SessionRecord {
  return {
    session: 'ses_1',
    entries: [
      entry(1, 1, { kind: 'session', action: 'session.started', details: START_DETAILS }),
      entry(2, 5, {
        decision: 'approve',
        riskLevel: 'high',
        riskTags: ['computer:input'],
        why: ['level control asks'],
        input: { name: 'Send' },
        actionId: 'act_3',
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

const count = (text: string, mark: string): number => text.split(mark).length - 1;
const areSorted = (text: string, marks: readonly string[]): void => {
  const order = marks.map((mark) => text.indexOf(mark));
  expect(order).not.toContain(-1);
  expect(order).toEqual([...order].sort((a, b) => a - b));
};

describe('[audit.replay] the page of a session', () => {
  test('has actions with their entries, events, cards and pictures in their order', () => {
    const text = page();
    const events = [
      'ses_1:1',
      '#2 by tok_1',
      `id="picture-${hash}"`,
      'A person was asked',
      'ses_1:2',
      '#4 by',
      'ses_1:3',
    ];
    areSorted(text, ['<h1>Write a letter', 'session.started</b>', ...events]);
    expect(text).toContain('Text of 5 characters');
    expect(text).toContain('The audit log verifies: 4 records');
    // The request, the decision and the outcome are one row, with each of its entries.
    expect([count(text, '#2 by'), count(text, '#3 by'), count(text, '#3 outcome')]).toEqual([1, 0, 1]);
  });

  test('holds each picture once, and marks missing pictures', () => {
    expect(count(page(), 'data:image/png;base64,')).toBe(1);
    expect(page()).toContain(png.toString('base64'));
    expect(page()).toContain(`<a href="#picture-${hash}">`);
    expect(page({ pictures: new Map() })).toContain(`${hash.slice(0, 12)}…</code> is not kept any more`);
  });

  test('needs nothing from anywhere and forbids every script: a policy whose style hash is right', () => {
    const text = page({}, RUN);
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1] ?? '';
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '';
    expect(policy).toBe(
      `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`,
    );
    expect(text).not.toMatch(/<script|<link|<iframe|\son[a-z]+=|javascript:|https?:/i);
    expect(text).not.toMatch(/\sstyle=/);
  });

  test('shows hostile words as text, wherever they are', () => {
    const hostile: Partial<AuditEntry> = {
      action: HOSTILE,
      actor: { tokenId: HOSTILE, surface: HOSTILE },
      decision: HOSTILE,
      riskTags: [HOSTILE],
      why: [HOSTILE],
      input: { [HOSTILE]: HOSTILE },
      outcome: { effect: HOSTILE },
      artifacts: [HOSTILE],
      time: HOSTILE,
      hash: HOSTILE,
      text: { length: 1, sha256: HOSTILE },
    };
    const details = {
      goal: HOSTILE,
      urls: [HOSTILE],
      status: HOSTILE,
      summary: HOSTILE,
      element: { role: HOSTILE, name: HOSTILE },
    };
    const asked = card('a', {
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
    });
    const [step] = RUN.ran.steps;
    const trouble = {
      code: HOSTILE,
      message: HOSTILE,
      hint: HOSTILE,
      delivery: HOSTILE,
      suggestions: [],
      candidates: [],
    };
    const told = { at: HOSTILE, sentence: HOSTILE, evidence: [HOSTILE], expected: [HOSTILE], seen: [HOSTILE], trouble };
    const shown = { mimeType: HOSTILE, base64: HOSTILE, width: 1, height: 1 };
    const text = page(
      {
        session: HOSTILE,
        entries: [
          entry(1, 1, { ...hostile, details }),
          ...['session.started', 'session.ended'].map((action, at) => entry(at + 2, 1, { action, details })),
        ],
        events: [
          { id: HOSTILE, event: { type: HOSTILE, summary: HOSTILE, url: HOSTILE, timestamp: HOSTILE, [HOSTILE]: 1 } },
        ],
        cards: [asked],
        pictures: new Map([[HOSTILE, { mimeType: 'text/html', bytes: Buffer.from(HOSTILE), width: 1, height: 1 }]]),
        verification: { records: 1, head: HOSTILE, firstBad: null },
      },
      {
        name: HOSTILE,
        description: HOSTILE,
        hash: HOSTILE,
        ran: { ...RUN.ran, why: HOSTILE, steps: [{ ...step!, ...told, before: shown, after: shown }] },
      },
    );
    const tags = [...text.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, name]) => name?.toLowerCase());
    expect(new Set(tags)).toEqual(
      new Set(wordsOf`
        html head meta title style body header p code h1 dl dt dd ul li main h2 ol div time small span b details
        summary pre figure img figcaption
      `),
    );
    expect(text).not.toContain('\u202E');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  test('says where the log does not verify, and when it was not verified', () => {
    const damaged = { records: 2, head: '', firstBad: { seq: 3, reason: 'hash' as const } };
    expect(page({ verification: damaged })).toContain('at entry 3 (hash)');
    expect(page({ verification: null })).toContain('was not verified');
  });

  test('is a function of its input alone; an empty session is a page, and each list keeps its order when the clock was set back', () => {
    expect(page()).toBe(page());
    expect(page({ entries: [], events: [], cards: [] })).toContain('Nothing was recorded');
    const back = page({ entries: [entry(1, 10), entry(2, 2), entry(3, 11)], events: [], cards: [] });
    areSorted(back, ['#1 by', '#2 by', '#3 by']);
  });
});

test('[routine.page] the page of a run has its end, its steps with what was expected and seen, and pictures before and after', () => {
  const text = page({}, RUN);
  areSorted(
    text,
    phrasesOf`
    <title>note | halted before the effect | Step 1 | expected value &quot;a&quot;; seen &quot;b&quot; |
    target_not_found: No such | alt="before" | What the audit recorded | session.started
  `,
  );
});

test.each([
  ['<a href="x">\'&\'</a>', '&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;'],
  ['a\u0000b', 'a\\u0000b'],
  ['\u202e\u2066\ufeff\u200b', '\\u202e\\u2066\\ufeff\\u200b'],
  ['\ud800x', '\\ud800x'],
  ['😀 é\n\t', '😀 é\n\t'],
])('escapes %j', (text, escaped) => expect(escapeHtml(text)).toBe(escaped));
