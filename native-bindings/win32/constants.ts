/** Windows' named numbers, by family, in Windows' own spelling. A test compares them with a C compiler's values. */
export * from './constants/com.generated.ts';
export * from './constants/console.generated.ts';
export * from './constants/controls.generated.ts';
export * from './constants/drawing.generated.ts';
export * from './constants/errors.generated.ts';
export * from './constants/hooks.generated.ts';
export * from './constants/input.generated.ts';
export * from './constants/messages.generated.ts';
export * from './constants/processes.generated.ts';
export * from './constants/registry.generated.ts';
export * from './constants/security.generated.ts';
export * from './constants/sessions.generated.ts';
export * from './constants/shell.generated.ts';
export * from './constants/styles.generated.ts';
export * from './constants/virtual-keys.generated.ts';
export * from './constants/windows.generated.ts';
