/**
 * A machine's membership of a fleet, where its service starts the link: `machine.json` in the folder `fleet` of the machine,
 * which the system and administrators alone can read. `uiahost fleet join --machine` writes it, the service follows it.
 */
export interface FleetMachine {
  readonly format: 'uiahost fleet machine 1';
  readonly isDrained: boolean;
  /** Who may submit, by name, and the most that each may do. */
  readonly orchestrators: Readonly<Record<string, { readonly level?: string; readonly apps?: readonly string[] }>>;
  readonly seats: readonly FleetMachineSeat[];
}

export interface FleetMachineSeat {
  /** `DOMAIN\user` or a SID, whose session is the seat; null: the only session that a user has. */
  readonly user: string | null;
  /** What `uiahost fleet enrol` wrote. */
  readonly credential: { readonly name: string; readonly pools: readonly string[] };
}

/** The id of an orchestrator's token. */
export const orchestratorTokenId = (name: string): string => `fleet-${name}`;

export const MACHINE_FILE = 'machine.json';
