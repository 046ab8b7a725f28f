/** The package’s types, compiled as a program that imports it sees them. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeDeclarations } from '../../../scripts/lib/declarations.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
// Below the checkout, so that zod is found from there, as next to an installed package.
const folder = mkdtempSync(join(root, 'node_modules/.types-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The package as it is installed: package.json and dist/types. */
beforeAll(() => {
  const installed = join(folder, 'node_modules/uiahost');
  mkdirSync(join(installed, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"program","type":"module"}');
  cpSync(join(root, 'package.json'), join(installed, 'package.json'));
  writeDeclarations(join(installed, 'dist/types'));
});

/** The compiler's messages for a program that imports the package. */
function complaints(name: string, program: string): string[] {
  const file = join(folder, `${name}.mts`);
  writeFileSync(file, program);
  const compiled = ts.createProgram([file], {
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
  return ts
    .getPreEmitDiagnostics(compiled)
    .map(
      ({ file: where, messageText }) =>
        `${where?.fileName.slice(folder.length) ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
}

describe('a TypeScript program that imports the package', () => {
  test('gets an executor with every method, and the exports of the safety document', () => {
    expect(
      complaints(
        'right',
        `
      import {
        createArtifactPipeline, createArtifactRegistry, createComputerExecutor, createComputerTools, createEventBus, createEventStream, createExecutorController,
        createImageArtifactStore, createStreamEventBridge, securityPolicy, SECURITY_PRESETS, UiaHostError,
        type CallResult, type ComputerController, type ExecutorExtras, type ComputerExecutor, type ImageArtifact, type Policy, type ToolContent,
      } from 'uiahost';

      const pipeline = createArtifactPipeline({ registry: createArtifactRegistry() });
      const imageStore = createImageArtifactStore({ pipeline, policy: { maxBytes: 2 * 1024 * 1024, allowedMimeTypes: ['image/png'] } });
      const policy = securityPolicy().withComputerPermission('observe').build();
      const plain: Policy = policy;
      await using owned = await createComputerExecutor({ dataDirectory: 'C:\\\\data', policy, imageStore, onApproval: async (card, signal) => (signal.aborted || card.riskLevel === 'critical' ? 'deny' : 'approve') });
      const executor: Required<ComputerExecutor> = owned;
      const cause: string | undefined = owned.lastResult?.problem?.code;
      const { outcome, problem }: CallResult = await owned.resultOf(owned.key('ctrl+s'));
      const effect: string = problem === null ? outcome.effect : problem.hint;
      const isClicked: boolean = await executor.clickElement({ name: 'Save' });
      const bound: { hwnd: string; title: string; pid: number } | null = await executor.bindToWindow({ title: 'Notepad' });
      const { base64, originX }: { base64: string; originX: number } = await executor.screenshot({ allowedBundleIds: [] });
      const controller: ComputerController = createExecutorController(executor);
      const stream = createEventStream();
      createStreamEventBridge({ stream, bus: createEventBus() });
      const [tool] = createComputerTools(controller, SECURITY_PRESETS.balanced, { stream, imageStore, confirm: async ({ riskTags }) => riskTags.length === 0 });
      const content: ToolContent[] | undefined = (await tool?.call({}))?.content;
      const keep = (artifact: ImageArtifact): string => artifact.contentHash;
      export { base64, bound, content, isClicked, keep, originX, plain, UiaHostError };
    `,
      ),
    ).toEqual([]);
  });

  test('is reported what is wrong', () => {
    const said = complaints(
      'wrong',
      `
      import { createComputerExecutor, securityPolicy, type ComputerExecutor } from 'uiahost';
      const executor: Required<ComputerExecutor> = await createComputerExecutor();
      const text: string = await executor.clickElement({ name: 'Save' });
      await executor.click('1', 2, 'left', 1);
      await executor.smash();
      securityPolicy().withComputerPermission('sometimes');
      export { text };
    `,
    );
    expect(said).toHaveLength(4);
    expect(said.every((line) => line.startsWith('/wrong.mts'))).toBe(true);
  });

  test('sees those values alone that are there at run time', async () => {
    const file = join(folder, 'node_modules/uiahost/dist/types/index.d.ts');
    const program = ts.createProgram([file], { module: ts.ModuleKind.NodeNext, skipLibCheck: true, noEmit: true });
    const checker = program.getTypeChecker();
    const index = checker.getSymbolAtLocation(program.getSourceFile(file)!)!;
    const values = checker
      .getExportsOfModule(index)
      .map((symbol) => ((symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol)))
      .filter(({ flags }) => (flags & ts.SymbolFlags.Value) !== 0)
      .map(({ name }) => name);
    expect(values.toSorted()).toEqual(Object.keys(await import('../../../src/index.ts')).toSorted());
  });
});
