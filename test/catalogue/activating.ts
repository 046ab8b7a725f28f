/** A rung that may bring its target to the front. */
interface Activating {
  readonly rung: string;
  /** What its attempt says; every attempt of that rung when left out. */
  readonly by?: string;
  readonly because: string;
}

/** Any other rung may change the foreground only through a window that the target itself opens. */
export const ACTIVATING: readonly Activating[] = [
  {
    rung: 'posted',
    because: 'a window may activate itself on a mouse button or key message (Wine’s do; on Windows few)',
  },
  {
    rung: 'message',
    by: 'TCM_SETCURFOCUS',
    because: 'a program that shows another page gives it the focus, which on Wine brings its window to the front',
  },
  {
    rung: 'message',
    by: 'command',
    because:
      'a command acts on the control with the focus: one that was clicked gets it meanwhile through a shared input queue, which on Wine brings its window to the front',
  },
  {
    rung: 'attached',
    because:
      'the key state is set through a shared input queue; a program that moves its focus meanwhile may come to the front',
  },
  { rung: 'input', because: 'real input goes to the foreground: the caller requested it' },
  { rung: 'win32', because: 'activate-window is meant to take the foreground' },
];
