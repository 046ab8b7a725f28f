// What the templates for Group Policy say, in English and German, for each value of src/policy/file/registry-values.ts.

export type Language = 'en-US' | 'de-DE';

/** Name of the setting, the label of its field, and the explanation. */
type Text = readonly [name: string, label: string, explanation: string];

interface Texts {
  readonly supportedOn: string;
  readonly categories: Readonly<Record<'root' | 'rights' | 'approvals' | 'limits' | 'host', string>>;
  readonly description: string;
  /** Ends every explanation. */
  readonly narrows: string;
  /** The same for a setting of the computer that limits nothing a user allows. */
  readonly decides: string;
  readonly values: Readonly<Record<string, Text>>;
  /** Display names of choices, by value. */
  readonly options: Readonly<Record<string, string>>;
}

export const TEXTS: Readonly<Record<Language, Texts>> = {
  'en-US': {
    supportedOn: 'uiahost 0.1 or later',
    description: 'Policies for uiahost, the Windows UI Automation agent host',
    categories: {
      root: 'uiahost',
      rights: 'What agents may do',
      approvals: 'Approvals',
      limits: 'Limits and records',
      host: 'Host',
    },
    narrows:
      'A policy only narrows what users may allow themselves; it never grants more. If you do not configure this setting, the policy file of the machine and the file of the user apply.',
    decides:
      'This setting is for the computer and takes the place of what is configured otherwise. If you do not configure it, the policy file of the machine applies.',
    values: {
      Level: [
        'Highest level',
        'Level:',
        'The most that uiahost may do on this machine. Disabled: nothing. Observe: look at windows, change nothing. Control: operate windows. Full: also start programs and use the clipboard where that is allowed.',
      ],
      Grants: [
        'Applications that may be operated without asking',
        'Full path of the application, and its tier (read, click or full):',
        'Grants of users count only for the applications in this list, at the lower tier of both. Enter the full path of the program as the value name and read, click or full as the value.',
      ],
      Deny: [
        'Applications that must not be touched',
        'File name or full path, one for each line:',
        'These applications are not bound, listed with their titles, or captured. The list is added to the one of the user.',
      ],
      Pages: [
        'Web pages that a bound browser may show',
        'Address, one for each line (https://host, https://host/path, https://*.host):',
        'While a bound browser shows another page, uiahost neither acts in it nor looks at it.',
      ],
      Flags: [
        'Abilities that may be switched on',
        'Allowed abilities:',
        'An ability that is not selected here stays off, whatever the user allows.',
      ],
      ElementsOnly: [
        'Operate by elements only',
        '',
        'If you enable this setting, uiahost acts on elements that it has identified, and never at a bare position on the screen.',
      ],
      CoordinateProposals: [
        'Allow proposals that name a position',
        '',
        'If you disable this setting, an agent must name an element in a proposal; a position is refused.',
      ],
      RemoteControlMemory: [
        'Use the memory of other programs for classic controls',
        '',
        'Reading lists and trees of classic programs needs small blocks of memory in their processes. Security products may report this. If you disable this setting, such controls are read by other means or not at all.',
      ],
      AllowInsecureUrls: [
        'Allow http addresses',
        '',
        'If you disable this setting, uiahost opens https addresses only.',
      ],
      AlwaysAsk: [
        'Actions that always need approval',
        'Ask for:',
        'The selected kinds of action need the approval of a person each time. The selection is added to the one of the user.',
      ],
      ApprovalSurfaces: [
        'Where approvals are given',
        'Allowed surfaces:',
        'Overlay: on the screen, by a real mouse or keyboard. API: by a program that has the operator token. Page: on the page that `uiahost open` shows, if the user’s own policy names it too. Approver: on another device, if its address and key are set. If none is selected, everything that needs approval is refused.',
      ],
      ApprovalTimeoutMs: [
        'Longest wait for an approval',
        'Milliseconds:',
        'An approval that is not given in this time counts as refused.',
      ],
      ActionsPerMinute: ['Most actions per minute', 'Actions:', 'Further actions in the same minute are refused.'],
      MaxActions: [
        'Most actions in a session',
        'Actions:',
        'A session ends when it has carried out this many actions that change something.',
      ],
      MaxDurationMs: [
        'Longest duration of a session',
        'Milliseconds:',
        'A session ends this long after its first action.',
      ],
      KeepPictures: [
        'Keep pictures of windows',
        '',
        'If you disable this setting, pictures are handed to the agent and not kept on disk.',
      ],
      Port: [
        'Port on the loopback address',
        'Port:',
        'The TCP port on which uiahost answers programs of this machine. Default: 7423.',
      ],
      AllowRemote: [
        'Allow access from other machines',
        '',
        'If you disable this setting, uiahost serves the loopback address only, whatever its environment says. Access from other machines also needs a TLS certificate.',
      ],
      AuditDays: [
        'Days that the audit is kept',
        'Days:',
        'The audit of each user is deleted after this many days, in whole files, with a sealed record of what was deleted. Not configured: it is kept.',
      ],
      PictureDays: [
        'Days that pictures are kept',
        'Days:',
        'Pictures of windows are deleted after this many days. Not configured: 7 days.',
      ],
      SessionDays: [
        'Days that sessions are kept',
        'Days:',
        'Ended sessions with their events and approvals are deleted after this many days. Not configured: 30 days.',
      ],
      Address: [
        'Address that is served',
        'IP address:',
        'The IP address on which uiahost answers, 0.0.0.0 for all. Any but loopback also needs a certificate and “Allow access from other machines”. Takes effect when a host starts.',
      ],
      Names: [
        'Names of the machine for clients',
        'Name, one for each line:',
        'Names by which clients on other machines reach uiahost. The certificate must contain them.',
      ],
      TlsKey: [
        'File of the TLS key',
        'PEM file:',
        'PEM file of the private key for HTTPS, without a passphrase. The users for whom hosts run must be able to read it.',
      ],
      TlsCertificate: [
        'File of the TLS certificate',
        'PEM file:',
        'PEM file of the certificate for HTTPS, with its chain. A renewed file is served without a restart.',
      ],
      TlsPfx: [
        'PKCS #12 file of the TLS certificate',
        'PFX file:',
        'PKCS #12 file with key and certificate for HTTPS, in place of the two PEM files. A renewed file is served without a restart.',
      ],
      TlsPassphraseFile: [
        'File with the passphrase of the PKCS #12 file',
        'File:',
        'A text file with the passphrase of the PKCS #12 file. Keep it readable for the users for whom hosts run, and for nobody else.',
      ],
      Users: [
        'Users who get a host',
        'DOMAIN\\name or SID, one for each line:',
        'The service starts a host for these users and for members of the groups in “Groups whose members get a host”. Not configured: for every user, unless groups are named.',
      ],
      Groups: [
        'Groups whose members get a host',
        'DOMAIN\\name or SID, one for each line:',
        'The service starts a host for the members of these groups, in addition to the named users.',
      ],
      OnDemand: [
        'Start hosts on demand',
        '',
        'If you enable this setting, the service starts no host when a user signs in. `uiahost start` and the MCP bridge start one.',
      ],
      ApproverAddress: [
        'Approver on another device: address',
        'https:// address, or fleet:',
        'Cards are sent to this address, signed by the scheme of Standard Webhooks, and their answers are fetched from it. Address, name, key and file of the secret are all needed. With fleet: in place of an address, cards of a fleet’s jobs go to its approver; then no file of a secret is needed. Everything that a card shows leaves this computer: what an agent wants to do, where, and with which text. Secrets are masked.',
      ],
      ApproverName: [
        'Approver on another device: name',
        'Name:',
        'The name that the answers carry, and by which records name who decided.',
      ],
      ApproverKey: [
        'Approver on another device: public key',
        'Ed25519 public key in Base64:',
        'Only answers that are signed with the private half of this key count. The private half belongs on the approver’s device alone.',
      ],
      ApproverSecretFile: [
        'Approver on another device: file of the secret',
        'File:',
        'A text file with the secret (whsec_…) by which the receiver knows that a card comes from a host. Keep it readable for the users for whom hosts run, and for nobody else.',
      ],
      ApproverWaitMs: [
        'Approver on another device: longest wait',
        'Milliseconds:',
        'How long a card may wait for this approver, up to 24 hours. On the screen it is shown no longer than without an approver.',
      ],
      ApproverPictures: [
        'Approver on another device: send pictures',
        '',
        'If you enable this setting, a card is sent with the picture of the window that it concerns.',
      ],
      CollectorAddress: [
        'OpenTelemetry collector',
        'Address:',
        'Address of a collector, such as https://otel.example.com:4318, to which hosts send traces and metrics by OTLP over HTTP. Not configured: nothing is sent.',
      ],
      CollectorHeadersFile: [
        'Headers for the OpenTelemetry collector',
        'File:',
        'A text file with the headers that the collector needs, NAME=VALUE, one for each line. Keep it readable for the users for whom hosts run, and for nobody else.',
      ],
      CollectorTitles: [
        'Send titles to the OpenTelemetry collector',
        '',
        'If you enable this setting, titles of windows and names of elements are sent too. What was typed is never sent.',
      ],
      Fleet: [
        'Take jobs of a fleet',
        '',
        'If you disable this setting, the service starts no link of a machine that has joined a fleet (uiahost fleet join --machine). Without this setting it does.',
      ],
      FleetDrain: [
        'Take no further job of the fleet',
        '',
        'If you enable this setting, the running job continues and no further one is taken, for example before an upgrade.',
      ],
      FleetOnlyWhenIdle: [
        'Take jobs of the fleet only without a person',
        '',
        'If you enable this setting, a job is taken only while the session is locked or disconnected.',
      ],
      FleetPools: [
        'Pools of the fleet',
        'Pools:',
        'Jobs are taken only of these pools (p_…), among those that the machine was enrolled for.',
      ],
      FleetOrchestrators: [
        'Orchestrators of the fleet',
        'Orchestrators:',
        'Jobs are taken only of these orchestrators, among those that the machine joined for.',
      ],
      FleetLedger: [
        'Folder for the ledgers of the fleet',
        'Folder:',
        'A folder on a disk that is kept when the machine is reset, which LocalService may change and users may not read. While it cannot be reached, no job is taken.',
      ],
      NotificationIcon: [
        'Icon in the notification area',
        '',
        'An icon shows whether an agent acts or waits for an answer; its menu opens the page, pauses agents and stops everything. If you disable this setting, there is no icon.',
      ],
      Tokens: [
        'Tokens of agents and operators',
        'Id of the token, and what `uiahost token make --policy` printed:',
        'Hosts of this computer accept these tokens until they expire or are removed here; removing one ends at once what is under way with it. Every user can read this setting: it holds the hash of a token, never the token.',
      ],
      TokensNotBefore: [
        'Replace tokens made before',
        'Time in UTC (2030-01-31T12:00:00Z):',
        'Tokens that hosts made for their users before this time no longer count: at its next start, a host revokes them and makes new ones. `uiahost service revoke` sets it.',
      ],
    },
    options: {
      disabled: 'Disabled',
      observe: 'Observe',
      control: 'Control',
      full: 'Full',
      clipboardRead: 'Read the clipboard',
      clipboardWrite: 'Write the clipboard',
      systemKeyCombos: 'Key combinations of the system',
      displayCapture: 'Pictures of the whole display',
      prompts: 'Answer prompts of the system',
      customCommand: 'Run a command of its own',
      password: 'Type into password fields',
      financial: 'Payments and orders',
      destructive: 'Delete or overwrite',
      authenticated: 'Sign in',
      external_submit: 'Send to others',
      pii_export: 'Export personal data',
      terms_or_cookies: 'Accept terms or cookies',
      overlay: 'Overlay on the screen',
      page: 'Page in the browser',
      approver: 'Approver on another device',
      api: 'API with the operator token',
    },
  },
  'de-DE': {
    supportedOn: 'uiahost 0.1 oder höher',
    description: 'Richtlinien für uiahost, den Windows-UI-Automation-Host für Agenten',
    categories: {
      root: 'uiahost',
      rights: 'Was Agenten dürfen',
      approvals: 'Genehmigungen',
      limits: 'Grenzen und Aufzeichnungen',
      host: 'Host',
    },
    narrows:
      'Eine Richtlinie schränkt nur ein, was Benutzer selbst erlauben können; sie erlaubt nie mehr. Wenn Sie diese Einstellung nicht konfigurieren, gelten die Richtliniendatei des Computers und die Datei des Benutzers.',
    decides:
      'Diese Einstellung gilt für den Computer und tritt an die Stelle dessen, was sonst konfiguriert ist. Wenn Sie sie nicht konfigurieren, gilt die Richtliniendatei des Computers.',
    values: {
      Level: [
        'Höchste Stufe',
        'Stufe:',
        'Das Höchste, was uiahost auf diesem Computer darf. Deaktiviert: nichts. Beobachten: Fenster ansehen, nichts ändern. Steuern: Fenster bedienen. Voll: auch Programme starten und die Zwischenablage verwenden, soweit dies erlaubt ist.',
      ],
      Grants: [
        'Anwendungen, die ohne Rückfrage bedient werden dürfen',
        'Vollständiger Pfad der Anwendung und ihre Stufe (read, click oder full):',
        'Freigaben von Benutzern gelten nur für die Anwendungen dieser Liste, jeweils mit der niedrigeren Stufe. Geben Sie als Wertname den vollständigen Pfad des Programms und als Wert read, click oder full ein.',
      ],
      Deny: [
        'Anwendungen, die nicht angetastet werden dürfen',
        'Dateiname oder vollständiger Pfad, einer pro Zeile:',
        'Diese Anwendungen werden nicht gebunden, nicht mit ihren Titeln aufgeführt und nicht aufgenommen. Die Liste ergänzt die des Benutzers.',
      ],
      Pages: [
        'Webseiten, die ein gebundener Browser zeigen darf',
        'Adresse, eine pro Zeile (https://host, https://host/pfad, https://*.host):',
        'Solange ein gebundener Browser eine andere Seite zeigt, handelt uiahost dort nicht und sieht sie nicht an.',
      ],
      Flags: [
        'Fähigkeiten, die eingeschaltet werden dürfen',
        'Erlaubte Fähigkeiten:',
        'Eine Fähigkeit, die hier nicht ausgewählt ist, bleibt ausgeschaltet, was auch immer der Benutzer erlaubt.',
      ],
      ElementsOnly: [
        'Nur über Elemente bedienen',
        '',
        'Wenn Sie diese Einstellung aktivieren, handelt uiahost nur an erkannten Elementen und nie an einer bloßen Bildschirmposition.',
      ],
      CoordinateProposals: [
        'Vorschläge mit einer Position erlauben',
        '',
        'Wenn Sie diese Einstellung deaktivieren, muss ein Agent in einem Vorschlag ein Element nennen; eine Position wird abgelehnt.',
      ],
      RemoteControlMemory: [
        'Speicher anderer Programme für klassische Steuerelemente verwenden',
        '',
        'Das Lesen von Listen und Strukturen klassischer Programme braucht kleine Speicherblöcke in deren Prozessen. Sicherheitsprodukte melden dies unter Umständen. Wenn Sie diese Einstellung deaktivieren, werden solche Steuerelemente auf andere Weise oder gar nicht gelesen.',
      ],
      AllowInsecureUrls: [
        'http-Adressen erlauben',
        '',
        'Wenn Sie diese Einstellung deaktivieren, öffnet uiahost nur https-Adressen.',
      ],
      AlwaysAsk: [
        'Aktionen, die immer eine Genehmigung brauchen',
        'Nachfragen bei:',
        'Die ausgewählten Arten von Aktionen brauchen jedes Mal die Genehmigung eines Menschen. Die Auswahl ergänzt die des Benutzers.',
      ],
      ApprovalSurfaces: [
        'Wo genehmigt wird',
        'Erlaubte Wege:',
        'Einblendung: auf dem Bildschirm, mit echter Maus oder Tastatur. API: durch ein Programm mit dem Operator-Token. Seite: auf der Seite von `uiahost open`, wenn auch die Richtlinie des Benutzers sie nennt. Anderes Gerät: wenn dessen Adresse und Schlüssel gesetzt sind. Ist nichts ausgewählt, wird alles abgelehnt, was eine Genehmigung braucht.',
      ],
      ApprovalTimeoutMs: [
        'Längste Wartezeit auf eine Genehmigung',
        'Millisekunden:',
        'Eine Genehmigung, die in dieser Zeit nicht erteilt wird, gilt als abgelehnt.',
      ],
      ActionsPerMinute: [
        'Höchstzahl der Aktionen pro Minute',
        'Aktionen:',
        'Weitere Aktionen in derselben Minute werden abgelehnt.',
      ],
      MaxActions: [
        'Höchstzahl der Aktionen in einer Sitzung',
        'Aktionen:',
        'Eine Sitzung endet, wenn sie so viele verändernde Aktionen ausgeführt hat.',
      ],
      MaxDurationMs: [
        'Längste Dauer einer Sitzung',
        'Millisekunden:',
        'Eine Sitzung endet so lange nach ihrer ersten Aktion.',
      ],
      KeepPictures: [
        'Bilder von Fenstern aufbewahren',
        '',
        'Wenn Sie diese Einstellung deaktivieren, werden Bilder dem Agenten übergeben und nicht gespeichert.',
      ],
      Port: [
        'Port auf der Loopback-Adresse',
        'Port:',
        'Der TCP-Port, auf dem uiahost Programmen dieses Computers antwortet. Standard: 7423.',
      ],
      AllowRemote: [
        'Zugriff von anderen Computern erlauben',
        '',
        'Wenn Sie diese Einstellung deaktivieren, bedient uiahost nur die Loopback-Adresse, was auch immer seine Umgebung sagt. Der Zugriff von anderen Computern braucht außerdem ein TLS-Zertifikat.',
      ],
      AuditDays: [
        'Tage, die das Audit aufbewahrt wird',
        'Tage:',
        'Das Audit jedes Benutzers wird nach so vielen Tagen gelöscht, in ganzen Dateien und mit einem versiegelten Eintrag darüber. Nicht konfiguriert: Es wird aufbewahrt.',
      ],
      PictureDays: [
        'Tage, die Bilder aufbewahrt werden',
        'Tage:',
        'Bilder von Fenstern werden nach so vielen Tagen gelöscht. Nicht konfiguriert: 7 Tage.',
      ],
      SessionDays: [
        'Tage, die Sitzungen aufbewahrt werden',
        'Tage:',
        'Beendete Sitzungen mit ihren Ereignissen und Genehmigungen werden nach so vielen Tagen gelöscht. Nicht konfiguriert: 30 Tage.',
      ],
      Address: [
        'Adresse, die bedient wird',
        'IP-Adresse:',
        'Die IP-Adresse, auf der uiahost antwortet, 0.0.0.0 für alle. Jede außer Loopback braucht auch ein Zertifikat und „Zugriff von anderen Computern erlauben“. Gilt ab dem nächsten Start eines Hosts.',
      ],
      Names: [
        'Namen des Computers für Clients',
        'Name, einer je Zeile:',
        'Namen, unter denen Clients auf anderen Computern uiahost erreichen. Das Zertifikat muss sie enthalten.',
      ],
      TlsKey: [
        'Datei des TLS-Schlüssels',
        'PEM-Datei:',
        'PEM-Datei des privaten Schlüssels für HTTPS, ohne Passphrase. Die Benutzer, für die Hosts laufen, müssen sie lesen können.',
      ],
      TlsCertificate: [
        'Datei des TLS-Zertifikats',
        'PEM-Datei:',
        'PEM-Datei des Zertifikats für HTTPS mit seiner Kette. Eine erneuerte Datei wird ohne Neustart verwendet.',
      ],
      TlsPfx: [
        'PKCS-#12-Datei des TLS-Zertifikats',
        'PFX-Datei:',
        'PKCS-#12-Datei mit Schlüssel und Zertifikat für HTTPS, anstelle der beiden PEM-Dateien. Eine erneuerte Datei wird ohne Neustart verwendet.',
      ],
      TlsPassphraseFile: [
        'Datei mit der Passphrase der PKCS-#12-Datei',
        'Datei:',
        'Eine Textdatei mit der Passphrase der PKCS-#12-Datei. Nur die Benutzer, für die Hosts laufen, sollten sie lesen können.',
      ],
      Users: [
        'Benutzer, die einen Host bekommen',
        'DOMÄNE\\Name oder SID, einer je Zeile:',
        'Der Dienst startet einen Host für diese Benutzer und für Mitglieder der Gruppen in „Gruppen, deren Mitglieder einen Host bekommen“. Nicht konfiguriert: für jeden Benutzer, sofern keine Gruppen genannt sind.',
      ],
      Groups: [
        'Gruppen, deren Mitglieder einen Host bekommen',
        'DOMÄNE\\Name oder SID, eine je Zeile:',
        'Der Dienst startet einen Host für die Mitglieder dieser Gruppen, zusätzlich zu den genannten Benutzern.',
      ],
      OnDemand: [
        'Hosts auf Anforderung starten',
        '',
        'Wenn Sie diese Einstellung aktivieren, startet der Dienst bei der Anmeldung keinen Host. `uiahost start` und die MCP-Brücke starten einen.',
      ],
      ApproverAddress: [
        'Genehmigung auf einem anderen Gerät: Adresse',
        'https://-Adresse oder fleet:',
        'An diese Adresse werden Karten gesendet, signiert nach dem Schema von Standard Webhooks, und von dort werden die Antworten geholt. Adresse, Name, Schlüssel und Datei des Geheimnisses sind alle nötig. Mit fleet: anstelle einer Adresse gehen Karten von Aufträgen einer Flotte an deren Genehmigenden; dann ist keine Datei eines Geheimnisses nötig. Alles, was eine Karte zeigt, verlässt diesen Computer: was ein Agent tun will, wo und mit welchem Text. Geheimnisse sind verdeckt.',
      ],
      ApproverName: [
        'Genehmigung auf einem anderen Gerät: Name',
        'Name:',
        'Der Name, den die Antworten tragen und unter dem Aufzeichnungen nennen, wer entschieden hat.',
      ],
      ApproverKey: [
        'Genehmigung auf einem anderen Gerät: öffentlicher Schlüssel',
        'Öffentlicher Ed25519-Schlüssel in Base64:',
        'Nur Antworten, die mit der privaten Hälfte dieses Schlüssels signiert sind, zählen. Die private Hälfte gehört allein auf das Gerät des Genehmigenden.',
      ],
      ApproverSecretFile: [
        'Genehmigung auf einem anderen Gerät: Datei des Geheimnisses',
        'Datei:',
        'Eine Textdatei mit dem Geheimnis (whsec_…), an dem der Empfänger erkennt, dass eine Karte von einem Host kommt. Nur die Benutzer, für die Hosts laufen, sollten sie lesen können.',
      ],
      ApproverWaitMs: [
        'Genehmigung auf einem anderen Gerät: längste Wartezeit',
        'Millisekunden:',
        'Wie lange eine Karte auf diese Genehmigung warten darf, höchstens 24 Stunden. Auf dem Bildschirm steht sie nicht länger als sonst.',
      ],
      ApproverPictures: [
        'Genehmigung auf einem anderen Gerät: Bilder senden',
        '',
        'Mit dieser Einstellung wird eine Karte mit dem Bild des Fensters gesendet, um das es geht.',
      ],
      CollectorAddress: [
        'OpenTelemetry-Collector',
        'Adresse:',
        'Adresse eines Collectors, zum Beispiel https://otel.example.com:4318, an den Hosts Traces und Metriken mit OTLP über HTTP senden. Nicht konfiguriert: Es wird nichts gesendet.',
      ],
      CollectorHeadersFile: [
        'Header für den OpenTelemetry-Collector',
        'Datei:',
        'Eine Textdatei mit den Headern, die der Collector braucht: NAME=WERT, einer je Zeile. Nur die Benutzer, für die Hosts laufen, sollten sie lesen können.',
      ],
      CollectorTitles: [
        'Titel an den OpenTelemetry-Collector senden',
        '',
        'Wenn Sie diese Einstellung aktivieren, werden auch Fenstertitel und Namen von Elementen gesendet. Was eingegeben wurde, wird nie gesendet.',
      ],
      Fleet: [
        'Aufträge einer Flotte annehmen',
        '',
        'Wenn Sie diese Einstellung deaktivieren, startet der Dienst auf einem Rechner, der einer Flotte beigetreten ist (uiahost fleet join --machine), keine Verbindung. Ohne diese Einstellung startet er sie.',
      ],
      FleetDrain: [
        'Keinen weiteren Auftrag der Flotte annehmen',
        '',
        'Wenn Sie diese Einstellung aktivieren, läuft der begonnene Auftrag weiter und kein weiterer wird angenommen, zum Beispiel vor einer Aktualisierung.',
      ],
      FleetOnlyWhenIdle: [
        'Aufträge der Flotte nur ohne Person annehmen',
        '',
        'Wenn Sie diese Einstellung aktivieren, wird ein Auftrag nur angenommen, solange die Sitzung gesperrt oder getrennt ist.',
      ],
      FleetPools: [
        'Pools der Flotte',
        'Pools:',
        'Aufträge werden nur aus diesen Pools (p_…) angenommen, unter denen, für die der Rechner eingeschrieben wurde.',
      ],
      FleetOrchestrators: [
        'Auftraggeber der Flotte',
        'Auftraggeber:',
        'Aufträge werden nur von diesen Auftraggebern angenommen, unter denen, für die der Rechner beigetreten ist.',
      ],
      FleetLedger: [
        'Ordner für die Auftragsbücher der Flotte',
        'Ordner:',
        'Ein Ordner auf einem Datenträger, der bleibt, wenn der Rechner zurückgesetzt wird; LocalService darf ihn ändern, Benutzer dürfen ihn nicht lesen. Solange er nicht erreichbar ist, wird kein Auftrag angenommen.',
      ],
      NotificationIcon: [
        'Symbol im Infobereich',
        '',
        'Ein Symbol zeigt, ob ein Agent handelt oder auf eine Antwort wartet; sein Menü öffnet die Seite, pausiert Agenten und hält alles an. Wenn Sie diese Einstellung deaktivieren, gibt es kein Symbol.',
      ],
      Tokens: [
        'Token von Agenten und Operatoren',
        'Id des Tokens und was `uiahost token make --policy` ausgegeben hat:',
        'Hosts dieses Computers nehmen diese Token an, bis sie ablaufen oder hier entfernt werden; dann endet sofort, was damit im Gang ist. Jeder Benutzer kann diese Einstellung lesen: Sie enthält den Hash eines Tokens, nie das Token.',
      ],
      TokensNotBefore: [
        'Ältere Token ersetzen',
        'Zeitpunkt in UTC (2030-01-31T12:00:00Z):',
        'Token, die Hosts vor diesem Zeitpunkt für ihre Benutzer erstellt haben, gelten nicht mehr: Beim nächsten Start widerruft ein Host sie und erstellt neue. `uiahost service revoke` setzt diesen Wert.',
      ],
    },
    options: {
      disabled: 'Deaktiviert',
      observe: 'Beobachten',
      control: 'Steuern',
      full: 'Voll',
      clipboardRead: 'Zwischenablage lesen',
      clipboardWrite: 'Zwischenablage beschreiben',
      systemKeyCombos: 'Tastenkombinationen des Systems',
      displayCapture: 'Bilder des ganzen Bildschirms',
      prompts: 'Abfragen des Systems beantworten',
      customCommand: 'Einen eigenen Befehl ausführen',
      password: 'In Kennwortfelder schreiben',
      financial: 'Zahlungen und Bestellungen',
      destructive: 'Löschen oder überschreiben',
      authenticated: 'Anmelden',
      external_submit: 'An andere senden',
      pii_export: 'Persönliche Daten ausgeben',
      terms_or_cookies: 'Bedingungen oder Cookies annehmen',
      overlay: 'Einblendung auf dem Bildschirm',
      page: 'Seite im Browser',
      approver: 'Genehmigung auf einem anderen Gerät',
      api: 'API mit dem Operator-Token',
    },
  },
};
