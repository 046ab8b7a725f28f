/**
 * The three coordinate spaces on pictures that had to be scaled down: what an agent sees in the image, converted there and
 * back, is where another program finds it and where the target program itself gets the pointer.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { imageToScreen, rectContains, screenToImage } from '../../src/contract/element/coordinates.ts';
import type { ObservationGeometry, Point, Rect, Space } from '../../src/contract/element/geometry.ts';
import type { Client } from '../support/client.ts';
import { controlId } from '../support/controls.ts';
import { startDesktop, type Desktop } from '../support/desktop.ts';
import type { Fixture } from '../support/fixture.ts';
import type { EventPattern } from '../support/journal.ts';
import { Scene, type NotepadWindow } from '../support/scene.ts';
import { until } from '../support/until.ts';
import { decode } from '../support/pixels.ts';
import { descendants, type TreeNode } from '../support/snapshot-tree.ts';

const SPACES: readonly Space[] = ['image', 'client', 'screen'];
/** The mouse goes through these to what is below. */
const SEE_THROUGH: ReadonlySet<string> = new Set(['Text', 'Group', 'Image']);

let desktop: Desktop;
let scene: Scene;
let client: Client;
let controls: Fixture;
let notepad: NotepadWindow;

beforeAll(async () => {
  desktop = await startDesktop({ width: 3200, height: 1400 });
  scene = await Scene.open({ desktop });
  client = scene.client;
  controls = await scene.fixture('controls');
  await controls.journal.waitFor({ event: 'late_shown' });
  notepad = await scene.notepad();
}, 60_000);
afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
  await desktop?.stop();
});

interface Leaf {
  readonly node: TreeNode;
  /** The control itself, or the control that it is an item of. */
  readonly ownerId: number | null;
  /** Its centre in each space. */
  readonly at: Readonly<Record<Space, Point>>;
  /** What its image rectangle is on the screen. */
  readonly area: Rect;
}

interface Seen {
  readonly geometry: ObservationGeometry;
  readonly observationId: string;
  readonly nodes: readonly TreeNode[];
  readonly leaves: readonly Leaf[];
  /** The client area’s origin on the screen, as another program tells it. */
  readonly origin: Point;
}

/** Binds, moves and sizes the window, and looks at it by a picture and a snapshot. */
async function see(hwnd: string, place: Rect): Promise<Seen> {
  await client.bind({ hwnd });
  await client.act('manage-window', { action: 'move_resize', ...place });
  const look = await client.look({ maxTokens: 40_000, maxElements: 2000 });
  const { value } = await client.act('screenshot');
  const geometry: ObservationGeometry = {
    imageWidth: value.width,
    imageHeight: value.height,
    displayWidth: value.displayWidth,
    displayHeight: value.displayHeight,
    originX: value.originX,
    originY: value.originY,
  };
  const { x, y } = await scene.witness.area(hwnd);
  const isOwner = (node: TreeNode): boolean => /^\d+$/.test(node.id ?? '');
  const leaves = look.nodes
    .filter(
      (node) =>
        descendants(look.nodes, node).length === 0 &&
        !node.states.includes('offscreen') &&
        !node.states.includes('disabled'),
    )
    .map((node): Leaf => {
      const owner = isOwner(node)
        ? node
        : look.nodes.slice(0, look.nodes.indexOf(node)).findLast((each) => each.depth < node.depth && isOwner(each));
      const image = { x: node.x + node.width / 2, y: node.y + node.height / 2 };
      const screen = imageToScreen(geometry, image);
      const corner = imageToScreen(geometry, node);
      const end = imageToScreen(geometry, { x: node.x + node.width - 1, y: node.y + node.height - 1 });
      return {
        node,
        ownerId: owner === undefined ? null : Number(owner.id),
        at: { image, screen, client: { x: screen.x - x, y: screen.y - y } },
        area: { x: corner.x, y: corner.y, width: end.x - corner.x + 1, height: end.y - corner.y + 1 },
      };
    });
  return { geometry, observationId: value.observationId, nodes: look.nodes, leaves, origin: { x, y } };
}

/** The last look at the controls: nothing that a later test does moves them. */
let last: { readonly place: Rect; readonly seen: Seen } | undefined;
async function seeControls(place: Rect): Promise<Seen> {
  if (last?.place !== place) last = { place, seen: await see(controls.hwnd, place) };
  return last.seen;
}

const called = ({ node }: Leaf): string => `${node.controlType} ${JSON.stringify(node.name)} ${node.id ?? ''}`;

/** Image → screen → client → screen → image, each within a pixel of the coarser space. */
function wayAndBack({ geometry, leaves, origin }: Seen): string[] {
  const scale = geometry.displayWidth / geometry.imageWidth;
  return leaves.flatMap((leaf) => {
    const { image, client: inClient, screen } = leaf.at;
    const again = { x: inClient.x + origin.x, y: inClient.y + origin.y };
    const back = screenToImage(geometry, again);
    const twice = imageToScreen(geometry, back);
    const isNear = (a: Point, b: Point, most: number): boolean =>
      Math.abs(a.x - b.x) <= most && Math.abs(a.y - b.y) <= most;
    return isNear(back, image, 1) && isNear(twice, screen, scale) && isNear(again, screen, 0)
      ? []
      : [`${called(leaf)}: ${JSON.stringify({ image, screen, back, twice })}`];
  });
}

/** What other programs find at the leaves' points. */
async function missedBy(hwnd: string, { leaves }: Seen): Promise<string[]> {
  const missed: string[] = [];
  for (const leaf of leaves) {
    const { root, ids } = await scene.witness.at(leaf.at.screen.x, leaf.at.screen.y);
    const isOwners = SEE_THROUGH.has(leaf.node.controlType) || leaf.ownerId === null || ids.includes(leaf.ownerId);
    if (root !== hwnd || !isOwners)
      missed.push(`${called(leaf)} at ${leaf.at.screen.x},${leaf.at.screen.y}: hit ${root} ${ids.join('<')}`);
  }
  return missed;
}

/** Every second pixel alone has a pixel of the image, at an odd place. */
const HALF: Rect = { x: 31, y: 17, width: 3136, height: 820 };
const UNEVEN: Rect = { x: 143, y: 61, width: 2211, height: 1307 };

describe.each([
  ['exactly half its size', HALF],
  ['an uneven part of its size', UNEVEN],
] as const)('the controls in a picture of %s', (_what, place) => {
  let seen: Seen;
  let rects: Map<number, Rect>;
  beforeAll(async () => {
    seen = await seeControls(place);
    rects = new Map(
      [...(await controls.dump())].map(([id, state]) => {
        const [left = 0, top = 0, right = 0, bottom = 0] = state['rect'] as number[];
        return [id, { x: left, y: top, width: right - left, height: bottom - top }];
      }),
    );
  });

  it('the picture is smaller than the window, and the text of a snapshot is in the same space', async () => {
    expect(seen.geometry).toMatchObject({
      displayWidth: place.width,
      displayHeight: place.height,
      originX: place.x,
      originY: place.y,
    });
    expect(seen.geometry.imageWidth).toBeLessThan(place.width * 0.75);
    expect(seen.nodes[0]).toMatchObject({
      x: 0,
      y: 0,
      width: seen.geometry.imageWidth,
      height: seen.geometry.imageHeight,
    });
    expect(seen.leaves.length).toBeGreaterThan(90);
  });

  it('the centre of every enabled leaf goes from image to screen to client and back', () => {
    expect(wayAndBack(seen)).toEqual([]);
  });

  it('[observation.centre] another program finds the leaf’s window there, and so does the program itself', async () => {
    expect(await missedBy(controls.hwnd, seen)).toEqual([]);
    const beside = seen.leaves.filter(
      ({ ownerId, at }) => ownerId !== null && rects.has(ownerId) && !rectContains(rects.get(ownerId)!, at.screen),
    );
    expect(beside.map(called)).toEqual([]);
  });
});

describe('clicks by coordinates on the controls, in a picture that was scaled down', () => {
  let seen: Seen;
  beforeAll(async () => {
    seen = await seeControls(UNEVEN);
  });

  const leafOf = (id: number, name: string | null): Leaf => {
    const found = seen.leaves.find(({ ownerId, node }) => ownerId === id && (name === null || node.name === name));
    if (found === undefined) throw new Error(`There is no leaf ${name ?? ''} of ${id}`);
    return found;
  };
  const HITS: Readonly<Record<Space, ReadonlyArray<readonly [key: string, name: string | null, heard: EventPattern]>>> =
    {
      image: [
        ['CUSTOM', null, { event: 'custom_click' }],
        ['TREE', 'Vegetables', { event: 'notify', codeName: 'TVN_SELCHANGED' }],
        ['LISTBOX', 'Entry 3', { event: 'command', selectedText: 'Entry 3' }],
      ],
      client: [
        ['CUSTOM', null, { event: 'custom_click' }],
        ['TREE', 'Apple', { event: 'notify', codeName: 'TVN_SELCHANGED' }],
        ['NEST_BUTTON', null, { event: 'command', codeName: 'BN_CLICKED' }],
      ],
      screen: [
        ['CUSTOM', null, { event: 'custom_click' }],
        ['TREE', 'Pear', { event: 'notify', codeName: 'TVN_SELCHANGED' }],
        ['LIST_VIRTUAL', 'Virtual 2', { event: 'notify', item: 2, selected: true }],
      ],
    };

  // The gate and the evidence read this window before and after each of them: a few leaves stand for all.
  it.each(SPACES)(
    '[method.click] [observation.centre] a click in %s space lands inside the leaf, by the program’s own journal',
    async (space) => {
      for (const [key, name, heard] of HITS[space]) {
        const leaf = leafOf(controlId(key), name);
        controls.journal.mark();
        await client.act('click', {
          ...leaf.at[space],
          space,
          ...(space === 'image' ? { observationId: seen.observationId } : {}),
        });
        const down = await controls.journal.waitFor({ event: 'mouse', kind: 'down' });
        expect(down, called(leaf)).toMatchObject({
          id: controlId(key),
          screenX: leaf.at.screen.x,
          screenY: leaf.at.screen.y,
        });
        expect(rectContains(leaf.area, { x: down['screenX'], y: down['screenY'] }), called(leaf)).toBe(true);
        // items are only selected by a click on themselves
        expect(await controls.journal.waitFor(heard)).toMatchObject({ id: controlId(key) });
      }
    },
  );
});

describe('points of each action, in a picture that was scaled down', () => {
  let seen: Seen;
  let custom: Leaf;
  beforeAll(async () => {
    seen = await seeControls(UNEVEN);
    custom = seen.leaves.find(({ ownerId }) => ownerId === controlId('CUSTOM'))!;
    await client.bind({ hwnd: controls.hwnd });
    await client.act('screenshot');
  });

  it.each([
    ['click', {}],
    ['virtual-mouse', { action: 'click' }],
  ] as const)(
    '[space.default] %s without a space takes a pixel of the picture, and names the element there',
    async (action, input) => {
      controls.journal.mark();
      const { outcome } = await client.act(action, { ...input, ...custom.at.image });
      expect(await controls.journal.waitFor({ event: 'mouse', kind: 'down' })).toMatchObject({
        id: controlId('CUSTOM'),
        screenX: custom.at.screen.x,
        screenY: custom.at.screen.y,
      });
      // It has no name; the snapshot says what it is next to.
      expect(outcome.details?.['target']).toMatchObject({
        role: custom.node.controlType,
        name: '',
        ref: custom.node.ref,
      });
    },
  );

  it.each([
    ['scroll', { dx: 0, dy: 1 }],
    ['mouse-wheel', { delta: -1 }],
  ] as const)('[space.default] %s as well', async (action, input) => {
    controls.journal.mark();
    await client.act(action, { ...input, ...custom.at.image });
    expect(await controls.journal.waitFor({ event: 'wheel' })).toMatchObject({
      screenX: custom.at.screen.x,
      screenY: custom.at.screen.y,
    });
  });

  it('[space.default] app-under-point as well', async () => {
    // the window that had the foreground before the clicks lies above again
    await client.act('manage-window', { action: 'focus' });
    expect((await client.act('app-under-point', custom.at.image)).value).toMatchObject({
      bundleId: expect.stringContaining('controls.exe'),
    });
  });

  it('zoom shows the same place of the picture at native size', async () => {
    const { x, y, width, height } = custom.node;
    const zoomed = await decode(
      (await client.act('zoom', { regionLogical: { x, y, w: width, h: height } })).value.base64,
    );
    const scale = seen.geometry.displayWidth / seen.geometry.imageWidth;
    expect(Math.abs(zoomed.width - width * scale)).toBeLessThanOrEqual(1);
    // one half of it is red, the other blue
    const [left, right] = [
      zoomed.at(Math.round(zoomed.width / 4), Math.round(zoomed.height / 2)),
      zoomed.at(Math.round((zoomed.width * 3) / 4), Math.round(zoomed.height / 2)),
    ];
    expect([left.r > left.b, right.b > right.r]).toEqual([true, true]);
    const part = await decode(
      (
        await client.act('zoom', {
          regionLogical: {
            x: custom.area.x - seen.geometry.originX,
            y: custom.area.y - seen.geometry.originY,
            w: custom.area.width,
            h: custom.area.height,
          },
          space: 'capture',
        })
      ).value.base64,
    );
    expect(Math.abs(part.width - zoomed.width)).toBeLessThanOrEqual(Math.ceil(scale));
  });

  it('wait-for answers where an element is as the snapshot does', async () => {
    const { value } = await client.act('wait-for', { ref: custom.node.ref });
    const { x, y, width, height } = custom.node;
    expect(value.element.rect).toEqual({ x, y, width, height });
  });
});

describe('Notepad in a picture that was scaled down', () => {
  const place = UNEVEN;
  let seen: Seen;
  let edit: Leaf;
  beforeAll(async () => {
    seen = await see(notepad.hwnd, place);
    edit = seen.leaves.find(({ node }) => ['Edit', 'Document'].includes(node.controlType))!;
    await scene.witness.put(
      notepad.hwnd,
      'Edit',
      Array.from({ length: 200 }, (_, line) => `${String(line).padStart(3, '0')} ${'abcdefghij'.repeat(30)}`).join(
        '\r\n',
      ),
    );
  });

  it('[observation.centre] every leaf’s centre comes back, and another program finds it there', async () => {
    expect(seen.geometry.imageWidth).toBeLessThan(place.width * 0.75);
    expect(seen.leaves.length).toBeGreaterThan(0);
    expect(wayAndBack(seen)).toEqual([]);
    expect(await missedBy(notepad.hwnd, seen)).toEqual([]);
  });

  it('[method.click] a click at one place puts the caret at one place, in each of the three spaces', async () => {
    const carets: number[] = [];
    for (const space of SPACES) {
      await scene.witness.ask(notepad.hwnd, 'Edit', 0x00b1, 0, 0);
      await client.act('click', {
        ...edit.at[space],
        space,
        ...(space === 'image' ? { observationId: seen.observationId } : {}),
      });
      carets.push(
        (
          await until(
            () => scene.witness.selection(notepad.hwnd, 'Edit'),
            ({ from }) => from > 0,
          )
        ).from,
      );
    }
    // what Windows' own hit test of the text says: EM_CHARFROMPOS at that point of the edit control
    const { x, y } = await scene.witness.area(await scene.witness.child(notepad.hwnd, 'Edit'));
    const point = ((edit.at.screen.y - y) << 16) | (edit.at.screen.x - x);
    const answer = await scene.witness.ask(notepad.hwnd, 'Edit', 0x00d7, 0, point);
    expect(carets.map((caret) => caret & 0xffff)).toEqual(SPACES.map(() => answer & 0xffff));
    expect(answer).toBeGreaterThan(0);
  });
});
