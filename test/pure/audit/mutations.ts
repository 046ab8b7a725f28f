/** Makes random changes to the files of a log. */
import { randomFrom } from '../../support/random.ts';
import { createHash, createSecretKey } from 'node:crypto';
import { readCheckpoint } from '../../../src/audit/checkpoint.ts';
import { readKey } from '../../../src/audit/key.ts';
import { sealLine } from '../../../src/audit/chain.ts';

/** Repeatable random numbers (mulberry32). */
export function createRandom(seed: number): {
  integer(below: number): number;
  pick<T>(items: readonly T[]): T;
  pickMaybe<T>(items: readonly T[]): T | undefined;
} {
  const next = randomFrom(seed);
  const integer = (below: number): number => Math.floor(next() * below);
  return {
    integer,
    pick: (items) => items[integer(items.length)] as (typeof items)[number],
    pickMaybe: (items) => items[integer(items.length)],
  };
}

export type Random = ReturnType<typeof createRandom>;

/** A log as the bytes of its files; `checkpoint` and `key` are among them. */
export type LogImage = ReadonlyMap<string, Buffer>;

export interface Subject {
  readonly image: LogImage;
  /** Names of the log's own files in their order. */
  readonly logs: readonly string[];
  /**
   * How much of each file the checkpoint covers. Behind it lies only what was never acknowledged: its loss is
   * indistinguishable from a kill a moment earlier.
   */
  readonly covered: ReadonlyMap<string, number>;
}

export function subjectOf(image: LogImage, directory: string, keyFile: string): Subject {
  const state = readCheckpoint(directory, readKey(keyFile));
  if (state.state !== 'valid') throw new Error('the log to mutate has no valid checkpoint');
  const { file, bytes } = state.checkpoint;
  const logs = [...image.keys()].filter((name) => name.endsWith('.jsonl')).sort();
  return {
    image,
    logs,
    covered: new Map(
      logs.map((name) => [name, name < file ? (image.get(name)?.length ?? 0) : name === file ? bytes : 0]),
    ),
  };
}

interface Line {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** The acknowledged lines, with their line feeds. */
function linesOf({ image, logs, covered }: Subject): Line[] {
  return logs.flatMap((file) => {
    const data = image.get(file) ?? Buffer.alloc(0);
    const lines: Line[] = [];
    for (let start = 0; start < (covered.get(file) ?? 0);) {
      const end = data.indexOf(0x0a, start) + 1;
      lines.push({ file, start, end });
      start = end;
    }
    return lines;
  });
}

type Change = Map<string, Buffer | null>;
/** What a mutation makes of the files; empty where the log is too small for it. */
type Mutation = (subject: Subject, random: Random) => Change;

const bytesOf = (subject: Subject, name: string): Buffer => subject.image.get(name) ?? Buffer.alloc(0);
const cut = (data: Buffer, start: number, end: number, put: Uint8Array = Buffer.alloc(0)): Buffer =>
  Buffer.concat([data.subarray(0, start), put, data.subarray(end)]);
const lineBytes = (subject: Subject, line: Line): Buffer => bytesOf(subject, line.file).subarray(line.start, line.end);
const one = (name: string, data: Buffer | null): Change => new Map([[name, data]]);

/** Names and the part of each file in which a change must be found. */
const places = (subject: Subject): [string, number][] => [
  ...[...subject.covered].filter(([, length]) => length > 0),
  ['checkpoint', bytesOf(subject, 'checkpoint').length],
];

/** A record with a right hash but made without the key. */
function forge(body: Record<string, unknown>): Buffer {
  const { hash: _hash, mac: _mac, ...rest } = body;
  return Buffer.from(`${sealLine(JSON.stringify(rest), createSecretKey(Buffer.from('not the key'))).line}\n`);
}

export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  flipBit(subject, random) {
    const [name, length] = random.pick(places(subject));
    const data = Buffer.from(bytesOf(subject, name));
    const at = random.integer(length);
    data[at] = (data[at] ?? 0) ^ (1 << random.integer(8));
    return one(name, data);
  },
  replaceBytes(subject, random) {
    const [name, length] = random.pick(places(subject));
    const start = random.integer(length);
    const end = Math.min(length, start + 1 + random.integer(40));
    const noise = Buffer.from(bytesOf(subject, name).subarray(start, end)).map(
      (byte) => byte ^ (1 + random.integer(255)),
    );
    return one(name, cut(bytesOf(subject, name), start, end, noise));
  },
  dropLine(subject, random) {
    const line = random.pick(linesOf(subject));
    return one(line.file, cut(bytesOf(subject, line.file), line.start, line.end));
  },
  dropLines(subject, random) {
    const lines = linesOf(subject);
    const first = random.pick(lines);
    const last = random.pick(lines.filter((line) => line.file === first.file && line.start >= first.start));
    return one(first.file, cut(bytesOf(subject, first.file), first.start, last.end));
  },
  dropBytes(subject, random) {
    const [name, length] = random.pick(places(subject));
    const start = random.integer(length);
    return one(name, cut(bytesOf(subject, name), start, Math.min(length, start + 1 + random.integer(200))));
  },
  dropFile: (subject, random) => one(random.pick(places(subject))[0], null),
  swapLines(subject, random) {
    const lines = linesOf(subject);
    const first = random.pick(lines);
    const second = random.pickMaybe(lines.filter((line) => line !== first));
    if (second === undefined) return new Map();
    if (first.file !== second.file) {
      return new Map([
        [first.file, cut(bytesOf(subject, first.file), first.start, first.end, lineBytes(subject, second))],
        [second.file, cut(bytesOf(subject, second.file), second.start, second.end, lineBytes(subject, first))],
      ]);
    }
    const [upper, lower] = first.start < second.start ? [first, second] : [second, first];
    const data = bytesOf(subject, first.file);
    return one(
      first.file,
      cut(
        cut(data, lower.start, lower.end, lineBytes(subject, upper)),
        upper.start,
        upper.end,
        lineBytes(subject, lower),
      ),
    );
  },
  moveLine(subject, random) {
    const lines = linesOf(subject);
    const moved = random.pick(lines);
    const before = random.pickMaybe(
      lines.filter(
        (line) => line.file === moved.file && line.end !== moved.start && line !== moved && line.start !== moved.end,
      ),
    );
    if (before === undefined) return new Map();
    const data = bytesOf(subject, moved.file);
    const bytes = lineBytes(subject, moved);
    return one(
      moved.file,
      before.start < moved.start
        ? cut(cut(data, moved.start, moved.end), before.start, before.start, bytes)
        : cut(cut(data, before.start, before.start, bytes), moved.start, moved.end),
    );
  },
  swapFiles(subject, random) {
    const written = subject.logs.filter((name) => subject.covered.get(name) === bytesOf(subject, name).length);
    const first = random.pickMaybe(written);
    const second = random.pickMaybe(written.filter((name) => name !== first));
    if (first === undefined || second === undefined) return new Map();
    return new Map([
      [first, bytesOf(subject, second)],
      [second, bytesOf(subject, first)],
    ]);
  },
  duplicateLine(subject, random) {
    const lines = linesOf(subject);
    const copied = random.pick(lines);
    const place = random.pick(lines);
    const at = random.pick([place.start, place.end]);
    return one(place.file, cut(bytesOf(subject, place.file), at, at, lineBytes(subject, copied)));
  },
  insertBytes(subject, random) {
    const [name, length] = random.pick(places(subject));
    const at = random.integer(length + 1);
    const noise = Buffer.from(Array.from({ length: 1 + random.integer(30) }, () => random.integer(256)));
    return one(name, cut(bytesOf(subject, name), at, at, noise));
  },
  insertBlank(subject, random) {
    const line = random.pick(linesOf(subject));
    const at = random.pick([line.start, line.end]);
    return one(line.file, cut(bytesOf(subject, line.file), at, at, Buffer.from(random.pick(['\n', '\r\n', ' \n']))));
  },
  insertForged(subject, random) {
    const lines = linesOf(subject);
    const line = random.pick(lines);
    const body = JSON.parse(lineBytes(subject, line).toString()) as Record<string, unknown>;
    return one(
      line.file,
      cut(
        bytesOf(subject, line.file),
        line.end,
        line.end,
        forge({ ...body, seq: Number(body.seq) + 1, flush: Number(body.seq) + 1, previous: body.hash }),
      ),
    );
  },
  appendForged(subject) {
    const last = linesOf(subject).at(-1) as Line;
    const body = JSON.parse(lineBytes(subject, last).toString()) as Record<string, unknown>;
    const forged = forge({
      ...body,
      seq: Number(body.seq) + 1,
      flush: Number(body.seq) + 1,
      previous: body.hash,
      action: 'never happened',
    });
    return one(last.file, cut(bytesOf(subject, last.file), last.end, bytesOf(subject, last.file).length, forged));
  },
  appendFile(subject, random) {
    const name = random.pick(['zzz.jsonl', 'audit-000000999999-20260101.jsonl', 'extra.JSONL']);
    // A host that was killed right after its start leaves an empty file: one more of those adds nothing to a log.
    const written = subject.logs.filter((log) => bytesOf(subject, log).length > 0);
    return one(name, bytesOf(subject, random.pick(written)));
  },
  editAndRehash(subject, random) {
    const line = random.pick(linesOf(subject));
    const body = JSON.parse(lineBytes(subject, line).toString()) as Record<string, unknown>;
    return one(
      line.file,
      cut(bytesOf(subject, line.file), line.start, line.end, forge({ ...body, action: 'something else' })),
    );
  },
  /** Edits a record and makes the hashes of all that follow right again: only the key can tell. */
  rechain(subject, random) {
    const lines = linesOf(subject);
    const from = random.integer(lines.length);
    const change: Change = new Map();
    let previous: unknown;
    for (const [index, line] of lines.entries()) {
      if (index < from) continue;
      const body = JSON.parse(lineBytes(subject, line).toString()) as Record<string, unknown>;
      const forged = forge({ ...body, ...(index === from ? { action: 'rewritten' } : { previous }) });
      previous = (JSON.parse(forged.toString()) as { hash: string }).hash;
      change.set(
        line.file,
        Buffer.concat([change.get(line.file) ?? bytesOf(subject, line.file).subarray(0, line.start), forged]),
      );
    }
    return change;
  },
  truncate(subject, random) {
    const [name, length] = random.pick(places(subject));
    return one(name, bytesOf(subject, name).subarray(0, random.integer(length)));
  },
  truncateToLine(subject, random) {
    const line = random.pick(linesOf(subject));
    const change: Change = one(line.file, bytesOf(subject, line.file).subarray(0, line.start));
    for (const name of subject.logs) if (name > line.file) change.set(name, null);
    return change;
  },
  oldCheckpointSlot(subject) {
    const data = Buffer.from(bytesOf(subject, 'checkpoint'));
    const slots = [data.subarray(0, 512), data.subarray(4096, 4608)].map((slot) => ({
      slot,
      generation: Number((JSON.parse(slot.toString()) as { generation: number }).generation),
    }));
    const [newest, older] = slots.sort((a, b) => b.generation - a.generation);
    older?.slot.copy(newest?.slot as Buffer);
    return one('checkpoint', data);
  },
  otherKey: () => one('key', Buffer.from(`${createHash('sha256').update('other').digest('hex')}\n`)),
  noKey: () => one('key', null),
};
