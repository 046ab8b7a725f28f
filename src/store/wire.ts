/** The messages between the host’s main thread and the store’s, and how an error crosses: lists, since each wakes a thread. */
import { UiaHostError, type Delivery, type ErrorCode } from '../contract/errors.ts';

export interface WireRequest {
  readonly id: number;
  readonly service: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

export interface WireError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly delivery: Delivery;
  /** For the log of the host, never for an answer. */
  readonly stack: string;
}

export type WireAnswer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: WireError };
export type WireAnswers = readonly WireAnswer[];

/** The first message of the thread. */
export type WireGreeting<T> = { readonly ready: T } | { readonly failed: WireError };

/** Sent instead of a request: finish what is queued and end. */
export interface WireClose {
  readonly close: true;
}

/** Class instances do not survive the boundary; a typed error crosses as its parts. */
export function toWireError(thrown: unknown): WireError {
  if (thrown instanceof UiaHostError) {
    return {
      code: thrown.code,
      message: thrown.message,
      hint: thrown.hint,
      delivery: thrown.delivery,
      stack: String(thrown.stack),
    };
  }
  return {
    code: 'internal',
    message: 'Unexpected fault in the store; see the log. Nothing of this request was kept.',
    hint: 'Try again; if it happens again, report it with the log.',
    delivery: 'not_delivered',
    stack: thrown instanceof Error ? String(thrown.stack) : String(thrown),
  };
}

export function fromWireError(error: WireError): UiaHostError {
  return new UiaHostError(error.code, error.message, {
    hint: error.hint,
    delivery: error.delivery,
    cause: error.stack,
  });
}
