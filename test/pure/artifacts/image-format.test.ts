/** Sizes and types read from a picture’s structure, compared with a decoder; broken pictures are refused. */
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { decodeBase64 } from '../../../src/artifacts/image-artifact-store.ts';
import { parseImage, sniffMimeType } from '../../../src/artifacts/image-format.ts';
import { createRandom } from '../audit/mutations.ts';
import { picture, webpForms } from './pictures.ts';
import { wordsOf } from '../../support/words.ts';

const TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
const SIZES = [
  [1, 1],
  [40, 30],
  [1456, 819],
  [3, 1000],
] as const;

describe('[artifact.size] the size in the structure matches a decoder’s', () => {
  test.each(TYPES.flatMap((type) => SIZES.map(([width, height]) => [type, width, height] as const)))(
    '%s %i × %i',
    async (type, width, height) => {
      const bytes = await picture(type, width, height);
      expect(parseImage(bytes)).toEqual({ mimeType: type, width, height });
      expect(await sharp(bytes).metadata()).toMatchObject({ width, height });
    },
  );

  test('all forms of WebP, progressive JPEG, interlaced PNG', async () => {
    for (const bytes of Object.values(await webpForms(123, 77)))
      expect(parseImage(bytes)).toMatchObject({ width: 123, height: 77 });
    const image = sharp({ create: { width: 64, height: 48, channels: 3, background: '#123456' } });
    expect(parseImage(await image.clone().jpeg({ progressive: true, mozjpeg: true }).toBuffer())).toMatchObject({
      width: 64,
      height: 48,
    });
    expect(parseImage(await image.clone().png({ progressive: true, palette: true }).toBuffer())).toMatchObject({
      width: 64,
      height: 48,
    });
  });
});

describe('[artifact.strict] anything but a whole still picture is refused', () => {
  test.each(TYPES)('%s cut at any place, or with anything behind it', async (type) => {
    const bytes = await picture(type, 20, 20);
    for (let length = 0; length < bytes.length; length += 1)
      expect(parseImage(bytes.subarray(0, length)), `cut at ${length}`).toBeNull();
    for (const tail of ['\0', '<script>', 'PK\u0003\u0004'])
      expect(parseImage(Buffer.concat([bytes, Buffer.from(tail)]))).toBeNull();
  });

  test('a PNG with any bit flipped', async () => {
    const bytes = await picture('image/png', 20, 20);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(parseImage(changed), `bit ${bit}`).toBeNull();
    }
  });

  test('moving pictures', async () => {
    const twoFrames = Buffer.concat([Buffer.alloc(8 * 8 * 3, 0), Buffer.alloc(8 * 8 * 3, 255)]);
    const moving = await sharp(twoFrames, { raw: { width: 8, height: 16, channels: 3, pageHeight: 8 } })
      .webp({ loop: 0, delay: [100, 100] })
      .toBuffer();
    expect(moving.includes('ANIM')).toBe(true);
    expect(parseImage(moving)).toBeNull();
  });

  test('noise behind a good beginning never throws', async () => {
    const random = createRandom(7);
    for (const type of TYPES) {
      const bytes = await picture(type, 12, 9);
      for (let round = 0; round < 400; round += 1) {
        const changed = Buffer.from(bytes);
        for (let index = 0; index < 1 + random.integer(6); index += 1)
          changed[random.integer(changed.length)] = random.integer(256);
        expect(() => parseImage(changed)).not.toThrow();
      }
    }
  });

  test.each(['', 'GIF89a', 'BM', '<svg xmlns="http://www.w3.org/2000/svg"/>', '%PDF-1.7', 'RIFF1234WAVE'])(
    '%j is not a picture',
    (text) => {
      expect(sniffMimeType(Buffer.from(text))).toBeNull();
      expect(parseImage(Buffer.from(text))).toBeNull();
    },
  );
});

describe('base64', () => {
  test.each(['QQ==', 'QUI=', 'QUJD', '+/+/'])('%s is taken', (text) => {
    expect(decodeBase64(text)?.toString('base64')).toBe(text);
  });

  test.each([
    ...wordsOf`
      QQ QQ= QQ=== QR== QUJ= -_-_ QUJD= ==== QU=D data:image/png;base64,QUJD QUé=
    `,
    '',
    'Q Q=',
    'QUJD\n',
    ' QUJD',
  ])('%j is not', (text) => expect(decodeBase64(text)).toBeNull());
});
