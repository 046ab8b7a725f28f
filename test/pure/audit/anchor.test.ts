/** A log that was deleted, cut or begun again is noticed by what the database keeps of it; a killed host raises no alarm. */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { ANCHOR_KEY } from '../../../src/audit/anchor.ts';
import { findCopy, verifyCopy } from '../../../src/audit/copy.ts';
import type { AuditLog, AuditOpenReport } from '../../../src/audit/log.ts';
import { createAuditLog } from '../../support/audit-log.ts';
import { openStore, type Store } from '../../../src/store/client.ts';
import { counting, rounds } from '../../support/rounds.ts';
import { threadEntry } from '../../support/bundled.ts';
import { scratch } from '../store/scratch.ts';

let data: string;
beforeEach(() => {
  data = scratch();
});

interface Running extends AsyncDisposable {
  readonly log: AuditLog;
  readonly store: Store;
  readonly opened: AuditOpenReport;
}

/** The log and the database as a host has them. */
async function running(): Promise<Running> {
  const store = await openStore({ file: join(data, 'uiahost.sqlite'), threadEntry: threadEntry() });
  const log = createAuditLog({
    directory: join(data, 'audit'),
    keyFile: join(data, 'audit.key'),
    thread: store.thread,
    anchor: () => store.meta.get(ANCHOR_KEY),
  });
  const opened = await log.open();
  return {
    log,
    store,
    opened,
    async [Symbol.asyncDispose]() {
      await log.close();
      await store.close();
    },
  };
}

const write = async ({ log }: Running, count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1)
    await log.append({ kind: 'request', actor: { tokenId: null, surface: 'host' }, details: { index } });
};
const offline = async (): Promise<unknown> => {
  const copy = findCopy(data);
  return copy === null ? null : verifyCopy(copy);
};
/** The verdict of this folder's host, and of a check without a host, from now on. */
async function expectNoticed(firstBad: { seq: number; reason: string }): Promise<void> {
  expect(await offline()).toMatchObject({ ok: false, firstBad });
  for (let start = 0; start < 2; start += 1) {
    await using host = await running();
    if (start === 0) expect(host.opened.damage).toEqual(firstBad);
    await write(host, 3);
    expect(await host.log.verify()).toMatchObject({ ok: false, firstBad });
  }
  expect(await offline()).toMatchObject({ ok: false, firstBad });
}

describe('[audit.anchor] with the database kept', () => {
  test('an audit that was deleted with its key is truncated, for good', async () => {
    {
      await using host = await running();
      await write(host, 20);
    }
    expect(await offline()).toMatchObject({ ok: true, records: 20, unchecked: [] });
    rmSync(join(data, 'audit'), { recursive: true });
    rmSync(join(data, 'audit.key'));
    await expectNoticed({ seq: 1, reason: 'truncated' });
  });

  test('an old copy of the audit, with its key, in place of the current one is reported as truncated', async () => {
    {
      await using host = await running();
      await write(host, 5);
    }
    for (const name of ['audit', 'audit.key']) cpSync(join(data, name), join(data, `old-${name}`), { recursive: true });
    {
      await using host = await running();
      await write(host, 5);
    }
    for (const name of ['audit', 'audit.key']) {
      rmSync(join(data, name), { recursive: true });
      cpSync(join(data, `old-${name}`), join(data, name), { recursive: true });
    }
    await expectNoticed({ seq: 6, reason: 'truncated' });
  });

  test('another log that is longer is noticed at the record that was noted', async () => {
    {
      await using host = await running();
      await write(host, 5);
    }
    rmSync(join(data, 'audit'), { recursive: true });
    rmSync(join(data, 'audit.key'));
    const other = createAuditLog({ directory: join(data, 'audit'), keyFile: join(data, 'audit.key') });
    for (let index = 0; index < 30; index += 1)
      await other.append({ kind: 'request', actor: { tokenId: null, surface: 'host' } });
    expect(await other.verify()).toMatchObject({ ok: true });
    await other.close();
    await expectNoticed({ seq: 5, reason: 'hash' });
  });

  test('while the host runs, its audit is compared as well', async () => {
    await using host = await running();
    await write(host, 5);
    await host.store.meta.set('n', '1');
    expect(JSON.parse((await host.store.meta.get(ANCHOR_KEY)) ?? 'null')).toMatchObject({ seq: 5 });
    expect(await host.log.verify()).toMatchObject({ ok: true, records: 5 });
    rmSync(join(data, 'audit'), { recursive: true });
    expect(await host.log.verify()).toMatchObject({ ok: false });
  });

  test('a log from before there were anchors is whole, and so is a log whose database was moved away', async () => {
    const old = createAuditLog({ directory: join(data, 'audit'), keyFile: join(data, 'audit.key') });
    for (let index = 0; index < 5; index += 1)
      await old.append({ kind: 'request', actor: { tokenId: null, surface: 'host' } });
    await old.close();
    for (const records of [7, 9]) {
      {
        await using host = await running();
        expect(host.opened.damage).toBeNull();
        await write(host, 2);
        expect(await host.log.verify()).toMatchObject({ ok: true, records });
      }
      for (const name of ['uiahost.sqlite', 'uiahost.sqlite-wal', 'uiahost.sqlite-shm'])
        rmSync(join(data, name), { force: true });
    }
  });
});

test('a host that is killed raises no alarm, whenever that is: with records ahead, between the log and the database, in a pause', async () => {
  for (const round of counting(rounds({ whole: 24, quick: 3 }))) {
    const child = spawn(process.execPath, [fileURLToPath(new URL('./anchor-victim.ts', import.meta.url)), data], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    let said = '';
    for await (const line of createInterface({ input: child.stdout })) {
      said = line;
      break;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, (round * 37) % 400);
    });
    child.kill('SIGKILL');
    await exited;
    expect(JSON.parse(said)).toMatchObject({ damage: null, verdict: { ok: true } });
    expect(await offline(), `round ${round}`).toMatchObject({ ok: true });
  }
  expect(existsSync(join(data, 'audit'))).toBe(true);
});
