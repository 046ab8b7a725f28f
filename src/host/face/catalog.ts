/** The catalogue of actions, as edges see it. */
import { ACTIONS, type ActionDefinition } from '../../actions/index.ts';
import { wordsOf } from '../../contract/json/face-words.ts';
import { toJsonSchema } from '../../contract/json/json-schema.ts';
import { nearest } from '../../contract/json/near.ts';
import type { Catalog, CatalogEntry, ToolHints } from './host.ts';

/**
 * Hints follow from the effect class. An action that writes counts as destructive unless its definition gives a reason
 * why not; an action that sends input or starts programs reaches other programs and, through them, the open world.
 */
function hintsOf(action: ActionDefinition): ToolHints {
  const isReadOnly = action.effect === 'observe';
  return {
    readOnlyHint: isReadOnly,
    destructiveHint: !isReadOnly && action.notDestructive === undefined,
    idempotentHint: action.isIdempotent,
    openWorldHint: action.effect === 'input' || action.effect === 'launch',
  };
}

/** A text of ours with the names of tools; see contract/face-words.ts. */
export const toolWords = wordsOf(
  'tools',
  ACTIONS.map(({ name }) => name),
);

/**
 * What an edge may know about an action: everything but its `run`. Schemas are made on first use, since all of them
 * take a tenth of a second.
 */
function entryOf(action: ActionDefinition): CatalogEntry {
  let inputSchema: CatalogEntry['inputSchema'] | undefined;
  let outputSchema: CatalogEntry['outputSchema'] | undefined;
  return {
    name: action.name,
    method: action.method,
    tool: action.tool,
    topic: action.topic,
    meaning: action.meaning,
    effect: action.effect,
    cap: action.cap,
    needs: action.needs,
    hints: hintsOf(action),
    get input() {
      return action.input;
    },
    get output() {
      return action.output;
    },
    get inputSchema() {
      return (inputSchema ??= toJsonSchema(action.input, 'input'));
    },
    get outputSchema() {
      return (outputSchema ??= toJsonSchema(action.output, 'output'));
    },
  };
}

/** The catalogue of all actions, in the order in which lists show them. */
export function buildCatalog(actions: readonly ActionDefinition[] = ACTIONS): Catalog {
  const entries = actions.map(entryOf);
  const byName = new Map(
    entries.flatMap(
      (entry) =>
        [
          [entry.name, entry],
          [entry.method, entry],
          [entry.tool, entry],
        ] as const,
    ),
  );
  return {
    entries,
    find: (name) => byName.get(name),
    near: (name) =>
      nearest(
        name,
        entries.map((entry) => entry.name),
      ),
  };
}
