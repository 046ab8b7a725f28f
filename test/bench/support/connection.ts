/** A lean HTTP connection for measurements. */
import { Agent, request } from 'node:http';

/**
 * One kept-alive connection to a host, as lean as Node allows, so that the host is measured and not its client (`fetch`
 * adds its own time).
 */
export class Connection implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;
  readonly #token: string;
  readonly #session: string;

  /** `session`: two sessions have separate bindings. */
  constructor(host: { readonly url: string; readonly agentToken: string }, session = 'default') {
    this.#session = session;
    this.#url = host.url;
    this.#token = host.agentToken;
  }

  /** The parsed answer. Errors: any status but 200. */
  async ask(path: string, input?: object): Promise<any> {
    const body = input === undefined ? undefined : JSON.stringify(input);
    const { status, text } = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const asking = request(
        new URL(path, this.#url),
        {
          agent: this.#agent,
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            authorization: `Bearer ${this.#token}`,
            'uiahost-session': this.#session,
            ...(body === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          },
        },
        (response) => {
          let received = '';
          response
            .setEncoding('utf8')
            .on('data', (data: string) => {
              received += data;
            })
            .on('error', reject)
            .on('end', () => resolve({ status: response.statusCode, text: received }));
        },
      );
      asking.on('error', reject).end(body);
    });
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
    return JSON.parse(text);
  }

  act(name: string, input: object = {}): Promise<any> {
    return this.ask(`/v1/actions/${name}`, input);
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
