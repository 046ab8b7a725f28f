/** The definition of an action: its data, its schema, its traits for the gate, and the function that runs it. */
import type { StepOutlook } from '../contract/gate/views.ts';
import { z } from 'zod';
import type { AppIdentity, BindingRecord } from '../contract/element/binding.ts';
import type { ElementContext } from '../contract/element/element.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { ExecutorMethod } from '../contract/executor.ts';
import type { ObservationGeometry } from '../contract/element/geometry.ts';
import { looked, type ActionResult, type Outcome } from '../contract/outcome.ts';
import type { Effect, Policy, Tier } from '../contract/gate/permissions.ts';
import {
  type ActionTarget,
  type ActionTraits,
  LOOKING,
  type UiActionProposal,
  type ProposalAnswer,
} from '../contract/gate/traits.ts';
import type { CallContext, Desktop, LaterChange, Picture } from '../desktop/index.ts';

/** Capability groups of the MCP interface; `core` is always listed. */
export const CAPS = [
  'core',
  'pointer',
  'keyboard',
  'terminal',
  'apps',
  'clipboard',
  'display',
  'sheet',
  'excel',
  'computer',
] as const;
export type Cap = (typeof CAPS)[number];

/** The recent observations of one binding: observation id → geometry. The latest eight are kept. */
export interface ObservationBook {
  /** A new id, not yet used. */
  newId(): string;
  add(observationId: string, geometry: ObservationGeometry): void;
  /**
   * The named one, or the latest. Errors: invalid_argument for an unknown id, state_conflict if nothing was observed
   * yet.
   */
  get(observationId: string | undefined): ObservationGeometry;
  /** Null if nothing was observed yet. */
  latest(): { readonly observationId: string; readonly geometry: ObservationGeometry } | null;
}

/** Services of the host that a few actions need in addition to the desktop. */
export interface HostServices {
  /** Stores a picture as an artifact; null if pictures are not kept or storing failed, which never fails the action. */
  keepPicture(picture: Picture, sourceTool: string): Promise<string | null>;
  /** Stores a JSON document as an artifact; where it is served, or null if it is not kept. Never fails the action. */
  keepDocument(content: Readonly<Record<string, unknown>>): Promise<string | null>;
  /** Runs the steps in order through the gate, each like a separate call. */
  runBatch(
    steps: ReadonlyArray<{ action: string; input: Record<string, unknown> }>,
    approveAsPlan: boolean,
  ): Promise<{ completed: ActionResult[]; failed: null; remaining: 0; later: readonly LaterChange[] }>;
  /** What the gate would decide of each step now. Does and asks nothing. */
  wouldAsk(steps: ReadonlyArray<{ action: string; input: Record<string, unknown> }>): Promise<StepOutlook[]>;
  /** Asks a person for applications and flags. */
  requestAccess(request: {
    apps: Array<{ app: string; tier?: 'read' | 'click' | 'full' | undefined }>;
    flags?: string[] | undefined;
    reason: string;
  }): Promise<{ granted: unknown[]; denied: unknown[] }>;
  /** Judges a proposal and, if it is allowed or approved, runs it once. */
  propose(proposal: UiActionProposal): Promise<ProposalAnswer>;
  /**
   * The error with which a snapshot of the bound window, limited to these applications, would be refused now; null if
   * it would be allowed.
   */
  refusalToLook(allowedBundleIds: readonly string[] | null): Promise<ErrorCode | null>;
  /**
   * The bundleIds of the applications that a picture of a display may show, for a caller that lists these; null: all. What
   * the session was not granted is never among them.
   */
  shownOnDisplay(listed: readonly string[], call: CallContext): Promise<readonly string[] | null>;
  /** Reads an entry `uiahost:*` of the credential manager for the application of the bound window. */
  secret(ref: string): Promise<string>;
  /**
   * This launch opened a window for commands. If a person approved the launch, the window is granted tier full for the
   * session.
   */
  openedWindow(hwnd: string, pid: number): void;
}

/** What an action's run gets in addition to its input. */
export interface ActionContext {
  readonly desktop: Desktop;
  readonly call: CallContext;
  /**
   * Just verified by the gate, and still the bound window; null if none is bound. Not verified if the traits say that
   * no window is concerned.
   */
  readonly binding: BindingRecord | null;
  /** The live target that the gate judged; null for actions without an element. */
  readonly element: ElementContext | null;
  /** {@link TraitState.held} */
  readonly held?: readonly string[];
  readonly policy: Policy;
  /** Whether the policy's deny list names the application. */
  isDenied(app: AppIdentity): boolean;
  /** The applications that the caller's token is limited to; undefined without a limit. */
  readonly limits: readonly string[] | undefined;
  /** Whether the application is outside that limit: nothing about it is reported. */
  isOutside(app: AppIdentity): boolean;
  readonly observations: ObservationBook;
  /**
   * Replaces the binding of this owner; resolves when held input of the former window is released and the window moved
   * back. Answers the binding's id, and whether actions must name it.
   */
  bind(record: BindingRecord | null): Promise<{ readonly window: string; readonly mustName: boolean } | null>;
  readonly host: HostServices;
}

/** The bound window, for actions whose traits say `binding: 'required'`: otherwise the gate has refused. */
export function boundWindow(context: ActionContext): BindingRecord {
  if (context.binding === null) throw new Error('the gate let an action without its binding through');
  return context.binding;
}

export interface ActionAnswer<V> {
  readonly value: V;
  readonly outcome: Outcome;
  /** What the value does not depend on, but the answer waits for: it is written together with the record of the action's end. */
  readonly stored?: Promise<unknown>;
}

/** The answer of an action that only looked. */
export const saw = <V>(value: V): ActionAnswer<V> => ({ value, outcome: looked() });

/** Traits of input to the bound window. */
export const inputTo = (target: ActionTarget, tier: Tier): ActionTraits => ({
  ...LOOKING,
  effect: 'input',
  binding: 'required',
  target,
  tier,
  changesSomething: true,
});

/** The caller's state when traits are read. */
export interface TraitState {
  readonly isBound: boolean;
  /** Ctrl and Shift, where an earlier press of this owner holds them: pointer input in the background carries them. Absent: neither. */
  readonly held?: readonly string[];
}

/** A rule between fields that a JSON schema cannot express. */
export interface InputRule<I> {
  holds(input: I): boolean;
  readonly message: string;
}

export interface ActionSpec<S extends z.ZodRawShape, O extends z.ZodType> {
  /** Executor method or the name of an action beyond the interface, camelCase. */
  readonly method: string;
  readonly topic: string;
  readonly meaning: string;
  readonly cap: Cap;
  readonly effect: Effect;
  readonly input: z.ZodObject<S>;
  readonly output: O;
  readonly rules?: ReadonlyArray<InputRule<z.output<z.ZodObject<S>>>>;
  /** A valid input. The tests that call every action build their calls from it. */
  readonly sample: z.input<z.ZodObject<S>>;
  /** Grants that it may need, for the table and the help text. */
  readonly needs: string;
  /** Repeating it with the same input changes nothing further. */
  readonly isIdempotent: boolean;
  /** The reason why a writing action cannot destroy anything; absent for all others. */
  readonly notDestructive?: string;
  /** It only looks, again and again, until something is so: others act on the window meanwhile. */
  readonly watches?: true;
  /**
   * Milliseconds that the input itself makes the action last; without a given deadline, the default one is extended by
   * this.
   */
  lasts?(input: z.output<z.ZodObject<S>>): number;
  traits(input: z.output<z.ZodObject<S>>, state: TraitState): ActionTraits;
  run(context: ActionContext, input: z.output<z.ZodObject<S>>): Promise<ActionAnswer<z.output<O>>>;
}

export interface ActionDefinition<
  S extends z.ZodRawShape = z.ZodRawShape,
  O extends z.ZodType = z.ZodType,
> extends ActionSpec<S, O> {
  /** kebab-case: route and CLI command. */
  readonly name: string;
  /** snake_case: MCP tool. */
  readonly tool: string;
}

/** The input of a definition, as its own schema has parsed it. */
export type ParsedInput = z.output<ActionDefinition['input']>;

/** An action that is a method of the executor; contract/executor-calls has how the method calls it. */
export interface MethodDefinition<M extends ExecutorMethod = ExecutorMethod> extends ActionDefinition {
  readonly method: M;
}

const kebab = (camel: string): string => camel.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const Deadline = z
  .int()
  .min(1)
  .max(120_000)
  .optional()
  .describe('Milliseconds the action may take, waiting for a person not counted. Default 10000.');

const Window = z
  .string()
  .regex(/^w_[A-Za-z0-9]{6}$/, 'expected the id that bind-to-window answered, such as w_4kT9aQ')
  .optional()
  .describe('Id of the binding, from the answer of bind-to-window. Default: the one of this session.');

type WithDeadline<S extends z.ZodRawShape> = S & { deadlineMs: typeof Deadline; window: typeof Window };

/**
 * The parts of a definition: the schemas are made when the action is first used, since most hosts use few of them (7 MB
 * for all).
 */
type SpecOf<S extends z.ZodRawShape, O extends z.ZodType> = Omit<
  ActionSpec<WithDeadline<S>, O>,
  'method' | 'input' | 'output' | 'sample' | 'isIdempotent'
> & {
  /** Default: it takes nothing but its deadline. */
  readonly input?: () => S;
  /** Default: an empty input. */
  readonly sample?: z.input<z.ZodObject<WithDeadline<S>>>;
  readonly output: () => O;
  /** Default: what only observes is. */
  readonly isIdempotent?: true;
};

/** Makes a definition: adds `deadlineMs` and `window` to the input and derives the names for the other interfaces. */
export function defineAction<S extends z.ZodRawShape, O extends z.ZodType>(
  method: string,
  spec: SpecOf<S, O>,
): ActionDefinition<WithDeadline<S>, O> {
  let input: z.ZodObject<WithDeadline<S>> | undefined;
  let output: O | undefined;
  const makeInput = (): z.ZodObject<WithDeadline<S>> => {
    const schema: z.ZodObject<WithDeadline<S>> = z.strictObject({
      ...spec.input?.(),
      deadlineMs: Deadline,
      window: Window,
    } as WithDeadline<S>);
    return (spec.rules ?? []).reduce((made, rule) => made.refine((value) => rule.holds(value), rule.message), schema);
  };
  return {
    ...spec,
    method,
    sample: spec.sample ?? ({} as z.input<z.ZodObject<WithDeadline<S>>>),
    isIdempotent: spec.isIdempotent ?? spec.effect === 'observe',
    get input() {
      return (input ??= makeInput());
    },
    get output() {
      return (output ??= spec.output());
    },
    name: kebab(method).replaceAll('_', '-'),
    tool: kebab(method).replaceAll('-', '_'),
  };
}

/** The same for a method of the executor. */
export function defineMethod<M extends ExecutorMethod, S extends z.ZodRawShape, O extends z.ZodType>(
  method: M,
  spec: SpecOf<S, O>,
): MethodDefinition<M> {
  // Not a copy: copying would build the schemas.
  return Object.assign(defineAction<S, O>(method, spec), { method });
}
