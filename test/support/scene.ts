/** What most end-to-end tests need: their own host, a client, the second witness, and programs; ended together. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { Client } from './client.ts';
import { startHost, type Desktop, type TestHost } from './desktop.ts';
import { startFixture, type Fixture, type FixtureOptions } from './fixture.ts';
import { startProgram, type Program } from './programs.ts';
import { startWitness, type SeenWindow, type Witness } from './witness.ts';
import { until } from './until.ts';

export interface NotepadWindow {
  readonly hwnd: string;
  readonly pid: number;
  readonly program: Program;
  /** Its whole text, read by the second witness. */
  text(): Promise<string>;
}

/**
 * The second witness and programs, for tests that start their hosts themselves: a user session has one at a time. Ended
 * together, in reverse order.
 */
export class Stage implements AsyncDisposable {
  readonly witness: Witness;
  readonly #desktop: Desktop | undefined;
  readonly #stack: AsyncDisposableStack;

  protected constructor(witness: Witness, desktop: Desktop | undefined, stack: AsyncDisposableStack) {
    this.#desktop = desktop;
    this.witness = witness;
    this.#stack = stack;
  }

  static async empty(): Promise<Stage> {
    await using opening = new AsyncDisposableStack();
    const witness = opening.use(startWitness());
    return new Stage(witness, undefined, opening.move());
  }

  async fixture(name: Parameters<typeof startFixture>[0], options?: FixtureOptions): Promise<Fixture> {
    return this.#stack.use(await startFixture(name, { desktop: this.#desktop, ...options }));
  }

  /** A new folder, removed at the end. */
  folder(): string {
    return this.#stack.adopt(mkdtempSync(join(tmpdir(), 'uiahost-e2e-')), (folder) =>
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
    );
  }

  /** The system's own Notepad, with an empty document. */
  async notepad(): Promise<NotepadWindow> {
    const before = new Set((await this.witness.windows()).map(({ hwnd }) => hwnd));
    const program = this.#stack.use(startProgram('notepad.exe', [], { desktop: this.#desktop }));
    const { hwnd, pid } = await this.window((window) => window.className === 'Notepad' && !before.has(window.hwnd));
    return { hwnd, pid, program, text: () => this.witness.text(hwnd, 'Edit') };
  }

  /** Waits for a window that the second witness sees. */
  async window(wanted: (window: SeenWindow) => boolean, milliseconds = 30_000): Promise<SeenWindow> {
    const windows = await until(
      () => this.witness.windows(),
      (found) => found.some(wanted),
      milliseconds,
    );
    return windows.find(wanted)!;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

/** How a scene's host starts, and on which desktop. */
export interface SceneOptions {
  readonly env?: Record<string, string | undefined>;
  readonly desktop?: Desktop;
}

/** The same with a host and its client. */
export class Scene extends Stage {
  readonly host: TestHost;
  readonly client: Client;

  private constructor(host: TestHost, witness: Witness, desktop: Desktop | undefined, stack: AsyncDisposableStack) {
    super(witness, desktop, stack);
    this.host = host;
    this.client = new Client(host);
  }

  /** On the desktop that the run shares, or on the test's own, which the test itself ends. */
  static async open(options: SceneOptions = {}): Promise<Scene> {
    await using opening = new AsyncDisposableStack();
    const witness = opening.use(startWitness(options.desktop));
    const host = opening.use(await startHost(options));
    return new Scene(host, witness, options.desktop, opening.move());
  }

  /** The program with every common control, whole on the screen, and bound. */
  async boundControls(): Promise<Fixture> {
    const controls = await this.fixture('controls');
    await controls.journal.waitFor({ event: 'late_shown' });
    await this.client.bind({ hwnd: controls.hwnd });
    return controls;
  }
}

/**
 * A scene for all tests of a file, with the programs that `start` starts in it; ended after the last test, and if
 * `start` fails. A file awaits it at its top level, so that helpers and tests share the scene.
 */
export async function sharedScene<Started extends object>(
  start: (scene: Scene) => Promise<Started>,
  options?: SceneOptions,
): Promise<Started & { readonly scene: Scene; readonly client: Client }> {
  await using opening = new AsyncDisposableStack();
  const scene = opening.use(await Scene.open(options));
  const started = await start(scene);
  const stack = opening.move();
  afterAll(() => stack.disposeAsync());
  return { scene, client: scene.client, ...started };
}
