/** What keys, the wheel and a click on a list as a whole choose without pressing anything that has a name of its own. */
import { describe, expect, it } from 'vitest';
import { METHODS } from '../../../../../src/actions/index.ts';
import type { ControlType } from '../../../../../src/contract/element/control-types.ts';
import type { ElementContext, KeyReach } from '../../../../../src/contract/element/element.ts';
import type { RiskTag } from '../../../../../src/contract/gate/permissions.ts';
import type { ActionTraits } from '../../../../../src/contract/gate/traits.ts';
import { deriveRisk } from '../../../../../src/policy/risk/target/risk.ts';
import { bound, context, element, NOTEPAD, traits } from '../../world.ts';

const reach = (controlType: ControlType, name: string, more: Partial<KeyReach> = {}): KeyReach => ({
  controlType,
  name,
  automationId: '',
  isPassword: false,
  isInMenu: false,
  isInComboBox: false,
  ...more,
});
const item = (name: string): KeyReach => reach('ListItem', name, { isInComboBox: true });
const tagsOf = (of: ActionTraits, seen: ElementContext): readonly RiskTag[] =>
  deriveRisk({
    traits: of,
    app: NOTEPAD,
    binding: bound(NOTEPAD),
    context: seen,
    typesSecret: false,
    claims: null,
  }).tags;
const keys = (sequence: string): ActionTraits => traits.keys(sequence.split(' '));

const MODES = [reach('ComboBox', 'Mode'), item('Keep'), item('Delete all files')];
const onMode = context(element('ComboBox', 'Mode'), { reachable: MODES });
const beforeMode = context(element('Edit', 'Name'), { reachable: [reach('Edit', 'Name'), ...MODES] });

describe('a combo box', () => {
  it.each(['down', 'up', 'end', 'pagedown', 'd', 'down down'])('%s chooses one of its items', (sequence) => {
    expect(tagsOf(keys(sequence), onMode)).toContain('destructive');
  });

  it.each(['tab down', 'tab d', 'f6 end'])('%s may reach it and choose an item', (sequence) => {
    expect(tagsOf(keys(sequence), beforeMode)).toContain('destructive');
  });

  it('keys that stay in a field, and items that mean nothing, carry no tag', () => {
    expect(tagsOf(keys('down'), beforeMode)).toEqual([]);
    expect(tagsOf(keys('d'), beforeMode)).toEqual([]);
    const sizes = context(element('ComboBox', 'Size'), {
      reachable: [reach('ComboBox', 'Size'), item('Small'), item('Large')],
    });
    for (const sequence of ['down', 'd', 'end']) expect(tagsOf(keys(sequence), sizes)).toEqual([]);
  });

  it('the wheel over it chooses an item; over a list it moves the view', () => {
    const wheel = METHODS.scroll.traits(
      METHODS.scroll.input.parse({ x: 1, y: 2, dx: 0, dy: 1, space: 'screen' }) as never,
      { isBound: true },
    );
    expect(tagsOf(wheel, onMode)).toContain('destructive');
    expect(tagsOf(wheel, context(element('List', 'Actions'), { reachable: MODES }))).toEqual([]);
  });

  it('a click on a list as a whole counts as a click on any of its rows in view', () => {
    const click = traits.click('Actions');
    expect(
      tagsOf(
        click,
        context(element('List', 'Actions'), {
          reachable: [reach('ListItem', 'Show'), reach('ListItem', 'Erase the disk')],
        }),
      ),
    ).toContain('destructive');
    expect(
      tagsOf(
        click,
        context(element('List', 'Actions'), { reachable: [reach('ListItem', 'Show'), item('Delete all files')] }),
      ),
    ).toEqual([]);
  });
});

describe('a field that hides typed text', () => {
  const password = context(element('Edit', 'PIN', { states: ['password'] }));
  const before = context(element('Edit', 'Name'), {
    reachable: [reach('Edit', 'Name'), reach('Edit', 'PIN', { isPassword: true })],
  });

  it.each(['ctrl+v', 'shift+insert', 'space', 'a'])('%s brings text into it', (sequence) => {
    expect(tagsOf(keys(sequence), password)).toContain('password');
  });

  it.each(['tab ctrl+v', 'tab space', 'alt space', 'tab shift+insert'])('%s may', (sequence) => {
    expect(tagsOf(keys(sequence), before)).toContain('password');
  });

  it('keys that only copy or move there are not text', () => {
    for (const sequence of ['ctrl+c', 'home', 'tab ctrl+a'])
      expect(tagsOf(keys(sequence), sequence.startsWith('tab') ? before : password)).not.toContain('password');
  });
});
