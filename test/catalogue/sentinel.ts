/** The sentinel: a window in front, where a person would work, which counts whatever disturbs it (test/fixtures/sentinel.c). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from '../../src/contract/outcome.ts';
import type { Fixture } from '../support/fixture.ts';
import type { Scene } from '../support/scene.ts';
import type { SentinelCounts } from '../support/witness.ts';
import { ACTIVATING } from './activating.ts';

const isActivating = ({ delivery, attempts }: Outcome): boolean =>
  ACTIVATING.some(
    ({ way, by }) => way === delivery && (by === undefined || attempts.some(({ reason }) => reason.startsWith(by))),
  );

/** A tenth of a second each: on a busy machine a starting program comes to the front late. */
const CALM_LOOKS = 8;

export interface Sentinel extends AsyncDisposable {
  readonly fixture: Fixture;
  /** Brings it to the front if necessary, and resets every counter. */
  stand(): Promise<void>;
  /** Waits until it stays in front: programs come to the front while they start. */
  undisturbed(): Promise<void>;
  /** What it noticed since the last reset; its counters are zero afterwards. */
  noticed(): Promise<SentinelCounts>;
}

export async function postSentinel(scene: Scene): Promise<Sentinel> {
  const fixture = await scene.fixture('sentinel', { title: 'A person works here', args: ['--activate', '--topmost'] });
  const { witness } = scene;
  const stand = async (): Promise<void> => {
    for (let attempt = 0; attempt < 50; attempt += 1) {
      if ((await witness.counts(fixture.hwnd)).isForeground === 1) return;
      await witness.tell(fixture.hwnd, 'activate');
      await sleep(20);
    }
    throw new Error(`The sentinel does not get the foreground: ${JSON.stringify(await witness.where())}`);
  };
  await stand();
  const undisturbed = async (): Promise<void> => {
    for (let calm = 0; calm < CALM_LOOKS;) {
      await sleep(100);
      const { foregroundChanges, isForeground } = await witness.counts(fixture.hwnd);
      calm = foregroundChanges === 0 && isForeground === 1 ? calm + 1 : 0;
      if (calm === 0) await stand();
    }
  };
  return {
    fixture,
    stand,
    undisturbed,
    noticed: () => witness.counts(fixture.hwnd),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

/**
 * What the sentinel noticed and the outcome did not report, or reported without being allowed to do it. `outcome` null:
 * the action was refused.
 * @param isCutOff it ended with an error that leaves the delivery unknown, which covers the foreground
 */
export function undeclared(
  counts: SentinelCounts,
  outcome: Outcome | null,
  openedWindow: boolean,
  isCutOff = false,
): string[] {
  const wrong: string[] = [];
  const { keys, chars, mouse, cursorMoves } = counts;
  if (keys + chars + mouse > 0)
    wrong.push(`${keys} keys, ${chars} characters and ${mouse} mouse messages went to another window`);
  const focusLost =
    counts.foregroundChanges + counts.activationLosses + counts.focusLosses > 0 || counts.isForeground === 0;
  if (focusLost && outcome?.focusChanged !== true && !isCutOff)
    wrong.push('the foreground changed, and nothing said so');
  if (cursorMoves > 0 && outcome?.cursorMoved !== true) wrong.push('the cursor moved, and nothing said so');
  if (outcome?.focusChanged === true && !openedWindow && !isActivating(outcome))
    wrong.push(
      `the foreground changed by ${outcome.delivery}, which is not declared as activating, and no window of the target opened`,
    );
  if (outcome?.cursorMoved === true && outcome.delivery !== 'input')
    wrong.push(`the cursor moved by ${outcome.delivery}`);
  return wrong;
}
