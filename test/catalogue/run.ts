/** Runs one row of the catalogue against a running target, over HTTP, with the sentinel in front. */
import { setTimeout as sleep } from 'node:timers/promises';
import { imageToScreen } from '../../src/contract/element/coordinates.ts';
import type { ObservationGeometry } from '../../src/contract/element/geometry.ts';
import { Problem } from '../../src/contract/problem.ts';
import { ActionResult, type Outcome } from '../../src/contract/outcome.ts';
import type { Answer } from '../support/desktop.ts';
import type { Scene } from '../support/scene.ts';
import type { TreeNode } from '../support/snapshot-tree.ts';
import {
  addressingOf,
  deliveryAsked,
  type Addressing,
  type Aim,
  type Aims,
  type DeliveryAsked,
  type Given,
  type Row,
  type TargetName,
  type Witness,
} from './row.ts';
import { undeclared, type Sentinel } from './sentinel.ts';
import type { Target } from './targets.ts';
import { ask, newWindows, type Look } from './witness.ts';

export interface RowResult {
  readonly target: TargetName;
  readonly row: Row;
  readonly addressing: Addressing;
  readonly delivery: DeliveryAsked;
  /** The result. */
  readonly came: 'delivered' | 'refused' | 'answered' | 'nothing';
  readonly effect: Outcome['effect'] | null;
  readonly way: Outcome['delivery'] | null;
  readonly code: string | null;
  readonly focusChanged: boolean;
  /** What the second witnesses saw instead; empty if all agree. */
  readonly denied: readonly string[];
  /** Untrue answers, and effects that were not reported: another try does not excuse them. */
  readonly untrue: readonly string[];
  /** Every difference from the row. */
  readonly wrong: readonly string[];
}

const WITNESS_MS = 3000;
const WM_CANCELMODE = 0x001f;
const NO_PERSON_MS = 1100;

export interface Stage {
  readonly scene: Scene;
  readonly sentinel: Sentinel;
  readonly name: TargetName;
  readonly target: Target;
  /** The last snapshot, while it is valid. */
  readonly look: { nodes: readonly TreeNode[] | undefined };
}

/** Reading these takes long (Wine marshals element by element), and nothing in them moves: they are looked at once. */
const FIXED: ReadonlySet<TargetName> = new Set(['provider', 'accessible']);

function pick(nodes: readonly TreeNode[], wanted: Partial<TreeNode>): TreeNode {
  const found = nodes.filter((node) =>
    Object.entries(wanted).every(([key, value]) => node[key as keyof TreeNode] === value),
  );
  if (found.length !== 1) throw new Error(`${found.length} elements are ${JSON.stringify(wanted)}`);
  return found[0]!;
}

/** Where an element is, by a separate snapshot for each row. */
async function screenPoint(
  stage: Stage,
  aim: Aim,
): Promise<{ image: { x: number; y: number }; screen: { x: number; y: number } }> {
  const { client } = stage.scene;
  stage.look.nodes ??= (await client.look({ maxTokens: 40_000 })).nodes;
  const { value } = await client.act('get-window-rect');
  const node = pick(stage.look.nodes, aim.at);
  const image = {
    x: Math.floor(node.x + node.width / 2) + (aim.dx ?? 0),
    y: Math.floor(node.y + node.height / 2) + (aim.dy ?? 0),
  };
  const geometry: ObservationGeometry = {
    imageWidth: value.width,
    imageHeight: value.height,
    displayWidth: value.width,
    displayHeight: value.height,
    originX: value.x,
    originY: value.y,
  };
  const screen = imageToScreen(geometry, image);
  return { image, screen };
}

async function aimed(stage: Stage, aims: Aims | undefined): Promise<object> {
  if (aims === undefined) return {};
  const area = await stage.scene.witness.area(stage.target.hwnd);
  const point = async (aim: Aim | undefined): Promise<{ x: number; y: number } | undefined> => {
    if (aim === undefined) return undefined;
    const { image, screen } = await screenPoint(stage, aim);
    if (aims.space === 'image') return image;
    return aims.space === 'screen' ? screen : { x: screen.x - area.x, y: screen.y - area.y };
  };
  const [at, from, to, start, press] = [
    await point(aims.point),
    await point(aims.from),
    await point(aims.to),
    await point(aims.start),
    await point(aims.press),
  ];
  return {
    space: aims.space,
    ...at,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(start === undefined ? {} : { startX: start.x, startY: start.y }),
    ...(press === undefined ? {} : { clickX: press.x, clickY: press.y }),
  };
}

/** Returns what must be undone. */
async function bringAbout(stage: Stage, given: readonly Given[]): Promise<() => Promise<void>> {
  const { scene, target } = stage;
  let flagged = false;
  for (const step of given) {
    if ('put' in step) await scene.witness.put(target.hwnd, step.put, step.text);
    else if ('tell' in step) await scene.witness.tell(target.hwnd, step.tell);
    else if ('act' in step)
      await scene.client.act(
        step.act,
        'on' in step ? { ...step.input, ...(await screenPoint(stage, step.on)).image } : step.input,
      );
    else if ('ask' in step) await scene.witness.ask(target.hwnd, step.part, ...step.ask);
    else if ('clipboard' in step) {
      await scene.client.policy({ flags: ['clipboardWrite'] });
      await scene.client.act('write-clipboard', { text: step.clipboard });
      await scene.client.policy({ flags: [] });
    } else {
      await scene.client.policy({ flags: step.flags });
      flagged = true;
    }
  }
  return async () => {
    if (flagged) await scene.client.policy({ flags: [] });
  };
}

/** Dialogs and menus that the row opened would disturb the next one. */
async function tidy(stage: Stage, before: ReadonlySet<string>): Promise<void> {
  const { scene, target } = stage;
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const left = await newWindows({ scene, target, windowsBefore: before });
    if (left.length === 0) return;
    for (const { hwnd, className } of left) {
      // tool tips and drop-down lists close by themselves
      if (className === '#32768' || className === 'ComboLBox') await scene.witness.ask(target.hwnd, '', WM_CANCELMODE);
      else await scene.witness.close(hwnd);
    }
    await sleep(30);
  }
  throw new Error(
    `Windows of the row stay open: ${JSON.stringify(await newWindows({ scene, target, windowsBefore: before }))}`,
  );
}

/** A provider in another process answers element by element on Wine, and slower the longer a desktop has been up. */
const DEADLINE_MS = 45_000;

/**
 * New windows under the cursor count as a person's input on Wine, so real input is tried again once no person is
 * active.
 */
async function send(stage: Stage, row: Row, input: object): Promise<Answer> {
  const { client, witness } = stage.scene;
  const answer = await client.send(row.action, input);
  const expectsPerson = row.expect.is === 'refused' && row.expect.code === 'user_active';
  if (answer.body?.code !== 'user_active' || expectsPerson) return answer;
  while ((await witness.idle()) < NO_PERSON_MS) await sleep(50);
  return client.send(row.action, input);
}

async function askAll(witnesses: readonly Witness[], look: Look): Promise<string[]> {
  for (const end = performance.now() + WITNESS_MS; ;) {
    const denied: string[] = [];
    for (const witness of witnesses) {
      const said = await ask(witness, look);
      if (said !== null) denied.push(said);
    }
    if (denied.length === 0 || performance.now() > end) return denied;
    await sleep(25);
  }
}

/** Compares the result with what the row expects. */
function compare(row: Row, result: Omit<RowResult, 'wrong' | 'untrue'>, detail: string): string[] {
  const { expect } = row;
  const wrong: string[] = [];
  if (expect.is === 'refused') {
    if (result.came !== 'refused') wrong.push(`expected ${expect.code}, but it was ${result.came} by ${result.way}`);
    else if (result.code !== expect.code) wrong.push(`expected ${expect.code}, not ${result.code}: ${detail}`);
  } else if (result.came === 'refused') wrong.push(`refused with ${result.code}: ${detail}`);
  else if (expect.is === 'delivered' && result.effect !== expect.effect)
    wrong.push(`expected ${expect.effect}, not ${result.effect} by ${result.way}: ${detail}`);
  return [...wrong, ...result.denied.map((said) => `witness: ${said}`)];
}

export async function runRow(stage: Stage, row: Row): Promise<RowResult> {
  const { scene, sentinel, name, target } = stage;
  const delivery = deliveryAsked(row);
  if (!FIXED.has(name)) stage.look.nodes = undefined;
  const undo = await bringAbout(stage, row.given ?? []);
  if (!FIXED.has(name) && row.given !== undefined) stage.look.nodes = undefined;
  const input = { deadlineMs: DEADLINE_MS, ...row.input, ...(await aimed(stage, row.aims)) };
  const windowsBefore = new Set((await scene.witness.windows()).map(({ hwnd }) => hwnd));
  const before = new Map<Witness, number>();
  for (const witness of row.seen)
    if (witness.see === 'answer' && witness.is === 'more')
      before.set(witness, await scene.witness.ask(target.hwnd, witness.part, ...witness.ask));
  if (delivery === 'background') await sentinel.stand();
  target.journal?.mark();
  try {
    const answer = await send(stage, row, input);
    const done = answer.status === 200 ? ActionResult.parse(answer.body) : null;
    const problem = done === null ? Problem.parse(answer.body) : null;
    const outcome = done?.outcome ?? null;
    const look: Look = {
      scene,
      target,
      windowsBefore,
      before,
      value: done?.value,
      place: async (aim) => (await screenPoint(stage, aim)).screen,
    };
    const denied = await askAll(row.seen, look);
    const opened = (await newWindows(look)).length > 0;
    const counts = delivery === 'background' ? await sentinel.noticed() : null;
    const delivered = outcome !== null && outcome.delivery !== 'none' && done?.value !== false;
    const result: Omit<RowResult, 'wrong' | 'untrue'> = {
      target: name,
      row,
      addressing: addressingOf(row),
      delivery,
      came:
        problem !== null
          ? 'refused'
          : delivered || (outcome?.effect === 'confirmed' && outcome.delivery === 'none')
            ? 'delivered'
            : row.expect.is === 'looks'
              ? 'answered'
              : 'nothing',
      effect: outcome?.effect ?? null,
      way: outcome?.delivery ?? null,
      code: problem?.code ?? null,
      focusChanged: outcome?.focusChanged ?? false,
      denied,
    };
    const detail = problem?.detail ?? JSON.stringify({ attempts: outcome?.attempts, evidence: outcome?.evidence });
    const unsaid = counts === null ? [] : undeclared(counts, outcome, opened);
    const isSure =
      result.effect === 'confirmed' || result.effect === 'pending_modal' || problem?.delivery === 'not_delivered';
    const wrongDelivery =
      problem !== null && row.expect.is === 'refused' && problem.delivery !== row.expect.delivery
        ? [`delivery is ${problem.delivery}`]
        : [];
    return {
      ...result,
      untrue: [...unsaid, ...(isSure ? denied.map((said) => `witness: ${said}`) : [])],
      wrong: [...compare(row, result, detail), ...unsaid, ...wrongDelivery],
    };
  } finally {
    await tidy(stage, windowsBefore);
    await undo();
  }
}
