// Entry of the command `uiahost`.
import { run } from './program.ts';
import { STANDARD_OUTPUT } from './output.ts';

declare const __VERSION__: string;

const version = typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0';
process.exitCode = await run(process.argv.slice(2), { output: STANDARD_OUTPUT, env: process.env, version });
