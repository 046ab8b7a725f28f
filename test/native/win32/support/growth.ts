/**
 * What actions ask of a program whose provider can search, in windows of two sizes: calls of UI Automation, and the
 * elements whose properties they carry. For a native test and for `npm run bench -- growth`.
 */
import type { BindingRecord } from '../../../../src/contract/element/binding.ts';
import type { ElementContext } from '../../../../src/contract/element/element.ts';
import type { CallContext, TargetSpec } from '../../../../src/desktop/index.ts';
import { enterPermit } from '../../../../src/win32/exits/leaving.ts';
import { FocusMemory, findKeyTarget } from '../../../../src/win32/elements/finding/text-target.ts';
import { HeldInputs } from '../../../../src/win32/input/held-input.ts';
import { createBindingPort } from '../../../../src/win32/ports/binding.ts';
import { createElementPort } from '../../../../src/win32/ports/element.ts';
import { createKeyboardPort, createPointerPort } from '../../../../src/win32/ports/input.ts';
import { createWin32Services } from '../../../../src/win32/ports/services.ts';
import { everyExit } from './permits.ts';
import type { UiaCom } from './uia-com.ts';

export interface Asked {
  /** Calls that would leave the process on Windows. */
  readonly calls: number;
  /** Elements that came with their answers. */
  readonly elements: number;
}

type ElementSpec = Extract<TargetSpec, { kind: 'element' }>;

/** Without a gate, anything may be sent. */
const { exits } = everyExit();
const call = (): CallContext => {
  enterPermit(everyExit());
  return {
    owner: 'growth/default',
    deadlineMs: 30_000,
    signal: new AbortController().signal,
    remoteControlMemory: true,
  };
};

const refIn = (text: string, id: string): string => {
  const ref = / ref=(e\d+)/.exec(text.split('\n').find((line) => line.includes(` id="${id}"`)) ?? '')?.[1];
  if (ref === undefined) throw new Error(`no element ${id} in the snapshot`);
  return ref;
};

/**
 * Each action with what the gate reads for it, twice: the first time counts, since it includes occasional questions.
 * @param hwnd a window of sentinel.exe, replaced by the fixture's tree
 * @param buttons in addition to the fixture's 60 elements; a screenful of them is in view
 */
export async function growthRows(com: UiaCom, hwnd: number, buttons: number): Promise<Map<string, Asked>> {
  com.reset();
  com.configure({ graft: hwnd });
  com.configure({ many: buttons });
  const services = createWin32Services();
  using focus = new FocusMemory();
  using element = createElementPort(services, {
    automation: com.factory,
    focus,
    keysTo: (bound) => findKeyTarget(bound, focus, 'test/default'),
  });
  const parts = { held: new HeldInputs(), focus, trees: element };
  const keyboard = createKeyboardPort(services, parts);
  const pointer = createPointerPort(services, parts);
  const record: BindingRecord = await createBindingPort(services).find({ hwnd: String(hwnd) }, call());
  focus.follow(hwnd);
  const { accessibilityText } = await element.snapshot(
    record,
    {
      observationId: 'obs_growth',
      maxTokens: 200_000,
      maxElements: 10_000,
      budgetMs: 20_000,
      remoteControlMemory: true,
    },
    call(),
  );
  const of = (query: ElementSpec['query'], purpose: ElementSpec['purpose'] = 'click'): Promise<ElementContext> =>
    element.context(record, { kind: 'element', query, purpose }, call());
  const click = async (query: ElementSpec['query']): Promise<void> => {
    const { element: judged } = await of(query);
    await element.click(record, judged!.ref, { delivery: 'background' }, call());
  };
  const [check, button, field] = ['chkNews', 'btnOk', 'txtName'].map((id) => refIn(accessibilityText, id));
  const { rect } = (await of({ ref: button! })).element!;
  const at = { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 };
  const judgedKeys = async (more: object): Promise<CallContext> => {
    const context = await element.context(record, { kind: 'focus', ...more }, call());
    const target = { window: record, element: context.element, keysTo: context.keysTo };
    return { ...call(), permit: { exits, target, start: null } };
  };
  const actions: Readonly<Record<string, () => Promise<unknown>>> = {
    'click by ref, check box': () => click({ ref: check! }),
    'click by ref, button': () => click({ ref: button! }),
    'click by name': () => click({ name: 'Newsletter' }),
    'click by automationId': () => click({ automationId: 'chkNews' }),
    'click at a point': async () => {
      const { element: judged } = await element.context(record, { kind: 'point', at }, call());
      const target = { window: record, element: judged };
      const wanted = { button: 'left', count: 1, modifiers: [], delivery: 'background' } as const;
      await pointer.click(record, at, wanted, { ...call(), permit: { exits, target, start: target } });
    },
    'type into an element': async () => {
      await of({ ref: field! }, 'type');
      await element.typeInto(
        record,
        field!,
        'Grace',
        { mode: 'replace', delivery: 'background', isSecret: false },
        call(),
      );
    },
    'type by keys': async () => {
      const judged = await judgedKeys({ takesText: true });
      await keyboard.typeText(record, 'Grace', { viaClipboard: false, delivery: 'background' }, judged);
    },
    keys: async () => {
      const judged = await judgedKeys({});
      await keyboard.chords(record, ['tab'], 1, 'background', judged);
    },
  };
  const rows = new Map<string, Asked>();
  for (const [name, act] of Object.entries(actions)) {
    com.remoteCalls();
    com.given();
    await act();
    rows.set(name, { calls: com.remoteCalls(), elements: com.given() });
  }
  return rows;
}
