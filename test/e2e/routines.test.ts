/** End to end: routines in the demo and in Notepad, run by the command line; the windows' own texts are the witness. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCli, type CliResult } from '../support/cli.ts';
import { startDemo, type Demo } from '../support/demo.ts';
import { textOf } from '../support/pages.ts';
import { counting, rounds } from '../support/rounds.ts';
import { sharedScene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const LIMIT = { timeout: 180_000 };
const { scene, client } = await sharedScene(async () => ({}), { env: { UIAHOST_LEVEL: 'full' } });
await client.policy({ alwaysAsk: [] });
const folder = scene.folder();
const BOTH = '{ element: { name: Customer, role: Edit }, value: "${customer}" }';
/** The routine of the page, and a row that is there at its end. */
const ORDER = `${/```yaml\n([^]*?)```/.exec(textOf('docs/routines.md'))![1]}expect:
  - { table: { name: Orders }, row: { Number: 2026-0003, Buyer: Grace Hopper }, column: Article, value: Cocoa }
`;

/** Runs a routine that a person agrees to by its hash. */
async function run(text: string, ...words: string[]): Promise<CliResult & { run: any }> {
  const file = join(folder, 'routine.yaml');
  writeFileSync(file, text);
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const ran = await runCli(['run', file, ...words, '--agree', hash, '--json'], scene.host.dataDir);
  return { ...ran, run: ran.stdout.startsWith('{') ? JSON.parse(ran.stdout).runs?.[0] : undefined };
}

const statuses = ({ run: { steps } }: { run: any }): string[] => steps.map(({ status }: { status: string }) => status);

describe('in the demo', () => {
  let demo: Demo;
  beforeEach(async () => {
    demo = await startDemo(scene.witness);
    return () => demo[Symbol.asyncDispose]();
  });

  it('[routine.verified] is verified by what the window shows, also moved and resized', LIMIT, async () => {
    const ran = await run(ORDER, '--customer', 'Ada', '--express');
    expect(ran).toMatchObject({ status: 0, run: { verdict: 'verified', why: '' } });
    expect(statuses(ran)).toEqual(Array(5).fill('verified'));
    expect(await demo.says()).toMatch(/^Order 2026-\d{4} placed for Ada$/);
    await client.bind({ hwnd: demo.hwnd });
    await client.act('manage-window', { action: 'move_resize', x: 40, y: 30, width: 820, height: 500 });
    expect(await run(ORDER, '--customer', 'Bob')).toMatchObject({ status: 0, run: { verdict: 'verified' } });
    expect(await demo.says()).toMatch(/placed for Bob$/);
  });

  it(
    '[routine.halted] halts before the effect: another label, another record, a dialog in the way',
    LIMIT,
    async () => {
      const renamed = await run(ORDER.replace('name: Place order', 'name: Place the order'), '--customer', 'Ada');
      expect(renamed).toMatchObject({ status: 1, run: { verdict: 'halted before the effect' } });
      expect(renamed.run.why).toContain('Step 5 (Click "Place the order"): No element has that whole name');
      const record = await run(
        ORDER.replace(BOTH, '{ element: { name: Customer, role: Edit }, value: Bob }'),
        '--customer',
        'Ada',
      );
      expect(record).toMatchObject({ status: 1, run: { verdict: 'halted before the effect' } });
      expect(record.run.why).toContain(
        'expected element name "Customer", role "Edit" with value "Bob"; seen: Edit "Customer" value "Ada"',
      );
      const row = await run(
        ORDER.replace(BOTH, '{ table: { name: Orders }, row: { Number: 2026-0999 } }'),
        '--customer',
        'Ada',
      );
      expect(row.run).toMatchObject({
        verdict: 'halted before the effect',
        why: expect.stringContaining('0 such rows of 200'),
      });
      await client.bind({ hwnd: demo.hwnd });
      await client.act('click-element', { name: 'Order details…' });
      const held = await demo.text('customer');
      const covered = await run(ORDER, '--customer', 'Carl');
      expect(covered.run).toMatchObject({
        verdict: 'halted before the effect',
        why: expect.stringContaining('the dialog “Order details”'),
      });
      expect(statuses(covered).slice(0, 3)).toEqual(['verified', 'halted', 'not run']);
      expect([await demo.text('customer'), await demo.says()]).toEqual([held, 'Customer: Ada']);
    },
  );

  it(
    '[routine.unverified] says where nothing shows what it did, and where it shows something else',
    LIMIT,
    async () => {
      const other = await run(
        ORDER.replace('placed for ${customer}', 'sent to ${customer}"} , {text: "never').replace(
          'expect: [{ text',
          'expect: [{ seconds: 1, text',
        ),
        '--customer',
        'Ada',
      );
      expect(other).toMatchObject({ status: 3, run: { verdict: 'done, not verified' } });
      expect(other.run.why).toContain('It was done, and what it should show was not seen: expected text "sent to Ada"');
      expect(await demo.says()).toMatch(/placed for Ada$/);
    },
  );

  it('[routine.plan] asks once for all steps that ask, and for nothing beyond them', LIMIT, async () => {
    await client.policy({ level: 'control' });
    try {
      const plain = ORDER.replace(/ {2}- if:[^]*?(?= {2}- do: click-element\n {4}with: \{ name: Place)/, '');
      const running = run(plain, '--customer', 'Ada');
      const { body } = await until(
        () => scene.host.request('/v1/approvals?status=pending', { token: 'operator' }),
        (answer) => answer.body.approvals.length > 0,
      );
      const [card] = body.approvals;
      expect(card).toMatchObject({
        action: 'batch',
        summary: expect.stringMatching(/^Run 3 steps: Replace .*Place order/),
      });
      await client.operator(`/v1/approvals/${card.approvalId}`, { method: 'POST', body: { decision: 'approve' } });
      expect(await running).toMatchObject({ status: 0, run: { verdict: 'verified' } });
      const all = await client.operator('/v1/approvals?status=all');
      expect(all.approvals).toHaveLength(1);
      expect(await demo.says()).toMatch(/placed for Ada$/);
    } finally {
      await client.policy({ level: 'full' });
    }
  });

  it('[routine.foreseen] a dry run says what would ask and changes nothing; --from begins later', LIMIT, async () => {
    const before = [await demo.says(), await demo.text('customer')];
    await client.policy({ alwaysAsk: ['financial'] });
    const dry = await run(ORDER, '--customer', 'Ada', '--dry-run');
    await client.policy({ alwaysAsk: [] });
    expect(JSON.parse(dry.stdout)[1]).toMatch(/^2 +runs +Type/);
    expect(JSON.parse(dry.stdout)[3]).toMatch(/^5 +asks financial/);
    expect([await demo.says(), await demo.text('customer')]).toEqual(before);
    const junit = join(folder, 'result.xml');
    const later = await run(ORDER, '--customer', 'Ada', '--from', '3', '--junit', junit);
    expect(statuses(later)).toEqual(['verified', 'left out', 'verified', 'halted']);
    expect(readFileSync(junit, 'utf8')).toMatch(/tests="4" failures="1"[^]*It relies on another record/);
  });

  it(
    '[routine.record] writes what an agent did: texts as inputs, what was measured as expectations',
    LIMIT,
    async () => {
      const SHOWN = { headers: { 'uiahost-session': 'shown' } };
      await client.act('bind-to-window', { title: 'uiahost demo' }, SHOWN);
      for (const [action, input] of [
        ['type-into-element', { name: 'Customer', text: 'Ada' }],
        ['select-element', { name: 'Product', item: 'Cocoa' }],
        ['click-element', { name: 'Express delivery' }],
        ['click-element', { name: 'Place order' }],
      ] as const)
        await client.act(action, input, SHOWN);
      const out = join(scene.folder(), 'shown.yaml');
      const recorded = await runCli(['record', '--from', 'shown', '--out', out], scene.host.dataDir);
      expect(recorded).toMatchObject({ status: 0, stderr: expect.stringContaining('always the same?') });
      const text = readFileSync(out, 'utf8');
      expect(text).not.toContain('Ada');
      expect(text).toMatch(
        /text: \$\{customer\}[^]*item: \$\{product\}[^]*state: checked[^]*check:[^]*value: \$\{customer\}/,
      );
      expect(readFileSync(join(dirname(out), 'SKILL.md'), 'utf8')).toMatch(
        /^1\. Use the window[^]*^5\. Click Button "Place order"/m,
      );
      const ran = await runCli(['run', out, '--customer', 'Eve', '--product', 'Tea', '--json'], scene.host.dataDir);
      expect(JSON.parse(ran.stdout).runs[0]).toMatchObject({ verdict: 'verified' });
      expect(await demo.says()).toMatch(/placed for Eve$/);
    },
  );

  it(
    '[routine.heal] proposes another query, which counts once it ran verified and a person accepted it',
    LIMIT,
    async () => {
      const file = join(scene.folder(), 'order.yaml');
      const heal = file.replace('.yaml', '.heal.yaml');
      const cli = (...words: string[]): Promise<CliResult> => runCli(words, scene.host.dataDir);
      const agreed = (place: string): string[] => [
        place,
        '--customer',
        'Ada',
        '--agree',
        createHash('sha256').update(readFileSync(place)).digest('hex'),
      ];
      writeFileSync(
        file,
        ORDER.replaceAll('name: Customer, ', 'name: Custumer, role: Edit, ').replaceAll(
          'role: Edit, role: Edit',
          'role: Edit',
        ),
      );
      expect(await cli('run', ...agreed(file))).toMatchObject({
        status: 1,
        stdout: expect.stringContaining(`Proposal: ${heal}`),
      });
      expect(await cli('routine', 'accept', heal, '--yes')).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('has not run to the end verified yet'),
      });
      expect(await cli('run', ...agreed(heal))).toMatchObject({ status: 0 });
      expect(await demo.says()).toMatch(/placed for Ada$/);
      expect(await cli('routine', 'accept', heal)).toMatchObject({ status: 2 });
      expect(await cli('routine', 'accept', heal, '--yes')).toMatchObject({ status: 0 });
      expect(await cli('run', file, '--customer', 'Bob')).toMatchObject({ status: 0 });
      // Another word on a button is another deed.
      for (const name of ['Place it', 'Remove all orders']) {
        const other = await run(ORDER.replace('name: Place order', `name: ${name}, role: Button`), '--customer', 'Ada');
        expect([other.run.verdict, other.run.why]).toEqual([
          'halted before the effect',
          expect.not.stringContaining('Proposal'),
        ]);
      }
    },
  );

  it('[routine.repeated] does nothing wrong in many runs', { timeout: 600_000 }, async () => {
    for (const round of counting(rounds({ whole: 10, quick: 1 }))) {
      const ran = await run(ORDER, '--customer', `Buyer ${round}`, '--product', ['Tea', 'Cocoa'][round % 2]!);
      expect(ran.run).toMatchObject({ verdict: 'verified' });
      expect(await demo.says()).toMatch(new RegExp(`placed for Buyer ${round}$`));
    }
  });
});

describe('in Notepad', () => {
  const NOTE = `routine: 1
name: note
description: Writes a line.
inputs: { line: { type: text } }
steps:
  - { do: bind-to-window, with: { title: Notepad } }
  - do: type-into-element
    with: { role: Edit, text: "\${line}" }
    expect: [{ element: { role: Edit }, value: "\${line}" }]
`;
  it(
    '[routine.table] runs once for each row of a table; what is new or changed is agreed to first',
    LIMIT,
    async () => {
      const notepad = await scene.notepad();
      const table = join(folder, 'rows.csv');
      writeFileSync(table, '\uFEFFline\n"one, ""two"""\nthree\n');
      const file = join(folder, 'note.yaml');
      writeFileSync(file, NOTE);
      const refused = await runCli(['run', file, '--line', 'a'], scene.host.dataDir);
      expect(refused).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('This routine is new here, or was changed'),
      });
      expect(await notepad.text()).toBe('');
      const { stdout, status } = await run(NOTE, '--table', table);
      expect([status, JSON.parse(stdout).runs.map(({ verdict }: { verdict: string }) => verdict)]).toEqual([
        0,
        ['verified', 'verified'],
      ]);
      expect(await notepad.text()).toBe('three');
      expect(await runCli(['run', file, '--line', 'b'], scene.host.dataDir)).toMatchObject({ status: 0 });
      writeFileSync(file, `${NOTE}# changed\n`);
      expect(await runCli(['run', file, '--line', 'c'], scene.host.dataDir)).toMatchObject({ status: 2 });
      expect(await notepad.text()).toBe('b');
      await notepad.program.kill();
    },
  );
});
