/** Whose window an action is for: several clients of one token, of the same and of other names, over HTTP and MCP. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { createHttpServer } from '../../../../src/http/server.ts';
import { mcpRoutes } from '../../../../src/mcp/route.ts';
import { randomFrom } from '../../../support/random.ts';
import { startTestHost } from '../running-host.ts';
import { NOTEPAD, outcomeOf } from '../stand-in-desktop.ts';
import { AGENT } from '../../faces.ts';

type Answer = Record<string, unknown> & { value?: unknown };
type Call = (tool: string, args: object) => Promise<Answer>;
const handle = (title: string): string => String(5000 + [...title].reduce((sum, c) => sum * 7 + c.charCodeAt(0), 0));

/** A host with a window for each title; `typed` has each text with the title of the window that it came to. */
async function windows() {
  const t = await startTestHost({ alwaysAsk: [] });
  const typed: string[] = [];
  const { binding, keyboard } = t.scene.desktop;
  const closed = new Set<string>();
  binding.find = async ({ title = '', hwnd = handle(title) }) => ({ ...NOTEPAD, hwnd, title });
  binding.isAlive = async ({ title }) => !closed.has(title);
  keyboard.typeText = async (record, text) => {
    typed.push(`${record?.title ?? 'none'} ${text}`);
    return { value: true, outcome: outcomeOf('unverified', 'posted') };
  };
  const server = await createHttpServer({ host: t.host, address: '127.0.0.1', port: 0, mounts: mcpRoutes(t.host) });
  const authorization = `Bearer ${AGENT}`;
  const clients: Client[] = [];
  const open: Record<string, (name: string, query?: string) => Promise<Call>> = {
    async http(name, query = '') {
      return async (tool, args) => {
        const headers = { authorization, 'content-type': 'application/json', 'user-agent': name };
        const url = `${server.url}/v1/actions/${tool.replaceAll('_', '-')}${query}`;
        return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(args) })).json() as Promise<Answer>;
      };
    },
    legacy: (name, query) => mcp('legacy', name, query),
    modern: (name, query) => mcp({ pin: '2026-07-28' }, name, query),
  };
  async function mcp(mode: 'legacy' | { pin: '2026-07-28' }, name: string, query = ''): Promise<Call> {
    const client = new Client({ name, version: '1' }, { versionNegotiation: { mode } });
    const url = new URL(`${server.url}/mcp${query === '' ? '?' : `${query}&`}caps=all`);
    clients.push(client);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }));
    return async (tool, args) => {
      const { content } = await client.callTool({ name: tool, arguments: args as Record<string, unknown> });
      return JSON.parse((content as Array<{ text: string }>)[0]?.text ?? 'null') as Answer;
    };
  }
  return {
    typed,
    closed,
    open,
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client.close().catch(() => {})));
      await server.close();
      await t[Symbol.asyncDispose]();
    },
  };
}

/** A program that binds its window and types; it names the window once an answer asks for that. */
function typistOf(title: string, call: Call) {
  let own: { window?: string; note?: string } = {};
  let names = false;
  const type = async (text: string, isNamed = names): Promise<Answer> => {
    const { window } = own;
    const answer = await call('type', { text, viaClipboard: false, ...(isNamed ? { window } : {}) });
    if (answer['code'] !== 'target_ambiguous' || isNamed) return answer;
    expect(answer['hint']).toContain(`window: "${window}" for “${title}”`);
    names = true;
    return type(text);
  };
  const bind = async (): Promise<void> => {
    own = (await call('bind_to_window', { hwnd: handle(title), title })).value as typeof own;
    names ||= own.note !== undefined;
  };
  return { title, bind, type };
}

const WAYS = ['http', 'legacy', 'modern'];
const GROUPS = [...WAYS.flatMap((one) => WAYS.map((other) => [one, other])), ...WAYS.map((way) => [way, way, way])];

describe('whose window it is', () => {
  test.for(['same', 'other'])(
    '[binding.whose] 500 calls of pairs and triples with %s names: none in the wrong window',
    async (names) => {
      const random = randomFrom(1);
      const each = Math.ceil(500 / GROUPS.length);
      await using t = await windows();
      for (const [number, group] of GROUPS.entries()) {
        const typists = await Promise.all(
          group.map(async (way, at) => {
            const call = await t.open[way]!(names === 'same' ? 'mcp' : `c${at}`);
            return typistOf(`${'abc'[at]}${number}`, call);
          }),
        );
        const sent: string[] = [];
        const running: Array<Promise<unknown>> = [];
        const due = [...typists];
        for (let count = 0; count < each; count += 1) {
          const next = due[0];
          // A bind comes between the actions of the programs before it.
          if (next !== undefined && random() < (due.length === typists.length ? 1 : 0.3)) {
            await next.bind();
            due.shift();
          }
          const there = typists.slice(0, typists.length - due.length);
          const typist = there[Math.floor(random() * there.length)]!;
          const text = `${typist.title} ${count}`;
          sent.push(text);
          const typing = typist
            .type(String(count))
            .then((answer) => expect(answer['code'], JSON.stringify(answer)).toBeUndefined());
          running.push(typing);
          if (random() < 0.6) await typing;
        }
        await Promise.all(running);
        expect(t.typed.splice(0).sort(), group.join(' and ')).toEqual(sent.sort());
        for (const { title } of typists) t.closed.add(title);
      }
    },
  );

  test('[binding.whose] an action that names a window that is bound no longer is refused, and the last unbind ends the need of a name', async () => {
    await using t = await windows();
    const one = await t.open['modern']!('mcp');
    const two = await t.open['modern']!('mcp');
    const a = (await one('bind_to_window', { title: 'a' })).value as { window: string; note?: string };
    expect(a).toEqual({ hwnd: handle('a'), title: 'a', pid: NOTEPAD.pid, window: expect.stringMatching(/^w_\w{6}$/) });
    expect((await one('bind_to_window', { title: 'a' })).value).toEqual(a);
    const b = (await two('bind_to_window', { title: 'b' })).value as { window: string; note?: string };
    expect(b.note).toContain(`window: "${b.window}"`);
    const typing = { text: 'x', viaClipboard: false };
    for (const tool of ['type', 'snapshot', 'get_binding_status', 'unbind_from_window'])
      expect(await one(tool, tool === 'type' ? typing : {}), tool).toMatchObject({
        code: 'target_ambiguous',
        hint: expect.stringMatching(new RegExp(`${a.window}.*${b.window}`)),
        candidates: [
          { hwnd: handle('a'), title: 'a' },
          { hwnd: handle('b'), title: 'b' },
        ],
      });
    expect(await one('get_binding_status', { window: a.window })).toMatchObject({ value: { hwnd: handle('a') } });
    expect(await one('batch', { window: b.window, steps: [{ action: 'type', input: typing }] })).toMatchObject({
      value: {},
    });
    expect(await one('batch', { steps: [{ action: 'type', input: { ...typing, window: a.window } }] })).toMatchObject({
      value: {},
    });
    expect(t.typed.splice(0)).toEqual(['b x', 'a x']);
    expect(await two('unbind_from_window', { window: b.window })).toMatchObject({ value: null });
    expect(await two('type', typing)).toMatchObject({ code: 'target_ambiguous' });
    expect(await two('type', { ...typing, window: b.window })).toMatchObject({ code: 'not_bound' });
    await one('unbind_from_window', { window: a.window });
    await one('bind_to_window', { title: 'b' });
    await one('type', typing);
    // After a window that is gone, the next one needs no name.
    t.closed.add('b');
    expect((await one('bind_to_window', { title: 'c' })).value).not.toHaveProperty('note');
    await one('type', typing);
    expect(t.typed).toEqual(['b x', 'c x']);
  });

  test('[binding.whose] ?session= is a session of its own on every face, where a second bind replaces the first', async () => {
    await using t = await windows();
    for (const way of WAYS) {
      const client = await t.open[way]!('mcp', `?session=own-${way}`);
      const first = (await client('bind_to_window', { title: 'a' })).value as { window: string };
      expect((await client('bind_to_window', { title: 'b' })).value).not.toHaveProperty('note');
      await client('type', { text: way, viaClipboard: false });
      expect(await client('type', { text: 'x', viaClipboard: false, window: first.window })).toMatchObject({
        code: 'not_bound',
      });
    }
    expect(t.typed).toEqual(WAYS.map((way) => `b ${way}`));
  });

  test('[binding.anew] a client that connects again for each call acts by the id, which the refusal asks for', async () => {
    await using t = await windows();
    const call: Call = async (tool, args) => (await t.open['legacy']!('mcp'))(tool, args);
    const { window } = (await call('bind_to_window', { title: 'a' })).value as { window: string };
    const refused = await call('snapshot', {});
    expect(refused).toMatchObject({
      code: 'not_bound',
      hint: expect.stringMatching(/again for each call.*window.*\?session=/),
    });
    await call('type', { text: 'x', viaClipboard: false, window });
    expect(t.typed).toEqual(['a x']);
    // Where the entry names the session, two such clients have one: the second bind asks for ids.
    const named = async (title: string) =>
      (await (await t.open['legacy']!('mcp', '?session=vibe'))('bind_to_window', { title })).value as object;
    expect(await named('b')).not.toHaveProperty('note');
    expect(await named('c')).toHaveProperty('note');
  });
});
