/** The policy that a host would have, and where each value comes from: for where no host runs. */
import { existsSync, readFileSync, watchFile } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PolicySources } from '../contract/gate/policy-sources.ts';
import { checkPolicyText, describeProblems } from '../policy/file/policy-file.ts';
import { PolicyStore } from '../policy/file/policy-store.ts';
import { registryPolicy } from '../policy/file/registry-policy.ts';
import { POLICY_KEY } from '../policy/file/registry-values.ts';
import { machineFolder } from '../win32/services/machine-folder.ts';
import { readPolicyRegistry, watchMachineRegistry } from '../win32/system/policy-registry.ts';
import { USER_STATE } from '../win32/system/user-state.ts';
import { whyNotAdministrators } from '../win32/system/trust.ts';

/** How often the service looks at the machine's policy file. */
const LOOK_EVERY_MS = 2000;

function machineFile(): string | null {
  const folder = machineFolder();
  return folder === null ? null : join(folder, 'policy.json');
}

/** Why the machine's policy, in the registry or its file, is not valid: no host starts then. Null if it is. */
export function machinePolicyProblem(): string | null {
  const { machine, writable } = readPolicyRegistry(POLICY_KEY);
  const { refused } = registryPolicy({ machine, user: null, writable });
  const file = machineFile();
  const said = refused.map((each) => describeProblems(each.file, each.problems));
  try {
    const check = file === null || !existsSync(file) ? null : checkPolicyText(readFileSync(file, 'utf8'));
    if (check?.file === null) said.push(describeProblems(file ?? '', check.problems));
  } catch (error) {
    said.push(`${file ?? ''}: the file cannot be read (${String((error as NodeJS.ErrnoException).code)})`);
  }
  return said.length === 0 ? null : said.join('\n');
}

/** Calls `changed` when the machine's policy may have changed, for as long as the process lives. */
export function watchMachinePolicy(changed: () => void): void {
  watchMachineRegistry(POLICY_KEY, changed);
  const file = machineFile();
  if (file !== null) watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, changed);
}

/** Errors: invalid_argument naming what is not valid, as when a host starts. */
export async function policySourcesOf(userFile: string): Promise<PolicySources> {
  const problems: string[] = [];
  const store = await PolicyStore.open({
    path: userFile,
    machinePath: machineFile(),
    whyNotBelieved: whyNotAdministrators,
    registry: { read: () => registryPolicy(readPolicyRegistry(POLICY_KEY)), watch: () => () => {} },
    isInstalled: existsSync(join(process.execPath, '..', 'dist', 'host.mjs')),
    agreement: { read: () => USER_STATE.readFolder(dirname(userFile)), write: () => {} },
    onRefused: (file, found) => problems.push(describeProblems(file, found)),
  });
  try {
    return { settings: store.settings(), problems: [...problems, ...store.writableKeys, ...store.unknownNames] };
  } finally {
    store.close();
  }
}
