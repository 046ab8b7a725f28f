/** The standard controls where UI Automation shows nothing of them. */
import { describe } from 'vitest';
import { standardCases } from '../support/standard-cases.ts';

describe('wine', () => {
  standardCases('wine');
});
