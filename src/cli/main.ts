// Entry of the command `uiahost`. The bridge for MCP clients starts without the rest of the command.
import { plainOptions, serveStdio } from './mcp-front.ts';

declare const __VERSION__: string;

const args = process.argv.slice(2);
const bridge = plainOptions(args);
if (bridge !== null) await serveStdio({ ...bridge, env: process.env });
else {
  const [{ run }, { STANDARD_OUTPUT }] = await Promise.all([import('./program.ts'), import('./output.ts')]);
  // a reader such as `head` has had enough
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  const version = typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0';
  process.exitCode = await run(args, { output: STANDARD_OUTPUT, env: process.env, version });
}
