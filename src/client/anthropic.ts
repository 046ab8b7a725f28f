/**
 * Anthropic's computer tools on a host: entries for `tools` of the SDK's tool runner (`client.beta.messages.toolRunner`),
 * in the SDK's own shape. The host's adapter translates; see `POST /v1/adapters/anthropic/computer`.
 */
import type { Routes } from './api.generated.ts';
import type { UiaHostClient } from './client.ts';

type Body = Parameters<Routes['anthropicComputer']>[0];
/** The content of a tool result. */
export type AnthropicContent = Awaited<ReturnType<Routes['anthropicComputer']>>['content'];

/** What the SDK's runners pass to a tool. */
export interface AnthropicRunContext {
  readonly signal?: AbortSignal | null | undefined;
}

export interface AnthropicComputerOptions {
  /** Which session's bound window; default: the client's. */
  readonly session?: string | undefined;
}

/** Errors: the refusal's text, which the SDK gives to the model as an error result. */
async function run(
  host: UiaHostClient,
  body: Body,
  session: string | undefined,
  signal: AbortSignal | null | undefined,
): Promise<AnthropicContent> {
  const { content, is_error: isError } = await host.anthropicComputer(body, { session, signal: signal ?? undefined });
  if (!isError) return content;
  throw new Error(content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'));
}

/**
 * The computer tool, `computer_20251124` or the older `computer_20250124`. Coordinates are pixels of the latest picture.
 *
 *     const computer = await AnthropicComputer.open(host);
 *     await anthropic.beta.messages.toolRunner({ tools: [computer], betas: ['computer-use-2025-11-24'], … });
 */
export class AnthropicComputer<Type extends 'computer_20251124' | 'computer_20250124' = 'computer_20251124'> {
  readonly type: Type;
  readonly name = 'computer';
  readonly display_width_px: number;
  readonly display_height_px: number;
  readonly #host: UiaHostClient;
  readonly #session: string | undefined;

  constructor(
    host: UiaHostClient,
    options: AnthropicComputerOptions & { readonly width: number; readonly height: number; readonly type?: Type },
  ) {
    this.type = options.type ?? ('computer_20251124' as Type);
    this.display_width_px = options.width;
    this.display_height_px = options.height;
    this.#host = host;
    this.#session = options.session;
  }

  /** With the size of the bound window's picture. Errors: those of `screenshot`. */
  static async open<Type extends 'computer_20251124' | 'computer_20250124' = 'computer_20251124'>(
    host: UiaHostClient,
    options: AnthropicComputerOptions & { readonly type?: Type } = {},
  ): Promise<AnthropicComputer<Type>> {
    const { value } = await host.actions.screenshot({}, { session: options.session });
    return new AnthropicComputer<Type>(host, { ...options, width: value.width, height: value.height });
  }

  /** The host checks the input. */
  parse(input: unknown): Body {
    return input as Body;
  }

  run(input: Body, context: AnthropicRunContext = {}): Promise<AnthropicContent> {
    return run(this.#host, input, this.#session, context.signal);
  }
}

/** A call of one of the toolset's members, as the model made it. */
export interface AnthropicMemberCall {
  readonly name: string;
  readonly input: unknown;
}

/** The computer toolset, `computer_toolset_20260801`, whose members are tools of their own. */
export class AnthropicComputerToolset {
  readonly type = 'computer_toolset_20260801';
  readonly #host: UiaHostClient;
  readonly #session: string | undefined;

  constructor(host: UiaHostClient, { session }: AnthropicComputerOptions = {}) {
    this.#host = host;
    this.#session = session;
  }

  run(context: AnthropicRunContext, { name, input }: AnthropicMemberCall): Promise<AnthropicContent> {
    return run(this.#host, { member: name, input } as Body, this.#session, context.signal);
  }
}
