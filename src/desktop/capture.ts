/** The port of pictures: of a window, of a region and of a display. */
import type { BindingRecord } from '../contract/element/binding.ts';
import type { ObservationGeometry, Rect } from '../contract/element/geometry.ts';
import type { ImageMimeType } from '../contract/artifact.ts';
import type { CallContext } from './call.ts';

export type CaptureFormat = 'png' | 'jpeg' | 'webp';

/** How the pixels were obtained. */
export type CaptureMethod = 'print-window' | 'window-dc' | 'screen-crop' | 'display';

export interface Picture {
  readonly bytes: Uint8Array;
  readonly mimeType: ImageMimeType;
  readonly geometry: ObservationGeometry;
  readonly method: CaptureMethod;
  readonly displayId?: number;
  /** Not everything in the picture was searched for password fields in time: some may not be painted over. */
  readonly masksMayBeIncomplete?: true;
  /** The window's frame is there and its inside is black, as some programs' drawing is captured. */
  readonly contentMayBeMissing?: true;
  /** Through parts of the window a person sees what is behind it: they are black, or of the colour that means so. */
  readonly seenThrough?: true;
  /** The bundleIds of the applications that a limited picture of a display shows; everything else is painted over. */
  readonly shown?: readonly string[];
}

export interface CaptureOptions {
  readonly format: CaptureFormat;
  /** Executables (lower-cased path or file name) whose windows are painted over. */
  readonly deny: readonly string[];
  /** For a display: the bundleIds of the applications that are shown; everything else is painted over. Default: all. */
  readonly shown?: readonly string[];
}

export interface CapturePort {
  /**
   * The bound window alone, covered or not, its state unchanged. Errors: capture_blank, window_gone; capture_failed,
   * also if its program could report its password fields but does not.
   */
  window(record: BindingRecord, options: CaptureOptions, call: CallContext): Promise<Picture>;
  /**
   * A whole display. Painted over: the host's own and deny-listed windows, password fields, and windows whose program
   * could report its password fields but does not. Unknown id → invalid_argument.
   */
  display(displayId: number | undefined, options: CaptureOptions, call: CallContext): Promise<Picture>;
  /**
   * A region at native resolution from a fresh capture. `region` is in unscaled pixels from `origin`: that of the
   * capture (default) or of the screen.
   */
  region(
    target: { record: BindingRecord } | { displayId: number | undefined },
    region: Rect,
    options: CaptureOptions & { readonly origin?: 'capture' | 'screen' },
    call: CallContext,
  ): Promise<Picture>;
}
