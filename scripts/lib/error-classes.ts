/** The classes of error in src/: which arguments are their texts, and which classes are not listed, with the reason. */

/** Positions of the constructor's arguments. */
export interface Shape {
  readonly code?: number;
  readonly text: number;
  readonly hint?: number;
  /** An object that may have `hint`. */
  readonly more?: number;
  /** Why its texts are parts of sentences, which need no capital and no full stop. */
  readonly part?: string;
}

export const SHAPES: Readonly<Record<string, Shape>> = {
  UiaHostError: { code: 0, text: 1, more: 2 },
  NotApproved: { code: 0, text: 1, more: 2 },
  SessionHeldError: { code: 0, text: 1, more: 2 },
  PolicyRefusedError: { code: 0, text: 1, more: 2 },
  FailedError: { text: 0, hint: 1 },
  FleetError: { code: 0, text: 1, hint: 2 },
  UsageError: { text: 0 },
  InvalidArgumentError: { text: 0 },
  HostNotFoundError: { text: 0, hint: 1 },
  ConnectionError: { text: 0 },
  TimeoutError: { text: 0 },
  Refusal: { text: 1 },
  Refused: { text: 1, part: 'describeProblems puts key and value before it' },
  StrictJsonError: {
    text: 0,
    part: 'describeProblems puts the place before it, and a request’s error the place after it',
  },
  Error: { text: 0, part: 'a fault of the program, for its log' },
  TypeError: { text: 0, part: 'a fault of the caller’s program' },
  RangeError: { text: 0, part: 'a fault of the program, for its log' },
  AggregateError: { text: 1, part: 'a fault of the program, for its log' },
};

/** Classes whose `new` has no text of its own. `isShown`: the text that the class passes to its base is listed. */
export const INTERNAL: Readonly<Record<string, { readonly reason: string; readonly isShown?: boolean }>> = {
  ProblemError: { reason: 'carries a problem that the host made' },
  Problem: { reason: 'the page shows what the host answered' },
  UnansweredError: { reason: 'carries another error' },
  Unanswered: { reason: 'is caught in src/fleet, which asks again; nobody is shown it' },
  QueueFull: { reason: 'becomes a FleetError in src/fleet/orchestrator' },
  AnsweredError: { reason: 'carries an exit status; the answer has been printed' },
  ProtocolError: { reason: 'carries the error of the action to an MCP client' },
  NotTried: { reason: 'is a line of the selftest’s report' },
  Halt: { reason: 'ends a routine’s run, whose result says why' },
  ConsoleFailure: { reason: 'is sent to the worker as a word and a number' },
  ConsoleUnreachable: { reason: 'has one text for all problems', isShown: true },
};

/** Functions in one folder that take the code and text of an error that other code makes from their result. */
export const CARRIERS: Readonly<Record<string, Shape & { readonly below: string }>> = {
  verdict: { code: 1, text: 2, below: 'src/policy/gate/' },
};
