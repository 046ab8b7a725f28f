/**
 * Memory in the target process for the structured messages of the common controls. Structures have the layout of the
 * program that reads them: one of the other bitness could crash it.
 */
import * as m from '../../../../native-bindings/win32/constants.ts';
import { text16 } from '../../../../native-bindings/library.ts';
import { kernel32 } from '../../../../native-bindings/win32/kernel32.ts';
import type { Fields, Layout } from '../../../../native-bindings/layout.ts';
import { threadOf } from '../../windows/window-info.ts';

const PROCESS_RIGHTS =
  m.PROCESS_VM_OPERATION | m.PROCESS_VM_READ | m.PROCESS_VM_WRITE | m.PROCESS_QUERY_LIMITED_INFORMATION;
/** 32 structures, and behind each a text. */
const BYTES = 0x2_0000;
const NARROW_END = 0x1_0000_0000n;

const machineOut = new Uint16Array(1);
const nativeOut = new Uint16Array(1);

/**
 * Whether the process has pointers of 32 bits; null: not known. We have 64.
 * Source: learn.microsoft.com/windows/win32/api/wow64apiset/nf-wow64apiset-iswow64process2
 */
function isNarrowProgram(process: number): boolean | null {
  return kernel32.IsWow64Process2(process, machineOut, nativeOut) ? machineOut[0] !== 0 : null;
}

/** A block in one process; disposable. */
export class RemoteMemory implements Disposable {
  readonly #process: number;
  readonly #isNarrow: boolean;
  readonly address: bigint;
  #mayFree = true;

  private constructor(process: number, isNarrow: boolean, address: bigint) {
    this.#process = process;
    this.#isNarrow = isNarrow;
    this.address = address;
  }

  /** Allocates in the process of a window; null where that is not allowed. */
  static open(hwnd: number): RemoteMemory | null {
    const handle = kernel32.OpenProcess(PROCESS_RIGHTS, false, threadOf(hwnd).process);
    if (handle === 0) return null;
    const isNarrow = isNarrowProgram(handle);
    const address =
      isNarrow === null
        ? 0n
        : kernel32.VirtualAllocEx(handle, null, BYTES, m.MEM_COMMIT | m.MEM_RESERVE, m.PAGE_READWRITE);
    const memory = address === 0n ? null : new RemoteMemory(handle, isNarrow === true, address);
    if (memory !== null && memory.#isReachable()) return memory;
    if (memory === null) kernel32.CloseHandle(handle);
    else memory[Symbol.dispose]();
    return null;
  }

  /** Whether the program itself can name the whole block. */
  #isReachable(): boolean {
    return !this.#isNarrow || this.address + BigInt(BYTES) <= NARROW_END;
  }

  /** A structure as the program has it. */
  layoutOf<F extends Fields>(layout: Layout<F>): Layout<F> {
    return this.#isNarrow ? layout.narrow : layout;
  }

  write(offset: number, from: Buffer): boolean {
    return kernel32.WriteProcessMemory(this.#process, this.address + BigInt(offset), from, from.length, null);
  }

  /** Null when the process is gone. */
  read(offset: number, bytes: number): Buffer | null {
    const into = Buffer.alloc(bytes);
    return kernel32.ReadProcessMemory(this.#process, this.address + BigInt(offset), into, bytes, null) ? into : null;
  }

  /** The text at an address of the process, outside the block too; null where nothing can be read. */
  textAt(address: bigint, units: number): string | null {
    for (let bytes = units * 2; bytes >= 2; bytes = bytes >> 1) {
      const into = Buffer.alloc(bytes & ~1);
      // A text may end just before memory that is not there.
      if (kernel32.ReadProcessMemory(this.#process, address, into, into.length, null)) return text16(into);
    }
    return null;
  }

  /**
   * A message that names this memory was not answered: its receiver may still write here, so the block is left
   * allocated.
   */
  abandon(): void {
    this.#mayFree = false;
  }

  [Symbol.dispose](): void {
    if (this.#mayFree) kernel32.VirtualFreeEx(this.#process, this.address, 0, m.MEM_RELEASE);
    kernel32.CloseHandle(this.#process);
  }
}

/** The blocks of one reading, one per process, allocated on first use. */
export class RemoteBlocks implements Disposable {
  readonly #allowed: boolean;
  readonly #byProcess = new Map<number, RemoteMemory | null>();

  /** @param allowed policy `remoteControlMemory` */
  constructor(allowed: boolean) {
    this.#allowed = allowed;
  }

  /** The block for a window's process; null where none is allowed. */
  for(hwnd: number): RemoteMemory | null {
    if (!this.#allowed) return null;
    const { process } = threadOf(hwnd);
    let memory = this.#byProcess.get(process);
    if (memory === undefined) this.#byProcess.set(process, (memory = process === 0 ? null : RemoteMemory.open(hwnd)));
    return memory;
  }

  [Symbol.dispose](): void {
    for (const memory of this.#byProcess.values()) memory?.[Symbol.dispose]();
    this.#byProcess.clear();
  }
}
