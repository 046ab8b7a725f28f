/** A client of a running host for end-to-end tests: returns the answer or the problem, after checking its shape. */
import { expect } from 'vitest';
import { ApprovalCard } from '../../src/contract/gate/approval.ts';
import { ERRORS, type ErrorCode } from '../../src/contract/errors.ts';
import { Problem } from '../../src/contract/problem.ts';
import { ActionResult } from '../../src/contract/outcome.ts';
import type { Answer, RequestOptions, TestHost } from './desktop.ts';
import { parseTree, type TreeNode } from './snapshot-tree.ts';
import { until } from './until.ts';

/** An action's answer with a value of any type: a test states what it expects. */
export type Done = Omit<ActionResult, 'value'> & { readonly value: any };

export class Client {
  readonly host: TestHost;
  readonly session: string;

  /** @param session two sessions have separate bindings. */
  constructor(host: TestHost, session = 'default') {
    this.host = host;
    this.session = session;
  }

  /** Runs an action that must succeed. */
  async act(name: string, input: object = {}, options: RequestOptions = {}): Promise<Done> {
    const answer = await this.send(name, input, options);
    if (answer.status !== 200)
      throw new Error(`${name} ${JSON.stringify(input)} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return ActionResult.parse(answer.body) as Done;
  }

  /** Runs an action that must be refused with this code. */
  async refused(code: ErrorCode, name: string, input: object = {}, options: RequestOptions = {}): Promise<Problem> {
    return expectProblem(await this.send(name, input, options), code);
  }

  /** `POST /v1/actions/{name}`, with any result. */
  send(name: string, input: object = {}, options: RequestOptions = {}): Promise<Answer> {
    return this.host.call(name, input, {
      ...options,
      headers: { 'uiahost-session': this.session, ...options.headers },
    });
  }

  /** Starts an action that must wait for a person; returns its card without waiting for the end. */
  async pending(name: string, input: object = {}): Promise<{ actionId: string; card: ApprovalCard }> {
    const answer = await this.host.request(`/v1/actions/${name}?wait=0`, {
      body: input,
      headers: { 'uiahost-session': this.session },
    });
    if (answer.status !== 202)
      throw new Error(
        `${name} ${JSON.stringify(input)} was not asked about but answered ${answer.status}: ${JSON.stringify(answer.body)}`,
      );
    const { actionId, approvalId } = answer.body as { actionId: string; approvalId: string };
    expect(answer.body).toEqual({ actionId, approvalId, status: 'pending' });
    expect(answer.headers.get('location')).toBe(`/v1/actions/${actionId}`);
    return { actionId, card: ApprovalCard.parse(await this.operator(`/v1/approvals/${approvalId}`)) };
  }

  /** The operator's decision on a card; returns the card afterwards. */
  async decide(approvalId: string, decision: 'approve' | 'deny', more: object = {}): Promise<ApprovalCard> {
    const card = ApprovalCard.parse(
      await this.operator(`/v1/approvals/${approvalId}`, { body: { decision, ...more } }),
    );
    if (decision === 'deny') await this.liftAll();
    return card;
  }

  /** Three denials in a row pause a token, and tests deny more often than that. */
  async liftAll(): Promise<void> {
    for (const { owner } of (await this.operator('/v1/approval-pauses')).pauses)
      await this.operator('/v1/approval-pauses/lift', { body: { owner } });
  }

  /** The record of an action once it has ended: a batch may take several times as long as one action. */
  async ended(actionId: string): Promise<{ status: string; result?: Done; error?: Problem }> {
    const { body } = await until(
      () => this.host.request(`/v1/actions/${actionId}`),
      (answer) => answer.body.status !== 'pending' && answer.body.status !== 'running',
      45_000,
    );
    return body;
  }

  /** Binds by a query that matches one window. */
  async bind(query: {
    hwnd?: string;
    title?: string;
    pid?: number;
  }): Promise<{ hwnd: string; title: string; pid: number }> {
    return (await this.act('bind-to-window', query)).value;
  }

  /** A snapshot with its text parsed; a malformed line is an error. */
  async look(
    input: object = {},
  ): Promise<{ observationId: string; text: string; nodes: TreeNode[]; cursor: string | undefined; partial: boolean }> {
    const { value } = await this.act('snapshot', input);
    return {
      observationId: value.observationId,
      text: value.accessibilityText,
      nodes: parseTree(value.accessibilityText),
      cursor: value.cursor,
      partial: value.partial,
    };
  }

  /** The only matching element of a fresh snapshot. Errors: none or several. */
  async element(wanted: Partial<TreeNode>): Promise<TreeNode> {
    const { nodes, text } = await this.look({ maxTokens: 40_000 });
    const found = nodes.filter((node) =>
      Object.entries(wanted).every(([key, value]) => node[key as keyof TreeNode] === value),
    );
    if (found.length !== 1) throw new Error(`${found.length} elements are ${JSON.stringify(wanted)} in\n${text}`);
    return found[0]!;
  }

  /** Changes the policy (RFC 7396), as the operator. */
  async policy(change: object): Promise<void> {
    await this.operator('/v1/policy', { method: 'PATCH', body: change });
  }

  /** A request with the operator's token that must succeed; its body. */
  async operator(path: string, options: RequestOptions = {}): Promise<any> {
    const answer = await this.host.request(path, { token: 'operator', ...options });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}

/** Checks a refusal: problem+json of the closed table, its status, and the texts that every error has. */
export function expectProblem(answer: Answer, code: ErrorCode): Problem {
  if (answer.status === 200) throw new Error(`Expected ${code}, but it succeeded: ${JSON.stringify(answer.body)}`);
  expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ code });
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const problem = Problem.parse(answer.body);
  expect(answer.status).toBe(ERRORS[code].status);
  expect(problem).toMatchObject({
    status: ERRORS[code].status,
    retryable: ERRORS[code].retryable && problem.delivery === 'not_delivered',
    title: ERRORS[code].title,
  });
  expect(problem.detail.length).toBeGreaterThan(10);
  expect(problem.hint.length).toBeGreaterThan(10);
  return problem;
}
