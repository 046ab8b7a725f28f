/** Clicks on elements with another button or count, wheels over them, and elements that cannot be used. */
import { describe, expect, it } from 'vitest';
import { exitsOf } from '../../../../src/contract/ways/exits.ts';
import { ACTIONS } from '../../../../src/actions/index.ts';
import { coverageOf } from '../../../../src/policy/rights/coverage.ts';
import { passGate } from '../../../../src/policy/gate/gate.ts';
import { deriveRisk } from '../../../../src/policy/risk/target/risk.ts';
import { bound, context, element, NOTEPAD, subject, TERMINAL, testWorld } from '../world.ts';

const traits = (method: string, input: object) => {
  const definition = ACTIONS.find((action) => action.method === method)!;
  return definition.traits(definition.input.parse(input) as never, { isBound: true });
};

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'passed',
    (error: { code: string; message: string }) => `${error.code} ${error.message}`,
  );
}

describe('a disabled element', () => {
  const DELETE = context(element('Button', 'Delete all', { states: ['disabled'] }));

  it('is answered before a person is asked, with the dialog that keeps it so', async () => {
    const click = subject(traits('clickElement', { name: 'Delete all' }));
    for (const [dialogInFront, text] of [
      [undefined, 'target_disabled Button “Delete all” is disabled. Nothing was sent.'],
      [{ hwnd: '77', title: 'Save changes?' }, 'while the dialog “Save changes?” (77) is open'],
    ] as const) {
      const world = testWorld({ app: NOTEPAD, seen: { ...DELETE, dialogInFront } });
      expect(await codeOf(passGate(click, world))).toContain(text);
      expect(world.cards).toEqual([]);
      expect(world.records.at(-1)).toMatchObject({ code: 'target_disabled' });
    }
  });

  it.each([
    ['key', { keySequence: 'enter' }],
    ['type', { text: 'x' }],
    ['click', { x: 5, y: 5 }],
    ['scroll', { x: 5, y: 5, dx: 0, dy: 1 }],
  ])('a disabled window, and its dialog, for %s', async (method, input) => {
    const dialogInFront = { hwnd: '77', title: 'Save changes?' };
    const inWindow = async (facts: object): Promise<string> => {
      const seen = { ...context(element('Edit', 'Name')), ...facts };
      const world = testWorld({ app: NOTEPAD, seen, policy: { level: 'control' } });
      const code = await codeOf(passGate(subject(traits(method, input), { action: method, input }), world));
      expect(world.cards).toHaveLength(code === 'passed' ? 1 : 0);
      return code;
    };
    expect(await inWindow({})).toBe('passed');
    expect(await inWindow({ isWindowDisabled: true })).toMatch(/^target_disabled Window “.*” is disabled/);
    expect(await inWindow({ isWindowDisabled: true, dialogInFront })).toContain('“Save changes?” (77)');
  });

  it.each([
    ['typeIntoElement', { name: 'Name', text: 'x' }, 'target_disabled'],
    ['typeIntoElement', { name: 'Name', text: 'x' }, 'target_readonly', 'readonly'],
    ['clickElement', { name: 'Name' }, 'passed', 'readonly'],
    ['selectElement', { name: 'List', item: 'Row' }, 'target_disabled'],
    ['dragElement', { name: 'Row', toName: 'List' }, 'target_disabled'],
    ['scrollElement', { name: 'List' }, 'passed'],
    ['hoverElement', { name: 'Save' }, 'passed'],
  ])('%s, %o: %s without a card', async (method, input, code, state = 'disabled') => {
    const seen = context(element('Edit', 'Delete all', { states: [state] as never }));
    const world = testWorld({ app: NOTEPAD, seen, policy: { level: 'control' } });
    expect(
      (await codeOf(passGate(subject(traits(method, input), { action: method, input }), world))).split(' ')[0],
    ).toBe(code);
    expect(code === 'passed' || world.cards.length === 0).toBe(true);
  });
});

describe('a right click', () => {
  it('pastes in a terminal, as at a point', () => {
    const risk = (input: object) =>
      deriveRisk({
        traits: traits('clickElement', input),
        app: TERMINAL,
        binding: bound(TERMINAL, { className: 'ConsoleWindowClass' }),
        context: context(element('Document', 'Text Area')),
        typesSecret: false,
        claims: null,
      }).tags;
    expect(risk({ name: 'Text Area', button: 'right' })).toContain('customCommand');
    expect(risk({ name: 'Text Area' })).not.toContain('customCommand');
  });

  it('is named on the card, and a lasting approval covers no other kind of click', () => {
    const coverage = (input: object) =>
      coverageOf({
        exits: exitsOf(traits('clickElement', input), null),
        app: NOTEPAD,
        binding: bound(NOTEPAD),
        context: null,
      })!;
    expect(coverage({ name: 'Row' }).inWindow).toBe('Click elements in this window');
    expect(coverage({ name: 'Row', button: 'right' }).inWindow).toBe('Right-click elements in this window');
    expect(coverage({ name: 'Row', count: 2 }).inWindow).toBe('Double-click elements in this window');
    expect(
      new Set([{}, { button: 'right' }, { count: 2 }].map((how) => coverage({ name: 'Row', ...how }).key)).size,
    ).toBe(3);
  });
});

it('the wheel over a closed combo box is judged by the items that it can choose', () => {
  const tags = (input: object) =>
    deriveRisk({
      traits: traits('scrollElement', input),
      app: NOTEPAD,
      binding: bound(NOTEPAD),
      context: context(element('ComboBox', 'Action'), {
        reachable: [
          {
            controlType: 'ListItem',
            name: 'Delete everything',
            automationId: '',
            isPassword: false,
            isInMenu: false,
            isInComboBox: true,
          },
        ],
      }),
      typesSecret: false,
      claims: null,
    }).tags;
  expect(tags({ name: 'Action', dy: 1 })).toContain('destructive');
  expect(tags({ name: 'Action' })).not.toContain('destructive');
});

describe('[query.path] a path is judged as a query by the name and role of its last step', () => {
  const withQuery = ACTIONS.filter(({ input }) => 'automationId' in (input as { shape?: object }).shape!);
  const path = 'Group Sign in > Edit[1] Password';

  it.each(withQuery.map(({ method }) => [method]))('%s', (method) => {
    const { name: _name, ...rest } = ACTIONS.find((action) => action.method === method)!.sample as { name?: string };
    const byName = traits(method, { ...rest, name: 'Password', role: 'Edit' });
    const byPath = traits(method, { ...rest, path });
    const where = method === 'dragElement' ? 'from' : 'target';
    if (byName[where]?.kind !== 'element') expect(byPath).toEqual(byName);
    else {
      const target = { ...byName[where], query: { ...byName[where].query, path } };
      expect(byPath).toEqual({ ...byName, [where]: target });
    }
    expect(traits(method, { ...rest, ref: 'e7', path })).toEqual(traits(method, { ...rest, ref: 'e7' }));
  });

  it('as the place of a drop too, and in the field that an earlier step of a plan opens', () => {
    const drop = traits('dragElement', { name: 'Row', toPath: 'Pane > Button[2] Delete all' });
    expect(drop.target).toMatchObject({ query: { name: 'Delete all', role: 'Button' } });
    const typed = { traits: traits('typeIntoElement', { path, text: 'x' }), app: null, binding: null, context: null };
    expect(deriveRisk({ ...typed, typesSecret: false, claims: null }).tags).toContain('password');
  });
});
