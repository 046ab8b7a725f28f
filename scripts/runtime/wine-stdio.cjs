// Preloaded into Node for Windows when it runs under Wine (node --require).
//
// A Linux program that starts node.exe with pipes hands it handles that libuv takes for Windows pipes and cannot open:
// the first touch of process.stdout, stderr or stdin throws "open EBADF" (Wine 10, Node 22 to 26). Plain reads and writes
// of the same descriptors work. So each stream is tried the normal way first, and made from plain reads and writes only
// if that fails: files, consoles and pipes between Windows programs keep Node's own streams.
'use strict';
const { isMainThread } = require('node:worker_threads');

// a thread's streams are pipes to the main thread, which work
if (isMainThread && process.platform === 'win32') {
  const fs = require('node:fs');
  const { Readable, Writable } = require('node:stream');

  const writable = (fd) => {
    const stream = new Writable({
      write(chunk, _encoding, done) {
        try {
          for (let written = 0; written < chunk.length;) written += fs.writeSync(fd, chunk, written);
          done();
        } catch (error) {
          done(error);
        }
      },
      destroy(error, done) {
        done(error);
      },
    });
    // what Node sets on its own: console and loggers look at them
    return Object.assign(stream, { fd, _type: 'pipe', _isStdio: true, isTTY: false, destroySoon: stream.destroy });
  };

  const readable = (fd) => {
    const stream = new Readable({
      read(size) {
        const buffer = Buffer.allocUnsafe(Math.max(size, 65536));
        fs.read(fd, buffer, 0, buffer.length, null, (error, count) => {
          if (error && error.code !== 'EOF' && error.code !== 'EPIPE') stream.destroy(error);
          else stream.push(error || count === 0 ? null : buffer.subarray(0, count));
        });
      },
    });
    return Object.assign(stream, { fd, isTTY: false });
  };

  const replace = (name, make) => {
    const { get } = /** @type {{ get: () => unknown }} */ (Object.getOwnPropertyDescriptor(process, name));
    let stream;
    const open = () => {
      try {
        return get.call(process);
      } catch (error) {
        if (error.code !== 'EBADF' && error.code !== 'EINVAL') throw error;
        return make();
      }
    };
    Object.defineProperty(process, name, { configurable: true, enumerable: true, get: () => (stream ??= open()) });
  };
  replace('stdout', () => writable(1));
  replace('stderr', () => writable(2));
  replace('stdin', () => readable(0));
}
