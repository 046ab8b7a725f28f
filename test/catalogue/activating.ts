/** A way that may bring its target to the front. */
interface Activating {
  readonly way: string;
  /** What its attempt says; every attempt of that way when left out. */
  readonly by?: string;
  readonly because: string;
}

/** Any other way may change the foreground only through a window that the target itself opens. */
export const ACTIVATING: readonly Activating[] = [
  {
    way: 'posted',
    because: 'a window may activate itself on a mouse button or key message (Wine’s do; on Windows few)',
  },
  {
    way: 'message',
    by: 'TCM_SETCURFOCUS',
    because: 'a program that shows another page gives it the focus, which on Wine brings its window to the front',
  },
  {
    way: 'message',
    by: 'command',
    because:
      'a command acts on the control with the focus: one that was clicked gets it meanwhile through a shared input queue, which on Wine brings its window to the front',
  },
  {
    way: 'attached',
    because:
      'the key state is set through a shared input queue; a program that moves its focus meanwhile may come to the front',
  },
  { way: 'input', because: 'real input goes to the foreground: the caller requested it' },
  { way: 'win32', because: 'activate-window is meant to take the foreground' },
];
