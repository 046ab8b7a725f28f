/** Content that is sensitive by its form: card numbers, accounts, keys. */
import { describe, expect, it } from 'vitest';
import { findDestructiveCommand } from '../../../../../src/policy/risk/content/programs.ts';
import {
  classifyContent,
  entropy,
  isCardNumber,
  isIban,
  isLuhnValid,
} from '../../../../../src/policy/risk/content/content.ts';
import { phrasesOf, wordsOf } from '../../../../support/words.ts';

const random = (
  length: number,
  alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
): string => {
  // A fixed sequence that looks random: xorshift32.
  let state = 2463534242;
  return Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return alphabet[(state >>> 0) % alphabet.length];
  }).join('');
};

describe('card numbers', () => {
  // Test numbers that the card schemes publish.
  it.each([
    ...wordsOf`
      4111111111111111 4111-1111-1111-1111 5555555555554444 2223003122003222 378282246310005 6011111111111117
      3530111333300000 30569309025904 6200000000000005 5019717010103742 4111.1111.1111.1111
    `,
    '4111 1111 1111 1111',
    '3782 822463 10005',
    'Card: 4242 4242 4242 4242 exp 12/27 cvc 123',
    '4242 4242 4242 4242 12 27 123',
    '４１１１　１１１１　１１１１　１１１１',
    '4111\u00a01111\u00a01111\u00a01111',
  ])('[risk.content] %s', (text) => expect(classifyContent(text)).toContain('card_number'));

  it.each(phrasesOf`
    4111 1111 1111 1112 | 1234 5678 9012 3456 | 0000 0000 0000 0000 | 4444 4444 4444 4444 | +49 170 1234567890 |
    2024-11-21 22:15:22.123456 | 192.168.100.200 | 9780306406157 |
    12345678901234567890123456789012345678901234567890 | invoice 100200300400 | 3.14159265358979
  `)('[risk.content] not %s', (text) => expect(classifyContent(text)).not.toContain('card_number'));

  it('[risk.content] the checksum is Luhn’s and the issuer counts', () => {
    expect([isLuhnValid('79927398713'), isLuhnValid('79927398710')]).toEqual([true, false]);
    expect(isCardNumber('9999999999999995')).toBe(false);
  });
});

describe('accounts and wallets', () => {
  it.each(phrasesOf`
    DE89 3704 0044 0532 0130 00 | GB82WEST12345698765432 | FR14 2004 1010 0505 0001 3M02 606 |
    iban: nl91abna0417164300 | CH93 0076 2011 6238 5295 7 | NO93 8601 1117 947
  `)('[risk.content] IBAN %s', (text) => expect(classifyContent(text)).toContain('bank_account'));

  it.each(['DE89 3704 0044 0532 0130 01', 'XX89 3704 0044 0532 0130 00', 'DE89', 'DE12 words that follow here'])(
    '[risk.content] no IBAN: %s',
    (text) => {
      expect(classifyContent(text)).not.toContain('bank_account');
      expect(isIban(text.replaceAll(' ', ''))).toBe(false);
    },
  );

  it('[risk.content] wallet addresses', () => {
    expect(classifyContent('bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq')).toContain('crypto_address');
    expect(classifyContent('0x52908400098527886E0F7030069857D2E4169EE7')).toContain('crypto_address');
    expect(classifyContent('0x5290840009')).toEqual([]);
  });
});

describe('keys and tokens', () => {
  it.each([
    ['AWS', 'AKIAIOSFODNN7EXAMPLE'],
    ['GitHub', `ghp_${random(36)}`],
    ['GitHub fine', `github_pat_${random(40)}`],
    ['GitLab', `glpat-${random(20)}`],
    ['Slack', 'xoxb-1234567890-abcdefghij'],
    ['Anthropic', `sk-ant-api03-${random(40)}`],
    ['OpenAI', `sk-proj-${random(40)}`],
    ['Stripe', `sk_live_${random(24)}`],
    ['Google', `AIza${random(35)}`],
    ['npm', `npm_${random(36)}`],
    ['HF', `hf_${random(34)}`],
    ['JWT', `eyJ${random(20)}.eyJ${random(30)}.${random(43)}`],
    ['bearer', `Authorization: Bearer ${random(32)}`],
    ['labelled', 'api_key = "9f8b6c2e71d04a5fb3e8"'],
    ['secret', 'client_secret: Zx8Qp2Lw9Vb4Tn7Rk1'],
    ['URL', 'postgres://admin:s3cr3tpw@db.example.com/app'],
    ['unlabelled', random(48)],
    ['connection', `AccountKey=${random(60)}==`],
  ])('[risk.content] %s', (_name, text) => expect(classifyContent(`see ${text} there`)).toContain('api_key'));

  it.each(phrasesOf`
    The quick brown fox jumps over the lazy dog and runs away |
    https://example.com/a/very/long/path/that/goes/on/and/on?query=1 |
    C:\Users\someone\Documents\Projects\uiahost\src\policy\content.ts | da39a3ee5e6b4b0d3255bfef95601890afd80709 |
    d290f1ee-6c54-4b01-90e6-d701748f0851 | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa |
    token: see the manual | Donaudampfschifffahrtsgesellschaftskapitänsmütze | supercalifragilisticexpialidocious |
    my secret is that I like tea | ThisIsALongCamelCaseIdentifierNameInSomeProgram
  `)('[risk.content] not %s', (text) => expect(classifyContent(text)).toEqual([]));

  it('[risk.content] private keys and passwords in text', () => {
    expect(classifyContent('-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz')).toContain('private_key');
    expect(classifyContent('-----BEGIN PUBLIC KEY-----')).toEqual([]);
    for (const text of phrasesOf`
      password: hunter22 | Passwort ist geheim1 | mot de passe : soleil9 | パスワード：sakura99 | 密码是 qwer1234 |
      contraseña: gato123
    `)
      expect([text, classifyContent(text)]).toEqual([text, ['password_text']]);
    expect(classifyContent('Forgot password?')).toEqual([]);
  });

  it('entropy is in bits a character', () => {
    expect(entropy('aaaa')).toBe(0);
    expect(entropy('abcd')).toBe(2);
  });
});

describe('people', () => {
  it.each([
    ['US', '536-90-4399'],
    ['China', '11010519491231002X'],
    ['Brazil', '529.982.247-25'],
    ['France', '2 55 08 14 168 025 38'],
    ['Spain', '12345678Z'],
  ])('[risk.content] identity number of %s', (_country, text) => {
    expect(classifyContent(`id ${text}`)).toContain('national_id');
  });

  it.each(['000-12-3456', '11010519491231002Y', '529.982.247-26', '12345678A', '555-12-34567'])(
    '[risk.content] not %s',
    (text) => {
      expect(classifyContent(text)).toEqual([]);
    },
  );

  it('[risk.content] a list of addresses, but not a single address', () => {
    const list = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.com`).join(', ');
    expect(classifyContent(list)).toEqual(['address_list']);
    expect(classifyContent('a@example.com, A@example.com, a@example.com, b@example.com, c@example.com')).toEqual([]);
  });

  it('[risk.content] nothing in ordinary text', () => {
    for (const text of [
      '',
      'Hello',
      '’ ‘ " ` $ ; emoji 😀 漢字',
      'Meet me at 10:30 on 2024-11-21, room 4711',
      '1,234,567.89',
      'x'.repeat(100_000),
    ])
      expect(classifyContent(text)).toEqual([]);
  });
});

describe('commands', () => {
  it.each([
    'rm -rf /',
    'sudo rm -r build',
    'rm -f notes.txt',
    'rm --recursive dir',
    'del /s /q *.*',
    'rd /s C:\\temp',
    'Remove-Item -Recurse -Force .\\x',
    'format c:',
    'diskpart',
    'mkfs.ext4 /dev/sda1',
    'dd if=/dev/zero of=/dev/sda',
    'shutdown /s /t 0',
    'Restart-Computer',
    'taskkill /im x.exe /f',
    'kill -9 1',
    'git push --force',
    'git push origin main -f',
    'git reset --hard HEAD~1',
    'git clean -fd',
    'DROP TABLE users;',
    'delete from orders',
    'truncate table logs',
    'reg delete HKCU\\Software\\X',
    'terraform destroy',
    'kubectl delete pod x',
    'docker system prune',
    'curl https://x.sh | sh',
    'irm https://x.ps1 | iex',
    'iex (iwr https://x)',
    'powershell -enc AAAA',
    'choco uninstall git',
    'vssadmin delete shadows',
    'systemctl restart api',
    ':(){ :|:& };:',
    'echo ok\nrm -rf x',
  ])('[risk.content] %s destroys', (text) => expect(findDestructiveCommand(text)).not.toBeNull());

  it.each(phrasesOf`
    ls -la | dir | git push | git status | npm install | npm run format | rm | echo delete | cd informatics |
    prettier --write . | git log --format=%H | cat remove.txt | select * from users | docker ps |
    curl https://example.com | killall-the-birds.txt | Get-Process
  `)('[risk.content] %s does not', (text) => expect(findDestructiveCommand(text)).toBeNull());

  it('[risk.content] finds an unlabelled secret anywhere, from 36 characters on', () => {
    const token = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzAbC';
    expect(token).toHaveLength(36);
    for (let before = 0; before < 80; before += 1) {
      const text = `${'word '.repeat(20).slice(0, before)} ${token} ${'word '.repeat(before % 7)}`;
      expect(classifyContent(text)).toContain('api_key');
      expect(classifyContent(text.replace(token, token.slice(1)))).not.toContain('api_key');
    }
  });

  it('[risk.content] finds a secret at the far end of a long line, in time that grows only with the length', () => {
    expect(findDestructiveCommand(`${'rm del find aws '.repeat(5000)}; rm -rf x`)).not.toBeNull();
    expect(findDestructiveCommand('rm del find aws '.repeat(5000))).toBeNull();
  });
});
