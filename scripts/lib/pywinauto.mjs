// `node scripts/programs.mjs pywinauto --from FOLDER`: asks a running host what pywinauto's unit tests ask of its own sample
// programs, and compares with what they assert on Windows (test/programs/pywinauto/facts.mjs). FOLDER is a clone of
// github.com/pywinauto/pywinauto, which the caller brings. The last line is `N passed, N failed`.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import facts from '../../test/programs/pywinauto/facts.mjs';
import { startWhole } from './host.mjs';
import { callerFolder, windowsPath } from './places.mjs';
import { say, SetupError } from './progress.mjs';

const samples = 'apps/MFC_samples/x64';
/** Wine's elements take their time on a loaded machine. */
const deadlineMs = 60_000;
const patience = 15_000;
const every = 200;

const line = /^( *)\[(\w+)\] "(.*?)" \((-?\d+),(-?\d+) (\d+)x(\d+)\) ref=e\d+(.*)$/;

/** @param {string} text of a snapshot */
function nodesOf(text) {
  return text.split('\n').flatMap((row) => {
    const [, indent, role, name, x, y, width, height, rest] = line.exec(row) ?? [];
    if (role === undefined) return [];
    const value = /^ value="(.*?)"(?: id=|[ \w]*$)/.exec(rest)?.[1] ?? '';
    const id = / id="([^"]*)"/.exec(rest)?.[1] ?? '';
    const states = rest
      .slice(rest.lastIndexOf('"') + 1)
      .trim()
      .split(' ');
    const place = { x: Number(x), y: Number(y), width: Number(width), height: Number(height) };
    return [{ depth: indent.length / 2, role, name, value, id, states, ...place }];
  });
}

/** One of the sample programs, asked by the actions of a host. */
export class Sample {
  #url;
  #token;
  #pid = 0;
  #hwnd = '';
  /** Windows that were there before. */
  #known = new Set();

  constructor(url, token) {
    this.#url = url;
    this.#token = token;
  }

  /** What an action answers, errors too. */
  async call(action, input = {}) {
    const answer = await fetch(`${this.#url}/v1/actions/${action}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ deadlineMs, ...input }),
    });
    return /** @type {any} */ (await answer.json());
  }

  /** The effect of an action, or the code of its error. */
  async does(action, input) {
    const { outcome, code } = await this.call(action, input);
    return code ?? outcome.effect;
  }

  async #windows() {
    const { value } = await this.call('list-visible-windows');
    return value.filter(({ pid }) => pid === this.#pid);
  }

  async #bind(hwnd) {
    const { code, detail } = await this.call('bind-to-window', { hwnd });
    if (code !== undefined) throw new Error(`bind-to-window: ${detail}`);
  }

  async open(program) {
    const { outcome, detail } = await this.call('open-app', { bundleId: program });
    if (outcome?.details?.hwnd === undefined) throw new SetupError(`${program} did not start: ${detail ?? ''}`);
    ({ pid: this.#pid, hwnd: this.#hwnd } = outcome.details);
    await this.#bind(this.#hwnd);
    this.#known = new Set((await this.#windows()).map(({ hwnd }) => hwnd));
  }

  /** Closes its windows, dialogs first. */
  async close() {
    for (const { hwnd } of await this.#windows()) {
      await this.call('bind-to-window', { hwnd });
      await this.call('manage-window', { action: 'close' });
    }
  }

  async tree() {
    const { value, detail } = await this.call('snapshot', { items: 'all', maxTokens: 50_000 });
    if (value === undefined) throw new Error(`snapshot: ${detail}`);
    return nodesOf(value.accessibilityText);
  }

  async all(role) {
    return (await this.tree()).filter((node) => node.role === role);
  }

  async #only(is, what) {
    const found = (await this.tree()).find(is);
    if (found === undefined) throw new Error(`the snapshot has no ${what}`);
    return found;
  }

  /** The first element with a role and name; null: any. */
  one(role, name = null) {
    const is = (node) => (role === null || node.role === role) && (name === null || node.name === name);
    return this.#only(is, `${role ?? 'element'} ${name ?? ''}`);
  }

  id(id) {
    return this.#only((node) => node.id === id, `element with the id ${id}`);
  }

  /** Opens a menu of the window by Alt and a letter, and chooses by letters. */
  async menu(first, ...others) {
    await this.call('virtual-keyboard', { action: 'combo', text: `alt+${first}` });
    for (const text of others) await this.call('virtual-keyboard', { action: 'combo', text });
  }

  /** Binds the dialog that the program has opened; its title. */
  async dialog() {
    for (const limit = performance.now() + patience; performance.now() < limit;) {
      const found = (await this.#windows()).find(({ hwnd }) => !this.#known.has(hwnd));
      if (found !== undefined) {
        await this.#bind(found.hwnd);
        return found.title;
      }
      await new Promise((done) => setTimeout(done, every));
    }
    return 'no dialog';
  }

  /** Binds the program's own window again; whether it is the only one. */
  async back() {
    await this.#bind(this.#hwnd);
    return (await this.#windows()).every(({ hwnd }) => this.#known.has(hwnd));
  }
}

/** A key in a menu that cannot be read asks a person, whom this run does not have. */
async function askNobody({ url, operatorTokenFile }) {
  const answer = await fetch(`${url}/v1/policy`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${readFileSync(operatorTokenFile, 'utf8').trim()}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ level: 'full', alwaysAsk: [] }),
  });
  if (!answer.ok) throw new SetupError(`The policy was not taken: ${await answer.text()}`);
}

/**
 * Errors: SetupError where FOLDER lacks the library that the programs need.
 * @param {string} folder
 * @param {{ url: string, agentTokenFile: string, operatorTokenFile: string }} host
 * @returns {Promise<{ passed: number, failed: number }>}
 */
async function askFacts(folder, host) {
  const base = path.join(folder, samples);
  if (!existsSync(path.join(base, 'RowList.exe')))
    throw new SetupError(`${base} has no RowList.exe.`, 'git clone https://github.com/pywinauto/pywinauto');
  if (!existsSync(path.join(base, 'mfc100u.dll')))
    throw new SetupError(`${base} has no mfc100u.dll, which its programs need.`, 'take it from pypiwin32 219 (PyPI)');
  const token = readFileSync(host.agentTokenFile, 'utf8').trim();
  await askNobody(host);
  const counts = { passed: 0, failed: 0 };
  let differences = 0;
  for (const { program, facts: asked } of facts) {
    const sample = new Sample(host.url, token);
    await sample.open(windowsPath(path.join(base, program)));
    for (const { by, asks, expected, ask, differs } of asked) {
      const got = await ask(sample).catch((error) => `error: ${error.message}`);
      const isSame = isDeepStrictEqual(got, expected);
      const isRight = isSame === (differs === undefined);
      counts[isRight ? 'passed' : 'failed']++;
      if (!isSame && differs !== undefined) differences++;
      if (isRight && isSame) continue;
      const words = isSame
        ? 'as on Windows, although a difference is named'
        : `${JSON.stringify(got)}, not ${JSON.stringify(expected)}`;
      say(
        `${isRight ? 'known' : 'WRONG'} ${program} ${asks}: ${words}${differs === undefined ? '' : ` (${differs})`} [${by}]`,
      );
    }
    await sample.close();
  }
  say(`${counts.passed} facts as expected, ${differences} of them known differences`);
  return counts;
}

/**
 * Starts a host and asks it everything. Errors: those of askFacts and startWhole.
 * @param {string} from the clone
 */
export async function runPywinauto(from) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'uiahost-pywinauto-'));
  const env = { ...process.env, UIAHOST_DATA_DIR: path.join(folder, 'data'), UIAHOST_PORT: '0', UIAHOST_LEVEL: 'full' };
  try {
    const host = await startWhole(folder, env);
    try {
      return await askFacts(path.resolve(callerFolder(), from), host);
    } finally {
      await host.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
