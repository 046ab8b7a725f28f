/**
 * Destructive terminal commands. Each row: what the command does, and how it is written in the
 * shells of Windows and Unix. A command not listed here is still input, at least `high`.
 */
const DESTRUCTIVE_COMMANDS: ReadonlyArray<readonly [what: string, ...patterns: RegExp[]]> = [
  [
    'removes files',
    /(?:^|[\s;&|(`])(?:sudo\s+)?rm\s+(?:-\S+\s+)*-{1,2}(?:[a-z]*[rf][a-z]*|recursive|force|no-preserve-root)\b/i,
    /(?:^|[\s;&|(])(?:del|erase)\s+(?:\S+\s+)*\/[sfq]\b/i,
    /(?:^|[\s;&|(])(?:rd|rmdir)\s+(?:\S+\s+)*\/[sq]\b/i,
    /\b(?:remove-item|ri|rm|del|erase|rd)\b[^\n;|]*\s-(?:r|re|rec|recurse|fo|force)\b/i,
    /\bclear-(?:content|recyclebin|disk|item)\b/i,
    /\bfind\b[^\n]*\s-delete\b/i,
    /\b(?:shred|sdelete)\b/i,
    /\bcipher\s+\/w/i,
  ],
  [
    'formats or overwrites a disk',
    /(?:^|[\s;&|(])format(?:\.com)?\s+[a-z]:/i,
    /(?:^|[\s;&|(])(?:format-volume|diskpart|wipefs)\b/i,
    /(?:^|[\s;&|(])mkfs(?:\.\w+)?\s/i,
    /(?:^|[\s;&|(])dd\s+(?:\S+\s+)*of=/i,
    /(?:^|[\s;&|(])fdisk\s/i,
  ],
  ['overwrites a device', />\s*\/dev\/(?:sd|nvme|hd|disk|mmcblk)/i],
  [
    'shuts down or restarts',
    /(?:^|[\s;&|(])(?:sudo\s+)?(?:shutdown|reboot|poweroff|halt|stop-computer|restart-computer|init\s+[06])\b/i,
  ],
  [
    'stops processes or services',
    /\btaskkill\b[^\n]*\/f/i,
    /\b(?:stop-process|stop-service|restart-service)\b/i,
    /\bkill\s+-9/i,
    /\b(?:pkill|killall)\s/i,
    /\bnet\s+stop/i,
    /\bsc(?:\.exe)?\s+(?:stop|delete)/i,
    /\bsystemctl\s+(?:stop|restart|disable|mask)/i,
    /\bservice\s+\S+\s+(?:stop|restart)/i,
  ],
  [
    'rewrites version history',
    /\bgit\s+(?:-\S+\s+)*push\b[^\n]*\s(?:--force\b|-f\b|--mirror\b|--delete\b)/,
    /\bgit\s+(?:-\S+\s+)*reset\s+--hard/,
    /\bgit\s+(?:-\S+\s+)*clean\s+-\w*[fdx]/,
    /\bgit\s+(?:-\S+\s+)*branch\s+-D\b/,
    /\bgit\s+(?:-\S+\s+)*checkout\s+--\s/,
    /\bgit\s+(?:-\S+\s+)*(?:filter-branch|reflog\s+expire)/,
  ],
  [
    'drops or empties data',
    /\bdrop\s+(?:table|database|schema|index|view|user|column)/i,
    /\btruncate\s+(?:table\s+)?\w/i,
    /\bdelete\s+from\s+\w/i,
    /\b(?:flushall|flushdb)\b/i,
    /\bdropdatabase\s*\(/i,
  ],
  [
    'deletes registry, accounts or partitions',
    /\breg(?:\.exe)?\s+delete\b/i,
    /\b(?:remove-itemproperty|remove-localuser|remove-partition|remove-aduser)\b/i,
    /\bnet\s+user\s+\S+\s+\/delete\b/i,
    /\b(?:vssadmin|wbadmin)\s+delete\b/i,
    /\b(?:bcdedit|manage-bde|userdel)\b/i,
  ],
  [
    'destroys infrastructure',
    /\b(?:terraform|tofu|pulumi)\s+(?:apply\s+-?-?auto-approve|destroy)\b/i,
    /\bkubectl\s+(?:delete|drain|rollout\s+restart)\b/i,
    /\b(?:docker|podman)\s+(?:system\s+prune|rm\s+-f|volume\s+rm|rmi\s+-f)\b/i,
    /\bhelm\s+(?:uninstall|delete)\b/i,
    /\b(?:aws|az|gcloud)\b[^\n;|]*\b(?:delete|terminate|destroy|purge|rb)\b/i,
  ],
  [
    'uninstalls',
    /\b(?:winget|choco|scoop|msiexec|apt(?:-get)?|dnf|yum|pacman|npm|pip)\b[^\n;|]*(?:\buninstall\b|\bremove\b|\bpurge\b|\s\/x\b|\s-R\w*\b)/i,
  ],
  [
    'runs what it downloads',
    /\b(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)\b[^\n]*\|\s*(?:sudo\s+)?(?:ba|z|da|fi)?sh\b/i,
    /\b(?:iex|invoke-expression)\b[^\n]*\b(?:iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod|downloadstring)\b/i,
    /\b(?:iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod)\b[^\n]*\|\s*(?:iex|invoke-expression)\b/i,
    /\bcertutil\b[^\n]*-urlcache/i,
    /\bpowershell\b[^\n]*\s-e(?:nc|ncodedcommand)?\s/i,
  ],
  ['forks without end', /:\(\)\s*\{\s*:\|:&\s*\};:/],
];

/** Longer lines are checked in overlapping pieces, so that no pattern runs on unbounded text. */
const PIECE = 4000;
const OVERLAP = 200;

function* piecesOf(text: string): Generator<string> {
  for (const line of text.split(/[\r\n]+/)) {
    for (let from = 0; from === 0 || from < line.length - OVERLAP; from += PIECE - OVERLAP)
      yield line.slice(from, from + PIECE);
  }
}

/** What a destructive command in the text does; null if it contains none that is known. */
export function findDestructiveCommand(text: string): string | null {
  for (const piece of piecesOf(text)) {
    for (const [what, ...patterns] of DESTRUCTIVE_COMMANDS)
      if (patterns.some((pattern) => pattern.test(piece))) return what;
  }
  return null;
}
