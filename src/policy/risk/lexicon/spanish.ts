import type { LanguageLexicon } from './types.ts';

export const spanish: LanguageLexicon = {
  language: 'es',
  hasBlanks: true,
  tags: {
    destructive: {
      anywhere: `eliminar|elimina|eliminación|borrar|borra|borrado|suprimir|destruir|desinstalar|desinstalación|quitar|retirar usuario|descartar|descartar cambios|sobrescribir|sobreescribir|formatear|restablecer|restaurar valores de fábrica|restablecer de fábrica
        |reiniciar|reinicia|reinicio|apagar|detener el servidor|detener el servicio|detener servicio|detener servidor|forzar detención|forzar cierre|finalizar tarea|finalizar proceso|matar proceso|terminar proceso|dar de baja|desactivar cuenta|revocar|cerrar cuenta|cerrar la cuenta
        |vaciar|vaciar papelera|vaciar la papelera|mover a la papelera|enviar a la papelera|cancelar suscripción|cancelar la suscripción|cancelar pedido|cancelar el pedido|cancelar reserva|anular pedido|anular suscripción|purgar|no guardar|sin guardar|salir sin guardar|bloquear usuario|suspender cuenta`,
      sentence:
        'eliminado|eliminados|eliminada|eliminadas|eliminará|eliminarán|borrará|permanentemente|definitivamente|no se puede deshacer|no se podrá deshacer|irreversible|se perderán|se perderá|sobrescribirá|reemplazar|ya existe|sin guardar|reiniciará',
    },
    financial: {
      anywhere: `pagar|paga|pague|pagar ahora|pagar factura|realizar pago|realizar el pago|confirmar pago|confirmar el pago|autorizar pago|comprar|compra|comprar ahora|confirmar compra|finalizar compra|realizar pedido|hacer pedido|confirmar pedido|transferir dinero|transferir fondos|transferencia|hacer transferencia|enviar dinero
        |donar|retirar dinero|retirar fondos|depositar|ingresar dinero|recargar|recargar saldo|suscribirse|suscribirme|contratar|reservar ahora|vender|invertir|reembolsar|reembolso|pujar|alquilar|abonar|domiciliar|prueba gratuita`,
      whole: 'transferir|reservar|pedir|pago',
      sentence:
        'se cobrará|se le cobrará|cargo de|importe total|total a pagar|importe|pago|compra|se cargará|no reembolsable|se facturará',
    },
    external_submit: {
      anywhere: `enviar|envía|envíe|envío|presentar|entregar|publicar|publica|compartir|comparte|subir archivo|subir archivos|subir foto|subir documento|cargar archivo|invitar|postular|postularse|inscribirse|inscribirme|registrarse|crear cuenta|difundir|tuitear|responder a todos y enviar`,
      whole: 'subir|votar|desplegar|registrarme',
      sentence: 'se enviará|será enviado|se publicará|visible para todos|se compartirá|enviado a',
    },
    pii_export: {
      anywhere: `exportar|exporta|exportación|descargar datos|descargar mis datos|descargar los datos|descargar contactos|descargar clientes|guardar como csv|compartir ubicación|compartir mi ubicación|sincronizar contactos|combinar correspondencia|volcar base de datos`,
      sentence: 'datos personales|información personal|datos de clientes|confidencial*|exportarán',
    },
    terms_or_cookies: {
      anywhere: `aceptar cookies|aceptar las cookies|aceptar todas|aceptar todo|permitir cookies|acepto|estoy de acuerdo|aceptar y continuar|aceptar términos|aceptar los términos|aceptar condiciones|aceptar las condiciones|aceptar y cerrar|doy mi consentimiento|aceptar la licencia`,
      whole: 'permitir todas|permitir todo',
      sentence:
        'cookies|cookie|términos y condiciones|términos de uso|condiciones de uso|política de privacidad|acuerdo de licencia|contrato de licencia|aviso legal',
    },
    authenticated: {
      anywhere:
        'iniciar sesión|inicia sesión|ingresar a la cuenta|acceder con*|autenticar|autenticarse|identificarse|vincular cuenta|verificar identidad|entrar a mi cuenta',
      sentence: 'su contraseña|tu contraseña|su cuenta|tu cuenta|inicie sesión',
    },
  },
  innocent: `elementos eliminados|eliminados recientemente|quitar filtro|quitar filtros|eliminar filtro|eliminar filtros|borrar filtros|borrar filtro|borrar búsqueda|borrar formato|quitar formato|quitar de favoritos|eliminar fondo|quitar fondo|restablecer zoom|restablecer vista|restablecer filtros|reiniciar más tarde
    |métodos de pago|método de pago|formas de pago|forma de pago|historial de compras|historial de pagos|orden de compra|carrito de la compra|enviar al fondo|enviar atrás|enviar hacia atrás|exportar a pdf|exportar como pdf|exportar imagen|exportar como png|compra segura|carpeta de envío`,
  negators: 'no|nunca|jamás|sin|evitar|ni',
  negatorsAfter: '',
  cancellers: 'cancelar|cancelar la|cancelar el|deshacer|detener la|detener el|anular la|interrumpir',
  joiners: 'y|e|o|u|pero|luego|sino',
  affirmatives:
    'ok|sí|aceptar|continuar|confirmar|siguiente|finalizar|terminar|listo|aplicar|permitir|proceder|sí a todo|sí todo|entendido|de acuerdo|ejecutar|iniciar|reemplazar|reemplazar todo|copiar y reemplazar|salir|continuar de todos modos|aprobar|hecho',
  refusals: 'no|no guardar|descartar|descartar cambios|no a todo',
  saveQuestions:
    'guardar los cambios|guardar cambios|desea guardar|quieres guardar|cambios sin guardar|guardar antes de',
  signedIn:
    'cerrar sesión|salir de la cuenta|sesión iniciada como|conectado como|mi cuenta|tu cuenta|su cuenta|configuración de la cuenta|cambiar de cuenta|mi perfil',
  passwordLabels:
    'contraseña|clave|frase de contraseña|código de seguridad|código pin|código de verificación|clave secreta',
};
