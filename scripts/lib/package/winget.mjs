// Manifests for the Windows Package Manager, with the hash of the MSI: learn.microsoft.com/windows/package-manager/package/manifest
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readTables } from './msi/read.mjs';
import { UPGRADE_CODE } from './msi/tables.mjs';
import { sha256 } from './zip.mjs';

const id = 'uiahost.uiahost';
const manifestVersion = '1.12.0';

/**
 * @param {object} options
 * @param {Record<string, string>} options.tools paths by name (tools.mjs)
 * @param {string} options.folder is replaced
 * @param {string} options.version
 * @param {string} options.license
 * @param {string} options.downloads address of the folder that the MSI is published in
 * @param {string} [options.helpLink]
 * @param {string} options.msi
 */
export async function writeWinget({ tools, folder, version, license, downloads, helpLink, msi }) {
  const head = (type) =>
    `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${type}.${manifestVersion}.schema.json\nPackageIdentifier: ${id}\nPackageVersion: ${version}\n`;
  const foot = (type) => `ManifestType: ${type}\nManifestVersion: ${manifestVersion}\n`;
  const locale = (language, short, tags) => `PackageLocale: ${language}
Publisher: uiahost
PackageName: uiahost
${helpLink === undefined ? '' : `PackageUrl: ${helpLink}\n`}License: ${license}
ShortDescription: ${short}
Tags:
${tags.map((tag) => `- ${tag}\n`).join('')}`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const write = (name, text) => writeFileSync(path.join(folder, `${id}${name}.yaml`), text);
  write('', `${head('version')}DefaultLocale: en-US\n${foot('version')}`);
  write(
    '.installer',
    `${head('installer')}Platform:
- Windows.Desktop
MinimumOSVersion: 10.0.14393.0
InstallerType: msi
Scope: machine
InstallModes:
- silent
- silentWithProgress
UpgradeBehavior: install
ElevationRequirement: elevatesSelf
Commands:
- uiahost
AppsAndFeaturesEntries:
- UpgradeCode: '{${UPGRADE_CODE}}'
Installers:
- Architecture: x64
  InstallerUrl: ${downloads.replace(/\/$/, '')}/${path.basename(msi)}
  InstallerSha256: ${(await sha256(msi)).toUpperCase()}
  ProductCode: '${await productCode(tools, msi)}'
${foot('installer')}`,
  );
  write(
    '.locale.en-US',
    `${head('defaultLocale')}${locale('en-US', 'Windows UI Automation agent host, with a person in control', ['automation', 'mcp', 'ui-automation'])}${foot('defaultLocale')}`,
  );
  write(
    '.locale.de-DE',
    `${head('locale')}${locale('de-DE', 'Windows-UI-Automation-Host für Agenten, unter Aufsicht eines Menschen', ['automatisierung', 'mcp', 'ui-automation'])}${foot('locale')}`,
  );
}

async function productCode(tools, msi) {
  const { Property } = await readTables(tools, msi);
  return Property?.rows.find((row) => row.Property === 'ProductCode')?.Value;
}
