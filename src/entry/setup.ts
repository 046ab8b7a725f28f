/**
 * Steps of the MSI that its own tables cannot carry out. The installation runs this as the system, with the Node of the package;
 * a status other than 0 undoes it. The reason goes to the event log: an installer does not show what a program prints.
 */
import { createServer } from 'node:net';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { UiaHostError } from '../contract/errors.ts';
import { applyLevel, applyPolicyFile, forgetEarlier, undoPolicy } from '../policy/file/machine-file.ts';
import { knownFolder } from '../win32/apps/folders.ts';
import { writeEvent } from '../win32/system/event-log.ts';
import { secureMachineFolder } from '../win32/system/machine-folder.ts';
import { executableOf, withProcess } from '../win32/system/process.ts';
import { parentProcesses } from '../win32/system/process-tree.ts';

const EVENT_SOURCE = 'uiahost';

function machineFolder(): string {
  const folder = knownFolder('programData');
  if (folder === null) throw new UiaHostError('internal', 'Windows does not name the folder of the machine’s data.');
  return join(folder, 'uiahost');
}

const policyFile = (): string => join(machineFolder(), 'policy.json');

/** Lets the administrators alone write the folder; where the file system has no rights, says so and continues. */
async function prepareFolder(): Promise<void> {
  const why = secureMachineFolder(machineFolder());
  if (why !== null)
    await writeEvent(EVENT_SOURCE, `Setup: the rights of the machine’s data are not as intended: ${why}.`);
}

/** Errors: invalid_argument naming the port, where another program listens on it. */
function checkPort(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new UiaHostError('invalid_argument', `PORT is ${port}, which another program uses (${String(error.code)}).`, {
          hint: 'Give another port, or end that program.',
        }),
      ),
    );
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve()));
  });
}

/** Ends what still runs from this installation, such as the bridges of clients; the service has ended its hosts in order before. */
function endPrograms(): void {
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

const steps: Readonly<Record<string, (...words: string[]) => void | Promise<void>>> = {
  port: (port = '') => checkPort(Number(port)),
  policy: async (file = '', level = '') => {
    await prepareFolder();
    forgetEarlier(policyFile());
    applyPolicyFile(policyFile(), file, level);
  },
  level: async (level = '', given = '') => {
    await prepareFolder();
    forgetEarlier(policyFile());
    applyLevel(policyFile(), level, given !== '');
  },
  undo: (had = '') => undoPolicy(policyFile(), had !== ''),
  'remove-data': () => rmSync(machineFolder(), { recursive: true, force: true }),
  'end-programs': endPrograms,
};

const [name = '', ...words] = process.argv.slice(2);
try {
  const step = steps[name];
  if (step === undefined) throw new UiaHostError('invalid_argument', `Unknown step ${JSON.stringify(name)} of setup.`);
  await step(...words);
} catch (error) {
  const text =
    error instanceof UiaHostError
      ? `${error.message}\n${error.hint}`
      : String(error instanceof Error ? error.stack : error);
  process.exitCode = 1;
  await writeEvent(EVENT_SOURCE, `Setup could not carry out the step ${name}. ${text}`).catch(() => false);
  process.stderr.write(`${text}\n`);
}
