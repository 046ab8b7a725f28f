// The page at `/`: its files, its sign-in by a one-time code, and the window that it shows.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { HwndText } from '../../contract/element/binding.ts';
import { ShownElement } from '../../contract/element/element.ts';
import { MAX_PATH } from '../../contract/element/element-path.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { AskOwner } from '../../contract/gate/approval.ts';
import { LOOKER } from '../../contract/gate/looker.ts';
import { levelReaches } from '../../contract/gate/orders.ts';
import type { Level } from '../../contract/gate/permissions.ts';
import { DescribedElement, OpenSession, PolicyDifference } from '../../contract/gate/views.ts';
import type { Caller } from '../../host/face/caller.ts';
import type { Host } from '../../host/face/host.ts';
import { json, openRoute, tokenRoute, type Route } from '../../host/face/route.ts';
import { pageHalves, setCookie } from '../express-routes.ts';

const HOST_OPERATOR = { tag: 'host', scope: 'operator' } as const;
const SIGNED_IN = { tag: 'page', scope: 'agent', isViewable: true, isHidden: true } as const;
const PAGE_OPERATOR = { tag: 'page', scope: 'operator' } as const;
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
    openRoute(`GET ${path}`, operationId, {
      tag: 'page',
      scope: 'none',
      isHidden: true,
      summary: 'A file of the page.',
      replies: { 200: { description: 'The file.', mediaType: mimeType, schema: z.string() } },
      handle: async () => ({
        kind: 'bytes',
        bytes: await readFile(join(folder, file)),
        mimeType,
        headers: PAGE_HEADERS,
      }),
    }),
  );

const Scope = z.enum(['operator', 'viewer']);

const Me = z.object({ scope: z.string(), version: z.string(), decides: z.boolean() });
/** Who the page is, and whether cards can be answered on it. */
const meOf = (host: Host, scope: string): z.infer<typeof Me> => ({
  scope,
  version: host.version,
  decides: scope === 'operator' && host.policy.get().policy.approvals.surfaces.includes('page'),
});

function signInRoutes(host: Host): Route[] {
  return [
    tokenRoute('POST /v1/page/codes', 'createPageCode', {
      ...PAGE_OPERATOR,
      summary: 'A code that opens the page once, within a minute: /#code=CODE.',
      body: {
        schema: z.strictObject({
          scope: Scope.optional().describe('viewer: the page shows everything and changes nothing. Default operator.'),
        }),
        required: false,
      },
      replies: { 201: { description: 'The code.', schema: z.object({ code: z.string(), expiresAt: z.string() }) } },
      handle: async ({ body }, caller) => json(host.pages.code(caller.tokenId, body.scope ?? 'operator'), 201),
    }),
    openRoute('POST /v1/page/session', 'openPageSession', {
      tag: 'page',
      scope: 'none',
      isHidden: true,
      summary: 'Exchanges a code for the page’s cookie and key.',
      body: { schema: z.strictObject({ code: z.string().min(1).max(200) }) },
      replies: {
        201: {
          description: 'Signed in.',
          schema: Me.extend({ key: z.string() }),
          headers: { 'Set-Cookie': 'One half of the session.' },
        },
      },
      async handle({ body, origin }) {
        const { cookie, key, scope } = host.pages.open(body.code);
        return json({ key, ...meOf(host, scope) }, 201, { 'Set-Cookie': setCookie(origin, cookie) });
      },
    }),
    tokenRoute('GET /v1/page/session', 'getPageSession', {
      ...SIGNED_IN,
      summary: 'Who the page is, and whether cards can be answered on it.',
      replies: { 200: { description: 'The session.', schema: Me } },
      handle: async (_request, caller) => json(meOf(host, caller.scope)),
    }),
    tokenRoute('DELETE /v1/page/session', 'endPageSession', {
      ...SIGNED_IN,
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
  elements: z.array(ShownElement),
  partial: z.boolean(),
});

/** Enough for the windows that people look at; beyond it the page says that there is more. */
const MOST_ELEMENTS = 3000;
const MOST_TOKENS = 50_000;
/**
 * A look holds the window’s turn, for which agents wait: it is called off then, also while its page waits. Its actions have
 * no shorter deadline, which would replace the worker, also for agents.
 */
const LOOK_MS = 15_000;

const TOO_LONG = new UiaHostError('deadline_exceeded', `The window was not read within ${LOOK_MS / 1000} seconds.`, {
  delivery: 'not_delivered',
});

/** With its process: Windows gives the handle of a closed window to another one. */
interface Watching {
  readonly hwnd: string;
  readonly pid?: number | undefined;
}

/**
 * Runs actions on a window as any agent does: denied programs stay denied, and each action is in the audit. They are called
 * off when the page is gone or has asked for something else, and when they take too long.
 */
class Looker implements Disposable {
  readonly #host: Host;
  readonly #caller: Caller;
  readonly #window: Watching;
  readonly #patience = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #forget: () => void;

  constructor(host: Host, caller: Caller, { hwnd, pid }: Watching, signal: AbortSignal) {
    this.#host = host;
    this.#caller = { ...caller, tokenId: `${LOOKER}${caller.tokenId}`, scope: 'agent', session: `w${hwnd}` };
    this.#window = { hwnd, pid };
    const onGone = (): void => this.#patience.abort(signal.reason);
    if (signal.aborted) onGone();
    signal.addEventListener('abort', onGone, { once: true });
    this.#forget = () => signal.removeEventListener('abort', onGone);
    this.#timer = setTimeout(() => this.#patience.abort(TOO_LONG), LOOK_MS);
  }

  /** Binds the window first where that is needed. */
  async run(
    action: string,
    input: Record<string, unknown>,
    level: Level = 'observe',
  ): Promise<Record<string, unknown>> {
    try {
      return await this.#run(action, input, level);
    } catch (error) {
      if (!(error instanceof UiaHostError) || error.code !== 'not_bound') throw error;
      await this.bind();
      return this.#run(action, input, level);
    }
  }

  bind(): Promise<Record<string, unknown>> {
    return this.#run('bind-to-window', { ...this.#window }, 'observe');
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#forget();
  }

  async #run(action: string, input: Record<string, unknown>, level: Level): Promise<Record<string, unknown>> {
    const most = this.#caller.limits?.level ?? level;
    const caller = {
      ...this.#caller,
      limits: { ...this.#caller.limits, level: levelReaches(most, level) ? level : most },
    };
    const given = { ...input, deadlineMs: LOOK_MS };
    const { result } = this.#host.runner.run(caller, action, given, { signal: this.#patience.signal });
    return (await result).value as Record<string, unknown>;
  }
}

/** A window for the page, at level observe. */
async function lookAt(looker: Looker, hwnd: string): Promise<z.infer<typeof SeenWindow>> {
  const seen = await looker.run('snapshot', { as: 'elements', maxTokens: MOST_TOKENS, maxElements: MOST_ELEMENTS });
  const picture = await looker.run('screenshot', {});
  return SeenWindow.parse({ ...seen, hwnd, image: picture['base64'] });
}

const ElementQuery = z.strictObject({
  hwnd: HwndText,
  ref: z.string().max(100).optional(),
  name: z.string().max(1000).optional(),
  role: z.string().max(100).optional(),
  automationId: z.string().max(1000).optional(),
  path: z.string().max(MAX_PATH).optional(),
});

/** What the inspector and the plans of the page ask. */
function questionRoutes(host: Host): Route[] {
  return [
    tokenRoute('GET /v1/page/element', 'findPageElement', {
      ...PAGE_OPERATOR,
      isHidden: true,
      summary: 'The one element that a query finds, as any action would find it.',
      query: ElementQuery,
      replies: {
        200: {
          description: 'The element, and what each source shows of it.',
          schema: DescribedElement,
        },
      },
      async handle({ query: { hwnd, ...query }, signal }, caller) {
        using looker = new Looker(host, caller, { hwnd }, signal);
        return json(DescribedElement.parse(await looker.run('describe-element', query)));
      },
    }),
    tokenRoute('POST /v1/page/would-ask', 'askPagePlan', {
      ...PAGE_OPERATOR,
      isHidden: true,
      summary: 'Which of these actions would ask a person now, in this window.',
      body: { schema: z.strictObject({ hwnd: HwndText, steps: z.array(z.unknown()).max(50) }) },
      replies: { 200: { description: 'A verdict for each step.', schema: z.object({ steps: z.array(z.unknown()) }) } },
      async handle({ body, signal }, caller) {
        // The level of the policy judges the steps; the question itself does nothing.
        using looker = new Looker(host, caller, { hwnd: body.hwnd }, signal);
        // Without a window each step would only be unknown.
        await looker.bind();
        return json(await looker.run('would-ask', { steps: body.steps }, 'full'));
      },
    }),
    tokenRoute('POST /v1/page/policy', 'previewPagePolicy', {
      ...PAGE_OPERATOR,
      isHidden: true,
      summary: 'What a change of the policy would allow and forbid, without making it.',
      body: { schema: z.record(z.string(), z.unknown()) },
      replies: {
        200: { description: 'The differences, in words.', schema: PolicyDifference },
      },
      handle: async ({ body }) => json(host.policy.compare(body)),
    }),
  ];
}

function windowRoutes(host: Host): Route[] {
  return [
    tokenRoute('GET /v1/sessions', 'listOpenSessions', {
      ...HOST_OPERATOR,
      isViewable: true,
      summary: 'Every session that is open now: its client, its window, the cards that wait.',
      replies: {
        200: { description: 'The sessions.', schema: z.object({ sessions: z.array(OpenSession) }) },
      },
      handle: async () => json({ sessions: await host.openSessions() }),
    }),
    tokenRoute('POST /v1/sessions/pause', 'pauseSession', {
      ...HOST_OPERATOR,
      summary: 'Pause an agent, or let it go on: meanwhile each of its actions is refused with user_active.',
      body: { schema: z.strictObject({ owner: AskOwner, paused: z.boolean() }) },
      replies: { 200: { description: 'The state now.', schema: z.object({ owner: z.string(), paused: z.boolean() }) } },
      async handle({ body }, caller) {
        await host.pause(body.owner, body.paused, `${caller.surface === 'page' ? 'page' : 'api'}:${caller.tokenId}`);
        return json(body);
      },
    }),
    tokenRoute('GET /v1/page/window', 'lookAtWindow', {
      ...PAGE_OPERATOR,
      isViewable: true,
      isHidden: true,
      summary: 'Picture and elements of a window, for the page.',
      query: z.strictObject({ hwnd: HwndText }),
      replies: { 200: { description: 'What the window shows.', schema: SeenWindow } },
      async handle({ query, signal }, caller) {
        const bound = (await host.openSessions()).find(({ window }) => window?.hwnd === query.hwnd)?.window;
        if (caller.scope !== 'operator' && !bound)
          throw new UiaHostError('permission_denied', 'A viewer sees the windows that sessions have bound.');
        const window = caller.scope === 'operator' ? { hwnd: query.hwnd } : { hwnd: query.hwnd, pid: bound?.pid };
        using looker = new Looker(host, caller, window, signal);
        return json(await lookAt(looker, query.hwnd));
      },
    }),
  ];
}

/** @param folder of the page's files; without it the host has no page, only the list of sessions. */
export const pageRoutes = (host: Host, folder: string | undefined): Route[] => [
  ...windowRoutes(host),
  ...questionRoutes(host),
  ...signInRoutes(host),
  ...(folder === undefined ? [] : fileRoutes(folder)),
];
