/**
 * What the project promises, sentence by sentence: docs/behaviour.md, docs/api.md and the given contracts (schemas/seeds).
 * A test that shows a sentence to hold cites its id in its title, `[id]`. scripts/check-requirements.ts compares the two.
 */
import { requirements as edges } from './http.ts';
import { requirements as policy } from './policy.ts';
import { approvals } from './approvals.ts';
import { binding } from './binding.ts';
import { checkout } from './checkout.ts';
import { clients } from './clients.ts';
import { deploy } from './deploy.ts';
import { coordinates } from './coordinates.ts';
import { elements } from './elements.ts';
import { errors } from './errors.ts';
import { executor } from './executor.ts';
import { gate } from './gate.ts';
import { input } from './input.ts';
import { lifecycle } from './lifecycle.ts';
import { observing } from './observing.ts';
import { page } from './page.ts';
import { records } from './records.ts';
import type { Requirement } from './requirement.ts';
import { risk } from './risk.ts';
import { secrets } from './secrets.ts';
import { service } from './service.ts';
import { sessions } from './sessions.ts';
import { requirements as sheet } from './sheet.ts';
import { windows } from './windows.ts';
import { requirements as store } from './store.ts';
import { requirements as elementsLayer } from './win32-elements.ts';
import { requirements as windowsLayer } from './win32-windows.ts';

export type { Requirement } from './requirement.ts';

export const requirements: readonly Requirement[] = [
  ...executor,
  ...coordinates,
  ...binding,
  ...observing,
  ...elements,
  ...input,
  ...windows,
  ...sheet,
  ...gate,
  ...errors,
  ...sessions,
  ...secrets,
  ...records,
  ...page,
  ...lifecycle,
  ...service,
  ...checkout,
  ...deploy,
  ...windowsLayer,
  ...elementsLayer,
  ...policy,
  ...risk,
  ...approvals,
  ...store,
  ...edges,
  ...clients,
];
