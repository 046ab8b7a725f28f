import type { BindingRecord } from '../../contract/binding.ts';
import type { Rect } from '../../contract/geometry.ts';
import { isOffscreen, requestPlace } from './place.ts';
import { isSameWindow, recordHwnd } from './record.ts';
import { outerRect } from './rects.ts';

/** A window that stands off the desktop until its binding ends. */
export interface MovedWindow {
  readonly owner: string;
  readonly record: BindingRecord;
  /** Where it stood, screen pixels. */
  readonly from: Rect;
}

/** Windows that owners moved off the desktop. The worker tells the host, so that the next one brings back what a killed one moved. */
export class MovedWindows {
  readonly #moved = new Map<string, MovedWindow>();
  readonly #onChange: () => void;

  /** `moved`: by a worker before this one. `onChange` is told at once. */
  constructor(moved: readonly MovedWindow[] = [], onChange: () => void = () => {}) {
    for (const each of moved) this.#moved.set(keyOf(each.owner, each.record), each);
    this.#onChange = onChange;
  }

  has(owner: string, record: BindingRecord): boolean {
    return this.#moved.has(keyOf(owner, record));
  }

  /** `from`: where it stood, screen pixels. */
  add(owner: string, record: BindingRecord, from: Rect): void {
    this.#moved.set(keyOf(owner, record), { owner, record, from });
    this.#onChange();
  }

  /** Forgets an owner's windows, or the one of the record, and says which they were. */
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

/** Puts a window back where it stood, unless someone did meanwhile, who is not overruled. */
export function bringBack({ record, from }: MovedWindow): void {
  const hwnd = recordHwnd(record);
  const rect = outerRect(hwnd);
  if (rect !== null && isSameWindow(record) && isOffscreen(rect)) requestPlace(hwnd, from);
}

const keyOf = (owner: string, { hwnd }: BindingRecord): string => `${owner} ${hwnd}`;
