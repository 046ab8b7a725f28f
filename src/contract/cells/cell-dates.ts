/** Days as cells hold them: numbers, in either of the two date systems. */

export const MS_PER_DAY = 86_400_000;
/** 1899-12-30, from which serial numbers count. */
export const EPOCH_MS = Date.UTC(1899, 11, 30);
/** Excel counts 29 February 1900, which did not exist, as day 60: https://learn.microsoft.com/office/troubleshoot/excel/wrongly-assumes-1900-is-leap-year */
export const FALSE_LEAP_DAY = 60;
/** Days between the two date systems: https://support.microsoft.com/office/e7fe7167-48a9-4b96-bb53-5612a800b487 */
export const DAYS_1904 = 1462;

/** The serial number of the 1900 system; NaN for a day that no month has, and for days before 1900. */
function serialOf(iso: string): number {
  const [day = '', time = ''] = iso.split('T');
  if (day === '1900-02-29') return FALSE_LEAP_DAY + fractionOf(time);
  const at = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day) return Number.NaN;
  const days = Math.round((at - EPOCH_MS) / MS_PER_DAY);
  const serial = days <= FALSE_LEAP_DAY ? days - 1 : days;
  return serial < 0 ? Number.NaN : serial + fractionOf(time);
}

function fractionOf(time: string): number {
  if (time === '') return 0;
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) / 86_400;
}

/** The days of a date to write, in the 1900 system. A number is the workbook's own serial number, as it is read. */
export const daysOf = (date: string | number, is1904: boolean): number =>
  typeof date === 'number' ? date + (is1904 ? DAYS_1904 : 0) : serialOf(date);
