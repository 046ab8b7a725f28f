// Signatures by osslsigncode: that of Node's vendor is verified, ours is made where a certificate is given.
import { execFile } from 'node:child_process';
import { readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from '../places.mjs';
import { SetupError } from '../progress.mjs';

const exec = promisify(execFile);

/** The root that Node's certificates lead to; SHA-256 5367F20C7ADE0E2BCA790915056D086B720C33C1FA2A2661ACF787E3292E1270. */
const vendorRoot = path.join(root, 'installer/certificates/microsoft-identity-verification-root-2020.pem');
const vendor = /^\s*Subject: .*\/O=OpenJS Foundation\/CN=OpenJS Foundation\s*$/m;

/**
 * Errors: SetupError where node.exe is not as its vendor signed it: no signature, another signer, another root, changed bytes.
 * @param {Record<string, string>} tools
 * @param {string} file
 */
export async function verifyVendor(tools, file) {
  const args = ['verify', '-in', file, '-CAfile', vendorRoot, '-TSA-CAfile', vendorRoot, '-ignore-crl'];
  const { stdout = '', stderr = '' } = await exec(tools.osslsigncode, args).catch((error) => error);
  const isWhole = /^Signature verification: ok$/m.test(stdout) && /^Succeeded$/m.test(stdout);
  if (isWhole && vendor.test(stdout)) return;
  const why =
    /No signature found/i.test(stdout + stderr) || !/Subject:/.test(stdout)
      ? 'it has no signature'
      : isWhole
        ? 'another publisher signed it'
        : 'its signature does not verify';
  throw new SetupError(
    `${file} is not the Node that its vendor published: ${why}. Nothing was packaged.`,
    'remove the folder that it is in and run the command again, which fetches it anew',
  );
}

/**
 * Whether a file carries a signature, of any publisher.
 * @param {Record<string, string>} tools
 * @param {string} file
 */
export async function isSigned(tools, file) {
  const { stdout = '' } = await exec(tools.osslsigncode, ['verify', '-in', file, '-ignore-crl']).catch(
    (error) => error,
  );
  return /Subject:/.test(stdout);
}

/** Without the time of a third party a signature ends with its certificate. */
export const TIME_STAMPS = 'http://timestamp.digicert.com';

/**
 * @typedef {object} Signature
 * @property {string} [certificate] PKCS #12, or PEM with the key; for a key on a token its certificates in PEM
 * @property {{ module: string, key: string }} [token] PKCS #11 module, and the URI of the key (RFC 7512)
 * @property {string} [passwordFile] with the password of the file, or the PIN of the token
 * @property {string | null} [timestamp] null: none, for a machine without a network
 */

/**
 * Signs a program or an MSI in place.
 * @param {Record<string, string>} tools
 * @param {string} file
 * @param {Signature} signature
 */
export async function sign(tools, file, signature) {
  const { passwordFile, timestamp = TIME_STAMPS } = signature;
  const isMsi = file.endsWith('.msi');
  const signed = `${file}.signed`;
  rmSync(signed, { force: true });
  const args = [
    'sign',
    ...keyArguments(tools, signature),
    ...(passwordFile ? ['-readpass', passwordFile] : []),
    '-h',
    'sha256',
    '-n',
    'uiahost',
    ...(timestamp === null ? [] : ['-ts', timestamp]),
    // the extended signature also covers the storage's own properties
    ...(isMsi ? ['-add-msi-dse'] : []),
    '-in',
    file,
    '-out',
    signed,
  ];
  try {
    await exec(tools.osslsigncode, args);
  } catch (error) {
    throw new SetupError(
      `${path.basename(file)} could not be signed: ${(error.stderr || error.stdout || error.message).trim()}`,
      '--sign needs a PKCS #12 file (with --sign-password-file), a PEM file with certificate and key, or pkcs11:… with --sign-module; --timestamp none where no time-stamp server can be reached',
    );
  }
  renameSync(signed, file);
}

/**
 * @param {Record<string, string>} tools
 * @param {Signature} signature
 */
function keyArguments({ pkcs11Engine }, { certificate, token }) {
  if (token !== undefined)
    return [
      ...(pkcs11Engine ? ['-pkcs11engine', pkcs11Engine] : []),
      '-pkcs11module',
      token.module,
      ...(certificate ? ['-certs', certificate] : ['-pkcs11cert', token.key]),
      '-key',
      token.key,
    ];
  const isPem = /-----BEGIN /.test(readFileSync(certificate ?? '', 'latin1'));
  return isPem ? ['-certs', certificate ?? '', '-key', certificate ?? ''] : ['-pkcs12', certificate ?? ''];
}
