/** Paths of names, and names that contain what separates their parts. */
import { describe, expect, it } from 'vitest';
import { nextStep, pathParts } from '../../../../src/contract/element/element-words.ts';

describe('[path.literal] the next step of a path', () => {
  const fitting = (names: readonly string[], path: string, from = 0): readonly string[] | number => {
    const { parts, fits } = nextStep(names, pathParts(path), from);
    return fits === null ? parts : names.filter(fits);
  };

  it('is a name that is spelt like the path', () => {
    expect(fitting(['A', 'A > B', 'Save'], 'A > B')).toEqual(['A > B']);
    expect(fitting(['Save', 'Save > As…'], 'Save > As…')).toEqual(['Save > As…']);
    expect(fitting(['In|Out'], 'in|out')).toEqual(['In|Out']);
    expect(fitting(['A > B', 'A > B > C'], 'A > B > C')).toEqual(['A > B > C']);
  });

  it('is a part of the path where no name is', () => {
    expect(fitting(['A', 'B'], 'A > B')).toBe(1);
    expect(fitting(['A > C'], 'A > B')).toBe(1);
  });

  it('is not a name that separates the same parts otherwise', () => {
    expect(fitting(['C|D', 'C'], 'C > D > E')).toBe(1);
    expect(fitting(['C > D', 'C|D'], 'C | D | E')).toEqual(['C|D']);
    expect(fitting(['a → b', 'a>b'], 'a > b')).toEqual(['a>b']);
    expect(fitting(['a >> b'], 'a > b')).toBe(1);
    expect(fitting(['B|C', 'B'], 'A|B|C', 1)).toEqual(['B|C']);
  });

  it('is looked for at each level', () => expect(fitting(['B > C', 'B'], 'A > B > C', 1)).toEqual(['B > C']));
});
