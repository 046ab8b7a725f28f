/** End to end: the first session of the README, run as it is printed there. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decode } from '../support/pixels.ts';
import { readmeCommands } from '../support/readme.ts';
import { Scene, type NotepadWindow } from '../support/scene.ts';
import { until } from '../support/until.ts';
import { parseTree } from '../support/snapshot-tree.ts';

const run = promisify(execFile);
const separator = '@@@ next command @@@';

describe('the README’s first session, pasted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'uiahost-readme-'));
  const blocks = readmeCommands('A first session');
  let scene: Scene;
  let notepad: NotepadWindow;
  let printed: Map<string, string>;

  const bash = async (commands: readonly string[]): Promise<string[]> => {
    const script = commands.map((command) => `${command}\nprintf '\\n%s\\n' '${separator}'`).join('\n');
    const { stdout } = await run('bash', ['-c', script], {
      cwd: folder,
      env: { ...process.env, UIAHOST_DATA_DIR: scene.host.dataDir },
      maxBuffer: 64 * 1024 * 1024,
      timeout: 60_000,
    });
    return stdout.split(`\n${separator}\n`);
  };
  const answer = (start: string, which = 0): any => {
    const found = [...printed].filter(([command]) => command.replace(/^\d+ /, '').startsWith(start))[which];
    if (found === undefined) throw new Error(`The README has no command ${which} that starts with ${start}`);
    return JSON.parse(found[1]);
  };

  beforeAll(async () => {
    scene = await Scene.open({ env: { UIAHOST_LEVEL: 'control' } });
    notepad = await scene.notepad();
    const commands = [...blocks[0]!, ...blocks[1]!];
    const outputs = await bash(commands);
    printed = new Map(commands.map((command, index) => [`${index} ${command}`, outputs[index]!]));
  });
  afterAll(async () => {
    await scene?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  it('[readme.first-session] every command of it succeeds', () => {
    const failed = [...printed].filter(([, output]) => /"status":[45]\d\d/.test(output));
    expect(failed).toEqual([]);
    expect(printed.size).toBeGreaterThan(14);
  });

  it('[readme.first-session] lists and binds Notepad', () => {
    expect(answer('act list-visible-windows').value).toContainEqual(
      expect.objectContaining({ hwnd: notepad.hwnd, title: 'Untitled - Notepad', className: 'Notepad' }),
    );
    expect(answer('act bind-to-window \'{"title":"Notepad"}\'').value).toEqual({
      hwnd: notepad.hwnd,
      title: 'Untitled - Notepad',
      pid: notepad.pid,
    });
    expect(parseTree(answer('act snapshot').value.accessibilityText)[0]).toMatchObject({
      controlType: 'Window',
      name: 'Untitled - Notepad',
      depth: 0,
    });
  });

  it('[readme.first-session] types any Unicode text in the background', async () => {
    const text = 'The quick brown fox – ’quoted’, 狐 and 🦊.\r\nThe lazy dog.';
    expect(await notepad.text()).toBe(text);
    expect(answer('act virtual-keyboard')).toMatchObject({
      value: true,
      outcome: { effect: 'confirmed', readBack: 'verified', cursorMoved: false },
    });
    const edit = parseTree(answer('act snapshot', 2).value.accessibilityText).find(
      ({ controlType }) => controlType === 'Edit' || controlType === 'Document',
    );
    expect(edit?.value).toBe(text);
  });

  it('[readme.first-session] opens Find, fills it in, clicks its buttons: the word is selected', async () => {
    expect(answer('act virtual-keyboard', 1).value).toBe(true);
    const dialog = parseTree(answer('act snapshot', 1).value.accessibilityText);
    expect(dialog[0]).toMatchObject({ controlType: 'Window', name: 'Find' });
    expect(dialog).toContainEqual(expect.objectContaining({ controlType: 'Button', name: 'Find Next' }));
    expect(answer('act type-into-element')).toMatchObject({
      value: true,
      outcome: { effect: 'confirmed', readBack: 'verified' },
    });
    expect(answer('act click-element').value).toBe(true);
    const from = (await notepad.text()).indexOf('lazy');
    expect(await scene.witness.selection(notepad.hwnd, 'Edit')).toEqual({ from, to: from + 'lazy'.length });
    await until(
      () => scene.witness.windows(),
      (windows) => !windows.some(({ title }) => title === 'Find'),
    );
  });

  it('[readme.first-session] takes a picture: a PNG with the typed lines in it', async () => {
    const picture = await decode(readFileSync(join(folder, 'notepad.png')).toString('base64'));
    expect(picture.format).toBe('png');
    expect(picture.width).toBeGreaterThan(300);
    expect(picture.coloursIn(0, 0, 300, 100)).toBeGreaterThan(2);
  });

  it('[readme.approvals] one action waits in one terminal and is decided in another', async () => {
    await scene.client.operator('/v1/policy', { method: 'PATCH', body: { level: 'control', grants: [] } });
    const preparation = blocks[0]!.filter((command) => !command.startsWith('act '));
    const waiting = bash([...preparation, `act virtual-keyboard '{"action":"type","text":"!"}'`]);
    const [definition = '', list = '', decide = ''] = blocks[2]!;
    const approvalId = await until(
      async () =>
        JSON.parse((await bash([...preparation, definition, list])).at(-2) ?? '{}').approvals?.[0]?.approvalId as
          | string
          | undefined,
      (id) => id !== undefined,
    );
    const outputs = await bash([...preparation, definition, decide.replace('APPROVAL_ID', approvalId!)]);
    expect(JSON.parse(outputs.at(-2)!)).toMatchObject({ approvalId, status: 'approved' });
    expect(JSON.parse((await waiting).at(-2)!)).toMatchObject({ value: true, decision: { approvalId } });
    expect(await notepad.text()).toContain('!');
  });
});
