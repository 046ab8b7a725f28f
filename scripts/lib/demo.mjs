// The demo of `npm start`: a program whose window people can see, and whether it appeared.
import { setTimeout as sleep } from 'node:timers/promises';

const every = 250;

/**
 * Whether the host sees a window of a process within the time (milliseconds).
 * @param {{ url: string, token: string, pid: number, within: number }} wanted
 */
export async function windowCame({ url, token, pid, within }) {
  const end = performance.now() + within;
  for (;;) {
    if ((await windowsOf(url, token)).some((window) => window.pid === pid)) return true;
    if (performance.now() >= end) return false;
    await sleep(every);
  }
}

/**
 * @param {boolean | Promise<boolean>} came whether the demo shows a window
 * @param {(text: string) => void} say
 */
export async function sayIfMissing(came, say) {
  if (await came) return;
  say(
    'Notepad has not shown a window: the calls below need one that is open (a newer Windows may open it in another process)',
  );
}

/** What the host lists; empty if it does not answer. */
async function windowsOf(url, token) {
  try {
    const answer = await fetch(`${url}/v1/actions/list-visible-windows`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: '{}',
      signal: AbortSignal.timeout(5000),
    });
    return answer.ok ? /** @type {{ value: Array<{ pid: number }> }} */ (await answer.json()).value : [];
  } catch {
    return [];
  }
}
