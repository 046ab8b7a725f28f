// `npm run package`: everything that is delivered, in packages/: the folder for Windows and its zip, the MSI, the npm
// package, the bundle for MCP clients, the templates for Group Policy, the manifests for winget, checksums, the list of
// what is inside. On Linux it installs what it needs and needs no Windows.
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build, buildTypes } from './build.mjs';
import { ensurePackages, ensureWindowsTree } from './lib/dependencies.mjs';
import { writeContents, writeSums } from './lib/package/contents.mjs';
import { partsFor, writeFolder } from './lib/package/folder.mjs';
import { makeMcpb } from './lib/package/mcpb.mjs';
import { makeMsi } from './lib/package/msi/make.mjs';
import { makeClientPackage, makeNpmPackage } from './lib/package/npm-package.mjs';
import { makePolicyZip } from './lib/package/policy.mjs';
import { isSigned, sign, TIME_STAMPS, verifyVendor } from './lib/package/sign.mjs';
import { ensureInstallerTree, ensurePackageTools } from './lib/package/tools.mjs';
import { writeServerJson } from './lib/package/server-json.mjs';
import { writeWinget } from './lib/package/winget.mjs';
import { writeZip } from './lib/package/zip.mjs';
import { callerFolder, isWindows, packageJson, root } from './lib/places.mjs';
import { fail, say, SetupError, step } from './lib/progress.mjs';

const things = ['folder', 'zip', 'msi', 'npm', 'client', 'mcpb', 'server', 'policy', 'winget', 'cdx'];
/** On Windows there are no tools that make an MSI: what needs one is left to Linux (WSL is enough). */
const possible = isWindows ? things.filter((thing) => thing !== 'msi' && thing !== 'winget') : things;
/** What a thing is made of, which is made too. */
const madeOf = { zip: ['folder'], msi: ['folder'], winget: ['msi', 'folder'], cdx: ['folder'], server: ['mcpb'] };

const usage = `Usage: node scripts/package.mjs [OPTION…]
  --only THING            one thing; may be given several times: ${things.join(', ')}
  --out FOLDER            where it goes; default: packages/ of the checkout
  --arch x64|arm64        the machine that they are for; arm64: a folder and a zip as a preview; default: x64
  --sign CERT             sign the MSI, the program, and the native files that carry no signature: PKCS #12, or PEM with
                          the key, or pkcs11:… (RFC 7512) for a key on a token
  --sign-module FILE      PKCS #11 module of the token
  --sign-chain FILE       certificates in PEM, if the token has none
  --sign-password-file F  file with the password of CERT, or the PIN of the token
  --timestamp URL         time-stamp server for the signature; default: ${TIME_STAMPS}; none: no time stamp
  --download-url URL      where the files will be published: makes winget's manifests, and with --mcp-name server
  --mcp-name NAME         name in that registry: your domain backwards, a slash, uiahost
  --help-url URL          page about uiahost, for the list of installed programs and winget; default: none
SHA256SUMS always lists everything of this version in the folder.`;

const PREVIEW = ['folder', 'zip', 'cdx'];

/**
 * Why a thing is not made with these options: no manifest names an address that is not there.
 * @param {string} thing
 * @param {{ arch?: string, downloads?: string, mcpName?: string }} options
 */
function whyNot(thing, { arch, downloads, mcpName }) {
  if (arch === 'arm64' && !PREVIEW.includes(thing)) return `--arch arm64 makes ${PREVIEW.join(', ')} alone`;
  if (/winget|server/.test(thing) && downloads === undefined) return `${thing} needs --download-url`;
  return thing === 'server' && mcpName === undefined ? 'server needs --mcp-name' : undefined;
}

const nameOf = (arch) => `uiahost-${packageJson().version}-win-${arch}${arch === 'arm64' ? '-preview' : ''}`;

const partsOf = async (arch) =>
  partsFor(arch, await ensureWindowsTree(), arch === 'arm64' ? await ensureInstallerTree('arm64') : '');

/**
 * Makes the package's folder in `out`.
 * @param {{ out?: string, arch?: 'x64' | 'arm64' }} [options]
 */
export async function makePackage({ out = path.join(root, 'packages'), arch = 'x64' } = {}) {
  const [, windowsTree, parts] = await Promise.all([ensurePackages(), ensureWindowsTree(), partsOf(arch)]);
  await build({ windowsTree });
  const folder = path.join(out, nameOf(arch));
  if (!isWindows)
    await step('signature of node.exe verified', async () => verifyVendor(await ensurePackageTools(), parts.node));
  await step(`package ${path.basename(folder)}`, () => writeFolder(folder, parts));
  return folder;
}

/**
 * Makes things; returns their files, relative to `out`.
 * @param {object} options
 * @param {string} options.out
 * @param {readonly string[]} [options.only]
 * @param {'x64' | 'arm64'} [options.arch]
 * @param {import('./lib/package/sign.mjs').Signature} [options.signature]
 * @param {string} [options.downloads]
 * @param {string} [options.helpLink]
 * @param {string} [options.mcpName]
 */
export async function makeThings(options) {
  const { out, arch = 'x64', signature, downloads = '', helpLink, mcpName = '' } = options;
  const only = options.only ?? possible.filter((thing) => whyNot(thing, options) === undefined);
  const reason = only.map((thing) => whyNot(thing, options)).find((why) => why !== undefined);
  if (reason !== undefined) throw new SetupError(`${reason}.\n${usage}`);
  const wanted = new Set(only.flatMap((thing) => [thing, ...(madeOf[thing] ?? [])]));
  const has = (thing) => wanted.has(thing);
  mkdirSync(out, { recursive: true });
  const { version, license } = packageJson();
  const at = (name) => path.join(out, name);
  const made = [];
  const make = async (thing, name, work) => {
    if (!has(thing)) return;
    await step(name, () => work(at(name)), { long: thing === 'msi' || thing === 'zip' });
    made.push(name);
  };

  const folderName = nameOf(arch);
  const folder = at(folderName);
  if (has('folder')) {
    await makePackage({ out, arch });
    if (signature)
      await step('programs signed', async () => signNatives(await ensurePackageTools(), folder, signature));
    made.push(folderName);
  }
  await make('zip', `${folderName}.zip`, (file) => writeZip(folder, file, folderName));
  await make('msi', `${folderName}.msi`, async (file) => {
    const tools = await ensurePackageTools();
    await makeMsi({ tools, stage: folder, version, helpLink, out: file });
    if (signature) await sign(tools, file, signature);
  });
  const windowsTree = has('npm') || has('client') || has('mcpb') ? await ensureWindowsTree() : '';
  if (windowsTree) {
    await build({ windowsTree });
    await buildTypes();
  }
  await make('npm', `uiahost-${version}.tgz`, () => makeNpmPackage({ windowsTree, out }));
  await make('client', `uiahost-client-${version}.tgz`, () => makeClientPackage({ out }));
  await make('mcpb', `uiahost-${version}.mcpb`, makeMcpb);
  await make('server', `uiahost-${version}.server.json`, (file) =>
    writeServerJson(file, { mcpb: at(`uiahost-${version}.mcpb`), name: mcpName, downloads, helpLink }),
  );
  await make('policy', `uiahost-policy-${version}.zip`, makePolicyZip);
  await make('winget', 'winget', async (target) =>
    writeWinget({
      tools: await ensurePackageTools(),
      folder: target,
      version,
      license,
      helpLink,
      downloads,
      msi: at(`${folderName}.msi`),
    }),
  );
  await make('cdx', `${folderName}.cdx.json`, async (file) =>
    writeContents(file, { parts: await partsOf(arch), folder, arch }),
  );
  await step('SHA256SUMS', () => writeSums(out, filesToSum(out, version)));
  return made;
}

/** Signs the program, and the native files that carry no signature; others keep their publisher's. */
async function signNatives(tools, folder, signature) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name);
    if (/\.(exe|node|dll)$/.test(name) && !(await isSigned(tools, file))) await sign(tools, file, signature);
  }
}

/** Names of this version's files in the folder. */
const filesToSum = (out, version) =>
  readdirSync(out, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.includes(`-${version}`) && entry.name.startsWith('uiahost-'))
    .map(({ name }) => name);

function optionsOf(args) {
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        out: { type: 'string' },
        only: { type: 'string', multiple: true },
        arch: { type: 'string', default: 'x64' },
        sign: { type: 'string' },
        'sign-module': { type: 'string' },
        'sign-chain': { type: 'string' },
        'help-url': { type: 'string' },
        'sign-password-file': { type: 'string' },
        timestamp: { type: 'string' },
        'download-url': { type: 'string' },
        'mcp-name': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }));
  } catch (error) {
    throw new SetupError(`${error.message}\n${usage}`);
  }
  const only = values.only?.flatMap((word) => word.split(','));
  const unknown = only?.find((thing) => !things.includes(thing));
  if (unknown !== undefined) throw new SetupError(`Unknown thing "${unknown}".\n${usage}`);
  if (values.arch !== 'x64' && values.arch !== 'arm64')
    throw new SetupError(`Unknown architecture "${values.arch}".\n${usage}`);
  if (values['mcp-name'] !== undefined && !/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(values['mcp-name']))
    throw new SetupError('--mcp-name: expected a name such as com.example/uiahost.');
  const given = (name) => (values[name] === undefined ? undefined : path.resolve(callerFolder(), values[name]));
  const isToken = values.sign?.startsWith('pkcs11:') === true;
  const certificate = isToken ? given('sign-chain') : given('sign');
  const module = given('sign-module');
  for (const file of [certificate, module, given('sign-password-file')])
    if (file !== undefined && !existsSync(file)) throw new SetupError(`${file} does not exist.`);
  if (isToken !== (module !== undefined))
    throw new SetupError('--sign pkcs11:… and --sign-module belong together: the key, and the module of its token.');
  const token = isToken ? { module: module ?? '', key: values.sign ?? '' } : undefined;
  return {
    help: values.help,
    out: given('out') ?? path.join(root, 'packages'),
    ...(only ? { only } : {}),
    arch: /** @type {'x64' | 'arm64'} */ (values.arch),
    ...(values.sign === undefined
      ? {}
      : {
          signature: {
            certificate,
            token,
            passwordFile: given('sign-password-file'),
            ...(values.timestamp === undefined
              ? {}
              : { timestamp: values.timestamp === 'none' ? null : values.timestamp }),
          },
        }),
    ...(values['help-url'] ? { helpLink: values['help-url'] } : {}),
    ...(values['download-url'] ? { downloads: values['download-url'] } : {}),
    ...(values['mcp-name'] ? { mcpName: values['mcp-name'] } : {}),
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const { help, ...options } = optionsOf(process.argv.slice(2));
    if (help) {
      process.stdout.write(`${usage}\n`);
    } else {
      const made = await makeThings(options);
      if (options.signature === undefined)
        say('unsigned: administrators allow these files by the hashes in SHA256SUMS');
      if (isWindows) say('left to Linux: the MSI, winget’s manifests, and all signatures');
      for (const name of [...made, 'SHA256SUMS']) {
        const file = path.join(options.out, name);
        const size = statSync(file).isFile() ? `, ${(statSync(file).size / 2 ** 20).toFixed(1)} MB` : '';
        say(`${path.relative(callerFolder(), file)}${size}`);
      }
    }
  } catch (error) {
    fail(error);
  }
}
