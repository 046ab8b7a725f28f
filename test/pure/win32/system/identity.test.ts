/** Names of programs, from what their files say. */
import { describe, expect, it } from 'vitest';
import { nameOfProgram } from '../../../../src/win32/system/identity.ts';

describe('a program’s name', () => {
  it('is its description, else its file name', () => {
    expect(nameOfProgram('Notepad', 'notepad.exe')).toBe('Notepad');
    expect(nameOfProgram(null, 'tool.exe')).toBe('tool.exe');
  });

  it('is the file name for a copy of a runtime, since every program of that runtime has the same description', () => {
    expect(nameOfProgram('Node.js JavaScript Runtime', 'node.exe')).toBe('Node.js JavaScript Runtime');
    expect(nameOfProgram('Node.js JavaScript Runtime', 'uiahost-demo.exe')).toBe('uiahost-demo');
    expect(nameOfProgram('Electron', 'Chat.EXE')).toBe('Chat');
  });
});
