/**
 * Packaged apps, through the folder in which Windows shows them.
 * Source: learn.microsoft.com/windows/win32/shell/knownfolderid (FOLDERID_AppsFolder)
 */
import { enterMta } from '../../../native-bindings/com/apartment.ts';
import { guid } from '../../../native-bindings/com/guid.ts';
import { HRESULT } from '../../../native-bindings/com/hresult.ts';
import { IEnumShellItems, IShellItem } from '../../../native-bindings/uia/shell.generated.ts';
import { SIGDN_NORMALDISPLAY, SIGDN_PARENTRELATIVEPARSING } from '../../../native-bindings/win32/constants.ts';
import { shell32 } from '../../../native-bindings/win32/shell32.ts';

const APPS_FOLDER = 'shell:AppsFolder';
/** BHID_EnumItems. Source: learn.microsoft.com/windows/win32/shell/shell-bhid */
const ENUM_ITEMS = guid('94f60519-2850-4924-aa5a-d15e84868039');

/** `Family_publisherhash!App`: this form tells packaged apps from the programs that the folder lists too. */
const APPLICATION_ID = /^[A-Za-z0-9.-]+_[a-z0-9]{13}![^\\/:*?"<>|]+$/;

export function isApplicationUserModelId(text: string): boolean {
  return APPLICATION_ID.test(text);
}

/** The readable part of a package family name: `Microsoft.WindowsCalculator_8wekyb3d8bbwe!App` → `Microsoft.WindowsCalculator`. */
export function packageFamilyTitle(applicationUserModelId: string): string {
  const family = applicationUserModelId.split('!', 1)[0] ?? applicationUserModelId;
  const cut = family.lastIndexOf('_');
  return cut > 0 ? family.slice(0, cut) : family;
}

function itemOf(name: string): IShellItem | null {
  const item = Buffer.alloc(8);
  if (shell32.SHCreateItemFromParsingName(name, null, IShellItem.iid, item) < 0) return null;
  const pointer = item.readBigUInt64LE(0);
  return pointer === 0n ? null : new IShellItem(pointer);
}

/** Runs `work` in an apartment; null where the shell is not available (a service, a system without packages). */
function withShell<T>(work: () => T | null): T | null {
  try {
    const apartment = enterMta();
    try {
      return work();
    } finally {
      apartment[Symbol.dispose]();
    }
  } catch {
    return null;
  }
}

const displayNames = new Map<string, string | null>();

/** Name of an installed packaged app as the Start menu shows it; null if it is not installed. */
export function packagedAppName(applicationUserModelId: string): string | null {
  let name = displayNames.get(applicationUserModelId);
  if (name === undefined) {
    name = withShell(() => {
      using item = itemOf(`${APPS_FOLDER}\\${applicationUserModelId}`);
      return item?.GetDisplayName(SIGDN_NORMALDISPLAY) || null;
    });
    if (name !== null) displayNames.set(applicationUserModelId, name);
  }
  return name;
}

/** Name of a running packaged app: the readable part of its id if the shell does not know it. */
export function packageDisplayName(applicationUserModelId: string): string {
  return packagedAppName(applicationUserModelId) ?? packageFamilyTitle(applicationUserModelId);
}

/** Every packaged app with an entry in the Start menu; none on a system without packages. */
export function packagedApps(): Array<{ id: string; name: string }> {
  return (
    withShell(() => {
      using folder = itemOf(APPS_FOLDER);
      using items = folder?.BindToHandler(null, ENUM_ITEMS, IEnumShellItems) ?? null;
      const found: Array<{ id: string; name: string }> = [];
      const slot = Buffer.alloc(8);
      const count = Buffer.alloc(4);
      if (items === null) return found;
      while (items.Next(1, slot, count) === HRESULT.S_OK) {
        using item = new IShellItem(slot.readBigUInt64LE(0));
        const id = item.GetDisplayName(SIGDN_PARENTRELATIVEPARSING);
        const name = item.GetDisplayName(SIGDN_NORMALDISPLAY);
        if (id !== null && name !== null && name !== '' && isApplicationUserModelId(id)) found.push({ id, name });
      }
      return found;
    }) ?? []
  );
}
