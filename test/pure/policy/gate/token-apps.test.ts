/**
 * A token that is limited to applications, against every action: what it reaches besides them, and what it learns about
 * others.
 */
import { describe, expect, it } from 'vitest';
import { ACTIONS, type ActionContext, type ActionDefinition } from '../../../../src/actions/index.ts';
import { isOutside } from '../../../../src/contract/gate/app-match.ts';
import type { AppIdentity } from '../../../../src/contract/element/binding.ts';
import { toUiaHostError } from '../../../../src/contract/errors.ts';
import { passGate } from '../../../../src/policy/gate/gate.ts';
import { bound, CHROME, failure, NOTEPAD, subject, TERMINAL, testWorld, tierAsked, type TestWorld } from '../world.ts';
import { wordsOf } from '../../../support/words.ts';

const LIMITS = { apps: [NOTEPAD.bundleId] };
const FLAGS = ['clipboardRead', 'clipboardWrite', 'systemKeyCombos', 'displayCapture', 'prompts'] as const;

/** Calls of an action, by its method, that the gate tells apart; of every other action its sample is called. */
const VARIANTS: Readonly<Record<string, readonly object[]>> = {
  openTerminal: [{ agent: 'claude' }, { agent: 'custom', command: 'notepad.exe' }],
  openApp: [
    { bundleId: 'chrome.exe' },
    { bundleId: 'C:\\Temp\\other.exe' },
    { bundleId: 'https://example.com/' },
    { bundleId: 'C:\\Users\\me\\plan.docx' },
  ],
  type: [{ text: 'a' }, { text: 'a', viaClipboard: true }],
  drag: [{ from: { x: 1, y: 1 }, to: { x: 2, y: 2 }, space: 'screen' }],
  findWindowDisplays: [{ bundleIds: [CHROME.bundleId] }],
  screenshot: [{}, { displayId: 0 }],
  zoom: [
    { regionLogical: { x: 0, y: 0, w: 9, h: 9 }, space: 'capture' },
    { regionLogical: { x: 0, y: 0, w: 9, h: 9 }, space: 'capture', displayId: 0 },
  ],
  resolvePrepareCapture: [{}, { preferredDisplayId: 0 }],
  bindToWindow: [{ title: 'Chrome' }],
  statusIndicator: [{ action: 'show' }, { action: 'hide' }, { action: 'status' }],
  waitFor: [{ name: 'Save', condition: 'appears' }],
  batch: [{ steps: [{ action: 'screenshot', input: {} }] }],
  requestAccess: [{ apps: [{ app: 'chrome.exe' }], reason: 'x' }],
};
/** Looks whose answers leave out what the token may not see; each is tested below. */
const FILTERED = new Set(wordsOf`
  getFrontmostApp appUnderPoint listInstalledApps listRunningApps findWindowDisplays listVisibleWindows bindToWindow
`);
/** What has nothing to do with an application, and what leads to actions that are judged by themselves. */
const HARMLESS = new Set(wordsOf`
  unbindFromWindow hasBoundWindow getBindingStatus getDisplaySize listDisplays getCursorPosition prepareForAction
  previewHideSet statusIndicator batch wouldAsk requestAccess request_ui_action
`);

const CALLS = ACTIONS.flatMap((definition) =>
  (VARIANTS[`${definition.method}`] ?? [definition.sample]).map((input) => ({
    name: `${definition.method} ${JSON.stringify(input)}`,
    definition,
    input,
  })),
);

function worldOf(app: AppIdentity, isBound: boolean): TestWorld {
  const world = testWorld({
    app,
    limits: LIMITS,
    policy: { level: 'full', flags: [...FLAGS], alwaysAsk: [], grants: [{ app: app.bundleId, tier: 'full' }] },
  });
  world.programs = [TERMINAL, app];
  if (!isBound) world.live = null;
  return world;
}

const codeOf = async (definition: ActionDefinition, input: object, world: TestWorld): Promise<string> => {
  const traits = definition.traits(definition.input.parse(input) as never, { isBound: world.live !== null });
  try {
    await passGate(subject(traits, { action: definition.method, input }), world);
    return 'passed';
  } catch (error) {
    return toUiaHostError(error).code;
  }
};

it.each(CALLS)(
  '[token.apps] a token of Notepad, on a desktop where Chrome is in front: $name',
  async ({ definition, input }) => {
    const world = worldOf(CHROME, false);
    const code = await codeOf(definition, input, world);
    const { binding } = definition.traits(definition.input.parse(input) as never, { isBound: false });
    if (FILTERED.has(definition.method) || (HARMLESS.has(definition.method) && binding !== 'required'))
      expect(code).toBe('passed');
    else expect(['app_not_granted', binding === 'required' ? 'not_bound' : 'app_not_granted']).toContain(code);
    expect(world.cards).toEqual([]);
  },
);

it.each(CALLS)(
  '[token.apps] the same token, while a window of Chrome is bound: $name',
  async ({ definition, input }) => {
    const code = await codeOf(definition, input, worldOf(CHROME, true));
    const { binding } = definition.traits(definition.input.parse(input) as never, { isBound: true });
    const isFree = FILTERED.has(definition.method) || HARMLESS.has(definition.method);
    expect(code).toBe(isFree && binding !== 'required' ? 'passed' : 'app_not_granted');
  },
);

describe('[token.apps] launches', () => {
  const terminal = ACTIONS.find(({ method }) => method === 'openTerminal')!;
  const open = (world: TestWorld) =>
    passGate(
      subject(
        terminal.traits(terminal.input.parse({ agent: 'custom', command: 'notepad.exe' }) as never, { isBound: false }),
        { action: 'openTerminal', input: {} },
      ),
      world,
    );

  it('need the terminal and the program among the applications of the token', async () => {
    const world = worldOf(NOTEPAD, false);
    expect(await failure(open(world))).toMatchObject({
      code: 'app_not_granted',
      message: expect.stringContaining('“Command Prompt” is outside the applications'),
    });
    world.limits = { apps: ['cmd.exe'] };
    expect(await failure(open(world))).toMatchObject({
      code: 'app_not_granted',
      message: expect.stringContaining('“Notepad” is outside the applications'),
    });
    world.limits = { apps: [TERMINAL.bundleId, NOTEPAD.bundleId] };
    await expect(open(world)).resolves.toBeDefined();
  });

  it('are refused where the deny list names the terminal, its shell or the program', async () => {
    for (const deny of ['cmd.exe', 'NOTEPAD', 'c:\\windows\\system32\\cmd.exe']) {
      const world = worldOf(NOTEPAD, false);
      world.limits = null;
      world.policyNow = { ...world.policyNow, deny: [deny] };
      expect((await failure(open(world))).code).toBe('blocked_by_policy');
      expect(world.cards).toEqual([]);
    }
  });

  it('need tier full for the terminal and the program', async () => {
    const world = worldOf(NOTEPAD, false);
    world.limits = null;
    for (const app of [TERMINAL.bundleId, NOTEPAD.bundleId]) {
      world.policyNow = { ...world.policyNow, grants: [{ app, tier: 'click' }] };
      expect(await tierAsked(world, open)).toBe(true);
    }
  });
});

describe('lists', () => {
  const run = async (method: string, desktop: object, input: object = {}): Promise<unknown> => {
    const definition = ACTIONS.find((each) => each.method === method)!;
    const context = {
      desktop,
      call: {},
      binding: null,
      policy: { deny: [] },
      limits: LIMITS.apps,
      isDenied: () => false,
      isOutside: (app: AppIdentity) => isOutside(app, LIMITS.apps),
      bind: async () => undefined,
    } as unknown as ActionContext;
    return (await definition.run(context, definition.input.parse(input) as never)).value;
  };
  const both = [NOTEPAD, CHROME].map(({ bundleId, displayName, executable }) => ({
    bundleId,
    displayName,
    path: executable ?? '',
  }));

  it('have the applications and windows of the token alone', async () => {
    expect(await run('listInstalledApps', { app: { installed: async () => both } })).toEqual([
      expect.objectContaining({ bundleId: NOTEPAD.bundleId }),
    ]);
    expect(
      await run('listRunningApps', { app: { running: async () => both.map(({ path: _path, ...row }) => row) } }),
    ).toEqual([expect.objectContaining({ bundleId: NOTEPAD.bundleId })]);
    const rows = [NOTEPAD, CHROME].map((app, index) => ({
      hwnd: String(index),
      pid: index,
      title: app.displayName,
      app,
      className: 'Main',
      minimized: false,
      toolWindow: false,
      elevated: false,
    }));
    expect(await run('listVisibleWindows', { window: { listVisible: async () => rows } })).toEqual([
      expect.objectContaining({ title: 'Notepad' }),
    ]);
    expect(
      await run(
        'findWindowDisplays',
        {
          display: { ofApplications: async (ids: string[]) => ids.map((bundleId) => ({ bundleId, displayIds: [0] })) },
        },
        { bundleIds: [CHROME.bundleId, NOTEPAD.bundleId] },
      ),
    ).toEqual([{ bundleId: NOTEPAD.bundleId, displayIds: [0] }]);
  });

  it('and lists omit other applications', async () => {
    expect(await run('getFrontmostApp', { app: { frontmost: async () => CHROME } })).toBeNull();
    expect(await run('getFrontmostApp', { app: { frontmost: async () => NOTEPAD } })).toMatchObject({
      bundleId: NOTEPAD.bundleId,
    });
    const desktop = { app: { underPoint: async () => CHROME }, display: { list: async () => [] } };
    expect(await run('appUnderPoint', desktop, { x: 1, y: 1, space: 'screen' })).toBeNull();
  });

  it('and nothing else is bound, by whatever it was found', async () => {
    const desktop = {
      binding: {
        find: async (query: { only?: unknown }) => {
          expect(query.only).toBe(LIMITS.apps);
          return bound(CHROME);
        },
      },
    };
    expect((await failure(run('bindToWindow', desktop, { hwnd: '65552' }))).code).toBe('app_not_granted');
  });
});
