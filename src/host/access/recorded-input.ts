/** The form in which inputs are recorded: each action's definition says what of it is content. */
import { z } from 'zod';
import { ACTIONS } from '../../actions/index.ts';
import { Redactor } from '../../audit/redact.ts';
import { COMPUTER_INPUTS } from '../../contract/computer-use-tool.ts';
import { plain } from '../../contract/gate/input-content.ts';

/** The arguments of cards that the host itself shows. */
const HostCard = z.strictObject({ points: plain(z.array(z.string())) });
const OF_THE_HOST: ReadonlyMap<string, () => z.ZodType> = new Map<string, () => z.ZodType>([
  ...['policyChange', 'releaseStop', 'liftPause'].map((action) => [action, () => HostCard] as const),
  // What an agent CLI asks for may be any text, such as a whole file.
  ['permissionPrompt', () => z.strictObject({ tool: plain(z.string()), input: z.unknown() })],
  ...Object.entries(COMPUTER_INPUTS).map(([tool, schema]) => [`computer:${tool}`, () => schema] as const),
]);

const byName = new Map<string, () => z.ZodType>(
  ACTIONS.flatMap((action) => [action.method, action.name, action.tool].map((name) => [name, () => action.input])),
);

/** The schema of the input of an action, by any of its names, or of a card of the host; null for any other name. */
const schemaOf = (action: string): z.ZodType | null => (byName.get(action) ?? OF_THE_HOST.get(action))?.() ?? null;

/** @param options see Redactor */
export const createRedactor = (options: { secret?: Uint8Array; isSecret?: (text: string) => boolean } = {}): Redactor =>
  new Redactor({ ...options, schemaOf });

const ofThisProcess = createRedactor();

/** The same with a key of this process, for streams that do not outlive it. */
export const redactInput = (action: string, input: unknown): unknown => ofThisProcess.input(action, input);
