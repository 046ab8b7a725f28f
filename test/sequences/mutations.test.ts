/**
 * Shows that the property of sequences can fail: with one rule of the gate switched off, it finds a sequence that
 * succeeds.
 */
import { expect, it } from 'vitest';
import type { ElementContext } from '../../src/contract/element/element.ts';
import { passGate } from '../../src/policy/gate/gate.ts';
import type { GateSubject, GateWorld } from '../../src/policy/gate/gate-types.ts';
import { trySequences } from './try-sequences.ts';

const without =
  (change: (subject: GateSubject, world: GateWorld) => Partial<GateWorld>) =>
  (subject: GateSubject, world: GateWorld) =>
    passGate(subject, { ...world, ...change(subject, world) });

/** Any earlier approval on the window covers whatever comes next, whatever it was given for. */
const blindAllowances = (): ((subject: GateSubject, world: GateWorld) => Partial<GateWorld>) => {
  const given = new Map<unknown, string>();
  return (_subject, world) => ({
    allowances: new Proxy(world.allowances, {
      get: (target, name) => {
        if (name === 'find') {
          return (query: object) => {
            const approvalId = given.get(target);
            return approvalId === undefined
              ? Reflect.apply(target.find, target, [query])
              : { kind: 'window', approvalId, use: () => {} };
          };
        }
        const member = Reflect.get(target, name, target) as unknown;
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => {
          const approved = args.find(
            (each): each is { approvalId: string } => typeof each === 'object' && each !== null && 'approvalId' in each,
          );
          if (approved !== undefined) given.set(target, approved.approvalId);
          return Reflect.apply(member, target, args) as unknown;
        };
      },
    }),
  });
};

const nameless = (context: ElementContext | null): ElementContext | null =>
  context === null || context.element === null
    ? context
    : { ...context, element: { ...context.element, name: 'Next' } };

const MUTATIONS: ReadonlyArray<
  readonly [string, () => (subject: GateSubject, world: GateWorld) => Partial<GateWorld>]
> = [
  ['allowances cover whatever comes next', blindAllowances],
  [
    'the name of the element is not read',
    () => (_subject, world) => ({
      context: async (...args: Parameters<GateWorld['context']>) => nameless(await world.context(...args)),
    }),
  ],
  ['the deny list is not read', () => (_subject, world) => ({ policy: () => ({ ...world.policy(), deny: [] }) })],
  [
    'nobody is ever asked for a tag',
    () => (_subject, world) => ({ policy: () => ({ ...world.policy(), alwaysAsk: [] }) }),
  ],
];

it.each(MUTATIONS)('[gate.sequences] the property of sequences: fails where %s', async (_name, change) => {
  const { failure } = await trySequences({ seed: 7, runs: 6000, gate: without(change()) });
  expect(failure).not.toBeNull();
  // Shrunk to a readable size.
  expect(failure!.split('\n').filter((line) => /^ {2}\d\. /.test(line)).length).toBeLessThanOrEqual(3);
});
