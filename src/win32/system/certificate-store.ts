/**
 * A certificate of the Windows store with its private key, as PKCS #12: Node's TLS takes no key that stays in Windows. The key
 * must be exportable, and readable for this user.
 * Source: learn.microsoft.com/windows/win32/api/wincrypt/nf-wincrypt-pfxexportcertstoreex
 */
import { randomBytes, X509Certificate } from 'node:crypto';
import { addressOf, readMemory } from '../../../native-bindings/library.ts';
import {
  CERT_STORE_ADD_ALWAYS,
  CERT_STORE_OPEN_EXISTING_FLAG,
  CERT_STORE_PROV_MEMORY,
  CERT_STORE_PROV_SYSTEM_W,
  CERT_STORE_READONLY_FLAG,
  CERT_SYSTEM_STORE_CURRENT_USER,
  CERT_SYSTEM_STORE_LOCAL_MACHINE,
  EXPORT_PRIVATE_KEYS,
  REPORT_NO_PRIVATE_KEY,
  REPORT_NOT_ABLE_TO_EXPORT_PRIVATE_KEY,
} from '../../../native-bindings/win32/constants.ts';
import { crypt32 } from '../../../native-bindings/win32/crypt32.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { CERT_CONTEXT, DATA_BLOB } from '../../../native-bindings/win32/structs.ts';
import { UiaHostError } from '../../contract/errors.ts';

const PLACES = [CERT_SYSTEM_STORE_LOCAL_MACHINE, CERT_SYSTEM_STORE_CURRENT_USER];
/** Longest chain of issuers that is sent along. */
const MOST_ISSUERS = 8;

interface Found {
  /** A context of its own, freed by `withCertificates`. */
  readonly context: bigint;
  readonly certificate: X509Certificate;
}

/** The certificates of a store in both places, while `use` runs. */
function withCertificates<T>(store: string, use: (found: readonly Found[]) => T): T {
  const found: Found[] = [];
  try {
    for (const place of PLACES) {
      const flags = (place | CERT_STORE_READONLY_FLAG | CERT_STORE_OPEN_EXISTING_FLAG) >>> 0;
      const handle = crypt32.CertOpenStore(
        BigInt(CERT_STORE_PROV_SYSTEM_W),
        0,
        null,
        flags,
        Buffer.from(`${store}\0`, 'utf16le'),
      );
      if (handle === 0) continue;
      let context = 0n;
      while ((context = crypt32.CertEnumCertificatesInStore(handle, context)) !== 0n) {
        const { pbCertEncoded, cbCertEncoded } = CERT_CONTEXT.readAt(context);
        try {
          const certificate = new X509Certificate(readMemory(pbCertEncoded, cbCertEncoded));
          found.push({ context: crypt32.CertDuplicateCertificateContext(context), certificate });
        } catch {
          // Node cannot serve what it cannot read.
        }
      }
      crypt32.CertCloseStore(handle, 0);
    }
    return use(found);
  } finally {
    for (const { context } of found) crypt32.CertFreeCertificateContext(context);
  }
}

const plain = (text: string): string => text.replaceAll(/[\s:]/g, '').toLowerCase();

/** By thumbprint (SHA-1, as Windows shows it), or by the common name or the whole subject; of several the one valid longest. */
function isWanted({ certificate }: Found, wanted: string): boolean {
  if (plain(certificate.fingerprint) === plain(wanted)) return true;
  const lines = certificate.subject.split('\n').map((line) => line.trim());
  const common = lines.find((line) => line.startsWith('CN='))?.slice('CN='.length);
  return [common, lines.join(', '), lines.toReversed().join(', ')].some(
    (text) => text !== undefined && text.toLowerCase() === wanted.trim().toLowerCase(),
  );
}

const refused = (message: string, hint: string): UiaHostError =>
  new UiaHostError('invalid_argument', `${message} The host did not start.`, { hint });

const EXPORTABLE =
  'Import or enrol the certificate with an exportable key that the host’s user may read, or use TlsPfx or TlsKey with TlsCertificate: Node’s TLS cannot use a key that stays in Windows.';

/** Errors: invalid_argument where there is no such certificate, or its key cannot be exported by this user. */
export function readCertificateStore(wanted: string): { readonly pfx: Buffer; readonly passphrase: string } {
  const memory = crypt32.CertOpenStore(BigInt(CERT_STORE_PROV_MEMORY), 0, null, 0, null);
  try {
    withCertificates('MY', (own) => {
      const [best] = own
        .filter((found) => isWanted(found, wanted))
        .sort((a, b) => Date.parse(b.certificate.validTo) - Date.parse(a.certificate.validTo));
      if (best === undefined)
        throw refused(
          `The Windows store has no certificate ${JSON.stringify(wanted)} under Personal of the machine or of the user.`,
          'Name it by its thumbprint or its subject, as the certificate manager shows it.',
        );
      crypt32.CertAddCertificateContextToStore(memory, best.context, CERT_STORE_ADD_ALWAYS, null);
      withCertificates('CA', (issuers) => {
        let last = best.certificate;
        for (let count = 0; count < MOST_ISSUERS && last.subject !== last.issuer; count += 1) {
          const issuer = issuers.find(({ certificate }) => last.checkIssued(certificate));
          if (issuer === undefined) return;
          crypt32.CertAddCertificateContextToStore(memory, issuer.context, CERT_STORE_ADD_ALWAYS, null);
          last = issuer.certificate;
        }
      });
    });
    return exported(memory, wanted);
  } finally {
    crypt32.CertCloseStore(memory, 0);
  }
}

function exported(store: number, wanted: string): { pfx: Buffer; passphrase: string } {
  const passphrase = randomBytes(24).toString('base64url');
  const flags = EXPORT_PRIVATE_KEYS | REPORT_NO_PRIVATE_KEY | REPORT_NOT_ABLE_TO_EXPORT_PRIVATE_KEY;
  const blob = DATA_BLOB.alloc({});
  const fill = (): void => {
    if (!crypt32.PFXExportCertStoreEx(store, blob, passphrase, null, flags))
      throw refused(
        `The key of the certificate ${JSON.stringify(wanted)} cannot be exported by this user (Windows error 0x${kernel32.GetLastError().toString(16)}).`,
        EXPORTABLE,
      );
  };
  fill();
  const pfx = Buffer.alloc(blob.readUInt32LE(DATA_BLOB.at.cbData));
  blob.writeBigUInt64LE(addressOf(pfx), DATA_BLOB.at.pbData);
  fill();
  return { pfx, passphrase };
}
