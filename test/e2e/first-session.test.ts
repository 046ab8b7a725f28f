/** End to end: the first session of the README, run as it is printed there, in the shells that it names. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../support/demo.ts';
import { windowsPath } from '../support/desktop.ts';
import { linuxNodes } from '../support/nodes.ts';
import { decode } from '../support/pixels.ts';
import { rounds } from '../support/rounds.ts';
import { Scene } from '../support/scene.ts';
import { bash, cmd, gitBashCommandLine, powerShellCommandLine, windowsArguments } from '../support/shells.ts';
import { parseTree } from '../support/snapshot-tree.ts';
import { until } from '../support/until.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const LVM_GETNEXTITEM = 0x100c;
const LVNI_SELECTED = 2;
const CB_GETCURSEL = 0x147;
const ALL = -1;

const [look = [], work = [], approve = []] = readmeCommands('A first session', 'console');
const [http = []] = readmeCommands('A first session', 'sh');

// A quick run walks through it once, in Node 24; in cmd every line starts Windows' Node.
const sessions = [
  ...linuxNodes.map((each) => ({ shell: bash, ...each })).reverse(),
  { shell: cmd, version: '24', program: async () => process.execPath },
].slice(0, rounds({ whole: 3, quick: 1 }));

describe.each(sessions)('the README’s first session, in $shell.name with Node $version', ({ shell, program }) => {
  const folder = mkdtempSync(join(tmpdir(), 'uiahost-readme-'));
  let scene: Scene;
  let demo: Demo;
  let printed: Map<string, string>;
  let search: string;
  const paste = (lines: readonly string[]): Promise<string[]> =>
    shell.run(lines, folder, { UIAHOST_DATA_DIR: scene.host.dataDir, ...(shell === bash ? { PATH: search } : {}) });
  const answer = (start: string): string => {
    const found = [...printed].find(([command]) => command.startsWith(`node bin/uiahost.mjs ${start}`));
    if (found === undefined) throw new Error(`The README has no command that starts with ${start}`);
    return found[1];
  };

  beforeAll(async () => {
    // Not a link: Windows' Node under Wine does not follow it to the bundle.
    mkdirSync(join(folder, 'bin'));
    const command = join(root, 'bin/uiahost.mjs');
    const file = shell === cmd ? `file:///${windowsPath(command).replaceAll('\\', '/')}` : `file://${command}`;
    writeFileSync(join(folder, 'bin/uiahost.mjs'), `import ${JSON.stringify(file)};\n`);
    search = [dirname(await program()), process.env['PATH']].join(delimiter);
    scene = await Scene.open({ env: { UIAHOST_LEVEL: 'control' } });
    demo = await startDemo(scene.witness);
    const commands = [...look, ...work];
    const outputs = await paste(commands);
    printed = new Map(commands.map((command, index) => [command, outputs[index]!]));
  }, 180_000);
  afterAll(async () => {
    await demo?.[Symbol.asyncDispose]();
    await scene?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  it('lists, binds and shows the demo', () => {
    expect(answer('list-visible-windows')).toContain('uiahost demo');
    expect(answer('bind-to-window').trim()).toBe(`bound "uiahost demo" (${demo.hwnd})`);
    const tree = parseTree(answer('snapshot').trimEnd());
    expect(tree[0]).toMatchObject({ controlType: 'Window', name: 'uiahost demo', depth: 0 });
    expect(tree).toContainEqual(expect.objectContaining({ controlType: 'Button', name: 'Check stock' }));
  });

  it('every step of it has its effect', async () => {
    expect(answer('policy level')).toContain('The level is now full.');
    expect(await demo.text('customer')).toBe('Ada Lovelace');
    expect(await demo.text('notes')).toBe('The quick brown fox – 狐 and 🦊.');
    expect(await demo.ask('product', CB_GETCURSEL)).toBe(1);
    expect(await demo.isOn('express')).toBe(true);
    expect(await demo.text('stock')).toBe('Stock: 12 pieces');
    expect(answer('wait-for')).toMatch(/^found Text "Stock: 12 pieces"/);
    expect(await demo.ask('orders', LVM_GETNEXTITEM, ALL, LVNI_SELECTED)).toBe(2);
    expect(answer('read-table').trim()).toMatch(/\n100 of 200; --from 100$/);
    const picture = await decode(readFileSync(join(folder, 'demo.png')).toString('base64'));
    expect(picture.format).toBe('png');
    expect(picture.width).toBeGreaterThan(800);
    expect(picture.coloursIn(0, 0, 400, 300)).toBeGreaterThan(3);
  });

  it('one action waits in one terminal and is decided in another', async () => {
    const [act = '', list = '', decide = ''] = approve;
    const waiting = paste([act]);
    const approvalId = await until(
      async () => {
        const { body } = await scene.host.request('/v1/approvals?status=pending', { token: 'operator' });
        return body.approvals[0]?.approvalId as string | undefined;
      },
      (id) => id !== undefined,
    );
    const [listed = ''] = await paste([list]);
    expect(listed).toContain(approvalId);
    await paste([decide.replace('APPROVAL_ID', approvalId!)]);
    expect((await waiting)[0]).toContain('clicked Button "Place order", confirmed');
    expect(await demo.says()).toBe('Order 2026-0201 placed for Ada Lovelace');
  });
});

describe('the README’s lines in the other shells of Windows', () => {
  const lines = [...look, ...work, ...approve];
  const folder = mkdtempSync(join(tmpdir(), 'uiahost-readme-'));
  let wanted: string[][];
  beforeAll(async () => {
    // What a Unix shell makes of them: these were run above.
    wanted = await Promise.all(
      lines.map(async (line) => {
        const { stdout } = await promisify(execFile)('bash', ['-c', `printf '%s\\0' ${line}`]);
        return stdout.split('\0').slice(1, -1);
      }),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('PowerShell passes the same arguments', async () => {
    expect(await windowsArguments(lines.map(powerShellCommandLine), folder)).toEqual(wanted);
  });

  it('Git Bash passes the same arguments', async () => {
    expect(await windowsArguments(await Promise.all(lines.map(gitBashCommandLine)), folder)).toEqual(wanted);
  });
});

describe('the README’s lines over HTTP', () => {
  const folder = mkdtempSync(join(tmpdir(), 'uiahost-readme-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('succeed in a Unix shell, letters beyond ASCII included', async () => {
    await using scene = await Scene.open();
    await using demo = await startDemo(scene.witness);
    const outputs = await bash.run(http, folder, { UIAHOST_DATA_DIR: scene.host.dataDir });
    const answers = http.flatMap((line, index) => (/^echo .* \| act /.test(line) ? [JSON.parse(outputs[index]!)] : []));
    expect(answers).toHaveLength(4);
    expect(answers[0].value).toMatchObject({ hwnd: demo.hwnd });
    expect(answers[1]).toMatchObject({ value: true, outcome: { effect: 'confirmed', readBack: 'verified' } });
    expect(await demo.text('notes')).toBe('The lazy dog – ’quoted’, 犬 and 🐕. Good dog.');
    expect(parseTree(answers[3].value.accessibilityText)[0]).toMatchObject({ name: 'uiahost demo' });
  });
});

/** `console`: the same in every shell. `sh`: for Unix shells and Git Bash. */
type ReadmeShell = 'console' | 'sh';

/** A section's blocks for a shell, each as its commands; continued lines stay together. Errors: there are none. */
function readmeCommands(section: string, shell: ReadmeShell): string[][] {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const text = readme.split(/^## /m).find((part) => part.startsWith(section));
  const pattern = new RegExp(`^\`\`\`${shell}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  const blocks = [...(text ?? '').matchAll(pattern)].map(([, block = '']) => block);
  if (blocks.length === 0) throw new Error(`The README has no ${shell} block in a section "${section}"`);
  return blocks.map((block) =>
    block
      .replaceAll('\\\n', ' ')
      .split('\n')
      .filter((line) => line.trim() !== '' && !line.startsWith('#')),
  );
}
