import type { LanguageLexicon } from './types.ts';

export const german: LanguageLexicon = {
  language: 'de',
  hasBlanks: true,
  tags: {
    destructive: {
      anywhere: `löschen|loeschen|löscht|löschung|*löschung|*loeschung|löschvorgang|gelöscht werden|entfernen|deinstallieren|deinstallation|verwerfen|vernichten|überschreiben|ueberschreiben|beenden erzwingen|task beenden|prozess beenden|sofort beenden
        |formatieren|zurücksetzen|zuruecksetzen|auf werkseinstellungen|neu starten|neustarten|neustart|herunterfahren|computer ausschalten|pc ausschalten|gerät ausschalten|dienst beenden|server stoppen|dienst stoppen|server abschalten|dienst abschalten|stilllegen|außer betrieb nehmen
        |papierkorb leeren|ordner leeren|verlauf leeren|leeren|in den papierkorb|deaktivieren|widerrufen|konto schließen|konto kündigen|kündigen|abo kündigen|stornieren|bestellung stornieren|buchung stornieren|termin absagen|sperren
        |nicht speichern|ohne speichern|änderungen verwerfen|tabelle leeren|zurückrollen`,
      sentence: `gelöscht|endgültig|unwiderruflich|nicht rückgängig|nicht wiederhergestellt|verloren|überschrieben|ersetzen|bereits vorhanden|existiert bereits|formatiert|neu gestartet|heruntergefahren|entfernt|nicht gespeicherte`,
    },
    financial: {
      anywhere: `kaufen|jetzt kaufen|kauft|bezahlen|jetzt bezahlen|zahlen|zahlung|zahlung bestätigen|zahlungspflichtig*|kostenpflichtig*|bestellen|bestellung aufgeben|bestellung abschicken|überweisen|ueberweisen|überweisung|geld senden|geld überweisen|spenden
        |abbuchen|auszahlen|auszahlung|einzahlen|einzahlung|abheben|aufladen|guthaben aufladen|zur kasse|kasse|abonnieren|jetzt buchen|kostenpflichtig buchen|reservieren|verkaufen|investieren|erstatten|rückerstattung|rechnung begleichen|rechnung bezahlen|bieten|gebot abgeben|mieten|lastschrift*`,
      whole: 'buchen|handeln|einlösen',
      sentence:
        'wird belastet|belastet|gesamtbetrag|rechnungsbetrag|zahlung|kostenpflichtig|betrag von|abgebucht|kauf|überwiesen|verlängert sich',
    },
    external_submit: {
      anywhere: `senden|absenden|abschicken|verschicken|versenden|einreichen|übermitteln|veröffentlichen|publizieren|teilen|freigeben|hochladen|posten|beitrag posten|einladen|einladung senden|bewerben|registrieren|konto erstellen|konto anlegen|anmelden zu|übertragen|ausspielen`,
      whole: 'antworten allen|abstimmen|bereitstellen',
      sentence: 'wird gesendet|gesendet|veröffentlicht|öffentlich sichtbar|übermittelt|geteilt',
    },
    pii_export: {
      anywhere: `exportieren|export|exportiert|daten herunterladen|meine daten herunterladen|kontakte herunterladen|kundendaten*|kundenliste herunterladen|als csv speichern|kontakte hochladen|kontakte synchronisieren|standort teilen|standort freigeben|datenbank sichern|serienbrief`,
      sentence: 'personenbezogen*|persönliche daten|kundendaten|vertraulich*|exportiert',
    },
    terms_or_cookies: {
      anywhere: `alle akzeptieren|cookies akzeptieren|cookies zulassen|alle cookies|zustimmen|ich stimme zu|stimme zu|einverstanden|akzeptieren und weiter|agb akzeptieren|bedingungen akzeptieren|einwilligen|lizenz akzeptieren`,
      whole: 'alle zulassen|annehmen und schließen|akzeptieren und schließen',
      sentence:
        'cookie*|nutzungsbedingungen|geschäftsbedingungen|agb|datenschutz*|lizenzvertrag|lizenzbedingungen|endbenutzer*',
    },
    authenticated: {
      anywhere:
        'anmelden|einloggen|anmeldung|login|authentifizieren|mit google anmelden|konto verknüpfen|konto verbinden|identität bestätigen|zugriff gewähren',
      sentence: 'melden sie sich an|ihr kennwort|ihr passwort|ihr konto',
    },
  },
  innocent: `gelöschte elemente|gelöschte objekte|zuletzt gelöscht|löschtaste|filter entfernen|alle filter entfernen|formatierung entfernen|hervorhebung entfernen|hintergrund entfernen|aus favoriten entfernen|filter löschen|suche löschen|eingabe löschen
    |zeichen formatieren|absatz formatieren|text formatieren|zellen formatieren|zoom zurücksetzen|ansicht zurücksetzen|filter zurücksetzen|später neu starten|nummerierung neu starten|bestellverlauf|bestellhistorie|zahlungsarten|zahlungsmethoden|zahlungsmethode|zahlungsart|zahlungsverlauf
    |zahlen eingeben|zahlen und|ganze zahlen|zahlenformat|zahlen formatieren|in den hintergrund senden|nach hinten senden|als pdf exportieren|als bild exportieren|als png exportieren|format übertragen|bildschirm teilen|bildschirm sperren|zeile sperren|zellen sperren`,
  negators: 'nicht|nie|niemals|kein|keine|keinen|ohne|nicht mehr',
  negatorsAfter: '',
  cancellers: 'abbrechen|rückgängig|widerrufe|stopp|stoppen',
  joiners: 'und|oder|aber|dann|sondern',
  affirmatives:
    'ok|ja|weiter|fortfahren|fortsetzen|bestätigen|fertig|fertig stellen|fertigstellen|übernehmen|anwenden|annehmen|akzeptieren|zulassen|erlauben|los|ja alle|ja für alle|verstanden|ich verstehe|starten|ausführen|ersetzen|alle ersetzen|kopieren und ersetzen|verlassen|trotzdem fortfahren|trotzdem|genehmigen|abschließen|sicher',
  refusals: 'nein|nicht speichern|verwerfen|änderungen verwerfen|nein für alle',
  saveQuestions:
    'änderungen speichern|speichern möchten|möchten sie speichern|vor dem schließen speichern|änderungen an|nicht gespeicherte änderungen|gespeichert werden',
  signedIn:
    'abmelden|ausloggen|angemeldet als|mein konto|ihr konto|kontoeinstellungen|konto wechseln|konto verwalten|mein profil|benutzer wechseln',
  passwordLabels:
    'passwort|kennwort|passphrase|geheimzahl|pin|sicherheitscode|prüfziffer|einmalcode|bestätigungscode|tan|wiederherstellungsschlüssel',
};
