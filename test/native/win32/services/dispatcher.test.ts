/** Controls of the service manager as our own words, and what is never mistaken for one. */
import { describe, expect, test } from 'vitest';
import { addressOf } from '../../../../native-bindings/library.ts';
import * as w from '../../../../native-bindings/win32/constants.ts';
import { WTSSESSION_NOTIFICATION } from '../../../../native-bindings/win32/structs.ts';
import { readControl, runService } from '../../../../src/win32/services/dispatcher.ts';

const about = (session: number): Buffer =>
  WTSSESSION_NOTIFICATION.alloc({ cbSize: WTSSESSION_NOTIFICATION.size, dwSessionId: session });

describe('controls', () => {
  test('session notifications name the session and what happened', () => {
    const memory = about(5);
    const read = (event: number) => readControl(w.SERVICE_CONTROL_SESSIONCHANGE, event, addressOf(memory));
    expect(
      [
        w.WTS_CONSOLE_CONNECT,
        w.WTS_CONSOLE_DISCONNECT,
        w.WTS_REMOTE_CONNECT,
        w.WTS_REMOTE_DISCONNECT,
        w.WTS_SESSION_LOGON,
        w.WTS_SESSION_LOGOFF,
        w.WTS_SESSION_TERMINATE,
        w.WTS_SESSION_LOCK,
        w.WTS_SESSION_UNLOCK,
      ].map(read),
    ).toEqual(
      ['connect', 'disconnect', 'connect', 'disconnect', 'logon', 'logoff', 'logoff', 'lock', 'unlock'].map(
        (change) => ({ kind: 'session', session: 5, change }),
      ),
    );
    expect(read(w.WTS_SESSION_CREATE)).toBeNull();
    expect(memory.length).toBe(8);
  });

  test('power: suspend, and one resume of the two that Windows may send', () => {
    const read = (event: number) => readControl(w.SERVICE_CONTROL_POWEREVENT, event, 0n);
    expect(read(w.PBT_APMSUSPEND)).toEqual({ kind: 'power', change: 'suspend' });
    expect(read(w.PBT_APMRESUMEAUTOMATIC)).toEqual({ kind: 'power', change: 'resume' });
    expect(read(w.PBT_APMRESUMESUSPEND)).toBeNull();
  });

  test('[service.stop] stop and the end of Windows both mean stop; anything else means nothing', () => {
    expect(readControl(w.SERVICE_CONTROL_STOP, 0, 0n)).toEqual({ kind: 'stop' });
    expect(readControl(w.SERVICE_CONTROL_PRESHUTDOWN, 0, 0n)).toEqual({ kind: 'stop' });
    expect(readControl(w.SERVICE_CONTROL_INTERROGATE, 0, 0n)).toBeNull();
    expect(readControl(200, 1, 0n)).toBeNull();
    expect(readControl(w.SERVICE_CONTROL_SESSIONCHANGE, w.WTS_SESSION_LOCK, 0n)).toBeNull();
  });
});

test('[service.states] a process that no service manager started is not a service, and hears so', async () => {
  const heard: unknown[] = [];
  expect(
    await runService('uiahost', {
      start: () => void heard.push('start'),
      control: (control) => void heard.push(control),
    }),
  ).toBe(false);
  expect(heard).toEqual([]);
});
