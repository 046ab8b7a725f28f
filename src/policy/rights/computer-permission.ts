/** Which of the safety document’s computer tools a permission level allows. */
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
  const riskLevel: RiskLevel = tool === 'screenshot' ? 'low' : 'high';
  const answer = (isAllowed: boolean, requiresConfirmation: boolean, reason: string): ComputerPermission => ({
    isAllowed,
    requiresConfirmation,
    riskLevel,
    riskTags: requiresConfirmation ? ['computer:input'] : [],
    reason,
  });
  switch (level) {
    case 'observe':
      return tool === 'screenshot'
        ? answer(true, false, 'observe allows screen capture')
        : answer(false, false, `computer:${tool} sends input: it needs the permission control`);
    case 'control':
      return tool === 'screenshot'
        ? answer(true, false, 'control allows screen capture')
        : answer(true, true, `computer:${tool} sends input: control confirms it, full does not (control → full)`);
    case 'full':
      return answer(true, false, 'full allows it without confirmation');
    default:
      return answer(
        false,
        false,
        `the permission is disabled: computer:${tool} needs ${tool === 'screenshot' ? 'observe' : 'control'}`,
      );
  }
}
