// What `npm run package` needs beyond npm's packages: wixl and msitools, which make and read MSI files, osslsigncode for
// signatures, xmllint for the policy templates; and npm packages that only packaging needs, from locks of their own in
// installer/. The machine's own programs are used where all are there; else all is unpacked into the cache, without root.
import path from 'node:path';
import { ensureDebianTree } from '../debian.mjs';
import { isWindows } from '../places.mjs';
import { which } from '../processes.mjs';
import { SetupError } from '../progress.mjs';
import { ensureToolTree } from '../tool-tree.mjs';

const names = ['wixl', 'msibuild', 'msiinfo', 'msiextract', 'osslsigncode', 'xmllint'];

const definition = {
  name: 'package-tools',
  packages: [
    'wixl',
    'wixl-data',
    'msitools',
    'libmsi-1.0-0',
    'libgcab-1.0-0',
    'libgsf-1-114',
    'libgsf-1-common',
    'libglib2.0-0t64',
    'libffi8',
    'libmount1',
    'libblkid1',
    'libselinux1',
    'libpcre2-8-0',
    'libatomic1',
    'libxml2',
    'libxml2-utils',
    'liblzma5',
    'libbz2-1.0',
    'zlib1g',
    'libreadline8t64',
    'libtinfo6',
    'osslsigncode',
    // keys on a token or in a hardware security module
    'libengine-pkcs11-openssl',
    'libssl3t64',
    'libzstd1',
  ],
  programs: names.map((name) => `usr/bin/${name}`),
  revision: 1,
};

/**
 * Full paths of the tools, by name; `pkcs11Engine` where OpenSSL would not find it by itself.
 * @returns {Promise<Record<'wixl' | 'msibuild' | 'msiinfo' | 'msiextract' | 'osslsigncode' | 'xmllint', string>>}
 */
export async function ensurePackageTools() {
  const own = Object.fromEntries(names.map((name) => [name, which(name)]));
  if (names.every((name) => own[name] !== undefined)) return /** @type {any} */ (own);
  if (isWindows)
    throw new SetupError(
      'The MSI is made with wixl and msitools, which run on Linux.',
      'node scripts/package.mjs in a checkout on Linux (WSL is enough), or --only with the parts that need neither',
    );
  const missing = names.filter((name) => own[name] === undefined);
  if (!which('apt-get') || !which('dpkg-deb'))
    throw new SetupError(
      `Packaging needs ${missing.join(', ')}, and this machine has no apt to take them from.`,
      'install them with the machine’s package manager, for example: sudo dnf install msitools osslsigncode libxml2',
    );
  const tree = await ensureDebianTree(definition);
  return /** @type {any} */ ({
    ...Object.fromEntries(names.map((name) => [name, path.join(tree, 'usr/bin', name)])),
    pkcs11Engine: path.join(tree, 'usr/lib/x86_64-linux-gnu/engines-3/pkcs11.so'),
  });
}

/**
 * The packages of a lock in installer/, installed into the cache. Returns the folder that holds `node_modules`.
 * @param {'tools' | 'arm64'} name
 */
export const ensureInstallerTree = (name) =>
  ensureToolTree(`installer/${name}`, { options: name === 'arm64' ? ['--os=win32', '--cpu=arm64', '--force'] : [] });
