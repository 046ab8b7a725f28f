/** Schemas of what the host may do: permission levels, tiers, flags, grants and the policy. */
import { z } from 'zod';
import { isPageEntry } from './pages.ts';

/** What the host may do to the desktop (safety seed). */
export const Level = z.enum(['disabled', 'observe', 'control', 'full']);
export type Level = z.infer<typeof Level>;

/** How far a grant for one application reaches: read; left click and scroll; everything. */
export const Tier = z.enum(['read', 'click', 'full']);
export type Tier = z.infer<typeof Tier>;

export const Flag = z.enum(['clipboardRead', 'clipboardWrite', 'systemKeyCombos', 'displayCapture', 'prompts']);
export type Flag = z.infer<typeof Flag>;

/** What an action does: reads, sends input, changes windows, or starts programs. */
export const Effect = z.enum(['observe', 'input', 'manage', 'launch']);
export type Effect = z.infer<typeof Effect>;

export const RiskLevel = z.enum(['low', 'medium', 'high', 'critical']);
export type RiskLevel = z.infer<typeof RiskLevel>;

/** Tags of the proposal seed. */
export const ProposalRiskTag = z.enum([
  'authenticated',
  'destructive',
  'external_submit',
  'financial',
  'pii_export',
  'terms_or_cookies',
]);
export type ProposalRiskTag = z.infer<typeof ProposalRiskTag>;

/** Every tag the gate may set: the seed's, the safety seed's `computer:input`, and what `alwaysAsk` can name. */
export const RiskTag = z.enum([
  ...ProposalRiskTag.options,
  'computer:input',
  'password',
  'prompts',
  'customCommand',
  'elevated',
]);
export type RiskTag = z.infer<typeof RiskTag>;

export const AlwaysAsk = z.enum([
  'prompts',
  'customCommand',
  'password',
  'financial',
  'destructive',
  'authenticated',
  'external_submit',
  'pii_export',
  'terms_or_cookies',
]);
export type AlwaysAsk = z.infer<typeof AlwaysAsk>;

const ApprovalSurface = z.enum(['overlay', 'api', 'page', 'approver']);
export type ApprovalSurface = z.infer<typeof ApprovalSurface>;

export const Grant = z.strictObject({ app: z.string().min(1).max(1024), tier: Tier });
export type Grant = z.infer<typeof Grant>;

/** The policy as the API shows and accepts it. `source` is set by the host and ignored on input. */
export const Policy = z.strictObject({
  level: Level,
  grants: z.array(Grant).max(500),
  flags: z.array(Flag),
  /** Executables (file names or full paths) that may not be bound, listed with their titles, or captured. */
  deny: z.array(z.string().min(1).max(1024)).max(500),
  alwaysAsk: z.array(AlwaysAsk),
  elementsOnly: z.boolean(),
  /** Whether a proposal (request_ui_action) may name a point instead of an element. */
  coordinateProposals: z.boolean(),
  remoteControlMemory: z.boolean(),
  allowInsecureUrls: z.boolean(),
  /**
   * The only pages that a bound browser may show while an action runs in it or reads it: `https://host`, with an
   * optional path, `https://*.host` for its subdomains. null = any page; an empty list = none. A page that cannot be
   * determined is refused.
   */
  pages: z
    .array(
      z
        .string()
        .max(2048)
        .refine(isPageEntry, 'expected the address of a page, without credentials, query or fragment'),
    )
    .max(500)
    .nullable(),
  keepPictures: z.boolean(),
  approvals: z.strictObject({
    /** How long a card waits; then it counts as denied. */
    timeoutMs: z.int().min(1000).max(300_000),
    surfaces: z.array(ApprovalSurface),
  }),
  limits: z.strictObject({
    actionsPerMinute: z.int().min(1).max(100_000),
    /**
     * Maximum number of executed actions that change something in any session, whatever it requests; null = only the
     * session's own limit.
     */
    maxActions: z.int().min(1).max(200).nullable(),
    /** Maximum duration of any session, from its first action or its start; null = only the session's own limit. */
    maxDurationMs: z.int().min(1000).max(1_800_000).nullable(),
  }),
  /** After this many days a record is deleted; null = the audit is kept. Fewer days are a loosening. */
  retention: z.strictObject({
    auditDays: z.int().min(1).max(36_500).nullable(),
    pictureDays: z.int().min(1).max(3650),
    sessionDays: z.int().min(1).max(3650),
  }),
  source: z.string(),
});
export type Policy = z.infer<typeof Policy>;

export const Preset = z.enum(['safe', 'balanced', 'power', 'developer']);
export type Preset = z.infer<typeof Preset>;
export const PRESET_LEVELS: Readonly<Record<Preset, Level>> = {
  safe: 'disabled',
  balanced: 'control',
  power: 'full',
  developer: 'full',
};

/** Always asked, at every level, unless a policy lists otherwise. The last two only once the agent was given text to read. */
export const SHIPPED_ALWAYS_ASK: readonly AlwaysAsk[] = [
  'prompts',
  'customCommand',
  'password',
  'financial',
  'destructive',
  'external_submit',
  'pii_export',
];

/** What a preset of the safety document sets: `power` and `developer` allow input without confirmation. */
export const presetPolicy = (preset: Preset): Pick<Policy, 'level' | 'alwaysAsk'> => ({
  level: PRESET_LEVELS[preset],
  alwaysAsk: PRESET_LEVELS[preset] === 'full' ? [] : [...SHIPPED_ALWAYS_ASK],
});

/** The policy without any file: preset balanced, default lists. */
export function defaultPolicy(level: Level = PRESET_LEVELS.balanced): Policy {
  return {
    level,
    grants: [],
    flags: [],
    deny: [],
    alwaysAsk: [...SHIPPED_ALWAYS_ASK],
    elementsOnly: false,
    coordinateProposals: false,
    remoteControlMemory: true,
    allowInsecureUrls: false,
    pages: null,
    keepPictures: true,
    approvals: { timeoutMs: 120_000, surfaces: ['overlay', 'api'] },
    limits: { actionsPerMinute: 6000, maxActions: null, maxDurationMs: null },
    retention: { auditDays: null, pictureDays: 7, sessionDays: 30 },
    source: 'default',
  };
}
