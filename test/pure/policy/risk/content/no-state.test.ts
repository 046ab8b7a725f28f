/** The classifiers of content have no state, so no text that they judge outlives its action. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const FOLDER = path.resolve('src/policy/risk/content');

/** Empty containers: whatever is in them later was put there by a call. */
const isEmptyContainer = (value: ts.Expression | undefined): boolean =>
  value !== undefined &&
  ((ts.isNewExpression(value) &&
    /^(?:Weak)?(?:Map|Set)$|^Array$/.test(value.expression.getText()) &&
    (value.arguments ?? []).length === 0) ||
    (ts.isArrayLiteralExpression(value) && value.elements.length === 0) ||
    (ts.isObjectLiteralExpression(value) &&
      (value.properties.length === 0 ||
        value.properties.some((each) => ts.isPropertyAssignment(each) && isEmptyContainer(each.initializer)))));

test.each(readdirSync(FOLDER))('%s keeps nothing between two calls', (name) => {
  const tree = ts.createSourceFile(name, readFileSync(path.join(FOLDER, name), 'utf8'), ts.ScriptTarget.Latest, true);
  const states = tree.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) =>
      declarationList.declarations
        .filter(
          ({ initializer }) => (declarationList.flags & ts.NodeFlags.Const) === 0 || isEmptyContainer(initializer),
        )
        .map((each) => each.name.getText()),
    );
  expect(states).toEqual([]);
});
