// An OpenAI model does a task in one window with the computer tool: pictures and coordinates.
// node openai-computer.mjs "Window title" "What to do"
import OpenAI from 'openai';
import { ComputerToolset } from 'openai/helpers/computer';
import { OpenAIComputer, UiaHostClient } from 'uiahost/client';

const [title = 'uiahost demo', task = 'Tick “Express delivery”.'] = process.argv.slice(2);
const host = await UiaHostClient.connect({ session: 'openai' });
await host.actions.bindToWindow({ title });

const computer = new ComputerToolset(new OpenAIComputer(host));
const end = await computer.run(
  new OpenAI(),
  { model: process.env['MODEL'] ?? 'gpt-5.5', input: [{ role: 'user', content: task }] },
  // The host's own gate asks a person where the policy requires it; the model's checks are shown here.
  {
    approveSafetyChecks: ({ pending_safety_checks: checks }) => {
      for (const { code, message } of checks) console.error(`safety check ${code ?? ''}: ${message ?? ''}`);
      return process.env['APPROVE_SAFETY_CHECKS'] === '1';
    },
  },
);
console.log(end.output_text);
