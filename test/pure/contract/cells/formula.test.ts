// What formulas reach outside the workbook, in many disguises; and that texts and ordinary formulas are left alone.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeFormula, type FormulaVerdict } from '../../../../src/contract/cells/formula.ts';
import { DISGUISES } from '../../../support/formulas.ts';

const verdictOf = (formula: string): FormulaVerdict => judgeFormula(formula).verdict;

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

  it('[sheet.formula] follows names to their targets, and reports which', () => {
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

  it('[sheet.formula] never finds anything inside a quoted text', () => {
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
