/** Gets a pattern of an element, and classifies failed pattern calls. */
import type { ComRef, ComType } from '../../../../../native-bindings/com/com-ref.ts';
import { ComError, HRESULT } from '../../../../../native-bindings/com/hresult.ts';
import type { IUIAutomationElement } from '../../../../../native-bindings/uia/automation.generated.ts';
import { UiaHostError } from '../../../../contract/errors.ts';
import type { Attempt, DeliveryRung } from '../../../../contract/outcome.ts';
import { delivered, failed, notApplicable, refused, unfinished, type Step } from '../rungs.ts';

/** Null where the element does not support it: Windows returns S_OK and no object. The caller disposes of it. */
export function patternOf<T extends ComRef>(
  element: IUIAutomationElement,
  patternId: number,
  type: ComType<T>,
): T | null {
  try {
    return element.GetCurrentPatternAs(patternId, type) as T | null;
  } catch (error) {
    if (error instanceof ComError && isUnsupported(error)) return null;
    throw error;
  }
}

const isUnsupported = ({ hresult }: ComError): boolean =>
  hresult === HRESULT.E_NOTIMPL || hresult === HRESULT.E_NOINTERFACE || hresult === HRESULT.UIA_E_NOTSUPPORTED;

/**
 * The call reached or may have reached the program; its result is unknown. Source:
 * learn.microsoft.com/windows/win32/com/com-error-codes-3
 */
const MAY_HAVE_ACTED: ReadonlySet<number> = new Set([
  HRESULT.UIA_E_TIMEOUT,
  HRESULT.RPC_E_TIMEOUT,
  HRESULT.ERROR_TIMEOUT,
  HRESULT.RPC_S_CALL_FAILED,
  HRESULT.RPC_E_SERVERFAULT,
  HRESULT.RPC_E_SERVER_DIED,
  HRESULT.RPC_E_CALL_CANCELED,
  HRESULT.RPC_E_DISCONNECTED,
]);

/**
 * Turns a failed acting call into an attempt of its rung. A call that may have taken effect ends the climb as
 * delivered: UI Automation gives up after its time-out while the program's handler continues, and another way would
 * press the button again. Errors: as `attemptOf`, but element_stale does not promise that nothing was done.
 */
export function attemptAfter(rung: DeliveryRung, name: string, error: unknown, description: string): Step {
  if (!(error instanceof ComError)) throw error;
  if (MAY_HAVE_ACTED.has(error.hresult)) return unfinished(rung, name, ` (${error.code})`);
  // A button may close its own window.
  if (error.hresult === HRESULT.UIA_E_ELEMENTNOTAVAILABLE)
    throw new UiaHostError('element_stale', `${description} disappeared during ${name}, which may have taken effect.`, {
      cause: error,
      delivery: 'unknown',
    });
  return attemptOf(rung, error, description);
}

/**
 * Turns a failed read-only call into an attempt of its rung, so that the next rung may try; throws for failures that no
 * other rung could avoid.
 * Errors: target_disabled, element_stale. Source: learn.microsoft.com/windows/win32/winauto/uiauto-error-codes
 */
export function attemptOf(rung: DeliveryRung, error: unknown, description: string): Attempt {
  if (!(error instanceof ComError)) throw error;
  switch (error.hresult) {
    case HRESULT.UIA_E_ELEMENTNOTENABLED:
      throw new UiaHostError('target_disabled', `${description} is disabled. Nothing was done.`, { cause: error });
    case HRESULT.UIA_E_ELEMENTNOTAVAILABLE:
      throw new UiaHostError('element_stale', `${description} is gone.`, { cause: error });
    case HRESULT.UIA_E_INVALIDOPERATION:
    case HRESULT.E_ACCESSDENIED:
      return refused(rung, `the program refused it (${error.code})`);
    case HRESULT.UIA_E_TIMEOUT:
      return failed(rung, 'the program did not answer');
    default:
      return isUnsupported(error)
        ? notApplicable(rung, 'the program does not offer it')
        : failed(rung, `${error.method} failed with ${error.code}`);
  }
}

/**
 * Runs a call that prepares the action itself, as an attempt. `start` returns null where there is nothing to call.
 * Errors: as `attemptOf` and `attemptAfter`.
 */
export async function attempt(
  rung: DeliveryRung,
  name: string,
  start: () => Promise<number> | null,
  description: string,
): Promise<Step> {
  let started: Promise<number> | null;
  try {
    started = start();
  } catch (error) {
    return attemptOf(rung, error, description);
  }
  if (started === null) return notApplicable(rung, 'not offered');
  try {
    await started;
    return delivered(rung, name);
  } catch (error) {
    return attemptAfter(rung, name, error, description);
  }
}
