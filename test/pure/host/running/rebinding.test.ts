/** A window is bound while another action is being judged. */
import { describe, expect, test } from 'vitest';
import type { BindingRecord } from '../../../../src/contract/element/binding.ts';
import { startTestHost, type TestHost } from '../running-host.ts';
import { NOTEPAD, outcomeOf } from '../stand-in-desktop.ts';

const BROWSER: BindingRecord = {
  ...NOTEPAD,
  hwnd: '5151',
  pid: 200,
  processCreated: '2',
  title: 'Bank',
  className: 'Chrome_WidgetWin_1',
  app: {
    bundleId: 'c:\\program files\\google\\chrome\\application\\chrome.exe',
    displayName: 'Google Chrome',
    executable: 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  },
};

/** Windows by title; what is typed goes into the list with the window that it was given. */
async function twoWindows(): Promise<TestHost & { readonly typed: string[]; bind(title: string): Promise<unknown> }> {
  const t = await startTestHost();
  const typed: string[] = [];
  const { binding, keyboard } = t.scene.desktop;
  binding.find = async ({ title }) => (title === 'Bank' ? BROWSER : NOTEPAD);
  keyboard.typeText = async (record, text) => {
    typed.push(`${record?.title ?? 'foreground'}: ${text}`);
    return { value: true, outcome: outcomeOf('unverified', 'posted') };
  };
  return Object.assign(t, {
    typed,
    bind: (title: string) => t.host.runner.run(t.agent, 'bind-to-window', { title }).result,
  });
}

/** A call that tells when it was reached, and answers when it is let go. */
function gateway(): { readonly reached: Promise<void>; open(): void; pass(): Promise<void> } {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  return {
    reached: reached.promise,
    open: opened.resolve,
    pass: () => {
      reached.resolve();
      return opened.promise;
    },
  };
}

const CONFLICT = { code: 'state_conflict', delivery: 'not_delivered' };

describe('a bind while another action is judged', () => {
  test('unbound, and judged by the window in the foreground: the text does not go to the window that was bound meanwhile', async () => {
    await using t = await twoWindows();
    const way = gateway();
    const { binding } = t.scene.desktop;
    const { front } = binding;
    binding.front = async (bound, call) => {
      await way.pass();
      return front(bound, call);
    };
    const typing = t.host.runner.run(t.agent, 'type', { text: 'a', viaClipboard: false });
    await way.reached;
    await t.bind('Bank');
    way.open();
    await expect(typing.result).rejects.toMatchObject(CONFLICT);
    expect(t.typed).toEqual([]);
  });

  test('while the bound window is verified and read', async () => {
    await using t = await twoWindows();
    await t.bind('Notepad');
    const way = gateway();
    const described: string[] = [];
    const { element } = t.scene.desktop;
    const { context } = element;
    element.context = async (record, target, call) => {
      described.push(record.title);
      await way.pass();
      return context(record, target, call);
    };
    const typing = t.host.runner.run(t.agent, 'type', { text: 'a', viaClipboard: false });
    await way.reached;
    await t.bind('Bank');
    way.open();
    await expect(typing.result).rejects.toMatchObject(CONFLICT);
    expect(described).not.toContain('Bank');
    expect(t.typed).toEqual([]);
  });

  test('between the gate’s yes and the delivery, bound or not before; a bind that is asked for in between does not wait', async () => {
    await using t = await twoWindows();
    const typeWhileBinding = (title: string): Promise<unknown> => {
      t.afterGate = async ({ action }) => {
        if (action === 'type') await t.bind(title);
      };
      return t.host.runner.run(t.agent, 'type', { text: 'a', viaClipboard: false }).result;
    };
    await expect(typeWhileBinding('Bank')).rejects.toMatchObject(CONFLICT);
    await t.bind('Notepad');
    await expect(typeWhileBinding('Bank')).rejects.toMatchObject(CONFLICT);
    expect(t.typed).toEqual([]);
    // The same window bound again is still the window that was judged.
    await t.bind('Notepad');
    await typeWhileBinding('Notepad');
    expect(t.typed).toEqual(['Untitled - Notepad: a']);
  });

  test('while a person decides: the approval is void, and the bind did not wait for them', async () => {
    await using t = await twoWindows();
    await t.host.policy.change({ level: 'control' }, 'merge', undefined, 'operator');
    await t.bind('Notepad');
    const typing = t.host.runner.run(t.agent, 'type', { text: 'a', viaClipboard: false });
    typing.result.catch(() => {});
    const approvalId = await typing.pending;
    await t.bind('Bank');
    await t.decideNext('approve');
    await expect(typing.result).rejects.toMatchObject(CONFLICT);
    expect((await t.host.approvals.get(approvalId!)).status).toBe('void');
    expect(t.typed).toEqual([]);
  });
});
