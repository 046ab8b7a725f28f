/** The catalogue of actions, as edges see it. */
import { type ActionDefinition, ACTIONS } from '../../actions/index.ts';
import { RiskLevel } from '../../contract/gate/permissions.ts';
import { wordsOf } from '../../contract/json/face-words.ts';
import { type JsonSchema, toJsonSchema } from '../../contract/json/json-schema.ts';
import { nearest } from '../../contract/json/near.ts';
import type { ToolHints } from '../../contract/gate/views.ts';
import type { Catalog, CatalogEntry } from './host.ts';

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

/** What a person may be asked about in addition to actions of the host: a tool of the agent's own CLI. */
const ASKED_ONLY = ['permissionPrompt'];

/** The given schema refers to it by this $id; any other leaves its $ref unresolved. */
export function governanceSchema(catalog: Catalog, version: string): JsonSchema {
  // The proposal tool executes nothing itself: the action it leads to is what a stream shows.
  const types = catalog.entries.map((entry) => entry.method).filter((method) => /^[a-z][A-Za-z]*$/.test(method));
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://github.com/andrewhuot/headless-chat-sdk/schemas/governance.schema.json',
    title: 'Governance enumerations of the computer-use protocol',
    description: `Written by uiahost ${version}, since the given schema only refers to it. Later versions add names and remove or rename none before the next major version: treat an unknown name as an action of unknown kind, or read GET /v1/schemas/governance.schema.json of the host that you use.`,
    definitions: {
      ComputerUseActionType: {
        type: 'string',
        enum: [...types, ...ASKED_ONLY],
        description: 'Every action of the host, camelCase, from the definitions, and what else a person may be asked.',
      },
      ComputerUseActionRiskLevel: { type: 'string', enum: RiskLevel.options, description: 'Unknown is never low.' },
    },
  };
}
