/** Which elements a snapshot shows. */
import { expect, test } from 'vitest';
import { snapshotNodes } from '../../../../../src/win32/elements/tree/snapshot-nodes.ts';
import { node } from '../../tree-builder.ts';

test('a surface into which a browser draws is left out; a program’s own window is kept', () => {
  const surface = node('Custom');
  surface.className = 'Intermediate D3D Window';
  const own = node('Custom');
  own.className = 'MyChart';
  const root = node('Window', { name: 'A browser', children: [surface, own] });
  expect(snapshotNodes(root).map((shown) => shown.node)).toEqual([root, own]);
});
