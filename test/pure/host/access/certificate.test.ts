/** The certificate of HTTPS: its sources, its renewal while a server runs, and its end. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, describe, expect, test } from 'vitest';
import {
  diagnoseCertificate,
  loadCertificate,
  watchCertificate,
  type Certificate,
} from '../../../../src/host/access/certificate.ts';
import { serve } from '../../../support/http-server.ts';
import { TEST_TLS } from '../../../support/tls.ts';
import { until } from '../../../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'uiahost-certificate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
/** A certificate of openssl's for localhost. */
function made(name: string, days = 90): { key: string; cert: string; pfx: string } {
  const [key, cert, pfx] = ['key', 'cert', 'pfx'].map((kind) => join(folder, `${name}.${kind}`)) as [
    string,
    string,
    string,
  ];
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { stdio: 'ignore' });
  openssl(
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    String(days),
    '-subj',
    `/CN=${name}`,
    '-addext',
    'subjectAltName=DNS:localhost',
    '-keyout',
    key,
    '-out',
    cert,
  );
  openssl('pkcs12', '-export', '-inkey', key, '-in', cert, '-out', pfx, '-passout', 'pass:a secret');
  return { key, cert, pfx };
}

describe('[http.tls-sources] where a certificate is read from', () => {
  test('PEM files, and a PKCS #12 file with its passphrase', () => {
    const { key, cert, pfx } = made('one');
    const passphraseFile = file('passphrase', 'a secret\r\n');
    const fromPem = loadCertificate({ keyFile: key, certificateFile: cert });
    const fromPfx = loadCertificate({ pfxFile: pfx, passphraseFile });
    expect(fromPem).toMatchObject({ subject: 'CN=one' });
    expect(fromPfx).toMatchObject({ subject: 'CN=one', fingerprint: fromPem.fingerprint, validTo: fromPem.validTo });
  });

  test('what cannot serve is refused by name, and no passphrase is in the error', () => {
    const { pfx, cert } = made('two');
    const keyFile = file('key.pem', TEST_TLS.key);
    for (const certificateFile of [
      join(folder, 'none.pem'),
      file('empty.pem', ''),
      file('no.pem', 'no certificate'),
      cert,
    ])
      expect(() => loadCertificate({ keyFile, certificateFile }), certificateFile).toThrow(
        expect.objectContaining({ code: 'invalid_argument', message: expect.stringContaining(certificateFile) }),
      );
    const passphraseFile = file('wrong', 'another secret');
    for (const passphrase of [undefined, passphraseFile])
      expect(() => loadCertificate({ pfxFile: pfx, passphraseFile: passphrase })).toThrow(
        expect.objectContaining({ code: 'invalid_argument', message: expect.not.stringContaining('another secret') }),
      );
  });
});

/** Fingerprint of the certificate that a new connection is shown. */
const shown = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.on('error', reject);
  });

test('[http.tls-renewed] a renewed certificate is served without a restart; a broken one is not, and is reported', async () => {
  const [first, second] = [made('first'), made('second')];
  const { readFileSync } = await import('node:fs');
  const keyFile = file('live.key', readFileSync(first.key));
  const certificateFile = file('live.cert', readFileSync(first.cert));
  const source = { keyFile, certificateFile };
  const present = loadCertificate(source);
  const { server } = await serve({ tls: present.material });
  const changes: Certificate[] = [];
  const failures: unknown[] = [];
  const end = watchCertificate(
    source,
    present,
    {
      changed(next) {
        changes.push(next);
        server.setCertificate(next.material);
      },
      failed: (error) => failures.push(error),
    },
    20,
  );
  try {
    expect(await shown(server.port)).toBe(present.fingerprint);
    file('live.cert', 'broken');
    await until(() => failures[0], 'a failure');
    expect(await shown(server.port)).toBe(present.fingerprint);
    file('live.key', readFileSync(second.key));
    file('live.cert', readFileSync(second.cert));
    const next = await until(() => changes[0], 'a change');
    expect(next.subject).toBe('CN=second');
    expect(await shown(server.port)).toBe(next.fingerprint);
  } finally {
    end();
  }
});

test('[http.tls-end] a certificate that ends within 30 days, or has ended, is a finding', () => {
  const certificate = loadCertificate({ keyFile: file('k', TEST_TLS.key), certificateFile: file('c', TEST_TLS.cert) });
  const inDays = (days: number) =>
    diagnoseCertificate(certificate, new Date(certificate.validTo.getTime() - days * 86_400_000)).map(
      ({ code }) => code,
    );
  expect([inDays(31), inDays(29), inDays(1), inDays(0), inDays(-5)]).toEqual([
    [],
    ['certificate_expires'],
    ['certificate_expires'],
    ['certificate_expired'],
    ['certificate_expired'],
  ]);
});
