/** Entry of the demo's process. */
import { runDemoProcess } from '../demo/process.ts';

runDemoProcess(process.argv.slice(2));
