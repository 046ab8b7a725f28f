/** Reading, checking, patching and narrowing policy files. */
import { mkdtemp, readFile, rm, utimes, writeFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultPolicy, Policy, PRESET_LEVELS } from '../../../../src/contract/gate/permissions.ts';
import { loosened, narrowPolicy } from '../../../../src/policy/file/loosening.ts';
import {
  checkPolicyText,
  completePolicy,
  describeProblems,
  matchesETag,
  mergePatch,
  policyETag,
  policyJsonSchema,
  type PolicyProblem,
} from '../../../../src/policy/file/policy-file.ts';
import { PolicyStore } from '../../../../src/policy/file/policy-store.ts';
import { failure, failureOf, thinkingPerson } from '../world.ts';
import { until } from '../../../support/until.ts';
import { wordsOf } from '../../../support/words.ts';

describe('check', () => {
  it('reads a file that begins with a byte order mark', () => {
    expect(checkPolicyText('\ufeff// why\n{"level": "control"}')).toMatchObject({
      file: { level: 'control' },
      problems: [],
    });
    expect(checkPolicyText('\ufeff{"level": 1,}').problems).toMatchObject([{ line: 1, column: 13 }]);
  });

  it('reports every error with line and reason', () => {
    const check = checkPolicyText(
      '{\n  // what we allow\n  "level": "control",\n  "grants": [{"app": "C:\\\\x.exe", "tier": "ful"}],\n  "flgs": [],\n  "approvals": {"timeoutMs": 400000}\n}',
    );
    expect(check.file).toBeNull();
    expect(describeProblems('policy.json', check.problems)).toMatch(
      /^policy\.json:4:\d+: error: .*tier.*\npolicy\.json:5:3: error: .*flgs.*flags.*\npolicy\.json:6:\d+: error: .*300000/,
    );
  });

  it('the published schema accepts what the check accepts', () => {
    const validate = new Ajv.default().compile(policyJsonSchema());
    const { source: _source, ...whole } = defaultPolicy();
    const valid = [{}, { level: 'full' }, whole, { approvals: { timeoutMs: 1000 } }, { limits: {} }, { $schema: 'x' }];
    const bounds = [{ approvals: { timeoutMs: 1 } }, { grants: [{ app: '' }] }, { limits: { maxActions: 201 } }];
    const isAccepted = (policy: unknown) => [checkPolicyText(JSON.stringify(policy)).file !== null, validate(policy)];
    for (const policy of valid) expect(isAccepted(policy)).toEqual([true, true]);
    for (const policy of [{ level: 1, deny: [1] }, { nope: 1 }, [], ...bounds])
      expect(isAccepted(policy)).toEqual([false, false]);
  });

  it('[level.unknown] without a level, or with an unknown level, everything is disabled, and the check reports it', () => {
    const levels = ['ful', null, 3, 'FULL', {}].map((level) => ({ level }));
    for (const policy of [{}, { flags: ['displayCapture'] }, ...levels]) {
      const check = checkPolicyText(JSON.stringify(policy));
      expect(check.problems.map((problem) => problem.severity)).toEqual(['warning']);
      expect(completePolicy(check.file ?? {}, 'x').level).toBe('disabled');
    }
    expect(completePolicy({ level: 'full' }, 'x').level).toBe('full');
  });

  it('[grant.bare-name] warns of bare names', () => {
    expect(
      checkPolicyText('{"level": "full", "grants": [{"app": "notepad.exe", "tier": "full"}]}').problems[0],
    ).toMatchObject({ severity: 'warning', line: 1 });
    expect(
      checkPolicyText('{"level": "full", "grants": [{"app": "C:\\\\x\\\\y.exe", "tier": "full"}]}').problems,
    ).toEqual([]);
  });

  it('[level.alwaysAsk-shipped] settings that a file omits are as shipped; an empty list stays empty', () => {
    expect(completePolicy({ level: 'full' }, 'x').alwaysAsk).toEqual(
      wordsOf`prompts customCommand password financial destructive external_submit pii_export`,
    );
    expect(completePolicy({ level: 'full', alwaysAsk: [] }, 'x').alwaysAsk).toEqual([]);
    expect(completePolicy({ level: 'full', approvals: { surfaces: ['overlay'] } }, 'x').approvals).toEqual({
      timeoutMs: 120_000,
      surfaces: ['overlay'],
    });
  });

  it('[level.presets] levels of the presets', () => {
    expect(PRESET_LEVELS).toEqual({ safe: 'disabled', balanced: 'control', power: 'full', developer: 'full' });
  });
});

describe('merge patch', () => {
  // The examples of RFC 7396, appendix A, that are objects.
  it.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ])('%s with %s', (target, patch, result) => {
    expect(mergePatch(JSON.parse(target), JSON.parse(patch))).toEqual(JSON.parse(result));
  });

  it('prototype keys change no prototype', () => {
    expect(failureOf(() => mergePatch({}, JSON.parse('{"__proto__": {"polluted": true}}'))).code).toBe(
      'invalid_argument',
    );
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('entity tags follow the policy', () => {
    expect(policyETag(defaultPolicy())).toMatch(/^"[0-9a-f]{32}"$/);
    expect(policyETag(defaultPolicy())).toBe(policyETag({ ...defaultPolicy() }));
    expect(policyETag(defaultPolicy())).not.toBe(policyETag(defaultPolicy('full')));
    expect(['*', '"b", "a"', '"b"'].map((tags) => matchesETag(tags, '"a"'))).toEqual([true, true, false]);
  });
});

describe('machine policy', () => {
  it('[policy.machine] only narrows', () => {
    const user: Policy = {
      ...defaultPolicy('full'),
      grants: [{ app: 'a', tier: 'full' }],
      flags: ['clipboardRead', 'displayCapture'],
      deny: ['x.exe'],
      alwaysAsk: [],
      allowInsecureUrls: true,
    };
    const narrowed = narrowPolicy(user, {
      level: 'control',
      grants: [{ app: 'b', tier: 'read' }],
      flags: ['clipboardRead', 'systemKeyCombos'],
      deny: ['y.exe'],
      alwaysAsk: ['prompts'],
      elementsOnly: true,
      allowInsecureUrls: false,
      approvals: { surfaces: ['overlay'], timeoutMs: 30_000 },
      limits: { maxActions: 5 },
    });
    expect(narrowed).toMatchObject({
      level: 'control',
      grants: [],
      flags: ['clipboardRead'],
      deny: ['x.exe', 'y.exe'],
      alwaysAsk: ['prompts'],
      elementsOnly: true,
      allowInsecureUrls: false,
      approvals: { surfaces: ['overlay'], timeoutMs: 30_000 },
      limits: { maxActions: 5, actionsPerMinute: 6000, maxDurationMs: null },
    });
    expect(narrowPolicy({ ...user, level: 'observe' }, { level: 'full' })).toMatchObject({
      level: 'observe',
      grants: user.grants,
      flags: user.flags,
    });
    expect(narrowPolicy(user, {}).level).toBe('disabled');
    expect(
      narrowPolicy(user, {
        level: 'full',
        grants: [
          { app: 'A ', tier: 'click' },
          { app: 'b', tier: 'full' },
        ],
      }).grants,
    ).toEqual([{ app: 'a', tier: 'click' }]);
  });

  it('[policy.limits] the smaller limit of user and machine counts; none is more than any', () => {
    const limits = (maxActions: number | null, maxDurationMs: number | null) => ({
      actionsPerMinute: 6000,
      maxActions,
      maxDurationMs,
    });
    const user = { ...defaultPolicy('full'), limits: limits(20, null) };
    const under = (more: object) => {
      const { maxActions, maxDurationMs } = narrowPolicy(user, { level: 'full', limits: more }).limits;
      return [maxActions, maxDurationMs];
    };
    expect(under({})).toEqual([20, null]);
    expect(under({ maxActions: 5 })).toEqual([5, null]);
    expect(under({ maxActions: 50, maxDurationMs: 2000 })).toEqual([20, 2000]);
    expect(under({ maxActions: null })).toEqual([20, null]);
    expect(loosened(user, { ...user, limits: limits(null, null) })).toEqual(['actions a session: 20 → no limit']);
    expect(loosened(user, { ...user, limits: limits(21, null) })).toEqual(['actions a session: 20 → 21']);
    expect(loosened(user, { ...user, limits: limits(5, 1000) })).toEqual([]);
    const full = { ...user, level: 'full' as const };
    expect(loosened(full, { ...full, alwaysAsk: [] }).at(-1)).toBe('no longer asked: browsers and trading programs');
    expect(checkPolicyText('{"level": "full", "limits": {"maxActions": null}}').problems).toEqual([]);
  });
});

describe('store', () => {
  let folder: string;
  const stores: PolicyStore[] = [];
  const path = (name = 'policy.json'): string => join(folder, name);
  const open = async (more: Partial<Parameters<typeof PolicyStore.open>[0]> = {}): Promise<PolicyStore> => {
    const store = await PolicyStore.open({ path: path(), ...more });
    stores.push(store);
    return store;
  };
  /** File times may be coarse: a change must be seen by its time. */
  const write = async (text: string, name?: string): Promise<void> => {
    await writeFile(path(name), text);
    const later = new Date(Date.now() + 5000 + stores.length);
    await utimes(path(name), later, later);
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'uiahost-policy-'));
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) store.close();
    await rm(folder, { recursive: true });
  });

  it('[level.no-file] no policy file at all = preset balanced', async () => {
    expect((await open()).get().policy).toEqual(defaultPolicy('control'));
  });

  it('an invalid policy means that it does not open, with line and reason', async () => {
    await writeFile(path(), '{\n  "level": "full",\n  "elementsOnly": "yes"\n}');
    const error = await failure(open());
    expect(error.code).toBe('invalid_argument');
    expect(error.message).toMatch(/policy\.json:3:3: error: elementsOnly/);
  });

  it('a changed file takes effect by itself; an invalid file is reported and the last good policy stays', async () => {
    await writeFile(path(), '{"level": "observe"}');
    const refused: Array<{ file: string; problems: readonly PolicyProblem[] }> = [];
    const changes: Array<string | null> = [];
    const store = await open({
      onRefused: (file, problems) => refused.push({ file, problems }),
      onChange: (_policy, by) => changes.push(by),
    });
    await write('{"level": "full"}');
    await until(() => store.get().policy.level === 'full', 'the change of the file');
    await writeFile(path(), '{"level": "full",');
    await store.reload();
    expect(store.get().policy.level).toBe('full');
    expect(refused[0]).toMatchObject({ file: path(), problems: [{ severity: 'error', line: 1 }] });
    await rm(path());
    await store.reload();
    expect(store.get().policy.level).toBe('control');
    expect(changes).toEqual([null, null, null]);
  });

  it('PATCH merges, PUT replaces, both answer the whole and are written', async () => {
    const store = await open();
    const first = store.get();
    const patched = await store.change(
      { level: 'full', approvals: { timeoutMs: 5000 }, source: 'ignored' },
      'merge',
      first.etag,
      'operator',
    );
    expect(patched.policy).toMatchObject({
      level: 'full',
      approvals: { timeoutMs: 5000, surfaces: ['overlay', 'api'] },
      alwaysAsk: defaultPolicy().alwaysAsk,
    });
    expect(Policy.parse(patched.policy)).toEqual(patched.policy);
    expect(patched.etag).not.toBe(first.etag);
    expect(JSON.parse(await readFile(path(), 'utf8'))).toMatchObject({ level: 'full', approvals: { timeoutMs: 5000 } });
    const removed = await store.change({ alwaysAsk: [], approvals: null }, 'merge', undefined, 'operator');
    expect(removed.policy).toMatchObject({ alwaysAsk: [], approvals: { timeoutMs: 120_000 } });
    const replaced = await store.change({ level: 'observe' }, 'replace', undefined, 'operator');
    expect(replaced.policy).toEqual({ ...defaultPolicy('observe'), source: 'policy.json' });
    expect((await store.change({ elementsOnly: true }, 'replace', undefined, 'operator')).policy.level).toBe(
      'disabled',
    );
    expect(await readdir(folder)).toEqual(['policy.json']);
    const again = await open();
    expect(again.get().policy).toMatchObject({ level: 'disabled', elementsOnly: true });
  });

  it('another ETag, or an invalid change, changes nothing', async () => {
    const store = await open();
    const { etag } = store.get();
    expect((await failure(store.change({ level: 'full' }, 'merge', '"other"', 'operator'))).code).toBe(
      'state_conflict',
    );
    for (const [change, how] of [
      [{ level: 'ful' }, 'merge'],
      [{ levle: 'full' }, 'merge'],
      [{ flags: ['all'] }, 'replace'],
      [[], 'merge'],
      [null, 'merge'],
      ['full', 'replace'],
      [{ approvals: { timeoutMs: 300_001 } }, 'merge'],
    ] as const) {
      expect((await failure(store.change(change, how, undefined, 'operator'))).code).toBe('invalid_argument');
    }
    expect(store.get().etag).toBe(etag);
    expect(await readdir(folder)).toEqual([]);
  });

  it('the second of two changes with the same ETag is refused', async () => {
    const store = await open();
    const { etag } = store.get();
    const results = await Promise.allSettled([
      store.change({ level: 'full' }, 'merge', etag, 'a'),
      store.change({ level: 'observe' }, 'merge', etag, 'b'),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected']);
    expect(store.get().policy.level).toBe('full');
  });

  it('[decides.installed] from a checkout both surfaces; installed the overlay alone, whatever the user’s policy says, unless the administrator’s adds the API', async () => {
    expect((await open()).get().policy.approvals.surfaces).toEqual(['overlay', 'api']);
    const installed = await open({ isInstalled: true });
    expect(installed.get().policy.approvals.surfaces).toEqual(['overlay']);
    await installed.change({ approvals: { surfaces: ['api'] } }, 'merge', undefined, 'operator');
    expect(installed.get().policy.approvals.surfaces).toEqual(['overlay']);
    await writeFile(path('machine.json'), '{"level": "control", "approvals": {"surfaces": ["overlay", "api"]}}');
    await installed.change({ approvals: { surfaces: ['overlay', 'api'] } }, 'merge', undefined, 'operator');
    const administered = await open({ isInstalled: true, machinePath: path('machine.json') });
    expect(administered.get().policy.approvals.surfaces).toEqual(['overlay', 'api']);
    await writeFile(path('machine.json'), '{"level": "control"}');
    expect(
      (await open({ isInstalled: true, machinePath: path('machine.json') })).get().policy.approvals.surfaces,
    ).toEqual(['overlay']);
  });

  it('[policy.loosening] installed, a looser policy takes effect only after a person’s yes; a narrower policy at once', async () => {
    const asked: Array<{ points: readonly string[]; by: string | null }> = [];
    let answer = false;
    const store = await open({
      isInstalled: true,
      confirmLoosening: async (points, by) => {
        asked.push({ points, by });
        return answer;
      },
    });
    const { etag } = store.get();
    const refused = await failure(store.change({ level: 'full', alwaysAsk: [] }, 'merge', undefined, 'operator'));
    expect(refused.code).toBe('approval_denied');
    expect(refused.message).toContain('level: control → full');
    expect(asked).toEqual([
      {
        points: expect.arrayContaining(['level: control → full', 'no longer always asked: financial']),
        by: 'operator',
      },
    ]);
    expect(store.get().etag).toBe(etag);
    expect(await readdir(folder)).toEqual([]);

    await store.change({ level: 'observe' }, 'merge', undefined, 'operator');
    expect(asked).toHaveLength(1);
    answer = true;
    await store.change({ level: 'control' }, 'merge', undefined, 'operator');
    expect([asked.length, store.get().policy.level]).toEqual([2, 'control']);
  });

  it('[policy.loosening] a file that was edited to be looser waits for a person, and is asked about once', async () => {
    const { asked, agree, confirmLoosening } = thinkingPerson();
    const store = await open({ isInstalled: true, confirmLoosening });
    await writeFile(path(), '{"level": "full"}');
    await store.reload();
    await store.reload();
    expect([asked.length, store.get().policy.level]).toEqual([1, 'control']);
    agree(true);
    await expect.poll(() => store.get().policy.level).toBe('full');
    await writeFile(path(), '{"level": "observe"}');
    await store.reload();
    expect([asked.length, store.get().policy.level]).toEqual([1, 'observe']);
  });

  it('a looser file that waits, or was refused, holds up nothing that the administrator narrows', async () => {
    const store = await open({
      isInstalled: true,
      machinePath: path('machine.json'),
      confirmLoosening: async () => false,
    });
    await writeFile(path(), '{"level": "full"}');
    await store.reload();
    expect(store.get().policy.level).toBe('control');
    await writeFile(path('machine.json'), '{"level": "observe", "deny": ["bank.exe"]}');
    await store.reload();
    expect(store.get().policy).toMatchObject({ level: 'observe', deny: ['bank.exe'] });
  });

  it('[trust.machine-policy] a policy of the machine that not only administrators can change narrows, never opens, and is reported', async () => {
    const refused: string[] = [];
    const whyNotBelieved = (file: string): string => `${file}: S-1-5-32-545 can change that file`;
    const opening = {
      level: 'full',
      approvals: { surfaces: ['overlay', 'api'] },
      grants: [{ app: 'chrome.exe', tier: 'full' }],
      alwaysAsk: [],
      flags: ['clipboardRead'],
    };
    await writeFile(path('machine.json'), JSON.stringify(opening));
    const store = await open({
      isInstalled: true,
      machinePath: path('machine.json'),
      whyNotBelieved,
      onRefused: (file, problems) => refused.push(`${file} ${problems[0]?.reason}`),
    });
    const plain = (await open({ isInstalled: true })).get().policy;
    expect(loosened(plain, store.get().policy)).toEqual([]);
    expect(store.get().policy).toMatchObject({ level: 'control', approvals: { surfaces: ['overlay'] }, grants: [] });
    expect(store.flaws.disbelieved).toContain('S-1-5-32-545');
    await store.reload();
    expect(refused).toEqual([expect.stringContaining('only narrows')]);
    await writeFile(path('machine.json'), '{"level": "observe", "deny": ["bank.exe"]}');
    await store.reload();
    expect(store.get().policy).toMatchObject({ level: 'observe', deny: ['bank.exe'] });
    await rm(path('machine.json'));
    await store.reload();
    expect([store.flaws.disbelieved, store.get().policy.level]).toEqual([null, 'observe']);
    // What cannot be read is not dropped either.
    await writeFile(path('machine.json'), 'not JSON');
    expect((await failure(open({ machinePath: path('machine.json'), whyNotBelieved }))).code).toBe('invalid_argument');
  });

  it('[policy.loosening] a looser machine policy waits for a person as well; restrictions hold at once', async () => {
    await writeFile(path('machine.json'), '{"level": "control", "deny": ["bank.exe"]}');
    const { asked, agree, confirmLoosening } = thinkingPerson();
    const store = await open({ isInstalled: true, machinePath: path('machine.json'), confirmLoosening });
    await writeFile(
      path('machine.json'),
      '{"level": "control", "deny": ["other.exe"], "flags": [], "approvals": {"surfaces": ["overlay", "api"]}}',
    );
    await store.reload();
    expect(store.get().policy).toMatchObject({ approvals: { surfaces: ['overlay'] }, deny: ['bank.exe', 'other.exe'] });
    expect(asked).toEqual([expect.arrayContaining(['no longer denied: bank.exe', 'decisions are taken from: api'])]);
    agree(true);
    await expect
      .poll(() => store.get().policy)
      .toMatchObject({ approvals: { surfaces: ['overlay', 'api'] }, deny: ['other.exe'] });
  });

  it('from a checkout, and where the administrator’s policy adds the API, no approval is needed', async () => {
    const confirmLoosening = async (): Promise<boolean> => expect.unreachable();
    await (await open({ confirmLoosening })).change({ level: 'full' }, 'merge', undefined, 'operator');
    await writeFile(path('machine.json'), '{"level": "full", "approvals": {"surfaces": ["overlay", "api"]}}');
    const store = await open({ isInstalled: true, machinePath: path('machine.json'), confirmLoosening });
    expect((await store.change({ flags: ['clipboardRead'] }, 'merge', undefined, 'operator')).policy.flags).toEqual([
      'clipboardRead',
    ]);
  });

  it('[policy.machine] a level from outside holds until an operator sets one, and never beats the machine’s policy', async () => {
    await writeFile(path('machine.json'), '{"level": "control", "approvals": {"surfaces": ["overlay"]}}');
    const store = await open({ machinePath: path('machine.json'), level: 'full' });
    expect(store.get().policy).toMatchObject({ level: 'control', approvals: { surfaces: ['overlay'] } });
    const free = await open({ level: 'full' });
    expect(free.get().policy.level).toBe('full');
    await free.change({ level: 'observe' }, 'merge', undefined, 'operator');
    expect(free.get().policy.level).toBe('observe');
    await writeFile(path('machine.json'), '{"level": 12, "x": 1}');
    expect((await failure(open({ machinePath: path('machine.json') }))).code).toBe('invalid_argument');
  });

  describe('[policy.agreement] a policy that no person has agreed to', () => {
    type Options = Parameters<typeof PolicyStore.open>[0];
    /** What is kept for the user, and a person who answers when told to. */
    function person() {
      const kept = new Map<string, string>();
      const asked: Array<{ points: readonly string[]; why: string }> = [];
      const { agree, confirmLoosening } = thinkingPerson();
      return {
        asked,
        kept,
        answer: agree,
        start: (more: Partial<Options> = {}) =>
          open({
            agreement: {
              read: () => kept.get(more.path ?? path()) ?? null,
              write: (text) => void kept.set(more.path ?? path(), text),
            },
            confirmLoosening: (points, _by, why) => {
              asked.push({ points, why });
              return confirmLoosening(points);
            },
            ...more,
          }),
      };
    }
    const loose = '{"level": "full", "alwaysAsk": [], "flags": ["clipboardRead"]}';
    const [NO_FILE, LOOSE] = [null, loose];

    it.for([
      [NO_FILE, false],
      [NO_FILE, true],
      [LOOSE, false],
      [LOOSE, true],
    ] as const)(
      'an unseen directory allows looking until a person agrees (file %s, installed %s)',
      async ([file, isInstalled]) => {
        const user = person();
        if (file !== null) await writeFile(path(), file);
        const store = await user.start({ isInstalled });
        expect(store.get().policy).toMatchObject({ level: 'observe', alwaysAsk: defaultPolicy().alwaysAsk });
        expect(user.asked).toEqual([
          { why: 'unseen', points: expect.arrayContaining([expect.stringContaining('level: observe')]) },
        ]);
        expect(store.settings().find(({ setting }) => setting === 'level')).toMatchObject({
          value: 'observe',
          layer: 'waiting',
        });
        user.answer(true);
        const level = file === null ? 'control' : 'full';
        await expect.poll(() => store.get().policy.level).toBe(level);
        // Agreed to once: no later start asks, and nothing looser is covered.
        expect((await user.start({ isInstalled })).get().policy.level).toBe(level);
        expect(user.asked).toHaveLength(1);
      },
    );

    it('a denial keeps it so, and the next start asks again; what only narrows needs no person', async () => {
      const user = person();
      const store = await user.start();
      user.answer(false);
      await store.reload();
      expect(store.get().policy.level).toBe('observe');
      expect((await user.start()).get().policy.level).toBe('observe');
      expect(user.asked).toHaveLength(2);
      for (const level of ['disabled', 'observe']) {
        const other = path(`${level}.json`);
        await writeFile(other, `{"level": "${level}", "deny": ["bank.exe"]}`);
        expect((await user.start({ path: other })).get().policy).toMatchObject({ level, deny: ['bank.exe'] });
      }
      expect(user.asked).toHaveLength(2);
    });

    it('what a waiting file forbids holds at once', async () => {
      const user = person();
      await writeFile(path(), '{"level": "full", "deny": ["bank.exe"], "elementsOnly": true}');
      expect((await user.start()).get().policy).toMatchObject({
        level: 'observe',
        deny: ['bank.exe'],
        elementsOnly: true,
      });
    });

    it('a file that was made looser while no host ran waits, and what was agreed to stays in force', async () => {
      const user = person();
      await writeFile(path(), '{"level": "observe", "deny": ["bank.exe"]}');
      await user.start();
      for (const looser of ['{"level": "control", "deny": ["bank.exe"]}', '{"level": "observe"}', LOOSE, NO_FILE]) {
        if (looser === NO_FILE) await rm(path());
        else await writeFile(path(), looser);
        const before = user.asked.length;
        expect((await user.start()).get().policy, String(looser)).toMatchObject({
          level: 'observe',
          deny: ['bank.exe'],
        });
        expect(user.asked.slice(before), String(looser)).toMatchObject([{ why: 'change' }]);
      }
    });

    it('narrowing is kept too: the way back needs a person', async () => {
      const user = person();
      await writeFile(path(), LOOSE);
      const store = await user.start({ startedBy: 'person' });
      await writeFile(path(), '{"level": "observe"}');
      await store.reload();
      await writeFile(path(), LOOSE);
      expect((await user.start()).get().policy.level).toBe('observe');
    });

    it('a person who starts the host, and the program that embeds it, agree to what they give', async () => {
      const user = person();
      await writeFile(path(), LOOSE);
      expect((await user.start({ startedBy: 'person' })).get().policy.level).toBe('full');
      expect((await user.start()).get().policy.level).toBe('full');
      const other = path('other.json');
      const program = { startedBy: 'program', defaults: defaultPolicy('full'), path: other } as const;
      expect((await user.start(program)).get().policy.level).toBe('full');
      await writeFile(other, LOOSE);
      expect((await user.start(program)).get().policy.alwaysAsk).toEqual(defaultPolicy().alwaysAsk);
      expect(new Set(user.asked.map(({ why }) => why))).toEqual(new Set(['change']));
    });

    it('a level of the administrators answers for the user, and for nothing else in the file', async () => {
      const user = person();
      await writeFile(path('machine.json'), '{"level": "full"}');
      const machine = { isInstalled: true, machinePath: path('machine.json') };
      expect((await user.start(machine)).get().policy.level).toBe('control');
      const other = { ...machine, path: path('other.json') };
      await writeFile(other.path, LOOSE);
      expect((await user.start(other)).get().policy).toMatchObject({
        level: 'full',
        alwaysAsk: defaultPolicy().alwaysAsk,
      });
      expect(user.asked).toMatchObject([{ why: 'unseen' }]);
      // A level that others can write does not answer.
      const untrusted = { ...machine, path: path('third.json'), whyNotBelieved: () => 'anyone can change it' };
      expect((await user.start(untrusted)).get().policy.level).toBe('observe');
    });

    it('what is kept for one directory is not valid for another', async () => {
      const user = person();
      await user.start({ startedBy: 'person' });
      expect((await user.start({ path: path('other.json') })).get().policy.level).toBe('observe');
    });

    it('an operator’s change is an answer', async () => {
      const user = person();
      const store = await user.start();
      await store.change({ level: 'full' }, 'merge', undefined, 'operator');
      expect((await user.start()).get().policy.level).toBe('full');
    });

    it('a change of a waiting file keeps what the file says', async () => {
      const user = person();
      await writeFile(path(), '{"level": "control", "deny": ["bank.exe"], "flags": ["clipboardRead"]}');
      const store = await user.start();
      const { policy } = await store.change({ level: 'full' }, 'merge', undefined, 'operator');
      expect(policy).toMatchObject({ level: 'full', deny: ['bank.exe'], flags: ['clipboardRead'] });
    });
  });
});
