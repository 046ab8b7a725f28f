import type { LanguageLexicon } from './types.ts';

export const english: LanguageLexicon = {
  language: 'en',
  hasBlanks: true,
  tags: {
    destructive: {
      anywhere: `delete|deletes|deleting|deletion|erase|erases|erasing|wipe|wipes|wiping|purge|purges|purging|destroy|destroys|destroying|shred|obliterate
        |uninstall|uninstalls|uninstalling|remove|removes|removing|discard|discards|discarding|overwrite|overwrites|overwriting
        |terminate|terminates|terminating|decommission|deprovision|revoke|revokes|revoking|deactivate|deactivates
        |disable account|disable user|disable service|disable protection|disable firewall|disable antivirus|disable backup|disable security
        |factory reset|hard reset|reset to factory|reset to defaults|reset this pc|reset device|reset all|reset everything|reset database|reset settings|reset account
        |format disk|format drive|format volume|format usb|format partition|format card|quick format|reformat|repartition
        |shut down|shutdown|power off|turn off computer|reboot|reboots|rebooting|restart|restarts|restarting|force quit|force stop|force close
        |end task|end process|end session|kill|kills|killing|stop server|stop service|stop instance|stop container|stop vm|stop cluster|stop machine|drain node|failover
        |empty trash|empty the trash|empty recycle bin|empty bin|empty folder|empty deleted items|empty junk|empty spam|move to trash|move to recycle bin|move to bin
        |clear all|clear data|clear history|clear browsing data|clear log|clear logs|clear database|clear site data|clear everything|clear storage
        |drop table|drop database|drop column|drop schema|drop index|truncate|roll back|rollback|restore snapshot|revert to snapshot|force push|reset hard
        |cancel subscription|cancel my subscription|cancel your subscription|cancel your order|cancel your account|cancel your plan|cancel your booking|cancel membership|cancel order|cancel my order|cancel plan|cancel account|cancel booking|cancel reservation|cancel appointment|cancel meeting|cancel service
        |close account|close my account|forget device|forget this device|forget network|unpair|ban|ban user|suspend user|suspend account|block user
        |don't save|do not save|close without saving|exit without saving|quit without saving|without saving|lose changes|abandon changes|revert all|revert file|undo all changes`,
      whole: 'del',
      sentence: `deleted|erased|removed permanently|will be removed|be lost|cannot be undone|can not be undone|can't be undone|irreversible|irreversibly|permanently
        |cannot be recovered|cannot be restored|can't be recovered|overwritten|replace it|replace the file|replace the existing|want to replace|already exists|lose your|lose all|lose any|unsaved|terminated
        |uninstalled|formatted|shut down|restarted|rebooted|wiped|discarded`,
    },
    financial: {
      anywhere: `pay|paying|buy|buys|buying|purchase|purchases|purchasing|checkout|check out|place order|place your order|place the order|place my order|submit order|confirm order|complete order|order now
        |donate|donates|donating|make payment|make a payment|confirm payment|complete payment|submit payment|send payment|process payment|authorize payment|authorise payment|approve payment|approve invoice
        |proceed to payment|continue to payment|schedule payment|send money|transfer money|transfer funds|transfer now|confirm transfer|make transfer|make a transfer|wire transfer|wire money|remit
        |withdraw|withdraws|withdrawing|withdrawal|deposit|deposits|add funds|add money|top up|invest|invests|sell|sells|selling|place trade|place bid|place a bid|bid now|confirm bid|short sell
        |refund|refunds|issue refund|charge card|charge customer|charge now|subscribe now|start subscription|upgrade plan|upgrade subscription|start trial|start free trial|renew subscription|renew now
        |book now|book flight|book room|reserve now|rent now|payout|pay out|cash out|borrow|apply for loan|swap tokens|preorder|pre order|confirm purchase|complete purchase|redeem`,
      whole: 'order|subscribe|transfer|trade|bid|book|payment|donation|stake|swap',
      sentence: `will be charged|be charged|your card|amount due|total due|total amount|order total|payment of|pay now|non refundable|nonrefundable|charged to|will be billed|be billed|billing|purchase|payment|transfer of|you are about to pay|you are about to buy|you are about to send`,
    },
    external_submit: {
      anywhere: `send|sends|submit|submits|submitting|publish|publishes|publishing|share|shares|upload|uploads|post comment|post reply|post now|post update|post message|post tweet|tweet|retweet
        |send message|send invite|send invitation|invite|invites|apply now|register now|register account|sign up|create account|rsvp|broadcast|go live|make public
        |create pull request|open pull request|merge pull request|deploy to production|deploy now|push to remote|push origin|release to public|file complaint|file report|file return`,
      whole: 'post|apply|register|deploy|push|release|vote|reply all',
      sentence:
        'will be sent|be sent to|be published|be shared|be submitted|send it|visible to everyone|visible to others|publicly visible',
    },
    pii_export: {
      anywhere: `export|exports|exporting|download data|download my data|download your data|download archive|download contacts|download customers|download customer*|download users|download user*|download records
        |download csv|download list|download all|takeout|share location|share my location|share contacts|sync contacts|upload contacts|dump database|database dump|save as csv|copy all contacts|mail merge`,
      sentence: 'personal data|personal information|customer data|contacts will|confidential|exported',
    },
    terms_or_cookies: {
      anywhere: `accept cookies|accept all cookies|allow cookies|allow all cookies|accept terms|accept the terms|accept license|accept licence|accept agreement|accept and continue|accept & continue|accept and close
        |agree|agrees|i accept|i consent|give consent|consent`,
      whole: 'accept all|allow all|accept all and close|accept & close',
      sentence:
        'cookie|cookies|terms of service|terms of use|terms and conditions|terms & conditions|privacy policy|privacy notice|license agreement|licence agreement|license terms|licence terms|end user|eula',
    },
    authenticated: {
      anywhere: `sign in|log in|login|log on|logon|authenticate|authorize app|authorise app|continue with google|continue with microsoft|continue with apple|sign in with*|verify identity|link account|connect account|grant access`,
      sentence: 'sign in to|log in to|your password|your account',
    },
  },
  innocent: `deleted items|recently deleted|delete key|deletion log|deletion history|undo delete|remove filter|remove filters|remove all filters|remove formatting|remove highlight|remove highlighting|remove background
    |remove from favorites|remove from favourites|remove hyperlink|remove split|remove frame|remove indent|restart later|restart tour|restart tutorial|restart animation|restart video|restart slideshow|restart numbering|restart search
    |reset zoom|reset view|kill ring|shut down later|purchase history|purchase orders|purchase order number|payment history|payment methods|payment method|order history|pay attention|pay period|pay stub|pay slip
    |check out our|check out the|check out what|check out branch|check out file|check out document|checkout branch|checkout commit|checkout tag|git checkout|svn checkout|buy list|how to buy|where to buy|sell sheet
    |send to back|send backward|send backwards|send to desktop|send to tray|send behind text|market share|file share|network share|share price|share name
    |export as png|export as image|export as jpeg|export as pdf|export as svg|export to pdf|export png|export image|export pdf|export video|export audio|export frame|add discard`,
  negators: `don't|do not|dont|never|no|not|nothing|without|avoid|prevent|disallow|keep and do not|rather than|instead of`,
  negatorsAfter: '',
  cancellers: 'undo|cancel|cancel the|cancel this|abort|stop|revert|undo the|cancel pending|dismiss',
  joiners: 'and|or|but|then|also',
  affirmatives: `ok|okay|yes|y|continue|confirm|proceed|next|finish|done|apply|accept|allow|submit|go|go ahead|do it|i understand|understood|agree|i agree|got it|yes to all|ok to all|sure|run|start|execute|replace|replace all|replace files
    |copy and replace|move and replace|leave|leave page|exit|quit|close anyway|leave anyway|continue anyway|proceed anyway|do it anyway|send anyway|yes i am sure|i am sure|i'm sure|approve|authorize|authorise|complete|place|enter|retry`,
  refusals: `no|no to all|don't save|do not save|discard|discard changes|close without saving|exit without saving`,
  saveQuestions:
    'save changes|save the changes|save your changes|want to save|save your work|save before closing|save before|keep your changes|keep changes|unsaved changes|changes to be saved',
  signedIn:
    'sign out|log out|logout|log off|signed in as|logged in as|my account|your account|account settings|switch account|switch user|manage account|my profile|welcome back',
  passwordLabels:
    'password|passphrase|passcode|pin|pin code|security code|cvv|cvc|secret|one time code|verification code|otp|private key|recovery phrase|seed phrase',
};
