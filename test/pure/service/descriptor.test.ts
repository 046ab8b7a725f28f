/** Who may control the service, by the descriptor that its installation sets. */
import { expect, test } from 'vitest';
import { SERVICE_SDDL } from '../../../src/win32/services/service-manager.ts';

/** Rights of a service that change it or what it does, and rights that change the descriptor itself. */
const CONTROLS = ['DC', 'RP', 'WP', 'DT', 'SD', 'WD', 'WO', 'GA', 'GW', 'GX'];

/** Trustee → its two-letter rights. */
const entries = new Map(
  [...SERVICE_SDDL.matchAll(/\(A;;([A-Z]+);;;([A-Z]{2})\)/g)].map(([, rights = '', trustee = '']) => [
    trustee,
    rights.match(/../g) ?? [],
  ]),
);

test('[service.protected] the system and administrators control the service; signed-in users and services look at it', () => {
  expect([...entries.keys()].sort()).toEqual(['BA', 'IU', 'SU', 'SY']);
  for (const trustee of ['IU', 'SU'])
    expect(entries.get(trustee)?.filter((right) => CONTROLS.includes(right))).toEqual([]);
  // SERVICE_QUERY_CONFIG, SERVICE_QUERY_STATUS: `uiahost service status` works for any user.
  for (const trustee of ['IU', 'SU']) expect(entries.get(trustee)).toEqual(expect.arrayContaining(['CC', 'LC']));
  expect(entries.get('BA')).toEqual(expect.arrayContaining(['DC', 'RP', 'WP', 'SD', 'WD', 'WO']));
});

test('[service.protected] it names every account that has rights: nothing is inherited, nothing is for everyone', () => {
  expect(SERVICE_SDDL).toBe(`D:${[...SERVICE_SDDL.matchAll(/\([^)]*\)/g)].join('')}`);
  expect(SERVICE_SDDL).not.toMatch(/WD\)|AU\)|BU\)/);
});
