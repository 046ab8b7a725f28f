/** The edges of a host: HTTPS where it has a certificate, which is followed, and HTTP on the loopback address. */
import type { Logger } from 'pino';
import { toUiaHostError, UiaHostError } from './contract/errors.ts';
import { diagnoseCertificate, watchCertificate, type Certificate } from './host/access/certificate.ts';
import type { TlsSource } from './host/home/config.ts';
import { isSecondSession } from './host/home/listen-policy.ts';
import { createHttpServer, type HttpServer, type HttpServerOptions } from './http/server.ts';
import { reportEvent } from './win32/system/event-log.ts';
import { listenerOf, executableOf, withProcess } from './win32/system/process.ts';
import { sessionOf } from './win32/system/session.ts';

const DAY_MS = 86_400_000;

/** Who listens on the port. */
function holderOf(port: number): { session: number | null; program: string | null } | null {
  const pid = listenerOf(port);
  return pid === null ? null : { session: sessionOf(pid), program: withProcess(pid, executableOf) };
}

/** Serves on the configured port; in a second session on a free one. Clients find it by host.json. */
async function serveHttp(options: HttpServerOptions, orAnyPort: boolean, log: Logger): Promise<HttpServer> {
  try {
    return await createHttpServer(options);
  } catch (error) {
    if (!(error instanceof UiaHostError) || error.code !== 'state_conflict') throw error;
    const own = { session: sessionOf(process.pid), program: process.execPath };
    if (!orAnyPort || !isSecondSession(holderOf(options.port), own)) throw error;
    log.warn({ port: options.port }, 'the host of another session has the port: any free one is used');
    return createHttpServer({ ...options, port: 0 });
  }
}

/**
 * Serves HTTPS where there is a certificate, and plain HTTP on the loopback address for the programs of this machine, which
 * then need no certificate authority.
 */
export async function serveEdges(
  options: HttpServerOptions,
  isSupervised: boolean,
  log: Logger,
): Promise<{ local: HttpServer; served: HttpServer }> {
  const served = await serveHttp(options, isSupervised, log);
  if (options.tls === undefined) return { local: served, served };
  try {
    const { tls: _tls, ...plain } = options;
    const local = await createHttpServer({
      ...plain,
      address: '127.0.0.1',
      port: 0,
      allowRemote: false,
      allowedHosts: [],
    });
    return { local, served };
  } catch (error) {
    await served.close();
    throw error;
  }
}

/** Numbers of the host's events in the Windows event log; those of the service are in its own table. */
const CERTIFICATE_EVENTS = { certificate_expires: 40, certificate_expired: 41, changed: 42, failed: 43 } as const;
/** Serves the certificate that is there now, and reports its end once a day. Returns what ends that. */
export function followCertificate(
  source: TlsSource,
  held: { certificate: Certificate },
  servers: readonly HttpServer[],
  log: Logger,
): () => void {
  const tell = (level: 'info' | 'warning' | 'error', id: number, text: string): void => {
    void reportEvent('uiahost', level, id, text).catch(() => false);
  };
  const judge = (): void => {
    for (const { code, message } of diagnoseCertificate(held.certificate)) {
      log.warn({ code }, message);
      const isOver = code === 'certificate_expired';
      tell(isOver ? 'error' : 'warning', CERTIFICATE_EVENTS[isOver ? code : 'certificate_expires'], message);
    }
  };
  const unwatch = watchCertificate(source, held.certificate, {
    changed(next) {
      held.certificate = next;
      for (const server of servers) server.setCertificate(next.material);
      const text = `HTTPS is served with a new certificate (${next.subject}), valid until ${next.validTo.toISOString()}.`;
      log.info({ fingerprint: next.fingerprint }, text);
      tell('info', CERTIFICATE_EVENTS.changed, text);
      judge();
    },
    failed(error) {
      log.error({ err: error }, 'the changed certificate cannot be used; the last one is served');
      tell(
        'error',
        CERTIFICATE_EVENTS.failed,
        `The changed certificate cannot be used; the last one is served. ${toUiaHostError(error).message}`,
      );
    },
  });
  judge();
  const daily = setInterval(judge, DAY_MS).unref();
  return () => {
    clearInterval(daily);
    unwatch();
  };
}
