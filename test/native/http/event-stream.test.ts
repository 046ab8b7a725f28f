/** Event streams as the host's own Node serves them: its sockets take fewer pieces in one write than those of Linux. */
import { describe, expect, it } from 'vitest';
import { serve } from '../../support/http-server.ts';

const MANY = 10_000;
const NOW = '2026-01-02T03:04:05.000Z';

describe('a reader that comes back', () => {
  it('gets ten thousand events that it missed, in order, over one connection', async () => {
    const { call, host } = await serve();
    const { computerUseSessionId: id } = (await (
      await call('POST', '/v1/computer-use/sessions', { body: { goal: 'Save the draft', urls: ['app:notepad.exe'] } })
    ).json()) as { computerUseSessionId: string };
    for (let count = 2; count < MANY; count += 1)
      host.say(id, {
        type: 'action',
        actionId: `act_${count}`,
        actionType: 'clickElement',
        riskLevel: 'high',
        summary: 'clickElement on Button "Zeile – ß"',
        timestamp: NOW,
      });
    host.say(id, { type: 'session.ended', status: 'completed', summary: 'done', timestamp: NOW });
    const text = await (
      await call('GET', `/v1/computer-use/sessions/${id}/stream`, { headers: { 'last-event-id': `${id}:1` } })
    ).text();
    const ids = text.match(/^id: .*$/gm) ?? [];
    expect(ids).toHaveLength(MANY - 1);
    expect(ids.every((line, index) => line === `id: ${id}:${index + 2}`)).toBe(true);
    expect(text.trimEnd().endsWith('}')).toBe(true);
  });

  it('also gets them by the stream of everything, with later events', async () => {
    const { call, host } = await serve();
    const { OPERATOR_TOKEN } = await import('../../support/http-server.ts');
    for (let count = 1; count <= MANY; count += 1) host.emit({ type: 'tool.end', time: NOW, actionId: `act_${count}` });
    const response = await call('GET', '/v1/events', { token: OPERATOR_TOKEN, headers: { 'last-event-id': '1' } });
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      if (
        text.endsWith(
          `id: ${MANY}\ndata: ${JSON.stringify({ type: 'tool.end', time: NOW, actionId: `act_${MANY}` })}\n\n`,
        )
      )
        host.emit({ type: 'tool.start', time: NOW });
      if (text.includes(`id: ${MANY + 1}\n`)) break;
    }
    expect((text.match(/^id: .*$/gm) ?? []).map((line) => Number(line.slice(4)))).toEqual(
      Array.from({ length: MANY }, (_, index) => index + 2),
    );
  });
});
