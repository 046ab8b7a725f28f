/** What the installer does to the administrator's policy file, and how it takes it back. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyLevel, applyPolicyFile, forgetEarlier, undoPolicy } from '../../../../src/policy/file/machine-file.ts';

describe('[package.msi.policy] the machine’s policy at installation', () => {
  let folder: string;
  let target: string;
  let given: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'uiahost-machine-'));
    target = join(folder, 'uiahost', 'policy.json');
    given = join(folder, 'given.json');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const present = (text: string): void => {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  };
  const now = (): unknown => JSON.parse(readFileSync(target, 'utf8'));

  it('is the given file, letter for letter', () => {
    const text = '// ours\n{ "level": "observe", "deny": ["cmd.exe"] }\n';
    writeFileSync(given, text);
    applyPolicyFile(target, given, '');
    expect(readFileSync(target, 'utf8')).toBe(text);
  });

  it('has the lower level where the file and LEVEL differ', () => {
    writeFileSync(given, '{ "level": "full", "deny": ["cmd.exe"] }');
    applyPolicyFile(target, given, 'observe');
    expect(now()).toEqual({ level: 'observe', deny: ['cmd.exe'] });
    applyPolicyFile(target, given, 'full');
    expect(now()).toEqual({ level: 'full', deny: ['cmd.exe'] });
  });

  it('is a level alone without a file, and an existing one changes only for a level that was given', () => {
    applyLevel(target, 'control', false);
    expect(now()).toEqual({ level: 'control' });
    present('{ "level": "observe", "deny": ["cmd.exe"] }');
    applyLevel(target, 'control', false);
    expect(now()).toEqual({ level: 'observe', deny: ['cmd.exe'] });
    applyLevel(target, 'full', true);
    expect(now()).toEqual({ level: 'full', deny: ['cmd.exe'] });
  });

  it.each([
    ['{ "level": "observe", "denny": [] }', /POLICYFILE is not a valid policy[^]*denny/],
    ['not json', /POLICYFILE is not a valid policy/],
  ])('is unchanged if the given file is %s', (text, message) => {
    present('{ "level": "observe" }');
    writeFileSync(given, text);
    expect(() => applyPolicyFile(target, given, '')).toThrow(message);
    expect(now()).toEqual({ level: 'observe' });
  });

  it('is unchanged if the given file cannot be read', () => {
    expect(() => applyPolicyFile(target, given, '')).toThrow(/POLICYFILE \(.*given\.json\) cannot be read: ENOENT/);
    expect(existsSync(target)).toBe(false);
  });

  it('is restored by a rollback, even if there was no file', () => {
    writeFileSync(given, '{ "level": "full" }');
    applyPolicyFile(target, given, '');
    undoPolicy(target, false);
    expect(existsSync(dirname(target))).toBe(false);
    present('{ "level": "observe" }');
    applyPolicyFile(target, given, '');
    undoPolicy(target, true);
    expect(now()).toEqual({ level: 'observe' });
    expect(readdirSync(dirname(target))).toEqual(['policy.json']);
  });

  it('is not restored to an earlier installation’s copy', () => {
    present('{ "level": "observe" }');
    applyLevel(target, 'full', true);
    forgetEarlier(target);
    undoPolicy(target, true);
    expect(now()).toEqual({ level: 'full' });
  });
});
