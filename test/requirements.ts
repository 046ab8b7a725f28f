/**
 * What the project promises, sentence by sentence: the design (BEHAVIOUR, API), the given contracts (seeds) and the issues.
 * A test that shows a sentence to hold cites its id in its title, `[id]`. scripts/check-requirements.ts compares the two.
 */
import { requirements as edges } from './http/requirements.http.ts';
import { requirements as policy } from './policy/requirements.policy.ts';
import { binding } from './requirements/binding.ts';
import { checkout } from './requirements/checkout.ts';
import { coordinates } from './requirements/coordinates.ts';
import { elements } from './requirements/elements.ts';
import { errors } from './requirements/errors.ts';
import { executor } from './requirements/executor.ts';
import { gate } from './requirements/gate.ts';
import { input } from './requirements/input.ts';
import { lifecycle } from './requirements/lifecycle.ts';
import { observing } from './requirements/observing.ts';
import { records } from './requirements/records.ts';
import type { Requirement } from './requirements/requirement.ts';
import { secrets } from './requirements/secrets.ts';
import { sessions } from './requirements/sessions.ts';
import { windows } from './requirements/windows.ts';
import { requirements as store } from './store/requirements.store.ts';
import { requirements as elementsLayer } from './win32/requirements.elements.ts';
import { requirements as windowsLayer } from './win32/requirements.windows.ts';

export type { Requirement } from './requirements/requirement.ts';
export { toCome } from './requirements/to-come.ts';

export const requirements: readonly Requirement[] = [
  ...executor, ...coordinates, ...binding, ...observing, ...elements, ...input, ...windows, ...gate, ...errors, ...sessions, ...secrets, ...records, ...lifecycle, ...checkout,
  ...windowsLayer, ...elementsLayer, ...policy, ...store, ...edges,
];
