/** Writes a routine from what the audit has of an agent's session, and the skill of a routine. */
import { Document, type YAMLMap } from 'yaml';
import type { AuditEntry } from '../audit/entry.ts';
import { hasActed, type ActionResult } from '../contract/outcome.ts';
import type { Catalog } from '../host/face/host.ts';
import { outlineOf, sentenceOf, wantedOf, type Look, type Query, type Routine } from './file.ts';

type Fields = Readonly<Record<string, unknown>>;
const QUERY: ReadonlySet<string> = new Set(['name', 'role', 'automationId', 'path', 'ref']);
/** Fields of a call that are of one session, or have a default that is right for a routine. */
const LEFT_OUT = /^(?:deadlineMs|window|allowedBundleIds|observe|hwnd|pid|as)$/;
/** What cannot be taken back is done only while the fields hold what was typed before it. */
const LASTING = /^(?:financial|destructive|external_submit|terms_or_cookies|pii_export)$/;
const MOST_CHECKS = 5;

interface Recorded {
  readonly text: string;
  /** What a person should look at, by step. */
  readonly questions: readonly string[];
  readonly steps: number;
}

/** A step as it was carried out. */
interface Done {
  readonly action: string;
  readonly input: Fields;
  readonly element: { readonly role: string; readonly name: string; readonly automationId: string } | null;
  readonly tags: readonly string[];
  readonly result: ActionResult | null;
}

/** A text that the audit does not keep. */
const isHidden = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ('length' in value || 'secret' in value || 'hmac' in value);

/** @param results answers that the host still has, by the ids of their actions */
export function recordRoutine(
  name: string,
  entries: readonly AuditEntry[],
  results: ReadonlyMap<string, ActionResult>,
  catalog: Catalog,
): Recorded {
  return new Recording().of(name, doneIn(entries, results, catalog));
}

/** What was carried out, in its order: looks and refusals are left out. */
function doneIn(entries: readonly AuditEntry[], results: ReadonlyMap<string, ActionResult>, catalog: Catalog): Done[] {
  const asked = new Map<string, AuditEntry>();
  return entries.flatMap((entry): Done[] => {
    const { actionId, kind, errorCode, action, riskTags } = entry;
    if (actionId === null || action === null) return [];
    if ((kind === 'decision' || kind === 'approval') && entry.input !== null && !asked.has(actionId))
      asked.set(actionId, entry);
    const definition = catalog.find(action);
    if (kind !== 'outcome' || errorCode !== null || definition === undefined || definition.topic === 'hosting')
      return [];
    const result = results.get(actionId) ?? null;
    const isBinding = definition.name === 'bind-to-window';
    const judged = asked.get(actionId);
    if (judged === undefined && !isBinding) return [];
    const { element = null } = (judged?.details ?? {}) as Partial<Pick<Done, 'element'>>;
    const input = isBinding ? titleOf(result) : ((judged?.input ?? {}) as Fields);
    return [{ action: definition.name, input, element, tags: riskTags, result }];
  });
}

const titleOf = (result: ActionResult | null): Fields => {
  const { title } = (result?.value ?? {}) as { title?: unknown };
  return typeof title === 'string' && title !== '' ? { title } : {};
};

class Recording {
  readonly #inputs: Record<string, Fields> = {};
  readonly #questions: string[] = [];
  #window = '';
  /** Fields that hold an input, with their window. */
  readonly #typed: Array<{ window: string; look: Look }> = [];

  of(name: string, done: readonly Done[]): Recorded {
    const steps: Array<{ step: Fields; asks: readonly string[] }> = [];
    for (const each of done) {
      // Choosing the same window again does nothing.
      const last = steps.at(-1)?.step;
      if (
        last?.['do'] === each.action &&
        each.action === 'bind-to-window' &&
        JSON.stringify(last['with']) === JSON.stringify(each.input)
      )
        continue;
      const { step, asks } = this.#step(each);
      steps.push({ step, asks });
      this.#questions.push(...asks.map((ask) => `Step ${steps.length}: ${ask}`));
    }
    const description = 'Say in a sentence what this does.';
    const routine = { routine: 1, name, description, inputs: this.#inputs, steps: steps.map(({ step }) => step) };
    const document = new Document(routine, { aliasDuplicateObjects: false });
    steps.forEach(({ asks }, index) => {
      const node = document.getIn(['steps', index], true) as YAMLMap;
      if (asks.length > 0) node.commentBefore = asks.map((ask) => ` ? ${ask}`).join('\n');
    });
    return {
      text: document.toString({ lineWidth: 0, flowCollectionPadding: true }),
      questions: this.#questions,
      steps: steps.length,
    };
  }

  #step(done: Done): { step: Fields; asks: string[] } {
    const { action, input, element, tags, result } = done;
    const asks: string[] = [];
    const hasQuery = Object.keys(input).some((key) => QUERY.has(key));
    const query = hasQuery && element !== null ? queryOf(element, input) : {};
    if (hasQuery && query.name === undefined && query.path === undefined)
      asks.push('its element has no name: will this find it, and nothing else?');
    const given: Record<string, unknown> = { ...query };
    for (const [key, value] of Object.entries(input)) {
      if (QUERY.has(key) || LEFT_OUT.test(key)) continue;
      given[key] = isHidden(value) ? this.#inputFor(key, value as Fields, done, given, asks) : value;
      if (given[key] === undefined) delete given[key];
    }
    if (action === 'bind-to-window' && Object.keys(given).length === 0)
      asks.push('which window? its title is not kept any longer.');
    const expect = this.#shown(query, given, result);
    const effect = result?.outcome.effect;
    if (
      expect.length === 0 &&
      effect !== undefined &&
      effect !== 'confirmed' &&
      result !== null &&
      hasActed(result.outcome)
    )
      asks.push('nothing showed that it worked: what should be seen after it?');
    const typed = this.#typed.filter(({ window }) => window === this.#window).map(({ look }) => look);
    const isLasting = tags.some((tag) => LASTING.test(tag)) && typed.length > 0;
    const step = {
      do: action,
      ...(Object.keys(given).length === 0 ? {} : { with: given }),
      ...(isLasting ? { check: typed.slice(-MOST_CHECKS) } : {}),
      ...(expect.length === 0 ? {} : { expect }),
      ...(element === null || !hasQuery
        ? {}
        : { was: { role: element.role, name: element.name, id: element.automationId } }),
    };
    if (action === 'bind-to-window') this.#window = String(given['title']);
    return { step, asks };
  }

  /** A reference to a new input in place of a text. */
  #inputFor(
    key: string,
    value: Fields,
    { element, tags }: Done,
    given: Record<string, unknown>,
    asks: string[],
  ): unknown {
    const on = element?.name ?? '';
    const isSecret = tags.includes('password') || 'secret' in value || value['hmac'] === null;
    const word = (key === 'text' || key === 'item' ? on : key)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replaceAll(/^[_0-9]+|_$/g, '');
    const base = word === '' ? key.toLowerCase() : word.slice(0, 30);
    const count = Object.keys(this.#inputs).filter((each) => each === base || each.startsWith(`${base}_`)).length;
    const name = count === 0 ? base : `${base}_${count + 1}`;
    if (isSecret) {
      this.#inputs[name] = { type: 'secret', description: 'Name of a stored secret.' };
      given['secretRef'] = `\${${name}}`;
      return undefined;
    }
    this.#inputs[name] = { type: 'text', description: `${key} of ${on === '' ? 'the window' : on}` };
    asks.push(
      key === 'item'
        ? `is this item another one in each run (input ${name}), or always the same?`
        : `is this text another one in each run (input ${name}), or always the same?`,
    );
    return `\${${name}}`;
  }

  /** What the recording measured, as a look. */
  #shown(query: Query, given: Fields, result: ActionResult | null): Look[] {
    if (result === null) return [];
    const { evidence, readBack } = result.outcome;
    const text = given['text'];
    if (
      readBack === 'verified' &&
      typeof text === 'string' &&
      given['mode'] !== 'append' &&
      Object.keys(query).length > 0
    ) {
      const look = { element: query, value: text };
      this.#typed.push({ window: this.#window, look });
      return [look];
    }
    return evidence.flatMap(({ kind, after }): Look[] => {
      if (kind === 'toggle' && after === 'on' && Object.keys(query).length > 0)
        return [{ element: query, state: 'checked' }];
      const [window] = kind === 'window-opened' && Array.isArray(after) ? (after as Array<{ title?: string }>) : [];
      return window?.title ? [{ window: window.title }] : [];
    });
  }
}

/** A name and a role, since ids may be of one run; a path where the agent needed one. */
function queryOf({ role, name, automationId }: NonNullable<Done['element']>, { path }: Fields): Query {
  if (typeof path === 'string') return { path };
  if (name !== '') return { name, role };
  return automationId !== '' && !/^\d{5,}$/.test(automationId) ? { automationId, role } : { role };
}

/** A routine in words, for an agent that does it by hand: a skill of the form that agent CLIs read. */
export function skillOf(routine: Routine): string {
  const inputs = Object.entries(routine.inputs).map(
    ([name, { type, description = '' }]) => `- \`<${name}>\` (${type})${description === '' ? '' : `: ${description}`}`,
  );
  const steps = outlineOf(routine).flatMap((step) => [
    `${step.at.replace(/\.$/, '')}. ${[...step.when.map((look) => `If ${wantedOf(look)}: `), `${sentenceOf(step)} (\`${step.action.replaceAll('-', '_')}\`).`].join('')}`,
    ...step.check.map((look) => `   - Only where ${wantedOf(look)}; else stop and say so.`),
    ...step.expect.map((look) => `   - Then look for ${wantedOf(look)}.`),
  ]);
  return [
    '---',
    `name: ${routine.name}`,
    `description: ${JSON.stringify(routine.description)}`,
    '---',
    `# ${routine.name}`,
    `Run it with \`uiahost run ${routine.name}\` where it is kept; else do this with uiahost's tools, a step at a time:`,
    '',
    ...(inputs.length === 0 ? [] : ['What you need to know first:', ...inputs, '']),
    ...steps,
    '',
    'Stop where something is not as it says here, and report what you saw. Never guess a value.',
    '',
  ].join('\n');
}
