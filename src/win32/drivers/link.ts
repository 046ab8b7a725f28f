/** SysLink: a text with links in it. Source: learn.microsoft.com/windows/win32/controls/syslink-overview */
import { LM_HITTEST } from '../../../native-bindings/win32/constants.ts';
import { rectCentre } from '../../contract/element/coordinates.ts';
import type { Point } from '../../contract/element/geometry.ts';
import type { RemoteMemory } from '../elements/tree/remote-memory.ts';
import type { Asker } from '../windows/ask.ts';
import { windowText, type WindowInfo } from '../windows/window-info.ts';
import type { ControlReader, Driver, Acted, ItemLocator, PressAt } from './driver.ts';
import { itemNode, askRemote, clientToScreen } from './items.ts';
import { refused, type Tried } from './driver.ts';

/** The links of a SysLink text, in order. */
export function linksOf(markup: string): string[] {
  return [...markup.matchAll(/<a(?:\s[^>]*)?>(.*?)<\/a>/gis)].map((match) => match[1]!);
}

/** LHITTESTINFO: the point, and the LITEM there with the number of its link. Source: learn.microsoft.com/windows/win32/api/commctrl/ns-commctrl-lhittestinfo */
const LINK_HIT = { bytes: 4288, link: 12 };
/** Near the beginning of a text, whose first word is a link in many. */
const TEXT_BEGIN: Point = { x: 4, y: 6 };

/**
 * A point (client pixels) of each link that is at the beginning or in the middle of the text, by its number: only the control
 * knows which part of its text a link is, and tells it of one point at a time. Null if it did not answer.
 */
function linkPoints(
  asker: Asker,
  memory: RemoteMemory,
  { hwnd, client: { width, height } }: Pick<WindowInfo, 'hwnd' | 'client'>,
): ReadonlyMap<number, Point> | null {
  const points = new Map<number, Point>();
  for (const point of [TEXT_BEGIN, rectCentre({ x: 0, y: 0, width, height })]) {
    const hit = Buffer.alloc(LINK_HIT.bytes);
    hit.writeInt32LE(point.x, 0);
    hit.writeInt32LE(point.y, 4);
    memory.write(0, hit);
    const isOnLink = askRemote(asker, memory, hwnd, LM_HITTEST);
    if (isOnLink === null) return null;
    const link = isOnLink === 0 ? undefined : memory.read(LINK_HIT.link, 4)?.readInt32LE(0);
    if (link !== undefined) points.set(link, point);
  }
  return points;
}

const readLink: ControlReader = ({ info, node }, { asker, remote }) => {
  const links = linksOf(windowText(info.hwnd));
  const memory = links.length === 0 ? null : remote.for(info.hwnd);
  const points = memory === null ? null : linkPoints(asker, memory, info);
  if (points === null) {
    if (links.length > 0) [node.itemCount, node.unread] = [links.length, 'items'];
    return;
  }
  const toScreen = clientToScreen(info);
  for (const [index, name] of links.entries()) {
    const point = points.get(index);
    node.children.push(
      itemNode(node, {
        kind: 'link',
        identity: `link:${index}:${name}`,
        index,
        controlType: 'Hyperlink',
        name,
        rect: point === undefined ? node.rect : toScreen({ ...point, width: 1, height: 1 }),
        states: point === undefined ? ['offscreen'] : [],
        unread: point === undefined ? 'place' : null,
      }),
    );
  }
};

/** Pressed where the link is: the middle of the text may be another one. */
function press({ info, asker, remote }: Acted, { index }: ItemLocator): Tried | PressAt {
  const memory = remote.for(info.hwnd);
  if (memory === null)
    return refused('message', 'where the link is can only be asked through the memory of its program');
  const points = linkPoints(asker, memory, info);
  if (points === null) return refused('message', 'the control did not say in time where it is');
  const point = points.get(index);
  return point === undefined
    ? refused('message', 'it is no longer where the control showed it')
    : {
        at: clientToScreen(info)({ ...point, width: 0, height: 0 }),
        reason: 'mouse messages to a point of the link (LM_HITTEST)',
      };
}

export const link: Driver = { kinds: ['link'], item: 'link', asks: [LM_HITTEST], read: readLink, choose: press };
