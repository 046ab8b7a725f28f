/** What a point leads to: elements that say what they do, texts that take the caret, and surfaces without names. */
import { describe, expect, it } from 'vitest';
import { METHODS } from '../../../../../src/actions/index.ts';
import {
  CONTROL_TYPES,
  type ControlType,
  type ElementState,
} from '../../../../../src/contract/element/control-types.ts';
import type { ElementContext } from '../../../../../src/contract/element/element.ts';
import type { ActionTraits } from '../../../../../src/contract/gate/traits.ts';
import { passGate } from '../../../../../src/policy/gate/gate.ts';
import { deriveRisk, type Risk } from '../../../../../src/policy/risk/target/risk.ts';
import { bound, context, element, NOTEPAD, subject, testWorld, traits } from '../../world.ts';
import { wordsOf } from '../../../../support/words.ts';

const DIALOG = { dialogTitle: 'Delete account?', dialogTexts: ['This cannot be undone.'] };
const drag = METHODS.drag.traits(METHODS.drag.input.parse({ from: { x: 1, y: 1 }, to: { x: 2, y: 2 } }) as never, {
  isBound: true,
});
const down = METHODS.mouseDown.traits(METHODS.mouseDown.input.parse({}) as never, { isBound: true });
const risk = (of: ActionTraits, seen: ElementContext, start: ElementContext | null = null): Risk =>
  deriveRisk({
    traits: of,
    app: NOTEPAD,
    binding: bound(NOTEPAD),
    context: seen,
    start: start === null ? null : { app: NOTEPAD, context: start },
    typesSecret: false,
    claims: null,
  });

/** By control type: what a point on it comes to, with a name and without. */
const TABLE: Readonly<
  Record<ControlType, readonly [named: 'unknown' | 'named' | 'passive', unnamed: 'unknown' | 'passive']>
> = {
  Window: ['unknown', 'unknown'],
  Pane: ['unknown', 'unknown'],
  Group: ['unknown', 'unknown'],
  Custom: ['unknown', 'unknown'],
  Document: ['unknown', 'unknown'],
  List: ['unknown', 'unknown'],
  Tree: ['unknown', 'unknown'],
  DataGrid: ['unknown', 'unknown'],
  Table: ['unknown', 'unknown'],
  Menu: ['unknown', 'unknown'],
  MenuBar: ['unknown', 'unknown'],
  ToolBar: ['unknown', 'unknown'],
  AppBar: ['unknown', 'unknown'],
  TitleBar: ['unknown', 'unknown'],
  StatusBar: ['unknown', 'unknown'],
  Tab: ['unknown', 'unknown'],
  Header: ['unknown', 'unknown'],
  SemanticZoom: ['unknown', 'unknown'],
  Button: ['named', 'unknown'],
  SplitButton: ['named', 'unknown'],
  Hyperlink: ['named', 'unknown'],
  MenuItem: ['named', 'unknown'],
  CheckBox: ['named', 'unknown'],
  RadioButton: ['named', 'unknown'],
  Image: ['named', 'unknown'],
  Text: ['named', 'unknown'],
  ListItem: ['named', 'unknown'],
  TreeItem: ['named', 'unknown'],
  DataItem: ['named', 'unknown'],
  Edit: ['passive', 'passive'],
  ComboBox: ['passive', 'passive'],
  TabItem: ['passive', 'passive'],
  ScrollBar: ['passive', 'passive'],
  Slider: ['passive', 'passive'],
  Thumb: ['passive', 'passive'],
  Spinner: ['passive', 'passive'],
  Calendar: ['passive', 'passive'],
  HeaderItem: ['passive', 'passive'],
  ProgressBar: ['passive', 'passive'],
  ToolTip: ['passive', 'passive'],
  Separator: ['passive', 'passive'],
};

describe('a point', () => {
  it.each(CONTROL_TYPES)('[risk.surface] on a %s', (type) => {
    const [named, unnamed] = TABLE[type];
    for (const [name, outcome] of [
      ['Details', named],
      ['', unnamed],
    ] as const) {
      for (const of of [traits.point(), down]) {
        const found = risk(of, context(element(type, name), DIALOG));
        expect([name, found.flags, found.tags.includes('destructive')]).toEqual([
          name,
          outcome === 'unknown' ? ['unknown_target'] : [],
          outcome === 'unknown',
        ]);
      }
    }
    // What its name says still counts.
    if (
      named !== 'passive' &&
      !wordsOf`
        Window Document Menu MenuBar ToolBar AppBar TitleBar StatusBar Tab Header SemanticZoom List Tree DataGrid
        Table
      `.includes(type)
    ) {
      expect(risk(traits.point(), context(element(type, 'Pay now'))).tags).toContain('financial');
    }
  });

  it.each(CONTROL_TYPES)('[risk.surface] an element by ref keeps its type: a %s', (type) => {
    const found = risk(traits.click('', {}), context(element(type, 'Details'), DIALOG));
    expect([found.flags, found.tags]).toEqual([[], []]);
  });

  it('[risk.surface] in a text that takes the caret is not an unknown target; on a page, and on a drawn surface, it is', () => {
    const at = (type: ControlType, more: { states?: ElementState[]; takesCaret?: boolean } = {}): Risk =>
      risk(
        traits.point(),
        context(element(type, 'Body', { states: more.states ?? [] }), {
          ...DIALOG,
          ...(more.takesCaret === undefined ? {} : { takesCaret: more.takesCaret }),
        }),
      );
    for (const type of ['Document', 'Pane', 'Custom', 'Window'] as const) {
      expect(at(type, { takesCaret: true }), type).toMatchObject({ flags: [] });
      expect(at(type, { takesCaret: false }), type).toMatchObject({ flags: ['unknown_target'] });
    }
    expect(at('Document', { states: ['readonly'] })).toMatchObject({
      flags: ['unknown_target'],
      tags: ['destructive'],
    });
    expect(at('Edit')).toMatchObject({ flags: [], tags: [] });
    expect(at('Document', { takesCaret: true }).tags).toEqual([]);
  });

  it('[risk.surface] both ends of a drag; not the wheel, and not a pointer that only moves', () => {
    const pane = context(element('Pane', 'Canvas'), DIALOG);
    const edit = context(element('Edit', 'Text'), DIALOG);
    expect(risk(drag, edit, edit).flags).toEqual([]);
    expect(risk(drag, pane, edit).flags).toEqual(['unknown_target']);
    expect(risk(drag, edit, pane)).toMatchObject({ flags: ['unknown_target'], tags: ['destructive'] });
    const wheel = METHODS.scroll.traits(METHODS.scroll.input.parse({ x: 1, y: 1, dx: 0, dy: 1 }) as never, {
      isBound: true,
    });
    for (const of of [wheel, traits.move()]) expect(risk(of, pane)).toMatchObject({ flags: [], tags: [] });
  });

  it('[risk.surface] no approval is needed for a canvas or a terminal that shows no risk', async () => {
    const calm = [
      context(element('Pane', 'Canvas'), {
        dialogTitle: 'Untitled - Paint',
        dialogTexts: ['1920 × 1080px'],
        nearbyTexts: ['Brushes', '100 %'],
      }),
      context(element('Window', 'Plan.dwg'), { dialogTitle: 'Plan.dwg' }),
      context(element('Document', 'Text Area'), { dialogTitle: 'Command Prompt', takesCaret: true }),
      context(element('Custom', 'Sheet'), { dialogTitle: 'Book1' }),
      context(element('List', 'Files'), { dialogTitle: 'Documents', nearbyTexts: ['12 items'] }),
    ];
    for (const seen of calm) {
      const world = testWorld({ seen });
      await passGate(subject(traits.point(), { action: 'click', input: {} }), world);
      expect(world.cards).toEqual([]);
    }
    const world = testWorld({ seen: context(element('Pane', 'Sure?'), DIALOG) });
    await passGate(subject(traits.point(), { action: 'click', input: {} }), world);
    expect(world.cards[0]).toMatchObject({
      riskTags: expect.arrayContaining(['destructive']),
      flags: expect.arrayContaining(['unknown_target']),
    });
  });
});
