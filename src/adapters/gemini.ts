/** The computer-use functions of Gemini models: each as steps of ours, and answers as a function response with a picture. */
import { z } from 'zod';
import { toUiaHostError, UiaHostError } from '../contract/errors.ts';
import { asModelsWrite } from '../contract/json/as-meant.ts';
import { parseOrRefuse } from '../contract/json/issues.ts';
import { ownerOf, type Caller } from '../host/face/caller.ts';
import type { Host } from '../host/face/host.ts';
import { remember } from '../host/face/remember.ts';
import { json, tokenRoute, type Route } from '../host/face/route.ts';
import { adapterCaller, pause, step, type ForeignStep } from './steps.ts';

/**
 * The functions of Gemini 3.5 (browser and desktop) and of the earlier gemini-2.5-computer-use. Coordinates are 0 to 999 of
 * the latest picture's width and height. Source: ai.google.dev/gemini-api/docs/computer-use
 */
const GRID = 1000;
const at = z.number().min(0).max(GRID);
const place = { x: at, y: at };
const DIRECTIONS = ['up', 'down', 'left', 'right'] as const;
const direction = z.enum(DIRECTIONS);
const key = z.string().min(1).max(100);
const text = z.string().max(100_000);

const FUNCTIONS = {
  click: z.object(place),
  double_click: z.object(place),
  triple_click: z.object(place),
  middle_click: z.object(place),
  right_click: z.object(place),
  mouse_down: z.object(place),
  mouse_up: z.object(place),
  move: z.object(place),
  type: z.object({ text, press_enter: z.boolean().default(false) }),
  drag_and_drop: z.union([
    z.object({ start_x: at, start_y: at, end_x: at, end_y: at }),
    z.object({ ...place, destination_x: at, destination_y: at }),
  ]),
  wait: z.object({ seconds: z.number().min(0).max(100).default(1) }),
  press_key: z.object({ key }),
  key_down: z.object({ key }),
  key_up: z.object({ key }),
  hotkey: z.object({ keys: z.array(key).min(1).max(8) }),
  take_screenshot: z.object({}),
  scroll: z.object({ ...place, direction, magnitude_in_pixels: z.number().min(0).default(300) }),
  go_back: z.object({}),
  go_forward: z.object({}),
  navigate: z.object({ url: z.string().min(1).max(2048) }),
  open_web_browser: z.object({}),
  wait_5_seconds: z.object({}),
  click_at: z.object(place),
  hover_at: z.object(place),
  type_text_at: z.object({
    ...place,
    text,
    press_enter: z.boolean().default(true),
    clear_before_typing: z.boolean().default(true),
  }),
  key_combination: z.object({ keys: key }),
  scroll_document: z.object({ direction }),
  scroll_at: z.object({ ...place, direction, magnitude: z.number().min(0).default(800) }),
} as const;
type Name = keyof typeof FUNCTIONS;
type Arguments = { readonly [N in Name]: z.output<(typeof FUNCTIONS)[N]> };
const NAMES = Object.keys(FUNCTIONS) as [Name, ...Name[]];

/** What the model's own safety system reports about a call. */
const Safety = z.object({ decision: z.string(), explanation: z.string().optional() });

const Body = asModelsWrite(
  z.strictObject({
    name: z.enum(NAMES),
    id: z.string().max(200).optional(),
    args: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('The arguments, with the model’s intent and safety_decision.'),
  }),
);

const Answer = z.object({
  name: z.string(),
  id: z.string().optional(),
  response: z.record(z.string(), z.unknown()),
  parts: z.array(z.object({ inlineData: z.object({ mimeType: z.string(), data: z.string() }) })),
});

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels per notch of the wheel, and the most notches of one turn. */
const PIXELS_A_NOTCH = 100;
const MOST_NOTCHES = 100;

function wheel(direction: (typeof DIRECTIONS)[number], pixels: number): { dx: number; dy: number } {
  const notches = Math.min(MOST_NOTCHES, pixels / PIXELS_A_NOTCH);
  const sign = direction === 'up' || direction === 'left' ? -1 : 1;
  return direction === 'up' || direction === 'down' ? { dx: 0, dy: sign * notches } : { dx: sign * notches, dy: 0 };
}

const enter = step('key', { keySequence: 'enter' });
const keysOf = (keys: readonly string[]): ForeignStep =>
  step('key', { keySequence: keys.map((each) => (each === ' ' ? 'space' : each)).join('+') });

type Steps = {
  readonly [N in Name]: (
    given: Arguments[N],
    point: (x: number, y: number) => { x: number; y: number },
  ) => ForeignStep[];
};

const click =
  (button: string, count: number): Steps['click'] =>
  ({ x, y }, point) => [step('click', { ...point(x, y), button, count })];
const move: Steps['move'] = ({ x, y }, point) => [step('move-mouse', point(x, y))];
const held =
  (action: 'press' | 'release'): Steps['key_down'] =>
  ({ key: text }) => [step('virtual-keyboard', { action, text })];

const STEPS: Steps = {
  click: click('left', 1),
  click_at: click('left', 1),
  double_click: click('left', 2),
  triple_click: click('left', 3),
  middle_click: click('middle', 1),
  right_click: click('right', 1),
  move,
  hover_at: move,
  mouse_down: (given, point) => [...move(given, point), step('mouse-down')],
  mouse_up: (given, point) => [...move(given, point), step('mouse-up')],
  type: (given) => [step('type', { text: given.text }), ...(given.press_enter ? [enter] : [])],
  type_text_at: (given, point) => [
    step('click', { ...point(given.x, given.y), button: 'left', count: 1 }),
    ...(given.clear_before_typing ? [step('key', { keySequence: 'ctrl+a delete' })] : []),
    step('type', { text: given.text }),
    ...(given.press_enter ? [enter] : []),
  ],
  drag_and_drop: (given, point) => [
    'start_x' in given
      ? step('drag', { from: point(given.start_x, given.start_y), to: point(given.end_x, given.end_y) })
      : step('drag', { from: point(given.x, given.y), to: point(given.destination_x, given.destination_y) }),
  ],
  wait: ({ seconds }) => [{ waitMs: seconds * 1000 }],
  wait_5_seconds: () => [{ waitMs: 5000 }],
  press_key: (given) => [keysOf([given.key])],
  hotkey: ({ keys }) => [keysOf(keys)],
  key_combination: ({ keys }) => [step('key', { keySequence: keys })],
  key_down: held('press'),
  key_up: held('release'),
  take_screenshot: () => [],
  // A browser is what its caller has bound.
  open_web_browser: () => [],
  scroll: (given, point) => [
    step('scroll', { ...point(given.x, given.y), ...wheel(given.direction, given.magnitude_in_pixels) }),
  ],
  scroll_at: (given, point) => [
    step('scroll', { ...point(given.x, given.y), ...wheel(given.direction, given.magnitude) }),
  ],
  scroll_document: (given, point) => [step('scroll', { ...point(GRID / 2, GRID / 2), ...wheel(given.direction, 500) })],
  go_back: () => [step('key', { keySequence: 'alt+left' })],
  go_forward: () => [step('key', { keySequence: 'alt+right' })],
  navigate: ({ url }) => [step('key', { keySequence: 'ctrl+l' }), step('type', { text: url }), enter],
};

const MOST_SIZES = 1000;

/** The size of each caller's latest picture, to which the coordinates refer. */
class Pictures {
  readonly #host: Host;
  readonly #sizes = new Map<string, Size>();

  constructor(host: Host) {
    this.#host = host;
  }

  async take(
    caller: Caller,
    signal: AbortSignal,
  ): Promise<Size & { readonly base64: string; readonly mimeType: string }> {
    const { value } = await this.#host.runner.run(caller, 'screenshot', {}, { signal }).result;
    const picture = value as Size & { base64: string; mimeType: string };
    remember(this.#sizes, ownerOf(caller), { width: picture.width, height: picture.height }, MOST_SIZES);
    return picture;
  }

  /** That of the picture which the model saw last; a model that saw none has a picture taken now. */
  async size(caller: Caller, signal: AbortSignal): Promise<Size> {
    return this.#sizes.get(ownerOf(caller)) ?? (await this.take(caller, signal));
  }
}

/** Errors: those of the step that failed; a button that a failed stroke holds is released. */
async function runSteps(
  host: Host,
  caller: Caller,
  steps: readonly ForeignStep[],
  { signal, safety }: { readonly signal: AbortSignal; readonly safety: z.output<typeof Safety> | null },
): Promise<void> {
  // The model's safety system asks for a person: one card, before the first step, says why.
  let claims = isConfirmationAsked(safety)
    ? { riskTags: [], requiresApproval: true, reason: safety?.explanation ?? null }
    : null;
  for (const each of steps) {
    if ('waitMs' in each) {
      await pause(each.waitMs, signal);
      continue;
    }
    await host.runner.run(caller, each.action, each.input, { signal, ...(claims === null ? {} : { claims }) }).result;
    claims = null;
  }
}

const isConfirmationAsked = (safety: z.output<typeof Safety> | null): boolean =>
  safety?.decision === 'require_confirmation';

export function geminiRoutes(host: Host): Route[] {
  const pictures = new Pictures(host);
  return [
    tokenRoute('POST /v1/adapters/gemini/computer', 'geminiComputer', {
      tag: 'adapters',
      scope: 'agent',
      summary:
        'Run a computer-use function call of a Gemini model as {name, args, id}; answers its functionResponse with a picture. A safety_decision that requires confirmation asks a person on a card. A refusal is response.error.',
      headers: { 'Uiahost-Session': 'Session name or a computerUseSessionId; `default` when absent.' },
      body: { schema: Body },
      replies: { 200: { description: 'The functionResponse.', schema: Answer } },
      async handle({ body: { name, id, args = {} }, signal }, httpCaller) {
        const caller = adapterCaller(host, httpCaller, 'Gemini');
        const { intent: _intent, safety_decision: decision, ...given } = args;
        const safety = decision === undefined ? null : parseOrRefuse(Safety, decision);
        const input = parseOrRefuse(asModelsWrite(FUNCTIONS[name] as z.ZodType), given);
        const { width, height } = await pictures.size(caller, signal);
        const point = (x: number, y: number): { x: number; y: number } => ({
          x: Math.min(width - 1, Math.round((x * width) / GRID)),
          y: Math.min(height - 1, Math.round((y * height) / GRID)),
        });
        const response: Record<string, unknown> = { url: '' };
        try {
          await runSteps(host, caller, (STEPS[name] as Steps['click'])(input as never, point), { signal, safety });
          if (isConfirmationAsked(safety)) response['safety_acknowledgement'] = 'true';
        } catch (thrown) {
          if (signal.aborted) throw thrown;
          const error: UiaHostError = toUiaHostError(thrown);
          response['error'] = [error.code, error.message, error.hint].filter((part) => part !== '').join(': ');
        }
        const { base64, mimeType } = await pictures.take(caller, signal);
        return json({
          name,
          ...(id === undefined ? {} : { id }),
          response,
          parts: [{ inlineData: { mimeType, data: base64 } }],
        });
      },
    }),
  ];
}
