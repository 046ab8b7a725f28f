/** Writes `.lnk` files for tests, by the same document that the reader follows: MS-SHLLINK, sections 2.1 to 2.5. */
export function makeShellLink(link: {
  target?: string;
  arguments?: string;
  workingDirectory?: string;
  iconLocation?: string;
  iconIndex?: number;
  environmentTarget?: string;
  unicodePath?: boolean;
}): Buffer {
  const flags =
    0x80 |
    (link.target === undefined ? 0 : 0x02) |
    (link.workingDirectory === undefined ? 0 : 0x10) |
    (link.arguments === undefined ? 0 : 0x20) |
    (link.iconLocation === undefined ? 0 : 0x40);
  const header = Buffer.alloc(0x4c);
  header.writeUInt32LE(0x4c, 0);
  header.write('0114020000000000c000000000000046', 4, 'hex');
  header.writeUInt32LE(flags, 0x14);
  header.writeInt32LE(link.iconIndex ?? 0, 0x38);
  header.writeUInt32LE(1, 0x3c);
  const counted = (text: string | undefined): Buffer[] => {
    if (text === undefined) return [];
    const count = Buffer.alloc(2);
    count.writeUInt16LE(text.length, 0);
    return [count, Buffer.from(text, 'utf16le')];
  };
  const parts: Buffer[] = [header];
  if (link.target !== undefined) parts.push(linkInfo(link.target, link.unicodePath ?? false));
  parts.push(...counted(link.workingDirectory), ...counted(link.arguments), ...counted(link.iconLocation));
  if (link.environmentTarget !== undefined) {
    const block = Buffer.alloc(0x314);
    block.writeUInt32LE(0x314, 0);
    block.writeUInt32LE(0xa000_0001, 4);
    block.write(link.environmentTarget, 8, 'latin1');
    block.write(link.environmentTarget, 268, 'utf16le');
    parts.push(block);
  }
  parts.push(Buffer.alloc(4));
  return Buffer.concat(parts);
}

/** LinkInfo with a volume and a local base path; with `isUnicode`, the larger header and the path in UTF-16 too. */
function linkInfo(target: string, isUnicode: boolean): Buffer {
  const headerSize = isUnicode ? 0x24 : 0x1c;
  const volume = Buffer.alloc(0x11);
  volume.writeUInt32LE(0x11, 0);
  volume.writeUInt32LE(3, 4);
  volume.writeUInt32LE(0x10, 12);
  const ansi = Buffer.from(`${target}\0`, 'latin1');
  const suffix = Buffer.from('\0', 'latin1');
  const wide = isUnicode ? Buffer.from(`${target}\0\0`, 'utf16le') : Buffer.alloc(0);
  const head = Buffer.alloc(headerSize);
  const basePath = headerSize + volume.length;
  head.writeUInt32LE(headerSize, 4);
  head.writeUInt32LE(1, 8);
  head.writeUInt32LE(headerSize, 12);
  head.writeUInt32LE(basePath, 16);
  head.writeUInt32LE(basePath + ansi.length, 24);
  if (isUnicode) {
    head.writeUInt32LE(basePath + ansi.length + suffix.length, 0x1c);
    head.writeUInt32LE(basePath + ansi.length + suffix.length + (target.length + 1) * 2, 0x20);
  }
  const whole = Buffer.concat([head, volume, ansi, suffix, wide]);
  whole.writeUInt32LE(whole.length, 0);
  return whole;
}
