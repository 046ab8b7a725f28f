/** The session of the command itself, judged as a host would judge its own: for where no host runs. */
import type { DoctorFinding } from '../contract/process/doctor.ts';
import { diagnose } from '../host/home/doctor.ts';
import { sessionFacts } from '../win32/windows/session-facts.ts';

export const sessionFindings = (): DoctorFinding[] => diagnose({ ...sessionFacts(), target: null });
