/** The files that the host's other processes and threads run: bundles in `dist`, sources in a checkout. */
import type { ProcessFiles } from '../main.ts';

const fileOf = (name: string): URL =>
  new URL(import.meta.url.endsWith('.ts') ? `./${name}.ts` : `./${name}.mjs`, import.meta.url);

export const processFiles = (): ProcessFiles => ({
  worker: fileOf('worker'),
  overlay: fileOf('overlay'),
  store: fileOf('store'),
  // built into the same place in both
  page: new URL(import.meta.url.endsWith('.ts') ? '../../dist/page/' : './page/', import.meta.url),
});
