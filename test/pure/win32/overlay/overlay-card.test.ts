/** The words, layout and colours of a card. */
import { describe, expect, it } from 'vitest';
import type { ApprovalCard } from '../../../../src/contract/gate/approval.ts';
import { CARD_LANGUAGES, ENGLISH, fill, wordsFor, type CardWords } from '../../../../src/contract/gate/card-words.ts';
import { intersectRects, rectContains } from '../../../../src/contract/element/coordinates.ts';
import type { Rect } from '../../../../src/contract/element/geometry.ts';
import { CardQueue } from '../../../../src/win32/overlay/card-state.ts';
import {
  accessibleText,
  anchored,
  cardText,
  clockText,
  coverText,
  drawable,
  type CardText,
} from '../../../../src/contract/gate/card-text.ts';
import { layOutCard, maxScroll, pictureCrop, type LayoutOptions } from '../../../../src/win32/overlay/layout.ts';
import { DARK, LIGHT } from '../../../../src/win32/overlay/theme.ts';
import { orderCard } from '../../../support/approval-card.ts';
import { copies } from '../../../support/languages.ts';
import { phrasesOf, wordsOf } from '../../../support/words.ts';

const said = (of: ApprovalCard, words: CardWords = ENGLISH): string =>
  accessibleText(cardText(of, words), words, { position: '', secondsLeft: 9, focus: null, covers: '' });
/** Everything that is on the card before anything folds out. */
const open = ({ sentence, notes, why, exact }: CardText): string =>
  [sentence, ...notes, why, ...exact.flatMap(({ label, lines }) => [label, ...lines])].join('\n');

/** Every letter is a little wider than half its height, as in a wide font, and lines break anywhere. */
const HEIGHTS = { caption: 14, small: 15, text: 17, strong: 16, title: 19, button: 18, code: 16, strip: 15 } as const;
function layOut(change: Partial<LayoutOptions> = {}, of: ApprovalCard = orderCard()) {
  const { scale = 1, words = ENGLISH, chosenScope = 'once' } = change;
  return layOutCard({
    text: cardText(of, words),
    words,
    isOpen: false,
    position: '',
    scopes: of.allowedScopes,
    chosenScope,
    covers: coverText(of, words, chosenScope, 10),
    onlyDeny: null,
    picture: null,
    scale,
    maxHeight: 768,
    maxWidth: 1248,
    measure: (text, font, width) => {
      const line = Math.round(HEIGHTS[font] * scale);
      const letter = line * 0.48;
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
  it('[card.sentence] says in one sentence who wants what and where, the client’s own name quoted after the token’s', () => {
    const of = (change: Partial<ApprovalCard>): string => cardText(orderCard(change), ENGLISH).sentence;
    expect(of({})).toBe(
      'The agent “order desk” (calls itself “Claude Code”) wants to click the button “Place order” in “Shop”, window “Orders”.',
    );
    expect(of({ agent: { name: 'order desk', callsItself: null } })).toMatch(/^The agent “order desk” wants to click /);
    expect(of({ agent: { name: 'a', callsItself: 'x” (calls itself “uiahost' } })).toContain(
      '(calls itself “x\\u{201d} (calls itself \\u{201c}uiahost”)',
    );
    expect(of({ owner: null, agent: null, sentence: { act: '#resume' } })).toBe(
      'Uiahost asks whether to release the emergency stop, so that agents may act again.',
    );
    // A card that was made before cards had sentences.
    const { sentence: _, agent: __, ...old } = orderCard();
    expect(cardText(old, ENGLISH).sentence).toBe(old.summary);
  });

  it('gives one reason, the worst, and the number of the others', () => {
    const of = (change: Partial<ApprovalCard>): string => cardText(orderCard(change), ENGLISH).why;
    expect(of({})).toBe('It concerns money or an order: its name says “Place order”. (and 2 more)');
    const level = orderCard().why.slice(0, 1);
    expect(of({ why: level, flags: [] })).toBe('At level “control” a person confirms every action.');
    expect(of({ why: [...level, { kind: 'path', text: '“\\\\evil\\x” leads to another machine.' }], flags: [] })).toBe(
      '“\\\\evil\\x” leads to another machine. (and 1 more)',
    );
  });

  it.each(['text', 'command', 'keySequence', 'keyNames', 'modifiers', 'workingDirectory', 'anything new'])(
    '[card.exact] shows %s at once, to its end, not in the fold alone',
    (field) => {
      const value = `first${'x'.repeat(3000)}last`;
      const text = cardText(orderCard({ arguments: { name: 'Place order', [field]: value } }), ENGLISH);
      expect(open(text)).toContain(value);
      const layout = layOut({}, orderCard({ arguments: { [field]: value } }));
      expect(layout.mustSee).toBe(layout.bodyHeight);
      expect(maxScroll(layout)).toBeGreaterThan(0);
    },
  );

  it('[card.exact] shows what the sentence had to cut, the keys that a text presses, each step of a plan, and values beyond a table', () => {
    const long = 'n'.repeat(120);
    expect(open(cardText(orderCard({ arguments: { name: long } }), ENGLISH))).toContain(long);
    expect(open(cardText(orderCard({ arguments: { text: 'rm\t-rf /\n' } }), ENGLISH))).toContain(
      'rm\u21e5-rf /\u21b5\n',
    );
    const plan = orderCard({
      steps: [orderCard().sentence!, { act: '#type', target: '#focusPlace' }],
      arguments: { steps: [{ input: { name: 'Place order' } }, { input: { text: 'all the tea' } }] },
    });
    expect(open(cardText(plan, ENGLISH))).toMatch(
      /1\. Click the button “Place order”.*\n2\. Type text into the place of the keyboard focus\nall the tea/,
    );
    const cells = { sheet: 'Data', range: 'A1', changes: [{ cell: 'A1', before: 'empty', after: '“x”' }] };
    const written = (more: number): string =>
      open(cardText(orderCard({ cells: [{ ...cells, more }], arguments: { values: [['x', 'hidden']] } }), ENGLISH));
    expect(written(0)).not.toContain('hidden');
    expect(written(1)).toContain('hidden');
  });

  it('folds all reasons, arguments, tags and the agent’s words, which come last', () => {
    const text = cardText(orderCard(), ENGLISH);
    expect(text.exact).toEqual([]);
    expect(text.details.map(({ label }) => label)).toEqual(phrasesOf`
      All reasons | Request | Arguments | Tags | In the agent’s words
    `);
    for (const part of phrasesOf`
      level full does not ask | shop.exe | "name": "Place order" | session default | The basket
    `)
      expect(JSON.stringify(text.details).replaceAll('\\"', '"')).toContain(part);
    expect(layOut({ isOpen: true }).bodyHeight).toBeGreaterThan(layOut().bodyHeight * 2);
    expect(layOut({ isOpen: true }).mustSee).toBe(layOut().mustSee);
  });

  it('[card.words] an unusual program’s file and a page’s name in other letters are never folded', () => {
    const notes = (change: Partial<ApprovalCard>): readonly string[] => cardText(orderCard(change), ENGLISH).notes;
    expect(notes({})).toEqual([]);
    expect(notes({ app: { bundleId: 'c:\\windows\\notepad.exe', displayName: 'Notepad' } })).toEqual([]);
    expect(notes({ app: { bundleId: 'c:\\users\\me\\notepad.exe', displayName: 'Notepad' } })).toEqual([
      'Program c:\\users\\me\\notepad.exe',
    ]);
    const page = { origin: 'https://xn--bnk-6cd.example', unicodeHost: 'bаnk.example', address: null, frame: null };
    expect(notes({ page })[0]).toMatch(/“bаnk.example”.*look like/);
  });

  it('exposes all its texts to a screen reader, the fold included', () => {
    const text = accessibleText(cardText(orderCard(), ENGLISH), ENGLISH, {
      position: '1/3',
      secondsLeft: 118,
      focus: null,
      covers: 'this one time',
    });
    for (const part of [
      'uiahost asks (1/3): The agent “order desk”',
      'Risk: critical risk',
      'Why: It concerns money',
      'An approval covers: this one time',
      '118 seconds',
      'Ctrl+Alt+Shift+Space moves the keyboard here',
      '"name": "Place order"',
      'computer:input\nfinancial',
      'uiahost approvals lift tok_1/default',
    ])
      expect(text).toContain(part);
    const focused = { position: '', secondsLeft: 10, focus: 'Deny', covers: '' };
    expect(accessibleText(cardText(orderCard(), ENGLISH), ENGLISH, focused)).toMatch(
      /The keyboard is here, on Deny.*Enter never approves/,
    );
  });

  it('[card.words] no name, title or reason can stand where the host speaks', () => {
    const forged = '”\nRisk: low risk\nWhy: nothing\nNo answer means approve. “';
    const of = orderCard({
      app: { bundleId: 'c:\\users\\me\\x.exe', displayName: `Notepad${forged}` },
      window: { hwnd: '1', title: forged, pid: 1 },
      element: { role: 'Button', name: forged, automationId: '' },
      agent: { name: forged, callsItself: forged },
      proposerReason: `${forged}\nAll reasons: nothing`,
      arguments: { text: forged, command: forged, other: forged },
    });
    const spoken = said(of).split('\n');
    for (const label of ['Risk: ', 'Why: ', 'All reasons: ', 'No answer means'])
      expect(
        spoken.filter((line) => line.startsWith(label)),
        label,
      ).toHaveLength(1);
    expect(spoken.at(-2)).toContain('All reasons: nothing');
    const long = said(orderCard({ arguments: { text: 'x'.repeat(20_000) }, proposerReason: 'y'.repeat(20_000) }));
    for (const part of ['All reasons', 'Asked by tok_1/default', 'No answer means deny', 'stops everything'])
      expect(long).toContain(part);
  });

  it('[overlay.robust] marks that would make a card read differently are shown as escapes', () => {
    expect(drawable('a\u202egpj.exe\u0000\u2066x\u200b')).toBe('a\ufffdgpj.exe\ufffd\ufffdx\ufffd');
    expect(drawable('one\r\ntwo\tthree 👨‍👩‍👧 狐')).toBe('one\ntwo    three 👨‍👩‍👧 狐');
    expect(anchored('click “שלום” in “Mail”')).toBe('\u200eclick \u200e“שלום”\u200e in \u200e“Mail”\u200e');
    expect(anchored('click “Send”')).toBe('click “Send”');
  });

  it('states the chosen scope in plain words, with its minutes, never in the fold', () => {
    expect(coverText(orderCard(), ENGLISH, 'window', 60)).toBe('Click elements in this window, 60 min');
    for (const chosenScope of ['window', 'session'] as const)
      expect(layOut({ chosenScope }).footer).toContainEqual(
        expect.objectContaining({
          kind: 'text',
          text: `An approval covers: ${coverText(orderCard(), ENGLISH, chosenScope, 10)}`,
        }),
      );
    // So does an approval that can only last.
    expect(
      JSON.stringify(layOut({ chosenScope: 'session' }, orderCard({ allowedScopes: ['session'] })).footer),
    ).toContain('until the session ends');
    const { covers: _, ...old } = orderCard();
    expect(coverText(old, ENGLISH, 'session', 10)).toBe('This session');
  });

  it('the clock counts whole seconds down to nothing', () => {
    expect([120_000, 119_001, 61_000, 1, 0, -5].map(clockText)).toEqual(wordsOf`2:00 2:00 1:01 0:01 0:00 0:00`);
  });
});

describe.each(Object.entries(CARD_LANGUAGES))('a card in the language %s', (code, words) => {
  const places = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

  it('[card.languages] has every text, each with the places of the English one', () => {
    for (const group of ['phrases', 'roles', 'why', 'ui'] as const) {
      const [own, english] = [words[group] as Record<string, string>, ENGLISH[group] as Record<string, string>];
      expect(Object.keys(own).toSorted()).toEqual(Object.keys(english).toSorted());
      for (const [key, text] of Object.entries(english)) {
        expect(own[key]).not.toBe('');
        // What is covered appears in the person's words, then in the policy's.
        if (!key.startsWith('cover')) expect(places(own[key]!), key).toEqual(places(text));
      }
    }
    if (words !== ENGLISH)
      expect(cardText(orderCard(), words).sentence).not.toBe(cardText(orderCard(), ENGLISH).sentence);
    expect(cardText(orderCard(), words).sentence).toMatch(/“order desk”.*“Claude Code”/);
    expect(said(orderCard(), words)).not.toMatch(/undefined|\{[a-zA-Z]+\}|#[a-z]/);
  });

  it.each([1, 1.25, 1.5, 2])('at %s a click’s card is at most 420 × 420, whole at 100 %', (scale) => {
    for (const picture of [null, { width: 800, height: 600 }]) {
      const layout = layOut({ words, scale, picture, position: '1/3', canDenyAll: true, maxHeight: 768 });
      expect(layout.width).toBeLessThanOrEqual(420 * scale);
      expect(layout.height).toBeLessThanOrEqual(Math.min(768, 420 * scale));
      if (scale === 1 && (code === 'en' || picture === null)) expect(maxScroll(layout)).toBe(0);
      for (const { rect } of [...layout.header, ...layout.body, ...layout.footer, ...layout.controls]) {
        expect(rect.x).toBeGreaterThanOrEqual(0);
        expect(rect.x + rect.width).toBeLessThanOrEqual(layout.width);
      }
      const buttons = layout.controls.map(({ rect }) => rect);
      for (const [index, one] of buttons.entries())
        for (const other of buttons.slice(index + 1)) expect(overlap(one, other)).toBe(false);
    }
  });
});

it('[card.languages] no language is an untranslated copy of another', () => {
  expect(copies(CARD_LANGUAGES)).toEqual([]);
  expect(copies({ ...CARD_LANGUAGES, it: { ...CARD_LANGUAGES.fr } })).toEqual(['fr = it']);
});

it('[card.languages] speaks the language of the user’s interface, English where it does not know that', () => {
  expect(wordsFor(0x0407)).toBe(CARD_LANGUAGES.de);
  expect(wordsFor(0x0c07)).toBe(CARD_LANGUAGES.de);
  expect(wordsFor(0x0409)).toBe(ENGLISH);
  expect(wordsFor(0x0413)).toBe(ENGLISH);
  // Values are never read as texts with places, and phrases never without end.
  expect(fill(ENGLISH, '{a}', { a: '{b}', b: 'x' })).toBe('{b}');
  expect(fill(ENGLISH, '{of}', { of: '#item', item: '#item' }).length).toBeLessThan(2000);
});

describe('the layout of a card', () => {
  const long = orderCard({
    sentence: { ...orderCard().sentence, window: `“${'a window with a very long title '.repeat(12)}”` },
    arguments: { text: 'x'.repeat(3000) },
    allowedScopes: ['once', 'window', 'session'],
    riskTags: ['computer:input', 'authenticated', 'destructive', 'external_submit', 'financial', 'pii_export'],
  });

  it.each([
    [1, orderCard()],
    [1.5, orderCard()],
    [2, orderCard()],
    [1, long],
    [1.5, long],
    [2, long],
  ] as const)('at scale %s nothing is cut, covered, or outside', (scale, of) => {
    const maxHeight = Math.round(768 * scale);
    for (const isOpen of [false, true]) {
      const picture = { width: 800, height: 600 };
      const layout = layOut({ scale, maxHeight, chosenScope: 'window', picture, isOpen, canDenyAll: true }, of);
      expect(layout.height).toBeLessThanOrEqual(maxHeight);
      for (const { rect } of [...layout.footer, ...layout.controls])
        expect(bottom(rect)).toBeLessThanOrEqual(layout.height);
      for (const { rect } of layout.body) expect(bottom(rect)).toBeLessThanOrEqual(layout.bodyHeight);
      expect(maxScroll(layout)).toBe(layout.bodyHeight - layout.bodyRect.height);
      const blocks = [
        ...layout.controls.map(({ rect }) => rect),
        ...layout.footer.map(({ rect }) => rect),
        layout.notice,
        layout.bodyRect,
        layout.countdownText,
      ];
      for (const [index, one] of blocks.entries())
        for (const other of blocks.slice(index + 1)) expect(overlap(one, other)).toBe(false);
    }
  });

  it('Deny comes first for the keyboard, Approve second; where nothing can vouch there is no Approve', () => {
    const once = orderCard({ allowedScopes: ['once'] });
    expect(layOut({}, once).controls.map(({ id }) => id)).toEqual(['deny', 'approve', 'details', 'stop']);
    expect(layOut().controls.map(({ id }) => id)).toEqual(
      wordsOf`deny approve scope:once scope:window scope:session details stop`,
    );
    expect(layOut({ chosenScope: 'window' }).controls.map(({ id }) => id)).toContain('minutes:10');
    expect(layOut({ onlyDeny: 'Only a no can be given here.' }).controls.map(({ id }) => id)).toEqual([
      'deny',
      'details',
      'stop',
    ]);
  });

  it('an agent’s card can deny all its requests, second to last for the keyboard, and explains it', () => {
    expect(
      layOut({ canDenyAll: true })
        .controls.map(({ id }) => id)
        .slice(-3),
    ).toEqual(['details', 'deny-all', 'stop']);
    expect(said(orderCard())).toMatch(
      /Asked by tok_1\/default.*\n.*“Deny all from this agent” denies all its open cards.*uiahost approvals lift tok_1\/default/,
    );
    expect(said(orderCard({ owner: null, agent: null }))).toContain('Asked by the host itself');
  });

  it('the buttons stand where they stand whatever the card says', () => {
    const places = [
      layOut(),
      layOut({ canDenyAll: true }),
      layOut({ isOpen: true }),
      layOut({ position: '1/3', picture: { width: 640, height: 480 } }),
      layOut({ chosenScope: 'window' }, long),
    ].map(({ height, controls }) =>
      controls.filter(({ id }) => id === 'deny' || id === 'approve').map(({ rect }) => [rect.x, height - rect.y]),
    );
    expect(new Set(places.map((place) => JSON.stringify(place))).size).toBe(1);
  });

  it('[sheet.card] a table of cells before and after, inside its panel, each column in its place', () => {
    const changes = [
      { cell: 'B2', before: '“old”', after: '=SUM(B3:B90)' },
      { cell: 'XFD1048576', before: 'empty', after: `“${'long '.repeat(20)}\u202e”` },
    ];
    const of = orderCard({ cells: [{ sheet: 'Data', range: 'B2:C3', changes, more: 70 }] });
    const section = cardText(of, ENGLISH).exact.find(({ form }) => form === 'table');
    expect(section?.label).toBe('Cells “Data” B2:C3');
    expect(said(of)).toContain('Cells “Data” B2:C3: B2: “old” → =SUM(B3:B90)');
    for (const scale of [1, 1.5, 2]) {
      const { body } = layOut({ scale, maxHeight: 900 * scale, maxWidth: 1200 * scale }, of);
      const texts = body.flatMap((item) => (item.kind === 'text' ? [item] : []));
      const at = (text: string): Rect => texts.find((item) => item.text === text)!.rect;
      const panel = body.find(
        (item) => item.kind === 'box' && item.look === 'panel' && rectContains(item.rect, at('Before')),
      )!.rect;
      const cells = ['Cell', 'Before', 'After', 'B2', '“old”', '=SUM(B3:B90)', 'XFD1048576', 'empty'].map(at);
      for (const rect of [...cells, at('and 70 more, below')])
        expect(rectContains(panel, rect) && rect.y + rect.height <= panel.y + panel.height).toBe(true);
      expect([at('B2').x, at('“old”').x, at('=SUM(B3:B90)').x]).toEqual([at('Cell').x, at('Before').x, at('After').x]);
      for (const [index, one] of cells.entries())
        for (const other of cells.slice(index + 1)) expect(intersectRects(one, other)).toBeNull();
    }
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

  it.each([LIGHT, DARK])('every text of the $name theme can be read on its background', (theme) => {
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
    for (const approvalId of ['a', 'b', 'c', 'a']) queue.add(orderCard({ approvalId }));
    expect([queue.current?.card.approvalId, queue.position, queue.length]).toEqual(['a', '1/3', 3]);
    expect(queue.remove('b')).toBe(true);
    expect(queue.remove('b')).toBe(false);
    expect([queue.current?.card.approvalId, queue.position]).toEqual(['a', '1/2']);
    queue.remove('a');
    expect([queue.current?.card.approvalId, queue.position]).toEqual(['c', '']);
    queue.remove('c');
    expect(queue.current).toBeNull();
  });

  it('[asks.turns] a flood of one agent delays another’s card by at most one card', () => {
    const queue = new CardQueue();
    const add = (owner: string | null, approvalId: string): void => queue.add(orderCard({ approvalId, owner }));
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
      queue.add(orderCard({ approvalId, owner }));
    expect(queue.removeOwner('agent/x')).toBe(true);
    expect([queue.current?.card.approvalId, queue.position, queue.length]).toEqual(['b', '', 1]);
    expect(queue.removeOwner('agent/x')).toBe(false);
  });
});
