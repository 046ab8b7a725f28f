/** Which windows came to the foreground, the latest of them. No Windows calls. */

/** More than come forward during an action. */
const MOST_KEPT = 256;

export class ForegroundLog {
  #kept: number[] = [];
  #count = 0;

  /** How many have come forward since the process began. */
  get count(): number {
    return this.#count;
  }

  add(hwnd: number): void {
    this.#count += 1;
    this.#kept.push(hwnd);
    if (this.#kept.length >= 2 * MOST_KEPT) this.#kept = this.#kept.slice(-MOST_KEPT);
  }

  /** Whether another window than this one has come forward since that count; more than are kept cannot all be one. */
  isOtherThan(hwnd: number, since: number): boolean {
    const news = this.#count - since;
    return news > this.#kept.length || (news > 0 && this.#kept.slice(-news).some((each) => each !== hwnd));
  }
}
