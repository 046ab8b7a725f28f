import type { LanguageLexicon } from './types.ts';

export const portuguese: LanguageLexicon = {
  language: 'pt',
  hasBlanks: true,
  tags: {
    destructive: {
      anywhere: `excluir|exclui|exclusão|apagar|apaga|eliminar|eliminação|deletar|remover|remoção|destruir|desinstalar|desinstalação|descartar|descartar alterações|sobrescrever|substituir ficheiro|substituir arquivo|formatar|redefinir|repor|restaurar configurações de fábrica|reposição de fábrica
        |reiniciar|reinicialização|reinício|desligar|encerrar o computador|parar servidor|parar o servidor|parar serviço|parar o serviço|forçar parada|forçar encerramento|finalizar tarefa|terminar tarefa|terminar processo|encerrar processo|matar processo|desativar conta|revogar|encerrar conta|fechar conta
        |esvaziar|esvaziar lixeira|esvaziar a lixeira|esvaziar reciclagem|mover para a lixeira|mover para o lixo|cancelar assinatura|cancelar a assinatura|cancelar subscrição|cancelar pedido|cancelar o pedido|cancelar reserva|limpar dados|limpar histórico|limpar tudo|não salvar|não guardar|sem salvar|sem guardar|sair sem salvar|banir|suspender conta`,
      sentence:
        'excluído|excluídos|excluída|excluídas|apagado|apagados|eliminados|eliminado|permanentemente|definitivamente|não pode ser desfeita|não poderá ser desfeita|irreversível|será perdido|serão perdidas|serão perdidos|sobrescrito|substituir|já existe|não salvas|reiniciado',
    },
    financial: {
      anywhere: `pagar|pague|pagar agora|pagar fatura|pagamento|efetuar pagamento|confirmar pagamento|finalizar pagamento|comprar|compre|comprar agora|confirmar compra|finalizar compra|finalizar pedido|fazer pedido|confirmar pedido|fechar pedido|encomendar|transferir dinheiro|transferir fundos|transferência|fazer transferência|enviar dinheiro|enviar pix|fazer pix|pix
        |doar|sacar|saque|levantar dinheiro|depositar|depósito|recarregar|carregar saldo|assinar agora|assinar plano|subscrever|contratar|reservar agora|vender|investir|reembolsar|reembolso|dar lance|alugar|teste grátis`,
      whole: 'transferir|reservar|assinar',
      sentence:
        'será cobrado|será cobrada|serão cobrados|valor total|total a pagar|pagamento|compra|será debitado|não reembolsável|será faturado',
    },
    external_submit: {
      anywhere: `enviar|envie|envio|submeter|submeta|publicar|publique|postar|compartilhar|compartilhe|partilhar|carregar arquivo|carregar ficheiro|fazer upload|upload|convidar|candidatar se|inscrever se|inscrever|cadastrar|cadastre se|registar se|criar conta|transmitir|divulgar|tuitar`,
      whole: 'votar|implantar|registrar',
      sentence:
        'será enviado|será enviada|serão enviados|será publicado|visível para todos|será compartilhado|enviado para',
    },
    pii_export: {
      anywhere: `exportar|exporta|exportação|baixar dados|baixar meus dados|baixar os dados|baixar contatos|baixar clientes|transferir os meus dados|descarregar dados|salvar como csv|guardar como csv|compartilhar localização|partilhar localização|sincronizar contatos|mala direta`,
      sentence: 'dados pessoais|informações pessoais|dados de clientes|confidencia*|exportados',
    },
    terms_or_cookies: {
      anywhere: `aceitar cookies|aceitar os cookies|aceitar todos|aceitar tudo|permitir cookies|aceito|concordo|eu concordo|aceitar e continuar|aceitar termos|aceitar os termos|aceitar condições|aceitar e fechar|dou consentimento|aceitar a licença`,
      whole: 'permitir todos|permitir tudo',
      sentence:
        'cookies|cookie|termos de uso|termos e condições|termos de serviço|política de privacidade|contrato de licença|acordo de licença',
    },
    authenticated: {
      anywhere:
        'entrar na conta|fazer login|iniciar sessão|efetuar login|entrar com*|autenticar|vincular conta|verificar identidade|acessar conta',
      sentence: 'sua senha|sua conta|a sua palavra passe|faça login',
    },
  },
  innocent: `itens excluídos|itens eliminados|excluídos recentemente|remover filtro|remover filtros|limpar filtros|limpar filtro|remover formatação|limpar formatação|remover dos favoritos|remover fundo|redefinir zoom|repor zoom|redefinir filtros|redefinir visualização|reiniciar mais tarde|formatar texto|formatar células|formatar parágrafo
    |formas de pagamento|forma de pagamento|métodos de pagamento|método de pagamento|histórico de compras|histórico de pagamentos|histórico de pedidos|enviar para trás|enviar para o fundo|exportar como pdf|exportar para pdf|exportar imagem|caixa de envio|desligar notificações|desligar som`,
  negators: 'não|nunca|jamais|sem|evitar|nem',
  negatorsAfter: '',
  cancellers: 'cancelar|cancelar a|cancelar o|desfazer|parar a|parar o|anular a|interromper',
  joiners: 'e|ou|mas|então|depois',
  affirmatives:
    'ok|sim|aceitar|continuar|confirmar|próximo|seguinte|avançar|concluir|finalizar|pronto|aplicar|permitir|prosseguir|sim para todos|sim a tudo|entendi|entendido|executar|iniciar|substituir|substituir todos|copiar e substituir|sair|continuar mesmo assim|aprovar|concluído',
  refusals: 'não|não salvar|não guardar|descartar|descartar alterações|não para todos',
  saveQuestions:
    'salvar as alterações|salvar alterações|guardar as alterações|guardar alterações|deseja salvar|deseja guardar|quer guardar|alterações não salvas|salvar antes de',
  signedIn:
    'terminar sessão|encerrar sessão|fazer logout|sair da conta|conectado como|sessão iniciada como|minha conta|sua conta|configurações da conta|trocar de conta|meu perfil|a minha conta',
  passwordLabels:
    'senha|palavra passe|frase secreta|código de segurança|código pin|código de verificação|chave secreta',
};
