/**
 * Security descriptors as Windows keeps them (self-relative bytes), made from SDDL, the text in which they are recorded.
 * Source: learn.microsoft.com/windows/win32/secauthz/security-descriptor-string-format, …/ace-strings, …/sid-strings
 */

/** The account domain of the machine that the descriptors of these tests come from. */
export const MACHINE = 'S-1-5-21-1-2-3';
const DOMAIN = 'S-1-5-21-4-5-6';

/** Windows writes these accounts as two letters; those of a machine or a domain depend on it. */
const ALIASES: Readonly<Record<string, string>> = {
  AC: 'S-1-15-2-1',
  AN: 'S-1-5-7',
  AU: 'S-1-5-11',
  BA: 'S-1-5-32-544',
  BU: 'S-1-5-32-545',
  CO: 'S-1-3-0',
  DA: `${DOMAIN}-512`,
  DU: `${DOMAIN}-513`,
  EA: `${DOMAIN}-519`,
  IU: 'S-1-5-4',
  LA: `${MACHINE}-500`,
  LG: `${MACHINE}-501`,
  LS: 'S-1-5-19',
  NS: 'S-1-5-20',
  OW: 'S-1-3-4',
  SY: 'S-1-5-18',
  WD: 'S-1-1-0',
};

const RIGHTS: Readonly<Record<string, number>> = {
  GA: 0x1000_0000,
  GX: 0x2000_0000,
  GW: 0x4000_0000,
  GR: 0x8000_0000,
  RC: 0x2_0000,
  SD: 0x1_0000,
  WD: 0x4_0000,
  WO: 0x8_0000,
  FA: 0x1f_01ff,
  FR: 0x12_0089,
  FW: 0x12_0116,
  FX: 0x12_00a0,
  KA: 0xf_003f,
  KR: 0x2_0019,
  KW: 0x2_0006,
  KX: 0x2_0019,
  CC: 0x1,
  DC: 0x2,
  LC: 0x4,
  SW: 0x8,
  RP: 0x10,
  WP: 0x20,
  DT: 0x40,
  LO: 0x80,
  CR: 0x100,
};

/** Kinds of entries; `??` is a kind that does not exist yet. */
const TYPES: Readonly<Record<string, number>> = { A: 0, D: 1, OA: 5, OD: 6, XA: 9, XD: 10, '??': 0x40 };
const INHERIT_ONLY = 8;
const SELF_RELATIVE = 0x8000;
const DACL_PRESENT = 4;

/** The bytes of a SID given as text or alias. */
function sid(text: string): Buffer {
  const full = ALIASES[text] ?? text;
  const [, revision, authority, ...parts] = full.split('-').map(Number);
  const bytes = Buffer.alloc(8 + 4 * parts.length);
  bytes.writeUInt8(revision ?? 1, 0);
  bytes.writeUInt8(parts.length, 1);
  bytes.writeUIntBE(authority ?? 0, 2, 6);
  for (const [index, part] of parts.entries()) bytes.writeUInt32LE(part, 8 + 4 * index);
  return bytes;
}

function mask(text: string): number {
  if (text.startsWith('0x')) return Number(text);
  let rights = 0;
  for (let at = 0; at < text.length; at += 2) {
    const right = RIGHTS[text.slice(at, at + 2)];
    if (right === undefined) throw new Error(`unknown right in ${text}`);
    rights |= right;
  }
  return rights >>> 0;
}

const guid = (text: string): Buffer => Buffer.from(text.replaceAll('-', ''), 'hex');

/** An entry, `A;flags;rights;object;inherited object;trustee`. */
function entry(text: string): Buffer {
  const [type = '', flags = '', rights = '', object = '', inherited = '', trustee = ''] = text.split(';');
  const code = TYPES[type];
  if (code === undefined) throw new Error(`unknown kind of entry in ${text}`);
  const ofObject = type === 'OA' || type === 'OD';
  const which = Buffer.alloc(ofObject ? 4 : 0);
  if (ofObject) which.writeUInt32LE((object ? 1 : 0) | (inherited ? 2 : 0));
  const body = Buffer.concat([which, guid(object), guid(inherited), sid(trustee)]);
  const bytes = Buffer.concat([Buffer.alloc(8), body]);
  bytes.writeUInt8(code, 0);
  bytes.writeUInt8(flags.includes('IO') ? INHERIT_ONLY : 0, 1);
  bytes.writeUInt16LE(bytes.length, 2);
  bytes.writeUInt32LE(mask(rights), 4);
  return bytes;
}

/**
 * The descriptor that this SDDL is the text of: owner and access list; group and audit list are left out.
 * @param sddl for example `O:BAG:SYD:PAI(A;OICI;FA;;;SY)`
 */
export function descriptor(sddl: string): Buffer {
  const owner = /O:(S-[\d-]+|[A-Z]{2})(?=[GDS]:|$)/.exec(sddl)?.[1];
  const list = /D:([A-Z_]*)((?:\([^)]*\)+)*)/.exec(sddl);
  const hasList = list !== null && !list[1]?.includes('NO_ACCESS_CONTROL');
  const entries = hasList
    ? [...(list[2] ?? '').matchAll(/\(([^()]*)(?:\(.*?\))?\)/g)].map(([, text = '']) => entry(text))
    : [];
  const head = Buffer.alloc(20);
  const ownerBytes = owner === undefined ? Buffer.alloc(0) : sid(owner);
  const acl = Buffer.alloc(hasList ? 8 : 0);
  const content = Buffer.concat(entries);
  head.writeUInt8(1, 0);
  head.writeUInt16LE(SELF_RELATIVE | (list === null ? 0 : DACL_PRESENT), 2);
  head.writeUInt32LE(owner === undefined ? 0 : head.length, 4);
  if (hasList) {
    head.writeUInt32LE(head.length + ownerBytes.length, 16);
    acl.writeUInt8(2, 0);
    acl.writeUInt16LE(acl.length + content.length, 2);
    acl.writeUInt16LE(entries.length, 4);
  }
  return Buffer.concat([head, ownerBytes, acl, content]);
}
