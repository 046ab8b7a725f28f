/** The risk of a key sequence in the dialog it goes to. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ControlType } from '../../../../../src/contract/element/control-types.ts';
import type { ElementContext, KeyReach } from '../../../../../src/contract/element/element.ts';
import { parseChord } from '../../../../../src/contract/keys/keys.ts';
import { METHODS } from '../../../../../src/actions/index.ts';
import type { ActionTraits } from '../../../../../src/contract/gate/traits.ts';
import type { RiskTag } from '../../../../../src/contract/gate/permissions.ts';
import { deriveRisk } from '../../../../../src/policy/risk/target/risk.ts';
import { bound, context, element, NOTEPAD, traits } from '../../world.ts';
import { phrasesOf, wordsOf } from '../../../../support/words.ts';

const reach = (controlType: ControlType, name: string, more: Partial<KeyReach> = {}): KeyReach => ({
  controlType,
  name,
  automationId: '',
  isPassword: false,
  isInMenu: false,
  isInComboBox: false,
  ...more,
});
const tagsOf = (of: ActionTraits, seen: ElementContext, held: readonly string[] = []): readonly RiskTag[] =>
  deriveRisk({
    traits: of,
    app: NOTEPAD,
    binding: bound(NOTEPAD),
    context: seen,
    keyboard: { held: held.flatMap((key) => parseChord(key)), mayBeInMenu: false },
    typesSecret: false,
    claims: null,
  }).tags;
const keys = (sequence: string): ActionTraits => traits.keys(sequence.split(' '));

const ACCOUNT = context(element('Edit', 'Reason'), {
  dialogTexts: ['Delete the account?'],
  reachable: [reach('Edit', 'Reason'), reach('Button', 'Cancel'), reach('Button', 'OK')],
});
const PLAIN_QUESTION = context(element('Edit', 'Reason'), {
  menu: 'closed',
  reachable: [reach('Button', 'Cancel'), reach('Button', 'Delete account')],
});
const FORM = context(element('Edit', 'Name'), {
  dialogTitle: 'New contact',
  reachable: [
    reach('Edit', 'Name'),
    reach('Edit', 'First name'),
    reach('Edit', 'Age'),
    reach('Button', 'Save'),
    reach('Button', 'Cancel'),
  ],
});

describe('a sequence of keys', () => {
  it.each(phrasesOf`
    tab tab space | tab enter | shift+f10 d | alt+e d | alt+d | f10 down enter | alt d | apps enter | f6 space |
    ctrl+tab space | escape enter
  `)('[risk.key-sequence] %s may press any other button of the dialog', (sequence) => {
    for (const seen of [ACCOUNT, PLAIN_QUESTION]) expect(tagsOf(keys(sequence), seen)).toContain('destructive');
  });

  it.each(['\t ', '\t\n', 'Smith\t\t ', 'x\td'])('[risk.key-sequence] the text %j too', (text) => {
    for (const seen of [ACCOUNT, PLAIN_QUESTION]) expect(tagsOf(traits.typeKeys(text), seen)).toContain('destructive');
  });

  it('[risk.key-sequence] usual work in a harmless window carries nothing', () => {
    for (const text of ['Smith\tJohn\t42', 'Smith\tJohn\t42\n', 'Anna Maria\tSmith Jones\t '])
      expect(tagsOf(traits.typeKeys(text), FORM)).toEqual([]);
    for (const sequence of phrasesOf`
      tab tab space | ctrl+a delete | home shift+end delete | ctrl+s | enter | shift+tab tab | alt+s
    `)
      expect(tagsOf(keys(sequence), FORM)).toEqual([]);
  });

  it('[risk.key-sequence] keys that stay in a text field reach no button next to it', () => {
    for (const text of ['Dear Sir,\nregards', 'a b c', 'd'])
      expect(tagsOf(traits.typeKeys(text), PLAIN_QUESTION)).toEqual([]);
    for (const sequence of ['home d', 'ctrl+a delete', 'left space', 'ctrl+v space', 'shift+end backspace d'])
      expect(tagsOf(keys(sequence), PLAIN_QUESTION)).toEqual([]);
  });

  it('[risk.key-sequence] a letter for a control that a program draws itself stays there', () => {
    expect(tagsOf(keys('d'), { ...PLAIN_QUESTION, element: element('Custom', 'Sizes') })).toEqual([]);
    expect(tagsOf(keys('d'), { ...PLAIN_QUESTION, element: element('Button', 'Next') })).toEqual(['destructive']);
    expect(
      tagsOf(keys('d'), { ...PLAIN_QUESTION, element: element('Custom', 'Sizes'), defaultButtonName: 'Next' }),
    ).toEqual(['destructive']);
    expect(
      tagsOf(keys('d'), {
        ...PLAIN_QUESTION,
        element: element('Custom', 'Sizes'),
        defaultButtonName: 'Next',
        takesLetters: true,
      }),
    ).toEqual([]);
    expect(
      tagsOf(keys('tab d'), {
        ...PLAIN_QUESTION,
        element: element('Custom', 'Sizes'),
        defaultButtonName: 'Next',
        takesLetters: true,
      }),
    ).toEqual(['destructive']);
  });

  it('[risk.key-sequence] where the focus is unknown, every key may be for any button', () => {
    const nowhere = { ...PLAIN_QUESTION, element: null };
    for (const sequence of ['space', 'enter', 'd', 'alt+d'])
      expect(tagsOf(keys(sequence), nowhere)).toContain('destructive');
    expect(tagsOf(keys('ctrl+c'), nowhere)).toEqual([]);
  });

  it('[risk.key-sequence] a held or repeated key is a sequence by itself', () => {
    const of = (
      definition: typeof METHODS.holdKey | typeof METHODS.key | typeof METHODS.virtualKeyboard,
      input: object,
    ): ActionTraits => definition.traits(definition.input.parse(input) as never, { isBound: true });
    const onNext = { ...PLAIN_QUESTION, element: element('Button', 'Next') };
    expect(tagsOf(of(METHODS.holdKey, { keyNames: ['enter'], durationMs: 900 }), onNext)).toContain('destructive');
    expect(tagsOf(of(METHODS.virtualKeyboard, { action: 'hold', text: 'space' }), onNext)).toContain('destructive');
    expect(
      tagsOf(of(METHODS.key, { keySequence: 'space tab', repeat: 2 }), {
        ...onNext,
        element: element('CheckBox', 'All'),
      }),
    ).toContain('destructive');
    expect(
      tagsOf(of(METHODS.key, { keySequence: 'space tab' }), { ...onNext, element: element('CheckBox', 'All') }),
    ).toEqual([]);
  });

  it('[risk.key-sequence] Alt that is down already makes a letter an access key', () => {
    expect(tagsOf(keys('d'), PLAIN_QUESTION, ['alt'])).toContain('destructive');
    expect(tagsOf(keys('d'), PLAIN_QUESTION, [])).toEqual([]);
  });

  it('[risk.key-sequence] letters for an open menu choose in it, whatever has the focus', () => {
    const inMenu = { ...FORM, menu: 'open' as const };
    expect(tagsOf(keys('d'), inMenu)).toEqual(['destructive']);
    const seen = { ...inMenu, reachable: [...FORM.reachable, reach('MenuItem', 'Copy', { isInMenu: true })] };
    expect(tagsOf(keys('c'), seen)).toEqual([]);
    expect(
      tagsOf(keys('enter'), {
        ...seen,
        reachable: [...seen.reachable, reach('MenuItem', 'Delete', { isInMenu: true })],
      }),
    ).toEqual(['destructive']);
  });

  it('a menu that keys open, and whose entries were not read, may hold anything', () => {
    const quiet = { ...FORM, menu: 'closed' as const };
    for (const sequence of ['alt+e d', 'alt d', 'f10 right down enter', 'shift+f10 enter', 'apps d'])
      expect([sequence, tagsOf(keys(sequence), quiet)]).toEqual([sequence, ['destructive']]);
    for (const sequence of ['alt+e', 'alt', 'alt+e escape', 'f10 escape'])
      expect([sequence, tagsOf(keys(sequence), quiet)]).toEqual([sequence, []]);
    // A dialog without a menu bar opens none by Alt and a letter.
    expect(tagsOf(keys('alt+s x'), FORM)).toEqual([]);
    expect(tagsOf(keys('apps x'), FORM)).toEqual(['destructive']);
  });

  it('[risk.key-sequence] rows of a list are other rows after an arrow, and buttons only after Tab', () => {
    const list = context(element('ListItem', 'Storage'), {
      reachable: [reach('ListItem', 'Storage'), reach('ListItem', 'Reset this PC'), reach('Button', 'Delete account')],
    });
    const calm = {
      ...list,
      reachable: [reach('ListItem', 'Storage'), reach('ListItem', 'Display'), reach('Button', 'Delete account')],
    };
    expect(tagsOf(keys('down enter'), list)).toContain('destructive');
    expect(tagsOf(keys('down enter'), calm)).toEqual([]);
    expect(tagsOf(keys('tab enter'), calm)).toContain('destructive');
  });

  it('[risk.key-sequence] typing after Tab may go to the password field', () => {
    const login = context(element('Edit', 'User'), {
      reachable: [reach('Edit', 'User'), reach('Edit', '', { isPassword: true }), reach('Button', 'Next')],
    });
    expect(tagsOf(traits.typeKeys('ann\thunter2'), login)).toEqual(['password']);
    expect(tagsOf(traits.typeKeys('ann'), login)).toEqual([]);
    expect(tagsOf(keys('tab h'), login)).toEqual(['password']);
    expect(tagsOf(traits.typeKeys('ann\thunter2'), { ...login, reachable: [reach('Edit', 'Kennwort')] })).toEqual([
      'password',
    ]);
  });

  it('a window that was only partly read does not count as harmless', () => {
    expect(tagsOf(keys('tab space'), { ...FORM, reachesMore: true })).toEqual(['destructive']);
    expect(tagsOf(keys('ctrl+a x'), { ...FORM, reachesMore: true })).toEqual([]);
  });
});

/**
 * A dialog as Windows drives it: Tab goes round, arrows move, Enter and Space press, letters with Alt, and without it
 * outside fields, press what they mark.
 */
interface Control {
  readonly type: 'Edit' | 'Button' | 'CheckBox' | 'ListItem';
  readonly name: string;
}

class Dialog {
  readonly controls: readonly Control[];
  readonly default: string | null;
  readonly pressed = new Set<string>();
  #at: number;
  #held = false;

  constructor(controls: readonly Control[], at: number, defaultName: string | null) {
    this.controls = controls;
    this.#at = at;
    this.default = defaultName;
  }

  context(): ElementContext {
    const { type, name } = this.controls[this.#at]!;
    return context(element(type, name), {
      defaultButtonName: this.default,
      reachable: this.controls.map((control) => reach(control.type, control.name)),
    });
  }

  /** In a list arrows go from row to row and no further. */
  #arrow(to: number): void {
    if (this.controls[this.#at]!.type !== 'ListItem' || this.controls[to]!.type === 'ListItem') this.#at = to;
  }

  press(chord: string): void {
    const { type, name } = this.controls[this.#at]!;
    const count = this.controls.length;
    const isField = type === 'Edit';
    if (chord === 'tab' || chord === 'f6') this.#at = (this.#at + 1) % count;
    else if (chord === 'shift+tab') this.#at = (this.#at + count - 1) % count;
    else if (chord === 'down' && !isField) this.#arrow((this.#at + 1) % count);
    else if (chord === 'up' && !isField) this.#arrow((this.#at + count - 1) % count);
    else if (chord === 'alt') this.#held = true;
    else if (chord === 'space' && !isField) this.pressed.add(name);
    else if (chord === 'enter')
      this.pressed.add(type === 'Button' || type === 'ListItem' ? name : (this.default ?? ''));
    else if (
      /^(alt\+)?[a-z]$/.test(chord) &&
      (chord.startsWith('alt+') || this.#held || type === 'Button' || type === 'CheckBox')
    ) {
      const marked = this.controls.find(
        (control) => control.type !== 'Edit' && control.name.toLowerCase().startsWith(chord.at(-1)!),
      );
      if (marked !== undefined) this.pressed.add(marked.name);
    }
    if (chord !== 'alt') this.#held = false;
  }
}

const HARMLESS = ['Next', 'Back', 'Save', 'Cancel', 'More', 'Details', 'View'];
const DESTRUCTIVE = ['Delete account', 'Erase disk', 'Remove all', 'Wipe'];
const CHORDS = wordsOf`tab shift+tab enter space down up alt f6 alt+d alt+e d e r w x home ctrl+a`;
const controlOf = fc.oneof(
  fc.record({ type: fc.constant('Edit' as const), name: fc.constantFrom('Name', 'Reason', 'Age') }),
  fc.record({
    type: fc.constantFrom('Button' as const, 'CheckBox' as const, 'ListItem' as const),
    name: fc.constantFrom(...HARMLESS, ...DESTRUCTIVE),
  }),
);
const dialogOf = fc.record({
  controls: fc.array(controlOf, { minLength: 1, maxLength: 7 }),
  at: fc.nat(6),
  isDefault: fc.boolean(),
});
const calmOf = dialogOf.map((made) => ({
  ...made,
  controls: made.controls.map((control) =>
    DESTRUCTIVE.includes(control.name) ? { ...control, name: 'View' } : control,
  ),
}));
const makeDialog = ({ controls, at, isDefault }: { controls: Control[]; at: number; isDefault: boolean }): Dialog =>
  new Dialog(
    controls,
    at % controls.length,
    isDefault ? (controls.find(({ type }) => type === 'Button')?.name ?? null) : null,
  );

describe('over generated dialogs', () => {
  it('[risk.key-sequence] no sequence of keys reaches a destructive button untagged', () => {
    let reached = 0;
    fc.assert(
      fc.property(dialogOf, fc.array(fc.constantFrom(...CHORDS), { minLength: 1, maxLength: 8 }), (made, sequence) => {
        const dialog = makeDialog(made);
        const seen = dialog.context();
        for (const chord of sequence) dialog.press(chord);
        if (![...dialog.pressed].some((name) => DESTRUCTIVE.includes(name))) return;
        reached += 1;
        expect(tagsOf(traits.keys(sequence), seen)).toContain('destructive');
      }),
      { numRuns: 5000, seed: 11 },
    );
    expect(reached).toBeGreaterThan(500);
  });

  it('[risk.key-sequence] and no sequence is tagged in a dialog without such a control', () => {
    fc.assert(
      fc.property(
        calmOf,
        fc.array(fc.constantFrom('tab', 'shift+tab', 'enter', 'space', 'alt+s', 'x', 'home', 'ctrl+a'), {
          minLength: 1,
          maxLength: 8,
        }),
        (made, sequence) => {
          expect(tagsOf(traits.keys(sequence), makeDialog(made).context())).toEqual([]);
        },
      ),
      { numRuns: 1000, seed: 11 },
    );
  });

  it('[risk.key-sequence] no text does', () => {
    let reached = 0;
    fc.assert(
      fc.property(
        dialogOf,
        fc.array(fc.constantFrom('\t', '\n', ' ', 'd', 'e', 'ab'), { minLength: 1, maxLength: 8 }),
        (made, parts) => {
          const dialog = makeDialog(made);
          const seen = dialog.context();
          const text = parts.join('');
          for (const character of text)
            dialog.press({ '\t': 'tab', '\n': 'enter', ' ': 'space' }[character] ?? character);
          if (![...dialog.pressed].some((name) => DESTRUCTIVE.includes(name))) return;
          reached += 1;
          expect(tagsOf(traits.typeKeys(text), seen)).toContain('destructive');
        },
      ),
      { numRuns: 3000, seed: 11 },
    );
    expect(reached).toBeGreaterThan(300);
  });
});
