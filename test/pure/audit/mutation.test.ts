/** Random changes to a log’s files are noticed. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createAuditLog } from '../../support/audit-log.ts';
import { verifyAuditLog } from '../../../src/audit/verify.ts';
import { liveAndDie } from '../store/lives.ts';
import { scratch } from '../store/scratch.ts';
import { rounds } from '../../support/rounds.ts';
import { createRandom, MUTATIONS, subjectOf, type LogImage, type Random, type Subject } from './mutations.ts';

const SEED = 20_260_215;
const MUTATION_COUNT = rounds({ whole: 2000, quick: 200 });

const placeOf = (data: string) => ({ directory: join(data, 'audit'), keyFile: join(data, 'audit.key') });
const pathOf = (data: string, name: string): string =>
  name === 'key' ? placeOf(data).keyFile : join(data, 'audit', name);

function imageOf(data: string): LogImage {
  const image = new Map<string, Buffer>();
  for (const name of readdirSync(join(data, 'audit'))) image.set(name, readFileSync(pathOf(data, name)));
  image.set('key', readFileSync(pathOf(data, 'key')));
  return image;
}

/** A log of a host that ended as it should, over several files. */
async function closedLog(data: string): Promise<void> {
  const log = createAuditLog({ ...placeOf(data), maxFileBytes: 6000 });
  for (let index = 0; index < 20; index += 1) {
    await Promise.all(
      Array.from({ length: 1 + (index % 4) }, (_, offset) =>
        log.append({
          kind: 'request',
          actor: { tokenId: 'tok_1', surface: 'http' },
          actionId: `act_${index}_${offset}`,
          action: 'clickElement',
          details: { text: 'é😀"\\'.repeat(index) },
        }),
      ),
    );
  }
  await log.close();
}

/** The log of a host that was killed, as it lies there: never opened again. A life that wrote next to nothing is followed by another. */
async function killedLog(data: string, lives: number, random: Random): Promise<void> {
  for (let life = 0, records = 0; life < lives || records < 5; life += 1) {
    const { audit } = await liveAndDie(data, String(life), 10 + random.integer(30), random.integer(5));
    records += audit.size;
  }
}

describe('[audit.damage] random mutations', () => {
  test(`all ${MUTATION_COUNT} are found, in logs of ended and of killed hosts, and none is seen where there is none`, async () => {
    const random = createRandom(SEED);
    const subjects: { data: string; subject: Subject }[] = [];
    for (const lives of [0, 0, 1, 1, 2, 2, 3]) {
      const data = scratch();
      await (lives === 0 ? closedLog(data) : killedLog(data, lives, random));
      const { directory, keyFile } = placeOf(data);
      subjects.push({ data, subject: subjectOf(imageOf(data), directory, keyFile) });
    }
    const kinds = Object.keys(MUTATIONS);
    const missed: string[] = [];
    const reasons = new Map<string, number>();

    let made = 0;
    for (let index = 0; made < MUTATION_COUNT; index += 1) {
      const kind = kinds[index % kinds.length] ?? '';
      // A small log has every kind of place close together; the larger ones of killed hosts get fewer turns.
      const { data, subject } =
        subjects[random.integer(3) < 2 ? random.integer(2) : 2 + random.integer(subjects.length - 2)] ?? subjects[0]!;
      const change = MUTATIONS[kind]?.(subject, random) ?? new Map<string, Buffer | null>();
      const isChange = [...change].some(
        ([name, bytes]) => bytes === null || subject.image.get(name)?.equals(bytes) !== true,
      );
      if (!isChange) continue;
      made += 1;
      for (const [name, bytes] of change) {
        if (bytes === null) rmSync(pathOf(data, name), { force: true });
        else writeFileSync(pathOf(data, name), bytes);
      }
      const verdict = await verifyAuditLog(placeOf(data));
      if (verdict.ok || verdict.firstBad === null) missed.push(`${index} ${kind} in ${[...change.keys()].join(', ')}`);
      else reasons.set(verdict.firstBad.reason, (reasons.get(verdict.firstBad.reason) ?? 0) + 1);
      for (const name of change.keys()) {
        const original = subject.image.get(name);
        if (original === undefined) rmSync(pathOf(data, name));
        else writeFileSync(pathOf(data, name), original);
      }
    }

    expect(missed).toEqual([]);
    expect([...reasons.values()].reduce((sum, count) => sum + count, 0)).toBe(MUTATION_COUNT);
    expect([...reasons.keys()].sort()).toEqual(['gap', 'hash', 'key', 'order', 'truncated']);
    for (const { data } of subjects)
      expect(await verifyAuditLog(placeOf(data))).toMatchObject({ ok: true, firstBad: null });
  });
});
