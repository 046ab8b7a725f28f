// A model does a task in one window by its elements: uiahost's own tools instead of pictures.
// node toolset.mjs anthropic|openai "Window title" "What to do"
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { ResponsesToolRunner } from 'openai/helpers/responses-tool-runner';
import { Toolset, UiaHostClient } from 'uiahost/client';

const [vendor = 'anthropic', title = 'uiahost demo', task = 'Tick “Express delivery”.'] = process.argv.slice(2);
const host = await UiaHostClient.connect({ session: vendor });
await host.actions.bindToWindow({ title });
const toolset = await Toolset.open(host, {
  names: ['snapshot', 'click_element', 'type_into_element', 'select_element', 'read_table', 'wait_for'],
});

if (vendor === 'openai') {
  const runner = new ResponsesToolRunner({ functions: toolset.openai() });
  const end = await runner.run(new OpenAI(), {
    model: process.env['MODEL'] ?? 'gpt-5.5',
    input: [{ role: 'user', content: task }],
  });
  console.log(end.output_text);
} else {
  const end = await new Anthropic().beta.messages.toolRunner({
    model: process.env['MODEL'] ?? 'claude-opus-5-5',
    max_tokens: 4096,
    max_iterations: 30,
    tools: toolset.anthropic(),
    messages: [{ role: 'user', content: task }],
  });
  for (const part of end.content) if (part.type === 'text') console.log(part.text);
}
