/**
 * Entry of the Windows service, and of what `uiahost service …` and `uiahost autostart …` do: `service.mjs run` is what the
 * service manager starts; every other word prints one line of JSON for the command.
 */
import { fileURLToPath } from 'node:url';
import { SERVICE_NAME } from '../contract/process/service-channel.ts';
import { carryOut, type ServiceFiles } from '../service/commands.ts';
import { serve } from '../service/serve.ts';
import { answerLine } from './answer-line.ts';

const file = (name: string): string =>
  fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? `./${name}.ts` : `./${name}.mjs`, import.meta.url));
const files: ServiceFiles = {
  node: process.execPath,
  service: file('service'),
  host: file('host'),
  link: file('fleet'),
  command: file(import.meta.url.endsWith('.ts') ? '../cli/main' : 'cli'),
};

/** Half of the program are its schemas: what needs none of them starts without. */
const inspection = (): Promise<typeof import('../inspection/policy.ts')> => import('../inspection/policy.ts');

const [word = '', ...rest] = process.argv.slice(2);
if (word === 'run') {
  // Standard output is not touched: the service manager gives a service none.
  const { fleetRules, hostScope, watchMachinePolicy } = await inspection();
  const isServed = await serve(SERVICE_NAME, files, { scope: hostScope, fleet: fleetRules, watch: watchMachinePolicy });
  if (!isServed) process.stderr.write('Only the service manager starts this. Try: uiahost service start\n');
  process.exit(isServed ? 0 : 1);
} else {
  await answerLine(() => carryOut(word, rest, files, inspection));
}
