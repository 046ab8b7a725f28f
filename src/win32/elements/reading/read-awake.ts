/** Reads a window whose page may not be built yet: wakes it, and reads again within the budget. */
import type { BindingRecord } from '../../../contract/element/binding.ts';
import type { CallContext } from '../../../desktop/call.ts';
import { Asker } from '../../windows/ask.ts';
import { pause } from '../../windows/waiting.ts';
import { readPatiently, type Observed, type ReadOptions } from './observe.ts';
import { WAKE_PAUSES, pokePages } from '../sources/waking.ts';

/** Time (ms) for what a screen reader sends: a browser answers in a few. */
const POKE_MS = 500;

/**
 * The same as `readPatiently`, with the page where there is one. What is still missing is marked, and the reading is
 * partial. Errors: window_gone, cancelled.
 */
export async function readAwake(
  record: BindingRecord,
  options: ReadOptions,
  call: CallContext,
): Promise<Observed & { readonly hasPageMissing: boolean }> {
  const end = performance.now() + options.budgetMs;
  const pages = options.automation?.pages;
  let observed = readPatiently(record, options);
  if (pages === undefined) return { ...observed, hasPageMissing: false };
  const isTextControl = (hwnd: number): boolean => {
    const entry = observed.windows.entries.get(hwnd);
    if (entry?.kind === 'edit' || entry?.kind === 'rich-edit') return true;
    // a text control of a program's own, which may be empty
    return entry?.node.controlType === 'Document' && entry.node.value !== null;
  };
  let { missing, awaited } = pages.of(observed.root, isTextControl);
  if (awaited.length > 0)
    pokePages(
      awaited.map(({ hwnd }) => hwnd),
      new Asker(Math.min(POKE_MS, options.budgetMs)),
    );
  for (const [again, milliseconds] of WAKE_PAUSES.entries()) {
    if (awaited.length === 0 || performance.now() + milliseconds >= end) break;
    await pause(milliseconds, call);
    observed = readPatiently(record, { ...options, budgetMs: Math.max(1, end - performance.now()) });
    if (again === WAKE_PAUSES.length - 1)
      pages.noteInVain(pages.of(observed.root, isTextControl).awaited.map(({ identity }) => identity));
    ({ missing, awaited } = pages.of(observed.root, isTextControl));
  }
  // Without patterns, content looks the same as none.
  if (options.automation?.abilities.patterns !== true) missing = [];
  for (const part of missing) part.isCut = true;
  const hasPageMissing = missing.length > 0;
  return { ...observed, partial: observed.partial || hasPageMissing, hasPageMissing };
}
