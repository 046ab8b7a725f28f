// zsh and fish for the tests of completion: the machine's own, else from Debian's packages, unpacked into the cache.
import path from 'node:path';
import { ensureDebianTree } from './debian.mjs';
import { which } from './processes.mjs';

const definition = {
  name: 'shells',
  packages: [
    'zsh',
    'zsh-common',
    'libcap2',
    'libtinfo6',
    'libncursesw6',
    'libpcre2-8-0',
    'fish',
    'fish-common',
    'libpcre2-32-0',
  ],
  programs: ['usr/bin/zsh', 'usr/bin/fish'],
  revision: 1,
};

/**
 * @typedef {object} Shells
 * @property {string} zsh
 * @property {string} fish
 * @property {string} zshSetup lines that a zsh from the cache needs first: where its modules and functions are
 */

/** @returns {Promise<Shells>} */
export async function ensureShells() {
  const [zsh, fish] = [which('zsh'), which('fish')];
  if (zsh && fish) return { zsh, fish, zshSetup: '' };
  const tree = await ensureDebianTree(definition);
  const at = (part) => path.join(tree, part);
  return {
    zsh: zsh ?? at('usr/bin/zsh'),
    fish: fish ?? at('usr/bin/fish'),
    zshSetup: zsh
      ? ''
      : `module_path=(${at('usr/lib/x86_64-linux-gnu/zsh')}/*(/))\nfpath=(${at('usr/share/zsh/functions')}/**/*(/) ${at('usr/share/zsh/functions')})\n`,
  };
}
