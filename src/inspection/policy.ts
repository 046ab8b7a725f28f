/** The policy that a host would have, and where each value comes from: for where no host runs. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PolicySources } from '../contract/gate/policy-sources.ts';
import { describeProblems } from '../policy/file/policy-file.ts';
import { PolicyStore } from '../policy/file/policy-store.ts';
import { registryPolicy } from '../policy/file/registry-policy.ts';
import { POLICY_KEY } from '../policy/file/registry-values.ts';
import { machineFolder } from '../win32/services/machine-folder.ts';
import { readPolicyRegistry } from '../win32/system/policy-registry.ts';
import { USER_STATE } from '../win32/system/user-state.ts';
import { whyNotAdministrators } from '../win32/system/trust.ts';

/** Errors: invalid_argument naming what is not valid, as when a host starts. */
export async function policySourcesOf(userFile: string): Promise<PolicySources> {
  const folder = machineFolder();
  const problems: string[] = [];
  const store = await PolicyStore.open({
    path: userFile,
    machinePath: folder === null ? null : join(folder, 'policy.json'),
    whyNotBelieved: whyNotAdministrators,
    registry: { read: () => registryPolicy(readPolicyRegistry(POLICY_KEY)), watch: () => () => {} },
    isInstalled: existsSync(join(process.execPath, '..', 'dist', 'host.mjs')),
    agreement: { read: () => USER_STATE.readFolder(dirname(userFile)), write: () => {} },
    onRefused: (file, found) => problems.push(describeProblems(file, found)),
  });
  try {
    return { settings: store.settings(), problems: [...problems, ...store.writableKeys] };
  } finally {
    store.close();
  }
}
