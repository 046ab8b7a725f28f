/** The certificate that HTTPS is served with: read from its source, watched for a renewal, and judged by its dates. */
import { X509Certificate } from 'node:crypto';
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { badInput, UiaHostError } from '../../contract/errors.ts';
import type { DoctorFinding } from '../../contract/process/doctor.ts';
import type { TlsSource } from '../home/config.ts';

/** What Node's TLS is given. */
type TlsMaterial = Pick<SecureContextOptions, 'key' | 'cert' | 'pfx' | 'passphrase'>;

export interface Certificate {
  readonly material: TlsMaterial;
  readonly subject: string;
  readonly fingerprint: string;
  readonly validTo: Date;
}

/** Files are compared this often. */
const LOOK_EVERY_MS = 5000;
/** A finding begins this long before the end. */
const SOON_DAYS = 30;
const DAY_MS = 86_400_000;

const filesOf = (source: TlsSource): string[] =>
  'pfxFile' in source
    ? [source.pfxFile, ...(source.passphraseFile === undefined ? [] : [source.passphraseFile])]
    : [source.keyFile, source.certificateFile];

function read(what: string, file: string): Buffer {
  let content: Buffer;
  try {
    content = readFileSync(file);
  } catch (error) {
    throw badInput(`The ${what} ${file} cannot be read (${String((error as NodeJS.ErrnoException).code)}).`);
  }
  if (content.toString('latin1').trim() === '') throw badInput(`The ${what} ${file} is empty.`);
  return content;
}

function materialOf(source: TlsSource): TlsMaterial {
  if ('pfxFile' in source) {
    const pfx = read('PKCS #12 file', source.pfxFile);
    return source.passphraseFile === undefined
      ? { pfx }
      : {
          pfx,
          passphrase: read('file with the passphrase', source.passphraseFile)
            .toString('utf8')
            .replace(/\r?\n$/, ''),
        };
  }
  return {
    key: read('file of the TLS key', source.keyFile).toString('utf8'),
    cert: read('file of the TLS certificate', source.certificateFile).toString('utf8'),
  };
}

/** Errors: invalid_argument if a file cannot be read, or key and certificate do not belong together. */
export function loadCertificate(source: TlsSource): Certificate {
  const material = materialOf(source);
  try {
    const { context } = createSecureContext(material);
    // The certificate that will be served, whatever it was read from, is known to the context alone.
    const der = (context as { getCertificate?(): Buffer | null }).getCertificate?.() ?? null;
    if (der === null) throw new Error('it holds no certificate');
    const { subject, fingerprint256, validTo } = new X509Certificate(der);
    return {
      material,
      subject: subject.replaceAll('\n', ', '),
      fingerprint: fingerprint256,
      validTo: new Date(validTo),
    };
  } catch (error) {
    if (error instanceof UiaHostError) throw error;
    throw badInput(
      `What ${filesOf(source).join(' and ')} hold cannot be used for HTTPS: ${error instanceof Error ? error.message : String(error)}.`,
      {
        hint: 'PEM files must be without a passphrase and belong together; a PKCS #12 file needs its passphrase in TlsPassphraseFile.',
        cause: error,
      },
    );
  }
}

/**
 * Calls `changed` with a new certificate, `failed` when what is there now cannot be used: then the last one is served on.
 * Returns what ends the watch.
 */
export function watchCertificate(
  source: TlsSource,
  present: Certificate,
  on: { changed(next: Certificate): void; failed(error: unknown): void },
  lookEveryMs = LOOK_EVERY_MS,
): () => void {
  let last = present;
  const look = (): void => {
    try {
      const next = loadCertificate(source);
      if (next.fingerprint === last.fingerprint) return;
      last = next;
      on.changed(next);
    } catch (error) {
      on.failed(error);
    }
  };
  const files = filesOf(source);
  for (const file of files) watchFile(file, { interval: lookEveryMs, persistent: false }, look);
  return () => {
    for (const file of files) unwatchFile(file, look);
  };
}

/** A certificate that ends within 30 days, or has ended. */
export function diagnoseCertificate({ subject, validTo }: Certificate, now = new Date()): DoctorFinding[] {
  const days = Math.floor((validTo.getTime() - now.getTime()) / DAY_MS);
  const at = validTo.toISOString();
  if (validTo <= now)
    return [
      {
        code: 'certificate_expired',
        severity: 'limits',
        message: `The certificate for HTTPS (${subject}) expired at ${at}: clients on other machines refuse it.`,
        cure: 'Put a renewed certificate in its place; it is served within seconds, without a restart.',
      },
    ];
  if (days >= SOON_DAYS) return [];
  return [
    {
      code: 'certificate_expires',
      severity: 'info',
      message: `The certificate for HTTPS (${subject}) expires in ${days} days, at ${at}.`,
      cure: 'Renew it and put it in the same place; it is served within seconds, without a restart.',
    },
  ];
}
