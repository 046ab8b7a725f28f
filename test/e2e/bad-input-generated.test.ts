/** End to end: inputs made from every action’s schema to be wrong, and pairs that break a rule, are refused untouched. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ACTIONS } from '../../src/actions/index.ts';
import { postSentinel } from '../catalogue/sentinel.ts';
import { badInputs } from '../support/bad-inputs.ts';
import { expectProblem } from '../support/client.ts';
import { sharedScene } from '../support/scene.ts';

/** Pairs that the rules between fields refuse although each is valid by itself. */
const AGAINST_RULES: ReadonlyArray<readonly [action: string, input: object]> = [
  ['click-element', {}],
  ['select-element', { name: 'Country', item: 'Estonia', index: 1 }],
  ['type-into-element', { name: 'Full name' }],
  ['type-into-element', { name: 'Full name', text: 'x', secretRef: 'uiahost:x' }],
  ['snapshot', { since: 'obs_a', cursor: 'x' }],
  ['wait-for', { name: 'x', windowTitle: 'y' }],
  ['wait-for', { name: 'x', condition: 'value' }],
  ['wait-for', { name: 'x', value: 'y' }],
  ['read-table', {}],
  ['scroll-element', { role: 'Button' }],
  ['bind-to-window', {}],
  ['manage-window', { action: 'move_resize', x: 1 }],
  ['manage-window', { action: 'close', x: 1 }],
  ['activate-window', { clickX: 1 }],
  ['virtual-keyboard', { action: 'type', text: 'x', duration: 1 }],
  ['virtual-keyboard', { action: 'press', text: 'x', repeat: 2 }],
  ['respond-to-prompt', { responseType: 'type' }],
  ['respond-to-prompt', { responseType: 'yes', text: 'x' }],
  ['respond-to-prompt', { responseType: 'yes', arrowCount: 1 }],
  ['open-terminal', { agent: 'custom' }],
  ['status-indicator', { action: 'hide', message: 'x' }],
];
const AT_ONCE = 8;

const schemaOf = (name: string): Parameters<typeof badInputs>[0] =>
  (
    JSON.parse(readFileSync(new URL(`../../schemas/generated/${name}.schema.json`, import.meta.url), 'utf8')) as {
      $defs: { input: object };
    }
  ).$defs.input;

const { scene, client, controls, sentinel } = await sharedScene(async (opened) => ({
  controls: await opened.boundControls(),
  sentinel: await postSentinel(opened),
}));
let sent = 0;

const held = async (): Promise<string> =>
  JSON.stringify([...(await controls.dump())].map(([id, { t: _t, ...rest }]) => [id, rest]));

await client.policy({ alwaysAsk: [] });
await sentinel.undisturbed();
const before = await held();
controls.journal.mark();

/** Answers other than invalid_argument with nothing delivered. */
async function answers(name: string, cases: ReadonlyArray<{ what: string; input: unknown }>): Promise<string[]> {
  const wrong: string[] = [];
  const queue = [...cases];
  const worker = async (): Promise<void> => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      sent += 1;
      const answer = await scene.host.request(`/v1/actions/${name}`, {
        method: 'POST',
        body: JSON.stringify(one.input),
        headers: { 'uiahost-session': client.session },
      });
      try {
        expect(expectProblem(answer, 'invalid_argument').delivery).toBe('not_delivered');
      } catch (error) {
        wrong.push(
          `${one.what}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)} (${(error as Error).message.slice(0, 80)})`,
        );
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return wrong;
}

describe('every argument of every action, absent, of every wrong kind, out of its range, or unknown', () => {
  it.each(ACTIONS.map(({ name, sample }) => [name, sample] as const))(
    '[input.strict] [error.words] %s',
    async (name, sample) => {
      const cases = badInputs(schemaOf(name), sample);
      expect(cases.length).toBeGreaterThanOrEqual(5);
      expect(await answers(name, cases)).toEqual([]);
    },
  );

  it('[input.strict] combinations that the rules between arguments forbid', async () => {
    for (const [name, input] of AGAINST_RULES)
      expect(await answers(name, [{ what: `${name} ${JSON.stringify(input)}`, input }])).toEqual([]);
  });

  it('[input.strict] a bad step of a batch, after which no step runs', async () => {
    const push = { action: 'click-element', input: { name: 'Push me', forse: true } };
    const answer = await client.send('batch', {
      steps: [push, { action: 'click-element', input: { name: 'Check me' } }],
    });
    expect(expectProblem(answer, 'invalid_argument').delivery).toBe('not_delivered');
    expect(
      expectProblem(await client.send('batch', { steps: [{ action: 'no-such-action', input: {} }] }), 'not_found')
        .delivery,
    ).toBe('not_delivered');
  });

  it('none of it reached the bound program or the window in front', async () => {
    expect(sent).toBeGreaterThan(1000);
    expect(
      controls.journal.events(({ event }) =>
        ['command', 'operated', 'key', 'char', 'mouse', 'wheel', 'custom_click', 'scroll'].includes(event),
      ),
    ).toEqual([]);
    expect(await held()).toBe(before);
    expect(await sentinel.noticed()).toMatchObject({
      focusLosses: 0,
      foregroundChanges: 0,
      cursorMoves: 0,
      keys: 0,
      chars: 0,
      mouse: 0,
      isForeground: 1,
    });
    expect((await client.act('get-binding-status')).value).toMatchObject({ hwnd: controls.hwnd });
  });
});
