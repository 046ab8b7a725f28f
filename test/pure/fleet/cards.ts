/** A tenant of a fleet with signers of every role, for tests without a server. */
import { createAccount, createUser } from '@nats-io/nkeys';
import { encodeUser } from '@nats-io/jwt';
import { signerOf, type Role, type Signer, type Trust } from '../../../src/fleet/bus/signed.ts';

export interface Tenant {
  readonly trust: Trust;
  signer(role: Role, name: string, options?: { pools?: readonly string[]; expires?: number }): Promise<Signer>;
}

export function createTenant(revoked: ReadonlySet<string> = new Set()): Tenant {
  const issuer = createAccount();
  return {
    trust: { issuer: issuer.getPublicKey(), revoked },
    async signer(role, name, { pools = [], expires = Math.floor(Date.now() / 1000) + 86_400 } = {}) {
      const user = createUser();
      const tags = [`role:${role}`, ...pools.map((pool) => `pool:${pool}`)];
      const card = await encodeUser(name, user, issuer, { tags }, { exp: expires });
      return signerOf(card, Buffer.from(user.getSeed()).toString());
    },
  };
}
