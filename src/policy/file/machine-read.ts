/** Reads what administrators set for the machine, registry and file together, without a host. */
import { existsSync, readFileSync } from 'node:fs';
import type { PolicyRegistryContent } from '../../contract/gate/registry-content.ts';
import type { MachineLayers } from './machine-layers.ts';
import { checkPolicyText, describeProblems, type PolicyFile } from './policy-file.ts';
import { registryPolicy } from './registry-policy.ts';

export interface MachinePolicyRead {
  readonly layers: MachineLayers;
  /** What is not valid, in sentences: then nothing of it counts. */
  readonly refused: readonly string[];
}

/** `file`: the machine's policy file, which need not exist. `whyNotBelieved`: why that file is not the administrators' alone. */
export function readMachinePolicy(
  content: PolicyRegistryContent,
  file: string | null,
  whyNotBelieved: (file: string) => string | null,
): MachinePolicyRead {
  const registry = registryPolicy(content);
  const refused = registry.refused.map((each) => describeProblems(each.file, each.problems));
  let policy: PolicyFile | null = null;
  let isFileBelieved = true;
  try {
    if (file !== null && existsSync(file)) {
      isFileBelieved = whyNotBelieved(file) === null;
      const check = checkPolicyText(readFileSync(file, 'utf8'));
      policy = check.file;
      if (policy === null) refused.push(describeProblems(file, check.problems));
    }
  } catch (error) {
    refused.push(`${file ?? ''}: the file cannot be read (${String((error as NodeJS.ErrnoException).code)})`);
  }
  return { layers: { file: policy, isFileBelieved, registry: registry.layers }, refused };
}
