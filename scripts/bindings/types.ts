/** The parameter types of `wanted.txt`: their types in C and TypeScript, and their generated code. */

interface ParameterType {
  /** C types that a parameter of this type may have in the headers. */
  readonly c: RegExp;
  /** TypeScript type of an input. */
  readonly ts: string;
  /** The word of `library.ts` that is passed. */
  readonly native: string;
  /** Expression that is passed; `f` is the frame. */
  readonly pass: (name: string) => string;
}
interface ResultType {
  readonly c: RegExp;
  readonly ts: string;
  /** Expression that reads the cell. */
  readonly read: (cell: string) => string;
  readonly imports: readonly string[];
}

const INT32 =
  '(?:int|LONG|enum \\w+|PROPERTYID|PATTERNID|CONTROLTYPEID|EVENTID|TEXTATTRIBUTEID|HEADINGLEVELID|DISPID|SIGDN|ACTIVATEOPTIONS)';
const UINT32 = '(?:DWORD|UINT|ULONG)';
const same = (name: string) => name;
const exactly = (c: string) => new RegExp(`^${c}$`);

const PARAMETERS: Readonly<Record<string, ParameterType>> = {
  int32: { c: exactly(INT32), ts: 'number', native: 'int32', pass: same },
  uint32: { c: exactly(UINT32), ts: 'number', native: 'uint32', pass: same },
  bool: { c: exactly('WINBOOL'), ts: 'boolean', native: 'bool', pass: same },
  double: { c: exactly('double'), ts: 'number', native: 'double', pass: same },
  hwnd: { c: exactly('(?:UIA_HWND|HWND)'), ts: 'number', native: 'hwnd', pass: same },
  point: { c: exactly('POINT'), ts: 'PointValue', native: 'point', pass: same },
  bstr: { c: exactly('BSTR'), ts: 'string | null', native: 'ptr', pass: (n) => `f.bstr(${n})` },
  str16: { c: exactly('(?:LPCWSTR|LPCOLESTR|LPOLESTR)'), ts: 'string | null', native: 'str16', pass: same },
  variant: { c: exactly('VARIANT'), ts: 'VariantInput', native: 'ptr', pass: (n) => `f.variant(${n})` },
  array: { c: exactly('SAFEARRAY \\*'), ts: 'readonly number[]', native: 'ptr', pass: (n) => `f.int32s(${n})` },
  ptr: {
    c: exactly('(?:.* \\**|LPWSTR|REFGUID|REFIID|REFPROPERTYKEY|REFPROPVARIANT)'),
    ts: 'Pointer',
    native: 'ptr',
    pass: same,
  },
  type: { c: exactly('(?:REFIID|REFGUID)'), ts: 'ComType<T>', native: 'ptr', pass: (n) => `${n}.iid` },
};

const RESULTS: Readonly<Record<string, ResultType>> = {
  int32: { c: exactly(`${INT32} \\*`), ts: 'number', read: (c) => `int32Out(${c})`, imports: ['int32Out'] },
  uint32: { c: exactly(`${UINT32} \\*`), ts: 'number', read: (c) => `uint32Out(${c})`, imports: ['uint32Out'] },
  bool: { c: exactly('WINBOOL \\*'), ts: 'boolean', read: (c) => `boolOut(${c})`, imports: ['boolOut'] },
  double: { c: exactly('double \\*'), ts: 'number', read: (c) => `doubleOut(${c})`, imports: ['doubleOut'] },
  hwnd: { c: exactly('(?:UIA_HWND|HWND) \\*'), ts: 'number', read: (c) => `handleOut(${c})`, imports: ['handleOut'] },
  point: { c: exactly('POINT \\*'), ts: 'PointValue', read: (c) => `pointOut(${c})`, imports: ['pointOut'] },
  rect: { c: exactly('RECT \\*'), ts: 'RectValue', read: (c) => `rectOut(${c})`, imports: ['rectOut'] },
  bstr: { c: exactly('BSTR \\*'), ts: 'string | null', read: (c) => `bstrOut(${c})`, imports: ['bstrOut'] },
  taskstring: {
    c: exactly('LPWSTR \\*'),
    ts: 'string | null',
    read: (c) => `taskstringOut(${c})`,
    imports: ['taskstringOut'],
  },
  variant: { c: exactly('VARIANT \\*'), ts: 'VariantValue', read: (c) => `variantOut(${c})`, imports: ['variantOut'] },
  array: { c: exactly('SAFEARRAY \\*\\*'), ts: 'ArrayValue', read: (c) => `arrayOut(${c})`, imports: ['arrayOut'] },
  type: { c: exactly('void \\*\\*'), ts: 'T | null', read: (c) => `refOut(${c}, riid)`, imports: ['refOut'] },
};

const isInterface = (type: string) => /^I[A-Z]/.test(type);
/** IUnknown is `ComRef`. */
const className = (type: string) => (type === 'IUnknown' ? 'ComRef' : type);

export function parameterType(type: string): ParameterType | undefined {
  if (isInterface(type))
    return { c: exactly(`${type} \\*`), ts: `${className(type)} | null`, native: 'ptr', pass: (n) => `ref(${n})` };
  return PARAMETERS[type];
}

export function resultType(type: string): ResultType | undefined {
  if (isInterface(type))
    return {
      c: exactly(`${type} \\*\\*`),
      ts: `${className(type)} | null`,
      read: (c) => `refOut(${c}, ${className(type)})`,
      imports: ['refOut'],
    };
  return RESULTS[type];
}
