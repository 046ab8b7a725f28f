/** Kinds of application that the gate treats in ways of their own. */
export type AppKind = 'browser' | 'trading' | 'terminal' | 'ide' | 'messaging' | 'other';

/**
 * Executables (lower case; `*` stands for any characters) and AppUserModelIDs by kind.
 * A name found here can only narrow what an unlisted application would get, so a false match costs one question.
 */
export const KNOWN_APPS: Readonly<Record<Exclude<AppKind, 'other'>, { readonly executables: readonly string[]; readonly identities: readonly string[] }>> = {
  browser: {
    executables: [
      'chrome.exe', 'chrome_proxy.exe', 'chromium.exe', 'msedge.exe', 'msedge_proxy.exe', 'microsoftedge.exe', 'microsoftedgecp.exe', 'firefox.exe',
      'brave.exe', 'opera.exe', 'opera_gx.exe', 'launcher_opera.exe', 'vivaldi.exe', 'iexplore.exe', 'arc.exe', 'librewolf.exe', 'waterfox.exe',
      'floorp.exe', 'zen.exe', 'palemoon.exe', 'seamonkey.exe', 'basilisk.exe', 'k-meleon.exe', 'midori.exe', 'epiphany.exe', 'falkon.exe',
      'qutebrowser.exe', 'thorium.exe', 'iridium.exe', 'duckduckgo.exe', 'whale.exe', 'yandex.exe', 'browser.exe', 'maxthon.exe', 'ucbrowser.exe',
      'qqbrowser.exe', '360chrome.exe', '360se.exe', '360chromex.exe', 'sogouexplorer.exe', '2345explorer.exe', 'slimjet.exe', 'avastbrowser.exe',
      'avgbrowser.exe', 'ccleanerbrowser.exe', 'comet.exe', 'mullvadbrowser.exe', 'minibrowser.exe',
    ],
    identities: [
      'microsoft.microsoftedge*!*', 'microsoft.microsoftedge.stable*!*', 'mozilla.firefox*!*', 'thebrowsercompany.arc*!*', 'duckduckgo.desktopbrowser*!*',
      'bravesoftware.bravebrowser*!*', 'operasoftware.operagxbrowser*!*', 'operasoftware.opera*!*',
    ],
  },
  trading: {
    executables: [
      'terminal.exe', 'terminal64.exe', 'metatrader*.exe', 'metaeditor*.exe', 'thinkorswim.exe', 'tws.exe', 'tws64.exe', 'ibgateway*.exe', 'ninjatrader*.exe',
      'orplat.exe', 'tradestation*.exe', 'tradingview.exe', 'ctrader*.exe', 'sierrachart*.exe', 'multicharts*.exe', 'quantower*.exe', 'jforex*.exe',
      'binance.exe', 'kraken*.exe', 'okx.exe', 'bybit.exe', 'ledger live.exe', 'ledger wallet.exe', 'trezor suite.exe', 'exodus.exe', 'electrum*.exe', 'bitcoin-qt.exe',
      'atomicwallet.exe', 'atomic wallet.exe', 'wassabee.exe', 'monero-wallet-gui.exe', 'daedalus*.exe', 'etoro.exe', 'webull*.exe', 'moomoo*.exe', 'futu*.exe', 'fidelity*trader*.exe',
      'activetrader*.exe', 'streetsmart*.exe', 'bloomberg.exe', 'wintrv.exe', 'eikon.exe', 'tastytrade.exe', 'tastyworks.exe', 'degiro.exe',
    ],
    identities: ['tradingview.desktop*!*', '*.metatrader*!*', '*.ninjatrader*!*', '*binance*!*', '*coinbase*!*', '*webull*!*'],
  },
  terminal: {
    executables: [
      'cmd.exe', 'powershell.exe', 'pwsh.exe', 'pwsh-preview.exe', 'wt.exe', 'windowsterminal.exe', 'openconsole.exe', 'conhost.exe', 'wineconsole.exe', 'mintty.exe',
      'bash.exe', 'git-bash.exe', 'git-cmd.exe', 'sh.exe', 'zsh.exe', 'fish.exe', 'nu.exe', 'wsl.exe', 'wslhost.exe', 'ubuntu*.exe', 'debian.exe',
      'alacritty.exe', 'wezterm-gui.exe', 'wezterm.exe', 'conemu.exe', 'conemu64.exe', 'cmder.exe', 'kitty.exe', 'kitty_portable.exe', 'putty.exe', 'puttytel.exe', 'plink.exe',
      'tabby.exe', 'terminus.exe', 'termius.exe', 'hyper.exe', 'warp.exe', 'mobaxterm*.exe', 'securecrt.exe', 'xshell.exe', 'rio.exe', 'ghostty.exe', 'waveterm.exe',
      'extraterm.exe', 'fluentterminal*.exe', 'teraterm.exe', 'ttermpro.exe', 'zoc*.exe', 'smartty.exe', 'telnet.exe', 'ssh.exe', 'clink*.exe', 'tcc.exe', 'wscript.exe', 'cscript.exe', 'mshta.exe',
    ],
    identities: [
      'microsoft.windowsterminal*!*', 'microsoft.powershell*!*', 'canonicalgrouplimited.*!*', 'thedebianproject.*!*', 'kalilinux.*!*', 'microsoftcorporationii.windowssubsystemforlinux*!*',
    ],
  },
  ide: {
    executables: [
      'code.exe', 'code - insiders.exe', 'vscodium.exe', 'codium.exe', 'cursor.exe', 'windsurf.exe', 'trae.exe', 'kiro.exe', 'antigravity.exe', 'zed.exe', 'void.exe', 'positron.exe', 'devenv.exe', 'blend.exe', 'ssms.exe',
      'azuredatastudio.exe', 'powershell_ise.exe', 'idea.exe', 'idea64.exe', 'pycharm*.exe', 'webstorm*.exe', 'phpstorm*.exe', 'clion*.exe', 'goland*.exe', 'rider*.exe', 'rubymine*.exe',
      'rustrover*.exe', 'datagrip*.exe', 'dataspell*.exe', 'fleet.exe', 'aqua64.exe', 'studio64.exe', 'androidstudio*.exe', 'eclipse.exe', 'netbeans*.exe', 'sublime_text.exe', 'atom.exe', 'pulsar.exe', 'lapce.exe',
      'gvim.exe', 'nvim-qt.exe', 'neovide.exe', 'emacs.exe', 'runemacs.exe', 'codeblocks.exe', 'qtcreator.exe', 'kdevelop.exe', 'lazarus.exe', 'bds.exe', 'geany.exe',
      'matlab.exe', 'rstudio.exe', 'spyder.exe', 'arduino ide.exe', 'arduino.exe', 'unity.exe', 'unrealeditor.exe', 'godot*.exe', 'xamarinstudio.exe', 'monodevelop.exe', 'dbeaver.exe', 'heidisql.exe',
    ],
    identities: ['microsoft.visualstudiocode*!*'],
  },
  messaging: {
    executables: [
      'outlook.exe', 'olk.exe', 'hxoutlook.exe', 'hxmail.exe', 'thunderbird.exe', 'betterbird.exe', 'mailspring.exe', 'emclient.exe', 'mailclient.exe', 'postbox.exe', 'protonmail*.exe', 'proton mail.exe', 'tutanota*.exe',
      'teams.exe', 'ms-teams.exe', 'slack.exe', 'discord.exe', 'discordptb.exe', 'discordcanary.exe', 'telegram.exe', 'whatsapp.exe', 'whatsapp.root.exe', 'signal.exe', 'signal-desktop.exe', 'skype.exe', 'lync.exe', 'zoom.exe',
      'webex.exe', 'ciscocollabhost.exe', 'element.exe', 'wire.exe', 'threema.exe', 'viber.exe', 'line.exe', 'kakaotalk.exe', 'wechat.exe', 'weixin.exe', 'wxwork.exe', 'qq.exe', 'tim.exe', 'dingtalk.exe', 'feishu.exe', 'lark.exe',
      'mattermost.exe', 'rocket.chat.exe', 'zulip.exe', 'pidgin.exe', 'hexchat.exe', 'messenger.exe', 'beeper.exe', 'franz.exe', 'ferdium.exe',
    ],
    identities: [
      'microsoft.outlookforwindows*!*', 'microsoft.windowscommunicationsapps*!*', 'msteams*!*', 'microsoftteams*!*', '*.whatsappdesktop*!*', 'telegrammessengerllp.*!*', '*.slack*!*', 'microsoft.skypeapp*!*', 'facebook.*messenger*!*',
    ],
  },
};
