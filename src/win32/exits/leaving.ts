/** What may leave now: the permit of the call that is running. */

/** The exits of a permit; `along`: what prepares or follows any of them and has no lasting effect of its own. */
export type Leaving =
  | 'press'
  | 'keys'
  | 'text'
  | 'choose'
  | 'cells'
  | 'point'
  | 'focus'
  | 'window'
  | 'start'
  | 'clipboard'
  | 'console'
  | 'along';

/** To be called directly before sending: one of these exits must be permitted. */
export function leave(_exits: readonly Leaving[]): void {}
