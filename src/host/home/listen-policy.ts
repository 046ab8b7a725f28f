/** Where the host listens and where it reports, after what administrators set for the machine. */
import { readFileSync } from 'node:fs';
import { isLoopback } from '../../contract/process/host-file.ts';
import { badInput, UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { Collector } from '../../contract/gate/machine-host.ts';
import type { PolicySetting, SettingOrigin } from '../../contract/gate/policy-sources.ts';
import type { MachineSettings } from '../../policy/file/machine-layers.ts';
import { headersOf, type ListenConfig, type TlsSource } from './config.ts';

/** Where a configured port comes from; undefined for the default. */
export type PortOrigin = { readonly layer: 'environment' | 'installation'; readonly place: string } | undefined;

interface PortUser {
  readonly session: number | null;
  readonly program: string | null;
}

/**
 * Whether the port is the host's of another session, so that this one takes a free port. Windows shows no program of some other
 * users' processes; that they are in another session is known.
 */
export const isSecondSession = (holder: PortUser | null, own: PortUser): boolean =>
  holder !== null &&
  holder.session !== null &&
  holder.session !== own.session &&
  (holder.program === null || holder.program.toLowerCase() === own.program?.toLowerCase());

const DEFAULT_ORIGIN: SettingOrigin = { layer: 'default', place: null };
const environment = (place: string): SettingOrigin => ({ layer: 'environment', place });

function setting(
  name: string,
  configured: unknown,
  from: SettingOrigin,
  { set }: MachineSettings,
  value: unknown = configured,
): PolicySetting {
  const given = set.filter((each) => each.name === name);
  const by = given.at(-1)?.origin;
  const isChanged = by !== undefined && JSON.stringify(value) !== JSON.stringify(configured);
  return {
    setting: name,
    value,
    ...(isChanged ? by : from),
    set: [{ ...from, value: configured }, ...given.map((each) => ({ ...each.origin, value: each.value }))],
    narrowed: isChanged ? [{ ...by, from: configured, to: value }] : [],
  };
}

/** What is used to serve HTTPS. Errors: invalid_argument for an incomplete or a double choice. */
function tlsOf({ host }: MachineSettings): TlsSource | undefined {
  const { key, certificate, pfx, passphraseFile } = host.tls ?? {};
  const ways = [
    ...(key === undefined && certificate === undefined ? [] : ['TlsKey with TlsCertificate']),
    ...(pfx === undefined ? [] : ['TlsPfx']),
  ];
  if (ways.length === 0) return undefined;
  const fail = (message: string): never => {
    throw badInput(`${message} The host did not start.`, {
      hint: 'Set TlsKey with TlsCertificate, or TlsPfx in the policy of the machine.',
    });
  };
  if (ways.length > 1) return fail(`The policy of the machine names the certificate twice: ${ways.join(' and ')}.`);
  if (pfx !== undefined) return { pfxFile: pfx, passphraseFile };
  if (key === undefined || certificate === undefined)
    return fail('The policy of the machine has only one of TlsKey and TlsCertificate.');
  return { keyFile: key, certificateFile: certificate };
}

/**
 * Where traces and metrics go. The headers are in a file: every user can read the policy. Errors: invalid_argument for a file that
 * cannot be read or has other lines, naming no line.
 */
function collectorOf({ host }: MachineSettings): Collector | undefined {
  const { address, headersFile, titles = false } = host.collector ?? {};
  if (address === undefined) return undefined;
  const lines = headersFile === undefined ? [] : linesOf(headersFile);
  const headers = headersOf(lines);
  if (headers !== null) return { url: address, headers, titles };
  throw badInput(
    `${quoted(headersFile ?? '')}, which CollectorHeadersFile names, has a line that is not NAME=VALUE. The host did not start.`,
    { hint: 'Write one header in each line.' },
  );
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '');
  } catch (error) {
    throw badInput(
      `${quoted(file)}, which CollectorHeadersFile names, cannot be read (${String((error as NodeJS.ErrnoException).code)}). The host did not start.`,
      { hint: 'Make the file readable for the users for whom hosts run.' },
    );
  }
}

/**
 * What administrators set takes the place of what is configured; AllowRemote = 0 forbids what the configuration allows. Errors:
 * blocked_by_policy for an address that other machines reach while the policy forbids it; those of the certificate.
 */
export function narrowListen<T extends ListenConfig>(
  config: T,
  machine: MachineSettings,
  portOrigin: PortOrigin,
): { readonly config: T; readonly settings: PolicySetting[] } {
  const { host } = machine;
  const address = host.address ?? config.address;
  const isForbidden = host.allowRemote === false;
  if (isForbidden && !isLoopback(address))
    throw new UiaHostError(
      'blocked_by_policy',
      `The address ${address} is reachable from other machines, which Group Policy forbids (AllowRemote is 0). The host did not start.`,
      { hint: 'Leave UIAHOST_ADDRESS out, or have an administrator change the policy.' },
    );
  const collector = collectorOf(machine);
  const now = {
    ...config,
    address,
    port: host.port ?? config.port,
    tls: tlsOf(machine) ?? config.tls,
    allowRemote: host.allowRemote ?? config.allowRemote,
    allowedHosts: host.names ?? config.allowedHosts,
    ...(collector === undefined ? {} : { collector }),
    ...(host.icon === undefined ? {} : { hasIcon: host.icon }),
    ...(host.tokensNotBefore === undefined ? {} : { tokensNotBefore: host.tokensNotBefore }),
  };
  const from = (isSet: boolean, name: string): SettingOrigin => (isSet ? environment(name) : DEFAULT_ORIGIN);
  const listed = ['port', 'allowRemote', 'address', 'names'];
  const others = [...new Set(machine.set.map(({ name }) => name))].filter((name) => !listed.includes(name));
  return {
    config: now,
    settings: [
      setting('port', config.port, portOrigin ?? DEFAULT_ORIGIN, machine, now.port),
      setting(
        'allowRemote',
        config.allowRemote,
        from(config.allowRemote, 'UIAHOST_ALLOW_REMOTE'),
        machine,
        now.allowRemote,
      ),
      setting('address', config.address, from(!isLoopback(config.address), 'UIAHOST_ADDRESS'), machine, address),
      setting(
        'names',
        config.allowedHosts,
        from(config.allowedHosts.length > 0, 'UIAHOST_ALLOWED_HOSTS'),
        machine,
        now.allowedHosts,
      ),
      ...others.map((name) =>
        setting(name, null, DEFAULT_ORIGIN, machine, machine.set.findLast((each) => each.name === name)?.value),
      ),
    ],
  };
}
