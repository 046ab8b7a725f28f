/** The part of a package family name that people can read: `Microsoft.WindowsCalculator_8wekyb3d8bbwe!App` → `Microsoft.WindowsCalculator`. */
export function packageDisplayName(applicationUserModelId: string): string {
  const family = applicationUserModelId.split('!', 1)[0] ?? applicationUserModelId;
  const cut = family.lastIndexOf('_');
  return cut > 0 ? family.slice(0, cut) : family;
}
