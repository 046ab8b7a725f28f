/**
 * Commands that destroy when they are typed into a terminal. Each row: what it does, and how it is written in the
 * shells of Windows and Unix. A command that is not here is still input, at least `high`.
 */
const DESTRUCTIVE_COMMANDS: ReadonlyArray<readonly [what: string, pattern: RegExp]> = [
  [
    'removes files',
    /(?:^|[\s;&|(`])(?:sudo\s+)?rm\s+(?:-\S+\s+)*-{1,2}(?:[a-z]*[rf][a-z]*|recursive|force|no-preserve-root)\b/i,
  ],
  ['removes files', /(?:^|[\s;&|(])(?:del|erase)\s+(?:\S+\s+)*\/[sfq]\b/i],
  ['removes files', /(?:^|[\s;&|(])(?:rd|rmdir)\s+(?:\S+\s+)*\/[sq]\b/i],
  ['removes files', /\b(?:remove-item|ri|rm|del|erase|rd)\b[^\n;|]*\s-(?:r|re|rec|recurse|fo|force)\b/i],
  [
    'removes files',
    /\bclear-(?:content|recyclebin|disk|item)\b|\bfind\b[^\n]*\s-delete\b|\bshred\b|\bsdelete\b|\bcipher\s+\/w/i,
  ],
  [
    'formats or overwrites a disk',
    /(?:^|[\s;&|(])(?:format(?:\.com)?\s+[a-z]:|format-volume\b|diskpart\b|mkfs(?:\.\w+)?\s|dd\s+(?:\S+\s+)*of=|wipefs\b|fdisk\s)/i,
  ],
  ['overwrites a device', />\s*\/dev\/(?:sd|nvme|hd|disk|mmcblk)/i],
  [
    'shuts down or restarts',
    /(?:^|[\s;&|(])(?:sudo\s+)?(?:shutdown|reboot|poweroff|halt|stop-computer|restart-computer|init\s+[06])\b/i,
  ],
  [
    'stops processes or services',
    /\b(?:taskkill\b[^\n]*\/f|stop-process\b|kill\s+-9|(?:pkill|killall)\s|stop-service\b|restart-service\b|net\s+stop|sc(?:\.exe)?\s+(?:stop|delete)|systemctl\s+(?:stop|restart|disable|mask)|service\s+\S+\s+(?:stop|restart))/i,
  ],
  [
    'rewrites version history',
    /\bgit\s+(?:-\S+\s+)*(?:push\b[^\n]*\s(?:--force\b|-f\b|--mirror\b|--delete\b)|reset\s+--hard|clean\s+-\w*[fdx]|branch\s+-D\b|checkout\s+--\s|filter-branch|reflog\s+expire)/,
  ],
  [
    'drops or empties data',
    /\b(?:drop\s+(?:table|database|schema|index|view|user|column)|truncate\s+(?:table\s+)?\w|delete\s+from\s+\w|flushall\b|flushdb\b|dropdatabase\s*\()/i,
  ],
  [
    'deletes registry, accounts or partitions',
    /\b(?:reg(?:\.exe)?\s+delete|remove-itemproperty\b|net\s+user\s+\S+\s+\/delete|remove-localuser\b|remove-partition\b|remove-aduser\b|vssadmin\s+delete|wbadmin\s+delete|bcdedit\b|manage-bde\b|userdel\b)/i,
  ],
  [
    'destroys infrastructure',
    /\b(?:terraform|tofu|pulumi)\s+(?:apply\s+-?-?auto-approve|destroy)\b|\bkubectl\s+(?:delete|drain|rollout\s+restart)\b|\b(?:docker|podman)\s+(?:system\s+prune|rm\s+-f|volume\s+rm|rmi\s+-f)\b|\bhelm\s+(?:uninstall|delete)\b|\b(?:aws|az|gcloud)\b[^\n;|]*\b(?:delete|terminate|destroy|purge|rb)\b/i,
  ],
  [
    'uninstalls',
    /\b(?:winget|choco|scoop|msiexec|apt(?:-get)?|dnf|yum|pacman|npm|pip)\b[^\n;|]*(?:\buninstall\b|\bremove\b|\bpurge\b|\s\/x\b|\s-R\w*\b)/i,
  ],
  [
    'runs what it downloads',
    /\b(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)\b[^\n]*\|\s*(?:sudo\s+)?(?:ba|z|da|fi)?sh\b|\b(?:iex|invoke-expression)\b[^\n]*\b(?:iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod|downloadstring)\b|\b(?:iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod)\b[^\n]*\|\s*(?:iex|invoke-expression)\b|\bcertutil\b[^\n]*-urlcache|\bpowershell\b[^\n]*\s-e(?:nc|ncodedcommand)?\s/i,
  ],
  ['forks without end', /:\(\)\s*\{\s*:\|:&\s*\};:/],
];

/** Longer lines are looked at in pieces that overlap, so that no pattern meets an unbounded text. */
const PIECE = 4000;
const OVERLAP = 200;

function* piecesOf(text: string): Generator<string> {
  for (const line of text.split(/[\r\n]+/)) {
    for (let from = 0; from === 0 || from < line.length - OVERLAP; from += PIECE - OVERLAP)
      yield line.slice(from, from + PIECE);
  }
}

/** What a destructive command in the text does; null when none is known in it. */
export function findDestructiveCommand(text: string): string | null {
  for (const piece of piecesOf(text)) {
    const row = DESTRUCTIVE_COMMANDS.find(([, pattern]) => pattern.test(piece));
    if (row !== undefined) return row[0];
  }
  return null;
}
