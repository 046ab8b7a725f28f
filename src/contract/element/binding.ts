/** Schemas of applications and of the bound window’s identity. */
import { z } from 'zod';
import { INTEGRITIES } from '../gate/orders.ts';

/** Integrity level of a process. */
export const Integrity = z.enum(INTEGRITIES);
export type Integrity = z.infer<typeof Integrity>;

/** An application: AppUserModelID of a packaged app, else the lower-cased full path of the executable. */
export const AppIdentity = z.strictObject({
  bundleId: z.string(),
  displayName: z.string(),
  /** Full path of the executable, as Windows spells it; null if the host may not query it. */
  executable: z.string().nullable(),
});
export type AppIdentity = z.infer<typeof AppIdentity>;

/** What identifies a window: compared before every action. */
export const BindingRecord = z.strictObject({
  hwnd: z.string(),
  pid: z.int(),
  /** 100 ns ticks since 1601, as a decimal string; reveals a reused pid. */
  processCreated: z.string(),
  threadId: z.int(),
  className: z.string(),
  title: z.string(),
  app: AppIdentity,
  integrity: Integrity,
});
export type BindingRecord = z.infer<typeof BindingRecord>;

/** An id that is a text, also where its writer took its digits for a number; it then is the text that every answer shows. */
export const idText = (schema: z.ZodString) =>
  z.preprocess(
    (given) => (Number.isSafeInteger(given) && Number(given) >= 0 ? String(given) : given),
    schema,
  ) as unknown as z.ZodType<string, string>;

/** Decimal or 0x… on the wire. */
export const HwndText = idText(
  z.string().regex(/^(0x[0-9a-fA-F]{1,16}|[0-9]{1,20})$/, 'a window handle is a decimal or 0x… string'),
);

/** What identifies a window: hwnd, process, creation time. Its title may change. */
export function windowKey(binding: BindingRecord): string {
  return `${binding.hwnd}/${binding.pid}/${binding.processCreated}`;
}
