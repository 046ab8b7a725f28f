/** How long an approval for a window lasts where nobody says so, in minutes: what the card offers first and the API takes. */
export const DEFAULT_WINDOW_MINUTES = 10;
