/** The parts of a host, and what the composition root gets. */
import type { ToolOutputSpool } from '../artifacts/spool.ts';
import type { DocumentStore } from '../artifacts/document-store.ts';
import type { ImageArtifactStore } from '../artifacts/types.ts';
import type { AuditLog } from '../audit/entry.ts';
import type { WitnessState } from '../audit/witness.ts';
import type { BindingRecord } from '../contract/element/binding.ts';
import type { FileTrust } from '../contract/gate/app-match.ts';
import type { DoctorFinding, OverlayFacts } from '../contract/process/doctor.ts';
import type { SessionChange } from '../contract/process/service-channel.ts';
import type { Desktop } from '../desktop/index.ts';
import type { Gate } from '../policy/gate/index.ts';
import type { Store } from '../store/client.ts';
import type { SecretVault } from './access/secret-service.ts';
import type { Tokens } from './access/token-service.ts';
import type { Approvals } from './approvals/approval-service.ts';
import type { EmergencyStop } from './approvals/emergency-stop.ts';
import type { Surface } from './approvals/surface.ts';
import type { EventHub } from './events/event-hub.ts';
import type { Host, MachineNames, PolicyService, QuestionService } from './face/host.ts';
import type { HostActivity, HostGauges, Meter } from './face/meter.ts';
import type { DesktopControl } from './running/owners.ts';

export interface HostParts {
  readonly version: string;
  /** Identifies the data directory. */
  readonly storeId: string;
  readonly desktop: Desktop;
  readonly desktopControl: DesktopControl;
  readonly store: Store;
  readonly hub: EventHub;
  readonly audit: AuditLog;
  /** Whether reports about the audit are kept outside the data directory; absent in hosts that report nothing. */
  auditWitness?(): WitnessState;
  /** What the host sees of its own files and disk, for the doctor. */
  ownFindings?(): readonly DoctorFinding[];
  readonly images: ImageArtifactStore;
  readonly documents: DocumentStore;
  readonly spool: ToolOutputSpool;
  readonly tokens: Tokens;
  readonly policy: PolicyService;
  readonly gate: Gate;
  readonly stop: EmergencyStop;
  readonly surfaces: readonly Surface[];
  /** The approver elsewhere; absent in hosts that know none. */
  readonly questions?: QuestionService;
  /** The overlay's state, for the doctor; absent in hosts without one. */
  overlay?(): OverlayFacts;
  /** Errors: invalid_argument or blocked_by_policy for addresses that a session may not touch. */
  assertUrls(urls: readonly string[]): void;
  readonly vault: SecretVault;
  /** Whether only administrators can write a program's file and its folders. Without it the folder's name decides. */
  readonly isProtectedProgram?: FileTrust;
  /**
   * The key of hashes in the database, kept outside it. Without it, repeated requests are not recognised after a
   * restart.
   */
  readonly requestKey?: Uint8Array;
  /** Where the host runs; absent in hosts without Windows. */
  machine?(): MachineNames;
  /** Metrics; absent in hosts that measure nothing. */
  readonly telemetry?: { meter(): Meter | null; metrics(): Promise<string> };
  onFault(error: unknown, where: string): void;
}

/** A host, and what only the composition root may use. */
export interface RunningHost extends Host {
  readonly hub: EventHub;
  readonly approvalService: Approvals;
  /** Facts of the host itself, for metrics. */
  gauges(): Promise<HostGauges>;
  activity(): HostActivity;
  /** The windows that sessions have bound at present. */
  bound(): readonly BindingRecord[];
  /** Asks a person whether the policy may become looser in these points; `unseen`: in a data directory that was not used before. */
  askLoosening(points: readonly string[], by: string | null, why: 'change' | 'unseen'): Promise<boolean>;
  /** Call it after each change of the policy: sessions lose the rights that it no longer allows. */
  policyChanged(): void;
  /** The user's session or the machine has changed: where no person can see it, nothing stays held down. */
  sessionChanged(change: SessionChange): Promise<void>;
  /** Ends sessions, withdraws cards and releases held input. The creator of the parts closes them. */
  close(): Promise<void>;
}
