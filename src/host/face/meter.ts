/** What is measured of actions, for metrics and traces. Never what was typed; texts of windows only where a setting allows them. */

export interface ActionBegun {
  readonly actionId: string;
  /** The action that this one is part of. */
  readonly outerId: string | null;
  /** The name of its tool, as MCP and models know it. */
  readonly tool: string;
  readonly surface: string;
  readonly session: string;
  /** The caller's span (W3C Trace Context), of the HTTP header or of MCP's `_meta`. */
  readonly traceparent: string | undefined;
  /** Milliseconds since 1970, as all times here. */
  readonly at: number;
}

export interface ActionEnded {
  readonly at: number;
  /** When a person was asked; null: no person was. */
  readonly askedAt: number | null;
  /** When its delivery began; null: it never did. */
  readonly deliveredAt: number | null;
  readonly decision: 'execute' | 'approve' | 'refused';
  readonly riskLevel: string | null;
  readonly effect: string | null;
  /** The way in which it was delivered. */
  readonly way: string | null;
  readonly delivery: 'not_delivered' | 'delivered' | 'unknown';
  readonly errorCode: string | null;
  readonly window: string | null;
  readonly element: string | null;
}

/** Takes what happened, and ignores the end of what it has not seen begin. Never throws. */
export interface Meter {
  begin(action: ActionBegun): void;
  end(actionId: string, ended: ActionEnded): void;
}

/** What agents do now. */
export interface HostActivity {
  readonly stopped: boolean;
  readonly actionsRunning: number;
  readonly approvalsPending: number;
}

/** What is measured of the host itself at a time. */
export interface HostGauges extends HostActivity {
  readonly ready: boolean;
  readonly policyRefused: number;
  readonly workers: number;
  readonly workerRestarts: number;
  readonly windowsBound: number;
  readonly uptimeSeconds: number;
  readonly residentBytes: number;
}
