/** Encrypts what is kept on disk: for this process alone, by a key that exists only in memory, or for every host that holds a secret. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export class Seal {
  readonly #key: Buffer;
  /** Whether a later host can open it too. */
  readonly isLasting: boolean;

  constructor(secret?: Uint8Array) {
    this.isLasting = secret !== undefined;
    this.#key = secret === undefined ? randomBytes(32) : createHmac('sha256', secret).update('seal').digest();
  }

  close(plain: Uint8Array): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    const hidden = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), hidden]);
  }

  /** Null for what another key sealed, or what was changed since. */
  open(sealed: Uint8Array): Buffer | null {
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    } catch {
      return null;
    }
  }

  /** A name for a file that reveals nothing of the text, not even to someone who can guess it. In lower-case hex. */
  nameOf(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('hex');
  }
}
