/** How windows that show the page are known: by the beginning of their title, which browsers take from the page. */
export const PAGE_TITLE = 'uiahost page';
