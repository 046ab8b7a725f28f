/** The computer tools of the safety document, for programs with their own controller. */
import type { z } from 'zod';
import type { ImageArtifactStore } from '../../artifacts/types.ts';
import type { ToolContent } from '../../contract/artifact.ts';
import { COMPUTER_DESCRIPTIONS, COMPUTER_INPUTS } from '../../contract/computer-use-tool.ts';
import { toUiaHostError, UiaHostError } from '../../contract/errors.ts';
import type { ComputerExecutor, ScreenshotResult } from '../../contract/executor.ts';
import { parseOrRefuse } from '../../contract/json/issues.ts';
import { toJsonSchema, type JsonSchema } from '../../contract/json/json-schema.ts';
import { ANY_APP } from '../../contract/gate/app-match.ts';
import type { Level, RiskLevel, RiskTag } from '../../contract/gate/permissions.ts';
import { jsonText } from '../../contract/json/quoted.ts';
import {
  checkComputerTool,
  type ComputerPermission,
  type ComputerTool as ToolName,
} from '../../policy/rights/computer-permission.ts';
import { redactInput } from '../access/recorded-input.ts';
import { startToolCall, type EventStream } from '../events/tool-events.ts';
import { newId } from '../face/caller.ts';
import { keySequenceOf } from '../face/tools.ts';

/** What a tool takes, as its schema parses it. */
export type ComputerToolInput<N extends ToolName> = z.output<(typeof COMPUTER_INPUTS)[N]>;

/** Drives a screen, a pointer and a keyboard. Points are pixels of its latest picture. */
export interface ComputerController {
  /** A PNG, as strict base64. */
  screenshot(options: ComputerToolInput<'screenshot'>): Promise<{ readonly data: string }>;
  pointerMove(to: ComputerToolInput<'pointer_move'>): Promise<void>;
  click(at: ComputerToolInput<'click'>): Promise<void>;
  keypress(keys: ComputerToolInput<'keypress'>): Promise<void>;
  type(text: ComputerToolInput<'type'>): Promise<void>;
}

/** What a person is asked: the risk labels, and why the level is not enough. */
export interface ComputerConfirmation {
  readonly tool: string;
  readonly input: unknown;
  readonly riskLevel: RiskLevel;
  readonly riskTags: readonly RiskTag[];
  readonly reason: string;
}

export interface ComputerToolOptions {
  /** Asks a person if the level requires it. Without it, or if it fails, the answer is no. */
  readonly confirm?: (confirmation: ComputerConfirmation) => Promise<boolean>;
  /** Keeps each screenshot as an artifact. A refused picture is quarantined; the tool still answers. */
  readonly imageStore?: Pick<ImageArtifactStore, 'put'>;
  /** Receives the events of each call: tool.start, tool.progress, tool.end. */
  readonly stream?: EventStream;
}

/** A tool in MCP shape. */
export interface ComputerToolDefinition {
  /** `computer:screenshot` and so on; in MCP the colon becomes `_`. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  call(input: unknown): Promise<{ readonly content: ToolContent[]; readonly isError: boolean }>;
}

async function perform(controller: ComputerController, tool: ToolName, given: unknown): Promise<ToolContent[]> {
  const method = tool === 'pointer_move' ? 'pointerMove' : tool;
  // Its schema has parsed what is given.
  const done = await (controller as Record<typeof method, (given: unknown) => Promise<unknown>>)[method](given);
  return tool === 'screenshot'
    ? [{ type: 'image', data: (done as { readonly data: string }).data, mimeType: 'image/png' }]
    : [{ type: 'text', text: 'done' }];
}

/** Errors: permission_denied if the level forbids it; approval_denied if it must ask and no one approves. */
async function assertPermitted(
  permission: ComputerPermission,
  name: string,
  input: unknown,
  confirm: ComputerToolOptions['confirm'],
): Promise<void> {
  const { isAllowed, requiresConfirmation, riskLevel, riskTags, reason } = permission;
  if (!isAllowed) throw new UiaHostError('permission_denied', `Nothing was done: ${reason}.`);
  if (!requiresConfirmation) return;
  if (!(await isConfirmed(confirm, { tool: name, input, riskLevel, riskTags, reason })))
    throw new UiaHostError(
      'approval_denied',
      `Nothing was done: ${reason}, and ${confirm === undefined ? 'there is no one to ask' : 'the answer was no'}.`,
    );
}

/** Only `true` is a yes; a handler that fails, also before it returns a promise, is a no. */
async function isConfirmed(
  confirm: ComputerToolOptions['confirm'],
  confirmation: ComputerConfirmation,
): Promise<boolean> {
  try {
    return (await confirm?.(confirmation)) === true;
  } catch {
    return false;
  }
}

/**
 * The computer tools of the safety document over a controller, under a policy's `computer` permission. A refusal or failure is an answer
 * with `isError`, as in MCP.
 */
export function createComputerTools(
  controller: ComputerController,
  policy: { readonly computer: Level },
  options: ComputerToolOptions = {},
): ComputerToolDefinition[] {
  const { confirm, imageStore, stream } = options;
  return (Object.keys(COMPUTER_INPUTS) as ToolName[]).map((tool) => {
    const name = `computer:${tool}`;
    const schema: z.ZodType = COMPUTER_INPUTS[tool];
    const run = async (given: unknown, asked: () => void): Promise<{ content: ToolContent[]; artifacts: string[] }> => {
      const input = parseOrRefuse(schema, given ?? {});
      const permission = checkComputerTool(policy.computer, tool);
      if (permission.isAllowed && permission.requiresConfirmation) asked();
      await assertPermitted(permission, name, input, confirm);
      const content = await perform(controller, tool, input);
      return { content, artifacts: imageStore === undefined ? [] : await keep(imageStore, content, name) };
    };
    return {
      name,
      description: COMPUTER_DESCRIPTIONS[tool],
      get inputSchema() {
        return toJsonSchema(schema);
      },
      async call(given) {
        const events =
          stream === undefined
            ? null
            : startToolCall(stream, { callId: newId('call'), tool: name, input: redactInput(name, given) });
        try {
          const { content, artifacts } = await run(given, () => events?.progress(0, 1, 'a person is asked'));
          events?.end({ isError: false, artifacts });
          return { content, isError: false };
        } catch (thrown) {
          const error = toUiaHostError(thrown);
          events?.end({ isError: true, errorCode: error.code });
          return { content: [{ type: 'text', text: jsonText(error.toProblem()) }], isError: true };
        }
      },
    };
  });
}

/** Content hashes of the stored pictures. A failing store loses the artifact, never the answer. */
async function keep(
  store: Pick<ImageArtifactStore, 'put'>,
  content: readonly ToolContent[],
  sourceTool: string,
): Promise<string[]> {
  const hashes: string[] = [];
  for (const part of content) {
    if (part.type !== 'image') continue;
    try {
      const stored = await store.put({ data: part.data, mimeType: part.mimeType, sourceTool });
      if (stored.status === 'kept') hashes.push(stored.artifact.contentHash);
    } catch {
      // The picture was taken: its answer does not depend on the store.
    }
  }
  return hashes;
}

/** The executor as a controller: points of the latest picture become screen pixels, as the executor takes them. */
export function createExecutorController(
  executor: Pick<Required<ComputerExecutor>, 'screenshot' | 'moveMouse' | 'click' | 'key' | 'type'>,
): ComputerController {
  let shown: ScreenshotResult | null = null;
  const toScreen = ({ x, y }: { x: number; y: number }): readonly [number, number] => {
    if (shown === null)
      throw new UiaHostError(
        'state_conflict',
        'Points refer to a picture, and none has been taken yet; nothing was sent.',
        { hint: 'Call computer:screenshot first.' },
      );
    const { width, height, displayWidth, displayHeight, originX, originY } = shown;
    return [(x * displayWidth) / width + originX, (y * displayHeight) / height + originY];
  };
  return {
    async screenshot({ displayId }) {
      shown = await executor.screenshot({
        allowedBundleIds: [ANY_APP],
        ...(displayId === undefined ? {} : { displayId }),
      });
      return { data: shown.base64 };
    },
    pointerMove: async (to) => executor.moveMouse(...toScreen(to)),
    click: async (at) => executor.click(...toScreen(at), at.button ?? 'left', at.clickCount ?? 1),
    keypress: async ({ key, modifiers, repeat }) => executor.key(keySequenceOf(key, modifiers), repeat),
    type: async ({ text }) => executor.type(text, { viaClipboard: false }),
  };
}
