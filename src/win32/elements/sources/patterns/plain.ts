/** Property values as TypeScript values. */
import { ComRef } from '../../../../../native-bindings/com/com-ref.ts';
import type { VariantValue } from '../../../../../native-bindings/com/variant.ts';

/** Null for "not supported", which the system returns as a special object. */
export function plain(value: VariantValue): VariantValue {
  if (value instanceof ComRef) {
    value[Symbol.dispose]();
    return undefined;
  }
  return value;
}
