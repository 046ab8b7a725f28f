/**
 * Checks .github/workflows with GitHub's own parser (keys, values, expressions and their contexts), and by our rules: actions pinned
 * by commit hash with their version next to it, least permissions, a time limit for each job, no credentials kept in the checkout,
 * nothing from an event or a branch name in a script. Part of `npm run check`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureToolTree } from './lib/tool-tree.mjs';

const FOLDER = new URL('../.github/workflows/', import.meta.url);

// Made for bundlers, the parser imports its schema without saying that it is JSON.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
});
/** What is used of the parser; its own types are in its tree, which is installed when it is first needed. */
interface Parser {
  readonly NoOperationTraceWriter: new () => object;
  parseWorkflow(file: { name: string; content: string }, trace: object): Parsed;
  convertWorkflowTemplate(context: Parsed['context'], value: unknown): Promise<{ errors?: Array<{ Message: string }> }>;
}
interface Parsed {
  readonly context: { readonly errors: { getErrors(): object[] } };
  readonly value?: unknown;
}

const tree = await ensureToolTree('.github/tools');
const load = (file: string): Promise<unknown> => import(pathToFileURL(join(tree, 'node_modules', file)).href);
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = (await load(
  '@actions/workflow-parser/dist/index.js',
)) as Parser;
const { parse } = (await load('yaml/dist/index.js')) as { parse(text: string): unknown };

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Workflow {
  readonly permissions?: unknown;
  readonly jobs?: Readonly<
    Record<
      string,
      { readonly 'timeout-minutes'?: number; readonly permissions?: unknown; readonly steps?: readonly Step[] }
    >
  >;
}

/** GitHub's limit for a job that names none is six hours. */
const MOST_MINUTES = 180;

/** What is wrong with a workflow, one line each. */
export async function workflowProblems(name: string, content: string): Promise<string[]> {
  const parsed = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  const errors = parsed.context.errors.getErrors().map(String);
  if (errors.length > 0 || parsed.value === undefined) return errors;
  const template = await convertWorkflowTemplate(parsed.context, parsed.value);
  return [...(template.errors ?? []).map(({ Message }) => Message), ...ruleProblems(name, content)];
}

function ruleProblems(name: string, content: string): string[] {
  const problems: string[] = [];
  const no = (where: string, what: string): number => problems.push(`${name}: ${where}: ${what}`);
  const { permissions, jobs = {} } = parse(content) as Workflow;
  if (!isReading(permissions)) no('permissions', 'must be given for the whole workflow, and only to read');
  for (const [id, job] of Object.entries(jobs)) {
    const minutes = job['timeout-minutes'];
    if (typeof minutes !== 'number' || minutes > MOST_MINUTES)
      no(id, `timeout-minutes must be given, at most ${MOST_MINUTES}`);
    if (job.permissions !== undefined && !isReading(job.permissions)) no(id, 'permissions must be only to read');
    for (const { uses, run, with: given } of job.steps ?? []) {
      if (uses !== undefined && !uses.startsWith('./') && !/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/.test(uses))
        no(id, `${uses} is not pinned by a commit hash`);
      const named = content.split('\n').filter((line) => uses !== undefined && line.includes(`uses: ${uses}`));
      if (named.some((line) => !/ # v\d+\.\d+\.\d+\s*$/.test(line)))
        no(id, `${uses} has no version next to it, as in "# v1.2.3"`);
      if (uses?.startsWith('actions/checkout@') === true && given?.['persist-credentials'] !== false)
        no(id, 'the checkout must not keep credentials (persist-credentials: false)');
      if (run !== undefined && run.includes('${{'))
        no(id, 'a script must take values from its environment, not by ${{ … }}');
    }
  }
  return problems;
}

const isReading = (permissions: unknown): boolean =>
  typeof permissions === 'object' &&
  permissions !== null &&
  Object.values(permissions).every((value) => value === 'read' || value === 'none');

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const names = readdirSync(FOLDER).filter((name) => /\.ya?ml$/.test(name));
  const problems = await Promise.all(
    names.map((name) => workflowProblems(name, readFileSync(new URL(name, FOLDER), 'utf8'))),
  );
  const all = names.length === 0 ? ['.github/workflows has no workflow'] : problems.flat();
  if (all.length > 0) {
    process.stderr.write(`${all.join('\n')}\n`);
    process.exitCode = 1;
  }
}
