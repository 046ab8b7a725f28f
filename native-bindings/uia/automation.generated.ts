// generated, do not edit: `npm run generate`
// Methods return their result; those without one return the success code. A failure throws ComError.
import { ComRef, type ComType } from '../com/com-ref.ts';
import { guid } from '../com/guid.ts';
import { check } from '../com/hresult.ts';
import { type ArrayValue } from '../com/safe-array.ts';
import { type VariantInput, type VariantValue } from '../com/variant.ts';
import { methodType } from '../com/vtable.ts';
import { type PointValue, type Pointer } from '../library.ts';
import { IAccessible } from './accessible.generated.ts';
import { Frame, arrayOut, boolOut, bstrOut, enter, handleOut, int32Out, later, leave, pointOut, rectOut, ref, refOut, uint32Out, variantOut, type RectValue } from './call.ts';

const T_int32 = methodType(['int32']);
const T_ptr = methodType(['ptr']);
const T_none = methodType([]);
const T_int32_ptr_ptr = methodType(['int32', 'ptr', 'ptr']);
const T_int32_ptr_ptr_ptr = methodType(['int32', 'ptr', 'ptr', 'ptr']);
const T_ptr_ptr = methodType(['ptr', 'ptr']);
const T_int32_ptr = methodType(['int32', 'ptr']);
const T_int32_bool_ptr = methodType(['int32', 'bool', 'ptr']);
const T_int32_ptr_ptr_int32_ptr_ptr = methodType(['int32', 'ptr', 'ptr', 'int32', 'ptr', 'ptr']);
const T_ptr_ptr_ptr = methodType(['ptr', 'ptr', 'ptr']);
const T_uint32_ptr = methodType(['uint32', 'ptr']);
const T_uint32 = methodType(['uint32']);
const T_hwnd_ptr = methodType(['hwnd', 'ptr']);
const T_point_ptr = methodType(['point', 'ptr']);
const T_hwnd_ptr_ptr = methodType(['hwnd', 'ptr', 'ptr']);
const T_point_ptr_ptr = methodType(['point', 'ptr', 'ptr']);
const T_int32_ptr_int32_ptr = methodType(['int32', 'ptr', 'int32', 'ptr']);
const T_ptr_int32_ptr = methodType(['ptr', 'int32', 'ptr']);
const T_bool = methodType(['bool']);

export class IUIAutomationCondition extends ComRef {
  static override readonly iid: Buffer = guid('352ffba8-0973-437c-a61f-f64cafd81df9');
  static override readonly interfaceName: string = 'IUIAutomationCondition';
}

export class IUIAutomationCacheRequest extends ComRef {
  static override readonly iid: Buffer = guid('b32a92b5-bc25-4078-9c08-d7ee95c48e03');
  static override readonly interfaceName: string = 'IUIAutomationCacheRequest';
  /** Slot 3. */
  AddProperty(propertyId: number): number {
    return check(this.method(3, T_int32)(this.pointer, propertyId), 'IUIAutomationCacheRequest.AddProperty');
  }
  /** Slot 4. */
  AddPattern(patternId: number): number {
    return check(this.method(4, T_int32)(this.pointer, patternId), 'IUIAutomationCacheRequest.AddPattern');
  }
  /** Slot 5. */
  Clone(): IUIAutomationCacheRequest | null {
    const f = enter();
    try {
      const copy_ = f.cell();
      check(this.method(5, T_ptr)(this.pointer, copy_.address), 'IUIAutomationCacheRequest.Clone');
      return refOut(copy_, IUIAutomationCacheRequest);
    } finally { leave(f); }
  }
  /** Slot 6. */
  get_TreeScope(): number {
    const f = enter();
    try {
      const scope_ = f.cell();
      check(this.method(6, T_ptr)(this.pointer, scope_.address), 'IUIAutomationCacheRequest.get_TreeScope');
      return int32Out(scope_);
    } finally { leave(f); }
  }
  /** Slot 7. */
  put_TreeScope(scope: number): number {
    return check(this.method(7, T_int32)(this.pointer, scope), 'IUIAutomationCacheRequest.put_TreeScope');
  }
  /** Slot 8. */
  get_TreeFilter(): IUIAutomationCondition | null {
    const f = enter();
    try {
      const filter_ = f.cell();
      check(this.method(8, T_ptr)(this.pointer, filter_.address), 'IUIAutomationCacheRequest.get_TreeFilter');
      return refOut(filter_, IUIAutomationCondition);
    } finally { leave(f); }
  }
  /** Slot 9. */
  put_TreeFilter(filter: IUIAutomationCondition | null): number {
    return check(this.method(9, T_ptr)(this.pointer, ref(filter)), 'IUIAutomationCacheRequest.put_TreeFilter');
  }
  /** Slot 10. */
  get_AutomationElementMode(): number {
    const f = enter();
    try {
      const mode_ = f.cell();
      check(this.method(10, T_ptr)(this.pointer, mode_.address), 'IUIAutomationCacheRequest.get_AutomationElementMode');
      return int32Out(mode_);
    } finally { leave(f); }
  }
  /** Slot 11. */
  put_AutomationElementMode(mode: number): number {
    return check(this.method(11, T_int32)(this.pointer, mode), 'IUIAutomationCacheRequest.put_AutomationElementMode');
  }
}

export class IUIAutomationElement extends ComRef {
  static override readonly iid: Buffer = guid('d22108aa-8ac5-49a5-837b-37bbb3d7591e');
  static override readonly interfaceName: string = 'IUIAutomationElement';
  /** Slot 3. */
  SetFocus(): number {
    return check(this.method(3, T_none)(this.pointer), 'IUIAutomationElement.SetFocus');
  }
  SetFocusAsync(): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 3, type: T_none, name: 'IUIAutomationElement.SetFocus' }, [], (hresult) => hresult);
  }
  /** Slot 4. */
  GetRuntimeId(): ArrayValue {
    const f = enter();
    try {
      const id_ = f.cell();
      check(this.method(4, T_ptr)(this.pointer, id_.address), 'IUIAutomationElement.GetRuntimeId');
      return arrayOut(id_);
    } finally { leave(f); }
  }
  /** Slot 5. */
  FindFirst(scope: number, condition: IUIAutomationCondition | null): IUIAutomationElement | null {
    const f = enter();
    try {
      const found_ = f.cell();
      check(this.method(5, T_int32_ptr_ptr)(this.pointer, scope, ref(condition), found_.address), 'IUIAutomationElement.FindFirst');
      return refOut(found_, IUIAutomationElement);
    } finally { leave(f); }
  }
  FindFirstAsync(scope: number, condition: IUIAutomationCondition | null): Promise<IUIAutomationElement | null> {
    const f = new Frame();
    const found_ = f.cell();
    return later(f, this, { slot: 5, type: T_int32_ptr_ptr, name: 'IUIAutomationElement.FindFirst' }, [scope, f.hold(condition), found_.address], () => refOut(found_, IUIAutomationElement));
  }
  /** Slot 6. */
  FindAll(scope: number, condition: IUIAutomationCondition | null): IUIAutomationElementArray | null {
    const f = enter();
    try {
      const found_ = f.cell();
      check(this.method(6, T_int32_ptr_ptr)(this.pointer, scope, ref(condition), found_.address), 'IUIAutomationElement.FindAll');
      return refOut(found_, IUIAutomationElementArray);
    } finally { leave(f); }
  }
  FindAllAsync(scope: number, condition: IUIAutomationCondition | null): Promise<IUIAutomationElementArray | null> {
    const f = new Frame();
    const found_ = f.cell();
    return later(f, this, { slot: 6, type: T_int32_ptr_ptr, name: 'IUIAutomationElement.FindAll' }, [scope, f.hold(condition), found_.address], () => refOut(found_, IUIAutomationElementArray));
  }
  /** Slot 7. */
  FindFirstBuildCache(scope: number, condition: IUIAutomationCondition | null, cacheRequest: IUIAutomationCacheRequest | null): IUIAutomationElement | null {
    const f = enter();
    try {
      const found_ = f.cell();
      check(this.method(7, T_int32_ptr_ptr_ptr)(this.pointer, scope, ref(condition), ref(cacheRequest), found_.address), 'IUIAutomationElement.FindFirstBuildCache');
      return refOut(found_, IUIAutomationElement);
    } finally { leave(f); }
  }
  FindFirstBuildCacheAsync(scope: number, condition: IUIAutomationCondition | null, cacheRequest: IUIAutomationCacheRequest | null): Promise<IUIAutomationElement | null> {
    const f = new Frame();
    const found_ = f.cell();
    return later(f, this, { slot: 7, type: T_int32_ptr_ptr_ptr, name: 'IUIAutomationElement.FindFirstBuildCache' }, [scope, f.hold(condition), f.hold(cacheRequest), found_.address], () => refOut(found_, IUIAutomationElement));
  }
  /** Slot 8. */
  FindAllBuildCache(scope: number, condition: IUIAutomationCondition | null, cacheRequest: IUIAutomationCacheRequest | null): IUIAutomationElementArray | null {
    const f = enter();
    try {
      const found_ = f.cell();
      check(this.method(8, T_int32_ptr_ptr_ptr)(this.pointer, scope, ref(condition), ref(cacheRequest), found_.address), 'IUIAutomationElement.FindAllBuildCache');
      return refOut(found_, IUIAutomationElementArray);
    } finally { leave(f); }
  }
  FindAllBuildCacheAsync(scope: number, condition: IUIAutomationCondition | null, cacheRequest: IUIAutomationCacheRequest | null): Promise<IUIAutomationElementArray | null> {
    const f = new Frame();
    const found_ = f.cell();
    return later(f, this, { slot: 8, type: T_int32_ptr_ptr_ptr, name: 'IUIAutomationElement.FindAllBuildCache' }, [scope, f.hold(condition), f.hold(cacheRequest), found_.address], () => refOut(found_, IUIAutomationElementArray));
  }
  /** Slot 9. */
  BuildUpdatedCache(cacheRequest: IUIAutomationCacheRequest | null): IUIAutomationElement | null {
    const f = enter();
    try {
      const updated_ = f.cell();
      check(this.method(9, T_ptr_ptr)(this.pointer, ref(cacheRequest), updated_.address), 'IUIAutomationElement.BuildUpdatedCache');
      return refOut(updated_, IUIAutomationElement);
    } finally { leave(f); }
  }
  BuildUpdatedCacheAsync(cacheRequest: IUIAutomationCacheRequest | null): Promise<IUIAutomationElement | null> {
    const f = new Frame();
    const updated_ = f.cell();
    return later(f, this, { slot: 9, type: T_ptr_ptr, name: 'IUIAutomationElement.BuildUpdatedCache' }, [f.hold(cacheRequest), updated_.address], () => refOut(updated_, IUIAutomationElement));
  }
  /** Slot 10. */
  GetCurrentPropertyValue(propertyId: number): VariantValue {
    const f = enter();
    try {
      const value_ = f.cell();
      check(this.method(10, T_int32_ptr)(this.pointer, propertyId, value_.address), 'IUIAutomationElement.GetCurrentPropertyValue');
      return variantOut(value_);
    } finally { leave(f); }
  }
  /** Slot 11. */
  GetCurrentPropertyValueEx(propertyId: number, ignoreDefault: boolean): VariantValue {
    const f = enter();
    try {
      const value_ = f.cell();
      check(this.method(11, T_int32_bool_ptr)(this.pointer, propertyId, ignoreDefault, value_.address), 'IUIAutomationElement.GetCurrentPropertyValueEx');
      return variantOut(value_);
    } finally { leave(f); }
  }
  GetCurrentPropertyValueExAsync(propertyId: number, ignoreDefault: boolean): Promise<VariantValue> {
    const f = new Frame();
    const value_ = f.cell();
    return later(f, this, { slot: 11, type: T_int32_bool_ptr, name: 'IUIAutomationElement.GetCurrentPropertyValueEx' }, [propertyId, ignoreDefault, value_.address], () => variantOut(value_));
  }
  /** Slot 12. */
  GetCachedPropertyValue(propertyId: number): VariantValue {
    const f = enter();
    try {
      const value_ = f.cell();
      check(this.method(12, T_int32_ptr)(this.pointer, propertyId, value_.address), 'IUIAutomationElement.GetCachedPropertyValue');
      return variantOut(value_);
    } finally { leave(f); }
  }
  /** Slot 13. */
  GetCachedPropertyValueEx(propertyId: number, ignoreDefault: boolean): VariantValue {
    const f = enter();
    try {
      const value_ = f.cell();
      check(this.method(13, T_int32_bool_ptr)(this.pointer, propertyId, ignoreDefault, value_.address), 'IUIAutomationElement.GetCachedPropertyValueEx');
      return variantOut(value_);
    } finally { leave(f); }
  }
  /** Slot 14. */
  GetCurrentPatternAs<T extends ComRef>(patternId: number, riid: ComType<T>): T | null {
    const f = enter();
    try {
      const pattern_ = f.cell();
      check(this.method(14, T_int32_ptr_ptr)(this.pointer, patternId, riid.iid, pattern_.address), 'IUIAutomationElement.GetCurrentPatternAs');
      return refOut(pattern_, riid);
    } finally { leave(f); }
  }
  /** Slot 15. */
  GetCachedPatternAs<T extends ComRef>(patternId: number, riid: ComType<T>): T | null {
    const f = enter();
    try {
      const pattern_ = f.cell();
      check(this.method(15, T_int32_ptr_ptr)(this.pointer, patternId, riid.iid, pattern_.address), 'IUIAutomationElement.GetCachedPatternAs');
      return refOut(pattern_, riid);
    } finally { leave(f); }
  }
  /** Slot 16. */
  GetCurrentPattern(patternId: number): ComRef | null {
    const f = enter();
    try {
      const pattern_ = f.cell();
      check(this.method(16, T_int32_ptr)(this.pointer, patternId, pattern_.address), 'IUIAutomationElement.GetCurrentPattern');
      return refOut(pattern_, ComRef);
    } finally { leave(f); }
  }
  /** Slot 17. */
  GetCachedPattern(patternId: number): ComRef | null {
    const f = enter();
    try {
      const pattern_ = f.cell();
      check(this.method(17, T_int32_ptr)(this.pointer, patternId, pattern_.address), 'IUIAutomationElement.GetCachedPattern');
      return refOut(pattern_, ComRef);
    } finally { leave(f); }
  }
  /** Slot 18. */
  GetCachedParent(): IUIAutomationElement | null {
    const f = enter();
    try {
      const parent_ = f.cell();
      check(this.method(18, T_ptr)(this.pointer, parent_.address), 'IUIAutomationElement.GetCachedParent');
      return refOut(parent_, IUIAutomationElement);
    } finally { leave(f); }
  }
  /** Slot 19. */
  GetCachedChildren(): IUIAutomationElementArray | null {
    const f = enter();
    try {
      const children_ = f.cell();
      check(this.method(19, T_ptr)(this.pointer, children_.address), 'IUIAutomationElement.GetCachedChildren');
      return refOut(children_, IUIAutomationElementArray);
    } finally { leave(f); }
  }
  /** Slot 20. */
  get_CurrentProcessId(): number {
    const f = enter();
    try {
      const id_ = f.cell();
      check(this.method(20, T_ptr)(this.pointer, id_.address), 'IUIAutomationElement.get_CurrentProcessId');
      return int32Out(id_);
    } finally { leave(f); }
  }
  /** Slot 21. */
  get_CurrentControlType(): number {
    const f = enter();
    try {
      const controlType_ = f.cell();
      check(this.method(21, T_ptr)(this.pointer, controlType_.address), 'IUIAutomationElement.get_CurrentControlType');
      return int32Out(controlType_);
    } finally { leave(f); }
  }
  /** Slot 22. */
  get_CurrentLocalizedControlType(): string | null {
    const f = enter();
    try {
      const name_ = f.cell();
      check(this.method(22, T_ptr)(this.pointer, name_.address), 'IUIAutomationElement.get_CurrentLocalizedControlType');
      return bstrOut(name_);
    } finally { leave(f); }
  }
  /** Slot 23. */
  get_CurrentName(): string | null {
    const f = enter();
    try {
      const name_ = f.cell();
      check(this.method(23, T_ptr)(this.pointer, name_.address), 'IUIAutomationElement.get_CurrentName');
      return bstrOut(name_);
    } finally { leave(f); }
  }
  /** Slot 24. */
  get_CurrentAcceleratorKey(): string | null {
    const f = enter();
    try {
      const key_ = f.cell();
      check(this.method(24, T_ptr)(this.pointer, key_.address), 'IUIAutomationElement.get_CurrentAcceleratorKey');
      return bstrOut(key_);
    } finally { leave(f); }
  }
  /** Slot 25. */
  get_CurrentAccessKey(): string | null {
    const f = enter();
    try {
      const key_ = f.cell();
      check(this.method(25, T_ptr)(this.pointer, key_.address), 'IUIAutomationElement.get_CurrentAccessKey');
      return bstrOut(key_);
    } finally { leave(f); }
  }
  /** Slot 26. */
  get_CurrentHasKeyboardFocus(): boolean {
    const f = enter();
    try {
      const has_ = f.cell();
      check(this.method(26, T_ptr)(this.pointer, has_.address), 'IUIAutomationElement.get_CurrentHasKeyboardFocus');
      return boolOut(has_);
    } finally { leave(f); }
  }
  /** Slot 27. */
  get_CurrentIsKeyboardFocusable(): boolean {
    const f = enter();
    try {
      const is_ = f.cell();
      check(this.method(27, T_ptr)(this.pointer, is_.address), 'IUIAutomationElement.get_CurrentIsKeyboardFocusable');
      return boolOut(is_);
    } finally { leave(f); }
  }
  /** Slot 28. */
  get_CurrentIsEnabled(): boolean {
    const f = enter();
    try {
      const is_ = f.cell();
      check(this.method(28, T_ptr)(this.pointer, is_.address), 'IUIAutomationElement.get_CurrentIsEnabled');
      return boolOut(is_);
    } finally { leave(f); }
  }
  /** Slot 29. */
  get_CurrentAutomationId(): string | null {
    const f = enter();
    try {
      const id_ = f.cell();
      check(this.method(29, T_ptr)(this.pointer, id_.address), 'IUIAutomationElement.get_CurrentAutomationId');
      return bstrOut(id_);
    } finally { leave(f); }
  }
  /** Slot 30. */
  get_CurrentClassName(): string | null {
    const f = enter();
    try {
      const name_ = f.cell();
      check(this.method(30, T_ptr)(this.pointer, name_.address), 'IUIAutomationElement.get_CurrentClassName');
      return bstrOut(name_);
    } finally { leave(f); }
  }
  /** Slot 31. */
  get_CurrentHelpText(): string | null {
    const f = enter();
    try {
      const text_ = f.cell();
      check(this.method(31, T_ptr)(this.pointer, text_.address), 'IUIAutomationElement.get_CurrentHelpText');
      return bstrOut(text_);
    } finally { leave(f); }
  }
  /** Slot 33. */
  get_CurrentIsControlElement(): boolean {
    const f = enter();
    try {
      const is_ = f.cell();
      check(this.method(33, T_ptr)(this.pointer, is_.address), 'IUIAutomationElement.get_CurrentIsControlElement');
      return boolOut(is_);
    } finally { leave(f); }
  }
  /** Slot 35. */
  get_CurrentIsPassword(): boolean {
    const f = enter();
    try {
      const is_ = f.cell();
      check(this.method(35, T_ptr)(this.pointer, is_.address), 'IUIAutomationElement.get_CurrentIsPassword');
      return boolOut(is_);
    } finally { leave(f); }
  }
  /** Slot 36. */
  get_CurrentNativeWindowHandle(): number {
    const f = enter();
    try {
      const hwnd_ = f.cell();
      check(this.method(36, T_ptr)(this.pointer, hwnd_.address), 'IUIAutomationElement.get_CurrentNativeWindowHandle');
      return handleOut(hwnd_);
    } finally { leave(f); }
  }
  /** Slot 38. */
  get_CurrentIsOffscreen(): boolean {
    const f = enter();
    try {
      const is_ = f.cell();
      check(this.method(38, T_ptr)(this.pointer, is_.address), 'IUIAutomationElement.get_CurrentIsOffscreen');
      return boolOut(is_);
    } finally { leave(f); }
  }
  /** Slot 40. */
  get_CurrentFrameworkId(): string | null {
    const f = enter();
    try {
      const id_ = f.cell();
      check(this.method(40, T_ptr)(this.pointer, id_.address), 'IUIAutomationElement.get_CurrentFrameworkId');
      return bstrOut(id_);
    } finally { leave(f); }
  }
  /** Slot 43. */
  get_CurrentBoundingRectangle(): RectValue {
    const f = enter();
    try {
      const rect_ = f.cell();
      check(this.method(43, T_ptr)(this.pointer, rect_.address), 'IUIAutomationElement.get_CurrentBoundingRectangle');
      return rectOut(rect_);
    } finally { leave(f); }
  }
  /** Slot 44. */
  get_CurrentLabeledBy(): IUIAutomationElement | null {
    const f = enter();
    try {
      const label_ = f.cell();
      check(this.method(44, T_ptr)(this.pointer, label_.address), 'IUIAutomationElement.get_CurrentLabeledBy');
      return refOut(label_, IUIAutomationElement);
    } finally { leave(f); }
  }
  /** Slot 51. */
  get_CurrentProviderDescription(): string | null {
    const f = enter();
    try {
      const description_ = f.cell();
      check(this.method(51, T_ptr)(this.pointer, description_.address), 'IUIAutomationElement.get_CurrentProviderDescription');
      return bstrOut(description_);
    } finally { leave(f); }
  }
  /** Slot 52. */
  get_CachedProcessId(): number {
    const f = enter();
    try {
      const id_ = f.cell();
      check(this.method(52, T_ptr)(this.pointer, id_.address), 'IUIAutomationElement.get_CachedProcessId');
      return int32Out(id_);
    } finally { leave(f); }
  }
  /** Slot 53. */
  get_CachedControlType(): number {
    const f = enter();
    try {
      const controlType_ = f.cell();
      check(this.method(53, T_ptr)(this.pointer, controlType_.address), 'IUIAutomationElement.get_CachedControlType');
      return int32Out(controlType_);
    } finally { leave(f); }
  }
  /** Slot 55. */
  get_CachedName(): string | null {
    const f = enter();
    try {
      const name_ = f.cell();
      check(this.method(55, T_ptr)(this.pointer, name_.address), 'IUIAutomationElement.get_CachedName');
      return bstrOut(name_);
    } finally { leave(f); }
  }
  /** Slot 58. */
  get_CachedHasKeyboardFocus(): boolean {
    const f = enter();
    try {
      const has_ = f.cell();
      check(this.method(58, T_ptr)(this.pointer, has_.address), 'IUIAutomationElement.get_CachedHasKeyboardFocus');
      return boolOut(has_);
    } finally { leave(f); }
  }
  /** Slot 60. */
  get_CachedIsEnabled(): boolean {
    const f = enter();
    try {
      const is_ = f.cell();
      check(this.method(60, T_ptr)(this.pointer, is_.address), 'IUIAutomationElement.get_CachedIsEnabled');
      return boolOut(is_);
    } finally { leave(f); }
  }
  /** Slot 61. */
  get_CachedAutomationId(): string | null {
    const f = enter();
    try {
      const id_ = f.cell();
      check(this.method(61, T_ptr)(this.pointer, id_.address), 'IUIAutomationElement.get_CachedAutomationId');
      return bstrOut(id_);
    } finally { leave(f); }
  }
  /** Slot 62. */
  get_CachedClassName(): string | null {
    const f = enter();
    try {
      const name_ = f.cell();
      check(this.method(62, T_ptr)(this.pointer, name_.address), 'IUIAutomationElement.get_CachedClassName');
      return bstrOut(name_);
    } finally { leave(f); }
  }
  /** Slot 67. */
  get_CachedIsPassword(): boolean {
    const f = enter();
    try {
      const is_ = f.cell();
      check(this.method(67, T_ptr)(this.pointer, is_.address), 'IUIAutomationElement.get_CachedIsPassword');
      return boolOut(is_);
    } finally { leave(f); }
  }
  /** Slot 68. */
  get_CachedNativeWindowHandle(): number {
    const f = enter();
    try {
      const hwnd_ = f.cell();
      check(this.method(68, T_ptr)(this.pointer, hwnd_.address), 'IUIAutomationElement.get_CachedNativeWindowHandle');
      return handleOut(hwnd_);
    } finally { leave(f); }
  }
  /** Slot 70. */
  get_CachedIsOffscreen(): boolean {
    const f = enter();
    try {
      const is_ = f.cell();
      check(this.method(70, T_ptr)(this.pointer, is_.address), 'IUIAutomationElement.get_CachedIsOffscreen');
      return boolOut(is_);
    } finally { leave(f); }
  }
  /** Slot 72. */
  get_CachedFrameworkId(): string | null {
    const f = enter();
    try {
      const id_ = f.cell();
      check(this.method(72, T_ptr)(this.pointer, id_.address), 'IUIAutomationElement.get_CachedFrameworkId');
      return bstrOut(id_);
    } finally { leave(f); }
  }
  /** Slot 75. */
  get_CachedBoundingRectangle(): RectValue {
    const f = enter();
    try {
      const rect_ = f.cell();
      check(this.method(75, T_ptr)(this.pointer, rect_.address), 'IUIAutomationElement.get_CachedBoundingRectangle');
      return rectOut(rect_);
    } finally { leave(f); }
  }
  /** Slot 76. */
  get_CachedLabeledBy(): IUIAutomationElement | null {
    const f = enter();
    try {
      const label_ = f.cell();
      check(this.method(76, T_ptr)(this.pointer, label_.address), 'IUIAutomationElement.get_CachedLabeledBy');
      return refOut(label_, IUIAutomationElement);
    } finally { leave(f); }
  }
  /** Slot 84. */
  GetClickablePoint(): { clickable: PointValue; got: boolean } {
    const f = enter();
    try {
      const clickable_ = f.cell();
      const got_ = f.cell();
      check(this.method(84, T_ptr_ptr)(this.pointer, clickable_.address, got_.address), 'IUIAutomationElement.GetClickablePoint');
      return { clickable: pointOut(clickable_), got: boolOut(got_) };
    } finally { leave(f); }
  }
}

export class IUIAutomationElement2 extends IUIAutomationElement {
  static override readonly iid: Buffer = guid('6749c683-f70d-4487-a698-5f79d55290d6');
  static override readonly interfaceName: string = 'IUIAutomationElement2';
  /** Slot 87. */
  get_CurrentLiveSetting(): number {
    const f = enter();
    try {
      const setting_ = f.cell();
      check(this.method(87, T_ptr)(this.pointer, setting_.address), 'IUIAutomationElement2.get_CurrentLiveSetting');
      return int32Out(setting_);
    } finally { leave(f); }
  }
}

export class IUIAutomationElement3 extends IUIAutomationElement2 {
  static override readonly iid: Buffer = guid('8471df34-aee0-4a01-a7de-7db9af12c296');
  static override readonly interfaceName: string = 'IUIAutomationElement3';
  /** Slot 91. */
  ShowContextMenu(): number {
    return check(this.method(91, T_none)(this.pointer), 'IUIAutomationElement3.ShowContextMenu');
  }
  ShowContextMenuAsync(): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 91, type: T_none, name: 'IUIAutomationElement3.ShowContextMenu' }, [], (hresult) => hresult);
  }
}

export class IUIAutomationElement4 extends IUIAutomationElement3 {
  static override readonly iid: Buffer = guid('3b6e233c-52fb-4063-a4c9-77c075c2a06b');
  static override readonly interfaceName: string = 'IUIAutomationElement4';
  /** Slot 94. */
  get_CurrentPositionInSet(): number {
    const f = enter();
    try {
      const position_ = f.cell();
      check(this.method(94, T_ptr)(this.pointer, position_.address), 'IUIAutomationElement4.get_CurrentPositionInSet');
      return int32Out(position_);
    } finally { leave(f); }
  }
  /** Slot 95. */
  get_CurrentSizeOfSet(): number {
    const f = enter();
    try {
      const size_ = f.cell();
      check(this.method(95, T_ptr)(this.pointer, size_.address), 'IUIAutomationElement4.get_CurrentSizeOfSet');
      return int32Out(size_);
    } finally { leave(f); }
  }
  /** Slot 96. */
  get_CurrentLevel(): number {
    const f = enter();
    try {
      const level_ = f.cell();
      check(this.method(96, T_ptr)(this.pointer, level_.address), 'IUIAutomationElement4.get_CurrentLevel');
      return int32Out(level_);
    } finally { leave(f); }
  }
}

export class IUIAutomationElement6 extends IUIAutomationElement4 {
  static override readonly iid: Buffer = guid('4780d450-8bca-4977-afa5-a4a517f555e3');
  static override readonly interfaceName: string = 'IUIAutomationElement6';
  /** Slot 108. */
  get_CurrentFullDescription(): string | null {
    const f = enter();
    try {
      const description_ = f.cell();
      check(this.method(108, T_ptr)(this.pointer, description_.address), 'IUIAutomationElement6.get_CurrentFullDescription');
      return bstrOut(description_);
    } finally { leave(f); }
  }
}

export class IUIAutomationElement7 extends IUIAutomationElement6 {
  static override readonly iid: Buffer = guid('204e8572-cfc3-4c11-b0c8-7da7420750b7');
  static override readonly interfaceName: string = 'IUIAutomationElement7';
  /** Slot 112. */
  FindFirstWithOptionsBuildCache(scope: number, condition: IUIAutomationCondition | null, cacheRequest: IUIAutomationCacheRequest | null, order: number, root: IUIAutomationElement | null): IUIAutomationElement | null {
    const f = enter();
    try {
      const found_ = f.cell();
      check(this.method(112, T_int32_ptr_ptr_int32_ptr_ptr)(this.pointer, scope, ref(condition), ref(cacheRequest), order, ref(root), found_.address), 'IUIAutomationElement7.FindFirstWithOptionsBuildCache');
      return refOut(found_, IUIAutomationElement);
    } finally { leave(f); }
  }
  FindFirstWithOptionsBuildCacheAsync(scope: number, condition: IUIAutomationCondition | null, cacheRequest: IUIAutomationCacheRequest | null, order: number, root: IUIAutomationElement | null): Promise<IUIAutomationElement | null> {
    const f = new Frame();
    const found_ = f.cell();
    return later(f, this, { slot: 112, type: T_int32_ptr_ptr_int32_ptr_ptr, name: 'IUIAutomationElement7.FindFirstWithOptionsBuildCache' }, [scope, f.hold(condition), f.hold(cacheRequest), order, f.hold(root), found_.address], () => refOut(found_, IUIAutomationElement));
  }
  /** Slot 113. */
  FindAllWithOptionsBuildCache(scope: number, condition: IUIAutomationCondition | null, cacheRequest: IUIAutomationCacheRequest | null, order: number, root: IUIAutomationElement | null): IUIAutomationElementArray | null {
    const f = enter();
    try {
      const found_ = f.cell();
      check(this.method(113, T_int32_ptr_ptr_int32_ptr_ptr)(this.pointer, scope, ref(condition), ref(cacheRequest), order, ref(root), found_.address), 'IUIAutomationElement7.FindAllWithOptionsBuildCache');
      return refOut(found_, IUIAutomationElementArray);
    } finally { leave(f); }
  }
  FindAllWithOptionsBuildCacheAsync(scope: number, condition: IUIAutomationCondition | null, cacheRequest: IUIAutomationCacheRequest | null, order: number, root: IUIAutomationElement | null): Promise<IUIAutomationElementArray | null> {
    const f = new Frame();
    const found_ = f.cell();
    return later(f, this, { slot: 113, type: T_int32_ptr_ptr_int32_ptr_ptr, name: 'IUIAutomationElement7.FindAllWithOptionsBuildCache' }, [scope, f.hold(condition), f.hold(cacheRequest), order, f.hold(root), found_.address], () => refOut(found_, IUIAutomationElementArray));
  }
}

export class IUIAutomationElement8 extends IUIAutomationElement7 {
  static override readonly iid: Buffer = guid('8c60217d-5411-4cde-bcc0-1ceda223830c');
  static override readonly interfaceName: string = 'IUIAutomationElement8';
  /** Slot 115. */
  get_CurrentHeadingLevel(): number {
    const f = enter();
    try {
      const level_ = f.cell();
      check(this.method(115, T_ptr)(this.pointer, level_.address), 'IUIAutomationElement8.get_CurrentHeadingLevel');
      return int32Out(level_);
    } finally { leave(f); }
  }
}

export class IUIAutomationElement9 extends IUIAutomationElement8 {
  static override readonly iid: Buffer = guid('39325fac-039d-440e-a3a3-5eb81a5cecc3');
  static override readonly interfaceName: string = 'IUIAutomationElement9';
  /** Slot 117. */
  get_CurrentIsDialog(): boolean {
    const f = enter();
    try {
      const is_ = f.cell();
      check(this.method(117, T_ptr)(this.pointer, is_.address), 'IUIAutomationElement9.get_CurrentIsDialog');
      return boolOut(is_);
    } finally { leave(f); }
  }
}

export class IUIAutomationElementArray extends ComRef {
  static override readonly iid: Buffer = guid('14314595-b4bc-4055-95f2-58f2e42c9855');
  static override readonly interfaceName: string = 'IUIAutomationElementArray';
  /** Slot 3. */
  get_Length(): number {
    const f = enter();
    try {
      const length_ = f.cell();
      check(this.method(3, T_ptr)(this.pointer, length_.address), 'IUIAutomationElementArray.get_Length');
      return int32Out(length_);
    } finally { leave(f); }
  }
  /** Slot 4. */
  GetElement(index: number): IUIAutomationElement | null {
    const f = enter();
    try {
      const element_ = f.cell();
      check(this.method(4, T_int32_ptr)(this.pointer, index, element_.address), 'IUIAutomationElementArray.GetElement');
      return refOut(element_, IUIAutomationElement);
    } finally { leave(f); }
  }
}

export class IUIAutomationTreeWalker extends ComRef {
  static override readonly iid: Buffer = guid('4042c624-389c-4afc-a630-9df854a541fc');
  static override readonly interfaceName: string = 'IUIAutomationTreeWalker';
  /** Slot 3. */
  GetParentElement(element: IUIAutomationElement | null): IUIAutomationElement | null {
    const f = enter();
    try {
      const parent_ = f.cell();
      check(this.method(3, T_ptr_ptr)(this.pointer, ref(element), parent_.address), 'IUIAutomationTreeWalker.GetParentElement');
      return refOut(parent_, IUIAutomationElement);
    } finally { leave(f); }
  }
  /** Slot 4. */
  GetFirstChildElement(element: IUIAutomationElement | null): IUIAutomationElement | null {
    const f = enter();
    try {
      const first_ = f.cell();
      check(this.method(4, T_ptr_ptr)(this.pointer, ref(element), first_.address), 'IUIAutomationTreeWalker.GetFirstChildElement');
      return refOut(first_, IUIAutomationElement);
    } finally { leave(f); }
  }
  /** Slot 5. */
  GetLastChildElement(element: IUIAutomationElement | null): IUIAutomationElement | null {
    const f = enter();
    try {
      const last_ = f.cell();
      check(this.method(5, T_ptr_ptr)(this.pointer, ref(element), last_.address), 'IUIAutomationTreeWalker.GetLastChildElement');
      return refOut(last_, IUIAutomationElement);
    } finally { leave(f); }
  }
  /** Slot 6. */
  GetNextSiblingElement(element: IUIAutomationElement | null): IUIAutomationElement | null {
    const f = enter();
    try {
      const next_ = f.cell();
      check(this.method(6, T_ptr_ptr)(this.pointer, ref(element), next_.address), 'IUIAutomationTreeWalker.GetNextSiblingElement');
      return refOut(next_, IUIAutomationElement);
    } finally { leave(f); }
  }
  /** Slot 7. */
  GetPreviousSiblingElement(element: IUIAutomationElement | null): IUIAutomationElement | null {
    const f = enter();
    try {
      const previous_ = f.cell();
      check(this.method(7, T_ptr_ptr)(this.pointer, ref(element), previous_.address), 'IUIAutomationTreeWalker.GetPreviousSiblingElement');
      return refOut(previous_, IUIAutomationElement);
    } finally { leave(f); }
  }
  /** Slot 8. */
  NormalizeElement(element: IUIAutomationElement | null): IUIAutomationElement | null {
    const f = enter();
    try {
      const normalized_ = f.cell();
      check(this.method(8, T_ptr_ptr)(this.pointer, ref(element), normalized_.address), 'IUIAutomationTreeWalker.NormalizeElement');
      return refOut(normalized_, IUIAutomationElement);
    } finally { leave(f); }
  }
  /** Slot 9. */
  GetParentElementBuildCache(element: IUIAutomationElement | null, cacheRequest: IUIAutomationCacheRequest | null): IUIAutomationElement | null {
    const f = enter();
    try {
      const parent_ = f.cell();
      check(this.method(9, T_ptr_ptr_ptr)(this.pointer, ref(element), ref(cacheRequest), parent_.address), 'IUIAutomationTreeWalker.GetParentElementBuildCache');
      return refOut(parent_, IUIAutomationElement);
    } finally { leave(f); }
  }
  /** Slot 10. */
  GetFirstChildElementBuildCache(element: IUIAutomationElement | null, cacheRequest: IUIAutomationCacheRequest | null): IUIAutomationElement | null {
    const f = enter();
    try {
      const first_ = f.cell();
      check(this.method(10, T_ptr_ptr_ptr)(this.pointer, ref(element), ref(cacheRequest), first_.address), 'IUIAutomationTreeWalker.GetFirstChildElementBuildCache');
      return refOut(first_, IUIAutomationElement);
    } finally { leave(f); }
  }
  /** Slot 11. */
  GetLastChildElementBuildCache(element: IUIAutomationElement | null, cacheRequest: IUIAutomationCacheRequest | null): IUIAutomationElement | null {
    const f = enter();
    try {
      const last_ = f.cell();
      check(this.method(11, T_ptr_ptr_ptr)(this.pointer, ref(element), ref(cacheRequest), last_.address), 'IUIAutomationTreeWalker.GetLastChildElementBuildCache');
      return refOut(last_, IUIAutomationElement);
    } finally { leave(f); }
  }
  /** Slot 12. */
  GetNextSiblingElementBuildCache(element: IUIAutomationElement | null, cacheRequest: IUIAutomationCacheRequest | null): IUIAutomationElement | null {
    const f = enter();
    try {
      const next_ = f.cell();
      check(this.method(12, T_ptr_ptr_ptr)(this.pointer, ref(element), ref(cacheRequest), next_.address), 'IUIAutomationTreeWalker.GetNextSiblingElementBuildCache');
      return refOut(next_, IUIAutomationElement);
    } finally { leave(f); }
  }
  /** Slot 13. */
  GetPreviousSiblingElementBuildCache(element: IUIAutomationElement | null, cacheRequest: IUIAutomationCacheRequest | null): IUIAutomationElement | null {
    const f = enter();
    try {
      const previous_ = f.cell();
      check(this.method(13, T_ptr_ptr_ptr)(this.pointer, ref(element), ref(cacheRequest), previous_.address), 'IUIAutomationTreeWalker.GetPreviousSiblingElementBuildCache');
      return refOut(previous_, IUIAutomationElement);
    } finally { leave(f); }
  }
  /** Slot 14. */
  NormalizeElementBuildCache(element: IUIAutomationElement | null, cacheRequest: IUIAutomationCacheRequest | null): IUIAutomationElement | null {
    const f = enter();
    try {
      const normalized_ = f.cell();
      check(this.method(14, T_ptr_ptr_ptr)(this.pointer, ref(element), ref(cacheRequest), normalized_.address), 'IUIAutomationTreeWalker.NormalizeElementBuildCache');
      return refOut(normalized_, IUIAutomationElement);
    } finally { leave(f); }
  }
  /** Slot 15. */
  get_Condition(): IUIAutomationCondition | null {
    const f = enter();
    try {
      const condition_ = f.cell();
      check(this.method(15, T_ptr)(this.pointer, condition_.address), 'IUIAutomationTreeWalker.get_Condition');
      return refOut(condition_, IUIAutomationCondition);
    } finally { leave(f); }
  }
}

export class IUIAutomationProxyFactoryEntry extends ComRef {
  static override readonly iid: Buffer = guid('d50e472e-b64b-490c-bca1-d30696f9f289');
  static override readonly interfaceName: string = 'IUIAutomationProxyFactoryEntry';
  /** Slot 4. */
  get_ClassName(): string | null {
    const f = enter();
    try {
      const name_ = f.cell();
      check(this.method(4, T_ptr)(this.pointer, name_.address), 'IUIAutomationProxyFactoryEntry.get_ClassName');
      return bstrOut(name_);
    } finally { leave(f); }
  }
}

export class IUIAutomationProxyFactoryMapping extends ComRef {
  static override readonly iid: Buffer = guid('09e31e18-872d-4873-93d1-1e541ec133fd');
  static override readonly interfaceName: string = 'IUIAutomationProxyFactoryMapping';
  /** Slot 3. */
  get_Count(): number {
    const f = enter();
    try {
      const count_ = f.cell();
      check(this.method(3, T_ptr)(this.pointer, count_.address), 'IUIAutomationProxyFactoryMapping.get_Count');
      return uint32Out(count_);
    } finally { leave(f); }
  }
  /** Slot 5. */
  GetEntry(index: number): IUIAutomationProxyFactoryEntry | null {
    const f = enter();
    try {
      const entry_ = f.cell();
      check(this.method(5, T_uint32_ptr)(this.pointer, index, entry_.address), 'IUIAutomationProxyFactoryMapping.GetEntry');
      return refOut(entry_, IUIAutomationProxyFactoryEntry);
    } finally { leave(f); }
  }
  /** Slot 9. */
  RemoveEntry(index: number): number {
    return check(this.method(9, T_uint32)(this.pointer, index), 'IUIAutomationProxyFactoryMapping.RemoveEntry');
  }
}

export class IUIAutomation extends ComRef {
  static override readonly iid: Buffer = guid('30cbe57d-d9d0-452a-ab13-7ac5ac4825ee');
  static override readonly interfaceName: string = 'IUIAutomation';
  /** Slot 3. */
  CompareElements(one: IUIAutomationElement | null, other: IUIAutomationElement | null): boolean {
    const f = enter();
    try {
      const same_ = f.cell();
      check(this.method(3, T_ptr_ptr_ptr)(this.pointer, ref(one), ref(other), same_.address), 'IUIAutomation.CompareElements');
      return boolOut(same_);
    } finally { leave(f); }
  }
  /** Slot 4. */
  CompareRuntimeIds(one: readonly number[], other: readonly number[]): boolean {
    const f = enter();
    try {
      const same_ = f.cell();
      check(this.method(4, T_ptr_ptr_ptr)(this.pointer, f.int32s(one), f.int32s(other), same_.address), 'IUIAutomation.CompareRuntimeIds');
      return boolOut(same_);
    } finally { leave(f); }
  }
  /** Slot 5. */
  GetRootElement(): IUIAutomationElement | null {
    const f = enter();
    try {
      const root_ = f.cell();
      check(this.method(5, T_ptr)(this.pointer, root_.address), 'IUIAutomation.GetRootElement');
      return refOut(root_, IUIAutomationElement);
    } finally { leave(f); }
  }
  /** Slot 6. */
  ElementFromHandle(hwnd: number): IUIAutomationElement | null {
    const f = enter();
    try {
      const element_ = f.cell();
      check(this.method(6, T_hwnd_ptr)(this.pointer, hwnd, element_.address), 'IUIAutomation.ElementFromHandle');
      return refOut(element_, IUIAutomationElement);
    } finally { leave(f); }
  }
  ElementFromHandleAsync(hwnd: number): Promise<IUIAutomationElement | null> {
    const f = new Frame();
    const element_ = f.cell();
    return later(f, this, { slot: 6, type: T_hwnd_ptr, name: 'IUIAutomation.ElementFromHandle' }, [hwnd, element_.address], () => refOut(element_, IUIAutomationElement));
  }
  /** Slot 7. */
  ElementFromPoint(point: PointValue): IUIAutomationElement | null {
    const f = enter();
    try {
      const element_ = f.cell();
      check(this.method(7, T_point_ptr)(this.pointer, point, element_.address), 'IUIAutomation.ElementFromPoint');
      return refOut(element_, IUIAutomationElement);
    } finally { leave(f); }
  }
  ElementFromPointAsync(point: PointValue): Promise<IUIAutomationElement | null> {
    const f = new Frame();
    const element_ = f.cell();
    return later(f, this, { slot: 7, type: T_point_ptr, name: 'IUIAutomation.ElementFromPoint' }, [point, element_.address], () => refOut(element_, IUIAutomationElement));
  }
  /** Slot 8. */
  GetFocusedElement(): IUIAutomationElement | null {
    const f = enter();
    try {
      const element_ = f.cell();
      check(this.method(8, T_ptr)(this.pointer, element_.address), 'IUIAutomation.GetFocusedElement');
      return refOut(element_, IUIAutomationElement);
    } finally { leave(f); }
  }
  GetFocusedElementAsync(): Promise<IUIAutomationElement | null> {
    const f = new Frame();
    const element_ = f.cell();
    return later(f, this, { slot: 8, type: T_ptr, name: 'IUIAutomation.GetFocusedElement' }, [element_.address], () => refOut(element_, IUIAutomationElement));
  }
  /** Slot 9. */
  GetRootElementBuildCache(cacheRequest: IUIAutomationCacheRequest | null): IUIAutomationElement | null {
    const f = enter();
    try {
      const root_ = f.cell();
      check(this.method(9, T_ptr_ptr)(this.pointer, ref(cacheRequest), root_.address), 'IUIAutomation.GetRootElementBuildCache');
      return refOut(root_, IUIAutomationElement);
    } finally { leave(f); }
  }
  /** Slot 10. */
  ElementFromHandleBuildCache(hwnd: number, cacheRequest: IUIAutomationCacheRequest | null): IUIAutomationElement | null {
    const f = enter();
    try {
      const element_ = f.cell();
      check(this.method(10, T_hwnd_ptr_ptr)(this.pointer, hwnd, ref(cacheRequest), element_.address), 'IUIAutomation.ElementFromHandleBuildCache');
      return refOut(element_, IUIAutomationElement);
    } finally { leave(f); }
  }
  ElementFromHandleBuildCacheAsync(hwnd: number, cacheRequest: IUIAutomationCacheRequest | null): Promise<IUIAutomationElement | null> {
    const f = new Frame();
    const element_ = f.cell();
    return later(f, this, { slot: 10, type: T_hwnd_ptr_ptr, name: 'IUIAutomation.ElementFromHandleBuildCache' }, [hwnd, f.hold(cacheRequest), element_.address], () => refOut(element_, IUIAutomationElement));
  }
  /** Slot 11. */
  ElementFromPointBuildCache(point: PointValue, cacheRequest: IUIAutomationCacheRequest | null): IUIAutomationElement | null {
    const f = enter();
    try {
      const element_ = f.cell();
      check(this.method(11, T_point_ptr_ptr)(this.pointer, point, ref(cacheRequest), element_.address), 'IUIAutomation.ElementFromPointBuildCache');
      return refOut(element_, IUIAutomationElement);
    } finally { leave(f); }
  }
  ElementFromPointBuildCacheAsync(point: PointValue, cacheRequest: IUIAutomationCacheRequest | null): Promise<IUIAutomationElement | null> {
    const f = new Frame();
    const element_ = f.cell();
    return later(f, this, { slot: 11, type: T_point_ptr_ptr, name: 'IUIAutomation.ElementFromPointBuildCache' }, [point, f.hold(cacheRequest), element_.address], () => refOut(element_, IUIAutomationElement));
  }
  /** Slot 12. */
  GetFocusedElementBuildCache(cacheRequest: IUIAutomationCacheRequest | null): IUIAutomationElement | null {
    const f = enter();
    try {
      const element_ = f.cell();
      check(this.method(12, T_ptr_ptr)(this.pointer, ref(cacheRequest), element_.address), 'IUIAutomation.GetFocusedElementBuildCache');
      return refOut(element_, IUIAutomationElement);
    } finally { leave(f); }
  }
  GetFocusedElementBuildCacheAsync(cacheRequest: IUIAutomationCacheRequest | null): Promise<IUIAutomationElement | null> {
    const f = new Frame();
    const element_ = f.cell();
    return later(f, this, { slot: 12, type: T_ptr_ptr, name: 'IUIAutomation.GetFocusedElementBuildCache' }, [f.hold(cacheRequest), element_.address], () => refOut(element_, IUIAutomationElement));
  }
  /** Slot 13. */
  CreateTreeWalker(condition: IUIAutomationCondition | null): IUIAutomationTreeWalker | null {
    const f = enter();
    try {
      const walker_ = f.cell();
      check(this.method(13, T_ptr_ptr)(this.pointer, ref(condition), walker_.address), 'IUIAutomation.CreateTreeWalker');
      return refOut(walker_, IUIAutomationTreeWalker);
    } finally { leave(f); }
  }
  /** Slot 14. */
  get_ControlViewWalker(): IUIAutomationTreeWalker | null {
    const f = enter();
    try {
      const walker_ = f.cell();
      check(this.method(14, T_ptr)(this.pointer, walker_.address), 'IUIAutomation.get_ControlViewWalker');
      return refOut(walker_, IUIAutomationTreeWalker);
    } finally { leave(f); }
  }
  /** Slot 15. */
  get_ContentViewWalker(): IUIAutomationTreeWalker | null {
    const f = enter();
    try {
      const walker_ = f.cell();
      check(this.method(15, T_ptr)(this.pointer, walker_.address), 'IUIAutomation.get_ContentViewWalker');
      return refOut(walker_, IUIAutomationTreeWalker);
    } finally { leave(f); }
  }
  /** Slot 16. */
  get_RawViewWalker(): IUIAutomationTreeWalker | null {
    const f = enter();
    try {
      const walker_ = f.cell();
      check(this.method(16, T_ptr)(this.pointer, walker_.address), 'IUIAutomation.get_RawViewWalker');
      return refOut(walker_, IUIAutomationTreeWalker);
    } finally { leave(f); }
  }
  /** Slot 17. */
  get_RawViewCondition(): IUIAutomationCondition | null {
    const f = enter();
    try {
      const condition_ = f.cell();
      check(this.method(17, T_ptr)(this.pointer, condition_.address), 'IUIAutomation.get_RawViewCondition');
      return refOut(condition_, IUIAutomationCondition);
    } finally { leave(f); }
  }
  /** Slot 18. */
  get_ControlViewCondition(): IUIAutomationCondition | null {
    const f = enter();
    try {
      const condition_ = f.cell();
      check(this.method(18, T_ptr)(this.pointer, condition_.address), 'IUIAutomation.get_ControlViewCondition');
      return refOut(condition_, IUIAutomationCondition);
    } finally { leave(f); }
  }
  /** Slot 19. */
  get_ContentViewCondition(): IUIAutomationCondition | null {
    const f = enter();
    try {
      const condition_ = f.cell();
      check(this.method(19, T_ptr)(this.pointer, condition_.address), 'IUIAutomation.get_ContentViewCondition');
      return refOut(condition_, IUIAutomationCondition);
    } finally { leave(f); }
  }
  /** Slot 20. */
  CreateCacheRequest(): IUIAutomationCacheRequest | null {
    const f = enter();
    try {
      const cacheRequest_ = f.cell();
      check(this.method(20, T_ptr)(this.pointer, cacheRequest_.address), 'IUIAutomation.CreateCacheRequest');
      return refOut(cacheRequest_, IUIAutomationCacheRequest);
    } finally { leave(f); }
  }
  /** Slot 21. */
  CreateTrueCondition(): IUIAutomationCondition | null {
    const f = enter();
    try {
      const condition_ = f.cell();
      check(this.method(21, T_ptr)(this.pointer, condition_.address), 'IUIAutomation.CreateTrueCondition');
      return refOut(condition_, IUIAutomationCondition);
    } finally { leave(f); }
  }
  /** Slot 22. */
  CreateFalseCondition(): IUIAutomationCondition | null {
    const f = enter();
    try {
      const condition_ = f.cell();
      check(this.method(22, T_ptr)(this.pointer, condition_.address), 'IUIAutomation.CreateFalseCondition');
      return refOut(condition_, IUIAutomationCondition);
    } finally { leave(f); }
  }
  /** Slot 23. */
  CreatePropertyCondition(propertyId: number, value: VariantInput): IUIAutomationCondition | null {
    const f = enter();
    try {
      const condition_ = f.cell();
      check(this.method(23, T_int32_ptr_ptr)(this.pointer, propertyId, f.variant(value), condition_.address), 'IUIAutomation.CreatePropertyCondition');
      return refOut(condition_, IUIAutomationCondition);
    } finally { leave(f); }
  }
  /** Slot 24. */
  CreatePropertyConditionEx(propertyId: number, value: VariantInput, flags: number): IUIAutomationCondition | null {
    const f = enter();
    try {
      const condition_ = f.cell();
      check(this.method(24, T_int32_ptr_int32_ptr)(this.pointer, propertyId, f.variant(value), flags, condition_.address), 'IUIAutomation.CreatePropertyConditionEx');
      return refOut(condition_, IUIAutomationCondition);
    } finally { leave(f); }
  }
  /** Slot 25. */
  CreateAndCondition(one: IUIAutomationCondition | null, other: IUIAutomationCondition | null): IUIAutomationCondition | null {
    const f = enter();
    try {
      const condition_ = f.cell();
      check(this.method(25, T_ptr_ptr_ptr)(this.pointer, ref(one), ref(other), condition_.address), 'IUIAutomation.CreateAndCondition');
      return refOut(condition_, IUIAutomationCondition);
    } finally { leave(f); }
  }
  /** Slot 27. */
  CreateAndConditionFromNativeArray(conditions: Pointer, count: number): IUIAutomationCondition | null {
    const f = enter();
    try {
      const condition_ = f.cell();
      check(this.method(27, T_ptr_int32_ptr)(this.pointer, conditions, count, condition_.address), 'IUIAutomation.CreateAndConditionFromNativeArray');
      return refOut(condition_, IUIAutomationCondition);
    } finally { leave(f); }
  }
  /** Slot 28. */
  CreateOrCondition(one: IUIAutomationCondition | null, other: IUIAutomationCondition | null): IUIAutomationCondition | null {
    const f = enter();
    try {
      const condition_ = f.cell();
      check(this.method(28, T_ptr_ptr_ptr)(this.pointer, ref(one), ref(other), condition_.address), 'IUIAutomation.CreateOrCondition');
      return refOut(condition_, IUIAutomationCondition);
    } finally { leave(f); }
  }
  /** Slot 30. */
  CreateOrConditionFromNativeArray(conditions: Pointer, count: number): IUIAutomationCondition | null {
    const f = enter();
    try {
      const condition_ = f.cell();
      check(this.method(30, T_ptr_int32_ptr)(this.pointer, conditions, count, condition_.address), 'IUIAutomation.CreateOrConditionFromNativeArray');
      return refOut(condition_, IUIAutomationCondition);
    } finally { leave(f); }
  }
  /** Slot 31. */
  CreateNotCondition(one: IUIAutomationCondition | null): IUIAutomationCondition | null {
    const f = enter();
    try {
      const condition_ = f.cell();
      check(this.method(31, T_ptr_ptr)(this.pointer, ref(one), condition_.address), 'IUIAutomation.CreateNotCondition');
      return refOut(condition_, IUIAutomationCondition);
    } finally { leave(f); }
  }
  /** Slot 41. */
  RemoveAllEventHandlers(): number {
    return check(this.method(41, T_none)(this.pointer), 'IUIAutomation.RemoveAllEventHandlers');
  }
  /** Slot 48. */
  get_ProxyFactoryMapping(): IUIAutomationProxyFactoryMapping | null {
    const f = enter();
    try {
      const mapping_ = f.cell();
      check(this.method(48, T_ptr)(this.pointer, mapping_.address), 'IUIAutomation.get_ProxyFactoryMapping');
      return refOut(mapping_, IUIAutomationProxyFactoryMapping);
    } finally { leave(f); }
  }
  /** Slot 49. */
  GetPropertyProgrammaticName(propertyId: number): string | null {
    const f = enter();
    try {
      const name_ = f.cell();
      check(this.method(49, T_int32_ptr)(this.pointer, propertyId, name_.address), 'IUIAutomation.GetPropertyProgrammaticName');
      return bstrOut(name_);
    } finally { leave(f); }
  }
  /** Slot 50. */
  GetPatternProgrammaticName(patternId: number): string | null {
    const f = enter();
    try {
      const name_ = f.cell();
      check(this.method(50, T_int32_ptr)(this.pointer, patternId, name_.address), 'IUIAutomation.GetPatternProgrammaticName');
      return bstrOut(name_);
    } finally { leave(f); }
  }
  /** Slot 51. */
  PollForPotentialSupportedPatterns(element: IUIAutomationElement | null): { ids: ArrayValue; names: ArrayValue } {
    const f = enter();
    try {
      const ids_ = f.cell();
      const names_ = f.cell();
      check(this.method(51, T_ptr_ptr_ptr)(this.pointer, ref(element), ids_.address, names_.address), 'IUIAutomation.PollForPotentialSupportedPatterns');
      return { ids: arrayOut(ids_), names: arrayOut(names_) };
    } finally { leave(f); }
  }
  /** Slot 52. */
  PollForPotentialSupportedProperties(element: IUIAutomationElement | null): { ids: ArrayValue; names: ArrayValue } {
    const f = enter();
    try {
      const ids_ = f.cell();
      const names_ = f.cell();
      check(this.method(52, T_ptr_ptr_ptr)(this.pointer, ref(element), ids_.address, names_.address), 'IUIAutomation.PollForPotentialSupportedProperties');
      return { ids: arrayOut(ids_), names: arrayOut(names_) };
    } finally { leave(f); }
  }
  /** Slot 54. */
  get_ReservedNotSupportedValue(): ComRef | null {
    const f = enter();
    try {
      const value_ = f.cell();
      check(this.method(54, T_ptr)(this.pointer, value_.address), 'IUIAutomation.get_ReservedNotSupportedValue');
      return refOut(value_, ComRef);
    } finally { leave(f); }
  }
  /** Slot 55. */
  get_ReservedMixedAttributeValue(): ComRef | null {
    const f = enter();
    try {
      const value_ = f.cell();
      check(this.method(55, T_ptr)(this.pointer, value_.address), 'IUIAutomation.get_ReservedMixedAttributeValue');
      return refOut(value_, ComRef);
    } finally { leave(f); }
  }
  /** Slot 56. */
  ElementFromIAccessible(accessible: IAccessible | null, childId: number): IUIAutomationElement | null {
    const f = enter();
    try {
      const element_ = f.cell();
      check(this.method(56, T_ptr_int32_ptr)(this.pointer, ref(accessible), childId, element_.address), 'IUIAutomation.ElementFromIAccessible');
      return refOut(element_, IUIAutomationElement);
    } finally { leave(f); }
  }
}

export class IUIAutomation2 extends IUIAutomation {
  static override readonly iid: Buffer = guid('34723aff-0c9d-49d0-9896-7ab52df8cd8a');
  static override readonly interfaceName: string = 'IUIAutomation2';
  /** Slot 58. */
  get_AutoSetFocus(): boolean {
    const f = enter();
    try {
      const set_ = f.cell();
      check(this.method(58, T_ptr)(this.pointer, set_.address), 'IUIAutomation2.get_AutoSetFocus');
      return boolOut(set_);
    } finally { leave(f); }
  }
  /** Slot 59. */
  put_AutoSetFocus(set: boolean): number {
    return check(this.method(59, T_bool)(this.pointer, set), 'IUIAutomation2.put_AutoSetFocus');
  }
  /** Slot 60. */
  get_ConnectionTimeout(): number {
    const f = enter();
    try {
      const milliseconds_ = f.cell();
      check(this.method(60, T_ptr)(this.pointer, milliseconds_.address), 'IUIAutomation2.get_ConnectionTimeout');
      return uint32Out(milliseconds_);
    } finally { leave(f); }
  }
  /** Slot 61. */
  put_ConnectionTimeout(milliseconds: number): number {
    return check(this.method(61, T_uint32)(this.pointer, milliseconds), 'IUIAutomation2.put_ConnectionTimeout');
  }
  /** Slot 62. */
  get_TransactionTimeout(): number {
    const f = enter();
    try {
      const milliseconds_ = f.cell();
      check(this.method(62, T_ptr)(this.pointer, milliseconds_.address), 'IUIAutomation2.get_TransactionTimeout');
      return uint32Out(milliseconds_);
    } finally { leave(f); }
  }
  /** Slot 63. */
  put_TransactionTimeout(milliseconds: number): number {
    return check(this.method(63, T_uint32)(this.pointer, milliseconds), 'IUIAutomation2.put_TransactionTimeout');
  }
}

export class IUIAutomation6 extends IUIAutomation2 {
  static override readonly iid: Buffer = guid('aae072da-29e3-413d-87a7-192dbf81ed10');
  static override readonly interfaceName: string = 'IUIAutomation6';
  /** Slot 73. */
  get_ConnectionRecoveryBehavior(): number {
    const f = enter();
    try {
      const behavior_ = f.cell();
      check(this.method(73, T_ptr)(this.pointer, behavior_.address), 'IUIAutomation6.get_ConnectionRecoveryBehavior');
      return int32Out(behavior_);
    } finally { leave(f); }
  }
  /** Slot 74. */
  put_ConnectionRecoveryBehavior(behavior: number): number {
    return check(this.method(74, T_int32)(this.pointer, behavior), 'IUIAutomation6.put_ConnectionRecoveryBehavior');
  }
  /** Slot 75. */
  get_CoalesceEvents(): number {
    const f = enter();
    try {
      const coalesce_ = f.cell();
      check(this.method(75, T_ptr)(this.pointer, coalesce_.address), 'IUIAutomation6.get_CoalesceEvents');
      return int32Out(coalesce_);
    } finally { leave(f); }
  }
  /** Slot 76. */
  put_CoalesceEvents(coalesce: number): number {
    return check(this.method(76, T_int32)(this.pointer, coalesce), 'IUIAutomation6.put_CoalesceEvents');
  }
}
