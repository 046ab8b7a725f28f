/** Every structure, by family. Offsets and sizes are compared with a C compiler's in the tests. */
export * from './structs/controls.ts';
export * from './structs/display-config.ts';
export * from './structs/drawing.ts';
export * from './structs/geometry.ts';
export * from './structs/input.ts';
export * from './structs/processes.ts';
export * from './structs/security.ts';
export * from './structs/shell.ts';
export * from './structs/windows.ts';
