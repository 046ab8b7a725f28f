import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pino, type Logger } from 'pino';
import { createImageStore } from './artifacts/image-store.ts';
import { createAuditLog } from './audit/log.ts';
import { toUiaHostError, UiaHostError } from './contract/errors.ts';
import type { HostConfig } from './host/config.ts';
import { createHost, type RunningHost } from './host/create-host.ts';
import { openDataDirectory } from './host/data-directory.ts';
import { readOrCreateSecret } from './host/key-files.ts';
import { takeLock, writeHostFile } from './host/lock.ts';
import { openPolicyService } from './host/policy-service.ts';
import { Tokens } from './host/token-service.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import { mcpRoutes } from './mcp/route.ts';
import { passGate } from './policy/gate.ts';
import { assertSessionUrls } from './policy/session-urls.ts';
import { openStore } from './store/client.ts';
import { restrictToUser } from './win32/system/acl.ts';
import { readCredential } from './win32/system/credentials.ts';
import { processCreated } from './win32/windows/process.ts';
import { createWorkerClient } from './win32/worker/client.ts';

export interface ProcessFiles {
  /** Entry of the desktop worker. */
  readonly worker: URL;
  /** Entry of the store's thread. */
  readonly store: URL;
}

export interface StartedHost {
  readonly host: RunningHost;
  readonly http: HttpServer;
  readonly log: Logger;
  /** Ends everything in order; safe to call twice. */
  close(reason: string): Promise<void>;
}

/** Variables that no process we start may see: they hold our keys, or those of whoever started us. */
const PRIVATE_VARIABLES = /^UIAHOST_.*TOKEN$|(_API_KEY|_TOKEN|_SECRET|PASSWORD)$/i;

export function cleanEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !PRIVATE_VARIABLES.test(name)));
}

/** Starts the whole host: the only place that sees every layer. Errors: lock_held, invalid_argument, state_conflict (port). */
export async function startUiaHost(config: HostConfig, files: ProcessFiles, version: string): Promise<StartedHost> {
  const data = openDataDirectory(config.dataDirectory);
  const log = pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime, redact: ['token', '*.token', 'authorization'] }, pino.destination({ dest: data.log, sync: true }));
  const lock = takeLock(`${data.root}/host.lock`, { createdAt: processCreated });
  const undo: Array<() => Promise<void> | void> = [() => lock.release()];
  let isClosing: Promise<void> | undefined;
  const close = (reason: string): Promise<void> => (isClosing ??= (async () => {
    log.info({ reason }, 'ending');
    for (const step of undo.reverse()) {
      try {
        await step();
      } catch (error) {
        log.error({ err: error }, 'while ending');
      }
    }
    log.info('ended');
  })());
  try {
    const agent = config.agentToken ?? readOrCreateSecret(data.agentToken, restrictToUser);
    const operator = config.operatorToken ?? readOrCreateSecret(data.operatorToken, restrictToUser);
    let running: RunningHost | undefined;
    const worker = createWorkerClient({
      workerFile: fileURLToPath(files.worker),
      env: cleanEnvironment(process.env),
      onLog: (level, message) => log[level]({ part: 'worker' }, message),
      onState: (state) => {
        log.info({ ...state }, 'desktop worker');
        running?.hub.publish('worker', { ...state });
      },
    });
    undo.push(() => worker.close());
    const store = await openStore({ file: data.database, threadEntry: files.store });
    undo.push(() => store.close());
    const audit = createAuditLog({ directory: data.audit, keyFile: data.auditKey, thread: store.thread });
    const opened = await audit.open();
    restrictToUser(data.auditKey);
    undo.push(() => audit.close());
    await audit.append({
      kind: 'host', actor: { tokenId: null, surface: 'host' }, action: 'host.started',
      details: { version, pid: process.pid, recovery: store.opened.recovery, audit: opened },
    });
    const images = createImageStore({
      dataDirectory: data.root,
      ledger: store.artifacts,
      onQuarantine: (quarantined) => log.warn({ reason: quarantined.reason }, 'picture not kept'),
    });
    const tokens = await Tokens.open(store, { agent, operator }, async (what, token, by) => {
      await audit.append({ kind: 'token', actor: { tokenId: by, surface: 'api' }, action: `token.${what}`, details: { token: { ...token } } });
    });
    const policy = await openPolicyService({
      file: data.policy,
      level: config.level,
      grants: config.demoApps.map((app) => ({ app, tier: 'full' as const })),
      onChange: async (change) => {
        await audit.append({ kind: 'policy', actor: { tokenId: change.by, surface: 'api' }, action: 'policy.changed', details: { etag: change.etag, level: change.policy.level } });
        images.configure({ keep: change.policy.keepPictures });
        running?.hub.publish('policy', { level: change.policy.level, etag: change.etag });
      },
      onRefused: (reason) => log.error({ reason }, 'the changed policy file is not valid; the last good one stays'),
    });
    undo.push(() => policy.close());
    const host = createHost({
      version,
      desktop: worker.desktop,
      desktopControl: worker,
      store,
      audit,
      images,
      tokens,
      policy,
      surfaces: [{ name: 'api', isAvailable: () => true, show: () => {}, takeAway: () => {} }],
      passGate,
      assertUrls: (urls) => assertSessionUrls(urls, policy.get().policy.allowInsecureUrls),
      readSecret: async (ref, bundleId) => {
        const entry = readCredential(ref);
        if (entry.comment !== bundleId) throw new UiaHostError('blocked_by_policy', `The secret ${ref} belongs to another application than the bound one; nothing was typed.`);
        return entry.secret;
      },
      onFault: (error, where) => log.error({ err: toUiaHostError(error), cause: describeCause(error), where }, 'fault'),
    });
    running = host;
    undo.push(() => host.close());
    const http = await createHttpServer({
      host,
      address: config.address,
      port: config.port,
      proofKey: Buffer.from(readOrCreateSecret(data.proofKey, restrictToUser), 'utf8'),
      mounts: mcpRoutes(host, { onError: (error) => log.debug({ err: error }, 'mcp') }),
    });
    undo.push(() => http.close());
    undo.push(() => rmSync(data.hostFile, { force: true }));
    writeHostFile(data.hostFile, { url: http.url, port: http.port, pid: process.pid, version, startedAt: new Date().toISOString() });
    log.info({ url: http.url }, 'ready');
    return { host, http, log, close };
  } catch (error) {
    await close('start failed');
    throw error;
  }
}

/** Stack positions of a fault for the log; messages of foreign errors may quote what a window showed, and stay out. */
function describeCause(error: unknown): string {
  const cause = error instanceof UiaHostError ? error.cause : error;
  return cause instanceof Error ? `${cause.name} ${(cause.stack ?? '').split('\n').slice(1, 8).map((line) => line.trim()).join(' < ')}` : typeof cause;
}
