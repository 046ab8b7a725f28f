// A minimal client of an X server on this machine: reads the screen and lists the shown windows.
// Protocol: "X Window System Protocol, X Version 11", section 8 (connection set-up) and 9 (requests).
import { connect } from 'node:net';

const timeLimit = 10_000;
const opcode = { getWindowAttributes: 3, getGeometry: 14, queryTree: 15, getImage: 73 };

/**
 * Connects to a display such as ":99".
 * @param {string} display
 */
export async function openDisplay(display) {
  const number = /^:(\d+)/.exec(display)?.[1];
  if (!number) throw new Error(`"${display}" is not a display of this machine`);
  const socket = connect(`/tmp/.X11-unix/X${number}`);
  socket.setTimeout(timeLimit, () => socket.destroy(new Error(`no answer for ${timeLimit / 1000} s`)));
  const reader = bytesOf(socket);
  // little-endian, protocol 11.0, no authorisation
  socket.write(Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
  const head = await reader.take(8);
  const setup = await reader.take(head.readUInt16LE(6) * 4);
  if (head[0] !== 1) throw new Error(`connection refused: ${setup.toString('latin1', 0, head[1])}`);
  const screen = firstScreen(setup);

  /** One request about a window (its fields after the window id), and its answer with what follows the 32 bytes. */
  async function ask(code, detail, window, fields = Buffer.alloc(0)) {
    const request = Buffer.alloc(8 + fields.length);
    request[0] = code;
    request[1] = detail;
    request.writeUInt16LE(request.length / 4, 2);
    request.writeUInt32LE(window, 4);
    fields.copy(request, 8);
    socket.write(request);
    const answer = await reader.take(32);
    if (answer[0] !== 1) throw new Error(`X request ${code} failed with X error ${answer[1]}`);
    return { answer, data: await reader.take(answer.readUInt32LE(4) * 4) };
  }

  return {
    ...screen,

    /** Bytes of the whole screen, 4 a pixel: blue, green, red, unused. */
    async image() {
      const area = Buffer.alloc(12);
      area.writeUInt16LE(screen.width, 4);
      area.writeUInt16LE(screen.height, 6);
      area.writeUInt32LE(0xffffffff, 8);
      const zPixmap = 2;
      const { answer, data } = await ask(opcode.getImage, zPixmap, screen.rootWindow, area);
      if (answer[1] !== 24) throw new Error(`the screen has depth ${answer[1]}, 24 was expected`);
      return data;
    },

    /** Places and sizes of the top-level windows that are shown. */
    async shownWindows() {
      const { answer, data } = await ask(opcode.queryTree, 0, screen.rootWindow);
      const shown = [];
      for (let index = 0; index < answer.readUInt16LE(16); index += 1) {
        const window = data.readUInt32LE(index * 4);
        try {
          const isViewable = (await ask(opcode.getWindowAttributes, 0, window)).answer[26] === 2;
          const { answer: geometry } = await ask(opcode.getGeometry, 0, window);
          if (!isViewable) continue;
          shown.push({
            window,
            left: geometry.readInt16LE(12),
            top: geometry.readInt16LE(14),
            width: geometry.readUInt16LE(16),
            height: geometry.readUInt16LE(18),
          });
        } catch {
          // the window disappeared in between
        }
      }
      return shown;
    },

    close() {
      socket.destroy();
    },
  };
}

/** Root window and size from the answer to the connection set-up (without its first 8 bytes). */
function firstScreen(setup) {
  const vendorLength = setup.readUInt16LE(16);
  const formats = setup[21];
  const at = 32 + Math.ceil(vendorLength / 4) * 4 + formats * 8;
  return {
    rootWindow: setup.readUInt32LE(at),
    width: setup.readUInt16LE(at + 20),
    height: setup.readUInt16LE(at + 22),
  };
}

/** Takes exact numbers of bytes from a stream. */
function bytesOf(socket) {
  const source = socket[Symbol.asyncIterator]();
  let parts = [];
  let length = 0;
  return {
    async take(count) {
      while (length < count) {
        const { value, done } = await source.next();
        if (done) throw new Error('the connection was closed');
        parts.push(value);
        length += value.length;
      }
      const all = Buffer.concat(parts);
      parts = [all.subarray(count)];
      length = all.length - count;
      return all.subarray(0, count);
    },
  };
}
