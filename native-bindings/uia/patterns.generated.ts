// generated, do not edit: `npm run generate`
// Methods return their result; those without one return the success code. A failure throws ComError.
import { ComRef } from '../com/com-ref.ts';
import { guid } from '../com/guid.ts';
import { check } from '../com/hresult.ts';
import { type ArrayValue } from '../com/safe-array.ts';
import { type VariantInput, type VariantValue } from '../com/variant.ts';
import { methodType } from '../com/vtable.ts';
import { type PointValue } from '../library.ts';
import { IAccessible } from './accessible.generated.ts';
import { IUIAutomationElement, IUIAutomationElementArray } from './automation.generated.ts';
import { Frame, arrayOut, boolOut, bstrOut, doubleOut, enter, int32Out, later, leave, ref, refOut, uint32Out, variantOut } from './call.ts';

const T_none = methodType([]);
const T_ptr = methodType(['ptr']);
const T_double = methodType(['double']);
const T_int32_int32 = methodType(['int32', 'int32']);
const T_double_double = methodType(['double', 'double']);
const T_ptr_ptr = methodType(['ptr', 'ptr']);
const T_int32_ptr_int32_ptr = methodType(['int32', 'ptr', 'int32', 'ptr']);
const T_int32 = methodType(['int32']);
const T_ptr_bool_bool_ptr = methodType(['ptr', 'bool', 'bool', 'ptr']);
const T_int32_ptr = methodType(['int32', 'ptr']);
const T_int32_int32_ptr = methodType(['int32', 'int32', 'ptr']);
const T_int32_int32_int32_ptr = methodType(['int32', 'int32', 'int32', 'ptr']);
const T_int32_ptr_int32 = methodType(['int32', 'ptr', 'int32']);
const T_bool = methodType(['bool']);
const T_point_ptr = methodType(['point', 'ptr']);
const T_str16 = methodType(['str16']);
const T_ptr_int32_ptr_ptr = methodType(['ptr', 'int32', 'ptr', 'ptr']);

export class IUIAutomationInvokePattern extends ComRef {
  static override readonly iid: Buffer = guid('fb377fbe-8ea6-46d5-9c73-6499642d3059');
  static override readonly interfaceName: string = 'IUIAutomationInvokePattern';
  /** Slot 3. */
  Invoke(): number {
    return check(this.method(3, T_none)(this.pointer), 'IUIAutomationInvokePattern.Invoke');
  }
  InvokeAsync(): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 3, type: T_none, name: 'IUIAutomationInvokePattern.Invoke' }, [], (hresult) => hresult);
  }
}

export class IUIAutomationTogglePattern extends ComRef {
  static override readonly iid: Buffer = guid('94cf8058-9b8d-4ab9-8bfd-4cd0a33c8c70');
  static override readonly interfaceName: string = 'IUIAutomationTogglePattern';
  /** Slot 3. */
  Toggle(): number {
    return check(this.method(3, T_none)(this.pointer), 'IUIAutomationTogglePattern.Toggle');
  }
  ToggleAsync(): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 3, type: T_none, name: 'IUIAutomationTogglePattern.Toggle' }, [], (hresult) => hresult);
  }
  /** Slot 4. */
  get_CurrentToggleState(): number {
    const f = enter();
    try {
      const state_ = f.cell();
      check(this.method(4, T_ptr)(this.pointer, state_.address), 'IUIAutomationTogglePattern.get_CurrentToggleState');
      return int32Out(state_);
    } finally { leave(f); }
  }
  /** Slot 5. */
  get_CachedToggleState(): number {
    const f = enter();
    try {
      const state_ = f.cell();
      check(this.method(5, T_ptr)(this.pointer, state_.address), 'IUIAutomationTogglePattern.get_CachedToggleState');
      return int32Out(state_);
    } finally { leave(f); }
  }
}

export class IUIAutomationValuePattern extends ComRef {
  static override readonly iid: Buffer = guid('a94cd8b1-0844-4cd6-9d2d-640537ab39e9');
  static override readonly interfaceName: string = 'IUIAutomationValuePattern';
  /** Slot 3. */
  SetValue(value: string | null): number {
    const f = enter();
    try {
      return check(this.method(3, T_ptr)(this.pointer, f.bstr(value)), 'IUIAutomationValuePattern.SetValue');
    } finally { leave(f); }
  }
  SetValueAsync(value: string | null): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 3, type: T_ptr, name: 'IUIAutomationValuePattern.SetValue' }, [f.bstr(value)], (hresult) => hresult);
  }
  /** Slot 4. */
  get_CurrentValue(): string | null {
    const f = enter();
    try {
      const value_ = f.cell();
      check(this.method(4, T_ptr)(this.pointer, value_.address), 'IUIAutomationValuePattern.get_CurrentValue');
      return bstrOut(value_);
    } finally { leave(f); }
  }
  /** Slot 5. */
  get_CurrentIsReadOnly(): boolean {
    const f = enter();
    try {
      const is_ = f.cell();
      check(this.method(5, T_ptr)(this.pointer, is_.address), 'IUIAutomationValuePattern.get_CurrentIsReadOnly');
      return boolOut(is_);
    } finally { leave(f); }
  }
  /** Slot 6. */
  get_CachedValue(): string | null {
    const f = enter();
    try {
      const value_ = f.cell();
      check(this.method(6, T_ptr)(this.pointer, value_.address), 'IUIAutomationValuePattern.get_CachedValue');
      return bstrOut(value_);
    } finally { leave(f); }
  }
  /** Slot 7. */
  get_CachedIsReadOnly(): boolean {
    const f = enter();
    try {
      const is_ = f.cell();
      check(this.method(7, T_ptr)(this.pointer, is_.address), 'IUIAutomationValuePattern.get_CachedIsReadOnly');
      return boolOut(is_);
    } finally { leave(f); }
  }
}

export class IUIAutomationRangeValuePattern extends ComRef {
  static override readonly iid: Buffer = guid('59213f4f-7346-49e5-b120-80555987a148');
  static override readonly interfaceName: string = 'IUIAutomationRangeValuePattern';
  /** Slot 3. */
  SetValue(value: number): number {
    return check(this.method(3, T_double)(this.pointer, value), 'IUIAutomationRangeValuePattern.SetValue');
  }
  SetValueAsync(value: number): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 3, type: T_double, name: 'IUIAutomationRangeValuePattern.SetValue' }, [value], (hresult) => hresult);
  }
  /** Slot 4. */
  get_CurrentValue(): number {
    const f = enter();
    try {
      const value_ = f.cell();
      check(this.method(4, T_ptr)(this.pointer, value_.address), 'IUIAutomationRangeValuePattern.get_CurrentValue');
      return doubleOut(value_);
    } finally { leave(f); }
  }
  /** Slot 5. */
  get_CurrentIsReadOnly(): boolean {
    const f = enter();
    try {
      const is_ = f.cell();
      check(this.method(5, T_ptr)(this.pointer, is_.address), 'IUIAutomationRangeValuePattern.get_CurrentIsReadOnly');
      return boolOut(is_);
    } finally { leave(f); }
  }
  /** Slot 6. */
  get_CurrentMaximum(): number {
    const f = enter();
    try {
      const value_ = f.cell();
      check(this.method(6, T_ptr)(this.pointer, value_.address), 'IUIAutomationRangeValuePattern.get_CurrentMaximum');
      return doubleOut(value_);
    } finally { leave(f); }
  }
  /** Slot 7. */
  get_CurrentMinimum(): number {
    const f = enter();
    try {
      const value_ = f.cell();
      check(this.method(7, T_ptr)(this.pointer, value_.address), 'IUIAutomationRangeValuePattern.get_CurrentMinimum');
      return doubleOut(value_);
    } finally { leave(f); }
  }
  /** Slot 8. */
  get_CurrentLargeChange(): number {
    const f = enter();
    try {
      const value_ = f.cell();
      check(this.method(8, T_ptr)(this.pointer, value_.address), 'IUIAutomationRangeValuePattern.get_CurrentLargeChange');
      return doubleOut(value_);
    } finally { leave(f); }
  }
  /** Slot 9. */
  get_CurrentSmallChange(): number {
    const f = enter();
    try {
      const value_ = f.cell();
      check(this.method(9, T_ptr)(this.pointer, value_.address), 'IUIAutomationRangeValuePattern.get_CurrentSmallChange');
      return doubleOut(value_);
    } finally { leave(f); }
  }
}

export class IUIAutomationSelectionPattern extends ComRef {
  static override readonly iid: Buffer = guid('5ed5202e-b2ac-47a6-b638-4b0bf140d78e');
  static override readonly interfaceName: string = 'IUIAutomationSelectionPattern';
  /** Slot 3. */
  GetCurrentSelection(): IUIAutomationElementArray | null {
    const f = enter();
    try {
      const elements_ = f.cell();
      check(this.method(3, T_ptr)(this.pointer, elements_.address), 'IUIAutomationSelectionPattern.GetCurrentSelection');
      return refOut(elements_, IUIAutomationElementArray);
    } finally { leave(f); }
  }
  /** Slot 4. */
  get_CurrentCanSelectMultiple(): boolean {
    const f = enter();
    try {
      const can_ = f.cell();
      check(this.method(4, T_ptr)(this.pointer, can_.address), 'IUIAutomationSelectionPattern.get_CurrentCanSelectMultiple');
      return boolOut(can_);
    } finally { leave(f); }
  }
  /** Slot 5. */
  get_CurrentIsSelectionRequired(): boolean {
    const f = enter();
    try {
      const is_ = f.cell();
      check(this.method(5, T_ptr)(this.pointer, is_.address), 'IUIAutomationSelectionPattern.get_CurrentIsSelectionRequired');
      return boolOut(is_);
    } finally { leave(f); }
  }
}

export class IUIAutomationSelectionItemPattern extends ComRef {
  static override readonly iid: Buffer = guid('a8efa66a-0fda-421a-9194-38021f3578ea');
  static override readonly interfaceName: string = 'IUIAutomationSelectionItemPattern';
  /** Slot 3. */
  Select(): number {
    return check(this.method(3, T_none)(this.pointer), 'IUIAutomationSelectionItemPattern.Select');
  }
  SelectAsync(): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 3, type: T_none, name: 'IUIAutomationSelectionItemPattern.Select' }, [], (hresult) => hresult);
  }
  /** Slot 4. */
  AddToSelection(): number {
    return check(this.method(4, T_none)(this.pointer), 'IUIAutomationSelectionItemPattern.AddToSelection');
  }
  AddToSelectionAsync(): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 4, type: T_none, name: 'IUIAutomationSelectionItemPattern.AddToSelection' }, [], (hresult) => hresult);
  }
  /** Slot 5. */
  RemoveFromSelection(): number {
    return check(this.method(5, T_none)(this.pointer), 'IUIAutomationSelectionItemPattern.RemoveFromSelection');
  }
  RemoveFromSelectionAsync(): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 5, type: T_none, name: 'IUIAutomationSelectionItemPattern.RemoveFromSelection' }, [], (hresult) => hresult);
  }
  /** Slot 6. */
  get_CurrentIsSelected(): boolean {
    const f = enter();
    try {
      const is_ = f.cell();
      check(this.method(6, T_ptr)(this.pointer, is_.address), 'IUIAutomationSelectionItemPattern.get_CurrentIsSelected');
      return boolOut(is_);
    } finally { leave(f); }
  }
  /** Slot 7. */
  get_CurrentSelectionContainer(): IUIAutomationElement | null {
    const f = enter();
    try {
      const container_ = f.cell();
      check(this.method(7, T_ptr)(this.pointer, container_.address), 'IUIAutomationSelectionItemPattern.get_CurrentSelectionContainer');
      return refOut(container_, IUIAutomationElement);
    } finally { leave(f); }
  }
  /** Slot 8. */
  get_CachedIsSelected(): boolean {
    const f = enter();
    try {
      const is_ = f.cell();
      check(this.method(8, T_ptr)(this.pointer, is_.address), 'IUIAutomationSelectionItemPattern.get_CachedIsSelected');
      return boolOut(is_);
    } finally { leave(f); }
  }
}

export class IUIAutomationExpandCollapsePattern extends ComRef {
  static override readonly iid: Buffer = guid('619be086-1f4e-4ee4-bafa-210128738730');
  static override readonly interfaceName: string = 'IUIAutomationExpandCollapsePattern';
  /** Slot 3. */
  Expand(): number {
    return check(this.method(3, T_none)(this.pointer), 'IUIAutomationExpandCollapsePattern.Expand');
  }
  ExpandAsync(): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 3, type: T_none, name: 'IUIAutomationExpandCollapsePattern.Expand' }, [], (hresult) => hresult);
  }
  /** Slot 4. */
  Collapse(): number {
    return check(this.method(4, T_none)(this.pointer), 'IUIAutomationExpandCollapsePattern.Collapse');
  }
  CollapseAsync(): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 4, type: T_none, name: 'IUIAutomationExpandCollapsePattern.Collapse' }, [], (hresult) => hresult);
  }
  /** Slot 5. */
  get_CurrentExpandCollapseState(): number {
    const f = enter();
    try {
      const state_ = f.cell();
      check(this.method(5, T_ptr)(this.pointer, state_.address), 'IUIAutomationExpandCollapsePattern.get_CurrentExpandCollapseState');
      return int32Out(state_);
    } finally { leave(f); }
  }
  /** Slot 6. */
  get_CachedExpandCollapseState(): number {
    const f = enter();
    try {
      const state_ = f.cell();
      check(this.method(6, T_ptr)(this.pointer, state_.address), 'IUIAutomationExpandCollapsePattern.get_CachedExpandCollapseState');
      return int32Out(state_);
    } finally { leave(f); }
  }
}

export class IUIAutomationScrollPattern extends ComRef {
  static override readonly iid: Buffer = guid('88f4d42a-e881-459d-a77c-73bbbb7e02dc');
  static override readonly interfaceName: string = 'IUIAutomationScrollPattern';
  /** Slot 3. */
  Scroll(horizontal: number, vertical: number): number {
    return check(this.method(3, T_int32_int32)(this.pointer, horizontal, vertical), 'IUIAutomationScrollPattern.Scroll');
  }
  ScrollAsync(horizontal: number, vertical: number): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 3, type: T_int32_int32, name: 'IUIAutomationScrollPattern.Scroll' }, [horizontal, vertical], (hresult) => hresult);
  }
  /** Slot 4. */
  SetScrollPercent(horizontal: number, vertical: number): number {
    return check(this.method(4, T_double_double)(this.pointer, horizontal, vertical), 'IUIAutomationScrollPattern.SetScrollPercent');
  }
  SetScrollPercentAsync(horizontal: number, vertical: number): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 4, type: T_double_double, name: 'IUIAutomationScrollPattern.SetScrollPercent' }, [horizontal, vertical], (hresult) => hresult);
  }
  /** Slot 5. */
  get_CurrentHorizontalScrollPercent(): number {
    const f = enter();
    try {
      const percent_ = f.cell();
      check(this.method(5, T_ptr)(this.pointer, percent_.address), 'IUIAutomationScrollPattern.get_CurrentHorizontalScrollPercent');
      return doubleOut(percent_);
    } finally { leave(f); }
  }
  /** Slot 6. */
  get_CurrentVerticalScrollPercent(): number {
    const f = enter();
    try {
      const percent_ = f.cell();
      check(this.method(6, T_ptr)(this.pointer, percent_.address), 'IUIAutomationScrollPattern.get_CurrentVerticalScrollPercent');
      return doubleOut(percent_);
    } finally { leave(f); }
  }
  /** Slot 7. */
  get_CurrentHorizontalViewSize(): number {
    const f = enter();
    try {
      const percent_ = f.cell();
      check(this.method(7, T_ptr)(this.pointer, percent_.address), 'IUIAutomationScrollPattern.get_CurrentHorizontalViewSize');
      return doubleOut(percent_);
    } finally { leave(f); }
  }
  /** Slot 8. */
  get_CurrentVerticalViewSize(): number {
    const f = enter();
    try {
      const percent_ = f.cell();
      check(this.method(8, T_ptr)(this.pointer, percent_.address), 'IUIAutomationScrollPattern.get_CurrentVerticalViewSize');
      return doubleOut(percent_);
    } finally { leave(f); }
  }
  /** Slot 9. */
  get_CurrentHorizontallyScrollable(): boolean {
    const f = enter();
    try {
      const is_ = f.cell();
      check(this.method(9, T_ptr)(this.pointer, is_.address), 'IUIAutomationScrollPattern.get_CurrentHorizontallyScrollable');
      return boolOut(is_);
    } finally { leave(f); }
  }
  /** Slot 10. */
  get_CurrentVerticallyScrollable(): boolean {
    const f = enter();
    try {
      const is_ = f.cell();
      check(this.method(10, T_ptr)(this.pointer, is_.address), 'IUIAutomationScrollPattern.get_CurrentVerticallyScrollable');
      return boolOut(is_);
    } finally { leave(f); }
  }
}

export class IUIAutomationScrollItemPattern extends ComRef {
  static override readonly iid: Buffer = guid('b488300f-d015-4f19-9c29-bb595e3645ef');
  static override readonly interfaceName: string = 'IUIAutomationScrollItemPattern';
  /** Slot 3. */
  ScrollIntoView(): number {
    return check(this.method(3, T_none)(this.pointer), 'IUIAutomationScrollItemPattern.ScrollIntoView');
  }
  ScrollIntoViewAsync(): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 3, type: T_none, name: 'IUIAutomationScrollItemPattern.ScrollIntoView' }, [], (hresult) => hresult);
  }
}

export class IUIAutomationTextRange extends ComRef {
  static override readonly iid: Buffer = guid('a543cc6a-f4ae-494b-8239-c814481187a8');
  static override readonly interfaceName: string = 'IUIAutomationTextRange';
  /** Slot 3. */
  Clone(): IUIAutomationTextRange | null {
    const f = enter();
    try {
      const copy_ = f.cell();
      check(this.method(3, T_ptr)(this.pointer, copy_.address), 'IUIAutomationTextRange.Clone');
      return refOut(copy_, IUIAutomationTextRange);
    } finally { leave(f); }
  }
  /** Slot 4. */
  Compare(range: IUIAutomationTextRange | null): boolean {
    const f = enter();
    try {
      const same_ = f.cell();
      check(this.method(4, T_ptr_ptr)(this.pointer, ref(range), same_.address), 'IUIAutomationTextRange.Compare');
      return boolOut(same_);
    } finally { leave(f); }
  }
  /** Slot 5. */
  CompareEndpoints(endpoint: number, range: IUIAutomationTextRange | null, target: number): number {
    const f = enter();
    try {
      const difference_ = f.cell();
      check(this.method(5, T_int32_ptr_int32_ptr)(this.pointer, endpoint, ref(range), target, difference_.address), 'IUIAutomationTextRange.CompareEndpoints');
      return int32Out(difference_);
    } finally { leave(f); }
  }
  /** Slot 6. */
  ExpandToEnclosingUnit(unit: number): number {
    return check(this.method(6, T_int32)(this.pointer, unit), 'IUIAutomationTextRange.ExpandToEnclosingUnit');
  }
  /** Slot 8. */
  FindText(text: string | null, backward: boolean, ignoreCase: boolean): IUIAutomationTextRange | null {
    const f = enter();
    try {
      const found_ = f.cell();
      check(this.method(8, T_ptr_bool_bool_ptr)(this.pointer, f.bstr(text), backward, ignoreCase, found_.address), 'IUIAutomationTextRange.FindText');
      return refOut(found_, IUIAutomationTextRange);
    } finally { leave(f); }
  }
  /** Slot 9. */
  GetAttributeValue(attribute: number): VariantValue {
    const f = enter();
    try {
      const value_ = f.cell();
      check(this.method(9, T_int32_ptr)(this.pointer, attribute, value_.address), 'IUIAutomationTextRange.GetAttributeValue');
      return variantOut(value_);
    } finally { leave(f); }
  }
  /** Slot 10. */
  GetBoundingRectangles(): ArrayValue {
    const f = enter();
    try {
      const rectangles_ = f.cell();
      check(this.method(10, T_ptr)(this.pointer, rectangles_.address), 'IUIAutomationTextRange.GetBoundingRectangles');
      return arrayOut(rectangles_);
    } finally { leave(f); }
  }
  /** Slot 11. */
  GetEnclosingElement(): IUIAutomationElement | null {
    const f = enter();
    try {
      const element_ = f.cell();
      check(this.method(11, T_ptr)(this.pointer, element_.address), 'IUIAutomationTextRange.GetEnclosingElement');
      return refOut(element_, IUIAutomationElement);
    } finally { leave(f); }
  }
  /** Slot 12. */
  GetText(maxLength: number): string | null {
    const f = enter();
    try {
      const text_ = f.cell();
      check(this.method(12, T_int32_ptr)(this.pointer, maxLength, text_.address), 'IUIAutomationTextRange.GetText');
      return bstrOut(text_);
    } finally { leave(f); }
  }
  GetTextAsync(maxLength: number): Promise<string | null> {
    const f = new Frame();
    const text_ = f.cell();
    return later(f, this, { slot: 12, type: T_int32_ptr, name: 'IUIAutomationTextRange.GetText' }, [maxLength, text_.address], () => bstrOut(text_));
  }
  /** Slot 13. */
  Move(unit: number, count: number): number {
    const f = enter();
    try {
      const moved_ = f.cell();
      check(this.method(13, T_int32_int32_ptr)(this.pointer, unit, count, moved_.address), 'IUIAutomationTextRange.Move');
      return int32Out(moved_);
    } finally { leave(f); }
  }
  /** Slot 14. */
  MoveEndpointByUnit(endpoint: number, unit: number, count: number): number {
    const f = enter();
    try {
      const moved_ = f.cell();
      check(this.method(14, T_int32_int32_int32_ptr)(this.pointer, endpoint, unit, count, moved_.address), 'IUIAutomationTextRange.MoveEndpointByUnit');
      return int32Out(moved_);
    } finally { leave(f); }
  }
  /** Slot 15. */
  MoveEndpointByRange(endpoint: number, range: IUIAutomationTextRange | null, target: number): number {
    return check(this.method(15, T_int32_ptr_int32)(this.pointer, endpoint, ref(range), target), 'IUIAutomationTextRange.MoveEndpointByRange');
  }
  /** Slot 16. */
  Select(): number {
    return check(this.method(16, T_none)(this.pointer), 'IUIAutomationTextRange.Select');
  }
  SelectAsync(): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 16, type: T_none, name: 'IUIAutomationTextRange.Select' }, [], (hresult) => hresult);
  }
  /** Slot 17. */
  AddToSelection(): number {
    return check(this.method(17, T_none)(this.pointer), 'IUIAutomationTextRange.AddToSelection');
  }
  /** Slot 18. */
  RemoveFromSelection(): number {
    return check(this.method(18, T_none)(this.pointer), 'IUIAutomationTextRange.RemoveFromSelection');
  }
  /** Slot 19. */
  ScrollIntoView(alignToTop: boolean): number {
    return check(this.method(19, T_bool)(this.pointer, alignToTop), 'IUIAutomationTextRange.ScrollIntoView');
  }
  ScrollIntoViewAsync(alignToTop: boolean): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 19, type: T_bool, name: 'IUIAutomationTextRange.ScrollIntoView' }, [alignToTop], (hresult) => hresult);
  }
  /** Slot 20. */
  GetChildren(): IUIAutomationElementArray | null {
    const f = enter();
    try {
      const children_ = f.cell();
      check(this.method(20, T_ptr)(this.pointer, children_.address), 'IUIAutomationTextRange.GetChildren');
      return refOut(children_, IUIAutomationElementArray);
    } finally { leave(f); }
  }
}

export class IUIAutomationTextRangeArray extends ComRef {
  static override readonly iid: Buffer = guid('ce4ae76a-e717-4c98-81ea-47371d028eb6');
  static override readonly interfaceName: string = 'IUIAutomationTextRangeArray';
  /** Slot 3. */
  get_Length(): number {
    const f = enter();
    try {
      const length_ = f.cell();
      check(this.method(3, T_ptr)(this.pointer, length_.address), 'IUIAutomationTextRangeArray.get_Length');
      return int32Out(length_);
    } finally { leave(f); }
  }
  /** Slot 4. */
  GetElement(index: number): IUIAutomationTextRange | null {
    const f = enter();
    try {
      const range_ = f.cell();
      check(this.method(4, T_int32_ptr)(this.pointer, index, range_.address), 'IUIAutomationTextRangeArray.GetElement');
      return refOut(range_, IUIAutomationTextRange);
    } finally { leave(f); }
  }
}

export class IUIAutomationTextPattern extends ComRef {
  static override readonly iid: Buffer = guid('32eba289-3583-42c9-9c59-3b6d9a1e9b6a');
  static override readonly interfaceName: string = 'IUIAutomationTextPattern';
  /** Slot 3. */
  RangeFromPoint(point: PointValue): IUIAutomationTextRange | null {
    const f = enter();
    try {
      const range_ = f.cell();
      check(this.method(3, T_point_ptr)(this.pointer, point, range_.address), 'IUIAutomationTextPattern.RangeFromPoint');
      return refOut(range_, IUIAutomationTextRange);
    } finally { leave(f); }
  }
  /** Slot 4. */
  RangeFromChild(child: IUIAutomationElement | null): IUIAutomationTextRange | null {
    const f = enter();
    try {
      const range_ = f.cell();
      check(this.method(4, T_ptr_ptr)(this.pointer, ref(child), range_.address), 'IUIAutomationTextPattern.RangeFromChild');
      return refOut(range_, IUIAutomationTextRange);
    } finally { leave(f); }
  }
  /** Slot 5. */
  GetSelection(): IUIAutomationTextRangeArray | null {
    const f = enter();
    try {
      const ranges_ = f.cell();
      check(this.method(5, T_ptr)(this.pointer, ranges_.address), 'IUIAutomationTextPattern.GetSelection');
      return refOut(ranges_, IUIAutomationTextRangeArray);
    } finally { leave(f); }
  }
  /** Slot 6. */
  GetVisibleRanges(): IUIAutomationTextRangeArray | null {
    const f = enter();
    try {
      const ranges_ = f.cell();
      check(this.method(6, T_ptr)(this.pointer, ranges_.address), 'IUIAutomationTextPattern.GetVisibleRanges');
      return refOut(ranges_, IUIAutomationTextRangeArray);
    } finally { leave(f); }
  }
  /** Slot 7. */
  get_DocumentRange(): IUIAutomationTextRange | null {
    const f = enter();
    try {
      const range_ = f.cell();
      check(this.method(7, T_ptr)(this.pointer, range_.address), 'IUIAutomationTextPattern.get_DocumentRange');
      return refOut(range_, IUIAutomationTextRange);
    } finally { leave(f); }
  }
  /** Slot 8. */
  get_SupportedTextSelection(): number {
    const f = enter();
    try {
      const supported_ = f.cell();
      check(this.method(8, T_ptr)(this.pointer, supported_.address), 'IUIAutomationTextPattern.get_SupportedTextSelection');
      return int32Out(supported_);
    } finally { leave(f); }
  }
}

export class IUIAutomationTextPattern2 extends IUIAutomationTextPattern {
  static override readonly iid: Buffer = guid('506a921a-fcc9-409f-b23b-37eb74106872');
  static override readonly interfaceName: string = 'IUIAutomationTextPattern2';
  /** Slot 10. */
  GetCaretRange(): { active: boolean; range: IUIAutomationTextRange | null } {
    const f = enter();
    try {
      const active_ = f.cell();
      const range_ = f.cell();
      check(this.method(10, T_ptr_ptr)(this.pointer, active_.address, range_.address), 'IUIAutomationTextPattern2.GetCaretRange');
      return { active: boolOut(active_), range: refOut(range_, IUIAutomationTextRange) };
    } finally { leave(f); }
  }
}

export class IUIAutomationGridPattern extends ComRef {
  static override readonly iid: Buffer = guid('414c3cdc-856b-4f5b-8538-3131c6302550');
  static override readonly interfaceName: string = 'IUIAutomationGridPattern';
  /** Slot 3. */
  GetItem(row: number, column: number): IUIAutomationElement | null {
    const f = enter();
    try {
      const element_ = f.cell();
      check(this.method(3, T_int32_int32_ptr)(this.pointer, row, column, element_.address), 'IUIAutomationGridPattern.GetItem');
      return refOut(element_, IUIAutomationElement);
    } finally { leave(f); }
  }
  /** Slot 4. */
  get_CurrentRowCount(): number {
    const f = enter();
    try {
      const count_ = f.cell();
      check(this.method(4, T_ptr)(this.pointer, count_.address), 'IUIAutomationGridPattern.get_CurrentRowCount');
      return int32Out(count_);
    } finally { leave(f); }
  }
  /** Slot 5. */
  get_CurrentColumnCount(): number {
    const f = enter();
    try {
      const count_ = f.cell();
      check(this.method(5, T_ptr)(this.pointer, count_.address), 'IUIAutomationGridPattern.get_CurrentColumnCount');
      return int32Out(count_);
    } finally { leave(f); }
  }
}

export class IUIAutomationGridItemPattern extends ComRef {
  static override readonly iid: Buffer = guid('78f8ef57-66c3-4e09-bd7c-e79b2004894d');
  static override readonly interfaceName: string = 'IUIAutomationGridItemPattern';
  /** Slot 3. */
  get_CurrentContainingGrid(): IUIAutomationElement | null {
    const f = enter();
    try {
      const grid_ = f.cell();
      check(this.method(3, T_ptr)(this.pointer, grid_.address), 'IUIAutomationGridItemPattern.get_CurrentContainingGrid');
      return refOut(grid_, IUIAutomationElement);
    } finally { leave(f); }
  }
  /** Slot 4. */
  get_CurrentRow(): number {
    const f = enter();
    try {
      const row_ = f.cell();
      check(this.method(4, T_ptr)(this.pointer, row_.address), 'IUIAutomationGridItemPattern.get_CurrentRow');
      return int32Out(row_);
    } finally { leave(f); }
  }
  /** Slot 5. */
  get_CurrentColumn(): number {
    const f = enter();
    try {
      const column_ = f.cell();
      check(this.method(5, T_ptr)(this.pointer, column_.address), 'IUIAutomationGridItemPattern.get_CurrentColumn');
      return int32Out(column_);
    } finally { leave(f); }
  }
  /** Slot 6. */
  get_CurrentRowSpan(): number {
    const f = enter();
    try {
      const span_ = f.cell();
      check(this.method(6, T_ptr)(this.pointer, span_.address), 'IUIAutomationGridItemPattern.get_CurrentRowSpan');
      return int32Out(span_);
    } finally { leave(f); }
  }
  /** Slot 7. */
  get_CurrentColumnSpan(): number {
    const f = enter();
    try {
      const span_ = f.cell();
      check(this.method(7, T_ptr)(this.pointer, span_.address), 'IUIAutomationGridItemPattern.get_CurrentColumnSpan');
      return int32Out(span_);
    } finally { leave(f); }
  }
  /** Slot 9. */
  get_CachedRow(): number {
    const f = enter();
    try {
      const row_ = f.cell();
      check(this.method(9, T_ptr)(this.pointer, row_.address), 'IUIAutomationGridItemPattern.get_CachedRow');
      return int32Out(row_);
    } finally { leave(f); }
  }
  /** Slot 10. */
  get_CachedColumn(): number {
    const f = enter();
    try {
      const column_ = f.cell();
      check(this.method(10, T_ptr)(this.pointer, column_.address), 'IUIAutomationGridItemPattern.get_CachedColumn');
      return int32Out(column_);
    } finally { leave(f); }
  }
}

export class IUIAutomationTablePattern extends ComRef {
  static override readonly iid: Buffer = guid('620e691c-ea96-4710-a850-754b24ce2417');
  static override readonly interfaceName: string = 'IUIAutomationTablePattern';
  /** Slot 3. */
  GetCurrentRowHeaders(): IUIAutomationElementArray | null {
    const f = enter();
    try {
      const headers_ = f.cell();
      check(this.method(3, T_ptr)(this.pointer, headers_.address), 'IUIAutomationTablePattern.GetCurrentRowHeaders');
      return refOut(headers_, IUIAutomationElementArray);
    } finally { leave(f); }
  }
  /** Slot 4. */
  GetCurrentColumnHeaders(): IUIAutomationElementArray | null {
    const f = enter();
    try {
      const headers_ = f.cell();
      check(this.method(4, T_ptr)(this.pointer, headers_.address), 'IUIAutomationTablePattern.GetCurrentColumnHeaders');
      return refOut(headers_, IUIAutomationElementArray);
    } finally { leave(f); }
  }
  /** Slot 5. */
  get_CurrentRowOrColumnMajor(): number {
    const f = enter();
    try {
      const major_ = f.cell();
      check(this.method(5, T_ptr)(this.pointer, major_.address), 'IUIAutomationTablePattern.get_CurrentRowOrColumnMajor');
      return int32Out(major_);
    } finally { leave(f); }
  }
}

export class IUIAutomationTableItemPattern extends ComRef {
  static override readonly iid: Buffer = guid('0b964eb3-ef2e-4464-9c79-61d61737a27e');
  static override readonly interfaceName: string = 'IUIAutomationTableItemPattern';
  /** Slot 3. */
  GetCurrentRowHeaderItems(): IUIAutomationElementArray | null {
    const f = enter();
    try {
      const items_ = f.cell();
      check(this.method(3, T_ptr)(this.pointer, items_.address), 'IUIAutomationTableItemPattern.GetCurrentRowHeaderItems');
      return refOut(items_, IUIAutomationElementArray);
    } finally { leave(f); }
  }
  /** Slot 4. */
  GetCurrentColumnHeaderItems(): IUIAutomationElementArray | null {
    const f = enter();
    try {
      const items_ = f.cell();
      check(this.method(4, T_ptr)(this.pointer, items_.address), 'IUIAutomationTableItemPattern.GetCurrentColumnHeaderItems');
      return refOut(items_, IUIAutomationElementArray);
    } finally { leave(f); }
  }
}

export class IUIAutomationWindowPattern extends ComRef {
  static override readonly iid: Buffer = guid('0faef453-9208-43ef-bbb2-3b485177864f');
  static override readonly interfaceName: string = 'IUIAutomationWindowPattern';
  /** Slot 3. */
  Close(): number {
    return check(this.method(3, T_none)(this.pointer), 'IUIAutomationWindowPattern.Close');
  }
  CloseAsync(): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 3, type: T_none, name: 'IUIAutomationWindowPattern.Close' }, [], (hresult) => hresult);
  }
  /** Slot 4. */
  WaitForInputIdle(milliseconds: number): boolean {
    const f = enter();
    try {
      const idle_ = f.cell();
      check(this.method(4, T_int32_ptr)(this.pointer, milliseconds, idle_.address), 'IUIAutomationWindowPattern.WaitForInputIdle');
      return boolOut(idle_);
    } finally { leave(f); }
  }
  WaitForInputIdleAsync(milliseconds: number): Promise<boolean> {
    const f = new Frame();
    const idle_ = f.cell();
    return later(f, this, { slot: 4, type: T_int32_ptr, name: 'IUIAutomationWindowPattern.WaitForInputIdle' }, [milliseconds, idle_.address], () => boolOut(idle_));
  }
  /** Slot 5. */
  SetWindowVisualState(state: number): number {
    return check(this.method(5, T_int32)(this.pointer, state), 'IUIAutomationWindowPattern.SetWindowVisualState');
  }
  SetWindowVisualStateAsync(state: number): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 5, type: T_int32, name: 'IUIAutomationWindowPattern.SetWindowVisualState' }, [state], (hresult) => hresult);
  }
  /** Slot 6. */
  get_CurrentCanMaximize(): boolean {
    const f = enter();
    try {
      const can_ = f.cell();
      check(this.method(6, T_ptr)(this.pointer, can_.address), 'IUIAutomationWindowPattern.get_CurrentCanMaximize');
      return boolOut(can_);
    } finally { leave(f); }
  }
  /** Slot 7. */
  get_CurrentCanMinimize(): boolean {
    const f = enter();
    try {
      const can_ = f.cell();
      check(this.method(7, T_ptr)(this.pointer, can_.address), 'IUIAutomationWindowPattern.get_CurrentCanMinimize');
      return boolOut(can_);
    } finally { leave(f); }
  }
  /** Slot 8. */
  get_CurrentIsModal(): boolean {
    const f = enter();
    try {
      const is_ = f.cell();
      check(this.method(8, T_ptr)(this.pointer, is_.address), 'IUIAutomationWindowPattern.get_CurrentIsModal');
      return boolOut(is_);
    } finally { leave(f); }
  }
  /** Slot 9. */
  get_CurrentIsTopmost(): boolean {
    const f = enter();
    try {
      const is_ = f.cell();
      check(this.method(9, T_ptr)(this.pointer, is_.address), 'IUIAutomationWindowPattern.get_CurrentIsTopmost');
      return boolOut(is_);
    } finally { leave(f); }
  }
  /** Slot 10. */
  get_CurrentWindowVisualState(): number {
    const f = enter();
    try {
      const state_ = f.cell();
      check(this.method(10, T_ptr)(this.pointer, state_.address), 'IUIAutomationWindowPattern.get_CurrentWindowVisualState');
      return int32Out(state_);
    } finally { leave(f); }
  }
  /** Slot 11. */
  get_CurrentWindowInteractionState(): number {
    const f = enter();
    try {
      const state_ = f.cell();
      check(this.method(11, T_ptr)(this.pointer, state_.address), 'IUIAutomationWindowPattern.get_CurrentWindowInteractionState');
      return int32Out(state_);
    } finally { leave(f); }
  }
}

export class IUIAutomationTransformPattern extends ComRef {
  static override readonly iid: Buffer = guid('a9b55844-a55d-4ef0-926d-569c16ff89bb');
  static override readonly interfaceName: string = 'IUIAutomationTransformPattern';
  /** Slot 3. */
  Move(x: number, y: number): number {
    return check(this.method(3, T_double_double)(this.pointer, x, y), 'IUIAutomationTransformPattern.Move');
  }
  MoveAsync(x: number, y: number): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 3, type: T_double_double, name: 'IUIAutomationTransformPattern.Move' }, [x, y], (hresult) => hresult);
  }
  /** Slot 4. */
  Resize(width: number, height: number): number {
    return check(this.method(4, T_double_double)(this.pointer, width, height), 'IUIAutomationTransformPattern.Resize');
  }
  ResizeAsync(width: number, height: number): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 4, type: T_double_double, name: 'IUIAutomationTransformPattern.Resize' }, [width, height], (hresult) => hresult);
  }
  /** Slot 5. */
  Rotate(degrees: number): number {
    return check(this.method(5, T_double)(this.pointer, degrees), 'IUIAutomationTransformPattern.Rotate');
  }
  RotateAsync(degrees: number): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 5, type: T_double, name: 'IUIAutomationTransformPattern.Rotate' }, [degrees], (hresult) => hresult);
  }
  /** Slot 6. */
  get_CurrentCanMove(): boolean {
    const f = enter();
    try {
      const can_ = f.cell();
      check(this.method(6, T_ptr)(this.pointer, can_.address), 'IUIAutomationTransformPattern.get_CurrentCanMove');
      return boolOut(can_);
    } finally { leave(f); }
  }
  /** Slot 7. */
  get_CurrentCanResize(): boolean {
    const f = enter();
    try {
      const can_ = f.cell();
      check(this.method(7, T_ptr)(this.pointer, can_.address), 'IUIAutomationTransformPattern.get_CurrentCanResize');
      return boolOut(can_);
    } finally { leave(f); }
  }
  /** Slot 8. */
  get_CurrentCanRotate(): boolean {
    const f = enter();
    try {
      const can_ = f.cell();
      check(this.method(8, T_ptr)(this.pointer, can_.address), 'IUIAutomationTransformPattern.get_CurrentCanRotate');
      return boolOut(can_);
    } finally { leave(f); }
  }
}

export class IUIAutomationLegacyIAccessiblePattern extends ComRef {
  static override readonly iid: Buffer = guid('828055ad-355b-4435-86d5-3b51c14a9b1b');
  static override readonly interfaceName: string = 'IUIAutomationLegacyIAccessiblePattern';
  /** Slot 3. */
  Select(flags: number): number {
    return check(this.method(3, T_int32)(this.pointer, flags), 'IUIAutomationLegacyIAccessiblePattern.Select');
  }
  SelectAsync(flags: number): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 3, type: T_int32, name: 'IUIAutomationLegacyIAccessiblePattern.Select' }, [flags], (hresult) => hresult);
  }
  /** Slot 4. */
  DoDefaultAction(): number {
    return check(this.method(4, T_none)(this.pointer), 'IUIAutomationLegacyIAccessiblePattern.DoDefaultAction');
  }
  DoDefaultActionAsync(): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 4, type: T_none, name: 'IUIAutomationLegacyIAccessiblePattern.DoDefaultAction' }, [], (hresult) => hresult);
  }
  /** Slot 5. */
  SetValue(value: string | null): number {
    return check(this.method(5, T_str16)(this.pointer, value), 'IUIAutomationLegacyIAccessiblePattern.SetValue');
  }
  SetValueAsync(value: string | null): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 5, type: T_str16, name: 'IUIAutomationLegacyIAccessiblePattern.SetValue' }, [value], (hresult) => hresult);
  }
  /** Slot 6. */
  get_CurrentChildId(): number {
    const f = enter();
    try {
      const id_ = f.cell();
      check(this.method(6, T_ptr)(this.pointer, id_.address), 'IUIAutomationLegacyIAccessiblePattern.get_CurrentChildId');
      return int32Out(id_);
    } finally { leave(f); }
  }
  /** Slot 7. */
  get_CurrentName(): string | null {
    const f = enter();
    try {
      const name_ = f.cell();
      check(this.method(7, T_ptr)(this.pointer, name_.address), 'IUIAutomationLegacyIAccessiblePattern.get_CurrentName');
      return bstrOut(name_);
    } finally { leave(f); }
  }
  /** Slot 8. */
  get_CurrentValue(): string | null {
    const f = enter();
    try {
      const value_ = f.cell();
      check(this.method(8, T_ptr)(this.pointer, value_.address), 'IUIAutomationLegacyIAccessiblePattern.get_CurrentValue');
      return bstrOut(value_);
    } finally { leave(f); }
  }
  /** Slot 9. */
  get_CurrentDescription(): string | null {
    const f = enter();
    try {
      const description_ = f.cell();
      check(this.method(9, T_ptr)(this.pointer, description_.address), 'IUIAutomationLegacyIAccessiblePattern.get_CurrentDescription');
      return bstrOut(description_);
    } finally { leave(f); }
  }
  /** Slot 10. */
  get_CurrentRole(): number {
    const f = enter();
    try {
      const role_ = f.cell();
      check(this.method(10, T_ptr)(this.pointer, role_.address), 'IUIAutomationLegacyIAccessiblePattern.get_CurrentRole');
      return uint32Out(role_);
    } finally { leave(f); }
  }
  /** Slot 11. */
  get_CurrentState(): number {
    const f = enter();
    try {
      const state_ = f.cell();
      check(this.method(11, T_ptr)(this.pointer, state_.address), 'IUIAutomationLegacyIAccessiblePattern.get_CurrentState');
      return uint32Out(state_);
    } finally { leave(f); }
  }
  /** Slot 12. */
  get_CurrentHelp(): string | null {
    const f = enter();
    try {
      const help_ = f.cell();
      check(this.method(12, T_ptr)(this.pointer, help_.address), 'IUIAutomationLegacyIAccessiblePattern.get_CurrentHelp');
      return bstrOut(help_);
    } finally { leave(f); }
  }
  /** Slot 13. */
  get_CurrentKeyboardShortcut(): string | null {
    const f = enter();
    try {
      const shortcut_ = f.cell();
      check(this.method(13, T_ptr)(this.pointer, shortcut_.address), 'IUIAutomationLegacyIAccessiblePattern.get_CurrentKeyboardShortcut');
      return bstrOut(shortcut_);
    } finally { leave(f); }
  }
  /** Slot 14. */
  GetCurrentSelection(): IUIAutomationElementArray | null {
    const f = enter();
    try {
      const elements_ = f.cell();
      check(this.method(14, T_ptr)(this.pointer, elements_.address), 'IUIAutomationLegacyIAccessiblePattern.GetCurrentSelection');
      return refOut(elements_, IUIAutomationElementArray);
    } finally { leave(f); }
  }
  /** Slot 15. */
  get_CurrentDefaultAction(): string | null {
    const f = enter();
    try {
      const action_ = f.cell();
      check(this.method(15, T_ptr)(this.pointer, action_.address), 'IUIAutomationLegacyIAccessiblePattern.get_CurrentDefaultAction');
      return bstrOut(action_);
    } finally { leave(f); }
  }
  /** Slot 20. */
  get_CachedRole(): number {
    const f = enter();
    try {
      const role_ = f.cell();
      check(this.method(20, T_ptr)(this.pointer, role_.address), 'IUIAutomationLegacyIAccessiblePattern.get_CachedRole');
      return uint32Out(role_);
    } finally { leave(f); }
  }
  /** Slot 21. */
  get_CachedState(): number {
    const f = enter();
    try {
      const state_ = f.cell();
      check(this.method(21, T_ptr)(this.pointer, state_.address), 'IUIAutomationLegacyIAccessiblePattern.get_CachedState');
      return uint32Out(state_);
    } finally { leave(f); }
  }
  /** Slot 25. */
  get_CachedDefaultAction(): string | null {
    const f = enter();
    try {
      const action_ = f.cell();
      check(this.method(25, T_ptr)(this.pointer, action_.address), 'IUIAutomationLegacyIAccessiblePattern.get_CachedDefaultAction');
      return bstrOut(action_);
    } finally { leave(f); }
  }
  /** Slot 26. */
  GetIAccessible(): IAccessible | null {
    const f = enter();
    try {
      const accessible_ = f.cell();
      check(this.method(26, T_ptr)(this.pointer, accessible_.address), 'IUIAutomationLegacyIAccessiblePattern.GetIAccessible');
      return refOut(accessible_, IAccessible);
    } finally { leave(f); }
  }
}

export class IUIAutomationItemContainerPattern extends ComRef {
  static override readonly iid: Buffer = guid('c690fdb2-27a8-423c-812d-429773c9084e');
  static override readonly interfaceName: string = 'IUIAutomationItemContainerPattern';
  /** Slot 3. */
  FindItemByProperty(startAfter: IUIAutomationElement | null, propertyId: number, value: VariantInput): IUIAutomationElement | null {
    const f = enter();
    try {
      const found_ = f.cell();
      check(this.method(3, T_ptr_int32_ptr_ptr)(this.pointer, ref(startAfter), propertyId, f.variant(value), found_.address), 'IUIAutomationItemContainerPattern.FindItemByProperty');
      return refOut(found_, IUIAutomationElement);
    } finally { leave(f); }
  }
  FindItemByPropertyAsync(startAfter: IUIAutomationElement | null, propertyId: number, value: VariantInput): Promise<IUIAutomationElement | null> {
    const f = new Frame();
    const found_ = f.cell();
    return later(f, this, { slot: 3, type: T_ptr_int32_ptr_ptr, name: 'IUIAutomationItemContainerPattern.FindItemByProperty' }, [f.hold(startAfter), propertyId, f.variant(value), found_.address], () => refOut(found_, IUIAutomationElement));
  }
}

export class IUIAutomationVirtualizedItemPattern extends ComRef {
  static override readonly iid: Buffer = guid('6ba3d7a6-04cf-4f11-8793-a8d1cde9969f');
  static override readonly interfaceName: string = 'IUIAutomationVirtualizedItemPattern';
  /** Slot 3. */
  Realize(): number {
    return check(this.method(3, T_none)(this.pointer), 'IUIAutomationVirtualizedItemPattern.Realize');
  }
  RealizeAsync(): Promise<number> {
    const f = new Frame();
    return later(f, this, { slot: 3, type: T_none, name: 'IUIAutomationVirtualizedItemPattern.Realize' }, [], (hresult) => hresult);
  }
}
