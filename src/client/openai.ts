/**
 * OpenAI's computer tool on a host: a driver for the SDK's `ComputerToolset` (`openai/helpers/computer`), and `execute`
 * for a loop of your own. The host's adapter translates; see `POST /v1/adapters/openai/computer-call`.
 */
import type { Routes } from './api.generated.ts';
import type { UiaHostClient } from './client.ts';

type Body = Parameters<Routes['openaiComputerCall']>[0];
type Reply = Awaited<ReturnType<Routes['openaiComputerCall']>>;
type ActionOf<Type extends string> = Extract<Body, { type: Type }>;

/** The item that answers a `computer_call`. */
export interface OpenAIComputerOutput {
  type: 'computer_call_output';
  call_id: string;
  output: { type: 'computer_screenshot'; image_url: string };
}

export interface OpenAIRunOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 *     const computer = new ComputerToolset(new OpenAIComputer(host));
 *     await computer.run(openai, { model, input: 'Save the order' });
 *
 * A call waits for a person where one must decide. Coordinates are pixels of the latest picture. Errors: ProblemError
 * with the host's refusal, which ends the SDK's run.
 */
export class OpenAIComputer {
  readonly #host: UiaHostClient;
  readonly #session: string | undefined;

  constructor(host: UiaHostClient, { session }: { readonly session?: string | undefined } = {}) {
    this.#host = host;
    this.#session = session;
  }

  /** Runs a whole `computer_call`; its output can be sent on unchanged. */
  async execute(
    call: { readonly call_id: string } & object,
    options: OpenAIRunOptions = {},
  ): Promise<OpenAIComputerOutput> {
    const { output } = await this.#run(call as Body, options);
    return { type: 'computer_call_output', call_id: call.call_id, output };
  }

  async click(action: ActionOf<'click'>, options: OpenAIRunOptions = {}): Promise<void> {
    await this.#run(action, options);
  }
  async double_click(action: ActionOf<'double_click'>, options: OpenAIRunOptions = {}): Promise<void> {
    await this.#run(action, options);
  }
  async drag(action: ActionOf<'drag'>, options: OpenAIRunOptions = {}): Promise<void> {
    await this.#run(action, options);
  }
  async keypress(action: ActionOf<'keypress'>, options: OpenAIRunOptions = {}): Promise<void> {
    await this.#run(action, options);
  }
  async move(action: ActionOf<'move'>, options: OpenAIRunOptions = {}): Promise<void> {
    await this.#run(action, options);
  }
  async scroll(action: ActionOf<'scroll'>, options: OpenAIRunOptions = {}): Promise<void> {
    await this.#run(action, options);
  }
  async type(action: ActionOf<'type'>, options: OpenAIRunOptions = {}): Promise<void> {
    await this.#run(action, options);
  }
  async wait(action: ActionOf<'wait'>, options: OpenAIRunOptions = {}): Promise<void> {
    await this.#run(action, options);
  }
  async screenshot(options: OpenAIRunOptions = {}): Promise<OpenAIComputerOutput['output']> {
    return (await this.#run({ type: 'screenshot' }, options)).output;
  }

  #run(body: Body, { signal }: OpenAIRunOptions): Promise<Reply> {
    return this.#host.openaiComputerCall(body, { wait: '1', session: this.#session, signal });
  }
}
