/** Events are persisted before they are streamed, in order. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openStore } from '../../../src/store/client.ts';
import { createEventBus, type EventLog, createStreamEventBridge } from '../../../src/host/events/event-hub.ts';
import { createEventStream, startToolCall } from '../../../src/host/events/tool-events.ts';
import type { StreamEvent } from '../../../src/store/records.ts';
import { exposedCollector } from '../../support/collector.ts';
import { threadEntry } from '../../support/bundled.ts';
import { AT } from './samples.ts';
import { scratch } from './scratch.ts';

const types = (events: readonly { event: StreamEvent }[]): string[] => events.map(({ event }) => event.type);

describe('[streaming.persisted]', () => {
  test('tool.start, tool.progress, tool.end and stream events go to the bus, are persisted, and are replayed after a restart', async () => {
    const file = join(scratch(), 'host.sqlite');
    const heard: string[] = [];
    {
      await using store = await openStore({ file, threadEntry: threadEntry() });
      const bus = createEventBus({ log: store.events });
      bus.subscribe(({ id, event }) => heard.push(`${id} ${event.type}`));
      const stream = createEventStream();
      const bridge = createStreamEventBridge({ stream, bus });
      const call = startToolCall(
        stream,
        { callId: 'call_1', tool: 'computer:click', sessionId: 'ses_1', input: { x: 1, y: 2 } },
        () => new Date(AT),
      );
      call.progress(1, 2, 'asked');
      stream.emit({
        type: 'approval_required',
        actionId: 'act_1',
        actionType: 'click',
        summary: 'Click',
        timestamp: AT,
      });
      call.end({ isError: false, artifacts: ['a'.repeat(64)] });
      call.end({ isError: true });
      call.progress(2, 2, 'too late');
      await bridge.settled();
      bridge.close();
      stream.emit({ type: 'after the close' });
      await bridge.done;
    }
    expect(heard).toEqual(['host:1 tool.start', 'host:2 tool.progress', 'host:3 approval_required', 'host:4 tool.end']);
    await using again = await openStore({ file, threadEntry: threadEntry() });
    const { events, hasGap } = await createEventBus({ log: again.events }).replay({ after: 'host:1' });
    expect(hasGap).toBe(false);
    expect(events.map(({ event }) => event)).toEqual([
      {
        type: 'tool.progress',
        callId: 'call_1',
        tool: 'computer:click',
        progress: 1,
        total: 2,
        message: 'asked',
        timestamp: AT,
      },
      { type: 'approval_required', actionId: 'act_1', actionType: 'click', summary: 'Click', timestamp: AT },
      {
        type: 'tool.end',
        callId: 'call_1',
        tool: 'computer:click',
        isError: false,
        errorCode: null,
        durationMs: 0,
        artifacts: ['a'.repeat(64)],
        timestamp: AT,
      },
    ]);
  });

  test('an event that was persisted and heard is forgotten', async () => {
    const collect = exposedCollector();
    const log: EventLog = {
      append: async () => ({ id: 'host:1', sequence: 1 }),
      read: async () => ({ events: [], hasGap: false, hasMore: false, lastSequence: 0 }),
    };
    const stream = createEventStream();
    const bridge = createStreamEventBridge({ stream, bus: createEventBus({ log }) });
    const events = Array.from({ length: 100 }, (_, index) => {
      const event = { type: `e${index}` };
      stream.emit(event);
      return new WeakRef(event);
    });
    await bridge.settled();
    for (let round = 0; round < 5; round += 1) {
      await sleep(20);
      collect();
    }
    expect(events.filter((event) => event.deref() !== undefined).length).toBeLessThan(10);
    bridge.close();
  });

  test('an async iterable is forwarded to its end, in order', async () => {
    async function* stream(): AsyncGenerator<StreamEvent> {
      for (let index = 0; index < 50; index += 1) yield { type: `e${index}` };
    }
    const bus = createEventBus();
    await createStreamEventBridge({ stream: stream(), bus }).done;
    expect(types((await bus.replay()).events)).toEqual(Array.from({ length: 50 }, (_, index) => `e${index}`));
  });

  test('a stream that fails, a log that fails, and listeners that throw are reported and disturb no other', async () => {
    const faults: string[] = [];
    const onFault = ({ event, error }: { event: StreamEvent | null; error: unknown }): void =>
      void faults.push(`${event?.type ?? 'stream'}: ${(error as Error).message}`);
    async function* failing(): AsyncGenerator<StreamEvent> {
      yield { type: 'first' };
      throw new Error('cut off');
    }
    const bus = createEventBus();
    const heard: string[] = [];
    bus.subscribe(() => {
      throw new Error('listener');
    });
    bus.subscribe(({ event }) => heard.push(event.type));
    await createStreamEventBridge({ stream: failing(), bus, onFault }).done;
    const full: EventLog = { append: () => Promise.reject(new Error('disk full')), read: () => bus.replay() };
    const stream = createEventStream();
    const bridge = createStreamEventBridge({ stream, bus: createEventBus({ log: full }), onFault });
    stream.emit({ type: 'second' });
    await bridge.settled();
    expect(heard).toEqual(['first']);
    expect(faults).toEqual(['stream: cut off', 'second: disk full']);
  });

  test('closing ends an iterable as well', async () => {
    let isEnded = false;
    const source = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<IteratorResult<StreamEvent>>(() => undefined),
        return: async () => {
          isEnded = true;
          return { done: true as const, value: undefined };
        },
      }),
    };
    const bridge = createStreamEventBridge({ stream: source, bus: createEventBus() });
    bridge.close();
    await bridge.done;
    expect(isEnded).toBe(true);
  });

  test('subscribers get only persisted events, in the order of publishing, until they leave', async () => {
    await using store = await openStore({ file: join(scratch(), 'host.sqlite'), threadEntry: threadEntry() });
    const bus = createEventBus({ log: store.events, streamId: 'ses_1' });
    const heard: string[] = [];
    const leave = bus.subscribe(({ id }) => heard.push(id));
    await Promise.all(Array.from({ length: 20 }, () => bus.publish({ type: 'x' })));
    leave();
    await bus.publish({ type: 'x' });
    expect(heard).toEqual(Array.from({ length: 20 }, (_, index) => `ses_1:${index + 1}`));
    expect(await bus.replay({ after: 'ses_1:20' })).toMatchObject({ events: [{ id: 'ses_1:21' }], hasGap: false });
  });

  test('without a log the bus keeps its events in memory, with the same gaps', async () => {
    const bus = createEventBus();
    await bus.publish({ type: 'a' });
    await bus.publish({ type: 'b' });
    expect(await bus.replay({ after: 'host:1' })).toMatchObject({ hasGap: false, events: [{ id: 'host:2' }] });
    expect(await bus.replay({ after: 'other:1' })).toMatchObject({ hasGap: true });
    expect(await bus.replay({ after: 'host:7' })).toMatchObject({ hasGap: true });
    expect(await bus.replay({ limit: 1 })).toMatchObject({ hasMore: true, events: [{ id: 'host:1' }] });
  });
});
