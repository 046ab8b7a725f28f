/** Tools that the conformance suite calls. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  MissingRequiredClientCapabilityError,
  type CallToolResult,
  type InputRequiredResult,
} from '@modelcontextprotocol/server';
import { form, PIXEL, SILENCE, type Fixtures } from './fixture.ts';

type Answer = CallToolResult | InputRequiredResult;
type Content = CallToolResult['content'][number];
interface FixtureTool {
  readonly description: string;
  /** Schemas of its arguments; none when left out. */
  readonly properties?: Record<string, object>;
  /** Instead of properties: the whole schema. */
  readonly schema?: object;
  call(given: Record<string, unknown>, fixtures: Fixtures): Promise<Answer> | Answer;
}

const text = (words: string): Content => ({ type: 'text', text: words });
const said = (...content: Content[]): CallToolResult => ({ content });
const STEP_MS = 50;
const STRING = { type: 'string' };

/** A tool that asks the client in the midst of its call, as the 2025 revision does, and says what came back. */
function asksMidway(description: string, message: string, properties: object, required: string[]): FixtureTool {
  return {
    description,
    async call(given, { context }) {
      const answer = await context.mcpReq.send({
        method: 'elicitation/create',
        params: {
          message: typeof given['message'] === 'string' ? given['message'] : message,
          requestedSchema: { type: 'object', properties, required },
        },
      });
      return said(
        text(`Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`),
      );
    },
  };
}

/** A tool that needs the client's answers before it can answer, as the 2026 revision does. */
function asksFirst(description: string, key: string, request: object): FixtureTool {
  return {
    description,
    call(_given, { context }) {
      const answer = context.mcpReq.inputResponses?.[key];
      return isAnswer(answer)
        ? said(text(`Answered: ${JSON.stringify(answer)}`))
        : inputRequired({ inputRequests: { [key]: request as never } });
    },
  };
}

const isAnswer = (answer: unknown): answer is object =>
  typeof answer === 'object' && answer !== null && Object.keys(answer).length > 0;

const askName = form('What is your name?', { name: { type: 'string' } });
const askModel = (words: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: words } }], maxTokens });

const TOOLS: Readonly<Record<string, FixtureTool>> = {
  test_simple_text: {
    description: 'Answers with text.',
    call: () => said(text('This is a simple text response for testing.')),
  },
  test_image_content: {
    description: 'Answers with a picture.',
    call: () => said({ type: 'image', data: PIXEL, mimeType: 'image/png' }),
  },
  test_audio_content: {
    description: 'Answers with a sound.',
    call: () => said({ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }),
  },
  test_embedded_resource: {
    description: 'Answers with a resource.',
    call: () =>
      said({
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      }),
  },
  test_multiple_content_types: {
    description: 'Answers with several kinds of content.',
    call: () =>
      said(
        text('Multiple content types test:'),
        { type: 'image', data: PIXEL, mimeType: 'image/png' },
        {
          type: 'resource',
          resource: {
            uri: 'test://mixed-content-resource',
            mimeType: 'application/json',
            text: JSON.stringify({ test: 'data', value: 123 }),
          },
        },
      ),
  },
  test_error_handling: {
    description: 'Fails.',
    call: () => ({ ...said(text('This tool intentionally returns an error for testing')), isError: true }),
  },
  test_tool_with_logging: {
    description: 'Logs while it runs.',
    async call(_given, { context }) {
      for (const [index, line] of ['started', 'processing', 'completed'].entries()) {
        if (index > 0) await sleep(STEP_MS);
        await context.mcpReq.log('info', line === 'processing' ? 'Tool processing data' : `Tool execution ${line}`);
      }
      return said(text('Logged three times.'));
    },
  },
  test_tool_with_progress: {
    description: 'Reports progress while it runs.',
    async call(_given, { context }) {
      const { _meta: meta } = context.mcpReq;
      for (const progress of [0, 50, 100]) {
        if (progress > 0) await sleep(STEP_MS);
        if (meta?.progressToken !== undefined)
          await context.mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken: meta.progressToken, progress, total: 100 },
          });
      }
      return said(text('Done.'));
    },
  },
  test_sampling: {
    description: 'Asks the client’s model.',
    properties: { prompt: STRING },
    async call({ prompt }, { context }) {
      const answer = await context.mcpReq.send({
        method: 'sampling/createMessage',
        params: { messages: [{ role: 'user', content: { type: 'text', text: String(prompt) } }], maxTokens: 100 },
      });
      return said(text(`LLM response: ${JSON.stringify(answer.content)}`));
    },
  },
  test_elicitation: {
    ...asksMidway('Asks the client’s user.', 'Who are you?', { username: STRING, email: STRING }, [
      'username',
      'email',
    ]),
    properties: { message: STRING },
  },
  test_elicitation_sep1034_defaults: asksMidway(
    'Asks with default values.',
    'Check the values.',
    {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    },
    [],
  ),
  test_elicitation_sep1330_enums: asksMidway(
    'Asks with choices.',
    'Choose.',
    {
      untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
      titledSingle: {
        type: 'string',
        oneOf: [
          { const: 'value1', title: 'First Option' },
          { const: 'value2', title: 'Second Option' },
          { const: 'value3', title: 'Third Option' },
        ],
      },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
      titledMulti: {
        type: 'array',
        items: {
          anyOf: [
            { const: 'value1', title: 'First Choice' },
            { const: 'value2', title: 'Second Choice' },
            { const: 'value3', title: 'Third Choice' },
          ],
        },
      },
    },
    [],
  ),
  test_missing_capability: {
    description: 'Needs a client that can ask its model.',
    call: () => {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    },
  },
  test_streaming_elicitation: asksFirst('Asks the client’s user first.', 'user_name', askName),
  test_logging_tool: {
    description: 'Logs once, if the request names a level.',
    async call(_given, { context }) {
      await context.mcpReq.log('info', 'A line of the log.');
      return said(text('Done.'));
    },
  },
  test_input_required_result_elicitation: {
    description: 'Asks the client’s user for a name.',
    call(_given, { context }) {
      const name = acceptedContent<{ name?: unknown }>(context.mcpReq.inputResponses, 'user_name')?.name;
      return typeof name === 'string'
        ? said(text(`Hello, ${name}!`))
        : inputRequired({ inputRequests: { user_name: askName } });
    },
  },
  test_input_required_result_sampling: asksFirst(
    'Asks the client’s model.',
    'capital_question',
    askModel('What is the capital of France?', 100),
  ),
  test_input_required_result_list_roots: asksFirst(
    'Asks for the client’s roots.',
    'client_roots',
    inputRequired.listRoots(),
  ),
  test_input_required_result_request_state: {
    description: 'Gives the client a state to bring back.',
    async call(_given, { context, seal }) {
      return context.mcpReq.requestState() === 'asked' && isAnswer(context.mcpReq.inputResponses?.['confirm'])
        ? said(text('state-ok'))
        : inputRequired({
            inputRequests: { confirm: form('Please confirm', { ok: { type: 'boolean' } }) },
            requestState: await seal('asked'),
          });
    },
  },
  test_input_required_result_multiple_inputs: {
    description: 'Asks for three things together.',
    async call(_given, { context, seal }) {
      const answers = context.mcpReq.inputResponses ?? {};
      return ['user_name', 'greeting', 'client_roots'].every((key) => isAnswer(answers[key]))
        ? said(text(`Answered: ${JSON.stringify(answers)}`))
        : inputRequired({
            inputRequests: {
              user_name: askName,
              greeting: askModel('Generate a greeting', 50),
              client_roots: inputRequired.listRoots(),
            },
            requestState: await seal('asked'),
          });
    },
  },
  test_input_required_result_multi_round: {
    description: 'Asks twice, one after the other.',
    async call(_given, { context, seal }) {
      const answers = context.mcpReq.inputResponses ?? {};
      const state = context.mcpReq.requestState<string>();
      if (state === 'second' && isAnswer(answers['step2'])) return said(text('Both steps are done.'));
      if ((state === 'first' && isAnswer(answers['step1'])) || state === 'second')
        return inputRequired({
          inputRequests: { step2: form('Step 2: What is your favorite color?', { color: { type: 'string' } }) },
          requestState: await seal('second'),
        });
      return inputRequired({
        inputRequests: { step1: form('Step 1: What is your name?', { name: { type: 'string' } }) },
        requestState: await seal('first'),
      });
    },
  },
  test_input_required_result_tampered_state: {
    description: 'Gives the client a state that may not be changed.',
    async call(_given, { context, seal }) {
      return context.mcpReq.requestState() === 'asked'
        ? said(text('The state is intact.'))
        : inputRequired({
            inputRequests: { confirm: form('Please confirm', { ok: { type: 'boolean' } }) },
            requestState: await seal('asked'),
          });
    },
  },
  test_input_required_result_capabilities: {
    description: 'Asks only for what the client can answer.',
    call(_given, { context }) {
      const can = (context.mcpReq.envelope as Record<string, object>)[CLIENT_CAPABILITIES_META_KEY] ?? {};
      return inputRequired({
        inputRequests: {
          ...('sampling' in can ? { greeting: askModel('Generate a greeting', 50) } : {}),
          ...('elicitation' in can ? { user_name: askName } : {}),
          ...('roots' in can ? { client_roots: inputRequired.listRoots() } : {}),
        },
      });
    },
  },
  json_schema_2020_12_tool: {
    description: 'Has a schema with the vocabulary of JSON Schema 2020-12.',
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: STRING, city: STRING } } },
      properties: {
        name: STRING,
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: STRING,
        email: STRING,
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    call: () => said(text('Done.')),
  },
};

export const FIXTURE_TOOLS = Object.entries(TOOLS).map(([name, { description, properties = {}, schema }]) => ({
  name,
  description,
  inputSchema: (schema ?? { type: 'object', properties, required: Object.keys(properties) }) as { type: 'object' },
}));

/** Null for a tool that is not a fixture. */
export async function callFixtureTool(
  name: string,
  given: Record<string, unknown>,
  fixtures: Fixtures,
): Promise<Answer | null> {
  return (await TOOLS[name]?.call(given, fixtures)) ?? null;
}
