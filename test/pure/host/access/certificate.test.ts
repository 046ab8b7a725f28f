/** The certificate of HTTPS: its sources, its renewal while a server runs, and its end. */
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
import { OTHER_PFX, OTHER_TLS, TEST_TLS } from '../../../support/tls.ts';
import { until } from '../../../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'uiahost-certificate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
/** Files of a certificate. */
const made = (name: string, { key, cert }: { readonly key: string; readonly cert: string }) => ({
  keyFile: file(`${name}.key`, key),
  certificateFile: file(`${name}.cert`, cert),
});
const pfxFile = file('other.pfx', OTHER_PFX);

describe('[http.tls-sources] where a certificate is read from', () => {
  test('PEM files, and a PKCS #12 file with its passphrase', () => {
    const passphraseFile = file('passphrase', 'a secret\r\n');
    const fromPem = loadCertificate(made('pem', OTHER_TLS));
    const fromPfx = loadCertificate({ pfxFile, passphraseFile });
    expect(fromPem).toMatchObject({ subject: 'CN=other' });
    expect(fromPfx).toMatchObject({ subject: 'CN=other', fingerprint: fromPem.fingerprint, validTo: fromPem.validTo });
  });

  test('what cannot serve is refused by name, and no passphrase is in the error', () => {
    const { keyFile } = made('own', TEST_TLS);
    for (const certificateFile of [
      join(folder, 'none.pem'),
      file('empty.pem', ''),
      file('no.pem', 'no certificate'),
      made('others', OTHER_TLS).certificateFile,
    ])
      expect(() => loadCertificate({ keyFile, certificateFile }), certificateFile).toThrow(
        expect.objectContaining({ code: 'invalid_argument', message: expect.stringContaining(certificateFile) }),
      );
    const passphraseFile = file('wrong', 'another secret');
    for (const passphrase of [undefined, passphraseFile])
      expect(() => loadCertificate({ pfxFile, passphraseFile: passphrase })).toThrow(
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
  const source = made('live', TEST_TLS);
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
    made('live', OTHER_TLS);
    const next = await until(() => changes[0], 'a change');
    expect(next.subject).toBe('CN=other');
    expect(await shown(server.port)).toBe(next.fingerprint);
  } finally {
    end();
  }
});

test('[http.tls-end] a certificate that ends within 30 days, or has ended, is a finding', () => {
  const certificate = loadCertificate(made('ends', TEST_TLS));
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
