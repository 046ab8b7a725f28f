/** Late-bound objects and arrays of two dimensions, by an object of Windows itself: the Dictionary of its scripting library. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInstance, enterMta } from '../../../native-bindings/com/apartment.ts';
import { ComRef, comRefsAlive } from '../../../native-bindings/com/com-ref.ts';
import {
  answersCalls,
  Dispatch,
  DispatchError,
  releaseLater,
  type DispatchHome,
} from '../../../native-bindings/com/dispatch.ts';
import { guid } from '../../../native-bindings/com/guid.ts';
import { HRESULT } from '../../../native-bindings/com/hresult.ts';
import {
  createGrid,
  Currency,
  ErrorValue,
  OleDate,
  readGrid,
  type Grid,
} from '../../../native-bindings/com/variant-grid.ts';
import { oleaut32 } from '../../../native-bindings/win32/oleaut32.ts';

/** https://learn.microsoft.com/office/vba/language/reference/user-interface-help/dictionary-object */
const DICTIONARY = guid('ee09b103-97e0-11cf-978f-00a02463e06f');

/** The reference before it gets its home. */
class Unknown extends ComRef {
  static override readonly iid = Dispatch.iid;
}

/** Every kind, two rows of three: a mistaken order shows. */
const KINDS: Grid = [
  ['Löwe 🦁\0end', -12.5, true],
  [undefined, new ErrorValue(-2146826246), new OleDate(46349.25)],
];
const large = (rows: number, columns: number): Grid =>
  Array.from({ length: rows }, (_r, r) =>
    Array.from({ length: columns }, (_c, c) => ((r + c) % 3 === 0 ? `${String(r)} ${String(c)}` : r * columns + c)),
  );

let apartment: Disposable;
beforeAll(() => {
  apartment = enterMta();
});
afterAll(() => apartment?.[Symbol.dispose]());

describe('arrays', () => {
  const there = (values: Grid): Grid => {
    const array = createGrid(values);
    try {
      return readGrid(array);
    } finally {
      oleaut32.SafeArrayDestroy(array);
    }
  };

  it('keep every kind in its place', () => {
    expect(there(KINDS)).toEqual(KINDS);
    expect(there([[new Currency(19.99), null]])).toEqual([[new Currency(19.99), null]]);
    for (const [rows, columns] of [
      [1, 1],
      [1, 7],
      [7, 1],
      [500, 20],
    ] as const)
      expect(there(large(rows, columns))).toEqual(large(rows, columns));
  });
});

describe('late-bound objects', () => {
  /** What is released later, and what was called. */
  function home(): DispatchHome & { readonly released: bigint[]; readonly called: string[] } {
    const released: bigint[] = [];
    const called: string[] = [];
    return {
      ids: new Map(),
      released,
      called,
      release: (pointer) => void released.push(pointer),
      carryOut(call, name) {
        called.push(name);
        return call();
      },
    };
  }
  function dictionary(of: DispatchHome): Dispatch {
    return new Dispatch(createInstance(DICTIONARY, Unknown).detach(), of, 'Dictionary');
  }

  it('properties, methods, arguments in order, arrays there and back; ids are asked for once', async () => {
    const before = comRefsAlive();
    const of = home();
    {
      using words = dictionary(of);
      expect(await words.get('Count')).toBe(0);
      await words.put('CompareMode', 1);
      expect(await words.get('CompareMode')).toBe(1);
      await words.call('Add', ['cells', KINDS]);
      await words.call('Add', ['many', large(500, 20)]);
      expect(await words.get('Count')).toBe(2);
      expect(await words.get('Exists', ['cells'])).toBe(true);
      expect(await words.get('Item', ['cells'])).toEqual(KINDS);
      expect(await words.get('Item', ['many'])).toEqual(large(500, 20));
      expect(of.called.filter((name) => name === 'Dictionary.Count')).toHaveLength(3);
      expect([...of.ids.get('Dictionary')!.keys()]).toContain('Count');
      expect(await answersCalls(words.pointer)).toBe(HRESULT.DISP_E_UNKNOWNNAME);
    }
    expect(of.released).toHaveLength(1);
    expect(comRefsAlive()).toBe(before);
    for (const pointer of of.released) await releaseLater(pointer);
  });

  it('an unknown member and a refusal are errors with the member’s name', async () => {
    const of = home();
    {
      using words = dictionary(of);
      const unknown = await words.get('NoSuchMember').catch((error: unknown) => error);
      expect(unknown).toBeInstanceOf(DispatchError);
      expect(unknown).toMatchObject({ hresult: HRESULT.DISP_E_UNKNOWNNAME, method: 'Dictionary.NoSuchMember' });
      await words.call('Add', ['once', 1]);
      const twice = await words.call('Add', ['once', 2]).catch((error: unknown) => error);
      expect(twice).toBeInstanceOf(DispatchError);
      expect(await words.object('Count', 'Number').catch((error: unknown) => error)).toMatchObject({
        hresult: HRESULT.DISP_E_TYPEMISMATCH,
      });
    }
    for (const pointer of of.released) await releaseLater(pointer);
  });
});
