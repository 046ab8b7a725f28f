/**
 * Steps of the MSI that its own tables cannot carry out. The installation runs this as the system, with the Node of the package;
 * a status other than 0 undoes it. The reason goes to the event log: an installer does not show what a program prints.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { badInput, UiaHostError } from '../contract/errors.ts';
import { quoted } from '../contract/json/quoted.ts';
import { knownFolder } from '../win32/apps/folders.ts';
import { reportEvent } from '../win32/system/event-log.ts';

const EVENT_SOURCE = 'uiahost';
/** Their numbers in the event log: docs/deploy/siem.md. */
const FAILED_EVENT = 110;
const RIGHTS_EVENT = 111;

function machineFolder(): string {
  const folder = knownFolder('programData');
  if (folder === null) throw new UiaHostError('internal', 'Windows does not name the folder of the machine’s data.');
  return join(folder, 'uiahost');
}

const policyFile = (): string => join(machineFolder(), 'policy.json');

/** Lets only administrators write to the folder; where the file system has no rights, reports it and continues. */
async function prepareFolder(): Promise<void> {
  const { secureMachineFolder } = await import('../win32/services/machine-folder.ts');
  const why = secureMachineFolder(machineFolder());
  if (why !== null)
    await reportEvent(
      EVENT_SOURCE,
      'warning',
      RIGHTS_EVENT,
      `Setup: the rights of the machine’s data are not as intended: ${why}.`,
    );
}

/** Errors: invalid_argument naming the port, if it is not one or another program listens on it. */
async function checkPort(text: string): Promise<void> {
  const port = /^[1-9][0-9]{0,4}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535)
    throw badInput(`PORT is ${quoted(text)}, which is not a port (1 to 65535).`, {
      hint: 'Give a number from 1 to 65535. Nothing was changed.',
    });
  const { createServer } = await import('node:net');
  await new Promise<void>((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        badInput(`PORT is ${port}, which another program uses (${String(error.code)}).`, {
          hint: 'Give another port, or end that program.',
        }),
      ),
    );
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve()));
  });
}

/** Ends what still runs from this installation, such as clients' bridges, once the service has ended its hosts in order. */
async function endPrograms(): Promise<void> {
  const [{ executableOf, withProcess }, { parentProcesses }, { awaitServiceStop }] = await Promise.all([
    import('../win32/system/process.ts'),
    import('../win32/system/process.ts'),
    import('../service/commands.ts'),
  ]);
  // Windows waits for the service by itself, but no longer than 30 seconds; what is left then is ended here.
  await awaitServiceStop().catch(() => {});
  const own = process.execPath.toLowerCase();
  for (const pid of parentProcesses().keys()) {
    if (pid === process.pid || pid === process.ppid) continue;
    if (withProcess(pid, executableOf)?.toLowerCase() !== own) continue;
    try {
      process.kill(pid);
    } catch {
      // it has just ended by itself
    }
  }
}

/** The schemas of the policy are half of this program: the steps that do not need them start without. */
const machineFile = (): Promise<typeof import('../policy/file/machine-file.ts')> =>
  import('../policy/file/machine-file.ts');

const steps: Readonly<Record<string, (...words: string[]) => void | Promise<void>>> = {
  port: (port = '') => checkPort(port),
  policy: async (file = '', level = '') => {
    await prepareFolder();
    const { applyPolicyFile, forgetEarlier } = await machineFile();
    forgetEarlier(policyFile());
    applyPolicyFile(policyFile(), file, level);
  },
  level: async (level = '', given = '') => {
    await prepareFolder();
    const { applyLevel, forgetEarlier } = await machineFile();
    forgetEarlier(policyFile());
    applyLevel(policyFile(), level, given !== '');
  },
  undo: async (had = '') => (await machineFile()).undoPolicy(policyFile(), had !== ''),
  'remove-data': () => rmSync(machineFolder(), { recursive: true, force: true }),
  'end-programs': endPrograms,
};

const [name = '', ...words] = process.argv.slice(2);
try {
  const step = steps[name];
  if (step === undefined) throw badInput(`Unknown step ${JSON.stringify(name)} of setup.`);
  await step(...words);
} catch (error) {
  const text =
    error instanceof UiaHostError
      ? `${error.message}\n${error.hint}`
      : String(error instanceof Error ? error.stack : error);
  process.exitCode = 1;
  await reportEvent(EVENT_SOURCE, 'error', FAILED_EVENT, `Setup could not carry out the step ${name}. ${text}`).catch(
    () => false,
  );
  process.stderr.write(`${text}\n`);
}
