/** The doctor: what is wrong with the desktop, the overlay and the host's files. */
import type { WitnessState } from '../../audit/anchor.ts';
import {
  APPROVE_BY_API,
  type DoctorFinding,
  type OverlayFacts,
  type SessionFacts,
} from '../../contract/process/doctor.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { NO_FLAWS, type PolicyFlaws } from '../../contract/gate/policy-sources.ts';

/** What a session without a screen still does: docs/deploy/unattended.md. */
const IN_BACKGROUND =
  'Reading, element actions, text, terminals and spreadsheets continue in the background; pictures of the display and real input do not.';

/**
 * Finds what would prevent actions before one is tried. Pure: tested with recorded states.
 * Source of the session states: learn.microsoft.com/windows/win32/termserv/terminal-services-sessions
 */
export function diagnose(facts: SessionFacts): DoctorFinding[] {
  const findings: DoctorFinding[] = [];
  const add = (code: string, severity: DoctorFinding['severity'], message: string, cure: string): void => {
    findings.push({ code, severity, message, cure });
  };
  if (facts.sessionId === 0) {
    add(
      'session_0',
      'blocks',
      'The host runs in session 0, which is for services and has no person’s windows.',
      'Let the service start it in each user’s session (`uiahost service install`), or run `uiahost start` as a signed-in user.',
    );
  }
  if (facts.displays === 0)
    add(
      'no_display',
      'limits',
      `There is no display. ${IN_BACKGROUND}`,
      'Connect a display or a remote desktop session, or install a virtual display.',
    );
  if (!facts.isConnected)
    add(
      'disconnected',
      'limits',
      `The session is disconnected, so its windows are not drawn. ${IN_BACKGROUND}`,
      'Reconnect the session, or move it to the console as an administrator: tscon %SESSIONNAME% /dest:console.',
    );
  if (facts.isLocked)
    add(
      'locked',
      'limits',
      `The session is locked. ${IN_BACKGROUND}`,
      'Unlock it; on a machine without a person, let it not lock.',
    );
  if (facts.inputDesktop === null) {
    if (!facts.isLocked)
      add(
        'secure_desktop',
        'limits',
        `A secure desktop (elevation prompt, sign-in) has the input. ${IN_BACKGROUND}`,
        'Answer the prompt at the machine.',
      );
  } else if (facts.inputDesktop.toLowerCase() !== 'default') {
    add(
      'other_desktop',
      'limits',
      `The desktop ${quoted(facts.inputDesktop)} has the input instead of Default. ${IN_BACKGROUND}`,
      'End the screen saver or switch back.',
    );
  }
  if (facts.target !== null) {
    if (facts.target.isHung)
      add('target_hung', 'blocks', 'The bound window does not respond.', 'Wait until its program answers, or end it.');
    if (isHigher(facts.target.integrity, facts.ownIntegrity)) {
      add(
        'target_elevated',
        'blocks',
        `The bound window runs with ${facts.target.integrity} integrity, the host with ${facts.ownIntegrity}; Windows silently drops our input to it.`,
        'Start the program without elevation.',
      );
    }
  }
  if (!facts.hasUiAutomation)
    add(
      'no_uia',
      'limits',
      'UI Automation could not be started; elements come only from window messages and MSAA.',
      'Check that uiautomationcore.dll is registered.',
    );
  if (!facts.hasInputOrigin)
    add(
      'no_input_origin',
      'limits',
      'The system cannot distinguish hardware input from injected input, so the overlay can only deny.',
      APPROVE_BY_API,
    );
  if (facts.isServer)
    add(
      'server_edition',
      'limits',
      'On a Server edition Windows does not vouch for the origin of input; the overlay can only deny.',
      APPROVE_BY_API,
    );
  if (facts.ownIntegrity === 'high' || facts.ownIntegrity === 'system')
    add(
      'elevated',
      'info',
      `The host runs with ${facts.ownIntegrity} integrity: what agents do has an administrator’s rights.`,
      'Start it without elevation.',
    );
  if (facts.isRemote)
    add('remote_session', 'info', 'This is a remote desktop session; its input counts as hardware.', 'Nothing to do.');
  return findings;
}

/** Problems of the overlay that `diagnose` does not report. */
export function diagnoseOverlay(facts: OverlayFacts): DoctorFinding[] {
  const findings: DoctorFinding[] = [];
  if (facts.state === 'failed') {
    findings.push({
      code: 'overlay_down',
      severity: 'limits',
      message: 'The overlay’s process keeps ending, so no card can be shown; it is started again every second.',
      cure: 'See logs/host.log; until then decide over the operator API, where the policy allows it.',
    });
  }
  if (facts.hindrances.includes('no_input_hook')) {
    findings.push({
      code: 'no_input_hook',
      severity: 'limits',
      message:
        'Windows refuses the hook that distinguishes hardware input from injected input, so the overlay can only deny.',
      cure: `Check whether a security product forbids low-level hooks. ${APPROVE_BY_API}`,
    });
  }
  if (facts.sawInjectedInput) {
    findings.push({
      code: 'remote_control',
      severity: 'limits',
      message:
        'A card received input that a program had injected, and ignored it. Remote control tools inject input: through them the overlay can only deny.',
      cure: 'Decide at the machine, over Remote Desktop, or over the operator API.',
    });
  }
  if (facts.state === 'ready' && !facts.hasStopHotkey) {
    findings.push({
      code: 'stop_hotkey_taken',
      severity: 'limits',
      message: 'Another program holds Ctrl+Alt+Shift+Esc, so it does not stop the host.',
      cure: 'End that program (another host?); until then stop with `uiahost stop`, a card’s Stop button, or the operator API.',
    });
  }
  return findings;
}

/** What of the policy does not count, or only in part. */
export function diagnosePolicy(flaws: PolicyFlaws = NO_FLAWS): DoctorFinding[] {
  const all = (
    code: string,
    severity: DoctorFinding['severity'],
    of: readonly string[],
    message: string,
    cure: string,
  ) => of.map((each): DoctorFinding => ({ code, severity, message: message.replace('%', () => each), cure }));
  return [
    ...all(
      'policy_refused',
      'blocks',
      flaws.refused,
      'A part of the policy is not valid, so no host starts, and a running one allows nothing after a minute: %',
      'Correct it: a registry value or the machine’s file as an administrator, your own file with `uiahost policy check FILE`.',
    ),
    ...all(
      'registry_policy_writable',
      'info',
      flaws.writableKeys,
      'A registry key of the policy is not the administrators’ alone, so it only narrows: %.',
      'Make administrators the owner of the key and the only ones who can write it, as Group Policy does.',
    ),
    ...all(
      'registry_policy_unknown',
      'limits',
      flaws.unknownNames,
      'A name in the registry’s policy is not known and limits nothing; the others hold: %',
      'Correct the name, or upgrade uiahost to the version that the policy templates are for.',
    ),
    ...all(
      'policy_unused',
      'limits',
      flaws.unusedSettings,
      'The machine’s policy has a setting without effect: %',
      'Take it out of the policy; docs/deploy/group-policy.md has what is there instead.',
    ),
    ...all(
      'machine_policy_writable',
      'limits',
      flaws.disbelieved === null ? [] : [flaws.disbelieved],
      'The machine’s policy is not the administrators’ alone, so it only narrows: %.',
      'Make administrators the owner of the file and its folder and the only ones who can write there, or remove it.',
    ),
  ];
}

/** Whether the audit has a witness outside the data directory. Actions work without one. */
export function diagnoseWitness(state: WitnessState): DoctorFinding[] {
  if (state !== 'failed') return [];
  return [
    {
      code: 'event_log_silent',
      severity: 'info',
      message: 'The Windows event log does not keep the host’s events, so it cannot show how far the audit reaches.',
      cure: 'Check that the service “Windows Event Log” runs and the log Application accepts new events; until then keep an exported key and copies of the audit elsewhere.',
    },
  ];
}

/** Without it, coordinates of windows on displays with different scaling are wrong. */
export function diagnoseDpi(isPerMonitorAware: boolean): DoctorFinding[] {
  if (isPerMonitorAware) return [];
  return [
    {
      code: 'dpi_unaware',
      severity: 'limits',
      message: 'The desktop worker does not see each display’s own scaling, so points may miss on scaled displays.',
      cure: 'Remove a compatibility setting for uiahost.exe or node.exe (Properties > Compatibility > high DPI), and restart the host.',
    },
  ];
}

/** Less free space (bytes), and pictures and records soon cannot be kept; far less, and nothing can be recorded. */
const LOW_BYTES = 500 * 1024 * 1024;
const NONE_BYTES = 20 * 1024 * 1024;

/** `freeBytes`: null if the system does not say. */
export function diagnoseDisk(freeBytes: number | null): DoctorFinding[] {
  if (freeBytes === null || freeBytes >= LOW_BYTES) return [];
  return [
    {
      code: 'disk_low',
      severity: freeBytes < NONE_BYTES ? 'blocks' : 'limits',
      message: `The disk of the data directory has ${Math.floor(freeBytes / 1024 / 1024)} MB left.`,
      cure: 'Free some space: what cannot be recorded is not done.',
    },
  ];
}

/** The first bad record of the audit; null for a whole one. */
export function diagnoseAudit(firstBad: { readonly seq: number; readonly reason: string } | null): DoctorFinding[] {
  if (firstBad === null) return [];
  return [
    {
      code: 'audit_damaged',
      severity: 'limits',
      message: `The audit is damaged at record ${firstBad.seq} (${firstBad.reason}).`,
      cure: 'Keep a copy of the data directory, and find out what changed it: docs/deploy/incident.md.',
    },
  ];
}

/** Files of the user's data that others can read or change, each in a sentence. */
export const diagnoseFiles = (unsafe: readonly string[]): DoctorFinding[] =>
  unsafe.map((why) => ({
    code: 'data_not_private',
    severity: 'blocks',
    message: `The data directory is not this user’s alone: ${why}.`,
    cure: 'Run `uiahost doctor --fix`: it restricts what this user owns. If another account could read the tokens, replace them.',
  }));

const INTEGRITY_ORDER = ['untrusted', 'low', 'medium', 'high', 'system'];

/** Whether the target's integrity is above ours. An unknown one counts as higher where ours is known: fail closed. */
export function isHigher(target: string, own: string): boolean {
  const ours = INTEGRITY_ORDER.indexOf(own);
  const theirs = INTEGRITY_ORDER.indexOf(target);
  if (theirs < 0) return ours >= 0 && ours < INTEGRITY_ORDER.length - 1;
  return theirs > ours;
}
