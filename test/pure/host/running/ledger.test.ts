/** The record of a running action, written before it is delivered. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ACTIONS } from '../../../../src/actions/index.ts';
import type { AuditEntryInput } from '../../../../src/audit/entry.ts';
import { UiaHostError } from '../../../../src/contract/errors.ts';
import type { Caller } from '../../../../src/host/face/caller.ts';
import { ActionLedger } from '../../../../src/host/running/ledger.ts';
import type { RunScope } from '../../../../src/host/running/run-scope.ts';
import type { GatePassed, GateRecord } from '../../../../src/policy/gate/gate-types.ts';
import { openStore, type Store } from '../../../../src/store/client.ts';
import { threadEntry } from '../../../support/bundled.ts';
import { scratch } from '../../store/scratch.ts';

let store: Store;
let ledger: ActionLedger;
beforeEach(async () => {
  store = await openStore({ file: `${scratch()}/host.sqlite`, threadEntry: threadEntry() });
  ledger = new ActionLedger({ store, audit: { append: async () => ({ seq: 1, hash: '' }) } });
});
afterEach(() => store.close());

const caller: Caller = { tokenId: 'tok_1', scope: 'agent', session: 'default', limits: null, surface: 'http' };
const definition = ACTIONS.find(({ name }) => name === 'list-visible-windows')!;
/** As much of a run as the ledger looks at. */
const scope = { caller, actionId: 'act_1', outerId: null, definition } as RunScope;
const passed = { decision: { riskLevel: 'low', riskTags: [] }, digest: 'd', binding: null } as unknown as GatePassed;
const result = {
  value: [],
  outcome: { effect: 'none', delivery: 'none', evidence: [], attempts: [] },
  durationMs: 1,
} as never;
const begin = () => ledger.begin({ caller, actionId: 'act_1', definition, rawInput: {}, idempotencyKey: undefined });
const status = async (): Promise<string | undefined> => (await store.actions.get('act_1'))?.status;

describe('the record of a look', () => {
  test('[store.recovery] a look is there while it runs, so that the next host knows of it after a kill, and ends with its answer', async () => {
    await begin();
    expect(await status()).toBe('running');
    await ledger.succeeded(scope, result, passed);
    expect(await store.actions.get('act_1')).toMatchObject({
      action: 'list-visible-windows',
      tokenId: 'tok_1',
      status: 'succeeded',
      result: { durationMs: 1 },
    });
  });

  test('a look that fails ends with its error', async () => {
    await begin();
    await ledger.failed(scope, new UiaHostError('cancelled', 'The caller cancelled the action.'), null, {});
    expect(await store.actions.get('act_1')).toMatchObject({ status: 'cancelled', error: { code: 'cancelled' } });
  });

  test('a look that a person is asked about is there as pending', async () => {
    await begin();
    ledger.pending('act_1', 'apr_1');
    expect(await store.actions.get('act_1')).toMatchObject({ status: 'pending', approvalId: 'apr_1' });
    await ledger.succeeded(scope, result, passed);
    expect(await store.actions.get('act_1')).toMatchObject({ status: 'succeeded', approvalId: 'apr_1' });
  });
});

describe('[store.recovery] the record of a batch: after a kill the next host does not claim that nothing was delivered', () => {
  const batch = ACTIONS.find(({ name }) => name === 'batch')!;
  const click = ACTIONS.find(({ name }) => name === 'click-element')!;
  const step = (actionId: string) => ({ ...scope, actionId, outerId: 'act_1', definition: click }) as RunScope;
  const beginStep = (actionId: string) =>
    ledger.begin({ caller, actionId, definition: click, rawInput: {}, idempotencyKey: undefined });

  test('waits for a person as long as nothing of it was delivered, and never again after that', async () => {
    await ledger.begin({ caller, actionId: 'act_1', definition: batch, rawInput: {}, idempotencyKey: undefined });
    await beginStep('act_2');
    ledger.pending('act_2', 'apr_1');
    ledger.pending('act_1', 'apr_1');
    expect(await status()).toBe('pending');
    await ledger.delivering(step('act_2'), passed);
    expect(await status()).toBe('running');
    expect((await store.actions.get('act_2'))?.status).toBe('running');
    await beginStep('act_3');
    ledger.pending('act_3', 'apr_2');
    ledger.pending('act_1', 'apr_2');
    expect(await store.actions.get('act_1')).toMatchObject({ status: 'running', approvalId: 'apr_2' });
    expect((await store.actions.get('act_3'))?.status).toBe('pending');
  });
});

describe('an action that changes something', () => {
  const click = ACTIONS.find(({ name }) => name === 'click-element')!;
  const acting = { ...scope, definition: click } as RunScope;
  const allowed = (code: null | 'blocked_by_policy' = null) =>
    ({
      actionId: 'act_1',
      action: 'ui_click_element',
      outcome: code === null ? 'execute' : 'refused',
      why: [],
      riskTags: [],
      arguments: {},
      content: null,
      code,
    }) as unknown as GateRecord;
  const counted = () => {
    const messages: string[][] = [];
    const turn: string[] = [];
    const note = (what: string): void => {
      if (turn.length === 0)
        setImmediate(() => {
          messages.push(turn.splice(0));
        });
      turn.push(what);
    };
    const actions = Object.fromEntries(['create', 'update'].map((method) => [method, async () => note(method)]));
    const noting = { actions } as unknown as Store;
    const append = async ({ kind }: AuditEntryInput) => {
      note(kind);
      return { seq: 1, hash: '' };
    };
    return { messages, ledger: new ActionLedger({ store: noting, audit: { append } }) };
  };
  const turn = (): Promise<void> =>
    new Promise((resolve) => {
      setImmediate(resolve);
    });

  test('is written when it begins, before its delivery with the gate’s decision in one flush, and when it has ended', async () => {
    const { messages, ledger } = counted();
    await ledger.begin({ caller, actionId: 'act_1', definition: click, rawInput: {}, idempotencyKey: undefined });
    await turn();
    await ledger.gateRecord(allowed(), caller, false);
    await turn();
    await ledger.delivering(acting, passed);
    await turn();
    await ledger.succeeded(acting, result, passed);
    await turn();
    expect(messages).toEqual([['create'], ['update', 'decision', 'delivery'], ['outcome', 'update']]);
  });

  test('that ends before its delivery has the decision before its outcome; a refusal is not held back', async () => {
    const { messages, ledger } = counted();
    const begun = { caller, actionId: 'act_1', definition: click, rawInput: {}, idempotencyKey: undefined };
    await ledger.begin(begun);
    await ledger.gateRecord(allowed('blocked_by_policy'), caller, false);
    await turn();
    expect(messages).toEqual([['create', 'decision']]);
    await ledger.gateRecord(allowed(), caller, false);
    await ledger.failed(acting, new UiaHostError('cancelled', 'The caller cancelled the action.'), passed, {});
    await turn();
    expect(messages[1]).toEqual(['decision', 'outcome', 'update']);
  });

  test('is not delivered if its record or the gate’s decision cannot be written', async () => {
    for (const broken of ['create', 'decision']) {
      const actions = {
        create: async () => (broken === 'create' ? Promise.reject(new Error('full')) : null),
        update: async () => ({ changed: true }),
      };
      const append = async ({ kind }: AuditEntryInput) =>
        kind === broken ? Promise.reject(new Error('full')) : { seq: 1, hash: '' };
      const full = new ActionLedger({ store: { actions } as unknown as Store, audit: { append } });
      await full.begin({ caller, actionId: 'act_1', definition: click, rawInput: {}, idempotencyKey: undefined });
      await full.gateRecord(allowed(), caller, false);
      await expect(full.delivering(acting, passed)).rejects.toThrow('full');
    }
  });
});
