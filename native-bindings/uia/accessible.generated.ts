// generated, do not edit: `npm run generate`
// Methods return their result; those without one return the success code. A failure throws ComError.
import { ComRef, type ComType } from '../com/com-ref.ts';
import { guid } from '../com/guid.ts';
import { check } from '../com/hresult.ts';
import { type VariantInput, type VariantValue } from '../com/variant.ts';
import { methodType } from '../com/vtable.ts';
import { type Pointer } from '../library.ts';
import { Frame, bstrOut, enter, int32Out, later, leave, refOut, uint32Out, variantOut } from './call.ts';

const T_ptr = methodType(['ptr']);
const T_ptr_ptr = methodType(['ptr', 'ptr']);
const T_int32_ptr = methodType(['int32', 'ptr']);
const T_ptr_ptr_ptr_ptr_ptr = methodType(['ptr', 'ptr', 'ptr', 'ptr', 'ptr']);
const T_int32_ptr_ptr = methodType(['int32', 'ptr', 'ptr']);
const T_int32_int32_ptr = methodType(['int32', 'int32', 'ptr']);
const T_uint32_ptr_ptr = methodType(['uint32', 'ptr', 'ptr']);
const T_uint32 = methodType(['uint32']);
const T_none = methodType([]);
const T_ptr_ptr_ptr = methodType(['ptr', 'ptr', 'ptr']);

export class IDispatch extends ComRef {
  static override readonly iid: Buffer = guid('00020400-0000-0000-c000-000000000046');
  static override readonly interfaceName: string = 'IDispatch';
  /** Slot 3. */
  GetTypeInfoCount(): number {
    const f = enter();
    try {
      const count_ = f.cell();
      check(this.method(3, T_ptr)(this.pointer, count_.address), 'IDispatch.GetTypeInfoCount');
      return uint32Out(count_);
    } finally { leave(f); }
  }
}

export class IAccessible extends IDispatch {
  static override readonly iid: Buffer = guid('618736e0-3c3d-11cf-810c-00aa00389b71');
  static override readonly interfaceName: string = 'IAccessible';
  /** Slot 7. */
  get_accParent(): IDispatch | null {
    const f = enter();
    try {
      const parent_ = f.cell();
      check(this.method(7, T_ptr)(this.pointer, parent_.address), 'IAccessible.get_accParent');
      return refOut(parent_, IDispatch);
    } finally { leave(f); }
  }
  /** Slot 8. */
  get_accChildCount(): number {
    const f = enter();
    try {
      const count_ = f.cell();
      check(this.method(8, T_ptr)(this.pointer, count_.address), 'IAccessible.get_accChildCount');
      return int32Out(count_);
    } finally { leave(f); }
  }
  /** Slot 9. */
  get_accChild(child: VariantInput): IDispatch | null {
    const f = enter();
    try {
      const object_ = f.cell();
      check(this.method(9, T_ptr_ptr)(this.pointer, f.variant(child), object_.address), 'IAccessible.get_accChild');
      return refOut(object_, IDispatch);
    } finally { leave(f); }
  }
  /** Slot 10. */
  get_accName(child: VariantInput): string | null {
    const f = enter();
    try {
      const name_ = f.cell();
      check(this.method(10, T_ptr_ptr)(this.pointer, f.variant(child), name_.address), 'IAccessible.get_accName');
      return bstrOut(name_);
    } finally { leave(f); }
  }
  /** Slot 11. */
  get_accValue(child: VariantInput): string | null {
    const f = enter();
    try {
      const value_ = f.cell();
      check(this.method(11, T_ptr_ptr)(this.pointer, f.variant(child), value_.address), 'IAccessible.get_accValue');
      return bstrOut(value_);
    } finally { leave(f); }
  }
  /** Slot 12. */
  get_accDescription(child: VariantInput): string | null {
    const f = enter();
    try {
      const description_ = f.cell();
      check(this.method(12, T_ptr_ptr)(this.pointer, f.variant(child), description_.address), 'IAccessible.get_accDescription');
      return bstrOut(description_);
    } finally { leave(f); }
  }
  /** Slot 13. */
  get_accRole(child: VariantInput): VariantValue {
    const f = enter();
    try {
      const role_ = f.cell();
      check(this.method(13, T_ptr_ptr)(this.pointer, f.variant(child), role_.address), 'IAccessible.get_accRole');
      return variantOut(role_);
    } finally { leave(f); }
  }
  /** Slot 14. */
  get_accState(child: VariantInput): VariantValue {
    const f = enter();
    try {
      const state_ = f.cell();
      check(this.method(14, T_ptr_ptr)(this.pointer, f.variant(child), state_.address), 'IAccessible.get_accState');
      return variantOut(state_);
    } finally { leave(f); }
  }
  /** Slot 15. */
  get_accHelp(child: VariantInput): string | null {
    const f = enter();
    try {
      const help_ = f.cell();
      check(this.method(15, T_ptr_ptr)(this.pointer, f.variant(child), help_.address), 'IAccessible.get_accHelp');
      return bstrOut(help_);
    } finally { leave(f); }
  }
  /** Slot 17. */
  get_accKeyboardShortcut(child: VariantInput): string | null {
    const f = enter();
    try {
      const shortcut_ = f.cell();
      check(this.method(17, T_ptr_ptr)(this.pointer, f.variant(child), shortcut_.address), 'IAccessible.get_accKeyboardShortcut');
      return bstrOut(shortcut_);
    } finally { leave(f); }
  }
  /** Slot 18. */
  get_accFocus(): VariantValue {
    const f = enter();
    try {
      const child_ = f.cell();
      check(this.method(18, T_ptr)(this.pointer, child_.address), 'IAccessible.get_accFocus');
      return variantOut(child_);
    } finally { leave(f); }
  }
  /** Slot 19. */
  get_accSelection(): VariantValue {
    const f = enter();
    try {
      const children_ = f.cell();
      check(this.method(19, T_ptr)(this.pointer, children_.address), 'IAccessible.get_accSelection');
      return variantOut(children_);
    } finally { leave(f); }
  }
  /** Slot 20. */
  get_accDefaultAction(child: VariantInput): string | null {
    const f = enter();
    try {
      const action_ = f.cell();
      check(this.method(20, T_ptr_ptr)(this.pointer, f.variant(child), action_.address), 'IAccessible.get_accDefaultAction');
      return bstrOut(action_);
    } finally { leave(f); }
  }
  /** Slot 21. */
  accSelect(flags: number, child: VariantInput): number {
    const f = enter();
    try {
      return check(this.method(21, T_int32_ptr)(this.pointer, flags, f.variant(child)), 'IAccessible.accSelect');
    } finally { leave(f); }
  }
  accSelectAsync(flags: number, child: VariantInput): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 21, type: T_int32_ptr, name: 'IAccessible.accSelect' }, [flags, f.variant(child)], (hresult) => hresult);
  }
  /** Slot 22. */
  accLocation(child: VariantInput): { left: number; top: number; width: number; height: number } {
    const f = enter();
    try {
      const left_ = f.cell();
      const top_ = f.cell();
      const width_ = f.cell();
      const height_ = f.cell();
      check(this.method(22, T_ptr_ptr_ptr_ptr_ptr)(this.pointer, left_.address, top_.address, width_.address, height_.address, f.variant(child)), 'IAccessible.accLocation');
      return { left: int32Out(left_), top: int32Out(top_), width: int32Out(width_), height: int32Out(height_) };
    } finally { leave(f); }
  }
  /** Slot 23. */
  accNavigate(direction: number, start: VariantInput): VariantValue {
    const f = enter();
    try {
      const end_ = f.cell();
      check(this.method(23, T_int32_ptr_ptr)(this.pointer, direction, f.variant(start), end_.address), 'IAccessible.accNavigate');
      return variantOut(end_);
    } finally { leave(f); }
  }
  /** Slot 24. */
  accHitTest(left: number, top: number): VariantValue {
    const f = enter();
    try {
      const child_ = f.cell();
      check(this.method(24, T_int32_int32_ptr)(this.pointer, left, top, child_.address), 'IAccessible.accHitTest');
      return variantOut(child_);
    } finally { leave(f); }
  }
  /** Slot 25. */
  accDoDefaultAction(child: VariantInput): number {
    const f = enter();
    try {
      return check(this.method(25, T_ptr)(this.pointer, f.variant(child)), 'IAccessible.accDoDefaultAction');
    } finally { leave(f); }
  }
  accDoDefaultActionAsync(child: VariantInput): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 25, type: T_ptr, name: 'IAccessible.accDoDefaultAction' }, [f.variant(child)], (hresult) => hresult);
  }
  /** Slot 26. */
  put_accName(child: VariantInput, name: string | null): number {
    const f = enter();
    try {
      return check(this.method(26, T_ptr_ptr)(this.pointer, f.variant(child), f.bstr(name)), 'IAccessible.put_accName');
    } finally { leave(f); }
  }
  /** Slot 27. */
  put_accValue(child: VariantInput, value: string | null): number {
    const f = enter();
    try {
      return check(this.method(27, T_ptr_ptr)(this.pointer, f.variant(child), f.bstr(value)), 'IAccessible.put_accValue');
    } finally { leave(f); }
  }
  put_accValueAsync(child: VariantInput, value: string | null): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 27, type: T_ptr_ptr, name: 'IAccessible.put_accValue' }, [f.variant(child), f.bstr(value)], (hresult) => hresult);
  }
}

export class IEnumVARIANT extends ComRef {
  static override readonly iid: Buffer = guid('00020404-0000-0000-c000-000000000046');
  static override readonly interfaceName: string = 'IEnumVARIANT';
  /** Slot 3. */
  Next(count: number, values: Pointer): number {
    const f = enter();
    try {
      const fetched_ = f.cell();
      check(this.method(3, T_uint32_ptr_ptr)(this.pointer, count, values, fetched_.address), 'IEnumVARIANT.Next');
      return uint32Out(fetched_);
    } finally { leave(f); }
  }
  /** Slot 4. */
  Skip(count: number): number {
    return check(this.method(4, T_uint32)(this.pointer, count), 'IEnumVARIANT.Skip');
  }
  /** Slot 5. */
  Reset(): number {
    return check(this.method(5, T_none)(this.pointer), 'IEnumVARIANT.Reset');
  }
  /** Slot 6. */
  Clone(): IEnumVARIANT | null {
    const f = enter();
    try {
      const copy_ = f.cell();
      check(this.method(6, T_ptr)(this.pointer, copy_.address), 'IEnumVARIANT.Clone');
      return refOut(copy_, IEnumVARIANT);
    } finally { leave(f); }
  }
}

export class IServiceProvider extends ComRef {
  static override readonly iid: Buffer = guid('6d5140c1-7436-11ce-8034-00aa006009fa');
  static override readonly interfaceName: string = 'IServiceProvider';
  /** Slot 3. */
  QueryService<T extends ComRef>(service: Pointer, riid: ComType<T>): T | null {
    const f = enter();
    try {
      const object_ = f.cell();
      check(this.method(3, T_ptr_ptr_ptr)(this.pointer, service, riid.iid, object_.address), 'IServiceProvider.QueryService');
      return refOut(object_, riid);
    } finally { leave(f); }
  }
}
