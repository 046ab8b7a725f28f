/** The real UI Automation and MSAA of this system. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInstance, enterMta } from '../../../native-bindings/com/apartment.ts';
import { ComRef, comRefsAlive } from '../../../native-bindings/com/com-ref.ts';
import { guid } from '../../../native-bindings/com/guid.ts';
import { HRESULT } from '../../../native-bindings/com/hresult.ts';
import { IAccessible } from '../../../native-bindings/uia/accessible.generated.ts';
import {
  IUIAutomation,
  IUIAutomation6,
  type IUIAutomationElement,
} from '../../../native-bindings/uia/automation.generated.ts';
import { ControlTypeId, PropertyId, TreeScope } from '../../../native-bindings/uia/identifiers.generated.ts';
import { ole32 } from '../../../native-bindings/win32/ole32.ts';
import { oleacc } from '../../../native-bindings/win32/oleacc.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';

const CUIAutomation8 = guid('e22ad333-b25f-460c-83d0-0581107395c9');
const OBJID_CLIENT = 0xfffffffc;
const APTTYPE_MTA = 1;

describe('UI Automation', () => {
  let mta: Disposable;
  let automation: IUIAutomation;
  beforeAll(() => {
    mta = enterMta();
    automation = createInstance(CUIAutomation8, IUIAutomation);
  });
  afterAll(() => {
    automation[Symbol.dispose]();
    mta[Symbol.dispose]();
  });
  const desktop = (): IUIAutomationElement => automation.ElementFromHandle(user32.GetDesktopWindow())!;

  it('lives in the multithreaded apartment', () => {
    const kind = new Int32Array(1);
    const qualifier = new Int32Array(1);
    expect(ole32.CoGetApartmentType(kind, qualifier)).toBe(HRESULT.S_OK);
    expect(kind[0]).toBe(APTTYPE_MTA);
  });

  it('offers its newest interface', () => {
    using newest = automation.query(IUIAutomation6);
    expect(newest).toBeInstanceOf(IUIAutomation6);
  });

  it('finds the desktop by its window', () => {
    using root = automation.GetRootElement()!;
    expect(root.GetCurrentPropertyValueEx(PropertyId.NativeWindowHandle, true)).toBe(user32.GetDesktopWindow());
    using element = desktop();
    expect(element.get_CurrentControlType()).toBe(ControlTypeId.Pane);
    expect(element.GetCurrentPropertyValueEx(PropertyId.ControlType, true)).toBe(ControlTypeId.Pane);
    expect(element.GetCurrentPropertyValueEx(PropertyId.NativeWindowHandle, true)).toBe(user32.GetDesktopWindow());
    const [left, top, width, height] = element.GetCurrentPropertyValueEx(
      PropertyId.BoundingRectangle,
      true,
    ) as number[];
    expect(element.get_CurrentBoundingRectangle()).toEqual({
      left,
      top,
      right: left! + width!,
      bottom: top! + height!,
    });
    expect(element.GetCurrentPropertyValueEx(PropertyId.RuntimeId, true)).toEqual([42, user32.GetDesktopWindow()]);
  });

  it('answers from another thread', async () => {
    using element = await automation.ElementFromHandleAsync(user32.GetDesktopWindow());
    expect(element!.get_CurrentControlType()).toBe(ControlTypeId.Pane);
    await expect(automation.ElementFromHandleAsync(0)).rejects.toMatchObject({
      name: 'ComError',
      method: 'IUIAutomation.ElementFromHandle',
    });
  });

  it('fills a cache as asked', () => {
    using request = automation.CreateCacheRequest()!;
    request.AddProperty(PropertyId.ControlType);
    request.put_TreeScope(TreeScope.Element);
    expect(request.get_TreeScope()).toBe(TreeScope.Element);
    using plain = desktop();
    using updated = plain.BuildUpdatedCache(request)!;
    expect(updated.GetCachedPropertyValueEx(PropertyId.ControlType, true)).toBe(ControlTypeId.Pane);
    using condition = automation.CreateTrueCondition()!;
    using found = plain.FindAllBuildCache(TreeScope.Element, condition, request)!;
    expect(found.get_Length()).toBe(1);
    using first = found.GetElement(0)!;
    expect(first.GetCachedPropertyValueEx(PropertyId.ControlType, true)).toBe(ControlTypeId.Pane);
  });

  it('leaves no reference behind', () => {
    const before = comRefsAlive();
    for (let i = 0; i < 200; i++) {
      using element = desktop();
      element.get_CurrentControlType();
      using again = element.clone();
      expect(again.disposed).toBe(false);
    }
    expect(comRefsAlive()).toBe(before);
    using element = desktop();
    const count = element.addRef();
    element.clone()[Symbol.dispose]();
    expect(element.addRef()).toBe(count + 1);
    new ComRef(element.pointer)[Symbol.dispose]();
    new ComRef(element.pointer)[Symbol.dispose]();
  });
});

it('MSAA: describes a window', () => {
  using apartment = enterMta();
  expect(apartment).toBeDefined();
  const out = new BigUint64Array(1);
  expect(oleacc.AccessibleObjectFromWindow(user32.GetDesktopWindow(), OBJID_CLIENT, IAccessible.iid, out)).toBe(
    HRESULT.S_OK,
  );
  using accessible = new IAccessible(out[0]!);
  expect(accessible.get_accRole(0)).toBe(10);
  expect(accessible.accLocation(0)).toMatchObject({ left: 0, top: 0 });
  expect(accessible.get_accChildCount()).toBeGreaterThan(0);
  const window = new BigUint64Array(1);
  expect(oleacc.WindowFromAccessibleObject(accessible.pointer, window)).toBe(HRESULT.S_OK);
  expect(Number(window[0])).toBe(user32.GetDesktopWindow());
});
