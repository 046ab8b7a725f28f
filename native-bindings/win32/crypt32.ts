/** Data protection: crypt32.dll. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, fn } from '../library.ts';

export const crypt32 = bindLibrary('crypt32.dll', {
  /** Encrypts a DATA_BLOB for this user; the result is freed with LocalFree. https://learn.microsoft.com/windows/win32/api/dpapi/nf-dpapi-cryptprotectdata */
  CryptProtectData: fn('bool', [
    'ptr data',
    'str16 description',
    'ptr entropy',
    'ptr reserved',
    'ptr prompt',
    'uint32 flags',
    'ptr out',
  ]),
  /** Decrypts a DATA_BLOB. https://learn.microsoft.com/windows/win32/api/dpapi/nf-dpapi-cryptunprotectdata */
  CryptUnprotectData: fn('bool', [
    'ptr data',
    'ptr description',
    'ptr entropy',
    'ptr reserved',
    'ptr prompt',
    'uint32 flags',
    'ptr out',
  ]),
  /** Opens a store by a provider's number; 0 = failure. https://learn.microsoft.com/windows/win32/api/wincrypt/nf-wincrypt-certopenstore */
  CertOpenStore: fn('handle', [
    'ptr provider',
    'uint32 encoding',
    'ptr cryptProvider',
    'uint32 flags',
    'ptr parameter',
  ]),
  /** https://learn.microsoft.com/windows/win32/api/wincrypt/nf-wincrypt-certclosestore */
  CertCloseStore: fn('bool', ['handle store', 'uint32 flags']),
  /** The next CERT_CONTEXT, 0 at the end; frees the previous one. https://learn.microsoft.com/windows/win32/api/wincrypt/nf-wincrypt-certenumcertificatesinstore */
  CertEnumCertificatesInStore: fn('ptr', ['handle store', 'ptr previous']),
  /** https://learn.microsoft.com/windows/win32/api/wincrypt/nf-wincrypt-certduplicatecertificatecontext */
  CertDuplicateCertificateContext: fn('ptr', ['ptr context']),
  /** https://learn.microsoft.com/windows/win32/api/wincrypt/nf-wincrypt-certfreecertificatecontext */
  CertFreeCertificateContext: fn('bool', ['ptr context']),
  /** https://learn.microsoft.com/windows/win32/api/wincrypt/nf-wincrypt-certaddcertificatecontexttostore */
  CertAddCertificateContextToStore: fn('bool', ['handle store', 'ptr context', 'uint32 disposition', 'ptr added']),
  /** Fills a DATA_BLOB with PKCS #12; its size where its address is 0. https://learn.microsoft.com/windows/win32/api/wincrypt/nf-wincrypt-pfxexportcertstoreex */
  PFXExportCertStoreEx: fn('bool', ['handle store', 'ptr blob', 'str16 password', 'ptr parameters', 'uint32 flags']),
});
