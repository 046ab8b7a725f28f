/** The client’s types, compiled as a program that imports `uiahost/client` sees them: without any other package. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageTypes } from '../../support/package-types.ts';

const { root, complaints } = packageTypes('client-types', { entry: 'client' });

/** Each program has a client. */
const withClient = (programs: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(programs).map(([name, text]) => [
      name,
      `import { UiaHostClient, isPending, ProblemError, type ComputerExecutor } from 'uiahost/client';\ndeclare const host: UiaHostClient;\n${text}\nexport { isPending, ProblemError, type ComputerExecutor };\n`,
    ]),
  );

const [DISPLAY = ''] = readFileSync(join(root, 'schemas/seeds/computer-executor.txt'), 'utf8')
  .match(/interface DisplayGeometry \{.*?\}/s)
  ?.map((text) =>
    text.replace('DisplayGeometry', 'SeedDisplay').replaceAll(/(?<=number|string|boolean)\s+(?=\w)/g, '; '),
  ) ?? [''];

describe('a program that imports uiahost/client', () => {
  test('[client.types] [client.executor] compiles where it is right', () => {
    expect(
      complaints(
        withClient({
          right: `
          const clicked: boolean = (await host.actions.clickElement({ name: 'Save', role: 'Button' })).value;
          const { value: { hwnd } } = await host.actions.bindToWindow({ title: 'Notepad' });
          const text: string = (await host.actions.snapshot()).value.accessibilityText;
          const asked = await host.actions.key({ keySequence: 'ctrl+s' }, { wait: false });
          const id: string = isPending(asked) ? asked.approvalId : asked.actionId;
          await host.actions.batch({ steps: [{ action: 'click-element', input: { name: 'Save' } }, { action: 'key', input: { keySequence: 'enter' } }] });
          for (const { approvalId, riskLevel } of (await host.listApprovals({ status: 'all', limit: 3 })).approvals)
            if (riskLevel === 'low') await host.decideApproval(approvalId, { decision: 'approve', scope: 'once' });
          for await (const { id: eventId, type } of host.streamEvents({ lastEventId: '3' })) console.log(eventId, type);
          try { await host.actions.type({ text: 'x' }, { timeoutMs: 1000, signal: new AbortController().signal }); }
          catch (error) { if (error instanceof ProblemError && error.code === 'not_bound') console.log(error.retryable, error.delivery, error.hint); }
          console.log(clicked, hwnd, text, id);`,
          executor: `
          ${DISPLAY}
          const executor: ComputerExecutor = host.executor();
          const whole: Required<ComputerExecutor> = host.executor({ session: 'mine' });
          const display: SeedDisplay = await executor.getDisplaySize();
          const clicked: boolean = await whole.clickElement({ name: 'Save' });
          console.log(display, clicked, host.executor().lastResult?.problem?.code);`,
        }),
      ),
    ).toEqual({ right: [], executor: [] });
  });

  test('[client.misspelt] does not compile with a misspelt key, value, method, option or code', () => {
    const wrong = {
      key: `await host.actions.clickElement({ nmae: 'Save' });`,
      'key-with-a-right-one': `await host.actions.clickElement({ nmae: 'Save', role: 'Button' });`,
      'key-of-a-required-input': `await host.actions.type({ text: 'x', viaClipbord: true });`,
      'missing-key': `await host.actions.type({});`,
      value: `await host.actions.click({ x: 1, y: 1, button: 'lefft' });`,
      result: `console.log((await host.actions.snapshot()).value.accesibilityText);`,
      method: `await host.actions.clikElement({ name: 'Save' });`,
      option: `await host.actions.clickElement({ name: 'Save' }, { sesion: 'x' });`,
      unwaited: `console.log((await host.actions.key({ keySequence: 'a' }, { wait: false })).value);`,
      'step-of-a-batch': `await host.actions.batch({ steps: [{ action: 'click-element', input: { nmae: 'x' } }] });`,
      'body-of-a-route': `await host.decideApproval('a', { decison: 'approve' });`,
      'query-of-a-route': `await host.listApprovals({ staus: 'all' });`,
      code: `try { await host.status(); } catch (error) { if (error instanceof ProblemError && error.code === 'not_bond') throw error; }`,
    };
    const said = complaints(withClient(wrong));
    expect(Object.entries(said).filter(([, lines]) => lines.length === 0)).toEqual([]);
    expect(Object.keys(said)).toEqual(Object.keys(wrong));
  });
});
