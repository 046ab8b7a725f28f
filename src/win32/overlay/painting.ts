/** Draws a card from its layout and look. */
import type { RiskLevel } from '../../contract/gate/permissions.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import type { Canvas } from './canvas.ts';
import { fill, type CardWords } from '../../contract/gate/card-words.ts';
import { clockText, FOCUS_KEYS, STOP_KEYS } from '../../contract/gate/card-text.ts';
import { maxScroll, pictureCrop, type CardLayout, type Control, type ControlId, type Item } from './layout.ts';
import type { CardPixels } from './protocol.ts';
import type { Theme } from './theme.ts';

/** What changes while a card is shown. */
export interface CardLook {
  readonly words: CardWords;
  readonly scroll: number;
  readonly pixels: Pick<CardPixels, 'width' | 'height' | 'pixels' | 'outline'> | null;
  readonly riskLevel: RiskLevel;
  /** The control that has the keyboard; null if the keyboard is elsewhere. */
  readonly focus: ControlId | null;
  readonly pressed: ControlId | null;
  /** Chosen scope and minutes. */
  readonly chosen: ReadonlySet<ControlId>;
  readonly isApproveActive: boolean;
  /** Milliseconds until the card expires, and its whole waiting time. */
  readonly leftMs: number;
  readonly totalMs: number;
  /** Replaces the hint about keys: why a press did not count. */
  readonly notice: string | null;
}

/**
 * Draws the whole card. It shows only quoted text and the picture from other programs, so that none can imitate a
 * card's parts.
 */
export function paintCard(canvas: Canvas, layout: CardLayout, look: CardLook, theme: Theme, scale: number): void {
  new CardPainter(canvas, look, theme, scale).paint(layout);
}

class CardPainter {
  readonly #canvas: Canvas;
  readonly #look: CardLook;
  readonly #theme: Theme;
  readonly #scale: number;

  constructor(canvas: Canvas, look: CardLook, theme: Theme, scale: number) {
    this.#canvas = canvas;
    this.#look = look;
    this.#theme = theme;
    this.#scale = scale;
  }

  paint(layout: CardLayout): void {
    const whole = { x: 0, y: 0, width: layout.width, height: layout.height };
    this.#canvas.plain(whole, this.#theme.background);
    this.#body(layout);
    for (const item of [...layout.header, ...layout.footer]) this.#item(item, 0);
    for (const control of layout.controls) this.#control(control);
    this.#countdown(layout);
    this.#canvas.round(whole, 0, null, { colour: this.#theme.border, width: this.#px(1) });
  }

  #px(size: number): number {
    return Math.max(1, Math.round(size * this.#scale));
  }

  /** The line around what has a fill of its own: in high contrast only. */
  get #contrastLine(): { colour: number; width: number } | null {
    return this.#theme.name === 'contrast' ? { colour: this.#theme.border, width: this.#px(1) } : null;
  }

  /** The scrolled part, with lines where it continues beyond its visible part, and a scroll thumb. */
  #body(layout: CardLayout): void {
    const { bodyRect, width } = layout;
    const { scroll } = this.#look;
    this.#canvas.clipped(bodyRect, () => {
      for (const item of layout.body) {
        const top = item.rect.y - scroll;
        if (top < bodyRect.height && top + item.rect.height > 0) this.#item(item, scroll - bodyRect.y);
      }
    });
    const most = maxScroll(layout);
    if (most > 0) {
      const height = Math.max(this.#px(24), Math.round((bodyRect.height * bodyRect.height) / layout.bodyHeight));
      const y = bodyRect.y + Math.round(((bodyRect.height - height) * scroll) / most);
      const bar = { x: width - this.#px(11), width: this.#px(8) };
      this.#canvas.round({ ...bar, y: bodyRect.y, height: bodyRect.height }, this.#px(4), this.#theme.panel, {
        colour: this.#theme.border,
        width: 1,
      });
      this.#canvas.round({ ...bar, y, height }, this.#px(4), this.#theme.secondary, null);
    }
    const line = (y: number): void => this.#canvas.plain({ x: 0, y, width, height: this.#px(1) }, this.#theme.border);
    line(bodyRect.y + bodyRect.height);
    if (scroll > 0) line(bodyRect.y);
  }

  #item(item: Item, up: number): void {
    const rect = { ...item.rect, y: item.rect.y - up };
    switch (item.kind) {
      case 'text':
        return this.#canvas.wrapped(item.text, item.font, rect, this.#textColour(item.colour));
      case 'box':
        return this.#box(rect, item.look);
      case 'picture':
        return this.#picture(rect);
    }
  }

  #textColour(colour: Extract<Item, { kind: 'text' }>['colour']): number {
    switch (colour) {
      case 'text':
        return this.#theme.text;
      case 'secondary':
        return this.#theme.secondary;
      case 'risk-text':
        return this.#theme.riskText;
      case 'chosen-text':
        return this.#theme.chosenText;
    }
  }

  #box(rect: Rect, look: Extract<Item, { kind: 'box' }>['look']): void {
    const { panel, border, secondary, risk } = this.#theme;
    switch (look) {
      case 'risk':
        return this.#canvas.round(rect, this.#px(4), risk[this.#look.riskLevel], this.#contrastLine);
      case 'panel':
      case 'tag':
        return this.#canvas.round(rect, this.#px(4), panel, { colour: border, width: this.#px(1) });
      case 'quote-bar':
        return this.#canvas.plain(rect, border);
      case 'bullet':
        return this.#canvas.round(rect, Math.floor(rect.width / 2), secondary, null);
    }
  }

  #picture(rect: Rect): void {
    const { pixels } = this.#look;
    this.#canvas.plain(rect, this.#theme.panel);
    if (pixels !== null) {
      const { from, zoom } = pictureCrop(pixels, pixels.outline, rect, this.#px(24));
      const width = Math.min(rect.width, Math.round(from.width * zoom));
      const height = Math.min(rect.height, Math.round(from.height * zoom));
      const x = rect.x + Math.floor((rect.width - width) / 2);
      const y = rect.y + Math.floor((rect.height - height) / 2);
      this.#canvas.image(pixels, from, { x, y, width, height });
      const { outline } = pixels;
      if (outline !== null)
        this.#outline({
          x: x + Math.round((outline.x - from.x) * zoom),
          y: y + Math.round((outline.y - from.y) * zoom),
          width: Math.round(outline.width * zoom),
          height: Math.round(outline.height * zoom),
        });
    }
    this.#canvas.round(rect, this.#px(1), null, { colour: this.#theme.border, width: this.#px(1) });
  }

  /** Around the target. */
  #outline(rect: Rect): void {
    const mark = grown(rect, this.#px(3));
    const { background, outline } = this.#theme;
    this.#canvas.round(grown(mark, this.#px(1)), this.#px(4), null, { colour: background, width: this.#px(5) });
    this.#canvas.round(mark, this.#px(4), null, { colour: outline, width: this.#px(3) });
  }

  #control({ id, rect, label }: Control): void {
    const canvas = this.#canvas;
    const theme = this.#theme;
    const radius = this.#px(5);
    const thin = (colour: number): { colour: number; width: number } => ({ colour, width: this.#px(1) });
    const inside = this.#look.pressed === id ? { ...rect, y: rect.y + this.#px(1) } : rect;
    if (id === 'deny') {
      canvas.round(rect, radius, theme.denyFill, this.#contrastLine);
      canvas.line(label, 'button', inside, theme.denyText, 'centre');
    } else if (id === 'approve') {
      const isActive = this.#look.isApproveActive;
      canvas.round(rect, radius, isActive ? theme.approveFill : theme.idleFill, this.#contrastLine);
      canvas.line(label, 'button', inside, isActive ? theme.approveText : theme.idleText, 'centre');
    } else if (id === 'deny-all' || id === 'details') {
      canvas.round(rect, radius, null, thin(theme.border));
      canvas.line(label, 'small', inside, theme.text, 'centre');
    } else if (id === 'stop') {
      canvas.round(rect, radius, null, thin(theme.stop));
      canvas.line(label, 'small', inside, theme.stop, 'centre');
    } else {
      const isChosen = this.#look.chosen.has(id);
      canvas.round(rect, radius, isChosen ? theme.chosenFill : null, thin(isChosen ? theme.focus : theme.border));
      canvas.line(label, 'small', inside, isChosen ? theme.chosenText : theme.text, 'centre');
    }
    if (this.#look.focus === id)
      canvas.round(grown(rect, this.#px(3)), this.#px(7), null, { colour: theme.focus, width: this.#px(2) });
  }

  #countdown({ countdownText, countdownBar, notice: place }: CardLayout): void {
    const { notice, leftMs, totalMs, riskLevel, words } = this.#look;
    const { secondary, stop, panel, name, text, risk } = this.#theme;
    this.#canvas.line(
      fill(words, words.ui.clock, { time: clockText(leftMs) }),
      'caption',
      countdownText,
      secondary,
      'right',
    );
    const hint = fill(words, words.ui.hint, { focus: FOCUS_KEYS, stop: STOP_KEYS });
    this.#canvas.wrapped(notice ?? hint, 'caption', place, notice === null ? secondary : stop);
    const share = totalMs > 0 ? Math.max(0, Math.min(1, leftMs / totalMs)) : 0;
    this.#canvas.plain(countdownBar, panel);
    this.#canvas.plain(
      { ...countdownBar, width: Math.round(countdownBar.width * share) },
      name === 'contrast' ? text : risk[riskLevel],
    );
  }
}

function grown({ x, y, width, height }: Rect, by: number): Rect {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}
