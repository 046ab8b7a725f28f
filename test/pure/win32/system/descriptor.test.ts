/** Descriptors as Windows writes them, recorded or built by its reference: who besides the trusted may change or read. */
import { describe, expect, it } from 'vitest';
import {
  ADMINISTRATORS,
  untrustedWriters,
  parseDescriptor,
  untrustedReaders,
  SYSTEM,
  TRUSTED_INSTALLER,
} from '../../../../src/win32/system/descriptor.ts';

const ADA = 'S-1-5-21-1111111111-2222222222-3333333333-1001';
const BOB = 'S-1-5-21-1111111111-2222222222-3333333333-1002';
const administrators = new Set([SYSTEM, ADMINISTRATORS, TRUSTED_INSTALLER]);
const ada = new Set([...administrators, ADA]);
const changers = (sddl: string, trusted = administrators): string[] => untrustedWriters(parseDescriptor(sddl), trusted);
const readers = (sddl: string, trusted = ada): string[] => untrustedReaders(parseDescriptor(sddl), trusted);

describe('who may change a file or folder', () => {
  it('[trust.descriptors] administrators alone: a folder that an installer made, a file in Program Files', () => {
    expect(changers('O:BAG:SYD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;BU)')).toEqual([]);
    expect(
      changers(
        `O:${TRUSTED_INSTALLER}G:${TRUSTED_INSTALLER}D:AI(A;ID;FA;;;SY)(A;ID;FA;;;BA)(A;ID;0x1200a9;;;BU)(A;ID;FA;;;${TRUSTED_INSTALLER})`,
      ),
    ).toEqual([]);
    expect(changers('O:SYG:SYD:P(A;OICIIO;FA;;;CO)(A;OICI;FA;;;SY)')).toEqual([]);
  });

  it('[trust.descriptors] a folder as %ProgramData% gives it: users may put files into it', () => {
    expect(
      changers(
        'O:BAG:SYD:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIIOID;FA;;;CO)(A;OICIID;0x1200a9;;;BU)(A;CIID;DCLCRPCR;;;BU)',
      ),
    ).toEqual(['S-1-5-32-545']);
    expect(changers('O:BAG:SYD:(A;;FA;;;SY)(A;CI;0x100116;;;BU)')).toEqual(['S-1-5-32-545']);
  });

  it('[trust.descriptors] another user’s folder, whatever its list says', () => {
    expect(changers(`O:${BOB}G:BUD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)`)).toEqual([BOB]);
  });

  it('[trust.descriptors-unclear] everyone, where there is no list; unknown, where there is no owner', () => {
    expect(changers('O:BAG:SYD:NO_ACCESS_CONTROL')).toEqual(['S-1-1-0']);
    expect(changers('O:BAG:SY')).toEqual(['S-1-1-0']);
    expect(changers('D:(A;;FA;;;SY)')).toEqual(['']);
  });

  it.each([
    ['everyone, full', '(A;OICI;FA;;;WD)', 'S-1-1-0'],
    ['write generic', '(A;;GW;;;AU)', 'S-1-5-11'],
    ['change its list', '(A;;WD;;;BU)', 'S-1-5-32-545'],
    ['take it', '(A;;0x80000;;;BU)', 'S-1-5-32-545'],
    ['delete', '(A;;SD;;;IU)', 'S-1-5-4'],
    ['delete what is inside', '(A;;DT;;;BU)', 'S-1-5-32-545'],
    ['a user', `(A;;FW;;;${BOB})`, BOB],
  ])('[trust.descriptors] another user: %s', (_what, entry, who) => {
    expect(changers(`O:BAG:SYD:PAI(A;OICI;FA;;;SY)${entry}`)).toEqual([who]);
  });

  it.each([
    ['an unknown right', '(A;;ZZ;;;BU)', 'S-1-5-32-545'],
    ['a conditional entry', '(XA;;FA;;;WD;(@User.Title=="x"))', 'S-1-1-0'],
  ])('[trust.descriptors-unclear] %s counts as the right to change', (_what, entry, who) => {
    expect(changers(`O:BAG:SYD:PAI(A;OICI;FA;;;SY)${entry}`)).toEqual([who]);
  });

  it('[trust.descriptors] rights to read and entries that deny let no one change it; audit entries are not rights', () => {
    expect(changers('O:BAG:SYD:P(A;;FR;;;WD)(A;;0x1200a9;;;BU)(D;;FA;;;AN)S:(AU;SAFA;FA;;;WD)')).toEqual([]);
  });
});

describe('who may read a secret', () => {
  it('[trust.descriptors-read] its user, the system and administrators', () => {
    expect(readers(`O:${ADA}G:BUD:P(A;;FA;;;SY)(A;;FA;;;${ADA})`)).toEqual([]);
    expect(readers(`O:BAG:BUD:AI(A;ID;FA;;;SY)(A;ID;FA;;;BA)(A;ID;FA;;;${ADA})`)).toEqual([]);
    expect(readers(`O:${ADA}D:P(A;;FA;;;OW)(A;;FA;;;SY)`)).toEqual([]);
  });

  it('[trust.descriptors-read] no one else: not by reading, not by writing, not by owning', () => {
    expect(readers(`O:${ADA}D:(A;;FA;;;${ADA})(A;;FR;;;BU)`)).toEqual(['S-1-5-32-545']);
    expect(readers(`O:${ADA}D:(A;;FA;;;${ADA})(A;;GW;;;WD)`)).toEqual(['S-1-1-0']);
    expect(readers(`O:${BOB}D:P(A;;FA;;;${ADA})`)).toEqual([BOB]);
  });
});
