/** Who looks at windows without being an agent: the page. */

/** It looks under this name and its token's, which no client has. */
export const LOOKER = 'page:';

/** How windows that show the page are known: by the beginning of their title, which browsers take from the page. */
export const PAGE_TITLE = 'uiahost page';
