/** The watched window: its picture, with the outline of the element that is pointed at or chosen. */
import { signal } from '@preact/signals';
import { elementAt, type SeenElement } from './elements.ts';
import { look, seeing, seen } from './state.ts';
import { t } from './words.ts';

/** Refs of the last snapshot. */
export const pointed = signal<string | null>(null);
export const chosen = signal<string | null>(null);

const find = (ref: string | null): SeenElement | null =>
  ref === null ? null : (seen.value?.elements.find((each) => each.ref === ref) ?? null);
export const chosenElement = (): SeenElement | null => find(chosen.value);

function placeOf(event: MouseEvent): SeenElement | null {
  const { value } = seen;
  const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
  if (value === null || box.width === 0) return null;
  const scale = value.width / box.width;
  return elementAt(value.elements, (event.clientX - box.left) * scale, (event.clientY - box.top) * scale);
}

/** Percentages of the picture, so that it may have any size on the page. */
function Outline({ element, look: kind }: { readonly element: SeenElement | null; readonly look: string }) {
  const { value } = seen;
  if (element === null || value === null) return null;
  const part = (pixels: number, of: number): string => `${(100 * pixels) / of}%`;
  return (
    <span
      class={`outline ${kind}`}
      style={{
        left: part(element.x, value.width),
        top: part(element.y, value.height),
        width: part(element.width, value.width),
        height: part(element.height, value.height),
      }}
    />
  );
}

export const lineWords = (element: SeenElement): string =>
  [element.role, element.name === '' ? t('(no name)') : `“${element.name}”`].join(' ');

export function WindowView({ isChoosing }: { readonly isChoosing: boolean }) {
  const { value } = seen;
  const { isBusy, problem } = seeing.value;
  const under = find(pointed.value);
  return (
    <figure class="window">
      {value === null ? (
        <p class="empty">{isBusy ? t('Looking at the window…') : (problem ?? t('No window is chosen.'))}</p>
      ) : (
        // The tree offers everything that the picture does, for the keyboard and for screen readers.
        <div
          class="picture"
          role="presentation"
          onMouseMove={(event) => (pointed.value = placeOf(event)?.ref ?? null)}
          onMouseLeave={() => (pointed.value = null)}
          {...(isChoosing ? { onClick: (event: MouseEvent) => (chosen.value = placeOf(event)?.ref ?? null) } : {})}
        >
          <img
            src={value.url}
            alt={t('The window as it is now')}
            width={value.width}
            height={value.height}
            draggable={false}
          />
          <Outline element={find(chosen.value)} look="is-chosen" />
          <Outline element={under} look="is-pointed" />
        </div>
      )}
      <figcaption>
        <span class="pointed">
          {under === null
            ? value === null
              ? ''
              : t('{count} elements', { count: value.elements.length }) + (value.partial ? t(', and more') : '')
            : `${lineWords(under)} · ${under.ref}`}
        </span>
        {problem !== null && value !== null ? <span class="problem">{problem}</span> : null}
        <button type="button" class="plain" disabled={isBusy} onClick={() => void look()}>
          {isBusy ? t('Looking…') : t('Look again')}
        </button>
      </figcaption>
    </figure>
  );
}
