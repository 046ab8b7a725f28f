// Claude does a task in one window with the computer tool: pictures and coordinates.
// node anthropic-computer.mjs "Window title" "What to do"
import Anthropic from '@anthropic-ai/sdk';
import { AnthropicComputer, UiaHostClient } from 'uiahost/client';

const [title = 'uiahost demo', task = 'Tick “Express delivery”.'] = process.argv.slice(2);
const host = await UiaHostClient.connect({ session: 'claude' });
await host.actions.bindToWindow({ title });

const end = await new Anthropic().beta.messages.toolRunner({
  model: process.env['MODEL'] ?? 'claude-opus-5-5',
  max_tokens: 4096,
  max_iterations: 30,
  betas: ['computer-use-2025-11-24'],
  tools: [await AnthropicComputer.open(host)],
  messages: [{ role: 'user', content: task }],
});
for (const part of end.content) if (part.type === 'text') console.log(part.text);
