/** Cut outputs and how a client reads the rest. */
import { describe, expect, test } from 'vitest';
import type { ToolContent } from '../../../../src/contract/artifact.ts';
import { parseSpoolUri, partOfTexts } from '../../../../src/host/face/spooled.ts';
import { noise } from '../../artifacts/pictures.ts';
import { AGENT, openFaces, type Faces } from '../../faces.ts';
import { serveCli } from '../../../support/cli.ts';
import type { StandInHost } from '../../../support/stand-in-host.ts';

const LINES = Array.from(
  { length: 6000 },
  (_, index) => `[Button] "Zeile ${index} – ß 🦊" (0,0 10x10) ref=e${index}`,
).join('\n');

/** A snapshot that is cut; answers the last line and the id that it names. */
async function cutSnapshot(face: Faces): Promise<{ line: string; spoolId: string; texts: string[] }> {
  await face.http('bind_to_window', { title: 'Notepad' });
  const { snapshot } = face.t.scene.desktop.element;
  face.t.scene.desktop.element.snapshot = async (...given) => ({
    ...(await snapshot(...given)),
    accessibilityText: LINES,
  });
  const response = await fetch(`${face.url}/v1/tools/snapshot/call`, {
    method: 'POST',
    headers: { authorization: `Bearer ${AGENT}`, 'content-type': 'application/json' },
    body: '{"maxTokens":50000}',
  });
  const { content } = (await response.json()) as { content: Array<{ text: string }> };
  const line = content.at(-1)?.text ?? '';
  return { line, spoolId: /out_[0-9a-f]{32}/.exec(line)?.[0] ?? '', texts: content.map(({ text }) => text) };
}
const read = (face: Faces, spoolId: string, token: string): Promise<Response> =>
  fetch(`${face.url}/v1/spool/${spoolId}`, { headers: { authorization: `Bearer ${token}` } });

describe('[spool.read] a cut output', () => {
  test('names the ways to the rest, and each of them leads to the whole', async () => {
    await using face = await openFaces();
    const { line, spoolId, texts } = await cutSnapshot(face);
    for (const way of [`spool://${spoolId}?from=65536`, `GET /v1/spool/${spoolId}`, `uiahost spool ${spoolId}`])
      expect(line).toContain(way);
    const whole = (await (await read(face, spoolId, AGENT)).json()) as { content: Array<{ text: string }> };
    expect(whole).toEqual({
      spoolId,
      tool: 'snapshot',
      sessionId: 'default',
      actionId: expect.any(String),
      createdAt: expect.any(String),
      content: expect.any(Array),
    });
    expect(whole.content.at(-1)?.text).toBe(LINES);

    // From the cut on, page by page, as the resource itself says.
    let seen = texts.slice(0, -1).join('');
    for (let uri: string | undefined = /spool:\/\/\S+?(?=,)/.exec(line)?.[0]; uri !== undefined;) {
      const parts = (
        (await face.client.readResource({ uri })).contents as Array<{ text: string; mimeType: string }>
      ).map(({ text }) => text);
      uri = /^\[continues at (\S+)\]$/.exec(parts.at(-1) ?? '')?.[1];
      seen += (uri === undefined ? parts : parts.slice(0, -1)).join('');
    }
    expect(seen).toBe(whole.content.map(({ text }) => text).join(''));

    const { cli } = await serveCli({}, face.t.host as unknown as StandInHost);
    const printed = await cli(['spool', spoolId], { env: { UIAHOST_AGENT_TOKEN: AGENT } });
    expect(printed.stdout).toContain('[Button] "Zeile 5999 – ß 🦊" (0,0 10x10) ref=e5999');
    expect(
      JSON.parse((await cli(['spool', spoolId, '--json'], { env: { UIAHOST_AGENT_TOKEN: AGENT } })).stdout),
    ).toEqual(whole);
  });

  test('is not there for another token, by any way; the operator may read it', async () => {
    await using face = await openFaces();
    const { spoolId } = await cutSnapshot(face);
    const { token } = await face.t.host.tokens.create({ name: 'other' }, 'operator');
    for (const id of [spoolId, `out_${'0'.repeat(32)}`]) {
      const refused = await read(face, id, token);
      expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([404, 'artifact_not_found']);
    }
    await using other = await openFaces('legacy', {}, {}, { host: face.t, token });
    await expect(other.client.readResource({ uri: `spool://${spoolId}` })).rejects.toThrow(/no stored output/);
    expect((await read(face, spoolId, 'operator-token-operator')).status).toBe(200);
    await face.t.host.close();
    const refusals = (await face.t.auditEntries()).filter(({ errorCode }) => errorCode === 'artifact_not_found');
    expect(refusals.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['resources/read', 'GET /v1/spool/{spoolId}']),
    );
  });

  test('whose pictures became files says where they are', async () => {
    await using face = await openFaces();
    await cutSnapshot(face);
    const bytes = await noise('image/png', 200);
    const { window } = face.t.scene.desktop.capture;
    face.t.scene.desktop.capture.window = async (...given) => {
      const shot = await window(...given);
      return { ...shot, bytes, geometry: { ...shot.geometry, imageWidth: 200, imageHeight: 200 } };
    };
    const response = await fetch(`${face.url}/v1/tools/batch/call`, {
      method: 'POST',
      headers: { authorization: `Bearer ${AGENT}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        steps: [
          { action: 'snapshot', input: { maxTokens: 50_000 } },
          { action: 'screenshot', input: {} },
        ],
      }),
    });
    const { content } = (await response.json()) as { content: ToolContent[] };
    const uri = content.flatMap((part) => (part.type === 'resource' ? [part.uri] : []))[0] ?? '';
    expect(uri).toMatch(/^artifact:/);
    const [spoolId] = /out_[0-9a-f]{32}/.exec(JSON.stringify(content)) ?? [];
    const parts = (await face.client.readResource({ uri: `spool://${spoolId}` })).contents as Array<{ text: string }>;
    expect(parts.map(({ text }) => text)).toContain(`[picture: ${uri}]`);
  });

  test.each([
    ['spool://out_0', null],
    [`spool://out_${'a'.repeat(32)}`, 0],
    [`spool://out_${'a'.repeat(32)}?from=70000`, 70_000],
    [`spool://out_${'a'.repeat(32)}/../x`, null],
    [`spool://out_${'a'.repeat(32)}?from=-1`, null],
  ])('%s is an address or none', (uri, from) => expect(parseSpoolUri(uri)?.from ?? null).toBe(from));

  test('is read in parts that split no character and lose none', () => {
    const content: ToolContent[] = ['aé字😀'.repeat(9), '', 'x', '😀'.repeat(5)].map((text) => ({
      type: 'text',
      text,
    }));
    for (const most of [4, 5, 7, 64, 1000]) {
      let whole = '';
      for (let from: number | null = 0; from !== null;) {
        const part: { readonly texts: string[]; readonly next: number | null } = partOfTexts(content, from, most);
        expect(Buffer.byteLength(part.texts.join(''))).toBeLessThanOrEqual(most);
        whole += part.texts.join('');
        from = part.next;
      }
      expect(whole).toBe(content.map((part) => (part.type === 'text' ? part.text : '')).join(''));
    }
  });
});
