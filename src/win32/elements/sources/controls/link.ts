/** SysLink: a text with links in it. Source: learn.microsoft.com/windows/win32/controls/syslink-overview */
import { windowText } from '../../../windows/window-info.ts';
import { itemNode } from './items.ts';
import type { ControlReader } from './control-reader.ts';

/** The links of a SysLink text, in order. */
export function linksOf(markup: string): string[] {
  return [...markup.matchAll(/<a(?:\s[^>]*)?>(.*?)<\/a>/gis)].map((match) => match[1]!);
}

export const readLink: ControlReader = ({ info, node }) => {
  linksOf(windowText(info.hwnd)).forEach((name, index) => {
    // The position of a link within the text is not reported: it gets the whole control's rectangle.
    node.children.push(
      itemNode(node, {
        kind: 'link',
        identity: `link:${index}:${name}`,
        index,
        controlType: 'Hyperlink',
        name,
        rect: node.rect,
      }),
    );
  });
};
