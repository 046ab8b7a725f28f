/** Windows that were moved off the desktop, and their way back. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import { requestPlace } from '../exits/windows.ts';
import { isOffscreen } from '../windows/place.ts';
import { isSameWindow } from '../windows/record.ts';
import { outerRect } from '../windows/rects.ts';

/** A window that stays off the desktop until its binding ends. */
export interface MovedWindow {
  readonly owner: string;
  readonly record: BindingRecord;
  /** Its place before, screen pixels. */
  readonly from: Rect;
}

/** Windows that owners moved off the desktop. The worker reports them to the host, so that its successor can bring back the windows of a killed worker. */
export class MovedWindows {
  readonly #moved = new Map<string, MovedWindow>();
  readonly #onChange: () => void;

  /** `moved`: by an earlier worker. `onChange` is called on every change. */
  constructor(moved: readonly MovedWindow[] = [], onChange: () => void = () => {}) {
    for (const each of moved) this.#moved.set(keyOf(each.owner, each.record), each);
    this.#onChange = onChange;
  }

  has(owner: string, record: BindingRecord): boolean {
    return this.#moved.has(keyOf(owner, record));
  }

  /** `from`: its place before, screen pixels. */
  add(owner: string, record: BindingRecord, from: Rect): void {
    this.#moved.set(keyOf(owner, record), { owner, record, from });
    this.#onChange();
  }

  /** Removes an owner's windows, or the one of the record, and returns them. */
  take(owner: string, record: BindingRecord | null): MovedWindow[] {
    const taken = [...this.#moved].filter(([key, each]) =>
      record === null ? each.owner === owner : key === keyOf(owner, record),
    );
    for (const [key] of taken) this.#moved.delete(key);
    if (taken.length > 0) this.#onChange();
    return taken.map(([, each]) => each);
  }

  list(): MovedWindow[] {
    return [...this.#moved.values()];
  }
}

/** Moves a window back, unless a person or program has done so meanwhile. */
export function bringBack({ record, from }: MovedWindow): void {
  const hwnd = Number(record.hwnd);
  const rect = outerRect(hwnd);
  if (rect !== null && isSameWindow(record) && isOffscreen(rect)) requestPlace(hwnd, from);
}

const keyOf = (owner: string, { hwnd }: BindingRecord): string => `${owner} ${hwnd}`;
