/** The host's own log: JSON lines with what an administrator needs, and no text of windows. */
import { pino, type DestinationStream, type Logger } from 'pino';
import { describeFault } from '../../contract/process/fault.ts';

/** A log on `destination`. It keeps the name, code and stack frames of errors (`err`). */
export const createHostLog = (destination: DestinationStream): Logger =>
  pino(
    {
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ['token', '*.token', 'authorization'],
      serializers: { err: describeFault },
    },
    destination,
  );
