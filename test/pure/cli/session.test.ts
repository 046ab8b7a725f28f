/** `uiahost session …` as real processes against the real host; only its desktop is a stand-in. */
import { describe, expect, it } from 'vitest';
import { startTestHost } from '../host/running-host.ts';
import { serveCli, type CliOptions, type CliResult } from '../../support/cli.ts';
import type { StandInHost } from '../../support/stand-in-host.ts';

const APP = `app:${encodeURIComponent('c:\\windows\\system32\\notepad.exe')}`;
const PROPOSAL = JSON.stringify({
  action_type: 'click',
  target: { role: 'button', name: 'Save draft', test_id: '' },
  text: '',
  reason: 'to save',
  risk_tags: [],
  requires_approval: false,
});

describe('uiahost session', () => {
  it('a session is started, acted in, proposed in, followed and completed by commands alone', async () => {
    await using t = await startTestHost();
    const { cli: raw, url } = await serveCli({}, t.host as unknown as StandInHost);
    const cli = (args: readonly string[], options: CliOptions = {}): Promise<CliResult> =>
      raw(args, { ...options, env: { UIAHOST_AGENT_TOKEN: 'agent-token-agent-token' } });
    const http = async (path: string): Promise<unknown> =>
      (await fetch(`${url}${path}`, { headers: { authorization: 'Bearer agent-token-agent-token' } })).json();
    const done = async (args: readonly string[], options?: CliOptions): Promise<string> => {
      const { status, stdout, stderr } = await cli(args, options);
      expect([args, status, stderr]).toEqual([args, 0, expect.any(String)]);
      return stdout;
    };
    const { computerUseSessionId: id, ...urls } = JSON.parse(
      await done([
        'session',
        'start',
        '--goal',
        'save',
        '--url',
        APP,
        '--max-actions',
        '5',
        '--hints',
        '{"a":1}',
        '--json',
      ]),
    ) as Record<string, string>;
    expect(urls).toEqual({
      streamUrl: `/v1/computer-use/sessions/${id}/stream`,
      controlUrl: `/v1/computer-use/sessions/${id}/control`,
    });
    const place = `/v1/computer-use/sessions/${id ?? ''}`;
    const following = done(['session', 'stream', id ?? '', '--json']);
    await done(['--session', id ?? '', 'bind-to-window', '--title', 'Notepad']);
    await done(['--session', id ?? '', 'click-element', '--name', 'Save draft']);
    expect(JSON.parse(await done(['session', 'propose', id ?? '', PROPOSAL, '--json']))).toMatchObject({
      decision: 'execute',
    });
    expect(await done(['session', 'propose', id ?? '', '-'], { input: PROPOSAL })).toMatch(/^execute, /);
    expect({ ...(JSON.parse(await done(['session', 'status', id ?? '', '--json'])) as object), durationMs: 0 }).toEqual(
      { ...((await http(place)) as object), durationMs: 0 },
    );
    expect(await done(['session', 'status', id ?? ''])).toContain('running  3 actions');
    expect(await done(['session', 'list'])).toContain(id);
    expect(JSON.parse(await done(['session', 'complete', id ?? '', '--summary', 'saved', '--json']))).toMatchObject({
      status: 'completed',
      summary: 'saved',
      actionsExecuted: 3,
    });
    const events = (await following)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect([events[0]?.type, events.filter(({ type }) => type === 'action').length, events.at(-1)?.type]).toEqual([
      'session.started',
      4,
      'session.ended',
    ]);
    const later = await done(['session', 'stream', id ?? '', '--after', `${id}:1`]);
    expect(later).toMatch(new RegExp(`^\\S+  ${id}:2  action  `));
    expect(later).not.toContain('session.started');
    expect(t.scene.delivered).toEqual(['click e1', 'click e1', 'click e1']);
  });

  it('abort ends it with its reason; unknown sessions and wrong flags are refused', async () => {
    await using t = await startTestHost();
    const { cli: raw } = await serveCli({}, t.host as unknown as StandInHost);
    const cli = (args: readonly string[]): Promise<CliResult> =>
      raw(args, { env: { UIAHOST_AGENT_TOKEN: 'agent-token-agent-token' } });
    const started = (await cli(['session', 'start', '--goal', 'save', '--url', APP])).stdout;
    const id = started.split('\n')[0] ?? '';
    expect(started).toContain(`uiahost --session ${id}`);
    expect((await cli(['session', 'abort', id, '--reason', 'enough'])).stdout.trim()).toBe(`${id}  aborted`);
    expect((await cli(['session', 'status', id])).stdout).toContain('enough');
    expect(await cli(['session', 'status', 'cus_none', '--json'])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('session_not_found'),
    });
    expect((await cli(['session', 'start', '--goal', 'x'])).status).toBe(2);
    expect((await cli(['session', 'start', '--goal', 'x', '--url', APP, '--max-actions', '1.5'])).status).toBe(2);
  });
});
