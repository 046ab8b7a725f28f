/** Cards as GDI really draws them: their size with real fonts, and pictures of each look (CARD_PICTURES names a folder for them). */
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { ApprovalCard } from '../../../../src/contract/gate/approval.ts';
import { CARD_LANGUAGES, ENGLISH, type CardWords } from '../../../../src/contract/gate/card-words.ts';
import { readBitmap } from '../../../../src/win32/imaging/gdi.ts';
import { Canvas, Fonts } from '../../../../src/win32/overlay/canvas.ts';
import { cardText, coverText } from '../../../../src/contract/gate/card-text.ts';
import { layOutCard, maxScroll, type CardLayout, type ControlId } from '../../../../src/win32/overlay/layout.ts';
import { paintCard } from '../../../../src/win32/overlay/card-sheet.ts';
import { orderCard } from '../../../support/approval-card.ts';
import { contrastTheme, DARK, LIGHT, type Theme } from '../../../../src/win32/overlay/theme.ts';

const FOLDER = process.env['CARD_PICTURES'];
/** The usual black high-contrast scheme: window, its text, selection and its text, button, its text, grey. */
const BLACK: Readonly<Record<number, number>> = {
  5: 0x000000,
  8: 0xffffff,
  13: 0x1aebff,
  14: 0x000000,
  15: 0x000000,
  17: 0x3ff23f,
  18: 0xffffff,
};
const CONTRAST = contrastTheme((index) => BLACK[index] ?? 0xffffff);

const ORDER = orderCard();
const card = (change: Partial<ApprovalCard> = {}): ApprovalCard =>
  orderCard({
    agent: { name: 'agent', callsItself: 'Claude Code' },
    sentence: { ...ORDER.sentence!, window: '“Order 1207 – Shop”' },
    why: ORDER.why.slice(0, 3),
    window: { hwnd: '65', title: 'Order 1207 – Shop', pid: 3 },
    ...change,
  });

/** A window with a few buttons: four bytes a pixel. */
function windowPicture() {
  const [width, height] = [640, 420];
  const pixels = new Uint8Array(width * height * 4).fill(0xf3);
  const box = (left: number, top: number, right: number, low: number, colour: number): void => {
    for (let y = top; y < low; y += 1)
      for (let x = left; x < right; x += 1) pixels.fill(colour, (y * width + x) * 4, (y * width + x) * 4 + 3);
  };
  box(0, 0, width, 30, 0xd0);
  for (let column = 0; column < 4; column += 1)
    for (let row = 0; row < 6; row += 1) {
      box(20 + column * 155, 50 + row * 60, 155 + column * 155, 85 + row * 60, 0xb0);
      box(21 + column * 155, 51 + row * 60, 154 + column * 155, 84 + row * 60, 0xfd);
    }
  return { width, height, pixels, outline: { x: 175, y: 230, width: 135, height: 35 } };
}

interface Look {
  readonly of?: ApprovalCard;
  readonly theme?: Theme;
  readonly words?: CardWords;
  readonly scale?: number;
  readonly isOpen?: boolean;
  readonly scroll?: 'end';
  readonly chosenScope?: ApprovalCard['allowedScopes'][number];
}

/** Draws a card as the overlay does on a monitor of 1280 × 800. */
async function drawn(name: string, look: Look): Promise<CardLayout> {
  const { of = card(), theme = LIGHT, words = ENGLISH, scale = 1, isOpen = false, chosenScope = 'once' } = look;
  using fonts = new Fonts(scale);
  using ruler = new Canvas(1, 1, fonts);
  const pixels = windowPicture();
  const layout = layOutCard({
    text: cardText(of, words),
    words,
    isOpen,
    position: '1/3',
    scopes: of.allowedScopes,
    chosenScope,
    covers: coverText(of, words, chosenScope, 10),
    onlyDeny: null,
    picture: pixels,
    canDenyAll: true,
    scale,
    maxHeight: 800 - 32 - 40,
    maxWidth: 1280 - 32,
    measure: (text, font, width) => ruler.measure(text, font, width),
  });
  using canvas = new Canvas(layout.width, layout.height, fonts);
  const scroll = look.scroll === 'end' ? maxScroll(layout) : 0;
  paintCard(
    canvas,
    {
      words,
      scroll,
      pixels,
      riskLevel: of.riskLevel,
      focus: null,
      pressed: null,
      chosen: new Set<ControlId>([`scope:${chosenScope}`, 'minutes:10']),
      isApproveActive: scroll + layout.bodyRect.height >= layout.mustSee - 8,
      leftMs: 118_000,
      totalMs: 120_000,
      notice: null,
    },
    theme,
    scale,
    layout,
  );
  if (FOLDER === undefined) return layout;
  const bitmap = canvas.read((dc, handle) => readBitmap(dc, handle, layout));
  const rgb = Buffer.alloc(layout.width * layout.height * 3);
  for (const [index, pixel] of (bitmap?.pixels ?? []).entries()) rgb.writeUIntBE(pixel & 0xff_ff_ff, index * 3, 3);
  const raw = { width: layout.width, height: layout.height, channels: 3 } as const;
  await sharp(rgb, { raw })
    .png({ palette: true, compressionLevel: 9 })
    .toFile(join(FOLDER, `card-${name}.png`));
  return layout;
}

describe('a card with real fonts', () => {
  it.each([
    ['contrast', { theme: CONTRAST }],
    ['click', {}],
    ['click-dark', { theme: DARK }],
  ] as const)('%s: a click’s card is at most 420 × 420 and needs no scrolling', async (name, look) => {
    const layout = await drawn(name, look);
    expect([layout.width <= 420, layout.height <= 420, maxScroll(layout)], String(layout.height)).toEqual([
      true,
      true,
      0,
    ]);
  });

  it.each(Object.entries(CARD_LANGUAGES))('[card.languages] in %s', async (code, words) => {
    const layout = await drawn(code, { words });
    expect([layout.width <= 420, layout.height <= 420, maxScroll(layout)], String(layout.height)).toEqual([
      true,
      true,
      0,
    ]);
  });

  it('at 200 % text fits the screen, and what does not fit scrolls', async () => {
    const layout = await drawn('large', { scale: 2 });
    expect([layout.width <= 840, layout.height <= 728]).toEqual([true, true]);
  });

  it('names from right to left stay in their place', async () => {
    const sentence = { ...card().sentence!, name: '“שלח הזמנה 12”', app: '“متجر”', window: '“הזמנה 1207”' };
    const layout = await drawn('right-to-left', { of: card({ sentence }) });
    expect(maxScroll(layout)).toBe(0);
  });

  it('long text scrolls, with its end below', async () => {
    const text = Array.from({ length: 40 }, (_, line) => `Line ${line + 1} of a letter that is typed here.`).join('\n');
    const of = card({
      action: 'typeIntoElement',
      sentence: { ...card().sentence!, act: '#replaceText', role: '#role.Edit', name: '“Message”' },
      arguments: { name: 'Message', text },
    });
    const layout = await drawn('text', { of, theme: DARK });
    expect(maxScroll(layout)).toBeGreaterThan(100);
    expect(layout.height).toBeLessThanOrEqual(640);
    await drawn('text-end', { of, scroll: 'end', chosenScope: 'window' });
    await drawn('details', { isOpen: true });
  });
});
