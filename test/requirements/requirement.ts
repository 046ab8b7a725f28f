/** One sentence of the design or of a given contract that says what happens. Tests cite its id in their titles: `[id]`. */
export interface Requirement {
  readonly id: string;
  readonly text: string;
  /** Section of BEHAVIOUR, another page of the design, or a seed. */
  readonly source: string;
}
