// The templates for Group Policy as they are put into a central store: PolicyDefinitions with its languages.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { toolNode } from '../dependencies.mjs';
import { isWindows, root } from '../places.mjs';
import { filesBelow } from './msi/files.mjs';
import { ensurePackageTools } from './tools.mjs';
import { writeZip } from './zip.mjs';

const exec = promisify(execFile);

/** @param {string} file */
export async function makePolicyZip(file) {
  const folder = path.join(root, 'installer/policy');
  await exec(toolNode(), [path.join(root, 'scripts/generate-policy-templates.ts'), '--check']);
  if (!isWindows) {
    const { xmllint } = await ensurePackageTools();
    const schema = path.join(root, 'installer/policy-schema.xsd');
    await exec(xmllint, ['--noout', '--schema', schema, ...filesBelow(folder).map((each) => path.join(folder, each))]);
  }
  await writeZip(folder, file, 'PolicyDefinitions');
}
