/** Values of properties as they are in TypeScript. */
import { ComRef } from '../../../../native-bindings/com/com-ref.ts';
import type { VariantValue } from '../../../../native-bindings/com/variant.ts';

/** Null for "not supported", which comes as an object of the system's own. */
export function plain(value: VariantValue): VariantValue {
  if (value instanceof ComRef) {
    value[Symbol.dispose]();
    return undefined;
  }
  return value;
}
