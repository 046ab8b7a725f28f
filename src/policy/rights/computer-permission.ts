/** Which of the safety document’s computer tools a permission level allows. */
import { levelReaches } from '../../contract/gate/orders.ts';
import type { Level, RiskLevel, RiskTag } from '../../contract/gate/permissions.ts';

/** The computer tools of the safety document. */
export type ComputerTool = 'screenshot' | 'pointer_move' | 'click' | 'keypress' | 'type';

export interface ComputerPermission {
  readonly isAllowed: boolean;
  readonly requiresConfirmation: boolean;
  readonly riskLevel: RiskLevel;
  readonly riskTags: readonly RiskTag[];
  /** Why it is refused or asked, with the level that would suffice. */
  readonly reason: string;
}

/**
 * The permission checker of the safety document: what a computer tool may do at a level. Input carries `computer:input`
 * if a confirmation is required, and is high (docs/behaviour.md#risk).
 */
export function checkComputerTool(level: Level, tool: ComputerTool): ComputerPermission {
  const isLook = tool === 'screenshot';
  const needed = isLook ? 'observe' : 'control';
  const isAllowed = levelReaches(level, needed);
  const requiresConfirmation = level === 'control' && !isLook;
  const reason = !isAllowed
    ? level === 'disabled'
      ? `the permission is disabled: computer:${tool} needs ${needed}`
      : `computer:${tool} sends input: it needs the permission control`
    : level === 'full'
      ? 'full allows it without confirmation'
      : isLook
        ? `${level} allows screen capture`
        : `computer:${tool} sends input: control confirms it, full does not (control → full)`;
  const riskTags: RiskTag[] = requiresConfirmation ? ['computer:input'] : [];
  return { isAllowed, requiresConfirmation, riskLevel: isLook ? 'low' : 'high', riskTags, reason };
}
