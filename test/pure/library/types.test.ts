/** The package’s types, compiled as a program that imports it sees them. */
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { packageTypes } from '../../support/package-types.ts';

const { types, complaints } = packageTypes('types');

describe('a TypeScript program that imports the package', () => {
  test('gets an executor with every method, and the exports of the safety document', () => {
    expect(
      complaints({
        right: `
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
      }),
    ).toEqual({ right: [] });
  });

  test('is reported what is wrong', () => {
    const said = complaints({
      wrong: `
      import { createComputerExecutor, securityPolicy, type ComputerExecutor } from 'uiahost';
      const executor: Required<ComputerExecutor> = await createComputerExecutor();
      const text: string = await executor.clickElement({ name: 'Save' });
      await executor.click('1', 2, 'left', 1);
      await executor.smash();
      securityPolicy().withComputerPermission('sometimes');
      export { text };
    `,
    });
    expect(Object.keys(said)).toEqual(['wrong']);
    expect(said['wrong']).toHaveLength(4);
  });

  test('sees those values alone that are there at run time', async () => {
    const file = join(types, 'index.d.ts');
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
