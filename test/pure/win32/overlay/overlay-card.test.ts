/** The words, layout and colours of a card. */
import { describe, expect, it } from 'vitest';
import type { ApprovalCard } from '../../../../src/contract/gate/approval.ts';
import { intersectRects, rectContains } from '../../../../src/contract/element/coordinates.ts';
import type { Rect } from '../../../../src/contract/element/geometry.ts';
import { CardQueue } from '../../../../src/win32/overlay/card-queue.ts';
import { accessibleText, cardText, clockText, coverText, drawable } from '../../../../src/win32/overlay/card-text.ts';
import { layOutCard, maxScroll, pictureCrop, type LayoutOptions } from '../../../../src/win32/overlay/layout.ts';
import { DARK, LIGHT } from '../../../../src/win32/overlay/theme.ts';

function card(change: Partial<ApprovalCard> = {}): ApprovalCard {
  return {
    approvalId: 'apr_1',
    actionId: 'act_1',
    action: 'clickElement',
    sessionId: 'default',
    owner: 'agent/default',
    status: 'pending',
    summary: 'Click element Button “Send” in “Mail”',
    why: [
      { kind: 'level', text: 'At level control a person confirms this.' },
      { kind: 'proposer', text: 'Goal of the session, in the agent’s words: “answer mail”.' },
    ],
    proposerReason: 'The letter is ready.',
    app: { bundleId: 'c:\\mail.exe', displayName: 'Mail' },
    window: { hwnd: '65', title: 'Inbox', pid: 3 },
    page: null,
    element: { role: 'Button', name: 'Send', automationId: '7' },
    arguments: { name: 'Send' },
    riskLevel: 'high',
    riskTags: ['computer:input', 'external_submit'],
    flags: [],
    pictureUrl: null,
    digest: 'd',
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-01-01T00:02:00.000Z',
    allowedScopes: ['once'],
    decidedBy: null,
    ...change,
  };
}

/** Every letter is as wide as half its height, and lines break anywhere. */
const HEIGHTS = { caption: 14, small: 15, text: 18, strong: 16, title: 22, button: 19, code: 16 } as const;
function layOut(change: Partial<LayoutOptions> = {}, of: ApprovalCard = card()) {
  const scale = change.scale ?? 1;
  return layOutCard({
    text: cardText(of),
    position: '',
    scopes: of.allowedScopes,
    chosenScope: 'once',
    covers: 'This one time',
    onlyDeny: null,
    picture: null,
    scale,
    maxHeight: 768,
    maxWidth: 1200,
    measure: (text, font, width) => {
      const line = Math.round(HEIGHTS[font] * scale);
      const letter = line / 2;
      if (width === undefined) return { width: Math.ceil(text.length * letter), height: line };
      const lines = text
        .split('\n')
        .reduce((sum, part) => sum + Math.max(1, Math.ceil((part.length * letter) / width)), 0);
      return { width, height: lines * line };
    },
    ...change,
  });
}

const bottom = ({ y, height }: Rect): number => y + height;
const overlap = (a: Rect, b: Rect): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < bottom(b) && b.y < bottom(a);

describe('the words of a card', () => {
  it('[overlay.accessible] what, where, why, the agent’s words as its words, arguments, risk and tags', () => {
    const text = accessibleText(cardText(card()), '1 of 3', 118, null);
    for (const part of [
      '(1 of 3)',
      'Click element Button “Send”',
      'Program c:\\mail.exe, which calls itself “Mail”',
      'Window “Inbox”',
      'Button “Send”',
      'Risk: high risk',
      'Why approval is needed: At level control',
      '"name": "Send"',
      'computer:input\nexternal_submit',
      'session default',
      '118 seconds',
    ]) {
      expect(text).toContain(part);
    }
    const words = cardText(card()).sections.find(({ label }) => label === 'In the agent’s words');
    expect(words).toMatchObject({
      form: 'quote',
      lines: ['The letter is ready.', 'Goal of the session, in the agent’s words: “answer mail”.'],
    });
    expect(cardText(card()).sections.find(({ label }) => label === 'Why approval is needed')?.lines).toEqual([
      'At level control a person confirms this.',
    ]);
  });

  it('[sheet.card] a table of cells before and after, inside its panel, each column in its place', () => {
    const changes = [
      { cell: 'B2', before: '“old”', after: '=SUM(B3:B90)' },
      { cell: 'XFD1048576', before: 'empty', after: `“${'long '.repeat(20)}\u202e”` },
    ];
    const of = card({ cells: [{ sheet: 'Data', range: 'B2:C3', changes, more: 70 }] });
    const section = cardText(of).sections.find(({ form }) => form === 'table');
    expect(section?.label).toBe('Cells “Data” B2:C3');
    expect(section?.lines).toEqual([
      'B2: “old” → =SUM(B3:B90)',
      expect.stringMatching(/^XFD1048576: empty → “long .*\ufffd”$/),
      'and 70 more cells, as in the arguments',
    ]);
    expect(accessibleText(cardText(of), '', 60, null)).toContain('Cells “Data” B2:C3: B2: “old” → =SUM(B3:B90)');
    for (const scale of [1, 1.5, 2]) {
      const { body } = layOut({ scale, maxHeight: 900 * scale, maxWidth: 1200 * scale }, of);
      const texts = body.flatMap((item) => (item.kind === 'text' ? [item] : []));
      const at = (text: string): Rect => texts.find((item) => item.text === text)!.rect;
      const panel = body.find(
        (item) => item.kind === 'box' && item.look === 'panel' && rectContains(item.rect, at('Before')),
      )!.rect;
      const cells = ['Cell', 'Before', 'After', 'B2', '“old”', '=SUM(B3:B90)', 'XFD1048576', 'empty'].map(at);
      for (const rect of [...cells, at('and 70 more cells, as in the arguments')])
        expect(rectContains(panel, rect) && rect.y + rect.height <= panel.y + panel.height).toBe(true);
      expect([at('B2').x, at('“old”').x, at('=SUM(B3:B90)').x]).toEqual([at('Cell').x, at('Before').x, at('After').x]);
      expect(at('Cell').x + at('Cell').width).toBeLessThan(at('Before').x);
      expect(at('Before').x + at('Before').width).toBeLessThan(at('After').x);
      for (const [index, one] of cells.entries())
        for (const other of cells.slice(index + 1)) expect(intersectRects(one, other)).toBeNull();
    }
  });

  it('[card.page] the page of a browser, its origin first and whole', () => {
    const shown = (page: ApprovalCard['page']): readonly string[] => cardText(card({ page })).page;
    const plain = { unicodeHost: null, frame: null };
    expect(shown(null)).toEqual([]);
    expect(shown({ ...plain, origin: 'https://bank.example', address: 'https://bank.example/' })).toEqual([
      'Page https://bank.example',
    ]);
    expect(shown({ ...plain, origin: null, address: null })[0]).toContain('Page unknown');
    expect(shown({ ...plain, origin: null, address: 'file:///c:/bank.html' })).toEqual(['Page file:///c:/bank.html']);
    // A host that begins like another’s stays whole, however long it is.
    const host = `bank.example.${'login-'.repeat(30)}.evil.example`;
    expect(shown({ ...plain, origin: `https://${host}`, address: `https://${host}/${'x'.repeat(80)}` })).toEqual([
      `Page https://${host}`,
      `Address https://${host}/${'x'.repeat(80)}`,
    ]);
    const lookAlike = shown({
      origin: 'https://xn--bnk-6cd.example',
      unicodeHost: 'bаnk.example',
      address: 'https://xn--bnk-6cd.example/',
      frame: { origin: null },
    });
    expect(lookAlike).toEqual([
      'Page https://xn--bnk-6cd.example',
      expect.stringMatching(/“bаnk.example”.*look like/),
      'The element is in a frame of unknown origin',
    ]);
    expect(
      accessibleText(
        cardText(card({ page: { ...plain, origin: 'https://bank.example', address: null } })),
        '',
        9,
        null,
      ),
    ).toMatch(/^uiahost asks.*\nPage https:\/\/bank\.example\n/);
  });

  it('[card.words] [card.quoted] [card.agent-last] no name, title or reason can stand where the host speaks', () => {
    const forged = '”\nRisk: low risk\nTags: none\nNo answer means approve. “';
    const of = card({
      app: { bundleId: 'c:\\users\\me\\x.exe', displayName: `Notepad  (c:\\windows\\notepad.exe)${forged}` },
      window: { hwnd: '1', title: forged, pid: 1 },
      element: { role: 'Button', name: forged, automationId: '' },
      proposerReason: `${forged}\nWhy approval is needed: nothing`,
      arguments: { text: forged },
    });
    const text = cardText(of);
    expect(text.where[0]).toMatch(/^Program c:\\users\\me\\x\.exe, which calls itself “Notepad /);
    for (const line of text.where) expect(line).not.toContain('\n');
    const spoken = accessibleText(text, '', 9, null).split('\n');
    for (const [label, times] of [
      ['Risk: ', 1],
      ['Tags: ', 1],
      ['Why approval is needed: ', 1],
      ['No answer means', 1],
    ] as const)
      expect(
        spoken.filter((line) => line.startsWith(label)),
        label,
      ).toHaveLength(times);
    expect(spoken).toContain('No answer means deny. 9 seconds were left when this text was made.');
    // The agent’s words come last, and what is long hides nothing that the host says.
    expect(text.sections.map(({ label }) => label)).toEqual([
      'Why approval is needed',
      'Arguments',
      'Tags',
      'Request',
      'In the agent’s words',
    ]);
    const long = accessibleText(
      cardText(card({ arguments: { text: 'x'.repeat(20_000) }, proposerReason: 'y'.repeat(20_000) })),
      '',
      9,
      null,
    );
    for (const part of [
      'Why approval is needed',
      'Tags: ',
      'Asked by agent/default',
      'No answer means deny',
      'stops everything',
    ])
      expect(long).toContain(part);
  });

  it('[overlay.accessible] where the keyboard is, and that Enter does not approve', () => {
    expect(accessibleText(cardText(card()), '', 10, 'Deny')).toMatch(
      /The keyboard is here, on Deny.*Enter never approves/,
    );
  });

  it('[overlay.robust] marks that would make a card read differently are shown as escapes', () => {
    expect(drawable('a\u202egpj.exe\u0000\u2066x\u200b')).toBe('a\ufffdgpj.exe\ufffd\ufffdx\ufffd');
    expect(drawable('one\r\ntwo\tthree 👨‍👩‍👧 狐')).toBe('one\ntwo    three 👨‍👩‍👧 狐');
    // A title with line breaks cannot add lines of its own to the card.
    expect(cardText(card({ window: { hwnd: '1', title: 'x\nRisk: low', pid: 1 } })).where[1]).toBe(
      'Window “x Risk: low”',
    );
    expect(
      cardText(card({ arguments: { text: 'a\nArguments: none' } })).sections.find(({ form }) => form === 'code')?.lines,
    ).toEqual(['{', '  "text": "a\\nArguments: none"', '}']);
  });

  it('[card.covers] states the chosen scope in plain words, with its minutes, on the card and to screen readers', () => {
    const of = card({
      allowedScopes: ['once', 'window'],
      covers: [
        { scope: 'once', text: 'This one time' },
        { scope: 'window', text: 'Scroll in this window' },
      ],
    });
    expect([coverText(of, 'once', 10), coverText(of, 'window', 60)]).toEqual([
      'This one time',
      'Scroll in this window, 60 min',
    ]);
    expect(layOut({ chosenScope: 'window', covers: coverText(of, 'window', 60) }, of).footer).toContainEqual(
      expect.objectContaining({ kind: 'text', text: 'An approval covers: Scroll in this window, 60 min' }),
    );
    expect(accessibleText(cardText(of), '', 5, null, coverText(of, 'window', 60))).toContain(
      'An approval covers: Scroll in this window, 60 min.',
    );
    // A card that was made before cards had this.
    expect(coverText(card(), 'session', 10)).toBe('This session');
  });

  it('the clock counts whole seconds down to nothing', () => {
    expect([120_000, 119_001, 61_000, 1, 0, -5].map(clockText)).toEqual([
      '2:00',
      '2:00',
      '1:01',
      '0:01',
      '0:00',
      '0:00',
    ]);
  });
});

describe('the layout of a card', () => {
  const long = card({
    summary: `Type into ${'a window with a very long title '.repeat(12)}`,
    arguments: { text: 'x'.repeat(3000) },
    allowedScopes: ['once', 'window', 'session'],
    riskTags: ['computer:input', 'authenticated', 'destructive', 'external_submit', 'financial', 'pii_export'],
  });

  it.each([
    [1, card()],
    [1.5, card()],
    [2, card()],
    [1, long],
    [1.5, long],
    [2, long],
  ] as const)('[overlay.layout] at scale %s nothing is cut, covered, or outside', (scale, of) => {
    const maxHeight = Math.round(768 * scale);
    const layout = layOut({ scale, maxHeight, chosenScope: 'window', picture: { width: 800, height: 600 } }, of);
    expect(layout.height).toBeLessThanOrEqual(maxHeight);
    for (const { rect } of [...layout.header, ...layout.body, ...layout.footer, ...layout.controls]) {
      expect(rect.x).toBeGreaterThanOrEqual(0);
      expect(rect.x + rect.width).toBeLessThanOrEqual(layout.width);
    }
    for (const { rect } of [...layout.footer, ...layout.controls])
      expect(bottom(rect)).toBeLessThanOrEqual(layout.height);
    for (const { rect } of layout.body) expect(bottom(rect)).toBeLessThanOrEqual(layout.bodyHeight);
    expect(maxScroll(layout)).toBe(layout.bodyHeight - layout.bodyRect.height);
    const blocks = [
      ...layout.controls.map(({ rect }) => rect),
      ...layout.footer.map(({ rect }) => rect),
      layout.countdownText,
      layout.bodyRect,
    ];
    for (const [index, one] of blocks.entries())
      for (const other of blocks.slice(index + 1)) expect(overlap(one, other)).toBe(false);
  });

  it('[overlay.keys] Deny comes first for the keyboard, Approve second; where nothing can vouch there is no Approve', () => {
    expect(layOut().controls.map(({ id }) => id)).toEqual(['deny', 'approve', 'stop']);
    expect(layOut({}, long).controls.map(({ id }) => id)).toEqual([
      'deny',
      'approve',
      'scope:once',
      'scope:window',
      'scope:session',
      'stop',
    ]);
    expect(layOut({ chosenScope: 'window' }, long).controls.map(({ id }) => id)).toContain('minutes:10');
    expect(layOut({ onlyDeny: 'Only a no can be given here.' }, long).controls.map(({ id }) => id)).toEqual([
      'deny',
      'stop',
    ]);
  });

  it('[asks.deny-all-overlay] an agent’s card can deny all its requests, second to last for the keyboard, and explains it', () => {
    expect(layOut({ canDenyAll: true }).controls.map(({ id }) => id)).toEqual(['deny', 'approve', 'deny-all', 'stop']);
    expect(
      layOut({ canDenyAll: true, onlyDeny: 'Only a no can be given here.' }, long).controls.map(({ id }) => id),
    ).toEqual(['deny', 'deny-all', 'stop']);
    for (const scale of [1, 1.5, 2]) {
      const { controls, footer, countdownText, bodyRect } = layOut(
        { canDenyAll: true, scale, maxHeight: 768 * scale },
        long,
      );
      const blocks = [...controls.map(({ rect }) => rect), ...footer.map(({ rect }) => rect), countdownText, bodyRect];
      for (const [index, one] of blocks.entries())
        for (const other of blocks.slice(index + 1)) expect(overlap(one, other)).toBe(false);
    }
    expect(accessibleText(cardText(card()), '', 9, null)).toMatch(
      /Asked by agent\/default.*\n.*“Deny all from this agent” denies all its open cards.*uiahost approvals lift agent\/default/,
    );
    expect(accessibleText(cardText(card({ owner: null })), '', 9, null)).toContain('Asked by the host itself');
  });

  it('the buttons stand where they stand whatever the card says', () => {
    const places = [
      layOut(),
      layOut({ canDenyAll: true }),
      layOut({ position: '1 of 3', picture: { width: 640, height: 480 } }),
      layOut({ chosenScope: 'window' }, long),
    ].map(({ height, controls }) =>
      controls.filter(({ id }) => id === 'deny' || id === 'approve').map(({ rect }) => [rect.x, height - rect.y]),
    );
    expect(new Set(places.map((place) => JSON.stringify(place))).size).toBe(1);
  });

  it('the picture shows the target at most life-size, with its surroundings, inside the picture', () => {
    const box = { width: 440, height: 130 };
    expect(pictureCrop({ width: 1200, height: 800 }, { x: 600, y: 400, width: 80, height: 20 }, box, 24)).toEqual({
      from: { x: 420, y: 345, width: 440, height: 130 },
      zoom: 1,
    });
    expect(pictureCrop({ width: 1200, height: 800 }, { x: 0, y: 780, width: 80, height: 20 }, box, 24).from).toEqual({
      x: 0,
      y: 670,
      width: 440,
      height: 130,
    });
    const large = pictureCrop({ width: 1200, height: 800 }, { x: 10, y: 10, width: 1180, height: 780 }, box, 24);
    expect(large).toEqual({ from: { x: 0, y: 0, width: 1200, height: 800 }, zoom: 130 / 800 });
    expect(pictureCrop({ width: 200, height: 100 }, null, box, 24)).toEqual({
      from: { x: 0, y: 0, width: 200, height: 100 },
      zoom: 1,
    });
  });
});

describe('colours', () => {
  const luminance = (colour: number): number => {
    const [r = 0, g = 0, b = 0] = [colour >> 16, (colour >> 8) & 0xff, colour & 0xff].map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one: number, other: number): number => {
    const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };

  it.each([LIGHT, DARK])('[overlay.theme] every text of the $name theme can be read on its background', (theme) => {
    const pairs: Array<[number, number]> = [
      [theme.text, theme.background],
      [theme.text, theme.panel],
      [theme.secondary, theme.background],
      [theme.denyText, theme.denyFill],
      [theme.approveText, theme.approveFill],
      [theme.stop, theme.background],
      [theme.chosenText, theme.chosenFill],
      [theme.idleText, theme.idleFill],
      ...Object.values(theme.risk).map((risk): [number, number] => [theme.riskText, risk]),
    ];
    for (const [text, ground] of pairs)
      expect(contrast(text, ground), `${text.toString(16)} on ${ground.toString(16)}`).toBeGreaterThanOrEqual(4.5);
  });
});

describe('the queue', () => {
  it('keeps the order, counts waiting cards, and forgets withdrawn cards', () => {
    const queue = new CardQueue();
    for (const approvalId of ['a', 'b', 'c', 'a']) queue.add(card({ approvalId }));
    expect([queue.current?.card.approvalId, queue.position, queue.length]).toEqual(['a', '1 of 3', 3]);
    expect(queue.remove('b')).toBe(true);
    expect(queue.remove('b')).toBe(false);
    expect([queue.current?.card.approvalId, queue.position]).toEqual(['a', '1 of 2']);
    queue.remove('a');
    expect([queue.current?.card.approvalId, queue.position]).toEqual(['c', '']);
    queue.remove('c');
    expect(queue.current).toBeNull();
  });

  it('[asks.turns] a flood of one agent delays another’s card by at most one card', () => {
    const queue = new CardQueue();
    const add = (owner: string | null, approvalId: string): void => queue.add(card({ approvalId, owner }));
    for (let n = 1; n <= 20; n += 1) add(`flood/s${n}`, `f${n}`);
    for (const n of [21, 22]) add('flood/s1', `f${n}`);
    add('agent/one', 'a1');
    add('agent/one', 'a2');
    add('agent/two', 'b1');
    add(null, 'host');
    const order: string[] = [];
    for (let turn = 0; turn < 8; turn += 1) {
      const { approvalId } = queue.current!.card;
      order.push(approvalId);
      // What comes while a card is shown waits behind it.
      add(`flood/new${turn}`, `g${turn}`);
      expect(queue.current?.card.approvalId).toBe(approvalId);
      queue.remove(approvalId);
    }
    expect(order).toEqual(['f1', 'a1', 'host', 'f2', 'b1', 'f3', 'a2', 'f4']);
  });

  it('[asks.deny-all] takes all cards of an agent out at once', () => {
    const queue = new CardQueue();
    for (const [approvalId, owner] of [
      ['a', 'agent/x'],
      ['b', 'agent/y'],
      ['c', 'agent/x'],
    ] as const)
      queue.add(card({ approvalId, owner }));
    expect(queue.removeOwner('agent/x')).toBe(true);
    expect([queue.current?.card.approvalId, queue.position, queue.length]).toEqual(['b', '', 1]);
    expect(queue.removeOwner('agent/x')).toBe(false);
  });
});
