/** End to end: pictures of the bound window and of the display. */
import { existsSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { controlId } from '../support/controls.ts';
import { decode, type Pixels } from '../support/pixels.ts';
import { sharedScene } from '../support/scene.ts';
import { parseTree, type TreeNode } from '../support/snapshot-tree.ts';

const { scene, client, controls } = await sharedScene(async (opened) => ({ controls: await opened.boundControls() }));

const isRed = ({ r, g, b }: { r: number; g: number; b: number }): boolean => r > 180 && g < 80 && b < 80;
const isBlue = ({ r, g, b }: { r: number; g: number; b: number }): boolean => b > 180 && r < 80 && g < 110;

/** The control that paints its left half red and its right half blue, in the picture where the text says it is. */
function expectTwoColours(picture: Pixels, node: TreeNode): void {
  expect(isRed(picture.at(node.x + node.width / 4, node.y + node.height / 2)), 'the left half is red').toBe(true);
  expect(isBlue(picture.at(node.x + (node.width * 3) / 4, node.y + node.height / 2)), 'the right half is blue').toBe(
    true,
  );
}

async function shoot(input: object = {}): Promise<{ value: any; picture: Pixels; nodes: TreeNode[] }> {
  const { value } = await client.act('screenshot', input);
  return { value, picture: await decode(value.base64), nodes: parseTree(value.accessibilityText) };
}

describe('a picture of the bound window', () => {
  it('[method.screenshot] [capture.window] [space.unscaled] [space.origin] is the window alone, a PNG of its size, and says the way', async () => {
    const { value, picture } = await shoot();
    const [left = 0, top = 0, right = 0, bottom = 0] = controls.ready['rect'] as number[];
    expect(picture).toMatchObject({ format: 'png', width: right - left, height: bottom - top });
    expect(value).toMatchObject({
      width: right - left,
      height: bottom - top,
      displayWidth: right - left,
      displayHeight: bottom - top,
      originX: left,
      originY: top,
      mimeType: 'image/png',
    });
    expect(value.method).toMatch(/^(print-window|window-dc|screen-crop)/);
  });

  it('[capture.text] comes with the text of the same observation, which matches the pixels', async () => {
    const { picture, nodes, value } = await shoot();
    const custom = nodes.find(({ id }) => id === String(controlId('CUSTOM')))!;
    expectTwoColours(picture, custom);
    // the observation of a picture is one to continue from
    expect(await client.look({ since: value.observationId, maxTokens: 40_000, maxElements: 2000 })).toBeDefined();
  });

  it('is whole though another window covers it', async () => {
    await using cover = await scene.fixture('sentinel', {
      args: ['--activate', '--topmost', '--x', 0, '--y', 0, '--width', 1280, '--height', 800],
    });
    const { x, y } = await client.element({ id: String(controlId('CUSTOM')) });
    expect((await scene.witness.at(controls.ready['rect'][0] + x + 5, controls.ready['rect'][1] + y + 5)).root).toBe(
      cover.hwnd,
    );
    await cover.tell('reset');
    const { picture, nodes, value } = await shoot();
    expectTwoColours(
      picture,
      nodes.find(({ id }) => id === String(controlId('CUSTOM')))!,
    );
    expect(value.method).not.toMatch(/^screen-crop/);
    await cover.tell('report');
    expect(await cover.journal.waitFor({ event: 'report' })).toMatchObject({
      focusLosses: 0,
      foregroundChanges: 0,
      cursorMoves: 0,
    });
  });

  it('[capture.blank] a minimised window is capture_blank, with the cause, and stays minimised', async () => {
    await client.act('manage-window', { action: 'minimize' });
    const problem = await client.refused('capture_blank', 'screenshot');
    expect(problem.detail).toMatch(/minimi[sz]ed/i);
    expect((await scene.witness.windows()).find(({ hwnd }) => hwnd === controls.hwnd)?.minimized).toBe(true);
    await client.act('manage-window', { action: 'restore' });
    expect((await shoot()).picture.width).toBeGreaterThan(1000);
  });

  it('is JPEG or WebP on request', async () => {
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const { value, picture } = await shoot({ format });
      expect(picture.format).toBe(format);
      expect(value.mimeType).toBe(`image/${format}`);
    }
    await client.refused('invalid_argument', 'screenshot', { format: 'bmp' });
  });

  it('[capture.password] has its password field painted over', async () => {
    const { picture, nodes } = await shoot();
    const password = nodes.find(({ id }) => id === String(controlId('PASSWORD')))!;
    const name = nodes.find(({ id }) => id === String(controlId('EDIT_NAME')))!;
    const inside = ({ x, y, width, height }: TreeNode): [number, number, number, number] => [
      x + 3,
      y + 3,
      width - 6,
      height - 6,
    ];
    expect(picture.coloursIn(...inside(password))).toBe(1);
    expect(picture.coloursIn(...inside(name))).toBeGreaterThan(1);
  });

  it('[artifact.file] is kept as an artifact that can be fetched, byte for byte', async () => {
    const { value } = await shoot();
    const sent = Buffer.from(value.base64, 'base64');
    const sha256 = createHash('sha256').update(sent).digest('hex');
    expect(value.artifact).toBe(`artifact://${sha256}`);
    const { body } = await scene.host.request(`/v1/artifacts/${sha256}`);
    expect(body).toMatchObject({
      uri: value.artifact,
      mimeType: 'image/png',
      byteSize: sent.length,
      contentHash: sha256,
      width: value.width,
      height: value.height,
    });
    const content = await fetch(`${scene.host.url}/v1/artifacts/${sha256}/content`, {
      headers: { authorization: `Bearer ${scene.host.agentToken}` },
    });
    expect(content.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await content.arrayBuffer()).equals(sent)).toBe(true);
    expect(existsSync(join(scene.host.dataDir, '.agent-runtime/spool/images', `${sha256}.png`))).toBe(true);
  });

  it('[method.zoom] zoom crops a fresh picture at native resolution', async () => {
    const custom = await client.element({ id: String(controlId('CUSTOM')) });
    const { value } = await client.act('zoom', {
      regionLogical: { x: custom.x, y: custom.y, w: custom.width, h: custom.height },
    });
    const picture = await decode(value.base64);
    expect(picture).toMatchObject({ width: custom.width, height: custom.height });
    expectTwoColours(picture, { ...custom, x: 0, y: 0 });
  });

  it('[gate.narrow] allowedBundleIds narrows', async () => {
    await client.refused('app_not_granted', 'screenshot', { allowedBundleIds: ['c:\\windows\\system32\\notepad.exe'] });
  });
});

describe('a picture of the display', () => {
  it('[grant.display] [method.listDisplays] [method.getDisplaySize] shows other applications, and so needs a person or the flag', async () => {
    const displays = (await client.act('list-displays')).value;
    const [primary] = displays.filter(({ isPrimary }: any) => isPrimary === true);
    expect(displays).toHaveLength(1);
    expect(primary).toMatchObject({ width: 1280, height: 800, originX: 0, originY: 0, scaleFactor: 1 });
    expect((await client.act('get-display-size')).value).toEqual(primary);
    await client.refused('invalid_argument', 'get-display-size', { displayId: 4711 });

    const asked = await client.pending('screenshot', { displayId: primary.displayId });
    expect(asked.card.why).toContainEqual(expect.objectContaining({ kind: 'display' }));
    await client.decide(asked.card.approvalId, 'approve');
    const { result } = await client.ended(asked.actionId);
    expect(result!.value).toMatchObject({ displayId: primary.displayId, width: 1280, height: 800 });
    expect(result!.value.accessibilityText).toContain('Push me');

    await client.policy({ flags: ['displayCapture'] });
    expect((await client.act('screenshot', { displayId: primary.displayId })).value).toMatchObject({
      displayId: primary.displayId,
      width: 1280,
      height: 800,
    });
    await client.refused('invalid_argument', 'screenshot', { displayId: 4711 });
    await client.policy({ flags: [] });
  });

  it('[capture.deny] has windows of deny-listed applications painted over', async () => {
    await client.policy({ flags: ['displayCapture'], deny: ['controls.exe'] });
    try {
      await client.act('unbind-from-window');
      const { value } = await client.act('screenshot');
      const [left = 0, top = 0, right = 0, bottom = 0] = controls.ready['rect'] as number[];
      expect((await decode(value.base64)).coloursIn(left + 2, top + 2, right - left - 4, bottom - top - 4)).toBe(1);
    } finally {
      await client.policy({ flags: [], deny: [] });
      await client.bind({ hwnd: controls.hwnd });
    }
  });

  it('[capture.listed] shows with a list the windows that are listed and granted, and paints over everything else without asking', async () => {
    await using cover = await scene.fixture('sentinel', {
      args: ['--topmost', '--x', 200, '--y', 150, '--width', 400, '--height', 300],
    });
    const { value: windows } = await client.act('list-visible-windows');
    const appOf = (hwnd: string): string => windows.find((each: any) => each.hwnd === hwnd).app;
    const [below, above] = [appOf(controls.hwnd), appOf(cover.hwnd)];
    await client.act('unbind-from-window');
    const [{ displayId }] = (await client.act('list-displays')).value;
    await client.policy({ level: 'observe', grants: [{ app: below, tier: 'read' }] });
    /** How many colours the covering window, the one below it, and the desktop next to both have in the picture. */
    const colours = async (allowedBundleIds: string[], input: object = {}): Promise<number[]> => {
      const { value } = await client.act('screenshot', { allowedBundleIds, ...input });
      expect(value).toMatchObject({ width: 1280, height: 800, displayWidth: 1280, originX: 0, originY: 0 });
      const picture = await decode(value.base64);
      const [, , right = 0, bottom = 0] = controls.ready['rect'] as number[];
      return [
        picture.coloursIn(202, 152, 396, 296),
        picture.coloursIn(610, 2, right - 612, bottom - 4),
        picture.coloursIn(right, 0, 1280 - right, 800),
      ];
    };
    try {
      expect(await colours([])).toEqual([1, 1, 1]);
      expect(await colours([above])).toEqual([1, 1, 1]);
      const [over, under, beside] = await colours([below, above], { displayId });
      expect([over, beside]).toEqual([1, 1]);
      expect(under).toBeGreaterThan(10);
      await client.policy({ grants: [{ app: above, tier: 'read' }] });
      const [shown, hidden] = await colours(['*']);
      expect(shown).toBeGreaterThan(1);
      expect(hidden).toBe(1);
      const prepared = (await client.act('resolve-prepare-capture', { allowedBundleIds: [] })).value;
      expect((await decode(prepared.base64)).coloursIn(0, 0, 1280, 800)).toBe(1);
    } finally {
      await client.policy({ level: 'full', grants: [] });
      await client.bind({ hwnd: controls.hwnd });
    }
  });

  it('[method.resolvePrepareCapture] [prepare.hidden] [prepare.hidden-list] [prepare.activated] [prepare.error] resolvePrepareCapture hides nothing, and a failed capture still answers the geometry', async () => {
    const { value } = await client.act('resolve-prepare-capture', { autoResolve: true, doHide: true });
    expect(value).toMatchObject({ hidden: [], width: 1240, height: 780 });
    expect(value).not.toHaveProperty('activated');
    expect(value.accessibilityText).toContain('Push me');
    const before = (await scene.witness.windows()).map(({ hwnd }) => hwnd);
    await client.act('manage-window', { action: 'minimize' });
    const failed = (await client.act('resolve-prepare-capture')).value;
    expect(failed).toMatchObject({ displayWidth: 1280, displayHeight: 800, originX: 0, originY: 0, hidden: [] });
    expect(failed.captureError).toMatch(/^capture_blank/);
    await client.act('manage-window', { action: 'restore' });
    expect((await scene.witness.windows()).map(({ hwnd }) => hwnd)).toEqual(before);
  });

  it('[method.prepareForAction] [method.previewHideSet] [prepare.verifies] preparing hides nothing, and refuses with the cause', async () => {
    expect((await client.act('prepare-for-action', { allowlistBundleIds: [] })).value).toEqual([]);
    expect((await client.act('preview-hide-set', { allowlistBundleIds: [] })).value).toEqual([]);
    const mortal = await scene.fixture('sentinel');
    await client.bind({ hwnd: mortal.hwnd });
    await mortal.program.kill();
    await client.refused('window_gone', 'prepare-for-action', { allowlistBundleIds: [] });
  });
});
