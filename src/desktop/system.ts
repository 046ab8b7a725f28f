/** The port of facts about the user session that the doctor and the gate judge by. */
import type { SessionFacts } from '../contract/process/doctor.ts';
import type { BindingRecord } from '../contract/element/binding.ts';
import type { CallContext } from './call.ts';

export interface SystemPort {
  /** Facts that the doctor judges. */
  facts(record: BindingRecord | null, call: CallContext): Promise<SessionFacts>;
  /** Which of the system's interfaces are available here, found by probing. */
  capabilities(call: CallContext): Promise<Record<string, boolean | string>>;
  /** Whether the window's program takes messages: one within `withinMs`. */
  answers(record: BindingRecord, withinMs: number, call: CallContext): Promise<boolean>;
  /** Whether a person used keyboard or mouse in the last `withinMs`. */
  isPersonActive(withinMs: number, call: CallContext): Promise<boolean>;
}
