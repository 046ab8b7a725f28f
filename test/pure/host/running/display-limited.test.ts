/** Which applications a picture of a display may show to a caller that lists some. */
import { describe, expect, test } from 'vitest';
import type { AppIdentity } from '../../../../src/contract/element/binding.ts';
import type { Level, Policy } from '../../../../src/contract/gate/permissions.ts';
import type { CaptureOptions } from '../../../../src/desktop/index.ts';
import type { Caller } from '../../../../src/host/face/caller.ts';
import { startTestHost, type TestHost } from '../running-host.ts';
import { NOTEPAD } from '../stand-in-desktop.ts';

const app = (path: string): AppIdentity => ({ bundleId: path, displayName: path, executable: path });
const PAINT = app('c:\\windows\\system32\\mspaint.exe');
const CHROME = app('c:\\program files\\chrome\\chrome.exe');
/** A copy of a granted program's name where its user can write. */
const COPY = app('c:\\users\\me\\notepad.exe');
const PROGRAMS = [NOTEPAD.app, PAINT, CHROME, COPY];
const ALL = PROGRAMS.map(({ bundleId }) => bundleId);

/** The ways to a picture of a display, with a list. */
const PICTURES = [
  ['screenshot', (allowedBundleIds: string[]) => ({ allowedBundleIds })],
  ['screenshot', (allowedBundleIds: string[]) => ({ allowedBundleIds, displayId: 1 })],
  [
    'zoom',
    (allowedBundleIds: string[]) => ({ allowedBundleIds, space: 'capture', regionLogical: { x: 0, y: 0, w: 9, h: 9 } }),
  ],
  ['resolve-prepare-capture', (allowedBundleIds: string[]) => ({ allowedBundleIds, autoResolve: true })],
  ['resolve-prepare-capture', (allowedBundleIds: string[]) => ({ allowedBundleIds, preferredDisplayId: 1 })],
] as const;

interface Seen {
  readonly t: TestHost;
  /** What the last picture of a display may show; undefined: everything. */
  last(): readonly string[] | undefined;
}

async function start(policy: Partial<Policy>): Promise<Seen> {
  const t = await startTestHost(policy);
  const { capture, window, display } = t.scene.desktop;
  window.listVisible = async () =>
    PROGRAMS.map((each, index) => ({
      hwnd: String(index),
      pid: index,
      title: '',
      app: each,
      className: '',
      minimized: false,
      toolWindow: false,
      elevated: false,
    }));
  display.countWindows = async () => [];
  let last: readonly string[] | undefined;
  const shoot = async (options: CaptureOptions, call: Parameters<typeof capture.window>[2]) => {
    last = options.shown;
    return { ...(await capture.window(NOTEPAD, options, call)), displayId: 1 };
  };
  capture.display = (_display, options, call) => shoot(options, call);
  capture.region = (_target, _region, options, call) => shoot(options, call);
  return { t, last: () => last };
}

/** What each way of taking a picture may show. A card would never be answered here. */
async function shownTo({ t, last }: Seen, listed: string[], caller: Caller = t.agent): Promise<unknown[]> {
  const shown: unknown[] = [];
  for (const [action, input] of PICTURES) {
    await t.host.runner.run(caller, action, input(listed)).result;
    shown.push(last());
  }
  return shown;
}

const always = (shown: unknown): unknown[] => PICTURES.map(() => shown);

describe('a picture of a display with a list of applications', () => {
  test.each(['observe', 'control'] as const)(
    '[capture.listed] at %s it is taken without asking, and shows what is listed and granted',
    async (level) => {
      const seen = await start({
        level,
        grants: [
          { app: 'notepad.exe', tier: 'read' },
          { app: 'chrome.exe', tier: 'full' },
        ],
      });
      await using _ = seen.t;
      expect(await shownTo(seen, [])).toEqual(always([]));
      expect(await shownTo(seen, ALL)).toEqual(always([NOTEPAD.app.bundleId, CHROME.bundleId]));
      expect(await shownTo(seen, [NOTEPAD.app.bundleId, PAINT.bundleId])).toEqual(always([NOTEPAD.app.bundleId]));
      expect(await shownTo(seen, ['*'])).toEqual(always([NOTEPAD.app.bundleId, CHROME.bundleId]));
    },
  );

  test.each<[Level, Partial<Policy>, string[]]>([
    ['observe', {}, []],
    ['control', {}, []],
    ['full', {}, ALL.filter((each) => each !== CHROME.bundleId)],
    ['full', { alwaysAsk: [] }, ALL],
  ])('[capture.listed] at %s with %j a list grants nothing: the level does', async (level, rest, open) => {
    const seen = await start({ level, ...rest });
    await using _ = seen.t;
    expect(await shownTo(seen, [])).toEqual(always([]));
    expect(await shownTo(seen, ALL)).toEqual(always(open));
    expect(await shownTo(seen, [PAINT.bundleId])).toEqual(always(open.filter((each) => each === PAINT.bundleId)));
  });

  test('[capture.listed] a person’s grant for the session counts', async () => {
    const seen = await start({ level: 'control' });
    const { t } = seen;
    await using _ = t;
    const asked = t.host.runner.run(t.agent, 'request-access', {
      apps: [{ app: NOTEPAD.app.bundleId, tier: 'read' }],
      reason: 'x',
    });
    await t.decideNext('approve', 'session');
    await asked.result;
    expect(await shownTo(seen, ALL)).toEqual(always([NOTEPAD.app.bundleId]));
    expect(await shownTo(seen, [PAINT.bundleId])).toEqual(always([]));
  });

  test('[capture.listed-flag] the flag shows everything, or what a list names', async () => {
    const seen = await start({ level: 'observe', flags: ['displayCapture'] });
    await using _ = seen.t;
    expect(await shownTo(seen, [])).toEqual(always(undefined));
    expect(await shownTo(seen, ['*'])).toEqual(always(undefined));
    expect(await shownTo(seen, [PAINT.bundleId])).toEqual(always([PAINT.bundleId]));
  });

  test('[capture.listed-session] a token’s applications, a session’s urls and limited pages narrow what is granted', async () => {
    const grants = ALL.map((each) => ({ app: each, tier: 'full' as const }));
    const seen = await start({ level: 'observe', grants, pages: ['https://example.org/'] });
    const { t } = seen;
    await using _ = t;
    expect(await shownTo(seen, ALL)).toEqual(always(ALL.filter((each) => each !== CHROME.bundleId)));
    const limited: Caller = { ...t.agent, limits: { apps: [PAINT.bundleId] } };
    expect(await shownTo(seen, ALL, limited)).toEqual(always([PAINT.bundleId]));
    const { computerUseSessionId } = await t.host.sessions.start(t.agent, {
      goal: 'look',
      urls: [`app:${encodeURIComponent(NOTEPAD.app.bundleId)}`, 'https://example.org/'],
    });
    expect(await shownTo(seen, ALL, { ...t.agent, session: computerUseSessionId })).toEqual(
      always([NOTEPAD.app.bundleId]),
    );
    await t.host.policy.change({ flags: ['displayCapture'] }, 'merge', undefined, 'operator');
    expect(await shownTo(seen, [], limited)).toEqual(always([PAINT.bundleId]));
  });

  test('[grant.display-named] without a list, nothing changes: a person is asked, or the caller has to bind a window', async () => {
    const { t } = await start({ level: 'full' });
    await using _ = t;
    await expect(t.host.runner.run(t.agent, 'screenshot', {}).result).rejects.toMatchObject({ code: 'not_bound' });
    const asked = t.host.runner.run(t.agent, 'screenshot', { displayId: 1 });
    await t.decideNext('deny');
    await expect(asked.result).rejects.toMatchObject({ code: 'approval_denied' });
  });
});
