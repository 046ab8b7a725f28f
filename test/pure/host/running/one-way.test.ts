/** The gate is the only way in: while it refuses everything, no face of the host reaches the desktop. */
import { describe, expect, test } from 'vitest';
import { ACTIONS, METHODS } from '../../../../src/actions/index.ts';
import { createExecutor } from '../../../../src/host/running/executor.ts';
import { answerOf, buildTools } from '../../../../src/host/face/tools.ts';
import { startTestHost, type TestHost } from '../running-host.ts';

/** At level disabled the gate allows nothing: whatever reaches the desktop nevertheless bypassed it. */
async function closed(): Promise<TestHost & { readonly touched: string[] }> {
  const t = await startTestHost({ level: 'disabled' });
  const touched: string[] = [];
  for (const [topic, port] of Object.entries(t.scene.desktop) as Array<[string, Record<string, unknown>]>) {
    for (const method of Object.keys(port)) {
      const real = port[method] as (...given: unknown[]) => unknown;
      port[method] = (...given: unknown[]) => {
        touched.push(`${topic}.${method}`);
        return real(...given);
      };
    }
  }
  return Object.assign(t, { touched });
}

describe('[gate.one-way] with a gate that lets nothing through, nothing reaches the desktop', () => {
  test('by the runner, by tools, and as a step of a batch', async () => {
    await using t = await closed();
    const refused: string[] = [];
    for (const { name, sample } of ACTIONS) {
      const outcome = await t.host.runner.run(t.agent, name, sample).result.then(
        ({ value }) => (value as { decision?: string }).decision,
        (error: { code: string }) => error.code,
      );
      if (outcome === 'permission_denied' || outcome === 'block') refused.push(name);
      const step = await t.host.runner.run(t.agent, 'batch', { steps: [{ action: name, input: sample }] }).result.then(
        () => 'done',
        (error: { code: string }) => error.code,
      );
      expect(step, name).toMatch(/^(permission_denied|invalid_argument)$/);
    }
    expect(t.host.catalog.entries.map(({ name }) => name).filter((name) => !refused.includes(name))).toEqual([]);
    for (const tool of buildTools(t.host.catalog).tools.filter(({ name }) => name.startsWith('computer:'))) {
      const answer = await answerOf(
        t.host,
        tool,
        t.agent,
        () =>
          t.host.runner.run(
            t.agent,
            tool.action,
            tool.toInput(
              {
                'computer:click': { x: 1, y: 1 },
                'computer:pointer_move': { x: 1, y: 1 },
                'computer:keypress': { key: 'a' },
                'computer:type': { text: 'a' },
              }[tool.name] ?? {},
            ),
          ).result,
      );
      expect(answer.isError, tool.name).toBe(true);
    }
    expect(t.touched).toEqual([]);
  });

  test('by the executor’s methods', async () => {
    await using t = await closed();
    const executor = createExecutor(
      t.host.runner,
      { ...t.agent, surface: 'executor' },
      { screenshotFiltering: 'native', platform: 'win32', hostBundleId: 'a' },
    );
    const given: Readonly<Record<string, unknown[]>> = {
      bindToWindow: [{ hwnd: '1' }],
      clickElement: [{ name: 'a' }],
      typeIntoElement: [{ name: 'a' }, 'b'],
      key: ['a'],
      holdKey: [['a'], 1],
      type: ['a', { viaClipboard: false }],
      click: [1, 1, 'left', 1],
      moveMouse: [1, 1],
      screenshot: [{ allowedBundleIds: [] }],
      writeClipboard: ['a'],
      openApp: ['a'],
      virtualKeyboard: [{ action: 'type', text: 'a' }],
      virtualMouse: [{ action: 'click', x: 1, y: 1 }],
    };
    for (const { method } of Object.values(METHODS)) {
      const call = executor[method] as (...args: unknown[]) => Promise<unknown>;
      const answer = await Promise.resolve()
        .then(() => call(...(given[method] ?? [])))
        .catch((error: { code: string }) => error.code);
      const unharmed = [false, null, 'permission_denied', 'invalid_argument', { active: false }];
      expect(unharmed, method).toContainEqual(answer);
    }
    expect(t.touched).toEqual([]);
  });
});
