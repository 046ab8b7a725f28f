/** Where password fields are that only UI Automation knows: pictures paint them over. */
import type { Rect } from '../../contract/geometry.ts';
import { Asker } from './ask.ts';
import type { Automation } from './automation.ts';
import { readAutomation } from './sources/automation.ts';
import { walk } from './tree.ts';

/** Screen pixels; empty where the window does not answer within the budget. */
export function passwordRects(automation: Automation | null, hwnd: number, budgetMs: number): Rect[] {
  const asker = new Asker(budgetMs);
  const tree = automation === null || !asker.answers(hwnd) ? null : readAutomation(automation, hwnd, asker);
  return tree === null ? [] : [...walk(tree)].filter((node) => node.states.has('password') && !node.states.has('offscreen')).map((node) => node.rect);
}
