import { describe, expect, test } from 'vitest';
import { METHODS } from '../../../../src/actions/index.ts';
import { createExecutor } from '../../../../src/host/running/executor.ts';
import type { CatalogEntry } from '../../../../src/host/face/host.ts';
import { answerOf, buildTools } from '../../../../src/host/face/tools.ts';
import { startTestHost, type TestHost } from '../running-host.ts';

/** Inputs that rules across fields ask for, beyond what the schema alone requires. */
const INPUTS: Readonly<Record<string, object>> = {
  'bind-to-window': { hwnd: '1' },
  'click-element': { name: 'a' },
  'type-into-element': { name: 'a', text: 'b' },
  'select-element': { name: 'a' },
  'wait-for': { name: 'a' },
  'read-table': { name: 'a' },
  key: { keySequence: 'a' },
  'hold-key': { keyNames: ['a'], durationMs: 1 },
  'virtual-keyboard': { action: 'type', text: 'a' },
  zoom: { regionLogical: { x: 0, y: 0, w: 1, h: 1 } },
  drag: { to: { x: 1, y: 1 } },
  'respond-to-prompt': { responseType: 'yes' },
  'open-terminal': { agent: 'claude' },
  batch: { steps: [{ action: 'snapshot', input: {} }] },
  'request-access': { apps: [{ app: 'a' }], reason: 'b' },
  'request-ui-action': {
    action_type: 'click',
    target: { role: 'button', name: 'a', test_id: '' },
    text: '',
    reason: '',
    risk_tags: [],
    requires_approval: false,
  },
};
const VALUES: Readonly<Record<string, unknown>> = {
  string: 'a',
  number: 1,
  integer: 1,
  boolean: true,
  array: ['a'],
  object: {},
};

function inputOf(entry: CatalogEntry): object {
  const given = INPUTS[entry.name];
  if (given !== undefined) return given;
  const properties = entry.inputSchema['properties'] as Record<string, { type?: string; enum?: unknown[] }>;
  return Object.fromEntries(
    ((entry.inputSchema['required'] as string[] | undefined) ?? []).map((name) => [
      name,
      properties[name]?.enum?.[0] ?? VALUES[properties[name]?.type ?? 'string'],
    ]),
  );
}

/** At level disabled the gate lets nothing through: whatever reaches the desktop all the same went around it. */
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
  test('by the runner, by tools, and as a step of a batch', { timeout: 60_000 }, async () => {
    await using t = await closed();
    const refused: string[] = [];
    for (const entry of t.host.catalog.entries) {
      const input = inputOf(entry);
      const outcome = await t.host.runner.run(t.agent, entry.name, input).result.then(
        ({ value }) => (value as { decision?: string }).decision,
        (error: { code: string }) => error.code,
      );
      if (outcome === 'permission_denied' || outcome === 'block') refused.push(entry.name);
      const step = await t.host.runner.run(t.agent, 'batch', { steps: [{ action: entry.name, input }] }).result.then(
        () => 'done',
        (error: { code: string }) => error.code,
      );
      expect(step, entry.name).toMatch(/^(permission_denied|invalid_argument)$/);
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
      { screenshotFiltering: 'none', platform: 'win32', hostBundleId: 'a' },
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
      expect([false, null, 'permission_denied', 'invalid_argument'], method).toContain(answer);
    }
    expect(t.touched).toEqual([]);
  });
});
