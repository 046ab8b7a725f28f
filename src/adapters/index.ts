/** The routes of the adapters for the computer tools of large models. */
import type { Host } from '../host/face/host.ts';
import type { Route } from '../host/face/route.ts';
import { anthropicRoutes } from './anthropic.ts';
import { geminiRoutes } from './gemini.ts';
import { openaiRoutes } from './openai.ts';

/** Routes for the computer tools of large models. */
export function adapterRoutes(host: Host): Route[] {
  return [...anthropicRoutes(host), ...openaiRoutes(host), ...geminiRoutes(host)];
}
