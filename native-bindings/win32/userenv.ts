/** Environments of users: userenv.dll. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, fn } from '../library.ts';

export const userenv = bindLibrary('userenv.dll', {
  /** Environment of a user (uint64). https://learn.microsoft.com/windows/win32/api/userenv/nf-userenv-createenvironmentblock */
  CreateEnvironmentBlock: fn('bool', ['ptr environment', 'handle token', 'bool inherit']),
  /** Frees it. https://learn.microsoft.com/windows/win32/api/userenv/nf-userenv-destroyenvironmentblock */
  DestroyEnvironmentBlock: fn('bool', ['ptr environment']),
});
