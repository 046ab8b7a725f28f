/** A text that leads to an element without a name or id of its own, from something near it that has a name or id: `Group Address > Edit[2]`. */

/** One step: an element below the one before it (the first: below the window). */
export interface ElementStep {
  readonly role: string;
  /** Its number among the fitting ones, from 1 in the order of the tree; null: the only one. */
  readonly nth: number | null;
  readonly name?: string;
  readonly automationId?: string;
}

const TEXT = String.raw`(?:[^\\>]|\\[\\>])+`;
const STEP = String.raw`[A-Za-z]+(?:\[[1-9][0-9]{0,4}\])?(?:[# ]${TEXT})?`;

/** Role, `[n]`, then a name after a space or an AutomationId after `#`, in which `\` and `>` are written as `\\` and `\>`. */
export const ELEMENT_PATH = new RegExp(`^${STEP}(?: > ${STEP})*$`);
export const MAX_PATH = 2000;

const ONE = new RegExp(String.raw`([A-Za-z]+)(?:\[([0-9]+)\])?(?:([# ])(${TEXT}?))?(?: > |$)`, 'gy');

/** @param path fits {@link ELEMENT_PATH} */
export function stepsOf(path: string): ElementStep[] {
  return [...path.matchAll(ONE)].map(([, role = '', nth, mark, text = '']) => ({
    role,
    nth: nth === undefined ? null : Number(nth),
    ...(mark === undefined
      ? {}
      : { [mark === '#' ? 'automationId' : 'name']: text.replaceAll(/\\(.)/g, (_, letter: string) => letter) }),
  }));
}

/** The text of one step; null where it cannot be one. */
export function stepText({ role, nth, name, automationId }: ElementStep): string | null {
  const text = automationId ?? name;
  const own =
    text === undefined
      ? ''
      : `${automationId === undefined ? ' ' : '#'}${text.replaceAll(/[\\>]/g, (letter) => `\\${letter}`)}`;
  const step = `${role}${nth === null ? '' : `[${nth}]`}${own}`;
  return step.length <= MAX_PATH / 4 && ELEMENT_PATH.test(step) ? step : null;
}
