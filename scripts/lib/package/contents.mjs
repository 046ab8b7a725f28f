// What is inside, as CycloneDX (cyclonedx.org), and the checksums of what was made.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packageJson, root } from '../places.mjs';
import { runtimePackages } from './folder.mjs';
import { guidOf } from './msi/files.mjs';
import { sha256 } from './zip.mjs';

/** Writes the list of everything that runs, by the lock: no times in it, so the same sources give the same bytes. */
export function writeContents(file) {
  const { name, version, description, license } = packageJson();
  const lock = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  const ref = (each, its) => `pkg:npm/${each.replace('@', '%40')}@${its}`;
  const components = runtimePackages()
    .map(([place, { version: its, license: terms, integrity }]) => {
      const each = place.replace(/^.*node_modules\//, '');
      const [group, short] = each.startsWith('@') ? each.split('/') : [undefined, each];
      return {
        type: each.startsWith('node-win') ? 'application' : 'library',
        'bom-ref': ref(each, its),
        ...(group ? { group } : {}),
        name: short,
        version: its,
        purl: ref(each, its),
        ...(terms ? { licenses: [{ expression: terms }] } : {}),
        ...(integrity?.startsWith('sha512-')
          ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }] }
          : {}),
      };
    })
    .sort((a, b) => (a.purl < b.purl ? -1 : 1))
    .filter(({ purl }, index, all) => purl !== all[index - 1]?.purl);
  const own = ref(name, version);
  const list = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${guidOf(`contents ${version} ${lock}`).toLowerCase()}`,
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': own,
        name,
        version,
        description,
        purl: own,
        licenses: [{ expression: license }],
      },
    },
    components,
    dependencies: [{ ref: own, dependsOn: components.map((each) => each['bom-ref']) }],
  };
  writeFileSync(file, `${JSON.stringify(list, null, 2)}\n`);
}

/** Writes SHA256SUMS as sha256sum does, for `sha256sum --check`. */
export async function writeSums(out, files) {
  const lines = [];
  for (const file of [...files].sort()) lines.push(`${await sha256(path.join(out, file))}  ${file}\n`);
  writeFileSync(path.join(out, 'SHA256SUMS'), lines.join(''));
}
