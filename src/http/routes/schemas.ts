/** The contracts as they were given, and the enumerations to which they refer. */
import { z } from 'zod';
import computerUse from '../../../schemas/seeds/computer-use.schema.json' with { type: 'json' };
import requestUiAction from '../../../schemas/seeds/request-ui-action.tool.json' with { type: 'json' };
import { UiaHostError } from '../../contract/errors.ts';
import { governanceSchema } from '../../host/face/governance.ts';
import type { Host } from '../../host/face/host.ts';
import { json, openRoute, type Route } from '../../host/face/route.ts';

const NAMES = ['computer-use.schema.json', 'governance.schema.json', 'request-ui-action.tool.json'] as const;
const NAME = new RegExp(`^(?:${NAMES.map((name) => name.replaceAll('.', String.raw`\.`)).join('|')})$`);

export function schemaRoutes(host: Host): Route[] {
  const documents: Record<(typeof NAMES)[number], () => unknown> = {
    'computer-use.schema.json': () => computerUse,
    'governance.schema.json': () => governanceSchema(host.catalog, host.version),
    'request-ui-action.tool.json': () => requestUiAction,
  };
  return [
    openRoute({
      method: 'GET',
      path: '/v1/schemas/{name}',
      operationId: 'contractSchema',
      tag: 'host',
      scope: 'none',
      summary: 'A contract as it was given, or the enumerations that it refers to, of this version.',
      pathParameters: { name: { pattern: NAME, meaning: 'File name of the schema.', unknown: 'not_found' } },
      replies: {
        200: { description: 'A JSON Schema, or a function tool.', schema: z.record(z.string(), z.unknown()) },
      },
      async handle({ path }) {
        const name = NAMES.find((each) => each === path['name']);
        if (name === undefined)
          throw new UiaHostError('not_found', `There is no schema of that name; there are ${NAMES.join(', ')}.`);
        return json(documents[name]());
      },
    }),
  ];
}
