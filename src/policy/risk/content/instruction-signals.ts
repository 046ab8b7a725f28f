/**
 * Patterns of texts that give orders to an agent, one per line. Letters of other scripts are in plain
 * strings, where the build can escape them.
 */

export interface Signal {
  readonly name: string;
  readonly weight: 1 | 2;
  /** Regular expressions against folded text: lower case, no accents, single blanks. */
  readonly patterns: readonly string[];
}

const AGENT = String.raw`(?:(?:ai|llm|autonomous|automated|computer[ -]use|browser|gui|digital)[ -]+(?:ai )?(?:agents?|assistants?|models?|bots?|systems?|operators?)|(?:large )?language models?|ai|llms?|chatbots?|chatgpt|gpt(?:-\d\w*)?|claude|gemini|copilot|codex|assistant|agent)`;
const ACT = String.raw`(?:click|press|type|enter|open|visit|navigate|go to|send|email|e-mail|forward|export|upload|download|transfer|pay|buy|approve|accept|delete|remove|erase|run|execute|paste|copy|reveal|share|submit|disclose|print|output|confirm|authorize|install|disable|change|ignore|follow|obey|comply|do the following|perform)`;
const SENSITIVE = String.raw`(?:(?:all|every|entire|whole|complete|full)\s+(?:\w+\s+){0,3}?(?:data|records?|files?|contacts?|customers?|users?|emails?|messages?|passwords?|credentials?|database|conversations?|history|students?|employees?|patients?|clients?|table|list)|(?:customers?|users?|clients?|students?|employees?|patients?|personal|private|confidential|internal|sensitive)\s+(?:\w+\s+){0,2}?(?:data|records?|files?|lists?|details|information|database|table|emails?)|passwords?|credentials|api keys?|access tokens?|session cookies|private keys?|secrets)`;
const PLACE = String.raw`(?:https?:\/\/\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?:www\.)?[\w-]{2,}\.(?:com|net|org|io|ru|cn|xyz|info|biz|dev|app|site|online|top|example|test)\b)`;

export const SIGNALS: readonly Signal[] = [
  {
    name: 'overrides_instructions',
    weight: 2,
    patterns: [
      String.raw`\b(?:ignore|ignoring|disregard|forget|override|bypass|discard|do not follow|don.?t follow|stop following|do not obey)\s+(?:\w+\s+){0,4}?(?:previous|prior|above|earlier|preceding|all|any|your|these|those|system|original|existing|other|current)\s+(?:\w+\s+){0,3}?(?:instructions?|prompts?|directions|directives|commands|orders|programming|training|task)\b`,
      String.raw`\b(?:ignore|disregard|forget|override|bypass|do not follow|don.?t follow|stop following)\s+(?:\w+\s+){0,3}?(?:previous|prior|above|earlier|your|safety|system prompt)\s+(?:\w+\s+){0,2}?(?:rules|policy|policies|guidelines|guardrails|restrictions|constraints|limits)\b`,
      String.raw`\b(?:ignore|disregard|forget)\s+(?:everything|all|anything)\s+(?:\w+\s+){0,3}?(?:above|before|previously|you (?:were|have been|know))\b`,
      String.raw`\b(?:ignorier(?:e|en)|missachte|vergiss|vergessen sie|uberschreibe|ubergehe|missachten sie)\b.{0,50}\b(?:anweisung(?:en)?|instruktion(?:en)?|befehle?|vorgaben|prompts?|auftrage?|deine regeln|ihre regeln|bisherigen regeln)\b`,
      String.raw`\b(?:ignore[rz]?|oublie[rz]?|ne (?:tiens|tenez) (?:pas|plus|aucun) compte|desobei\w*|contourne[rz]?|ne (?:suis|suivez) pas)\b.{0,50}\b(?:instructions?|consignes?|directives?|ordres|tes regles|vos regles|regles precedentes|prompts?)\b`,
      String.raw`\b(?:ignor[ae]r?|olvid[ae]r?|omit[ae]|descart[ae]|desobede\w+|haz caso omiso|hagan? caso omiso|no sigas|no siga)\b.{0,50}\b(?:instruccion(?:es)?|indicaciones|ordenes|directrices|tus reglas|sus reglas|reglas anteriores|prompts?)\b`,
      String.raw`\b(?:ignor[ae]r?|esquec[ae]|desconsider[ae]|desobede\w+|nao siga|descarte)\b.{0,50}\b(?:instruc(?:ao|oes)|orientacoes|ordens|diretrizes|comandos anteriores|suas regras|regras anteriores|prompts?)\b`,
      '(?:以前|これまで|前|上記|上の|すべて|全て|全ての|元|先ほど|システム).{0,12}(?:指示|命令|プロンプト|ルール|指令|制約).{0,8}(?:無視|忘れ|破棄|従わな|従うな|上書き)',
      '(?:忽略|无视|無視|忘记|忘記|忘掉|不要遵守|不要遵循|不要理会|抛弃|覆盖|绕过).{0,14}(?:之前|先前|此前|以上|上面|上述|前面|所有|全部|系统|系統|原有|你的|一切).{0,8}(?:指令|指示|提示词?|命令|规则|規則|要求|约束)',
    ],
  },
  {
    name: 'addresses_agent',
    weight: 2,
    patterns: [
      String.raw`\b(?:attention|note|notice|message|instructions?|warning|dear|hey|hello|hi)\s*(?:to|for)?\s*(?:all|any|the|every)?\s*${AGENT}\b.{0,60}?\b${ACT}\b`,
      String.raw`\b${AGENT}\s+(?:must|should|shall|need(?:s)? to|ha(?:s|ve) to|(?:is|are) (?:required|instructed|expected|asked|authorized) to)\s+(?:\w+\s+){0,3}?${ACT}\b`,
      String.raw`\b(?:ai|llm|chatgpt|claude|gemini|copilot|gpt|assistant|agent|(?:ai|autonomous|browser|computer[ -]use) agent|ai (?:assistant|model))s?\s*[,:\u2014-]\s*(?:please\s+|now\s+|you must\s+|immediately\s+)?${ACT}\s+(?:\w+\s+){0,2}?(?:all|the|this|every|any|your|to|https?|customer|user|password|data)\b`,
      String.raw`\bif you(?:'re| are) (?:an? )?(?:(?:ai|llm|automated|autonomous|language model|bot|agent|assistant|machine)\b|(?:ai|language) model)`,
      String.raw`\b(?:ki|ki-agent(?:en)?|ki-assistent(?:en)?|sprachmodell|assistent|agent)\s*[,:]?\s*(?:muss|musst|mussen|soll|sollst|sollen|bitte)\s+.{0,60}\b(?:senden?|exportier\w*|klick\w*|losch\w*|uberweis\w*|offne\w*|schick\w*|kopier\w*|bestatig\w*|hochladen|ausfuhr\w*|weiterleiten)\b`,
      String.raw`\b(?:agents? (?:d'? ?)?(?:ia|intelligence artificielle)|assistants? ia|l'? ?ia|modele de langage)\s*[,:]?\s*(?:doi(?:t|s|vent)|devez|veuillez|il faut)\s+.{0,60}\b(?:envoyer|envoyez|exporter|exportez|cliquer|cliquez|supprimer|supprimez|payer|payez|transferer|ouvrir|copier|telecharger|executer)\b`,
      String.raw`\b(?:agente?s? de ia|asistente?s? (?:de )?ia|inteligencia artificial|la ia|modelo de lenguaje|agente|asistente)\s*[,:]?\s*(?:debes?|deben|debe|tienes? que|por favor)\s+.{0,60}\b(?:enviar?|envia|exportar?|exporta|pulsar?|hacer clic|haz clic|borrar?|eliminar?|pagar?|transferir|abrir|copiar|subir|ejecutar)\b`,
      String.raw`\b(?:agentes? de ia|assistentes? (?:de )?ia|inteligencia artificial|a ia|modelo de linguagem|agente|assistente)\s*[,:]?\s*(?:deve(?:m|s)?|tem que|precisa|por favor)\s+.{0,60}\b(?:enviar?|envie|exportar?|exporte|clicar|clique|excluir|apagar|pagar|transferir|abrir|copiar|carregar|executar)\b`,
      '(?:aiエージェント|aiアシスタント|ai|人工知能|言語モデル|アシスタント|エージェント)(?:は|へ|に|、|:|：|の方は).{0,40}(?:送信|エクスポート|クリック|削除|送金|支払|実行|転送|アップロード|コピー|開い).{0,10}(?:してください|しろ|せよ|すること|しなければ|する必要|て下さい)',
      '(?:ai|人工智能|智能体|代理|助手|语言模型|語言模型)(?:助手|代理|智能体|模型)?[,，:：]?\\s*(?:必须|必須|应该|應該|应当|请|請|需要|务必).{0,30}(?:发送|發送|导出|導出|匯出|点击|點擊|删除|刪除|转账|轉帳|支付|执行|執行|上传|上傳|复制|複製|打开|打開)',
    ],
  },
  {
    name: 'new_role_or_task',
    weight: 2,
    patterns: [
      String.raw`\byou are (?:now|no longer)\b.{0,40}\b(?:assistant|agent|ai|model|bot|mode|unrestricted|admin(?:istrator)?|root|dan|jailbroken|free)\b`,
      String.raw`\byour (?:new|real|actual|true|only|updated) (?:task|goal|objective|mission|instructions?|purpose|job|role|directive)\s*(?:is|are|:)`,
      String.raw`\b(?:deine|ihre) (?:neue|eigentliche|wahre) (?:aufgabe|anweisung|mission) (?:ist|lautet)|\bdu bist (?:jetzt|nun|ab sofort)\b.{0,30}\b(?:assistent|agent|ki|modus)\b`,
      String.raw`\b(?:ta|votre) (?:nouvelle|vraie|veritable) (?:tache|mission|consigne) est|\btu es (?:maintenant|desormais)\b.{0,30}\b(?:assistant|agent|ia|mode)\b`,
      String.raw`\b(?:tu|su|sua) (?:nueva|nova|verdadera|verdadeira) (?:tarea|tarefa|mision|missao|instruccion|instrucao) es?\b|\b(?:ahora eres|agora voce e)\b.{0,30}\b(?:asistente|assistente|agente|ia|modo)\b`,
      '(?:あなたの)?新しい(?:任務|タスク|指示|目的)は|あなたは(?:今から|これから).{0,20}(?:アシスタント|エージェント|モード)',
      '你的新(?:任务|任務|目标|指令|使命)(?:是|为)|你现在是.{0,20}(?:助手|代理|模式|智能体)|從現在開始你是|从现在开始你是',
    ],
  },
  {
    name: 'prompt_markup',
    weight: 2,
    patterns: [
      String.raw`<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id)\|>|\[\/?inst\]|<<\/?sys>>|<\/?(?:system|system[-_ ]?(?:prompt|message|reminder|instructions?)|assistant|instructions|tool_result|function_calls?)>`,
      String.raw`(?:^|\s)#{2,3}\s*(?:system|instructions?|new instructions)\b\s*:?|\bbegin (?:new )?(?:system )?(?:prompt|instructions)\b`,
      String.raw`\b(?:reveal|print|repeat|show|output|disclose|leak)\s+(?:\w+\s+){0,2}?(?:your|the) (?:system )?(?:prompt|instructions)\b`,
    ],
  },
  {
    name: 'hides_from_user',
    weight: 2,
    patterns: [
      String.raw`\b(?:do not|don.?t|never|without) (?:tell(?:ing)?|ask(?:ing)?|mention(?:ing)?|reveal(?:ing)?|show(?:ing)?|let(?:ting)?|inform(?:ing)?|alert(?:ing)?|consult(?:ing)?)\s+(?:this |it |anything )?(?:to |with )?(?:the |your )?(?:user|human|operator|owner)\b`,
      String.raw`\b(?:sage|informiere|frage|erwahne|zeige)\b.{0,20}\b(?:dem|den|der) (?:benutzer|nutzer|anwender|menschen)\b.{0,20}\bnicht|\bohne (?:den|dem) (?:benutzer|nutzer|anwender) (?:zu fragen|zu informieren|etwas zu sagen)`,
      String.raw`\bne (?:dis|dites|demande|demandez|informe|informez|previens|prevenez) (?:pas|rien)\b.{0,20}\b(?:l'? ?utilisateur)|\bsans (?:demander|informer|prevenir) (?:a )?l'? ?utilisateur`,
      String.raw`\bno (?:le )?(?:digas|diga|preguntes|informes|avises|menciones)\b.{0,20}\b(?:al )?usuario|\bsin (?:preguntar|informar|avisar) al usuario|\bnao (?:diga|conte|pergunte|informe|avise)\b.{0,20}\busuario|\bsem (?:perguntar|informar|avisar) (?:a?o )?usuario`,
      '(?:ユーザー|利用者|人間)(?:に|へ).{0,10}(?:言わない|伝えない|知らせない|確認しない|尋ねない|知られない|報告しない)|(?:不要|别|別|勿)(?:告诉|告訴|通知|询问|詢問|提醒|让).{0,4}(?:用户|用戶|使用者|人类|操作员)',
    ],
  },
  {
    name: 'sends_data_out',
    weight: 2,
    patterns: [
      String.raw`\b(?:export|send|upload|forward|e-?mail|post|copy|paste|transfer|leak|exfiltrate|share|submit|transmit)\b.{0,40}\b${SENSITIVE}\b.{0,80}\b(?:to|at|via|into|on)\b.{0,30}${PLACE}`,
      String.raw`\b(?:sende|exportiere|schicke|lade|leite|kopiere|ubermittle|senden sie|exportieren sie)\b.{0,60}\b(?:alle[nr]?|samtliche|kunden\w*|passworter|zugangsdaten|kontakte|personliche\w*)\b.{0,80}\b(?:an|nach|auf|zu)\b.{0,20}${PLACE}`,
      String.raw`\b(?:envoie|envoyez|exporte|exportez|transfere|transferez|transmets|transmettez|copie|copiez|televerse\w*)\b.{0,60}\b(?:tou(?:s|tes|t)|clients?|mots de passe|identifiants|contacts|donnees)\b.{0,80}\b(?:a|vers|sur)\b.{0,20}${PLACE}`,
      String.raw`\b(?:envia|envie|exporta|exporte|transfiere|transfira|copia|copie|sube|reenvia|encaminhe)\b.{0,60}\b(?:tod[oa]s?|clientes?|contrasenas|senhas|credencia(?:le)?s|contactos|contatos|datos|dados)\b.{0,80}\b(?:a|para|hacia|ao|en)\b.{0,20}${PLACE}`,
      `(?:すべて|全て|全|顧客|個人|パスワード|連絡先|機密).{0,20}(?:データ|情報|一覧|リスト|パスワード|ファイル).{0,20}${PLACE}.{0,10}(?:送|転送|エクスポート|アップロード|共有)`,
      `(?:将|把|請|请)?.{0,6}(?:所有|全部|客户|客戶|用户|用戶|个人|密码|密碼|机密).{0,14}(?:数据|資料|资料|信息|名单|密码|文件|记录).{0,20}(?:发送|發送|导出|導出|上传|上傳|转发|轉發|发|寄).{0,6}(?:到|至|给|給)?.{0,6}${PLACE}`,
    ],
  },
  {
    name: 'orders_data_out',
    weight: 1,
    patterns: [
      String.raw`(?<!\bto )\b(?:export|send|upload|forward|e-?mail|exfiltrate|leak|reveal|disclose|transmit|dump)\s+(?:\w+\s+){0,2}?${SENSITIVE}`,
      String.raw`\b(?:exportiere|sende|exportieren sie|senden sie|schicke)\b.{0,30}\b(?:alle[nr]?|samtliche|kunden\w*)\b.{0,20}\b(?:daten|kontakte|passworter|datensatze|kundendaten|liste)\b`,
      String.raw`\b(?:exporte[rz]?|envoie|envoyez|transmettez)\b.{0,30}\b(?:toutes?|tous)\b.{0,20}\b(?:donnees|contacts|fichiers|clients|mots de passe)\b`,
      String.raw`\b(?:exporta|exporte|envia|envie|exportar|enviar)\b.{0,30}\btod[oa]s?\b.{0,20}\b(?:datos|dados|contactos|contatos|clientes|archivos|registros|alumnos|alunos|contrasenas|senhas)\b`,
      '(?:すべて|全て|全)の?.{0,10}(?:データ|情報|連絡先|ファイル|パスワード)を.{0,6}(?:エクスポート|送信|転送|アップロード)(?:してください|しろ|せよ|すること)',
      '(?:导出|導出|匯出|发送|發送|上传|上傳)(?:所有|全部).{0,8}(?:数据|資料|资料|客户|用户|联系人|文件|密码|记录)',
    ],
  },
  {
    name: 'urges',
    weight: 1,
    patterns: [
      String.raw`\b(?:immediately|right now|right away|at once|without delay|as soon as possible|urgent(?:ly)?|important|critical|mandatory)\b|\bnow[.!]`,
      String.raw`\b(?:sofort|umgehend|unverzuglich|dringend|wichtig|immediatement|tout de suite|urgent|important|inmediatamente|de inmediato|ahora mismo|urgente|importante|imediatamente|agora mesmo)\b`,
      '(?:今すぐ|直ちに|ただちに|至急|緊急|重要|立即|马上|馬上|立刻|紧急|緊急|务必)',
    ],
  },
  {
    name: 'speaks_as_system',
    weight: 1,
    patterns: [
      String.raw`^\s*\W{0,3}(?:system|admin(?:istrator)?|developer|operator|sistema|systeme)\s*(?:message|prompt|notice|instruction|override|note|mensaje|nachricht)?\s*[:\uff1a]\s*\S`,
      '^\\s*\\W{0,3}(?:システム|系统|系統)\\s*(?:消息|メッセージ|提示)?\\s*[:：]\\s*\\S',
      String.raw`\b(?:new|updated|additional|hidden|secret|special) instructions?\b|\bprompt injection\b|\bjailbreak\b|\bdeveloper mode\b`,
      String.raw`\b(?:the )?user (?:has )?(?:already )?(?:authorized|authorised|approved|consented to|given (?:you )?permission|pre-?approved)\b`,
      String.raw`\b(?:no|without(?: any)?|skip(?: the)?|bypass(?: the)?) (?:user )?(?:confirmation|approval|permission|consent|review)\b`,
    ],
  },
  {
    name: 'orders_the_reader',
    weight: 1,
    patterns: [
      String.raw`\byou (?:must|have to|need to|are required to|shall) (?:\w+\s+){0,2}?(?:send|export|transfer|upload|forward|delete|pay|run|execute|reveal|disclose|paste|share|email|approve|disable)\b`,
      String.raw`\b(?:agents?|assistants?|bots?) (?:must|should|shall|have to|need to|will) (?:\w+\s+){0,2}?${ACT}\b`,
      String.raw`\b(?:debes|debe usted|tienes que|du musst|sie mussen|tu dois|vous devez|voce deve)\b.{0,30}\b(?:envi\w+|export\w+|transf\w+|borrar|eliminar|pagar|senden|losch\w+|uberweis\w+|bezahl\w+|envoyer|supprimer|payer|excluir|apagar)\b`,
      '(?:必须|必須|你需要|務必).{0,10}(?:发送|导出|转账|删除|上传|支付)|(?:送信|エクスポート|削除|送金|実行)(?:しなければなりません|する必要があります|してください)',
    ],
  },
];
