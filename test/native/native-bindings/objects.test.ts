/** COM objects through the bindings: reference counts and method calls. */
import { describe, expect, it } from 'vitest';
import { readBstr } from '../../../native-bindings/com/bstr.ts';
import { comRefsAlive, ComRef, reportLeaks } from '../../../native-bindings/com/com-ref.ts';
import { ComScope } from '../../../native-bindings/com/com-scope.ts';
import { guidText } from '../../../native-bindings/com/guid.ts';
import { ComError, HRESULT } from '../../../native-bindings/com/hresult.ts';
import { readMemory } from '../../../native-bindings/library.ts';
import { IAccessible } from '../../../native-bindings/uia/accessible.generated.ts';
import { IUIAutomationElement } from '../../../native-bindings/uia/automation.generated.ts';
import {
  IUIAutomationInvokePattern,
  IUIAutomationRangeValuePattern,
  IUIAutomationTransformPattern,
  IUIAutomationValuePattern,
} from '../../../native-bindings/uia/patterns.generated.ts';
import { exposedCollector } from '../../support/collector.ts';
import { bytesOf, fakeObject, writeTo, type FakeMethod } from './support/fake-object.ts';

const iidOf = (type: typeof ComRef): string => guidText(type.iid);
const failure = (work: () => unknown): ComError => {
  try {
    work();
  } catch (error) {
    if (error instanceof ComError) return error;
    throw error;
  }
  throw new Error('It did not fail.');
};

describe('references', () => {
  it('are counted and released once', () => {
    using fake = fakeObject([iidOf(IUIAutomationValuePattern)], {});
    const before = comRefsAlive();
    {
      using ref = new ComRef(fake.pointer);
      using other = ref.query(IUIAutomationValuePattern)!;
      using copy = other.clone();
      expect(copy).toBeInstanceOf(IUIAutomationValuePattern);
      expect([fake.references(), comRefsAlive() - before]).toEqual([3, 3]);
      copy[Symbol.dispose]();
      copy[Symbol.dispose]();
      expect([fake.references(), comRefsAlive() - before]).toEqual([2, 2]);
    }
    expect([fake.references(), comRefsAlive() - before]).toEqual([0, 0]);
  });

  it('say which interface an object lacks', () => {
    using fake = fakeObject([], {});
    using ref = new ComRef(fake.pointer);
    expect(ref.query(IUIAutomationValuePattern)).toBe(null);
    expect(failure(() => ref.demand(IUIAutomationValuePattern))).toMatchObject({
      hresult: HRESULT.E_NOINTERFACE,
      code: 'E_NOINTERFACE',
    });
  });

  it('throw instead of crashing when used too late', () => {
    using fake = fakeObject([], {});
    const ref = new IUIAutomationInvokePattern(fake.pointer);
    ref[Symbol.dispose]();
    expect(ref.disposed).toBe(true);
    expect(() => ref.Invoke()).toThrow(/IUIAutomationInvokePattern was used after it had been disposed of/);
    expect(() => ref.query(IUIAutomationValuePattern)).toThrow(/disposed/);
    expect(() => new ComRef(0n)).toThrow(/null pointer/);
    using element = new IUIAutomationElement(fake.pointer);
    expect(() => element.FindAll(1, ref as never)).toThrow(/disposed/);
  });

  it('can be given away', () => {
    using fake = fakeObject([], {});
    const ref = new ComRef(fake.pointer);
    expect(ref.detach()).toBe(fake.pointer);
    expect([fake.references(), ref.disposed]).toEqual([1, true]);
  });

  it('that are dropped are reported, and not released', async () => {
    using fake = fakeObject([], {});
    const seen: string[] = [];
    reportLeaks((name) => {
      seen.push(name);
    });
    const before = comRefsAlive();
    (() => {
      void new IUIAutomationValuePattern(fake.pointer);
    })();
    const collect = (globalThis as { gc?: () => void }).gc ?? exposedCollector();
    for (let i = 0; i < 50 && seen.length === 0; i++) {
      collect();
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
    }
    reportLeaks(null);
    expect(seen).toEqual(['IUIAutomationValuePattern']);
    expect([fake.references(), comRefsAlive() - before]).toEqual([1, 1]);
  });

  it('end with their scope, newest first, unless kept', () => {
    const ended: string[] = [];
    const thing = (name: string): Disposable => ({
      [Symbol.dispose]() {
        ended.push(name);
      },
    });
    const kept = thing('kept');
    {
      using scope = new ComScope();
      scope.own(thing('first'));
      scope.own(null);
      scope.own(kept);
      scope.own(thing('last'));
      const dropped = scope.own(thing('dropped'));
      scope.drop(dropped);
      scope.keep(kept);
      expect(scope.size).toBe(2);
    }
    expect(ended).toEqual(['dropped', 'last', 'first']);
  });
});

describe('methods', () => {
  it('pass doubles, booleans, strings and VARIANTs as the callee expects them', () => {
    const got: unknown[] = [];
    using range = fakeObject([], {
      3: {
        args: ['double'],
        call: (value: number) => {
          got.push(value);
          return 0;
        },
      },
    });
    using pattern = new IUIAutomationRangeValuePattern(range.pointer);
    expect(pattern.SetValue(12.5)).toBe(HRESULT.S_OK);

    using transform = fakeObject([], {
      3: {
        args: ['double', 'double'],
        call: (x: number, y: number) => {
          got.push([x, y]);
          return 1;
        },
      },
    });
    using moving = new IUIAutomationTransformPattern(transform.pointer);
    expect(moving.Move(-3.25, 1e10)).toBe(HRESULT.S_FALSE);

    using value = fakeObject([], {
      3: {
        args: ['ptr'],
        call: (text: bigint) => {
          got.push(readBstr(text));
          return 0;
        },
      },
    });
    using settable = new IUIAutomationValuePattern(value.pointer);
    settable.SetValue('’ 漢字 😀');
    settable.SetValue('');

    const variants: unknown[] = [];
    using accessible = fakeObject([], {
      27: {
        args: ['ptr', 'ptr'],
        call: (child: bigint, text: bigint) => {
          variants.push(readMemory(child, 12).toString('hex'), readBstr(text));
          return 0;
        },
      },
    });
    using msaa = new IAccessible(accessible.pointer);
    msaa.put_accValue(5, 'x');
    expect(got).toEqual([12.5, [-3.25, 1e10], '’ 漢字 😀', '']);
    expect(variants).toEqual(['030000000000000005000000', 'x']);
  });

  it('bring results back, several as an object', () => {
    using fake = fakeObject([], {
      22: {
        args: ['ptr', 'ptr', 'ptr', 'ptr', 'ptr'],
        call: (...outs: bigint[]) => {
          outs.slice(0, 4).forEach((out, i) => {
            writeTo(out, Buffer.from(Int32Array.of(i - 1).buffer));
          });
          return 0;
        },
      },
      8: {
        args: ['ptr'],
        call: (out: bigint) => {
          writeTo(out, Buffer.from(Int32Array.of(3).buffer));
          return 0;
        },
      },
      7: {
        args: ['ptr'],
        call: (out: bigint) => {
          writeTo(out, bytesOf(0n));
          return 0;
        },
      },
    });
    using accessible = new IAccessible(fake.pointer);
    expect(accessible.accLocation(0)).toEqual({ left: -1, top: 0, width: 1, height: 2 });
    expect(accessible.get_accChildCount()).toBe(3);
    expect(accessible.get_accParent()).toBe(null);
  });

  it('fail with the name of the code and of the method', () => {
    using fake = fakeObject([], { 3: { args: [], call: () => HRESULT.UIA_E_ELEMENTNOTENABLED } });
    using pattern = new IUIAutomationInvokePattern(fake.pointer);
    expect(failure(() => pattern.Invoke())).toMatchObject({
      hresult: HRESULT.UIA_E_ELEMENTNOTENABLED,
      code: 'UIA_E_ELEMENTNOTENABLED',
      method: 'IUIAutomationInvokePattern.Invoke',
      message: 'IUIAutomationInvokePattern.Invoke failed: UIA_E_ELEMENTNOTENABLED.',
    });
    using value = new IUIAutomationValuePattern(fake.pointer);
    expect(failure(() => value.get_CurrentValue())).toMatchObject({ code: 'E_NOTIMPL' });
  });

  it('on another thread keep object and arguments until they end', async () => {
    const got: unknown[] = [];
    using fake = fakeObject([], {
      3: {
        args: ['ptr'],
        call: (text: bigint) => {
          got.push(fake.references(), readBstr(text));
          return 0;
        },
      },
    });
    const pattern = new IUIAutomationValuePattern(fake.pointer);
    const setting = pattern.SetValueAsync('later');
    pattern[Symbol.dispose]();
    expect(fake.references()).toBe(1);
    expect(await setting).toBe(0);
    expect(got).toEqual([1, 'later']);
    expect(fake.references()).toBe(0);
  });

  it('are looked up again when another object has its table at the same address', () => {
    const answers: number[] = [];
    const method = (answer: number): FakeMethod => ({
      args: ['ptr'],
      call: (out: bigint) => {
        writeTo(out, Buffer.from(Int32Array.of(answer).buffer));
        return 0;
      },
    });
    using first = fakeObject([], { 8: method(1) });
    using second = fakeObject([], { 8: method(2) });
    using one = new IAccessible(first.pointer);
    answers.push(one.get_accChildCount());
    first.takeTableOf(second);
    using other = new IAccessible(first.pointer);
    answers.push(other.get_accChildCount());
    expect(answers).toEqual([1, 2]);
  });
});
