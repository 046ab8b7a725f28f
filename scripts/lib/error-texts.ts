/**
 * Every text with which src/ makes an error, read from the syntax tree: `new UiaHostError(code, text, { hint })`, the other error
 * classes, `error.with({ detail, hint })`, and the helpers that take a text, a hint or a code as a parameter, followed to
 * their callers. Values that are known only at run time are shown as `{name}`.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { CARRIERS, INTERNAL, SHAPES, type Shape } from './error-classes.ts';

interface ErrorText {
  /** Its codes; empty for an error of a command, which has no code. */
  readonly codes: readonly string[];
  /** The class, or `with` for a text that is added to an error. */
  readonly made: string;
  readonly text: string;
  /** The hints that replace the table's. */
  readonly hints: readonly string[];
  /** Relative to the root, with forward slashes. */
  readonly file: string;
}

interface LooseText {
  readonly kind: 'hint' | 'message';
  readonly text: string;
  readonly file: string;
}

export interface ErrorTexts {
  readonly texts: readonly ErrorText[];
  /** Hints that are not written where the error is made, and `message` texts: rules of the input, warnings. */
  readonly loose: readonly LooseText[];
  /** Errors that are not listed, and why. Empty if the list is complete. */
  readonly missed: readonly string[];
  /** Number of `new` of an error class that were read, by file: compared with an independent count. */
  readonly made: ReadonlyMap<string, number>;
}

/** More alternatives than this are shown as one value known only at run time. */
const MOST_ALTERNATIVES = 12;
/** Maximum depth of helpers that call helpers. */
const MOST_STEPS = 4;
/** More codes than this mean any code. */
const MOST_CODES = 10;

const SEVERAL_WORDS = /\p{L}+ \p{L}+/u;

type Environment = ReadonlyMap<ts.Symbol, ts.Expression>;
type Callable = ts.SignatureDeclaration & { readonly parameters: ts.NodeArray<ts.ParameterDeclaration> };

/** The program of all hand-written sources below a folder. */
export function sourceProgram(root: string, folder = 'src'): ts.Program {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root, undefined, undefined, []);
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .map((file) => path.join(root, folder, file));
  return ts.createProgram(files, options);
}

/** The list for a program. `root` and `folder` select its files. */
export function errorTexts(program: ts.Program, root: string, folder = 'src'): ErrorTexts {
  return new Reader(program, root, folder).read();
}

class Reader {
  readonly #checker: ts.TypeChecker;
  readonly #root: string;
  readonly #sources: ts.SourceFile[];
  readonly #calls = new Map<string, (ts.CallExpression | ts.NewExpression)[]>();
  readonly #usedHints = new Set<ts.Node>();
  readonly #texts: ErrorText[] = [];
  readonly #missed: string[] = [];
  readonly #made = new Map<string, number>();

  constructor(program: ts.Program, root: string, folder: string) {
    this.#checker = program.getTypeChecker();
    this.#root = root;
    const below = path.join(root, folder) + path.sep;
    this.#sources = program.getSourceFiles().filter(({ fileName }) => path.normalize(fileName).startsWith(below));
  }

  read(): ErrorTexts {
    for (const source of this.#sources) walk(source, (node) => this.#index(node));
    for (const source of this.#sources) walk(source, (node) => this.#visit(node));
    const loose = this.#sources.flatMap((source) => this.#loose(source));
    const texts = [...this.#texts].sort((one, other) => (one.file < other.file ? -1 : one.file > other.file ? 1 : 0));
    return { texts, loose, missed: this.#missed, made: this.#made };
  }

  #index(node: ts.Node): void {
    if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return;
    const name = calledName(node.expression);
    if (name !== undefined) this.#calls.set(name, [...(this.#calls.get(name) ?? []), node]);
  }

  #visit(node: ts.Node): void {
    if (ts.isNewExpression(node)) this.#visitNew(node);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword) this.#visitSuper(node);
    else if (ts.isCallExpression(node)) {
      this.#visitWith(node);
      this.#visitCarrier(node);
    }
  }

  /** A call whose arguments become an error in other code. */
  #visitCarrier(node: ts.CallExpression): void {
    const name = calledName(node.expression) ?? '';
    const carrier = Object.hasOwn(CARRIERS, name) ? CARRIERS[name] : undefined;
    const file = this.#fileOf(node);
    if (carrier !== undefined && file.startsWith(carrier.below))
      this.#follow(node, { made: name, shape: carrier }, new Map(), file, 0);
  }

  #visitNew(node: ts.NewExpression): void {
    if (!this.#isError(this.#checker.getTypeAtLocation(node))) return;
    const name = calledName(node.expression) ?? '';
    const file = this.#fileOf(node);
    this.#made.set(file, (this.#made.get(file) ?? 0) + 1);
    if (Object.hasOwn(INTERNAL, name)) return;
    const shape = Object.hasOwn(SHAPES, name) ? SHAPES[name] : undefined;
    if (shape === undefined) this.#missed.push(`${file}: ${name} is in neither list of scripts/lib/error-classes.ts`);
    else this.#follow(node, { made: name, shape }, new Map(), file, 0);
  }

  /** The text that a class passes to its base. */
  #visitSuper(node: ts.CallExpression): void {
    const [text] = node.arguments;
    if (
      text === undefined ||
      !ts.isTemplateExpression(text) ||
      !this.#isError(this.#checker.getTypeAtLocation(node.expression))
    )
      return;
    const owner = enclosing(node, ts.isClassDeclaration)?.name?.text ?? 'super';
    if (!Object.hasOwn(INTERNAL, owner) || INTERNAL[owner]?.isShown !== true) return;
    for (const line of this.#evaluate(text, new Map(), 0))
      this.#texts.push({ codes: [], made: owner, text: line, hints: [], file: this.#fileOf(node) });
  }

  #visitWith(node: ts.CallExpression): void {
    const [more] = node.arguments;
    if (!ts.isPropertyAccessExpression(node.expression) || node.expression.name.text !== 'with' || more === undefined)
      return;
    if (this.#checker.getTypeAtLocation(node.expression.expression).symbol?.name !== 'UiaHostError') return;
    const detail = propertyOf(more, 'detail');
    const hints = this.#hintsIn(more, new Map(), 0);
    if (detail !== undefined)
      for (const text of this.#evaluate(detail, new Map(), 0))
        this.#texts.push({ codes: ['any'], made: 'with', text, hints, file: this.#fileOf(node) });
  }

  /** Lists one `new`; if its code, text or hint is a parameter, once for each call of the enclosing function. */
  #follow(
    node: ts.NewExpression | ts.CallExpression,
    by: { readonly made: string; readonly shape: Shape },
    known: Environment,
    file: string,
    steps: number,
  ): void {
    const { made, shape } = by;
    const given = node.arguments ?? ts.factory.createNodeArray<ts.Expression>();
    const at = (index: number | undefined): ts.Expression | undefined =>
      index === undefined ? undefined : given[index];
    const [code, text, hint, more] = [at(shape.code), at(shape.text), at(shape.hint), at(shape.more)];
    const open = [code, text, hint, leading(text)].map((part) => this.#openParameter(part, known)).find((part) => part);
    if (open !== undefined && steps < MOST_STEPS) {
      const calls = this.#callsOf(open.owner);
      for (const call of calls)
        this.#follow(node, by, this.#bind(open.owner, call, known), this.#fileOf(call), steps + 1);
      if (calls.length > 0) return;
    }
    if (text === undefined) {
      this.#missed.push(`${file}: ${made} has no text`);
      return;
    }
    const codes = code === undefined ? [] : this.#codes(code, known);
    if (codes === undefined) return;
    const hints = [
      ...(hint === undefined ? [] : this.#evaluate(hint, known, 0)),
      ...(more ? this.#hintsIn(more, known, 0) : []),
    ];
    for (const line of this.#evaluate(text, known, 0)) this.#texts.push({ codes, made, text: line, hints, file });
  }

  /** The parameter that an expression refers to, unless it has a known value. */
  #openParameter(part: ts.Expression | undefined, known: Environment): { owner: Callable } | undefined {
    const value = part === undefined ? undefined : bare(part);
    if (value === undefined || !ts.isIdentifier(value)) return undefined;
    const symbol = this.#symbolOf(value);
    const bound = symbol === undefined ? undefined : known.get(symbol);
    if (bound !== undefined) return this.#openParameter(bound, known);
    const declaration = symbol?.valueDeclaration;
    if (declaration === undefined || !ts.isParameter(declaration) || !ts.isIdentifier(declaration.name))
      return undefined;
    return ts.isFunctionLike(declaration.parent) ? { owner: declaration.parent as Callable } : undefined;
  }

  #callsOf(owner: Callable): readonly (ts.CallExpression | ts.NewExpression)[] {
    const name = nameOf(owner);
    if (name === undefined) return [];
    return (this.#calls.get(name) ?? []).filter(
      (call) => this.#checker.getResolvedSignature(call)?.declaration === owner,
    );
  }

  #bind(owner: Callable, call: ts.CallExpression | ts.NewExpression, known: Environment): Environment {
    const bound = new Map(known);
    owner.parameters.forEach((parameter, index) => {
      const value = call.arguments?.[index] ?? parameter.initializer;
      const symbol = this.#checker.getSymbolAtLocation(parameter.name);
      if (symbol !== undefined && value !== undefined) bound.set(symbol, value);
    });
    return bound;
  }

  /** Undefined if the code is null: then the text is not an error's. */
  #codes(code: ts.Expression, known: Environment): string[] | undefined {
    const value = this.#resolve(code, known);
    if (value.kind === ts.SyntaxKind.NullKeyword) return undefined;
    const type = this.#checker.getTypeAtLocation(value);
    const parts = type.isUnion() ? type.types : [type];
    const names = parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
    return names.length === 0 || names.length > MOST_CODES ? ['any'] : names.sort();
  }

  #hintsIn(more: ts.Expression, known: Environment, steps: number): string[] {
    const hints: string[] = [];
    walk(more, (node) => {
      if (ts.isPropertyAssignment(node) && node.name.getText() === 'hint') {
        this.#usedHints.add(node);
        hints.push(...this.#evaluate(node.initializer, known, steps));
      } else if (ts.isShorthandPropertyAssignment(node) && node.name.text === 'hint') {
        const symbol = this.#checker.getShorthandAssignmentValueSymbol(node);
        hints.push(...this.#evaluateSymbol(symbol, node.name, known, steps));
      }
    });
    return [...new Set(hints)];
  }

  /** Texts of objects from which other code makes an error, a rule of the input or a warning. */
  #loose(source: ts.SourceFile): LooseText[] {
    const found: LooseText[] = [];
    walk(source, (node) => {
      if (!ts.isPropertyAssignment(node) || this.#usedHints.has(node)) return;
      const kind = node.name.getText();
      if (kind !== 'hint' && kind !== 'message') return;
      for (const text of this.#evaluate(node.initializer, new Map(), 0))
        if (SEVERAL_WORDS.test(text.replace(/\{[^}]*\}/g, ''))) found.push({ kind, text, file: this.#fileOf(node) });
    });
    return found;
  }

  /** The texts that an expression can be. */
  #evaluate(expression: ts.Expression, known: Environment, steps: number): string[] {
    const value = bare(expression);
    const or = (...parts: ts.Expression[]): string[] =>
      few(
        parts.flatMap((part) => this.#evaluate(part, known, steps)),
        value,
      );
    if (ts.isStringLiteralLike(value)) return [value.text];
    if (ts.isTemplateExpression(value)) return this.#template(value, known, steps);
    if (ts.isConditionalExpression(value)) return or(value.whenTrue, value.whenFalse);
    if (ts.isBinaryExpression(value)) {
      const operator = value.operatorToken.kind;
      if (operator === ts.SyntaxKind.QuestionQuestionToken || operator === ts.SyntaxKind.BarBarToken)
        return or(value.left, value.right);
      if (operator === ts.SyntaxKind.PlusToken) {
        const [left, right] = [value.left, value.right].map((part) => this.#evaluate(part, known, steps));
        return few(
          (left ?? []).flatMap((head) => (right ?? []).map((tail) => head + tail)),
          value,
        );
      }
    }
    if (ts.isIdentifier(value)) return this.#evaluateSymbol(this.#symbolOf(value), value, known, steps);
    if (ts.isPropertyAccessExpression(value)) return this.#property(value, known, steps);
    return [placeholder(value)];
  }

  #evaluateSymbol(symbol: ts.Symbol | undefined, value: ts.Identifier, known: Environment, steps: number): string[] {
    const bound = symbol === undefined ? undefined : known.get(symbol);
    if (steps >= MOST_STEPS) return [placeholder(value)];
    if (bound !== undefined) return this.#evaluate(bound, known, steps + 1);
    const declaration = symbol?.valueDeclaration;
    const isConstant =
      declaration !== undefined &&
      ts.isVariableDeclaration(declaration) &&
      (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
    if (!isConstant || declaration.initializer === undefined) return [placeholder(value)];
    const texts = this.#evaluate(declaration.initializer, known, steps + 1);
    // A value known only at run time keeps the name that the text uses for it.
    return texts.every((text) => /^\{[^{}]*\}$/.test(text)) ? [placeholder(value)] : texts;
  }

  /** `NAMES.one` of a constant object; else a value known at run time. */
  #property(value: ts.PropertyAccessExpression, known: Environment, steps: number): string[] {
    const declaration = this.#checker.getSymbolAtLocation(value.name)?.valueDeclaration;
    if (declaration !== undefined && ts.isPropertyAssignment(declaration) && steps < MOST_STEPS)
      return this.#evaluate(declaration.initializer, known, steps + 1);
    return [placeholder(value)];
  }

  #template(value: ts.TemplateExpression, known: Environment, steps: number): string[] {
    let texts = [value.head.text];
    for (const span of value.templateSpans) {
      const inner = this.#evaluate(span.expression, known, steps + 1);
      const shown = inner.length === 1 ? inner : [`{${inner.map(unwrapped).join('|')}}`];
      texts = texts.flatMap((text) => shown.map((part) => text + part + span.literal.text));
    }
    return texts;
  }

  #resolve(expression: ts.Expression, known: Environment): ts.Expression {
    const value = bare(expression);
    const symbol = ts.isIdentifier(value) ? this.#symbolOf(value) : undefined;
    const bound = symbol === undefined ? undefined : known.get(symbol);
    return bound === undefined ? value : this.#resolve(bound, known);
  }

  #symbolOf(identifier: ts.Identifier): ts.Symbol | undefined {
    const parent = identifier.parent as ts.Node | undefined;
    const symbol =
      parent !== undefined && ts.isShorthandPropertyAssignment(parent)
        ? this.#checker.getShorthandAssignmentValueSymbol(parent)
        : this.#checker.getSymbolAtLocation(identifier);
    return symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
      ? this.#checker.getAliasedSymbol(symbol)
      : symbol;
  }

  #isError(type: ts.Type): boolean {
    if (type.symbol?.name === 'Error') return true;
    return (type.isClassOrInterface() ? this.#checker.getBaseTypes(type) : []).some((base) => this.#isError(base));
  }

  #fileOf(node: ts.Node): string {
    return path.relative(this.#root, node.getSourceFile().fileName).replaceAll('\\', '/');
  }
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

function enclosing<T extends ts.Node>(node: ts.Node, is: (node: ts.Node) => node is T): T | undefined {
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent) if (is(at)) return at;
  return undefined;
}

/** Without brackets, `as`, `satisfies` and `!`. */
function bare(expression: ts.Expression): ts.Expression {
  if (
    ts.isParenthesizedExpression(expression) ||
    ts.isAsExpression(expression) ||
    ts.isSatisfiesExpression(expression) ||
    ts.isNonNullExpression(expression)
  )
    return bare(expression.expression);
  return expression;
}

/** The value that a template begins with, if any. */
function leading(text: ts.Expression | undefined): ts.Expression | undefined {
  const value = text === undefined ? undefined : bare(text);
  return value !== undefined && ts.isTemplateExpression(value) && value.head.text === ''
    ? value.templateSpans[0]?.expression
    : undefined;
}

function calledName(callee: ts.Expression): string | undefined {
  if (ts.isIdentifier(callee)) return callee.text;
  return ts.isPropertyAccessExpression(callee) ? callee.name.text : undefined;
}

/** The name that a function is called by: its own, or that of its constant or property. */
function nameOf(owner: Callable): string | undefined {
  if (ts.isConstructorDeclaration(owner)) return owner.parent.name?.text;
  if (owner.name !== undefined) return owner.name.getText();
  const holder = owner.parent;
  return ts.isVariableDeclaration(holder) || ts.isPropertyAssignment(holder) || ts.isPropertyDeclaration(holder)
    ? holder.name.getText()
    : undefined;
}

function propertyOf(object: ts.Expression, name: string): ts.Expression | undefined {
  const value = bare(object);
  if (!ts.isObjectLiteralExpression(value)) return undefined;
  for (const property of value.properties)
    if (ts.isPropertyAssignment(property) && property.name.getText() === name) return property.initializer;
  return undefined;
}

function few(texts: readonly string[], value: ts.Expression): string[] {
  const different = [...new Set(texts)];
  return different.length > MOST_ALTERNATIVES ? [placeholder(value)] : different;
}

const unwrapped = (text: string): string => (/^\{[^{}]*\}$/.test(text) ? text.slice(1, -1) : text);

/** `{name}`: the source's name for a value that is filled in at run time. */
function placeholder(expression: ts.Expression): string {
  return `{${nameFor(expression) || 'value'}}`;
}

function nameFor(expression: ts.Expression): string {
  const value = bare(expression);
  if (ts.isIdentifier(value)) return value.text;
  if (ts.isPrivateIdentifier(value)) return value.text.slice(1);
  if (ts.isPropertyAccessExpression(value)) {
    const [owner, name] = [nameFor(value.expression), value.name.text.replace(/^#/, '')];
    return owner === '' || owner === 'this' ? name : `${owner}.${name}`;
  }
  if (ts.isElementAccessExpression(value)) return nameFor(value.expression);
  if (ts.isCallExpression(value)) {
    const callee = bare(value.expression);
    // `list.join(', ')` is the list; `quoted(title)` is the title.
    const subject = ts.isPropertyAccessExpression(callee) ? nameFor(callee.expression) : '';
    const first = value.arguments[0];
    if (subject !== '' && !/^[A-Z]/.test(subject)) return subject;
    return (first === undefined ? '' : nameFor(first)) || calledName(callee) || '';
  }
  if (ts.isBinaryExpression(value)) return nameFor(value.left) || nameFor(value.right);
  if (ts.isAwaitExpression(value) || ts.isPrefixUnaryExpression(value))
    return nameFor((ts.isAwaitExpression(value) ? value.expression : value.operand) as ts.Expression);
  return '';
}
