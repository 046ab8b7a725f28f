/** The client’s types, compiled as a program that imports `uiahost/client` sees them: without any other package. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeDeclarations } from '../../../scripts/lib/declarations.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
// API Extractor reads below the checkout only.
const folder = mkdtempSync(join(root, 'node_modules/.client-types-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(() => {
  const installed = join(folder, 'node_modules/uiahost');
  mkdirSync(join(installed, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"program","type":"module"}');
  cpSync(join(root, 'package.json'), join(installed, 'package.json'));
  writeDeclarations(join(installed, 'dist/types'), { entry: 'client' });
});

/** The compiler's messages for each program, which has a client. */
function complaints(programs: Readonly<Record<string, string>>): Record<string, string> {
  const files = Object.entries(programs).map(([name, text]) => {
    const file = join(folder, `${name}.mts`);
    const head = `import { UiaHostClient, isPending, ProblemError, type ComputerExecutor } from 'uiahost/client';\ndeclare const host: UiaHostClient;\n`;
    writeFileSync(file, `${head}${text}\nexport { isPending, ProblemError, type ComputerExecutor };\n`);
    return file;
  });
  const compiled = ts.createProgram(files, {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.esnext.d.ts', 'lib.esnext.disposable.d.ts'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: false,
  });
  const said = Object.fromEntries(Object.keys(programs).map((name) => [name, '']));
  for (const { file, messageText } of ts.getPreEmitDiagnostics(compiled)) {
    const name = Object.keys(programs).find((each) => file?.fileName.endsWith(`/${each}.mts`)) ?? 'elsewhere';
    said[name] = `${said[name] ?? ''}${ts.flattenDiagnosticMessageText(messageText, '\n')}\n`;
  }
  return said;
}

const [DISPLAY = ''] = readFileSync(join(root, 'schemas/seeds/computer-executor.txt'), 'utf8')
  .match(/interface DisplayGeometry \{.*?\}/s)
  ?.map((text) =>
    text.replace('DisplayGeometry', 'SeedDisplay').replaceAll(/(?<=number|string|boolean)\s+(?=\w)/g, '; '),
  ) ?? [''];

describe('a program that imports uiahost/client', () => {
  test('[client.types] [client.executor] compiles where it is right', () => {
    expect(
      complaints({
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
    ).toEqual({ right: '', executor: '' });
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
    const said = complaints(wrong);
    expect(Object.entries(said).filter(([, text]) => text === '')).toEqual([]);
    expect(Object.keys(said)).toEqual(Object.keys(wrong));
  });
});
