/** The standard controls as .NET's managed proxies show them. */
import { describe } from 'vitest';
import { standardCases } from '../support/standard-cases.ts';

describe('managed', () => {
  standardCases('managed');
});
