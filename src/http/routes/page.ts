// The page at `/`: its files, its sign-in by a one-time code, and the window that it shows.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { HwndText } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { AskOwner } from '../../contract/gate/approval.ts';
import type { Caller } from '../../host/face/caller.ts';
import { PAGE_LOOKER, type Host } from '../../host/face/host.ts';
import { json, openRoute, tokenRoute, type Route } from '../../host/face/route.ts';
import { pageHalves, setCookie } from '../page-cookie.ts';

/** Everything comes from this host; no script or style is inline, and texts of programs cannot become markup. */
const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src blob: data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
};

const FILES = [
  { path: '/', file: 'index.html', mimeType: 'text/html; charset=utf-8', operationId: 'page' },
  { path: '/page/app.js', file: 'app.js', mimeType: 'text/javascript; charset=utf-8', operationId: 'pageScript' },
  { path: '/page/style.css', file: 'style.css', mimeType: 'text/css; charset=utf-8', operationId: 'pageStyle' },
] as const;

const fileRoutes = (folder: string): Route[] =>
  FILES.map(({ path, file, mimeType, operationId }) =>
    openRoute({
      method: 'GET',
      path,
      operationId,
      tag: 'page',
      scope: 'none',
      isHidden: true,
      summary: 'A file of the page.',
      replies: { 200: { description: 'The file.', mediaType: mimeType, schema: z.string() } },
      async handle() {
        return { kind: 'bytes', bytes: await readFile(join(folder, file)), mimeType, headers: PAGE_HEADERS };
      },
    }),
  );

const Scope = z.enum(['operator', 'viewer']);

function signInRoutes(host: Host): Route[] {
  return [
    tokenRoute({
      method: 'POST',
      path: '/v1/page/codes',
      operationId: 'createPageCode',
      tag: 'page',
      scope: 'operator',
      summary: 'A code that opens the page once, within a minute: /#code=CODE.',
      body: {
        schema: z.strictObject({
          scope: Scope.optional().describe('viewer: the page shows everything and changes nothing. Default operator.'),
        }),
        required: false,
      },
      replies: { 201: { description: 'The code.', schema: z.object({ code: z.string(), expiresAt: z.string() }) } },
      async handle({ body }, caller) {
        return json(host.pages.code(caller.tokenId, body.scope ?? 'operator'), 201);
      },
    }),
    openRoute({
      method: 'POST',
      path: '/v1/page/session',
      operationId: 'openPageSession',
      tag: 'page',
      scope: 'none',
      isHidden: true,
      summary: 'Exchanges a code for the page’s cookie and key.',
      body: { schema: z.strictObject({ code: z.string().min(1).max(200) }) },
      replies: {
        201: {
          description: 'Signed in.',
          schema: z.object({ key: z.string(), scope: Scope }),
          headers: { 'Set-Cookie': 'One half of the session.' },
        },
      },
      async handle({ body, origin }) {
        const { cookie, key, scope } = host.pages.open(body.code);
        return json({ key, scope }, 201, { 'Set-Cookie': setCookie(origin, cookie) });
      },
    }),
    tokenRoute({
      method: 'GET',
      path: '/v1/page/session',
      operationId: 'getPageSession',
      tag: 'page',
      scope: 'agent',
      isViewable: true,
      isHidden: true,
      summary: 'Who the page is, and whether cards can be answered on it.',
      replies: {
        200: {
          description: 'The session.',
          schema: z.object({ scope: z.string(), version: z.string(), decides: z.boolean() }),
        },
      },
      async handle(_request, caller) {
        const { surfaces } = host.policy.get().policy.approvals;
        return json({
          scope: caller.scope,
          version: host.version,
          decides: caller.scope === 'operator' && surfaces.includes('page'),
        });
      },
    }),
    tokenRoute({
      method: 'DELETE',
      path: '/v1/page/session',
      operationId: 'endPageSession',
      tag: 'page',
      scope: 'agent',
      isViewable: true,
      isHidden: true,
      summary: 'Signs the page out.',
      replies: { 200: { description: 'Signed out.', schema: z.object({ signedOut: z.literal(true) }) } },
      async handle({ header, origin }) {
        const halves = pageHalves(header, origin);
        if (halves !== null) host.pages.end(halves.cookie, halves.key);
        return json({ signedOut: true }, 200, { 'Set-Cookie': setCookie(origin, null) });
      },
    }),
  ];
}

const SeenWindow = z.object({
  hwnd: z.string(),
  /** PNG, masked as every picture is. */
  image: z.string(),
  imageWidth: z.int(),
  imageHeight: z.int(),
  accessibilityText: z.string(),
  partial: z.boolean(),
});

/** Enough for the windows that people look at; beyond it the page says that there is more. */
const MOST_ELEMENTS = 3000;
const MOST_TOKENS = 50_000;
/** A look that exceeds it replaces the worker, also for agents: a busy machine must not. A look holds the window’s turn, for which they wait. */
const LOOK_MS = 20_000;

/** A look at a window, by the same actions and with the same rights as any agent's: denied programs stay denied. */
async function lookAt(
  host: Host,
  caller: Caller,
  hwnd: string,
  signal: AbortSignal,
): Promise<z.infer<typeof SeenWindow>> {
  const looker: Caller = {
    ...caller,
    tokenId: `${PAGE_LOOKER}${caller.tokenId}`,
    scope: 'agent',
    session: `w${hwnd}`,
    limits: { ...caller.limits, level: 'observe' },
  };
  const run = async (action: string, input: Record<string, unknown>): Promise<Record<string, unknown>> =>
    (await host.runner.run(looker, action, { ...input, deadlineMs: LOOK_MS }, { signal }).result).value as Record<
      string,
      unknown
    >;
  const look = (): Promise<Record<string, unknown>> =>
    run('snapshot', { maxTokens: MOST_TOKENS, maxElements: MOST_ELEMENTS });
  const seen = await look().catch(async (error: unknown) => {
    if (!(error instanceof UiaHostError) || error.code !== 'not_bound') throw error;
    await run('bind-to-window', { hwnd });
    return look();
  });
  const picture = await run('screenshot', {});
  return SeenWindow.parse({ ...seen, hwnd, image: picture['base64'] });
}

function windowRoutes(host: Host): Route[] {
  return [
    tokenRoute({
      method: 'GET',
      path: '/v1/sessions',
      operationId: 'listOpenSessions',
      tag: 'host',
      scope: 'operator',
      isViewable: true,
      summary: 'Every session that is open now: its client, its window, the cards that wait.',
      replies: {
        200: {
          description: 'The sessions.',
          schema: z.object({
            sessions: z.array(
              z.object({
                owner: z.string(),
                tokenName: z.string(),
                session: z.string(),
                client: z.string().nullable(),
                window: z.object({ hwnd: z.string(), pid: z.int(), app: z.string(), title: z.string() }).nullable(),
                waiting: z.array(z.string()),
                isPaused: z.boolean(),
              }),
            ),
          }),
        },
      },
      async handle() {
        return json({ sessions: await host.openSessions() });
      },
    }),
    tokenRoute({
      method: 'POST',
      path: '/v1/sessions/pause',
      operationId: 'pauseSession',
      tag: 'host',
      scope: 'operator',
      summary: 'Pause an agent, or let it go on: meanwhile each of its actions is refused with user_active.',
      body: { schema: z.strictObject({ owner: AskOwner, paused: z.boolean() }) },
      replies: { 200: { description: 'The state now.', schema: z.object({ owner: z.string(), paused: z.boolean() }) } },
      async handle({ body }, caller) {
        await host.pause(body.owner, body.paused, `${caller.surface === 'page' ? 'page' : 'api'}:${caller.tokenId}`);
        return json(body);
      },
    }),
    tokenRoute({
      method: 'GET',
      path: '/v1/page/window',
      operationId: 'lookAtWindow',
      tag: 'page',
      scope: 'operator',
      isViewable: true,
      isHidden: true,
      summary: 'Picture and elements of a window, for the page.',
      query: z.strictObject({ hwnd: HwndText }),
      replies: { 200: { description: 'What the window shows.', schema: SeenWindow } },
      async handle({ query, signal }, caller) {
        const isSessions = (await host.openSessions()).some(({ window }) => window?.hwnd === query.hwnd);
        if (caller.scope !== 'operator' && !isSessions)
          throw new UiaHostError('permission_denied', 'A viewer sees the windows that sessions have bound.');
        return json(await lookAt(host, caller, query.hwnd, signal));
      },
    }),
  ];
}

/** @param folder of the page's files; without it the host has no page, only the list of sessions. */
export const pageRoutes = (host: Host, folder: string | undefined): Route[] => [
  ...windowRoutes(host),
  ...signInRoutes(host),
  ...(folder === undefined ? [] : fileRoutes(folder)),
];
