/**
 * Entry of what `uiahost doctor`, `policy show --sources` and `support-bundle` ask of the machine where no host answers, or in
 * addition to it: one word, then the data directory or a file, then `running` (a host answered) and `audit` (verify it). Prints one line of JSON.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSetting } from '../contract/process/settings.ts';
import { badInput, UiaHostError } from '../contract/errors.ts';
import { DEFAULT_PORT } from '../host/home/config.ts';
import { type Installation, machineFacts, sessionFindings } from '../inspection/facts.ts';
import { judgeMachineFacts } from '../inspection/findings.ts';
import { personalData, removePersonalData } from '../inspection/personal-data.ts';
import { machineSettings, policySourcesOf } from '../inspection/policy.ts';
import { repair } from '../inspection/repair.ts';
import { restrictToUser } from '../win32/system/acl.ts';
import { accountSid } from '../win32/services/user-sessions.ts';
import { readEvents } from '../win32/system/event-log.ts';
import { machinePort } from '../win32/system/policy-registry.ts';
import { answerLine } from './answer-line.ts';

declare const __VERSION__: string;

const file = (name: string): string =>
  fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? `./${name}.ts` : `./${name}.mjs`, import.meta.url));

/** The port that a host would take here; 0 takes any free one. */
function portOf(): number {
  const policy = machineSettings().host.port;
  const given = Number(policy ?? readSetting(process.env, 'UIAHOST_PORT') ?? machinePort() ?? DEFAULT_PORT);
  return Number.isInteger(given) ? given : DEFAULT_PORT;
}

const installation: Installation = {
  version: typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0',
  folder: dirname(dirname(file('inspect'))),
  files: {
    node: process.execPath,
    service: file('service'),
    host: file('host'),
    link: file('fleet'),
    command: file(import.meta.url.endsWith('.ts') ? '../cli/main' : 'cli'),
  },
  port: portOf(),
};

/** Errors: not_found for an unknown account. */
function restrict(path: string, account: string): { restricted: true } {
  const sid = account === '' ? undefined : accountSid(account);
  if (sid === null)
    throw new UiaHostError('not_found', `Windows does not know the account ${JSON.stringify(account)}.`, {
      hint: 'Give it as DOMAIN\\name, or as a SID.',
    });
  restrictToUser(path, sid);
  return { restricted: true };
}

async function answer(word: string, data: string, flags: readonly string[]): Promise<unknown> {
  switch (word) {
    case 'look': {
      const isHostRunning = flags.includes('running');
      const facts = await machineFacts(data, installation, flags.includes('audit'));
      const session = isHostRunning ? [] : sessionFindings();
      return { findings: [...session, ...judgeMachineFacts(facts, isHostRunning)], facts };
    }
    case 'fix':
      return { fixed: await repair(await machineFacts(data, installation)) };
    case 'find-data':
    case 'remove-data': {
      const found = personalData(flags[0] === 'left' ? 'left' : { account: data });
      return { found, kept: word === 'remove-data' ? removePersonalData(found) : [] };
    }
    case 'restrict':
      return restrict(data, flags[0] ?? '');
    case 'policy':
      return policySourcesOf(join(data, 'policy.json'));
    case 'events':
      return readEvents('uiahost', 100);
    default:
      throw badInput(`Unknown word ${JSON.stringify(word)}.`);
  }
}

const [word = '', data = '', ...flags] = process.argv.slice(2);
await answerLine(() => answer(word, data, flags));
