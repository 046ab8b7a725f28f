/** Tokens that the machine's policy names, or that the service brings, as the host takes them. */
import type { PolicyToken } from '../../contract/gate/machine-host.ts';
import { Level } from '../../contract/gate/permissions.ts';
import type { ChannelToken } from '../../contract/process/service-channel.ts';
import type { TokenLimits } from '../face/caller.ts';
import type { GivenToken } from './token-service.ts';

const limitsOf = (scope: string, level: Level | undefined, apps: readonly string[] | undefined): TokenLimits | null =>
  scope === 'operator' || (level === undefined && apps === undefined) ? null : { level, apps };

export const policyTokens = (tokens: readonly PolicyToken[]): GivenToken[] =>
  tokens.map(({ id, scope, sha256, expiresAt, level, apps }) => ({
    tokenId: id,
    scope,
    hash: sha256,
    expiresAt: expiresAt ?? null,
    limits: limitsOf(scope, level, apps),
  }));

/** A level that this version does not know permits nothing. */
export const channelTokens = (tokens: readonly ChannelToken[]): GivenToken[] =>
  tokens.map(({ level, apps, ...token }) => {
    const known = level === null ? undefined : (Level.safeParse(level).data ?? 'disabled');
    return { ...token, limits: limitsOf(token.scope, known, apps ?? undefined) };
  });
