/**
 * Functions of spreadsheets that reach outside the workbook, as data. Names are as in files and in English; those of
 * other languages are here because a formula typed into a window is read in the language of its program.
 * https://support.microsoft.com/office/b3944572-255d-4efb-bb96-c6d90033e188 (functions by category)
 */

/** They send data out, fetch it, load it from elsewhere, or lead a person out by a link. */
export const OUTSIDE: ReadonlySet<string> = new Set(
  [
    'WEBSERVICE IMAGE HYPERLINK RTD STOCKHISTORY',
    // Texts, files or cells go to a service.
    'TRANSLATE DETECTLANGUAGE COPILOT PY IMPORTTEXT IMPORTCSV',
    // Google Sheets and LibreOffice.
    'IMPORTXML IMPORTDATA IMPORTHTML IMPORTFEED IMPORTRANGE GOOGLEFINANCE GOOGLETRANSLATE AI GEMINI COM.MICROSOFT.WEBSERVICE',
    // German, French, Spanish, Italian, Portuguese, Russian, Polish.
    'WEBDIENST BILD BÖRSENHISTORIE',
    'SERVICEWEB LIEN_HYPERTEXTE HISTORIQUEACTIONS',
    'SERVICIOWEB HIPERVINCULO IMAGEN RDTR',
    'SERVIZIO.WEB COLLEG.IPERTESTUALE IMMAGINE',
    'SERVIÇOWEB HIPERLINK HIPERLIGAÇÃO IMAGEM',
    'ВЕБСЛУЖБА ГИПЕРССЫЛКА ДРВ',
    'HIPERŁĄCZE OBRAZ',
  ].flatMap((names) => names.split(' ')),
);
/** The functions of data cubes, also in French, Spanish and Russian. */
export const OUTSIDE_FAMILY = new RegExp('^(?:CUBE[A-Z]*|MEMBRECUBE|MIEMBROCUBO|VALORCUBO|КУБ[А-Я]+)$');

/** They call code of the system or start programs, and nothing else has their names. */
export const FORBIDDEN: ReadonlySet<string> = new Set(
  'CALL EXEC SQL.REQUEST SQL.OPEN SQL.EXEC.QUERY SQL.RETRIEVE SQL.BIND DDE'.split(' '),
);
/** REGISTER, REGISTER.ID, UNREGISTER. */
export const FORBIDDEN_FAMILY = /^(?:UN)?REGISTER(?:\.[A-Z.]+)?$/;

/** Functions of Excel 4.0 macro sheets whose names may also be those of a person's cells: forbidden where they are called. */
export const FORBIDDEN_CALLS: ReadonlySet<string> = new Set(
  [
    'EXECUTE INITIATE POKE REQUEST TERMINATE RUN OPEN SAVE.AS APP.ACTIVATE SEND.KEYS SEND.MAIL ON.TIME',
    'FOPEN FWRITE FWRITELN FREAD FREADLN FILE.DELETE DELETE.DIRECTORY CREATE.DIRECTORY VBA.INSERT.FILE',
    // German, French, Spanish.
    'AUFRUFEN AUSFÜHREN REGISTRIEREN APPELER LLAMAR',
  ].flatMap((names) => names.split(' ')),
);

/** They read a text as a reference or a formula: what is quoted in such a formula is judged like a formula too. */
export const READS_TEXT: ReadonlySet<string> = new Set(
  'INDIRECT EVALUATE INDIREKT INDIRETTO INDIRECTO ДВССЫЛ'.split(' '),
);

/** They take functions by their bare names: `=MAP(A1:A3, WEBSERVICE)`. */
export const TAKES_FUNCTION: ReadonlySet<string> = new Set(
  'LET LAMBDA MAP BYROW BYCOL REDUCE SCAN MAKEARRAY GROUPBY PIVOTBY'.split(' '),
);

/** Kinds of files that a reference without quotation marks can name: `Rates.xlsx!Rate`. */
export const WORKBOOK_FILE =
  /\.(?:xl[a-z]{1,2}|csv|ods|ots|txt|prn|dbf|slk|dif|html?|mht(?:ml)?|xml|mdb|accdb|odc|iqy|dqy|rqy)$/i;
