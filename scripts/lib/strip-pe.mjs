// Removes the debugging sections and the symbol table from Windows programs. Debian ships Wine's unstripped: 744 MB
// become 158 MB, a Windows disk made from them 172 MB instead of 772, and node.exe starts in a third of the time.
import { closeSync, fstatSync, ftruncateSync, openSync, readdirSync, readSync, writeSync } from 'node:fs';
import path from 'node:path';

// Offsets by "PE Format" (learn.microsoft.com/windows/win32/debug/pe-format)
const headerOffsetField = 0x3c;
const sectionHeaderSize = 40;

/** Strips every PE file in a folder (not in subfolders); other files stay unchanged. */
export function stripFolder(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isFile()) stripFile(path.join(folder, entry.name));
  }
}

/** Strips one PE file in place. */
function stripFile(file) {
  const handle = openSync(file, 'r+');
  try {
    const head = Buffer.alloc(4096);
    readSync(handle, head, 0, head.length, 0);
    const cut = strippedHeader(head);
    if (!cut || cut.length >= fstatSync(handle).size) return;
    writeSync(handle, cut.head, 0, Math.min(cut.head.length, cut.length), 0);
    ftruncateSync(handle, cut.length);
  } finally {
    closeSync(handle);
  }
}

/** The changed header and the file's new length in bytes; undefined if there is nothing to remove. */
function strippedHeader(head) {
  const pe = head.readUInt32LE(headerOffsetField);
  if (head.toString('latin1', 0, 2) !== 'MZ' || pe > 3000 || head.toString('latin1', pe, pe + 4) !== 'PE\0\0')
    return undefined;
  const sections = head.readUInt16LE(pe + 6);
  const optional = pe + 24;
  const table = optional + head.readUInt16LE(pe + 20);
  const section = (index) => table + sectionHeaderSize * index;
  // a name that begins with a slash is an offset into the string table: only debugging sections have such long names
  const isDebug = (index) =>
    head[section(index)] === 0x2f || head.toString('latin1', section(index), section(index) + 6) === '.debug';
  let kept = sections;
  while (kept > 0 && isDebug(kept - 1)) kept -= 1;
  const hasSymbols = head.readUInt32LE(pe + 12) !== 0;
  if (kept === 0 || (kept === sections && !hasSymbols)) return undefined;

  const ends = Array.from(
    { length: kept },
    (_, index) => head.readUInt32LE(section(index) + 20) + head.readUInt32LE(section(index) + 16),
  );
  const length = Math.max(head.readUInt32LE(optional + 60), ...ends);
  const alignment = head.readUInt32LE(optional + 32);
  const last = section(kept - 1);
  const imageEnd = head.readUInt32LE(last + 12) + head.readUInt32LE(last + 8);
  head.writeUInt16LE(kept, pe + 6);
  head.writeUInt32LE(0, pe + 12); // pointer to the symbol table
  head.writeUInt32LE(0, pe + 16); // number of symbols
  head.writeUInt32LE(Math.ceil(imageEnd / alignment) * alignment, optional + 56);
  head.fill(0, section(kept), section(sections));
  return { head, length };
}
