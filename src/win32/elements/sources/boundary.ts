/** Where calls of UI Automation end: failures by kind, and the boundaries at which a call for everything below stops short. */
import type { VariantValue } from '../../../../native-bindings/com/variant.ts';
import { ControlTypeId, PropertyId } from '../../../../native-bindings/uia/identifiers.generated.ts';
import type { Rect } from '../../../contract/element/geometry.ts';
import { ComError, HRESULT } from '../../../../native-bindings/com/hresult.ts';

/** The properties that tell, to be requested with the others. */
export const BOUNDARY_PROPERTIES = [
  PropertyId.ControlType,
  PropertyId.NativeWindowHandle,
  PropertyId.ProcessId,
  PropertyId.FrameworkId,
  PropertyId.BoundingRectangle,
] as const;

/** Who provides an element. */
export interface Provided {
  readonly process: VariantValue;
  readonly framework: VariantValue;
}

export const providedBy = (read: (property: number) => VariantValue): Provided => ({
  process: read(PropertyId.ProcessId),
  framework: read(PropertyId.FrameworkId),
});

/** Control types that host what another provider shows. */
const HOSTS: ReadonlySet<VariantValue> = new Set([ControlTypeId.Pane, ControlTypeId.Document, ControlTypeId.Custom]);
/** Control types that hold nothing: asking each button of a form would cost more than the rest of the reading. */
const HOLD_NOTHING: ReadonlySet<VariantValue> = new Set([
  ControlTypeId.Button,
  ControlTypeId.CheckBox,
  ControlTypeId.RadioButton,
  ControlTypeId.Edit,
  ControlTypeId.Text,
  ControlTypeId.Image,
  ControlTypeId.Hyperlink,
  ControlTypeId.ProgressBar,
  ControlTypeId.ScrollBar,
  ControlTypeId.Separator,
  ControlTypeId.Slider,
  ControlTypeId.Thumb,
]);
/** Below this (pixels), a pane is a spacer or a splitter. */
const NOTABLE_SIDE = 16;
const NOTABLE_AREA = 64 * 64;

/** Large enough to show something of its own. */
export const isNotable = ({ width, height }: Rect): boolean =>
  Math.min(width, height) >= NOTABLE_SIDE && width * height >= NOTABLE_AREA;

const differs = (one: VariantValue, other: VariantValue): boolean =>
  one !== undefined && one !== '' && other !== undefined && other !== '' && one !== other;

/**
 * Whether an element that came without children may have some: it has a window of its own, another process or framework
 * than its parent, or it is a large pane, document or custom element. `above` is null where the parent is unknown.
 */
export function mayHideChildren(read: (property: number) => VariantValue, rect: Rect, above: Provided | null): boolean {
  const own = providedBy(read);
  if (above !== null && (differs(own.process, above.process) || differs(own.framework, above.framework))) return true;
  const type = read(PropertyId.ControlType);
  const handle = read(PropertyId.NativeWindowHandle);
  if (typeof handle === 'number' && handle !== 0 && !HOLD_NOTHING.has(type)) return true;
  return HOSTS.has(type) && isNotable(rect);
}

const LATE: ReadonlySet<number> = new Set([HRESULT.UIA_E_TIMEOUT, HRESULT.RPC_E_TIMEOUT, HRESULT.ERROR_TIMEOUT]);
const GONE: ReadonlySet<number> = new Set([
  HRESULT.UIA_E_ELEMENTNOTAVAILABLE,
  HRESULT.ERROR_INVALID_WINDOW_HANDLE,
  HRESULT.RPC_S_SERVER_UNAVAILABLE,
  HRESULT.RPC_E_SERVER_DIED,
  HRESULT.RPC_E_DISCONNECTED,
  HRESULT.CO_E_OBJNOTCONNECTED,
]);

/** The provider exists but did not answer in time. */
export const isLate = (error: unknown): boolean => error instanceof ComError && LATE.has(error.hresult);

/** The element, its window or its program no longer exists. */
export const isGone = (error: unknown): boolean => error instanceof ComError && GONE.has(error.hresult);

/** What an element, a pattern or an object answers; null where it does not support that, is gone or late. */
export function comAnswer<T>(question: () => T): T | null {
  try {
    return question();
  } catch (error) {
    if (error instanceof ComError) return null;
    throw error;
  }
}
