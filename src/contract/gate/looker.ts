/** Who looks at windows without being an agent: the page, and a viewer of a fleet. */

/** They look under this name and their token's, which no client has. */
export const LOOKER = 'page:';

/** The id of an orchestrator's token. */
export const orchestratorTokenId = (name: string): string => `fleet-${name}`;

/** No orchestrator's name has a full stop. */
const FLEET_VIEWER = orchestratorTokenId('view.');

/** The id of a fleet viewer's token. */
export const viewerTokenId = (name: string): string => `${FLEET_VIEWER}${name}`;

/** A viewer's name for people, by its token's id. */
export const viewerName = (tokenId: string): string => tokenId.replace(FLEET_VIEWER, '');

/** How windows that show the page are known: by the beginning of their title, which browsers take from the page. */
export const PAGE_TITLE = 'uiahost page';
