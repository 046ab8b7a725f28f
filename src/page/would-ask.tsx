/** Which of some actions would need a person now, in the watched window, without doing any of them. */
import { signal } from '@preact/signals';
import { call } from './api.ts';
import { Table } from './parts.tsx';
import { attempt, watched } from './state.ts';

interface Verdict {
  readonly action: string;
  readonly outcome: 'runs' | 'asks' | 'refused' | 'unknown';
  readonly why: readonly string[];
  readonly code: string | null;
}

const EXAMPLE = '[{"action": "click-element", "input": {"name": "Save"}}]';
const text = signal(EXAMPLE);
const verdicts = signal<readonly Verdict[] | null>(null);

const ask = (hwnd: string): void =>
  void attempt(async () => {
    verdicts.value = null;
    const steps = readSteps(text.value);
    verdicts.value = (await call<{ steps: Verdict[] }>('POST', '/v1/page/would-ask', { hwnd, steps })).steps;
  });

function readSteps(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    throw new SyntaxError('The steps are not JSON.');
  }
}

const reason = ({ why, code }: Verdict): string => [...why, ...(code === null ? [] : [code])].join(', ');

export function WouldAsk() {
  const hwnd = watched.value;
  return (
    <section aria-labelledby="would-ask-title">
      <h2 id="would-ask-title">What would ask?</h2>
      <label for="would-ask-steps">Steps, as for a batch</label>
      <textarea
        id="would-ask-steps"
        rows={4}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      <div class="row">
        <button type="button" disabled={hwnd === null} onClick={() => hwnd !== null && ask(hwnd)}>
          Judge them, without doing them
        </button>
        {hwnd === null ? <span class="hint">Choose a window in Live or in the inspector first.</span> : null}
      </div>
      {verdicts.value === null ? null : (
        <Table
          label="Verdicts"
          columns={['Step', 'Action', 'Verdict', 'Why']}
          rows={verdicts.value.map((each, at) => ({
            id: at,
            cells: [at + 1, each.action, each.outcome, reason(each)],
          }))}
        />
      )}
    </section>
  );
}
