/** Prompts that the conformance suite gets. */
import { inputRequired, type GetPromptResult, type InputRequiredResult } from '@modelcontextprotocol/server';
import { form, PIXEL, type Fixtures } from './fixture.ts';

export const FIXTURE_PROMPTS = [
  { name: 'test_simple_prompt', description: 'A fixture without arguments.' },
  {
    name: 'test_prompt_with_arguments',
    description: 'A fixture with arguments.',
    arguments: [
      { name: 'arg1', description: 'The first argument.', required: true },
      { name: 'arg2', description: 'The second argument.', required: true },
    ],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A fixture with a resource.',
    arguments: [{ name: 'resourceUri', description: 'The resource to embed.', required: true }],
  },
  { name: 'test_prompt_with_image', description: 'A fixture with a picture.' },
  { name: 'test_input_required_result_prompt', description: 'A fixture that asks the client first.' },
];

type Content = GetPromptResult['messages'][number]['content'];
const said = (...contents: Content[]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: 'user', content })),
});
const text = (words: string): Content => ({ type: 'text', text: words });

/** Null for a prompt that is not a fixture. */
export function getFixturePrompt(
  name: string,
  given: Readonly<Record<string, string>>,
  { context }: Fixtures,
): GetPromptResult | InputRequiredResult | null {
  switch (name) {
    case 'test_simple_prompt':
      return said(text('This is a simple prompt for testing.'));
    case 'test_prompt_with_arguments':
      return said(text(`Prompt with arguments: arg1='${given['arg1']}', arg2='${given['arg2']}'`));
    case 'test_prompt_with_embedded_resource':
      return said(
        {
          type: 'resource',
          resource: {
            uri: given['resourceUri'] ?? '',
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        },
        text('Please process the embedded resource above.'),
      );
    case 'test_prompt_with_image':
      return said({ type: 'image', data: PIXEL, mimeType: 'image/png' }, text('Please analyze the image above.'));
    case 'test_input_required_result_prompt':
      return context.mcpReq.inputResponses?.['user_context'] === undefined
        ? inputRequired({
            inputRequests: {
              user_context: form('What context should the prompt use?', { context: { type: 'string' } }),
            },
          })
        : said(text(`Context: ${JSON.stringify(context.mcpReq.inputResponses['user_context'])}`));
    default:
      return null;
  }
}
