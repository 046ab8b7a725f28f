/** Draws a card from its layout and look. */
import type { RiskLevel } from '../../contract/gate/permissions.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import type { Canvas } from './canvas.ts';
import { clockText } from './card-text.ts';
import { maxScroll, pictureCrop, type CardLayout, type Control, type ControlId, type Item } from './layout.ts';
import type { CardPixels } from './protocol.ts';
import type { Theme } from './theme.ts';

/** What changes while a card is shown. */
export interface CardLook {
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
  /** Replaces the countdown: why a press did not count. */
  readonly notice: string | null;
}

/**
 * Draws the whole card. It shows only quoted text and the picture from other programs, so that none can imitate a
 * card's parts.
 */
export function paintCard(canvas: Canvas, layout: CardLayout, look: CardLook, theme: Theme, scale: number): void {
  const px = (size: number): number => Math.max(1, Math.round(size * scale));
  const riskColour = theme.risk[look.riskLevel];
  canvas.plain({ x: 0, y: 0, width: layout.width, height: layout.height }, theme.background);

  const colourOf = (colour: Extract<Item, { kind: 'text' }>['colour']): number => {
    switch (colour) {
      case 'text':
        return theme.text;
      case 'secondary':
        return theme.secondary;
      case 'risk-text':
        return theme.riskText;
      case 'chosen-text':
        return theme.chosenText;
    }
  };
  const paintBox = (rect: Rect, kind: Extract<Item, { kind: 'box' }>['look']): void => {
    switch (kind) {
      case 'risk':
        return canvas.round(
          rect,
          px(4),
          riskColour,
          theme.name === 'contrast' ? { colour: theme.border, width: px(1) } : null,
        );
      case 'panel':
        return canvas.round(rect, px(4), theme.panel, { colour: theme.border, width: px(1) });
      case 'tag':
        return canvas.round(rect, px(4), theme.panel, { colour: theme.border, width: px(1) });
      case 'quote-bar':
        return canvas.plain(rect, theme.border);
      case 'bullet':
        return canvas.round(rect, Math.floor(rect.width / 2), theme.secondary, null);
    }
  };
  const paintItem = (item: Item, up: number): void => {
    const rect = { ...item.rect, y: item.rect.y - up };
    switch (item.kind) {
      case 'text':
        return canvas.wrapped(item.text, item.font, rect, colourOf(item.colour));
      case 'box':
        return paintBox(rect, item.look);
      case 'picture':
        return paintPicture(rect);
    }
  };
  const paintPicture = (rect: Rect): void => {
    canvas.plain(rect, theme.panel);
    if (look.pixels !== null) {
      const { from, zoom } = pictureCrop(look.pixels, look.pixels.outline, rect, px(24));
      const size = {
        width: Math.min(rect.width, Math.round(from.width * zoom)),
        height: Math.min(rect.height, Math.round(from.height * zoom)),
      };
      const to: Rect = {
        x: rect.x + Math.floor((rect.width - size.width) / 2),
        y: rect.y + Math.floor((rect.height - size.height) / 2),
        ...size,
      };
      canvas.image(look.pixels, from, to);
      const { outline } = look.pixels;
      if (outline !== null) {
        const mark = grown(
          {
            x: to.x + Math.round((outline.x - from.x) * zoom),
            y: to.y + Math.round((outline.y - from.y) * zoom),
            width: Math.round(outline.width * zoom),
            height: Math.round(outline.height * zoom),
          },
          px(3),
        );
        canvas.round(grown(mark, px(1)), px(4), null, { colour: theme.background, width: px(5) });
        canvas.round(mark, px(4), null, { colour: theme.outline, width: px(3) });
      }
    }
    canvas.round(rect, px(1), null, { colour: theme.border, width: px(1) });
  };

  const { bodyRect } = layout;
  canvas.clipped(bodyRect, () => {
    for (const item of layout.body) {
      const top = item.rect.y - look.scroll;
      if (top < bodyRect.height && top + item.rect.height > 0) paintItem(item, look.scroll - bodyRect.y);
    }
  });
  // Lines where the body continues beyond its visible part, and a scroll thumb.
  const most = maxScroll(layout);
  if (most > 0) {
    const thumbHeight = Math.max(px(24), Math.round((bodyRect.height * bodyRect.height) / layout.bodyHeight));
    const thumbTop = bodyRect.y + Math.round(((bodyRect.height - thumbHeight) * look.scroll) / most);
    canvas.round(
      { x: layout.width - px(8), y: thumbTop, width: px(4), height: thumbHeight },
      px(2),
      theme.secondary,
      null,
    );
  }
  canvas.plain({ x: 0, y: bodyRect.y + bodyRect.height, width: layout.width, height: px(1) }, theme.border);
  if (look.scroll > 0) canvas.plain({ x: 0, y: bodyRect.y, width: layout.width, height: px(1) }, theme.border);

  for (const item of [...layout.header, ...layout.footer]) paintItem(item, 0);

  const paintControl = (control: Control): void => {
    const { id, rect, label } = control;
    const isPressed = look.pressed === id;
    const inside = isPressed ? { ...rect, y: rect.y + px(1) } : rect;
    const line = theme.name === 'contrast' ? { colour: theme.border, width: px(1) } : null;
    if (id === 'deny') {
      canvas.round(rect, px(5), theme.denyFill, line);
      canvas.line(label, 'button', inside, theme.denyText, 'centre');
    } else if (id === 'approve') {
      const isActive = look.isApproveActive;
      canvas.round(rect, px(5), isActive ? theme.approveFill : theme.idleFill, line);
      canvas.line(label, 'button', inside, isActive ? theme.approveText : theme.idleText, 'centre');
    } else if (id === 'deny-all') {
      canvas.round(rect, px(5), null, { colour: theme.border, width: px(1) });
      canvas.line(label, 'small', inside, theme.text, 'centre');
    } else if (id === 'stop') {
      canvas.round(rect, px(5), null, { colour: theme.stop, width: px(1) });
      canvas.line(label, 'small', inside, theme.stop, 'centre');
    } else {
      const isChosen = look.chosen.has(id);
      canvas.round(rect, px(5), isChosen ? theme.chosenFill : null, {
        colour: isChosen ? theme.focus : theme.border,
        width: px(1),
      });
      canvas.line(label, 'small', inside, isChosen ? theme.chosenText : theme.text, 'centre');
    }
    if (look.focus === id) canvas.round(grown(rect, px(3)), px(7), null, { colour: theme.focus, width: px(2) });
  };
  for (const control of layout.controls) paintControl(control);

  canvas.line(
    look.notice ?? `Denied automatically in ${clockText(look.leftMs)}`,
    'small',
    layout.countdownText,
    look.notice === null ? theme.secondary : theme.stop,
  );
  const share = look.totalMs > 0 ? Math.max(0, Math.min(1, look.leftMs / look.totalMs)) : 0;
  canvas.plain(layout.countdownBar, theme.panel);
  canvas.plain(
    { ...layout.countdownBar, width: Math.round(layout.countdownBar.width * share) },
    theme.name === 'contrast' ? theme.text : riskColour,
  );
  canvas.round({ x: 0, y: 0, width: layout.width, height: layout.height }, 0, null, {
    colour: theme.border,
    width: px(1),
  });
}

function grown({ x, y, width, height }: Rect, by: number): Rect {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}
