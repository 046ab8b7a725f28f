/** uia-com.dll: an IUIAutomation in this process, made from the public headers alone (test/fixtures/uia-com). */
import { existsSync } from 'node:fs';
import path from 'node:path';
import koffi from 'koffi';
import { IUIAutomation6, type IUIAutomation } from '../../../../native-bindings/uia/automation.generated.ts';

const TEXT_UNITS = 65_536;

/** The fixture's exports. One for a process: its settings, log and counts are the process's. */
export class UiaCom {
  readonly #library: ReturnType<typeof koffi.load>;
  readonly #configure: (text: string) => number;
  readonly #live: () => number;
  readonly #liveText: (text: Buffer, capacity: number) => number;
  readonly #stubHit: (text: Buffer, capacity: number) => number;
  readonly #log: (text: Buffer, capacity: number) => number;
  readonly #remoteCalls: () => number;
  readonly #traversals: () => number;
  readonly #given: () => number;
  readonly #create: (iid: Buffer, out: BigUint64Array) => number;

  constructor() {
    const file = path.join(process.env['UIAHOST_FIXTURES'] ?? '', 'uia-com.dll');
    if (!existsSync(file))
      throw new Error(
        'uia-com.dll is not there. UIAHOST_FIXTURES must name the folder that scripts/build-fixtures.mjs fills.',
      );
    const library = koffi.load(file);
    this.#library = library;
    this.#configure = library.func('int32 __stdcall UiaComConfigure(str16 text)');
    this.#live = library.func('int32 __stdcall UiaComLive()');
    this.#liveText = library.func('int32 __stdcall UiaComLiveText(void *text, int32 capacity)');
    this.#stubHit = library.func('int32 __stdcall UiaComStubHit(void *text, int32 capacity)');
    this.#log = library.func('int32 __stdcall UiaComLog(void *text, int32 capacity)');
    this.#remoteCalls = library.func('int32 __stdcall UiaComRemoteCalls()');
    this.#traversals = library.func('int32 __stdcall UiaComTraversals()');
    this.#given = library.func('int32 __stdcall UiaComGiven()');
    this.#create = library.func('int32 __stdcall CreateUiaCom(void *iid, void *out)');
  }

  /** For `createElementPort({ automation })`. */
  readonly factory = (): IUIAutomation => {
    const out = new BigUint64Array(1);
    const result = this.#create(IUIAutomation6.iid, out);
    if (result < 0) throw new Error(`CreateUiaCom failed: 0x${(result >>> 0).toString(16)}`);
    return new IUIAutomation6(out[0]!);
  };

  /** "key=value;…"; unknown keys are errors. */
  configure(settings: Record<string, string | number>): void {
    const text = Object.entries(settings)
      .map(([key, value]) => `${key}=${value}`)
      .join(';');
    if (this.#configure(text) < 0) throw new Error(`uia-com.dll does not know these settings: ${text}`);
  }

  reset(): void {
    if (this.#configure('reset') < 0) throw new Error('uia-com.dll could not be reset');
    this.log();
    this.stubHits();
    this.#remoteCalls();
    this.#traversals();
    this.#given();
  }

  /** Objects that are still referenced. */
  get live(): number {
    return this.#live();
  }

  /** The same by interface: living and made. */
  liveByInterface(): Record<string, [number, number]> {
    const memory = Buffer.alloc(TEXT_UNITS * 2);
    return JSON.parse(memory.toString('utf16le', 0, this.#liveText(memory, TEXT_UNITS) * 2)) as Record<
      string,
      [number, number]
    >;
  }

  /** Calls of unimplemented slots: a wrong slot number. */
  stubHits(): string {
    const memory = Buffer.alloc(4096);
    return this.#stubHit(memory, 2048) === 0 ? '' : memory.toString('utf16le').split('\0', 1)[0]!;
  }

  /** What was done since the last question, one action a line. */
  log(): string[] {
    const memory = Buffer.alloc(TEXT_UNITS * 2);
    const length = this.#log(memory, TEXT_UNITS);
    return memory
      .toString('utf16le', 0, length * 2)
      .split('\n')
      .filter((line) => line !== '');
  }

  /** Calls since the last question that would have left the process on Windows. */
  remoteCalls(): number {
    return this.#remoteCalls();
  }

  /** Calls for everything below an element since the last question. */
  traversals(): number {
    return this.#traversals();
  }

  /** Elements whose properties were fetched since the last question. */
  given(): number {
    return this.#given();
  }

  /** Keeps the library loaded as long as this lives. */
  get library(): unknown {
    return this.#library;
  }
}
