// Wine's Windows disk and registry (a "prefix"). One is booted and set up in the cache as a template; every desktop gets
// a copy, which takes a fraction of a second where booting takes several.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { complete, isComplete } from './cache.mjs';
import { withLock } from './lock.mjs';
import { cacheFolder, windowsPath } from './places.mjs';
import { run, runQuietly } from './processes.mjs';
import { say, step } from './progress.mjs';

const cjkFont = 'WenQuanYi Micro Hei';
/** Windows' own fonts for Chinese, Japanese and Korean: Wine links the interface fonts to these names. */
const cjkNames = [
  'SimSun',
  'NSimSun',
  'Microsoft YaHei',
  'PMingLiU',
  'MingLiU',
  'MS UI Gothic',
  'MS Gothic',
  'MS PGothic',
  'Meiryo',
  'Gulim',
  'Batang',
  'Malgun Gothic',
];

/** Settings that make Wine look and behave like a Windows desktop; see the comments next to the keys. */
const settings = [
  [
    'HKEY_CURRENT_USER\\Software\\Wine\\X11 Driver',
    {
      // Wine draws title bars and moves windows itself: no window manager is needed
      Managed: 'N',
    },
  ],
  [
    'HKEY_CURRENT_USER\\Control Panel\\Desktop',
    { FontSmoothing: '2', FontSmoothingType: 2, FontSmoothingGamma: 1400, FontSmoothingOrientation: 1 },
  ],
  [
    'HKEY_CURRENT_USER\\Software\\Wine\\Fonts\\Replacements',
    Object.fromEntries(cjkNames.map((name) => [name, cjkFont])),
  ],
  // Wine's Notepad starts with a bitmap font that has few letters
  [
    'HKEY_CURRENT_USER\\Software\\Microsoft\\Notepad',
    { lfFaceName: 'DejaVu Sans Mono', iPointSize: 100, lfWeight: 400 },
  ],
  // on Windows, icons of the notification area lie on the task bar; Wine, which has none, makes a window for them
  ['HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Policies\\Explorer', { NoTrayItemsDisplay: 1 }],
  // a crashed program ends immediately instead of showing a dialog that no one closes
  ['HKEY_CURRENT_USER\\Software\\Wine\\WineDbg', { ShowCrashDialog: 0 }],
];

function registryFile() {
  const value = (data) => (typeof data === 'number' ? `dword:${data.toString(16).padStart(8, '0')}` : `"${data}"`);
  const sections = settings.map(
    ([key, values]) =>
      `[${key}]\r\n${Object.entries(values)
        .map(([name, data]) => `"${name}"=${value(data)}`)
        .join('\r\n')}\r\n`,
  );
  return `REGEDIT4\r\n\r\n${sections.join('\r\n')}`;
}

/**
 * Makes a prefix in a folder that does not exist yet; an existing one is left unchanged (Wine updates it).
 * @param {import('./wine.mjs').WineRuntime} wine
 * @param {string} folder
 */
export async function ensurePrefix(wine, folder) {
  if (existsSync(path.join(folder, 'system.reg'))) return;
  const template = await ensureTemplate(wine);
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(path.dirname(folder), { recursive: true });
  await run('cp', ['-a', '--reflink=auto', template, unfinished], { what: 'copying the Windows disk' });
  // If Wine has ever run on the template, its note of the server's folder would make all copies share that folder, and
  // the first desktop to end would remove the others' server.
  rmSync(path.join(unfinished, 'wineserver'), { force: true });
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
}

async function ensureTemplate(wine) {
  const key = createHash('sha256')
    .update(wine.key + registryFile())
    .digest('hex')
    .slice(0, 12);
  const template = path.join(cacheFolder(), `prefix-${key}`);
  if (isComplete(template)) return template;
  await withLock(
    path.join(cacheFolder(), `locks/prefix-${key}`),
    async () => {
      if (isComplete(template)) return;
      await step('Windows disk: made', async () => {
        const unfinished = `${template}.new`;
        rmSync(unfinished, { recursive: true, force: true });
        // Wine links Documents, Desktop and so on to the person's own folders if HOME names them: keep programs out of there
        const home = path.join(unfinished, 'home');
        mkdirSync(home, { recursive: true });
        const env = { ...process.env, ...wine.env, WINEPREFIX: unfinished, HOME: home };
        // Debian's Wine 10 aborts ("free(): invalid pointer") when TMPDIR is set
        for (const name of ['DISPLAY', 'WAYLAND_DISPLAY', 'XDG_CONFIG_HOME', 'TMPDIR']) delete env[name];
        await runQuietly(wine.wine, ['wineboot.exe', '-i'], { env, what: 'wineboot' });
        const file = path.join(unfinished, 'settings.reg');
        writeFileSync(file, registryFile());
        await runQuietly(wine.wine, ['regedit.exe', '/S', windowsPath(file)], { env, what: 'regedit' });
        // the server writes the registry when it ends
        await runQuietly(wine.wineserver, ['-k'], { env, what: 'wineserver -k' }).catch(() => {});
        await runQuietly(wine.wineserver, ['-w'], { env, what: 'wineserver -w' });
        // Debian's Wine notes here where this server was; a copy has its own server
        rmSync(path.join(unfinished, 'wineserver'), { force: true });
        renameSync(unfinished, template);
        complete(template);
      });
    },
    () => say('Windows disk: waiting for another set-up'),
  );
  return template;
}
