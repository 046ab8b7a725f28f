/** Default duration of an approval for a window, in minutes: what the card offers first and the API takes. */
export const DEFAULT_WINDOW_MINUTES = 10;
