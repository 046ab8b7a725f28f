// How the README's pictures are composed: cut out of the screen, or a window's picture next to its snapshot's text.

/** Colours of the text's panel. */
const colours = {
  light: { panel: '#f6f8fa', border: '#d0d7de', text: '#1f2328', type: '#0550ae', name: '#0a6640' },
  dark: { panel: '#161b22', border: '#30363d', text: '#e6edf3', type: '#79c0ff', name: '#7ee2a8' },
};
export const themes = /** @type {const} */ (['light', 'dark']);

const edge = 32;
/** A pixel of the README is two pixels of a picture. */
const textDpi = 144;
/** The machine's; any font of fixed width will do. */
const font = 'DejaVu Sans Mono, monospace 10';

/**
 * A part of a picture of the screen.
 * @param {Buffer} png
 * @param {{ left: number, top: number, width: number, height: number }} place
 */
export async function withoutSurroundings(png, { left, top, width, height }) {
  const { default: sharp } = await import('sharp');
  return small(sharp(png).extract({ left, top, width, height }));
}

/**
 * A window's picture, and the text of its snapshot to its right.
 * @param {Buffer} window PNG
 * @param {string} text
 * @param {'light' | 'dark'} theme
 */
export async function besideText(window, text, theme) {
  const { default: sharp } = await import('sharp');
  const { panel, border } = colours[theme];
  const words = await sharp({
    text: { text: inColour(text, colours[theme]), font, dpi: textDpi, rgba: true, spacing: 6 },
  })
    .png()
    .toBuffer({ resolveWithObject: true });
  const left = await sharp(window).metadata();
  const width = left.width + words.info.width + 3 * edge;
  const height = Math.max(left.height, words.info.height) + 2 * edge;
  const frame = `<svg width="${width}" height="${height}"><rect x="1" y="1" width="${width - 2}" height="${height - 2}" rx="12" fill="${panel}" stroke="${border}" stroke-width="2"/></svg>`;
  const middle = (part) => Math.round((height - part) / 2);
  return small(
    sharp(Buffer.from(frame)).composite([
      { input: window, left: edge, top: middle(left.height) },
      { input: words.data, left: left.width + 2 * edge, top: middle(words.info.height) },
    ]),
  );
}

/** Pango's mark-up of a snapshot: control types and quoted text in colours of their own. */
function inColour(text, { text: plain, type, name }) {
  const colourOf = (part) => (part.startsWith('[') ? type : part.startsWith('"') ? name : plain);
  return text
    .trimEnd()
    .split(/("(?:[^"\\]|\\.)*"|\[\w+\])/)
    .map((part) => `<span foreground="${colourOf(part)}">${escaped(part)}</span>`)
    .join('');
}

const escaped = (words) => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A palette is enough for windows and text, and makes a third of the size. */
const small = (image) =>
  image.png({ palette: true, colours: 128, dither: 0, effort: 10, compressionLevel: 9 }).toBuffer();
