/** What a click with a button and a count is called, for points and for elements. */
const TIMES = { 1: '', 2: 'double_', 3: 'triple_' } as const;

/** `click`, `double_click`, `right_click`, `triple_middle_click`. */
export function clickVariant({
  button = 'left',
  count = 1,
}: {
  button?: 'left' | 'right' | 'middle' | undefined;
  count?: 1 | 2 | 3 | undefined;
}): string {
  return `${TIMES[count]}${button === 'left' ? '' : `${button}_`}click`;
}

export const isPlainClick = ({
  button = 'left',
  count = 1,
}: {
  button?: 'left' | 'right' | 'middle' | undefined;
  count?: 1 | 2 | 3 | undefined;
}): boolean => button === 'left' && count === 1;
