/** Memory for the pixels of pictures, used again between them: fresh memory costs as much time as filling it. No Windows in here. */

/** Time (ms) after which unused memory is freed: pictures come in quick succession or not for a long time. */
export const REUSE_MS = 2000;
/** A part of a window, and the whole window that it is cut from. */
const MOST_SPARE = 2;

const spare: ArrayBuffer[] = [];
let forgetting: NodeJS.Timeout | undefined;

/** Frees memory immediately. V8 sees only a small object and collects late (80 MB more, measured). */
function free(memory: ArrayBuffer | undefined): void {
  memory?.transfer(0);
}

function forget(): void {
  forgetting = undefined;
  for (const memory of spare.splice(0)) free(memory);
}

/** This many bytes, with anything in them. */
export function pixelMemory(bytes: number): ArrayBuffer {
  const at = spare.findIndex((memory) => memory.byteLength === bytes);
  return at < 0 ? Buffer.allocUnsafeSlow(bytes).buffer : (spare.splice(at, 1)[0] as ArrayBuffer);
}

/** Takes back what `pixelMemory` returned; its views must not be used any more. */
export function returnPixelMemory(memory: ArrayBuffer): void {
  if (memory.detached || spare.includes(memory)) return;
  spare.push(memory);
  if (spare.length > MOST_SPARE) free(spare.shift());
  if (forgetting === undefined) forgetting = setTimeout(forget, REUSE_MS).unref();
  else forgetting.refresh();
}
