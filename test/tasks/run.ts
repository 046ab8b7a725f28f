/** Runs one task against a running host over HTTP, and after every call compares the answer with the facts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../../src/contract/problem.ts';
import { ActionResult, type Outcome } from '../../src/contract/outcome.ts';
import type { Sentinel } from '../catalogue/sentinel.ts';
import type { Answer } from '../support/desktop.ts';
import type { Scene } from '../support/scene.ts';
import { descendants, everyRow, parseTree, type TreeNode } from '../support/snapshot-tree.ts';
import { ask, before, judge, prepare, type Site } from './effects.ts';
import { Meter, type Figures } from './meter.ts';
import { RECIPES, type Running } from './programs.ts';
import { LOOKING, type Seen, type Step, type Task } from './task.ts';

export interface TaskResult extends Figures {
  readonly task: Task;
  readonly confirmed: number;
  readonly unverified: number;
  readonly asked: number;
  /** Untrue answers. */
  readonly untrue: readonly string[];
  /** Every difference from the task. */
  readonly wrong: readonly string[];
}

/** Programs react late on a busy machine. */
const WITNESS_MS = 8000;
const NO_PERSON_MS = 1100;
const CARD_POLL_MS = 60;

type Line = Seen['line'];
const fits = (node: TreeNode, line: Line): boolean =>
  Object.entries(line).every(([key, value]) => node[key as keyof TreeNode] === value);

/** The only element that an agent would find this way in the latest snapshot. */
function find(nodes: readonly TreeNode[], { line, below }: Seen): TreeNode {
  const parent = below === undefined ? undefined : nodes.find((node) => fits(node, below));
  if (below !== undefined && parent === undefined) throw new Error(`the snapshot has no ${JSON.stringify(below)}`);
  const found = (parent === undefined ? nodes : descendants(nodes, parent)).filter((node) => fits(node, line));
  if (found.length !== 1) throw new Error(`${found.length} elements of the snapshot are ${JSON.stringify(line)}`);
  return found[0]!;
}

interface Known {
  /** Nodes of the latest snapshot. */
  readonly nodes: readonly TreeNode[];
  readonly answer: unknown;
}

/** The handle of the first window that an answer names, apart from the bound one. */
function openedBy(answer: any): string {
  const told = answer?.outcome ?? {};
  const hwnd =
    told.window?.hwnd ??
    told.details?.newWindow?.hwnd ??
    told.details?.window?.hwnd ??
    answer?.candidates?.[0]?.hwnd ??
    /"hwnd":"(\d+)"/.exec(JSON.stringify(answer ?? ''))?.[1];
  if (typeof hwnd !== 'string') throw new Error(`no window is named by ${JSON.stringify(answer)}`);
  return hwnd;
}

function inputOf(step: Step, { nodes, answer }: Known): object {
  const point = step.point === undefined ? undefined : find(nodes, step.point);
  const [right, down] = [step.point?.right, step.point?.down];
  return {
    ...step.input,
    ...(step.opened === true ? { hwnd: openedBy(answer) } : {}),
    ...(step.ref === undefined ? {} : { ref: find(nodes, step.ref).ref }),
    ...(point === undefined
      ? {}
      : { x: Math.round(point.x + (right ?? point.width / 2)), y: Math.round(point.y + (down ?? point.height / 2)) }),
  };
}

/** Sends it as an agent does, while a person watches the cards. Returns the answer and the cards' questions. */
async function send(
  scene: Scene,
  meter: Meter,
  step: Step,
  input: object,
): Promise<{ answer: Answer; asked: number; surprises: string[] }> {
  const state = { isDone: false };
  let asked = 0;
  const surprises: string[] = [];
  const sending = meter.call(step.call, input).finally(() => {
    state.isDone = true;
  });
  const deciding = (async () => {
    while (!state.isDone) {
      await sleep(CARD_POLL_MS);
      const { approvals } = (await scene.client.operator('/v1/approvals?status=pending')) as {
        approvals: { approvalId: string; summary: string }[];
      };
      for (const { approvalId, summary } of approvals) {
        asked += 1;
        if (step.asks === undefined) surprises.push(`a person was asked: ${summary}`);
        await scene.client.decide(
          approvalId,
          step.asks === undefined ? 'deny' : 'approve',
          step.asks?.scope === undefined ? {} : { scope: step.asks.scope },
        );
      }
    }
  })();
  const answer = await sending;
  await deciding;
  return { answer, asked, surprises };
}

async function askAll(site: Site, running: Running, step: Step): Promise<string[]> {
  for (const end = performance.now() + WITNESS_MS; ;) {
    const denied: string[] = [];
    for (const witness of step.seen ?? []) {
      const said = await ask(site, running, witness).catch((error: Error) => error.message);
      if (said !== null) denied.push(said);
    }
    if (denied.length === 0 || performance.now() > end) return denied;
    await sleep(40);
  }
}

/** What the person in front noticed and the answer did not report. */
async function disturbed(
  sentinel: Sentinel,
  outcome: Outcome | null,
  isCutOff: boolean,
  comesByItself: boolean,
): Promise<string[]> {
  const { keys, chars, mouse, cursorMoves, foregroundChanges, activationLosses, focusLosses, isForeground } =
    await sentinel.noticed();
  const wrong: string[] = [];
  if (keys + chars + mouse > 0)
    wrong.push(`${keys} keys, ${chars} characters and ${mouse} mouse messages went to another window`);
  if (cursorMoves > 0 && outcome?.cursorMoved !== true)
    wrong.push(
      `the cursor moved, and nothing said so: ${JSON.stringify(sentinel.fixture.journal.events({ event: 'cursor' }).slice(-cursorMoves))}`,
    );
  const isLost = foregroundChanges + activationLosses + focusLosses > 0 || isForeground === 0;
  // reading does nothing to the program, which may come to the front by itself meanwhile, as may a program that is
  // started; a program in front stays there
  if (isLost && outcome?.focusChanged !== true && !isCutOff && !comesByItself)
    wrong.push(`the foreground changed, and nothing said so: ${JSON.stringify(outcome)}`);
  return wrong;
}

/** @param sentinel a window in front, where a person would work */
export async function runTask(scene: Scene, sentinel: Sentinel, task: Task): Promise<TaskResult> {
  const site = await prepare(scene, task);
  await scene.client.policy({ level: task.level ?? 'full' });
  const recipe = RECIPES[task.program];
  const was = await before(site);
  await using running = await recipe.start(scene, site, task.args?.(site) ?? []);
  await sentinel.undisturbed();
  const meter = new Meter(scene.host, `task-${performance.now().toFixed(0)}`);
  const [untrue, wrong]: [string[], string[]] = [[], []];
  let [confirmed, unverified, asked] = [0, 0, 0];
  let known: Known = { nodes: [], answer: null };

  for (const [index, step] of task.steps(site).entries()) {
    const name = `${index + 1}. ${step.call}${step.input === undefined ? '' : ` ${JSON.stringify(step.input).slice(0, 120)}`}`;
    if (step.open !== true) await sentinel.stand();
    let sent = await send(scene, meter, step, inputOf(step, known));
    // New windows below the cursor count as a person's input on Wine: real input is tried again, as an agent would do
    // with such an answer.
    if (sent.answer.body?.code === 'user_active' && step.input?.['delivery'] === 'foreground') {
      while ((await scene.witness.idle()) < NO_PERSON_MS) await sleep(50);
      sent = await send(scene, meter, step, inputOf(step, known));
    }
    asked += sent.asked;
    const { body, status } = sent.answer;
    const result = status === 200 ? ActionResult.parse(body) : null;
    const problem = result === null ? Problem.parse(body) : null;
    const outcome = result?.outcome ?? null;
    known = {
      nodes:
        step.call === 'snapshot' && result !== null
          ? everyRow(parseTree((result.value as { accessibilityText: string }).accessibilityText))
          : known.nodes,
      answer: body,
    };
    const effect = outcome?.effect;
    if (!LOOKING.has(step.call)) {
      if (effect === 'confirmed' || effect === 'pending_modal') confirmed += 1;
      if (effect === 'unverified') unverified += 1;
    }
    const failures = [...sent.surprises];
    if ((problem?.code ?? null) !== (step.ends ?? null))
      failures.push(
        problem === null ? `was not refused with ${step.ends}` : `refused with ${problem.code}: ${problem.detail}`,
      );
    if (result?.value === false) failures.push(`came to nothing: ${JSON.stringify(outcome)}`);
    if (step.asks !== undefined && sent.asked === 0) failures.push('nobody was asked');
    const text =
      (result?.value as { accessibilityText?: string } | null | undefined)?.accessibilityText ?? JSON.stringify(body);
    if (
      step.reads !== undefined &&
      !(typeof step.reads === 'string' ? text.includes(step.reads) : step.reads.test(text))
    )
      failures.push(`the answer does not say ${step.reads}: ${JSON.stringify(result?.value ?? body).slice(0, 3000)}`);
    const denied = await askAll(site, running, step);
    if (denied.length > 0 && (effect === 'confirmed' || effect === 'pending_modal'))
      untrue.push(...denied.map((said) => `${name}: ${effect}, but ${said}: ${JSON.stringify(outcome)}`));
    failures.push(
      ...denied.map((said) => `${said} (${effect ?? problem?.code}, ${JSON.stringify(outcome?.attempts ?? null)})`),
    );
    failures.push(
      ...(await disturbed(
        sentinel,
        outcome,
        problem?.delivery === 'delivered' || problem?.delivery === 'unknown',
        LOOKING.has(step.call) || step.starts === true || step.open === true,
      )),
    );
    wrong.push(...failures.map((said) => `${name}: ${said}`));
    // later differences would only be consequences
    if (failures.length > 0) break;
  }
  if (wrong.length === 0) wrong.push(...(await settled(() => judge(site, running, task, was, recipe.keeps))));
  await meter.call('unbind-from-window', {}, false);
  await site.putBack();
  return { task, ...meter.figures(), confirmed, unverified, asked, untrue, wrong };
}

/** A program writes its files a moment after the call. */
async function settled(look: () => Promise<string[]>): Promise<string[]> {
  for (const end = performance.now() + WITNESS_MS; ;) {
    const wrong = await look();
    if (wrong.length === 0 || performance.now() > end) return wrong;
    await sleep(100);
  }
}
