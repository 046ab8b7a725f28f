// The icon's thread, as the overlay's process starts it.
import { parentPort } from 'node:worker_threads';
import { runIconThread } from '../../../../src/win32/overlay/notification-icon.ts';

runIconThread(parentPort);
