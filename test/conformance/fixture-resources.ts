/** Resources that the conformance suite reads. */
import { PIXEL } from './fixture.ts';

export const FIXTURE_RESOURCES = [
  { uri: 'test://static-text', name: 'Static text', description: 'A fixture with text.', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'Static binary', description: 'A fixture with bytes.', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'Watched', description: 'A fixture to watch.', mimeType: 'text/plain' },
];

export const FIXTURE_TEMPLATES = [
  { uriTemplate: 'test://template/{id}/data', name: 'Template', description: 'A fixture with a parameter.' },
];

/** Null for a resource that is not a fixture. */
export function readFixtureResource(uri: string) {
  if (uri === 'test://static-text')
    return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] };
  if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PIXEL }] };
  if (uri === 'test://watched-resource') return { contents: [{ uri, mimeType: 'text/plain', text: 'Watched.' }] };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) return null;
  const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  return { contents: [{ uri, mimeType: 'application/json', text }] };
}
