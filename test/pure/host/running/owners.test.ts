/** What is kept for each owner, and when it is released. */
import { describe, expect, test } from 'vitest';
import type { BindingRecord } from '../../../../src/contract/element/binding.ts';
import { defaultPolicy } from '../../../../src/contract/gate/permissions.ts';
import { Owners, type Rights } from '../../../../src/host/running/owners.ts';
import { Allowances } from '../../../../src/policy/rights/allowances.ts';
import { SessionGrants } from '../../../../src/policy/rights/grants.ts';
import { NOTEPAD } from '../stand-in-desktop.ts';
import { startTestHost } from '../running-host.ts';

const rights = (): Rights => ({ grants: new SessionGrants(defaultPolicy), allowances: new Allowances() });
const window = (hwnd: number): BindingRecord => ({ hwnd: String(hwnd), processCreated: '1' }) as BindingRecord;
const owned = (owners: Owners): string[] => owners.bound().map(({ owner }) => owner);
/** One run that binds a window. */
function bind(owners: Owners, owner: string, hwnd: number): void {
  const state = owners.begin(owner);
  owners.bind(state, window(hwnd));
  owners.end(state);
}

describe('state of a session name', () => {
  test('is nothing before it binds or sees anything', () => {
    const owners = new Owners(rights);
    const first = owners.begin('a');
    const second = owners.begin('a');
    expect(second).toBe(first);
    owners.end(first);
    expect(owners.of('a')).toBe(first);
    owners.end(second);
    expect(owners.of('a')).not.toBe(first);
  });

  test('its binding, until it is bound elsewhere or forgotten', () => {
    const owners = new Owners(rights);
    bind(owners, 'a', 1);
    expect(owners.bind(owners.of('a'), window(1))).toBeNull();
    expect(owners.bind(owners.of('a'), window(2))).toEqual(window(1));
    owners.forget('a');
    expect(owners.of('a').binding).toBeNull();
  });

  test('is a person’s grants, until they are revoked or forgotten', () => {
    const owners = new Owners(rights);
    const give = (owner: string): void => {
      const state = owners.begin(owner);
      state.grants.grantApp('notepad.exe', 'full');
      owners.end(state);
    };
    const tiers = (owner: string): string[] =>
      owners
        .of(owner)
        .grants.list()
        .grants.map(({ tier }) => tier);
    give('a');
    expect([tiers('a'), tiers('b')]).toEqual([['full'], []]);
    owners.forget('a');
    expect(tiers('a')).toEqual([]);
    give('a');
    const state = owners.of('a');
    owners.revokeAll();
    expect(tiers('a')).toEqual([]);
    owners.end(owners.begin('a'));
    expect(owners.of('a')).not.toBe(state);
  });

  test('a run of a session that ended meanwhile ends without harm to its successor', () => {
    const owners = new Owners(rights);
    const former = owners.begin('a');
    owners.forget('a');
    const successor = owners.begin('a');
    owners.end(former);
    expect(owners.of('a')).toBe(successor);
  });

  test('over the limit, the binding unused for longest is released, never one with a run under way', () => {
    const owners = new Owners(rights, 2);
    for (const [index, owner] of ['a', 'b'].entries()) bind(owners, owner, index);
    owners.end(owners.begin('a'));
    expect(owners.takeSurplus()).toEqual([]);
    bind(owners, 'c', 3);
    expect(owners.takeSurplus().map(({ owner, binding }) => [owner, binding?.hwnd])).toEqual([['b', '1']]);
    expect(owned(owners)).toEqual(['a', 'c']);
    const busy = owners.begin('a');
    bind(owners, 'd', 4);
    busy.observations.clear();
    owners.end(owners.begin('c'));
    owners.end(owners.begin('d'));
    expect(owners.takeSurplus().map(({ owner }) => owner)).toEqual(['c']);
    expect(owned(owners)).toEqual(['a', 'd']);
    // Rights without a window count as well.
    for (const owner of ['e', 'f', 'g']) {
      const state = owners.begin(owner);
      state.grants.grantFlag('displayCapture');
      owners.end(state);
    }
    owners.end(busy);
    expect(owners.takeSurplus().map(({ owner }) => owner)).toEqual(['a', 'd', 'e']);
    expect(owners.of('e').grants.hasFlag('displayCapture')).toBe(false);
  });

  test('a client that makes up a name for each task keeps the last 256 windows, and the error for another says to bind it again', async () => {
    await using t = await startTestHost();
    const released: string[] = [];
    t.scene.desktop.binding.release = async (_record, call) => {
      released.push(call.owner);
    };
    const as = (name: string) => ({ ...t.agent, session: name });
    for (let task = 0; task < 258; task += 1)
      await t.host.runner.run(as(`task-${task}`), 'bind-to-window', { title: 'Notepad' }).result;
    expect(released).toEqual(['agent/task-0', 'agent/task-1']);
    expect((await t.host.runner.run(as('task-0'), 'has-bound-window', {}).result).value).toBe(false);
    expect((await t.host.runner.run(as('task-2'), 'has-bound-window', {}).result).value).toBe(true);
    await expect(t.host.runner.run(as('task-1'), 'get-window-rect', {}).result).rejects.toMatchObject({
      code: 'not_bound',
    });
  });

  test('[binding.replaced] a window that another program of the session changed is an error until the binding is asked for or bound again', async () => {
    await using t = await startTestHost();
    const other = { ...NOTEPAD, hwnd: '4711', title: 'other.txt - Notepad' };
    const one = { ...t.agent, client: 'one' };
    const two = { ...t.agent, client: 'two' };
    const run = (caller: typeof one, action: string, input: object = {}) =>
      t.host.runner.run(caller, action, input).result;
    const bind = (caller: typeof one, window: typeof NOTEPAD): Promise<unknown> => {
      t.scene.window = window;
      return run(caller, 'bind-to-window', { title: 'Notepad' });
    };
    const changed = {
      code: 'state_conflict',
      delivery: 'not_delivered',
      message: expect.stringContaining('other.txt'),
    };
    await bind(one, NOTEPAD);
    await run(two, 'click-element', { name: 'Save draft' });
    await bind(two, other);
    // Whatever acts on the window or on what is at a point, and again until the caller knows.
    for (const [action, input] of [
      ['click-element', { name: 'Save draft' }],
      ['click-element', { name: 'Save draft' }],
      ['key', { keySequence: 'a' }],
      ['snapshot', {}],
      ['click', { x: 1, y: 1, space: 'client' }],
    ] as const)
      await expect(run(one, action, input), action).rejects.toMatchObject(changed);
    await run(two, 'click-element', { name: 'Save draft' });
    await run(one, 'get-binding-status');
    await run(one, 'click-element', { name: 'Save draft' });
    await bind(one, NOTEPAD);
    await run(one, 'click-element', { name: 'Save draft' });
    await expect(run(two, 'click-element', { name: 'Save draft' })).rejects.toMatchObject({ code: 'state_conflict' });
    // Unbinding changes it too: what is at a point of the screen is another program's.
    await run(one, 'unbind-from-window');
    await expect(run(two, 'key', { keySequence: 'a' })).rejects.toMatchObject({ code: 'state_conflict' });
    // The same window again changes nothing, and another session is not concerned.
    await bind(one, NOTEPAD);
    await bind(two, NOTEPAD);
    await run(one, 'click-element', { name: 'Save draft' });
    await bind({ ...two, session: 'own' }, other);
    await run(one, 'click-element', { name: 'Save draft' });
  });
});
