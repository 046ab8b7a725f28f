/** One sentence of the design or of a given contract that says what happens. Tests cite its id in their titles: `[id]`. */
export interface Requirement {
  readonly id: string;
  readonly text: string;
  /** Section of a page in docs/ (`behaviour#sessions`), or a given contract (`seeds/computer-executor.txt`). */
  readonly source: string;
}
