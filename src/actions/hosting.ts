/** Actions that the host itself carries out: batch, request-access and the given function tool. */
import { StepOutlook } from '../contract/gate/views.ts';
import { z } from 'zod';
import { AccessRequest } from '../contract/gate/approval.ts';
import { sumOfSteps } from '../contract/outcome.ts';
import { Flag, Tier } from '../contract/gate/permissions.ts';
import { ProposalAnswer, REQUEST_UI_ACTION, UiActionProposal, TOUCHING_NONE } from '../contract/gate/traits.ts';
import { inputOf, plain } from '../contract/gate/input-content.ts';
import { defineAction, saw } from './definition.ts';

/** Actions that the host itself carries out: everything they lead to goes through the gate separately. */

const steps = () =>
  z
    .array(
      z.strictObject({
        action: plain(z.string().min(1).max(100).describe('Action name in kebab-case.')),
        input: inputOf(z.record(z.string(), z.unknown()).describe('Its input.'), 'action'),
      }),
    )
    .min(1)
    .max(50);

export const batch = defineAction('batch', {
  topic: 'hosting',
  meaning: 'Run several actions in order; stops at the first failure.',
  cap: 'core',
  effect: 'input',
  needs: 'whatever its steps need',
  input: () => ({
    steps: steps(),
    approveAsPlan: z
      .boolean()
      .optional()
      .describe('Show the person all steps on one card; anything beyond them is asked again.'),
  }),
  sample: { steps: [{ action: 'snapshot', input: {} }] },
  output: () =>
    z.strictObject({
      completed: z
        .array(z.unknown())
        .describe('The result of each step, with its own outcome; the batch’s outcome combines them.'),
      failed: z.strictObject({ index: z.int(), error: z.unknown() }).nullable(),
      remaining: z.int(),
    }),
  traits: () => TOUCHING_NONE,
  async run(context, input) {
    const { later, ...value } = await context.host.runBatch(input.steps, input.approveAsPlan ?? false);
    const sum = sumOfSteps(value.completed.map(({ outcome }) => outcome));
    if (later.length === 0) return { value, outcome: sum };
    const effect = sum.effect === 'confirmed' ? 'unverified' : sum.effect;
    return { value, outcome: { ...sum, effect, details: { later, changedSinceTyped: later } } };
  },
});

/** What the gate would decide of each step now. It names kinds and tags, never the word or the rule that matched. */
export const wouldAsk = defineAction('wouldAsk', {
  topic: 'hosting',
  meaning:
    'Which of these actions would need a person’s approval now, and why, without doing any of them: ask before the person leaves the desk.',
  cap: 'apps',
  effect: 'observe',
  needs: 'level observe',
  input: () => ({ steps: steps() }),
  sample: { steps: [{ action: 'snapshot', input: {} }] },
  output: () =>
    z.strictObject({
      steps: z.array(StepOutlook),
    }),
  traits: () => TOUCHING_NONE,
  run: async (context, input) => saw({ steps: await context.host.wouldAsk(input.steps) }),
});

export const requestAccess = defineAction('requestAccess', {
  topic: 'hosting',
  meaning: 'Ask the person to grant applications, tiers and flags; the answer lists what was granted.',
  cap: 'core',
  effect: 'observe',
  needs: 'level observe; a person decides',
  input: () => AccessRequest.shape,
  sample: { apps: [{ app: 'notepad.exe' }], reason: 'a' },
  output: () =>
    z.strictObject({
      granted: z.array(z.union([z.strictObject({ app: z.string(), tier: Tier }), z.strictObject({ flag: Flag })])),
      denied: z.array(
        z.union([
          z.strictObject({ app: z.string(), reason: z.string() }),
          z.strictObject({ flag: Flag, reason: z.string() }),
        ]),
      ),
    }),
  traits: () => TOUCHING_NONE,
  async run(context, input) {
    const value = await context.host.requestAccess(input);
    return saw(value as { granted: Array<{ flag: Flag }>; denied: [] });
  },
});

const proposalAction = defineAction(REQUEST_UI_ACTION, {
  topic: 'hosting',
  meaning:
    'Propose exactly one UI action for a computer-use harness. This tool does not execute the action; the application policy gate decides whether to execute, review, approve or block it.',
  cap: 'computer',
  effect: 'input',
  needs: 'whatever the proposed action needs',
  input: () => UiActionProposal.shape,
  sample: {
    action_type: 'click',
    target: { role: 'button', name: 'Save', test_id: '' },
    text: '',
    reason: '',
    risk_tags: [],
    requires_approval: false,
  },
  output: () => ProposalAnswer,
  traits: () => TOUCHING_NONE,
  async run(context, input) {
    const { deadlineMs: _deadline, ...proposal } = input;
    return saw(await context.host.propose(proposal));
  },
});

/** The given function tool: its parameters are exactly the seed's. */
export const requestUiAction = { ...proposalAction, input: UiActionProposal };

/** Beyond the executor's methods, in the order in which lists show them. */
export const beyond = [batch, wouldAsk, requestAccess, requestUiAction] as const;
