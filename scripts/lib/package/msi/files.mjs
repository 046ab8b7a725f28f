// The files of a folder as a WiX source: one component each, whose ids and GUIDs follow from the path, so that they are the
// same in every version.
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const sha1 = (text) => createHash('sha1').update(text).digest();
const idOf = (kind, place) => kind + sha1(place).toString('hex').slice(0, 12);

/** A name-based GUID (RFC 9562, version 5 layout) in the notation of Windows Installer. */
export function guidOf(name) {
  const hash = sha1(`uiahost installer\0${name}`);
  hash[6] = (hash[6] & 0x0f) | 0x50;
  hash[8] = (hash[8] & 0x3f) | 0x80;
  const hex = hash.toString('hex').toUpperCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

/** Wine and Windows make no short names themselves for what a package names: `SHORT|long name`. */
function shortName(name) {
  if (/^[A-Za-z0-9_-]{1,8}(\.[A-Za-z0-9_-]{1,3})?$/.test(name)) return undefined;
  const ending = /\.([A-Za-z0-9]+)$/.exec(name)?.[1];
  return `${sha1(name).toString('hex').slice(0, 8)}${ending ? `.${ending.slice(0, 3)}` : ''}`.toUpperCase();
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** File names of a folder and the folders below it, with `/`, sorted. */
export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

/**
 * @param {string} stage folder that is installed
 * @param {(file: string) => boolean} isOurs files that product.wxs names itself
 */
export function filesSource(stage, isOurs) {
  const components = [];
  const walk = (place, indent) =>
    readdirSync(path.join(stage, place), { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((entry) => {
        const file = place ? `${place}/${entry.name}` : entry.name;
        if (entry.isDirectory()) {
          const short = shortName(entry.name);
          return `${indent}<Directory Id="${idOf('d', file)}" Name="${short ? `${short}|` : ''}${escaped(entry.name)}">\n${walk(file, `${indent}  `)}${indent}</Directory>\n`;
        }
        if (isOurs(file)) return '';
        components.push(idOf('c', file));
        const short = shortName(entry.name);
        return `${indent}<Component Id="${idOf('c', file)}" Guid="${guidOf(file)}" Win64="yes"><File Id="${idOf('f', file)}" Name="${short ? `${short}|` : ''}${escaped(entry.name)}" Source="$(var.STAGE)/${escaped(file)}" KeyPath="yes"/></Component>\n`;
      })
      .join('');
  const directories = walk('', '      ');
  return `<?xml version="1.0" encoding="utf-8"?>
<Wix xmlns="http://schemas.microsoft.com/wix/2006/wi">
  <Fragment>
    <DirectoryRef Id="INSTALLDIR">
${directories}    </DirectoryRef>
    <ComponentGroup Id="Files">
${components.map((id) => `      <ComponentRef Id="${id}"/>`).join('\n')}
    </ComponentGroup>
  </Fragment>
</Wix>
`;
}
