/** Descriptors as Windows writes them, recorded or built by its reference: who besides the trusted may change or read. */
import { describe, expect, it } from 'vitest';
import {
  ADMINISTRATORS,
  untrustedWriters,
  readDescriptor,
  untrustedReaders,
  sidAt,
  SYSTEM,
  TRUSTED_INSTALLER,
} from '../../../../src/win32/system/descriptor.ts';
import { descriptor, MACHINE } from '../../../support/descriptors.ts';

const ADA = 'S-1-5-21-1111111111-2222222222-3333333333-1001';
const BOB = 'S-1-5-21-1111111111-2222222222-3333333333-1002';
const administrators = new Set([SYSTEM, ADMINISTRATORS, TRUSTED_INSTALLER]);
const ada = new Set([...administrators, ADA]);
const changers = (sddl: string, trusted = administrators): string[] =>
  untrustedWriters(readDescriptor(descriptor(sddl)), trusted);
const readers = (sddl: string, trusted = ada): string[] => untrustedReaders(readDescriptor(descriptor(sddl)), trusted);

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

  it('[trust.descriptors] a folder with the rights of %ProgramData%: users may put files into it', () => {
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

  it('everyone, where there is no list; unknown, where there is no owner', () => {
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
    ['an unknown kind of entry', '(??;;FR;;;BU)', ''],
    ['a conditional entry', '(XA;;FA;;;WD;(@User.Title=="x"))', 'S-1-1-0'],
    ['an entry for one kind of object', '(OA;;FA;bf967aba-0de6-11d0-a285-00aa003049e2;;WD)', 'S-1-1-0'],
    [
      'one for two',
      '(OA;;FA;bf967aba-0de6-11d0-a285-00aa003049e2;bf967aba-0de6-11d0-a285-00aa003049e2;BU)',
      'S-1-5-32-545',
    ],
  ])('%s counts as the right to change', (_what, entry, who) => {
    expect(changers(`O:BAG:SYD:PAI(A;OICI;FA;;;SY)${entry}`)).toEqual([who]);
  });

  it('[trust.descriptors] rights to read and entries that deny let no one change it; audit entries are not rights', () => {
    expect(changers('O:BAG:SYD:P(A;;FR;;;WD)(A;;0x1200a9;;;BU)(D;;FA;;;AN)S:(AU;SAFA;FA;;;WD)')).toEqual([]);
  });
});

describe('accounts that Windows writes as letters', () => {
  const administrator = `${MACHINE}-500`;

  it('the built-in Administrator owns and may change the data folder of a host that it runs itself', () => {
    const own = new Set([...administrators, administrator]);
    expect(changers('O:LAG:LAD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;LA)', own)).toEqual([]);
    expect(changers('O:BAG:LAD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;LA)', own)).toEqual([]);
    expect(readers('O:LAG:LAD:P(A;;GA;;;LA)(A;;FA;;;SY)', own)).toEqual([]);
  });

  it('it stays a stranger to any other user, and each is named by its SID', () => {
    expect(changers('O:LAG:LAD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;LA)', ada)).toEqual([administrator]);
    expect(changers('O:BAD:P(A;;FA;;;DA)(A;;FA;;;EA)(A;;FR;;;DU)(A;;FA;;;LG)')).toEqual([
      'S-1-5-21-4-5-6-512',
      'S-1-5-21-4-5-6-519',
      `${MACHINE}-501`,
    ]);
  });

  it('a domain account of either kind is trusted where it is the own one', () => {
    for (const alias of ['DA', 'DU', 'EA', 'LG'])
      expect(
        changers(
          `O:${alias}D:P(A;;FA;;;${alias})`,
          new Set([...administrators, readDescriptor(descriptor(`O:${alias}`)).owner]),
        ),
      ).toEqual([]);
  });

  it('authorities beyond 32 bits are written in hexadecimal, as Windows does', () => {
    const bytes = Buffer.from('0101123456789abc01000000', 'hex');
    expect(sidAt(bytes, 0)).toBe('S-1-0x123456789abc-1');
  });
});

describe('who may read a secret', () => {
  it('its user, the system and administrators', () => {
    expect(readers(`O:${ADA}G:BUD:P(A;;FA;;;SY)(A;;FA;;;${ADA})`)).toEqual([]);
    expect(readers(`O:BAG:BUD:AI(A;ID;FA;;;SY)(A;ID;FA;;;BA)(A;ID;FA;;;${ADA})`)).toEqual([]);
    expect(readers(`O:${ADA}D:P(A;;FA;;;OW)(A;;FA;;;SY)`)).toEqual([]);
  });

  it('no one else: not by reading, not by writing, not by owning', () => {
    expect(readers(`O:${ADA}D:(A;;FA;;;${ADA})(A;;FR;;;BU)`)).toEqual(['S-1-5-32-545']);
    expect(readers(`O:${ADA}D:(A;;FA;;;${ADA})(A;;GW;;;WD)`)).toEqual(['S-1-1-0']);
    expect(readers(`O:${BOB}D:P(A;;FA;;;${ADA})`)).toEqual([BOB]);
  });
});
