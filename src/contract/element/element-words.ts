/** How messages name an element. */
import { quoted } from '../json/quoted.ts';

/** `Button "OK"`, or its type alone if it has no name. */
export const describeElement = (element: { readonly controlType: string; readonly name: string }): string =>
  element.name === '' ? element.controlType : `${element.controlType} ${quoted(element.name)}`;
