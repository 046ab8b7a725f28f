/** Requirements of what is packaged and installed: docs/deploy. */
import type { Requirement } from './requirement.ts';

const installation = (id: string, text: string, section: string): Requirement => ({
  id: `package.${id}`,
  text,
  source: `deploy/silent-installation#${section}`,
});

const watched = (id: string, text: string, page: string): Requirement => ({ id, text, source: `deploy/${page}` });

export const deploy: readonly Requirement[] = [
  {
    id: 'pages.commands',
    text: 'Every command line in README, docs, guides and deploy pages names commands and options that exist.',
    source: 'deploy/README#what-was-tried',
  },
  watched(
    'telemetry.metrics',
    '`GET /metrics` counts actions and their durations, without texts of windows; nothing is loaded before the first call.',
    'monitoring#metrics',
  ),
  watched(
    'telemetry.traces',
    'With a collector set, each action is a span in the caller’s trace, with its gate, approval and delivery; titles only where that is set.',
    'monitoring#traces',
  ),
  watched(
    'siem.events',
    'Approvals, denials, stops, policies, tokens and a damaged audit are events of the Windows event log with fixed numbers and without texts of windows.',
    'siem#windows-event-log',
  ),
  {
    id: 'package.client',
    text: 'The typed client is a package of its own without native parts and other packages, for any system with Node 20.',
    source: 'api#typescript-client',
  },
  {
    id: 'package.registry',
    text: 'The manifest of the MCP bundle has the answers by which Windows’ agent registry lists the tools.',
    source: 'clients/windows-agent-registry#the-manifest',
  },
  installation(
    'things',
    'npm run package makes the folder, its zip, the MSI, the npm package, the MCP bundle, the policy templates, the winget manifests, the checksums and the list of what is inside, and with --only one of them.',
    'what-npm-run-package-makes',
  ),
  installation(
    'signature',
    'The signature of node.exe is verified before anything is packed, and one that is not its vendor’s stops the build; --sign signs program and MSI, with a key in a file or on a token.',
    'what-npm-run-package-makes',
  ),
  installation(
    'program',
    'uiahost.exe runs the bundles of its own installation and nothing else: no script, no option of Node, no NODE_OPTIONS.',
    'what-npm-run-package-makes',
  ),
  installation(
    'npm',
    'The npm package works from its tarball alone: npx uiahost, npx uiahost doctor, npx uiahost mcp, and import in a program.',
    'what-npm-run-package-makes',
  ),
  installation(
    'msi.checked',
    'Every MSI is checked when it is made: its tables by what ICE 02, 03, 08, 21, 24, 60, 61, 77 and 80 look for, and its cabinet against the files.',
    'what-npm-run-package-makes',
  ),
  installation(
    'msi.installs',
    'msiexec /i with /qn installs the files, the service, an entry among the installed programs, the event source and the PATH entry.',
    'silent-installation',
  ),
  installation(
    'msi.values',
    'A wrong value of a property ends the installation with a message in the log that names it, and nothing is left behind.',
    'wrong-values',
  ),
  installation('msi.remembers', 'Properties are remembered at repair and upgrade unless given.', 'properties'),
  installation(
    'msi.policy',
    'POLICYFILE is checked and becomes the machine’s policy, LEVEL its level; a failed installation puts back what was there.',
    'properties',
  ),
  installation(
    'msi.undone',
    'An installation whose service does not start, or whose policy file is not valid, is undone whole.',
    'wrong-values',
  ),
  installation(
    'msi.same-version',
    'A package of the same version, such as a pre-release, replaces the installed one: no two share a service.',
    'exit-codes',
  ),
  installation(
    'msi.grammar',
    'Conditions and formatted texts of the MSI keep to the documented grammar: no integer beyond 32,767, no name that nothing sets.',
    'wrong-values',
  ),
  installation('msi.port', 'A PORT that is not from 1 to 65535 undoes the installation, by name.', 'wrong-values'),
  installation(
    'msi.secrets',
    'No token is in the log, the registry or the command lines of an installation.',
    'properties',
  ),
  installation(
    'msi.folder',
    'INSTALLDIR is a new folder or one under Program Files, and only administrators can change what is installed there.',
    'properties',
  ),
  installation(
    'msi.space',
    'Too little space ends the installation with a message before anything has changed.',
    'wrong-values',
  ),
  installation(
    'msi.hostile',
    'No program in front on the PATH or at an unquoted path runs during an installation, in the service or in its hosts.',
    'silent-installation',
  ),
  {
    id: 'package.msi.user-repair',
    text: 'A repair by a user who is not an administrator restores files and takes no value of a property, and nothing from that user’s environment.',
    source: 'deploy/upgrading#repair',
  },
  {
    id: 'package.upgrade.load',
    text: 'An action that runs during an upgrade ends in order or its caller reads that delivery is unknown; the audit is one chain across the upgrade.',
    source: 'deploy/upgrading#what-happens',
  },
  {
    id: 'package.upgrade.power',
    text: 'After a power failure in the middle of an upgrade, running the installer again completes it; no data of users is lost.',
    source: 'deploy/upgrading#what-happens',
  },
  {
    id: 'package.msi.upgrade',
    text: 'An upgrade keeps settings, policy and users’ data; a downgrade is refused; a repair restores files and keeps settings.',
    source: 'deploy/upgrading#what-happens',
  },
  {
    id: 'package.msi.removes',
    text: 'A removal takes files, service, event source, PATH entry and registry; users’ data stays and the log names where; REMOVEDATA=1 takes the machine’s data too.',
    source: 'deploy/removing#removing',
  },
  {
    id: 'policy.registry.values',
    text: 'One table says which registry value means which part of the policy, and of which kind it is; it has every part.',
    source: 'deploy/group-policy#values',
  },
  {
    id: 'policy.templates',
    text: 'The templates for Group Policy are generated from the policy’s schema, with texts in English and German, and break no rule of the format.',
    source: 'deploy/group-policy#values',
  },
  {
    id: 'doctor.machine',
    text: 'The doctor judges the machine too: host and lock files, session, port, rights of data, policy, signatures, clock, disk, audit, service, sign-in entry and remote control tools, each with code, severity, sentence and cure.',
    source: 'deploy/diagnosis#findings',
  },
  {
    id: 'doctor.status',
    text: 'uiahost doctor ends with 0 if nothing blocks, 1 if something does, 2 if it could not look.',
    source: 'deploy/diagnosis#uiahost-doctor',
  },
  {
    id: 'doctor.fix',
    text: 'uiahost doctor --fix does what is safe, lists it, finds nothing more to do the second time, and leaves policies, tokens, keys and the audit alone.',
    source: 'deploy/diagnosis#uiahost-doctor',
  },
  {
    id: 'support.bundle',
    text: 'uiahost support-bundle gathers diagnosis, status, policy, versions, the verdict on the audit, events and logs in one zip file, with and without a running host, and replaces no file without --force.',
    source: 'deploy/diagnosis#uiahost-support-bundle',
  },
  {
    id: 'support.secrets',
    text: 'Nothing secret is in a support bundle: no token, key, typed text, content or title of a window, value of a variable, or name of the user.',
    source: 'deploy/diagnosis#what-is-left-out',
  },
];
