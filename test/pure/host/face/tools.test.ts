/** Tools as the host answers them: results, pictures and what is recorded. */
import { describe, expect, test } from 'vitest';
import type { ToolContent } from '../../../../src/contract/artifact.ts';
import { looked, type ActionResult } from '../../../../src/contract/outcome.ts';
import { buildCatalog } from '../../../../src/host/face/catalog.ts';
import { answerOf, buildTools, contentOf, type ToolAnswer } from '../../../../src/host/face/tools.ts';
import { noise } from '../../artifacts/pictures.ts';
import { startBoundHost, type TestHost } from '../running-host.ts';
import { phrasesOf } from '../../../support/words.ts';

const KIB64 = 64 * 1024;

async function call(t: TestHost, name: string, input: object): Promise<ToolAnswer> {
  const tool = buildTools(t.host.catalog).named(name);
  return answerOf(t.host, tool, t.agent, () => t.host.runner.run(t.agent, tool.action, tool.toInput(input)).result);
}
const textsOf = (content: readonly ToolContent[]): string[] =>
  content.flatMap((part) => (part.type === 'text' ? [part.text] : []));

describe('answers of tools', () => {
  test('[spool.large-outputs] over 64 KiB are cut, with a line that names the place of the whole; smaller answers are sent unchanged', async () => {
    await using t = await startBoundHost();
    const small = await call(t, 'snapshot', {});
    expect(textsOf(small.content)[0]).toBe('[Window] "Untitled - Notepad" (0,0 760x570) ref=e9');
    const lines = Array.from(
      { length: 3000 },
      (_, index) => `[Button] "Zeile ${index} – ß" (0,0 10x10) ref=e${index}`,
    ).join('\n');
    const { snapshot } = t.scene.desktop.element;
    t.scene.desktop.element.snapshot = async (...given) => ({
      ...(await snapshot(...given)),
      accessibilityText: lines,
    });
    const large = await call(t, 'snapshot', { maxTokens: 50_000 });
    expect(Buffer.byteLength(textsOf(large.content).join(''))).toBeLessThan(KIB64 + 400);
    expect(textsOf(large.content).at(-1)).toMatch(
      /^\[cut: \d+ of \d+ bytes of text are left out here; the whole output is kept for a day; it is read by the MCP resource spool:\/\/out_[0-9a-f]{32}/,
    );
    expect(t.faults).toEqual([]);
  });

  test('a range goes out as a table with its addresses; its JSON keeps digest and next range', async () => {
    await using t = await startBoundHost();
    t.scene.desktop.sheet.read = async () => ({
      sheet: 'Data',
      range: 'B2:C3',
      rows: 2,
      columns: 2,
      values: [
        ['Name', '007'],
        [7, { error: '#N/A' }],
      ],
      formulas: { B3: '=A1' },
      nextRange: 'B4:C9',
      digest: `B2:C3.${'0'.repeat(32)}`,
    });
    const [table, json] = textsOf((await call(t, 'read_range', { range: 'B2:C9' })).content);
    expect(table).toBe('“Data” B2:C3\n\tB\tC\n2\tName\t"007"\n3\t7 (=A1)\t#N/A');
    const { value } = JSON.parse(json!) as { value: Record<string, unknown> };
    expect(value).toEqual({
      sheet: 'Data',
      range: 'B2:C3',
      rows: 2,
      columns: 2,
      nextRange: 'B4:C9',
      digest: `B2:C3.${'0'.repeat(32)}`,
      untrusted: true,
    });
  });

  test('[spool.large-outputs] a screenshot stays a picture; pictures inside a large batch become references to files', async () => {
    await using t = await startBoundHost();
    const bytes = await noise('image/png', 200);
    const { window } = t.scene.desktop.capture;
    t.scene.desktop.capture.window = async (...given) => {
      const shot = await window(...given);
      return { ...shot, bytes, geometry: { ...shot.geometry, imageWidth: 200, imageHeight: 200 } };
    };
    const alone = await call(t, 'computer:screenshot', {});
    expect(alone.content.map(({ type }) => type)).toEqual(['image']);
    const batch = await call(t, 'batch', {
      steps: [
        { action: 'screenshot', input: {} },
        { action: 'screenshot', input: {} },
      ],
    });
    expect(batch.isError).toBe(false);
    expect(batch.content.filter(({ type }) => type === 'image')).toEqual([]);
    const references = batch.content.filter((part) => part.type === 'resource');
    expect(references).toHaveLength(2);
    for (const reference of references) {
      expect(reference).toEqual({
        type: 'resource',
        uri: expect.stringMatching(/^artifact:\/\/[0-9a-f]{64}$/),
        mimeType: 'image/png',
      });
      expect((await t.host.artifactContent(reference.uri.slice('artifact://'.length))).bytes).toEqual(bytes);
    }
    expect(JSON.parse(textsOf(batch.content)[0] ?? '')).toMatchObject({ value: { remaining: 0 } });
    expect(textsOf(batch.content).join('')).not.toContain(bytes.toString('base64').slice(0, 40));
  });
});

test('[capture.password.partial] a picture: whose window was not fully searched for password fields is marked in its outcome', async () => {
  await using t = await startBoundHost();
  const shoot = async (): Promise<unknown> => t.host.runner.run(t.agent, 'screenshot', {}).result;
  expect(await shoot()).not.toHaveProperty('outcome.details');
  const { window } = t.scene.desktop.capture;
  t.scene.desktop.capture.window = async (...given) => ({ ...(await window(...given)), masksMayBeIncomplete: true });
  expect(await shoot()).toMatchObject({ outcome: { details: { masksMayBeIncomplete: true } } });
});

describe('reports about a call', () => {
  test('[streaming.persisted] tool.start, tool.progress and tool.end, with the person’s approval and the steps of a batch between them', async () => {
    await using t = await startBoundHost({ level: 'control' });
    const asked = t.host.runner.run(t.agent, 'click-element', { name: 'Save draft' });
    await asked.pending;
    await t.decideNext('approve');
    await asked.result;
    await t.host.runner.run(t.agent, 'batch', {
      steps: [
        { action: 'snapshot', input: {} },
        { action: 'snapshot', input: {} },
      ],
    }).result;
    await t.host.runner.run(t.agent, 'click-element', { name: 'Nobody' }).result.catch(() => {});
    await t.host.hub.settled();
    const told: string[] = [];
    for await (const { event } of t.host.hub.read(0, AbortSignal.timeout(5000))) {
      if (!event.type.startsWith('tool.') || event['action'] === 'snapshot' || event['action'] === 'bindToWindow')
        continue;
      told.push(
        [event.type, event['action'], event['stage'], event['progress'], event['code']]
          .filter((part) => part !== undefined)
          .join(' '),
      );
      if (event['code'] === 'target_not_found') break;
    }
    expect(told).toEqual(phrasesOf`
      tool.start clickElement | tool.progress clickElement asked | tool.progress clickElement running |
      tool.end clickElement | tool.start batch | tool.progress batch running | tool.progress batch step 1 |
      tool.progress batch step 2 | tool.end batch | tool.start clickElement |
      tool.end clickElement target_not_found
    `);
  });

  test('a table is a line a row, with tabs between the cells; a cell that could end one is quoted', () => {
    const rows = [
      { index: 5, ref: 'e9', cells: ['Ada', '12', 'a\tb', ''], selected: true },
      { index: 6, cells: ['Eve "x"', '7', 'plain', 'ok'], depth: 1 },
      { index: 9, cells: ['Bob', '1', 'c', 'd'] },
    ];
    const result: ActionResult = {
      action: 'readTable',
      actionId: 'act_1',
      value: { columns: ['Name', 'Size', 'Note', 'State'], rows, totalRows: 10, untrusted: true },
      outcome: looked(),
      decision: { result: 'execute', riskLevel: 'low', riskTags: [], approvalId: null },
      durationMs: 1,
    };
    const [text, json] = textsOf(contentOf(result));
    expect(text!.split('\n')).toEqual([
      'Name\tSize\tNote\tState',
      '#5 e9\tAda\t12\t"a\\tb"\t [selected]',
      '  "Eve \\"x\\""\t7\tplain\tok',
      '#9 Bob\t1\tc\td',
    ]);
    expect(JSON.parse(json!)).toEqual({ value: { totalRows: 10, untrusted: true } });
  });

  test('a field that holds another text than was typed is reported with the way and its rule', () => {
    const typed = (readBack: 'verified' | 'mismatch'): Record<string, unknown> =>
      JSON.parse(
        textsOf(
          contentOf({
            action: 'virtualKeyboard',
            actionId: 'act_1',
            value: true,
            outcome: {
              ...looked(),
              effect: 'unverified',
              delivery: 'message',
              attempts: [{ rung: 'message', result: 'delivered', reason: '26 characters; the field takes at most 20' }],
              readBack,
            },
            decision: { result: 'execute', riskLevel: 'low', riskTags: [], approvalId: null },
            durationMs: 1,
          }),
        )[0]!,
      ) as Record<string, unknown>;
    expect(typed('mismatch')).toMatchObject({ tried: ['message: 26 characters; the field takes at most 20'] });
    expect(typed('verified')).not.toHaveProperty('tried');
  });

  test('a ref is shown where it is not the next one, and with each tenth row', () => {
    const shown = (refs: ReadonlyArray<string | undefined>) => {
      const rows = refs.map((ref, index) => ({ index, cells: ['x'], ...(ref === undefined ? {} : { ref }) }));
      const [text, json] = textsOf(
        contentOf({
          action: 'readTable',
          actionId: 'act_1',
          value: { columns: ['Name'], rows },
          outcome: looked(),
          decision: { result: 'execute', riskLevel: 'low', riskTags: [], approvalId: null },
          durationMs: 1,
        }),
      );
      return { lines: text!.split('\n').slice(1), note: JSON.parse(json!).value.refs };
    };
    const note = 'where a row shows none, one more than the row above';
    expect(shown(['e9', 'e10', 'e12', 'e13', 'e3'])).toEqual({
      lines: ['#0 e9\tx', 'x', 'e12\tx', 'x', 'e3\tx'],
      note,
    });
    const many = shown(Array.from({ length: 25 }, (_, at) => `e${at + 1}`)).lines;
    expect(many.flatMap((line, at) => (line === 'x' ? [] : [at]))).toEqual([0, 10, 20]);
    expect(shown(['e9', undefined, 'e10'])).toEqual({ lines: ['#0 e9\tx', 'x', 'e10\tx'] });
    expect(shown(['e9', 'e11'])).toEqual({ lines: ['#0 e9\tx', 'e11\tx'] });
  });

  test('a picture comes without text unless the call asks for it', () => {
    const box = buildTools(buildCatalog());
    expect(box.named('screenshot').toInput({})).toEqual({ text: false });
    expect(box.named('screenshot').toInput({ text: true })).toEqual({ text: true });
    expect(box.named('snapshot').toInput({})).toEqual({});
  });
});
