// generated, do not edit: `npm run generate`
// Methods return their result; those without one return the success code. A failure throws ComError.
import { ComRef, type ComType } from '../com/com-ref.ts';
import { guid } from '../com/guid.ts';
import { check } from '../com/hresult.ts';
import { methodType } from '../com/vtable.ts';
import { type Pointer } from '../library.ts';
import { Frame, enter, int32Out, later, leave, refOut, taskstringOut, uint32Out } from './call.ts';

const T_ptr = methodType(['ptr']);
const T_uint32_ptr = methodType(['uint32', 'ptr']);
const T_ptr_ptr = methodType(['ptr', 'ptr']);
const T_none = methodType([]);
const T_ptr_ptr_ptr_ptr = methodType(['ptr', 'ptr', 'ptr', 'ptr']);
const T_int32_ptr = methodType(['int32', 'ptr']);
const T_uint32_ptr_ptr = methodType(['uint32', 'ptr', 'ptr']);
const T_str16_uint32 = methodType(['str16', 'uint32']);
const T_ptr_int32_ptr_uint32 = methodType(['ptr', 'int32', 'ptr', 'uint32']);
const T_ptr_int32 = methodType(['ptr', 'int32']);
const T_ptr_int32_ptr = methodType(['ptr', 'int32', 'ptr']);
const T_str16_str16_int32_ptr = methodType(['str16', 'str16', 'int32', 'ptr']);

export class IPropertyStore extends ComRef {
  static override readonly iid: Buffer = guid('886d8eeb-8cf2-4446-8d02-cdba1dbdcf99');
  static override readonly interfaceName: string = 'IPropertyStore';
  /** Slot 3. */
  GetCount(): number {
    const f = enter();
    try {
      const count_ = f.cell();
      check(this.method(3, T_ptr)(this.pointer, count_.address), 'IPropertyStore.GetCount');
      return uint32Out(count_);
    } finally { leave(f); }
  }
  /** Slot 4. */
  GetAt(index: number, key: Pointer): number {
    return check(this.method(4, T_uint32_ptr)(this.pointer, index, key), 'IPropertyStore.GetAt');
  }
  /** Slot 5. */
  GetValue(key: Pointer, value: Pointer): number {
    return check(this.method(5, T_ptr_ptr)(this.pointer, key, value), 'IPropertyStore.GetValue');
  }
  /** Slot 6. */
  SetValue(key: Pointer, value: Pointer): number {
    return check(this.method(6, T_ptr_ptr)(this.pointer, key, value), 'IPropertyStore.SetValue');
  }
  /** Slot 7. */
  Commit(): number {
    return check(this.method(7, T_none)(this.pointer), 'IPropertyStore.Commit');
  }
}

export class IShellItem extends ComRef {
  static override readonly iid: Buffer = guid('43826d1e-e718-42ee-bc55-a1e261c37bfe');
  static override readonly interfaceName: string = 'IShellItem';
  /** Slot 3. */
  BindToHandler<T extends ComRef>(context: Pointer, handler: Pointer, riid: ComType<T>): T | null {
    const f = enter();
    try {
      const object_ = f.cell();
      check(this.method(3, T_ptr_ptr_ptr_ptr)(this.pointer, context, handler, riid.iid, object_.address), 'IShellItem.BindToHandler');
      return refOut(object_, riid);
    } finally { leave(f); }
  }
  /** Slot 4. */
  GetParent(): IShellItem | null {
    const f = enter();
    try {
      const parent_ = f.cell();
      check(this.method(4, T_ptr)(this.pointer, parent_.address), 'IShellItem.GetParent');
      return refOut(parent_, IShellItem);
    } finally { leave(f); }
  }
  /** Slot 5. */
  GetDisplayName(kind: number): string | null {
    const f = enter();
    try {
      const name_ = f.cell();
      check(this.method(5, T_int32_ptr)(this.pointer, kind, name_.address), 'IShellItem.GetDisplayName');
      return taskstringOut(name_);
    } finally { leave(f); }
  }
}

export class IEnumShellItems extends ComRef {
  static override readonly iid: Buffer = guid('70629033-e363-4a28-a567-0db78006e6d7');
  static override readonly interfaceName: string = 'IEnumShellItems';
  /** Slot 3. */
  Next(count: number, items: Pointer, fetched: Pointer): number {
    return check(this.method(3, T_uint32_ptr_ptr)(this.pointer, count, items, fetched), 'IEnumShellItems.Next');
  }
}

export class IPersistFile extends ComRef {
  static override readonly iid: Buffer = guid('0000010b-0000-0000-c000-000000000046');
  static override readonly interfaceName: string = 'IPersistFile';
  /** Slot 5. */
  Load(path: string | null, mode: number): number {
    return check(this.method(5, T_str16_uint32)(this.pointer, path, mode), 'IPersistFile.Load');
  }
}

export class IShellLinkW extends ComRef {
  static override readonly iid: Buffer = guid('000214f9-0000-0000-c000-000000000046');
  static override readonly interfaceName: string = 'IShellLinkW';
  /** Slot 3. */
  GetPath(path: Pointer, capacity: number, findData: Pointer, flags: number): number {
    return check(this.method(3, T_ptr_int32_ptr_uint32)(this.pointer, path, capacity, findData, flags), 'IShellLinkW.GetPath');
  }
  /** Slot 10. */
  GetArguments(text: Pointer, capacity: number): number {
    return check(this.method(10, T_ptr_int32)(this.pointer, text, capacity), 'IShellLinkW.GetArguments');
  }
  /** Slot 8. */
  GetWorkingDirectory(directory: Pointer, capacity: number): number {
    return check(this.method(8, T_ptr_int32)(this.pointer, directory, capacity), 'IShellLinkW.GetWorkingDirectory');
  }
  /** Slot 16. */
  GetIconLocation(path: Pointer, capacity: number): number {
    const f = enter();
    try {
      const index_ = f.cell();
      check(this.method(16, T_ptr_int32_ptr)(this.pointer, path, capacity, index_.address), 'IShellLinkW.GetIconLocation');
      return int32Out(index_);
    } finally { leave(f); }
  }
}

export class IApplicationActivationManager extends ComRef {
  static override readonly iid: Buffer = guid('2e941141-7f97-4756-ba1d-9decde894a3d');
  static override readonly interfaceName: string = 'IApplicationActivationManager';
  /** Slot 3. */
  ActivateApplication(appUserModelId: string | null, parameters: string | null, options: number): number {
    const f = enter();
    try {
      const process_ = f.cell();
      check(this.method(3, T_str16_str16_int32_ptr)(this.pointer, appUserModelId, parameters, options, process_.address), 'IApplicationActivationManager.ActivateApplication');
      return uint32Out(process_);
    } finally { leave(f); }
  }
  ActivateApplicationAsync(appUserModelId: string | null, parameters: string | null, options: number): Promise<number> {
    const f = new Frame();
    const process_ = f.cell();
    return later(f, this, { slot: 3, type: T_str16_str16_int32_ptr, name: 'IApplicationActivationManager.ActivateApplication' }, [appUserModelId, parameters, options, process_.address], () => uint32Out(process_));
  }
}
