import { createHash } from 'node:crypto';
import { readFileSync, renameSync, watch, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { UiaHostError } from '../contract/errors.ts';
import { parseOrRefuse } from '../contract/issues.ts';
import { defaultPolicy, Policy, type Grant, type Level } from '../contract/permissions.ts';
import type { PolicyService } from './host.ts';

export interface PolicyChange {
  readonly policy: Policy;
  readonly etag: string;
  readonly by: string;
}

export interface PolicyServiceOptions {
  readonly file: string;
  /** Level for this run, said when the host was started from a checkout; the file keeps what it has. */
  readonly level: Level | undefined;
  /** Grants for this run alone: the demonstration's own program. */
  readonly grants: readonly Grant[];
  onChange(change: PolicyChange): Promise<void>;
  /** The file changed into something that is not valid; the last good policy stays. */
  onRefused(reason: string): void;
}

const FilePolicy = Policy.partial();
/** An editor writes a file in several steps. */
const SETTLE_MS = 150;

/** The policy file of a data directory: read at start, watched, changed through the API. */
export async function openPolicyService(options: PolicyServiceOptions): Promise<PolicyService & { close(): void }> {
  let policy = startPolicy(options);
  let written = '';
  const etag = (): string => etagOf(policy);

  const take = async (next: Policy, by: string): Promise<void> => {
    policy = next;
    await options.onChange({ policy, etag: etag(), by });
  };

  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(dirname(options.file), (_event, name) => {
    if (name !== null && name !== basename(options.file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const text = readText(options.file);
      if (text === null || text === written) return;
      written = text;
      try {
        void take(fromFile(text), 'file').catch((error: unknown) => options.onRefused(String(error)));
      } catch (error) {
        options.onRefused(error instanceof Error ? error.message : String(error));
      }
    }, SETTLE_MS);
  });
  watcher.on('error', () => {});

  return {
    get: () => ({ policy, etag: etag() }),

    async change(change, how, ifMatch, by) {
      if (ifMatch !== undefined && ifMatch !== '*' && ifMatch !== etag()) {
        throw new UiaHostError('state_conflict', 'The policy has changed since this ETag was read; nothing was changed.', { hint: 'GET /v1/policy again and repeat the change on it.' });
      }
      if (typeof change !== 'object' || change === null || Array.isArray(change)) throw new UiaHostError('invalid_argument', 'A policy is a JSON object; nothing was changed.');
      const base: Record<string, unknown> = how === 'merge' ? { ...policy } : { ...defaultPolicy(), level: undefined };
      const merged = mergePatch(base, change as Record<string, unknown>);
      const next = parseOrRefuse(Policy, { ...(merged as Record<string, unknown>), source: 'file' });
      const text = `${JSON.stringify({ ...next, source: undefined }, null, 2)}\n`;
      written = text;
      writeByRename(options.file, text);
      await take(next, by);
      return { policy, etag: etag() };
    },

    close() {
      clearTimeout(timer);
      watcher.close();
    },
  };
}

function startPolicy(options: PolicyServiceOptions): Policy {
  const text = readText(options.file);
  let policy = text === null ? defaultPolicy() : fromFile(text);
  if (options.level !== undefined) policy = { ...policy, level: options.level, source: text === null ? 'environment' : 'file and environment' };
  return options.grants.length === 0 ? policy : { ...policy, grants: [...policy.grants, ...options.grants] };
}

/** A file without a level, or with an unknown one, means disabled; anything else that is wrong in it is an error. */
function fromFile(text: string): Policy {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new UiaHostError('invalid_argument', `The policy file is not JSON: ${error instanceof Error ? error.message : String(error)}`, { hint: 'Mend or delete it; without a file the preset balanced applies.' });
  }
  const fields = typeof parsed === 'object' && parsed !== null ? { ...(parsed as Record<string, unknown>) } : {};
  if (!['disabled', 'observe', 'control', 'full'].includes(String(fields['level']))) fields['level'] = 'disabled';
  const checked = parseOrRefuse(FilePolicy, { ...fields, source: 'file' });
  const given = Object.fromEntries(Object.entries(checked).filter(([, value]) => value !== undefined));
  return { ...defaultPolicy('disabled'), ...given, source: 'file' };
}

/** RFC 7396: null removes, objects merge, everything else replaces. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const merged: Record<string, unknown> = typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...(target as Record<string, unknown>) } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}

const etagOf = (policy: Policy): string => `"${createHash('sha256').update(JSON.stringify(policy)).digest('hex').slice(0, 16)}"`;

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function writeByRename(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, text, { mode: 0o600, flush: true });
  renameSync(temporary, file);
}
