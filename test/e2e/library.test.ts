/** End to end: the exported executor in a separate program. */
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { windowsNode } from '../../scripts/lib/dependencies.mjs';
import { sharedDesktop, windowsPath } from '../support/desktop.ts';
import { startFixture, type Fixture } from '../support/fixture.ts';
import { cellsShown, liveObjects } from '../support/workbook.ts';

const folder = mkdtempSync(join(tmpdir(), 'uiahost-library-'));
let controls: Fixture;
const INSTALLED = String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\uiahost-library`;
const reg = async (...args: string[]): Promise<unknown> =>
  once(sharedDesktop().run('reg.exe', args, { stdio: 'ignore' }), 'exit');

beforeAll(async () => {
  controls = await startFixture('controls');
  // An installed program with an icon, registered as an installer does.
  await reg('add', INSTALLED, '/v', 'DisplayName', '/d', 'Editor', '/f');
  await reg('add', INSTALLED, '/v', 'DisplayIcon', '/d', String.raw`C:\windows\notepad.exe,0`, '/f');
});
afterAll(async () => {
  await reg('delete', INSTALLED, '/f');
  await controls?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const library = `file:///${windowsPath(fileURLToPath(new URL('../../dist/index.mjs', import.meta.url))).replaceAll('\\', '/')}`;

/** Runs a program in Node for Windows that imports the built library; returns its output. */
async function run(name: string, body: string): Promise<any> {
  const [file, report] = [join(folder, `${name}.mjs`), join(folder, `${name}.json`)];
  writeFileSync(
    file,
    `
    import { writeFileSync } from 'node:fs';
    import * as uiahost from ${JSON.stringify(library)};
    const dataDirectory = ${JSON.stringify(windowsPath(join(folder, name)))};
    const hwnd = ${JSON.stringify(controls.hwnd)};
    const codeOf = (promise) => promise.then(() => 'done', (error) => error.code ?? String(error));
    const tell = (told) => writeFileSync(${JSON.stringify(windowsPath(report))}, JSON.stringify(told));
    try {
      ${body}
    } catch (error) {
      tell({ failed: String(error.stack) });
    }
    process.exit(0);
  `,
  );
  const child = sharedDesktop().run(windowsNode(process.env['UIAHOST_TEST_TREE'] ?? ''), [windowsPath(file)], {
    cwd: folder,
    stdio: 'ignore',
    env: {},
  });
  await once(child, 'exit');
  const told = JSON.parse(readFileSync(report, 'utf8')) as { failed?: string };
  expect(told.failed).toBeUndefined();
  return told;
}

describe('the exported executor', () => {
  it(
    '[executor.icons] goes through the gate: level, cards and audit hold for it as for every other face',
    { timeout: 120_000 },
    async () => {
      controls.journal.mark();
      const told = await run(
        'gate',
        `
      const cards = [];
      const heard = [];
      const executor = await uiahost.createComputerExecutor({
        dataDirectory,
        policy: uiahost.securityPolicy().withComputerPermission('control').build(),
        onApproval: async (card) => { cards.push(card); return card.element?.name === 'Push me' ? 'approve' : 'deny'; },
        onResult: ({ method, problem }) => { heard.push([method, problem?.code ?? null]); },
      });
      const told = { methods: Object.keys(executor).length, capabilities: executor.capabilities };
      told.prepared = await executor.prepareForAction(['c:\\\\windows\\\\notepad.exe']);
      told.unbound = await executor.clickElement({ name: 'Push me' });
      told.causes = [executor.lastResult];
      told.bound = await executor.bindToWindow({ hwnd });
      const push = executor.clickElement({ name: 'Push me', role: '', automationId: '' });
      told.pushed = await push;
      told.typed = await executor.typeIntoElement({ name: 'Full name' }, 'never');
      told.causes.push(await executor.resultOf(push), executor.lastResult);
      const installed = await executor.listInstalledApps();
      told.icons = installed.filter(({ iconDataUrl }) => iconDataUrl !== undefined).map(({ iconDataUrl }) => iconDataUrl.slice(0, 22));
      told.blocked = await codeOf(executor.key('alt+f4'));
      told.clipboard = await codeOf(executor.readClipboard());
      await executor[Symbol.asyncDispose]();
      tell({ ...told, cards, heard });
    `,
      );
      expect(told).toMatchObject({
        unbound: false,
        bound: { hwnd: controls.hwnd, pid: controls.pid },
        pushed: true,
        typed: false,
        blocked: 'key_blocked',
        clipboard: 'grant_flag_required',
      });
      expect(told.prepared).toEqual([]);
      expect(told.causes).toMatchObject([
        { method: 'clickElement', problem: { code: 'not_bound' }, outcome: null },
        {
          method: 'clickElement',
          problem: null,
          outcome: { effect: 'confirmed' },
          decision: { result: 'execute', approvalId: told.cards[0].approvalId },
        },
        { method: 'typeIntoElement', problem: { code: 'approval_denied', delivery: 'not_delivered' }, outcome: null },
      ]);
      expect(told.heard).toContainEqual(['key', 'key_blocked']);
      expect(told.icons).toContain('data:image/png;base64,');
      expect(told.cards.map(({ action }: any) => action)).toEqual(['clickElement', 'typeIntoElement']);
      expect(controls.journal.events({ event: 'command', codeName: 'BN_CLICKED' })).toHaveLength(1);
      expect(controls.journal.events({ event: 'command', codeName: 'EN_CHANGE' })).toEqual([]);
      const logs = readdirSync(join(folder, 'gate/audit'))
        .filter((file) => file.endsWith('.jsonl'))
        .map((file) => readFileSync(join(folder, 'gate/audit', file), 'utf8'));
      const audit = logs
        .join('')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const decisions = audit.filter(({ actor, kind }) => actor.surface === 'executor' || kind === 'approval');
      expect(decisions.map(({ errorCode }) => errorCode)).toEqual(
        expect.arrayContaining(['not_bound', 'approval_denied', 'key_blocked', 'grant_flag_required']),
      );
    },
  );

  it('[executor.extras] the actions beyond the methods are its extras', { timeout: 120_000 }, async () => {
    await using book = await startFixture('workbook');
    const told = await run(
      'extras',
      `
      const cards = [];
      const executor = await uiahost.createComputerExecutor({
        dataDirectory,
        policy: uiahost.securityPolicy().withComputerPermission('control').build(),
        onApproval: async (card) => { cards.push(card.action); return 'approve'; },
      });
      const { extras } = executor;
      const place = { sheet: 'Data', range: 'B2:C3' };
      await executor.bindToWindow({ hwnd: ${JSON.stringify(book.hwnd)} });
      const told = { info: await extras.workbookInfo() };
      told.written = await extras.writeRange({ ...place, values: [['Total', '007'], [{ formula: '=1+1' }, null]] });
      told.selected = await extras.selectRange(place);
      told.read = await extras.readRange(place);
      told.refused = await codeOf(extras.readRange({ range: 'ZZZZ1' }));
      await executor[Symbol.asyncDispose]();
      tell({ ...told, cards });
    `,
    );
    expect(told.info.value.workbook.name).toBe('Book1.xlsx');
    expect(told.written).toMatchObject({ value: { written: 3, differing: [] }, outcome: { effect: 'confirmed' } });
    expect(told.cards).toContain('writeRange');
    expect(told.selected.value).toEqual({ sheet: 'Data', range: 'B2:C3', sheetChanged: true });
    expect(told.read.value).toMatchObject({
      values: [
        ['Total', '007'],
        [2, null],
      ],
      formulas: { B3: '=1+1' },
    });
    expect(told.refused).toBe('invalid_argument');
    expect(await cellsShown(book, 'Data!B2:C3')).toMatchObject({ C2: { text: '007' }, B3: { formula: '=1+1' } });
    expect(await liveObjects(book)).toBe(0);
  });

  it('a host created in TypeScript takes a policy and an image store', { timeout: 120_000 }, async () => {
    const told = await run(
      'store',
      `
      const kept = [];
      const pipeline = uiahost.createArtifactPipeline({ registry: uiahost.createArtifactRegistry() });
      pipeline.subscribe(({ kind, record }) => { kept.push([kind, record.mimeType]); });
      const imageStore = uiahost.createImageArtifactStore({ pipeline, root: dataDirectory + '-pictures' });
      const executor = await uiahost.createComputerExecutor({ dataDirectory, imageStore, policy: uiahost.securityPolicy().withComputerPermission('observe').build() });
      await executor.bindToWindow({ hwnd });
      const tools = uiahost.createComputerTools(uiahost.createExecutorController(executor), uiahost.SECURITY_PRESETS.power);
      const shot = await tools[0].call({});
      const clicked = await tools[2].call({ x: 5, y: 5 });
      const pushed = await executor.clickElement({ name: 'Push me' });
      await executor[Symbol.asyncDispose]();
      tell({ kept, shot: { ...shot, content: shot.content.map(({ data, ...rest }) => ({ ...rest, bytes: data.length })) }, clicked, pushed });
    `,
    );
    expect(told.kept).toEqual([['ImageArtifact', 'image/png']]);
    expect(told.shot).toEqual({
      content: [{ type: 'image', mimeType: 'image/png', bytes: expect.any(Number) }],
      isError: false,
    });
    expect(told.pushed).toBe(false);
    // The host's own policy applies, whatever a program's tools allow.
    expect(told.clicked.isError).toBe(true);
    expect(JSON.parse(told.clicked.content[0].text)).toMatchObject({ code: 'permission_denied' });
  });
});
