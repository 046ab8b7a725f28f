/** The executor face: what its callers pass, and the cause behind a call's bare answer. */
import { describe, expect, test } from 'vitest';
import { ACTIONS, METHODS } from '../../../../src/actions/index.ts';
import type { ExecutorMethod } from '../../../../src/contract/executor.ts';
import { inputOf } from '../../../../src/contract/executor-calls.ts';
import { createExecutor, type CallResult, type ExecutorEvents } from '../../../../src/host/running/executor.ts';
import { element } from '../stand-in-desktop.ts';
import { startTestHost, type TestHost } from '../running-host.ts';

const executorOf = (t: TestHost, events: ExecutorEvents = {}) =>
  createExecutor(
    t.host.runner,
    { ...t.agent, surface: 'executor' },
    { screenshotFiltering: 'native', platform: 'win32', hostBundleId: 'x' },
    events,
  );

/** What an action gets of these arguments, judged by the schema that every other face uses. */
function judged(method: ExecutorMethod, args: readonly unknown[]): unknown {
  const parsed = METHODS[method].input.safeParse(inputOf(method, args));
  return parsed.success ? parsed.data : parsed.error.issues.map(({ message }) => message);
}

describe('arguments of callers', () => {
  const rows: ReadonlyArray<readonly [string, ExecutorMethod, readonly unknown[], object]> = [
    [
      'a direction with yes',
      'respondToPrompt',
      [{ responseType: 'yes', arrowDirection: 'down' }],
      { responseType: 'yes' },
    ],
    [
      'every field of a tool schema with no',
      'respondToPrompt',
      [{ responseType: 'no', arrowDirection: 'down', arrowCount: 1, text: '' }],
      { responseType: 'no' },
    ],
    ['an empty text with enter', 'respondToPrompt', [{ responseType: 'enter', text: '' }], { responseType: 'enter' }],
    [
      'an empty text and direction with select',
      'respondToPrompt',
      [{ responseType: 'select', arrowDirection: '', arrowCount: 2, text: '' }],
      { responseType: 'select', arrowCount: 2 },
    ],
    [
      'a direction with type',
      'respondToPrompt',
      [{ responseType: 'type', arrowDirection: 'up', arrowCount: 0, text: 'x' }],
      { responseType: 'type', text: 'x' },
    ],
    [
      'a repeat of one on press',
      'virtualKeyboard',
      [{ action: 'press', text: 'shift', repeat: 1 }],
      { action: 'press', text: 'shift' },
    ],
    [
      'a duration with type',
      'virtualKeyboard',
      [{ action: 'type', text: ' ', duration: 1, repeat: 3 }],
      { action: 'type', text: ' ', repeat: 3 },
    ],
    [
      'a duration with hold',
      'virtualKeyboard',
      [{ action: 'hold', text: 'a', duration: 2 }],
      { action: 'hold', text: 'a', duration: 2 },
    ],
    ['0,0 with minimize', 'manageWindow', ['minimize', { x: 0, y: 0, width: 0, height: 0 }], { action: 'minimize' }],
    [
      'no size, and points that were computed, with move_resize',
      'manageWindow',
      ['move_resize', { x: 10.4, y: -0.6, width: 0, height: 0 }],
      { action: 'move_resize', x: 10, y: -1 },
    ],
    ['no options', 'manageWindow', ['restore', undefined], { action: 'restore' }],
    ['an empty role', 'clickElement', [{ name: 'Save', role: '', automationId: '' }], { name: 'Save' }],
    [
      'null for what is not given',
      'clickElement',
      [{ name: 'Save', role: null, automationId: null }],
      { name: 'Save' },
    ],
    ['a field that nobody knows', 'clickElement', [{ name: 'Save', index: 0 }], { name: 'Save' }],
    [
      'an empty text, which empties a field',
      'typeIntoElement',
      [{ name: 'Full name', role: '' }, ''],
      { name: 'Full name', text: '' },
    ],
    ['empty text for the clipboard', 'writeClipboard', [''], { text: '' }],
    ['a message with hide', 'statusIndicator', ['hide', 'working'], { action: 'hide' }],
    ['a message with show', 'statusIndicator', ['show', 'working'], { action: 'show', message: 'working' }],
    [
      'a start without a drag',
      'virtualMouse',
      [{ action: 'click', x: 1, y: 2, startX: 0, startY: 0 }],
      { action: 'click', x: 1, y: 2, space: 'client' },
    ],
    [
      'a start with a drag',
      'virtualMouse',
      [{ action: 'drag', x: 1, y: 2, startX: 0, startY: 0 }],
      { action: 'drag', x: 1, y: 2, startX: 0, startY: 0, space: 'client' },
    ],
    ['defaults of a click', 'click', [5, 5, '', 0, ['']], { x: 5, y: 5, modifiers: [], space: 'screen' }],
    ['four clicks', 'click', [5, 5, 'left', 4, undefined], { x: 5, y: 5, button: 'left', count: 3, space: 'screen' }],
    ['no start of a drag', 'drag', [null, { x: 1, y: 2 }], { to: { x: 1, y: 2 }, space: 'screen' }],
    [
      'no display',
      'screenshot',
      [{ allowedBundleIds: ['', 'a.exe'], displayId: null }],
      { allowedBundleIds: ['a.exe'] },
    ],
    ['criteria that are not meant', 'bindToWindow', [{ hwnd: '', title: 'Notepad', pid: 0 }], { title: 'Notepad' }],
    [
      'nothing but the agent',
      'openTerminal',
      [{ agent: 'claude', command: '', terminal: '', workingDirectory: '' }],
      { agent: 'claude' },
    ],
    ['no repetition', 'key', ['a', 0], { keySequence: 'a' }],
    ['no repetition', 'virtualKeyboard', [{ action: 'combo', text: 'a', repeat: 0 }], { action: 'combo', text: 'a' }],
    [
      'a size alone',
      'manageWindow',
      ['move_resize', { width: 640, height: 480 }],
      { action: 'move_resize', width: 640, height: 480 },
    ],
    ['no options of typing', 'type', ['x', undefined], { text: 'x' }],
  ];
  test.each<readonly [string, ExecutorMethod, readonly unknown[], object]>([
    ['one turn down in WHEEL_DELTA', 'mouseWheel', [5, 5, -120], { x: 5, y: 5, delta: -1, space: 'client' }],
    [
      'five turns up in WHEEL_DELTA',
      'mouseWheel',
      [5, 5, 600, false],
      { x: 5, y: 5, delta: 5, horizontal: false, space: 'client' },
    ],
    ['notches', 'mouseWheel', [5, 5, -3, true], { x: 5, y: 5, delta: -3, horizontal: true, space: 'client' }],
    ['a notch of a browser', 'mouseWheel', [5, 5, 100], { x: 5, y: 5, delta: 1, space: 'client' }],
    ['a little more', 'mouseWheel', [5, 5, -101], { x: 5, y: 5, delta: -1, space: 'client' }],
    ['many notches', 'mouseWheel', [5, 5, 99], { x: 5, y: 5, delta: 99, space: 'client' }],
    ['more than a hundred', 'scroll', [5, 5, 0, 240], { x: 5, y: 5, dx: 0, dy: 2, space: 'screen' }],
    ['more than a list has', 'scroll', [5, 5, 0, -1e9], { x: 5, y: 5, dx: 0, dy: -100, space: 'screen' }],
  ])('[executor.wheel-delta] %s (%s)', (_what, method, args, input) => expect(judged(method, args)).toEqual(input));

  test.each(rows)('[executor.lenient] %s (%s)', (_what, method, args, input) => {
    expect(judged(method, args)).toEqual(input);
  });

  test.each<readonly [string, ExecutorMethod, readonly unknown[]]>([
    ['type without its text', 'respondToPrompt', [{ responseType: 'type', text: '' }]],
    ['an answer that there is not', 'respondToPrompt', [{ responseType: 'maybe' }]],
    ['move_resize without a place', 'manageWindow', ['move_resize', {}]],
    ['nothing to click', 'clickElement', [{ name: '', role: '', automationId: '' }]],
    ['no number', 'mouseWheel', [5, 5, Number.NaN]],
    ['half of a point', 'activateWindow', [5, undefined]],
    ['half of a start', 'virtualMouse', [{ action: 'drag', x: 1, y: 2, startX: 5 }]],
    ['no window named', 'bindToWindow', [{ hwnd: '', title: '' }]],
  ])('%s stays refused (%s)', (_what, method, args) => expect(judged(method, args)).toEqual([expect.any(String)]));

  test('the action face takes none of it', async () => {
    await using t = await startTestHost();
    const refused: ReadonlyArray<readonly [string, object]> = [
      ['respond-to-prompt', { responseType: 'yes', arrowDirection: 'down' }],
      ['respond-to-prompt', { responseType: 'enter', text: '' }],
      ['virtual-keyboard', { action: 'press', text: 'a', repeat: 2 }],
      ['manage-window', { action: 'minimize', x: 0, y: 0 }],
      ['click-element', { name: 'Save draft', role: '' }],
      ['status-indicator', { action: 'hide', message: 'x' }],
      ['mouse-wheel', { x: 1, y: 1, delta: 120 }],
      ['scroll', { x: 1, y: 1, dx: 0, dy: 240 }],
    ];
    for (const [action, input] of refused)
      await expect(t.host.runner.run(t.agent, action, input).result, action).rejects.toMatchObject({
        code: 'invalid_argument',
      });
  });
});

describe('prepareForAction', () => {
  test('without a binding it looks at the desktop alone and answers an empty list', async () => {
    await using t = await startTestHost();
    expect(await executorOf(t).prepareForAction(['c:\\some\\other.exe'], 1)).toEqual([]);
    await expect(executorOf(t).prepareForAction([], 7)).rejects.toMatchObject({ code: 'invalid_argument' });
    t.scene.inputDesktop = null;
    await expect(executorOf(t).prepareForAction([])).rejects.toMatchObject({ code: 'desktop_unavailable' });
  });

  test('with a bound window it is verified as well, and must be allowed by the call', async () => {
    await using t = await startTestHost();
    const executor = executorOf(t);
    await executor.bindToWindow({ title: 'Notepad' });
    expect(await executor.prepareForAction([])).toEqual([]);
    await expect(executor.prepareForAction(['c:\\some\\other.exe'])).rejects.toMatchObject({ code: 'app_not_granted' });
    t.scene.window = null;
    await expect(executor.prepareForAction([])).rejects.toMatchObject({ code: 'window_gone' });
  });
});

test('[executor.extras] extras: every action beyond the methods, strict, with its whole result, through the gate', async () => {
  await using t = await startTestHost();
  const executor = executorOf(t);
  const beyond = ACTIONS.map(({ method }) => method).filter((method) => !Object.hasOwn(METHODS, method));
  expect(beyond).toEqual(expect.arrayContaining(['snapshot', 'batch', 'readTable', 'readRange', 'writeRange']));
  expect(Object.keys(executor.extras)).toEqual(beyond);
  expect(Object.keys(executor)).not.toContain('extras');
  await expect(executor.extras['readRange']!({})).rejects.toMatchObject({ code: 'not_bound' });
  await executor.bindToWindow({ title: 'Notepad' });
  const result = await executor.extras['selectElement']!({ name: 'Save draft', of: 'nothing' }).catch(
    (error: unknown) => error,
  );
  expect(result).toMatchObject({ code: 'invalid_argument' });
  expect(await executor.extras['snapshot']!()).toMatchObject({
    action: 'snapshot',
    actionId: expect.stringMatching(/^act_/),
    outcome: { effect: 'none' },
    decision: { result: 'execute' },
  });
});

describe('the cause along with the answer', () => {
  test('false and null come with the problem, a value with its outcome and decision', async () => {
    await using t = await startTestHost();
    const executor = executorOf(t);
    expect(executor.lastResult).toBeNull();
    expect(await executor.clickElement({ name: 'Save draft' })).toBe(false);
    expect(executor.lastResult).toMatchObject({
      method: 'clickElement',
      outcome: null,
      actionId: expect.stringMatching(/^act_/),
      problem: { code: 'not_bound', delivery: 'not_delivered', hint: expect.any(String) },
    });
    await executor.bindToWindow({ title: 'Notepad' });
    expect(await executor.clickElement({ name: 'Save draft' })).toBe(true);
    expect(executor.lastResult).toMatchObject({
      method: 'clickElement',
      problem: null,
      outcome: { effect: 'confirmed' },
      decision: { result: 'execute' },
    });
    t.scene.elements = [element('e1', 'Same'), element('e2', 'Same')];
    expect(await executor.clickElement({ name: 'Same' })).toBe(false);
    expect(executor.lastResult).toMatchObject({
      problem: { code: 'target_ambiguous', candidates: [{ ref: 'e1' }, { ref: 'e2' }] },
    });
    t.scene.window = null;
    expect(await executor.bindToWindow({ title: 'Notepad' })).toBeNull();
    expect(executor.lastResult).toMatchObject({ method: 'bindToWindow', problem: { code: 'target_not_found' } });
    await expect(executor.key('no such key')).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(executor.lastResult).toMatchObject({ method: 'key', problem: { code: 'invalid_argument' } });
  });

  test('calls in parallel each have their own', async () => {
    await using t = await startTestHost();
    const executor = executorOf(t);
    await executor.bindToWindow({ title: 'Notepad' });
    t.scene.elements = [element('e1', 'Save draft'), element('e2', 'Open')];
    const calls = ['Save draft', 'Nowhere', 'Open', 'Nobody'].map((name) => executor.clickElement({ name }));
    expect(
      (await Promise.all(calls.map((call) => executor.resultOf(call)))).map(({ problem }) => problem?.code ?? null),
    ).toEqual([null, 'target_not_found', null, 'target_not_found']);
    expect(await Promise.all(calls)).toEqual([true, false, true, false]);
    const rejected = executor.key('no such key');
    expect((await executor.resultOf(rejected)).problem).toMatchObject({ code: 'invalid_argument' });
    await expect(rejected).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(executor.resultOf(Promise.resolve(true))).rejects.toThrow(TypeError);
  });

  test('onResult hears of every call before it settles, and its faults are its own', async () => {
    await using t = await startTestHost();
    const heard: Array<[string, string | null]> = [];
    const executor = executorOf(t, {
      onResult({ method, problem }: CallResult) {
        heard.push([method, problem?.code ?? null]);
        throw new Error('a listener’s own');
      },
    });
    expect(await executor.hasBoundWindow().then((answer) => [answer, [...heard]])).toEqual([
      false,
      [['hasBoundWindow', null]],
    ]);
    expect(await executor.clickElement({ name: 'Save draft' })).toBe(false);
    expect(heard.at(-1)).toEqual(['clickElement', 'not_bound']);
  });
});
