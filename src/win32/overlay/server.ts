/** The overlay’s process: passes messages between the host and the window thread, and watches that thread. */
import { describeFault } from '../../contract/process/fault.ts';
import { Worker } from 'node:worker_threads';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import type { CardImage, CardPixels, FromOverlay, FromOverlayThread, ToOverlay, ToOverlayThread } from './protocol.ts';

export interface OverlayServerOptions {
  /** The file that runs as the window thread: this process's own entry. */
  readonly threadFile: string;
  send(message: FromOverlay): void;
  exit(status: number): void;
}

/** Which thread of the process a thread is. */
export type OverlayPart = 'cards' | 'icon';

/** Time for the thread to end by itself. */
const END_MS = 400;
/** Larger pictures are refused: a card cannot use them. */
const MAX_PIXELS = 4096 * 4096;

/**
 * Receives the host's messages, decodes pictures, and passes everything else to the thread that owns the windows, which it
 * wakes by an event.
 */
export function createOverlayServer(options: OverlayServerOptions): { receive(message: ToOverlay): void } {
  let isEnding = false;
  const { thread, post } = startThread(options, 'cards');
  let icon: ReturnType<typeof startThread> | undefined;
  const end = (status: number): void => {
    // A thread in native code cannot be ended from outside; the process can.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), END_MS).unref();
    options.exit(status);
  };

  const showIcon = (message: ToOverlayThread): void => {
    if (icon === undefined) {
      icon = startThread(options, 'icon');
      // Cards and the emergency stop continue without it.
      icon.thread.on('error', (error) => {
        options.send({ kind: 'log', level: 'error', message: `icon thread: ${describeFault(error)}` });
      });
    }
    icon.post(message);
  };
  thread.on('error', (error) => {
    options.send({
      kind: 'log',
      level: 'error',
      message: `overlay thread: ${describeFault(error)}`,
    });
    end(1);
  });
  thread.on('exit', () => end(isEnding ? 0 : 1));

  return {
    receive(message) {
      switch (message.kind) {
        case 'image':
          decodePicture(message).then(
            (pixels) => post(pixels, [pixels.pixels.buffer as ArrayBuffer]),
            () => {
              options.send({
                kind: 'log',
                level: 'warn',
                message: 'a card’s picture could not be read; the card is shown without one',
              });
            },
          );
          break;
        case 'icon':
          if (icon !== undefined || message.state !== null) showIcon(message);
          break;
        case 'exit':
          isEnding = true;
          icon?.post(message);
          post(message);
          setTimeout(() => end(0), END_MS);
          break;
        default:
          post(message);
      }
    },
  };
}

/** A thread that waits in native code: each message is followed by the event that wakes it. */
function startThread({ threadFile, send }: OverlayServerOptions, part: OverlayPart) {
  const thread = new Worker(threadFile, { workerData: part });
  let wakeHandle: number | undefined;
  thread.on('message', (message: FromOverlayThread) => {
    if (message.kind === 'wake-handle') {
      wakeHandle = message.handle;
      kernel32.SetEvent(wakeHandle);
    } else send(message);
  });
  const post = (message: ToOverlayThread, transfer: readonly ArrayBuffer[] = []): void => {
    thread.postMessage(message, transfer);
    if (wakeHandle !== undefined) kernel32.SetEvent(wakeHandle);
  };
  return { thread, post };
}

/** Decodes a card's picture to what GDI draws: blue, green, red and one unused byte. Errors: sharp's, for what is not a picture. */
async function decodePicture({ approvalId, bytes, outline }: CardImage): Promise<CardPixels> {
  // Loaded with the first card: the picture library costs memory and time.
  const { default: sharp } = await import('sharp');
  const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = new Uint8Array(info.width * info.height * 4);
  for (let from = 0, to = 0; to < pixels.length; from += 3, to += 4) {
    pixels[to] = data[from + 2] ?? 0;
    pixels[to + 1] = data[from + 1] ?? 0;
    pixels[to + 2] = data[from] ?? 0;
  }
  return { kind: 'pixels', approvalId, width: info.width, height: info.height, pixels, outline };
}
