/** Paths of other machines and of devices: told by their text, and never touched before a person's yes. */
import { describe, expect, it } from 'vitest';
import { getAppIcon, openApp } from '../../../../src/actions/app.ts';
import { openTerminal } from '../../../../src/actions/terminal.ts';
import { placeOfPath } from '../../../../src/contract/gate/app-match.ts';
import { passGate } from '../../../../src/policy/gate/gate.ts';
import { failure, subject, testWorld } from '../world.ts';
import { wordsOf } from '../../../support/words.ts';

const REMOTE = [
  '\\\\host\\share\\tool.exe',
  '//host/share/tool.exe',
  '\\/host/share/tool.exe',
  '\\\\?\\UNC\\host\\share\\tool.exe',
  '\\\\.\\UNC\\host\\share\\tool.exe',
  '\\??\\UNC\\host\\share\\tool.exe',
  '//?/unc/host/share/tool.exe',
  '  \\\\host\\share\\tool.exe',
  '"\\\\host\\share\\tool.exe"',
  '\\\\host@SSL@443\\DavWWWRoot\\tool.exe',
  'http://host/tool.exe',
  'file://host/share/tool.exe',
  '\\\\10.0.0.1\\c$\\tool.exe',
];
const DEVICES = wordsOf`
  \\.\PhysicalDrive0 \\.\pipe\x \\?\GLOBALROOT\Device\Mup\host\share\tool.exe \\?\pipe\x NUL C:\work\con
  C:\work\COM1.exe aux.exe \\.\C:\nul C:\x\CONIN$
`;
const LOCAL = wordsOf`
  C:\Windows\notepad.exe c:/windows/notepad.exe \\?\C:\tool.exe \\.\C:\tool.exe
  \\?\Volume{26a21bda-a627-11d7-9931-806e6f6e6963}\tool.exe \Windows\notepad.exe C:\console\nullify.exe
  file:///C:/tool.exe
`;
const NAMES = ['notepad', 'notepad.exe', 'Microsoft.WindowsCalculator_8wekyb3d8bbwe!App', 'My Tool 2.0'];

it.each([
  ['remote', REMOTE],
  ['device', DEVICES],
  ['local', LOCAL],
  ['relative', NAMES],
] as const)('where a path leads, by its text: %s', (place, paths) => {
  for (const path of paths) expect([path, placeOfPath(path)]).toEqual([path, place]);
});

const at = (executable: string) => ({ bundleId: executable.toLowerCase(), displayName: 'tool.exe', executable });
const iconOf = (path: string) =>
  subject(getAppIcon.traits(getAppIcon.input.parse({ path }) as never, { isBound: false }), {
    action: 'getAppIcon',
    input: { path },
  });
const opening = (bundleId: string) =>
  subject(openApp.traits(openApp.input.parse({ bundleId }) as never, { isBound: false }), {
    action: 'openApp',
    input: { bundleId },
  });
const terminal = (input: object) =>
  subject(openTerminal.traits(openTerminal.input.parse(input) as never, { isBound: false }), {
    action: 'openTerminal',
    input,
  });

describe('in the gate', () => {
  it.each([...REMOTE, ...DEVICES])('[paths.foreign] an icon of %s is refused, nothing is asked', async (path) => {
    const world = testWorld();
    expect((await failure(passGate(iconOf(path), world))).code).toBe('blocked_by_policy');
    expect(world.cards).toEqual([]);
  });

  it('[paths.foreign] an icon of a local file is let through', async () => {
    for (const path of LOCAL) await passGate(iconOf(path), testWorld({ policy: { level: 'observe' } }));
  });

  it.each(REMOTE)('starting %s is asked at every level, each time', async (path) => {
    for (const level of ['control', 'full'] as const) {
      const world = testWorld({ app: at(path), policy: { level, alwaysAsk: [] } });
      await passGate(opening(path), world);
      await passGate(opening(path), world);
      expect(world.cards).toHaveLength(2);
      expect(world.cards[0]?.why).toContainEqual({
        kind: 'path',
        text: expect.stringContaining('another machine') as string,
      });
      expect(world.cards[0]?.allowedScopes).toEqual(['once']);
      world.answer = () => ({ decision: 'deny' });
      expect((await failure(passGate(opening(path), world))).code).toBe('approval_denied');
    }
  });

  it('a name that means a program of another machine is asked as well; a program granted by its path is not', async () => {
    const app = at('\\\\host\\share\\tool.exe');
    const world = testWorld({ app, policy: { alwaysAsk: [] } });
    await passGate(opening('Tool'), world);
    expect(world.cards[0]?.why.map(({ kind }) => kind)).toEqual(['path']);
    const granted = testWorld({ app, policy: { alwaysAsk: [], grants: [{ app: app.bundleId, tier: 'full' }] } });
    await passGate(opening('Tool'), granted);
    expect(granted.cards).toEqual([]);
  });

  it('a terminal in a folder of another machine, or running a program from there, is asked', async () => {
    for (const input of [
      { agent: 'claude', workingDirectory: '\\\\host\\share' },
      { agent: 'custom', command: '\\\\host\\share\\tool.exe -x' },
      { agent: 'custom', command: '"//host/a b/tool.exe" -x' },
    ]) {
      const world = testWorld({ policy: { alwaysAsk: [] } });
      await passGate(terminal(input), world);
      expect(world.cards[0]?.why.map(({ kind }) => kind)).toContain('path');
    }
    const world = testWorld({ policy: { alwaysAsk: [] } });
    await passGate(terminal({ agent: 'claude', workingDirectory: 'C:\\work' }), world);
    expect(world.cards).toEqual([]);
  });
});

it('[terminal.custom-command] commands: an agent’s own arguments are asked as a custom command is; without any there are none', async () => {
  for (const input of [
    { agent: 'custom', command: 'cmd /c dir' },
    ...['claude', 'codex', 'gemini'].map((agent) => ({ agent, command: '--dangerously-skip-permissions' })),
  ]) {
    const world = testWorld();
    await passGate(terminal(input), world);
    expect(world.cards[0]?.flags).toContain('approval_required:customCommand');
  }
  for (const agent of ['claude', 'codex', 'gemini']) {
    const world = testWorld();
    await passGate(terminal({ agent }), world);
    expect(world.cards).toEqual([]);
  }
});
