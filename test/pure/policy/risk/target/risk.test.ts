/** The risk of an action from its element, its dialog and its window. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ControlType } from '../../../../../src/contract/element/control-types.ts';
import { CONTROL_TYPES } from '../../../../../src/contract/element/control-types.ts';
import { ProposalRiskTag } from '../../../../../src/contract/gate/permissions.ts';
import type { ActionTraits } from '../../../../../src/contract/gate/traits.ts';
import { isHigherRisk } from '../../../../../src/contract/gate/orders.ts';
import { deriveRisk, type Risk, type RiskInput } from '../../../../../src/policy/risk/target/risk.ts';
import { bound, CHROME, claims, context, element, MAIL, NOTEPAD, TERMINAL, TRADER, traits } from '../../world.ts';
import { wordsOf } from '../../../../support/words.ts';

function risk(of: ActionTraits, more: Partial<RiskInput> = {}): Risk {
  return deriveRisk({
    traits: of,
    app: NOTEPAD,
    binding: bound(NOTEPAD),
    context: context(null),
    typesSecret: false,
    claims: null,
    ...more,
  });
}
const press = (
  name: string,
  more: Parameters<typeof context>[1] = {},
  type: Parameters<typeof element>[0] = 'Button',
): Risk => risk(traits.click(name), { context: context(element(type, name), more) });

describe('levels', () => {
  it('looking is low', () => {
    for (const of of [traits.look(), traits.clipboardRead(), traits.display()])
      expect(risk(of)).toMatchObject({ level: 'low', tags: [] });
  });

  it('[risk.pointer] a pointer that only moves is high, and its target adds nothing', () => {
    expect(risk(traits.move(), { context: context(element('Button', 'Delete everything')) })).toMatchObject({
      level: 'high',
      tags: [],
    });
  });

  it('every input action is at least high', () => {
    for (const of of [
      traits.click(),
      traits.type('x'),
      traits.keys(['a']),
      traits.typeKeys('x'),
      traits.point(),
      traits.clipboardWrite(),
      traits.prompt(),
      traits.launch('x'),
    ]) {
      expect(risk(of, { context: context(element('Button', 'Fine')) }).level).toBe('high');
    }
  });

  it('[risk.unknown] an unnamed target is never low, and is marked', () => {
    for (const seen of [null, context(null)])
      expect(risk(traits.point(), { context: seen })).toMatchObject({ level: 'high', flags: ['unknown_target'] });
    expect(risk(traits.click(), { context: null, app: null, binding: null }).level).toBe('high');
  });

  it('financial and destructive are critical, claimed or found', () => {
    expect(press('Pay now').level).toBe('critical');
    expect(press('Delete').level).toBe('critical');
    expect(press('Send').level).toBe('high');
    for (const tag of ['financial', 'destructive'] as const)
      expect(risk(traits.look(), { claims: claims({ riskTags: [tag] }) }).level).toBe('critical');
  });
});

describe('the element', () => {
  it.each([
    ['Delete', ['destructive']],
    ['Löschen', ['destructive']],
    ['Pagar factura', ['financial', 'external_submit', 'authenticated']],
    ['送信', ['external_submit']],
    ['导出数据', ['pii_export']],
    ['Accept all cookies', ['terms_or_cookies']],
    ['Log in', ['authenticated']],
    ['Save draft', []],
    ['Guardar borrador', []],
  ])('[risk.name] a button %s carries %j', (name, tags) => expect(press(name).tags).toEqual(tags));

  it.each(['Edit', 'Document', 'TabItem', 'Window', 'TitleBar', 'StatusBar', 'ComboBox', 'ScrollBar'] as const)(
    'clicking a %s does nothing by its name',
    (type) => {
      expect(press('Delete', {}, type).tags).toEqual([]);
    },
  );

  it.each([
    ...wordsOf<ControlType>`
      Button SplitButton Hyperlink MenuItem CheckBox Custom Image Text ListItem
    `,
  ] as const)('clicking a %s does', (type) => expect(press('Delete', {}, type).tags).toEqual(['destructive']));

  it('[risk.name] rows that are files say nothing by their names; without a name the identifier speaks', () => {
    expect(press('delete.txt', {}, 'ListItem').tags).toEqual([]);
    expect(
      risk(traits.click(), { context: context(element('Button', '', { automationId: 'btnDeleteAccount' })) }).tags,
    ).toEqual(['destructive']);
  });

  it('typing into a field that hides, or asks for a secret', () => {
    const into = (of: ActionTraits, name: string, states: Array<'password'> = []): readonly string[] =>
      risk(of, { context: context(element('Edit', name, { states })) }).tags;
    expect(into(traits.type('x'), 'Field', ['password'])).toEqual(['password']);
    expect(into(traits.type('x'), 'Kennwort')).toEqual(['password']);
    expect(into(traits.typeKeys('x'), 'Field', ['password'])).toEqual(['password']);
    expect(into(traits.keys(['x']), 'Field', ['password'])).toEqual(['password']);
    expect(into(traits.keys(['tab']), 'Field', ['password'])).toEqual([]);
    expect(into(traits.keys(['ctrl+a']), 'Field', ['password'])).toEqual([]);
    expect(into(traits.click('Field'), 'Field', ['password'])).toEqual([]);
    expect(into(traits.type('x'), 'User name')).toEqual([]);
  });

  it('a window of higher integrity', () => {
    expect(risk(traits.click(), { binding: bound(NOTEPAD, { integrity: 'high' }) }).tags).toEqual(['elevated']);
    expect(risk(traits.look(), { binding: bound(NOTEPAD, { integrity: 'high' }) }).tags).toEqual([]);
  });
});

describe('the dialog', () => {
  const erase = { dialogTitle: 'Confirm', dialogTexts: ['Are you sure you want to permanently delete 4 items?'] };

  it('[risk.dialog] a plain yes answers the dialog’s question', () => {
    for (const name of ['Yes', 'OK', '&Continue', 'Ja', 'はい', '确定', ''])
      expect([name, press(name, erase).tags]).toEqual([name, ['destructive']]);
    expect(press('OK', { dialogTexts: ['Your card will be charged 40 €'] }).tags).toContain('financial');
    expect(press('Accept', { dialogTexts: ['By continuing you accept the license agreement'] }).tags).toContain(
      'terms_or_cookies',
    );
    expect(press('OK', { dialogTitle: 'Delete file' }).tags).toEqual(['destructive']);
    expect(press('OK', { nearbyTexts: ['Pay with card'] }).tags).toContain('financial');
  });

  it('[risk.dialog] leaving it, and buttons with a word of their own, do not', () => {
    for (const name of ['Cancel', 'No', 'Keep', 'Abbrechen', 'キャンセル', '取消', 'Save draft', 'Details'])
      expect([name, press(name, erase).tags]).toEqual([name, []]);
  });

  it('[risk.dialog] No to “save changes?” throws work away', () => {
    const save = { dialogTexts: ['Do you want to save changes to Untitled?'] };
    expect(press('No', save).tags).toEqual(['destructive']);
    expect(press('Don’t Save', save).tags).toEqual(['destructive']);
    expect(press('Yes', save).tags).toEqual([]);
    expect(press('Cancel', save).tags).toEqual([]);
    expect(press('Nein', { dialogTexts: ['Möchten Sie die Änderungen speichern?'] }).tags).toEqual(['destructive']);
  });

  it('[risk.dialog] a click on something without a known name is a yes', () => {
    expect(risk(traits.point(), { context: context(null, erase) }).tags).toEqual(['destructive']);
  });
});

describe('keys', () => {
  const keys = (sequence: string, more: Partial<RiskInput> = {}): Risk => risk(traits.keys(sequence.split(' ')), more);

  it('[risk.default-button] Enter is a click on the default button', () => {
    const seen = context(element('Edit', 'Amount'), { defaultButtonName: 'Pay now' });
    for (const sequence of ['enter', 'Return', 'numpadenter', 'tab enter']) {
      expect(keys(sequence, { context: seen })).toMatchObject({ level: 'critical', flags: ['default_button'] });
    }
    expect(risk(traits.typeKeys('40\r\n'), { context: seen }).tags).toContain('financial');
    expect(keys('tab', { context: seen }).tags).toEqual([]);
    expect(risk(traits.typeKeys('40'), { context: seen }).tags).toEqual([]);
    expect(
      keys('enter', {
        context: context(element('Edit', 'Amount'), {
          defaultButtonName: 'OK',
          dialogTexts: ['All files will be deleted'],
        }),
      }).tags,
    ).toEqual(['destructive']);
  });

  it('[risk.default-button] a focused button is pressed by Enter and Space', () => {
    const seen = context(element('Button', 'Delete'));
    for (const of of [traits.keys(['enter']), traits.keys(['space']), traits.typeKeys(' ')])
      expect(risk(of, { context: seen }).tags).toEqual(['destructive']);
    expect(keys('space', { context: context(element('Edit', 'Delete reason')) }).tags).toEqual([]);
  });

  it('[risk.default-button] access keys press buttons of a dialog', () => {
    const seen = (type: 'Button' | 'Edit') =>
      context(element(type, 'Cancel'), { defaultButtonName: 'Cancel', dialogTexts: ['Delete all files?'] });
    for (const sequence of ['y', 'alt+y'])
      expect(keys(sequence, { context: seen('Button') }).tags).toEqual(['destructive']);
    expect(risk(traits.typeKeys('y'), { context: seen('Button') }).tags).toEqual(['destructive']);
    expect(keys('alt+y', { context: seen('Edit') }).tags).toEqual(['destructive']);
    expect(keys('y', { context: seen('Edit') }).tags).toEqual([]);
    expect(keys('escape', { context: seen('Button') }).tags).toEqual([]);
  });

  it('Delete on a list deletes, in a text it does not', () => {
    for (const type of ['ListItem', 'TreeItem', 'DataItem', 'List'] as const)
      expect(keys('delete', { context: context(element(type, 'report.docx')) }).tags).toEqual(['destructive']);
    expect(keys('delete', { context: context(null) }).tags).toEqual(['destructive']);
    for (const sequence of ['delete', 'shift+delete', 'ctrl+delete', 'ctrl+d'])
      expect(keys(sequence, { context: context(element('Edit', 'Text')) }).tags).toEqual([]);
    expect(keys('ctrl+d', { context: context(element('ListItem', 'report.docx')) }).tags).toEqual(['destructive']);
    expect(keys('shift+delete', { context: context(element('Pane', 'Desktop')) }).tags).toEqual(['destructive']);
  });
});

describe('application, address, session', () => {
  it('trading is financial, messaging is in the person’s name and sends by Enter', () => {
    expect(risk(traits.click('Chart'), { app: TRADER, context: context(element('Button', 'Chart')) })).toMatchObject({
      level: 'critical',
      tags: expect.arrayContaining(['financial']) as string[],
    });
    const writing = context(element('Document', 'Message'));
    expect(risk(traits.keys(['enter']), { app: MAIL, context: writing }).tags).toEqual([
      'authenticated',
      'external_submit',
    ]);
    expect(risk(traits.keys(['ctrl+enter']), { app: MAIL, context: writing }).tags).toContain('external_submit');
    expect(risk(traits.keys(['enter']), { app: NOTEPAD, context: writing }).tags).toEqual([]);
    expect(risk(traits.type('Dear all,\nhello', 'Message'), { app: MAIL, context: writing }).tags).toContain(
      'external_submit',
    );
    expect(risk(traits.type('Dear all', 'Message'), { app: MAIL, context: writing }).tags).not.toContain(
      'external_submit',
    );
    expect(risk(traits.type('Dear all,\nhello', 'Text'), { app: NOTEPAD, context: writing }).tags).toEqual([]);
  });

  it('a terminal runs typed text', () => {
    expect(risk(traits.typeKeys('rm -rf build\n'), { app: TERMINAL })).toMatchObject({ level: 'critical' });
    expect(
      risk(traits.typeKeys('rm -rf build\n'), { app: NOTEPAD, context: context(element('Document', 'Text')) }).tags,
    ).toEqual([]);
    const shell = { rows: ['C:\\>'], width: 80, cursor: { x: 4, y: 0 }, isBehind: false };
    expect(
      risk(traits.typeKeys('dir\n'), {
        app: TERMINAL,
        context: context(element('Document', 'Screen'), { console: shell }),
      }).tags,
    ).toEqual(['customCommand']);
    expect(
      risk(traits.typeKeys('dir'), {
        app: TERMINAL,
        context: context(element('Document', 'Screen'), { console: shell }),
      }).tags,
    ).toEqual([]);
    expect(risk(traits.launch('custom', { content: 'cmd /c rd /s /q C:\\x', tags: ['customCommand'] })).tags).toContain(
      'destructive',
    );
  });

  it('[risk.address] the page’s address speaks where the button does not', () => {
    const at = (address: string | null, name = 'Continue') =>
      risk(traits.click(name), { app: CHROME, context: context(element('Button', name), { address }) }).tags;
    expect(at('https://shop.example.com/checkout/step-2')).toContain('financial');
    expect(at('https://example.com/account/delete')).toEqual(['destructive', 'authenticated']);
    expect(at('https://example.com/articles/7')).toEqual([]);
    expect(at('https://example.com/search?q=checkout')).toEqual([]);
    expect(at(null)).toEqual([]);
    expect(at('https://shop.example.com/checkout', 'Save draft')).toEqual([]);
    expect(at('https://mail.example.com/inbox', 'Next')).toEqual(['authenticated']);
    expect(at('not an address at all %%%')).toEqual([]);
  });

  it('[risk.address] Enter in a field of a page submits it', () => {
    expect(risk(traits.keys(['enter']), { app: CHROME, context: context(element('Edit', 'Comment')) }).tags).toEqual([
      'external_submit',
    ]);
  });

  it('[risk.name] signs of a session in the surroundings', () => {
    expect(press('Next', { nearbyTexts: ['Signed in as Ann'] }).tags).toEqual(['authenticated']);
    expect(press('Restart API', { nearbyTexts: ['Sign out'] }).tags).toEqual(['destructive', 'authenticated']);
  });
});

it('[risk.content] content: classes of typed text', () => {
  const typed = (text: string): Risk => risk(traits.type(text), { context: context(element('Edit', 'Note')) });
  expect(typed('4111 1111 1111 1111')).toMatchObject({
    level: 'critical',
    tags: ['financial'],
    flags: ['content:card_number'],
  });
  expect(typed('DE89 3704 0044 0532 0130 00').tags).toEqual(['financial']);
  expect(typed('AKIAIOSFODNN7EXAMPLE')).toMatchObject({
    level: 'high',
    tags: ['password', 'pii_export'],
    flags: ['content:api_key'],
  });
  expect(typed('Hello world')).toMatchObject({ level: 'high', tags: [] });
  expect(risk(traits.clipboardWrite('4111 1111 1111 1111')).tags).toEqual(['financial']);
});

describe('claims', () => {
  it('[risk.claims] only raise', () => {
    expect(
      risk(traits.click(), { context: context(element('Button', 'Delete')), claims: claims({ riskTags: [] }) }).tags,
    ).toEqual(['destructive']);
    expect(
      risk(traits.click(), {
        context: context(element('Button', 'Next')),
        claims: claims({ riskTags: ['financial'] }),
      }),
    ).toMatchObject({ level: 'critical', tags: ['financial'] });
  });

  it('[risk.claims] for any element, surroundings and claims: never lower with claims, never below high for input', () => {
    const anyText = fc.oneof(
      fc.string(),
      fc.constantFrom('OK', 'Delete', 'Pay', 'Cancel', '削除', 'Don’t save', 'Save changes?'),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...CONTROL_TYPES),
        anyText,
        fc.array(anyText, { maxLength: 4 }),
        fc.option(fc.webUrl(), { nil: null }),
        fc.subarray([...ProposalRiskTag.options]),
        fc.constantFrom(
          traits.click(),
          traits.point(),
          traits.keys(['enter']),
          traits.typeKeys('a b\n'),
          traits.type('x'),
        ),
        (type, name, texts, address, riskTags, of) => {
          const seen = context(element(type, name), { dialogTexts: texts, nearbyTexts: texts, address });
          const alone = risk(of, { context: seen });
          const claimed = risk(of, { context: seen, claims: claims({ riskTags }) });
          expect(isHigherRisk(alone.level, claimed.level)).toBe(false);
          expect(claimed.tags).toEqual(expect.arrayContaining([...alone.tags, ...riskTags]));
          expect(['high', 'critical']).toContain(alone.level);
        },
      ),
      { numRuns: 300 },
    );
  });
});
