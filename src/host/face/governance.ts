/** The enumerations to which the given computer-use schema refers, and which it leaves to the implementation. */
import type { JsonSchema } from '../../contract/json/json-schema.ts';
import { RiskLevel } from '../../contract/gate/permissions.ts';
import type { Catalog } from './host.ts';

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
