// Loaded into the conformance suite's process: adds the agent's token to each of its requests to the host, which the suite
// cannot do itself. Host, Origin and body stay as the suite writes them.
import { subscribe } from 'node:diagnostics_channel';

const { UIAHOST_CONFORMANCE_ORIGIN: origin, UIAHOST_CONFORMANCE_TOKEN: token } = process.env;
const host = new URL(origin ?? '').host;

// `fetch` and undici's own functions announce each request here before they send it.
subscribe('undici:request:create', (message) => {
  const { request } =
    /** @type {{ request: { origin: string | URL, addHeader(name: string, value: string): void } }} */ (message);
  if (new URL(String(request.origin)).host === host) request.addHeader('authorization', `Bearer ${token}`);
});

// Requests with `node:http`, which set headers that fetch would not.
subscribe('http.client.request.created', (message) => {
  const { request } = /** @type {{ request: import('node:http').ClientRequest }} */ (message);
  if (String(request.getHeader('host')) === host && !request.hasHeader('authorization'))
    request.setHeader('authorization', `Bearer ${token}`);
});
