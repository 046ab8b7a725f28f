/** Actions on applications: which are installed, running or in front, who owns a point, and starting one. */
import { z } from 'zod';
import type { AppIdentity } from '../contract/element/binding.ts';
import { LOOKING, LOOKING_AT_PERMITTED, type ActionTraits } from '../contract/gate/traits.ts';
import { plain } from '../contract/gate/input-content.ts';
import { defineMethod, saw } from './definition.ts';
import * as field from './fields.ts';
import { toScreenPoint } from './points.ts';

const Identity = z.strictObject({ bundleId: z.string(), displayName: z.string() });
/** Only the identity: for an unpackaged program it is its path. */
export const identified = (bundleId: string, displayName = ''): AppIdentity => ({
  bundleId,
  displayName,
  executable: /[\\/]/.test(bundleId) ? bundleId : null,
});

const looking = { topic: 'app', cap: 'apps', effect: 'observe', needs: 'level observe' } as const;

export const getFrontmostApp = defineMethod('getFrontmostApp', {
  meaning: 'The application in the foreground; null on a secure or empty desktop.',
  ...looking,
  output: () => Identity.nullable(),
  traits: () => LOOKING_AT_PERMITTED,
  async run(context) {
    const app = await context.desktop.app.frontmost(context.call);
    return saw(
      app === null || context.isOutside(app) ? null : { bundleId: app.bundleId, displayName: app.displayName },
    );
  },
});

export const appUnderPoint = defineMethod('appUnderPoint', {
  meaning: 'The application whose window is at a point.',
  ...looking,
  input: () => ({ x: field.x, y: field.y, space: field.space, observationId: field.observationId.optional() }),
  sample: { x: 1, y: 1, space: 'screen' },
  output: () => Identity.nullable(),
  traits: (input): ActionTraits => ({
    ...LOOKING_AT_PERMITTED,
    binding: input.space === 'screen' ? 'none' : 'optional',
  }),
  async run(context, input) {
    const point = await toScreenPoint(context, input, input.space, input.observationId);
    const app = await context.desktop.app.underPoint(point, context.call);
    return saw(
      app === null || context.isOutside(app) ? null : { bundleId: app.bundleId, displayName: app.displayName },
    );
  },
});

export const listInstalledApps = defineMethod('listInstalledApps', {
  meaning: 'Installed applications (programs): registry, Start menu and packages, merged by executable.',
  ...looking,
  input: () => ({
    icons: z.boolean().optional().describe('Include icons as PNG data URLs, as time allows; default false.'),
  }),
  output: () =>
    z.array(
      z.strictObject({
        bundleId: z.string(),
        displayName: z.string(),
        path: z.string(),
        iconDataUrl: z.string().optional(),
      }),
    ),
  // The interface's type has icons, but no argument to request them.
  traits: () => LOOKING_AT_PERMITTED,
  async run(context, input) {
    const apps = await context.desktop.app.installed({ icons: input.icons ?? false }, context.call);
    return saw(
      apps.filter(
        ({ bundleId, displayName, path }) =>
          !context.isOutside({ bundleId, displayName, executable: path === '' ? null : path }),
      ),
    );
  },
});

export const getAppIcon = defineMethod('getAppIcon', {
  meaning: 'Icon of an executable as a PNG data URL; null if it has none.',
  ...looking,
  input: () => ({ path: plain(z.string().min(1).max(1024).describe('Path of the executable or shortcut.')) }),
  sample: { path: 'C:\\Windows\\System32\\cmd.exe' },
  output: () => z.string().nullable(),
  traits: (input): ActionTraits => ({ ...LOOKING, paths: [input.path], reads: false }),
  run: async (context, input) => saw((await context.desktop.app.icon(input.path, context.call)) ?? null),
});

export const listRunningApps = defineMethod('listRunningApps', {
  meaning: 'Running applications (programs) with a window, one row each.',
  ...looking,
  output: () => z.array(z.strictObject({ bundleId: z.string(), displayName: z.string(), pid: z.int().optional() })),
  traits: () => LOOKING_AT_PERMITTED,
  async run(context) {
    const apps = await context.desktop.app.running(context.call);
    return saw(apps.filter(({ bundleId, displayName }) => !context.isOutside(identified(bundleId, displayName))));
  },
});

export const openApp = defineMethod('openApp', {
  topic: 'app',
  meaning:
    'Launch (start, open) an application or program such as Excel by identity, path, AppUserModelID or exact display name, and wait for its window.',
  cap: 'apps',
  effect: 'launch',
  needs: 'level control, tier full for that application',
  input: () => ({
    bundleId: plain(z.string().min(1).max(1024).describe('Identity, path, AppUserModelID or exact display name.')),
    accessibility: z
      .boolean()
      .optional()
      .describe(
        'For a browser or an Electron program: start it with its switch for screen readers, so that its pages are in snapshots. Only for a program that is not running yet.',
      ),
  }),
  sample: { bundleId: 'notepad.exe' },
  output: () => z.null(),
  traits: (input): ActionTraits => ({
    ...LOOKING,
    effect: 'launch',
    target: { kind: 'apps', names: [input.bundleId] },
    paths: [input.bundleId],
    tier: 'full',
    changesSomething: true,
  }),
  run: async (context, input) =>
    context.desktop.app.open(input.bundleId, { accessibility: input.accessibility ?? false }, context.call),
});
