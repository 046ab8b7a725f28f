/** The standard controls as .NET's managed proxies show them, and where UI Automation shows nothing of them. */
import { describe } from 'vitest';
import { standardCases } from '../support/standard-cases.ts';

describe.each(['managed', 'wine'] as const)('[click.link] %s', (mode) => {
  standardCases(mode);
});
