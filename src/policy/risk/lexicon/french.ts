import type { LanguageLexicon } from './types.ts';

export const french: LanguageLexicon = {
  language: 'fr',
  hasBlanks: true,
  tags: {
    destructive: {
      anywhere: `supprimer|supprime|supprimez|suppression|effacer|effacez|effacement|détruire|destruction|désinstaller|désinstallation|retirer|enlever|écraser|abandonner|rejeter les modifications|annuler les modifications
        |formater|réinitialiser|réinitialisation|redémarrer|redémarrage|éteindre|arrêter le serveur|arrêter le service|arrêter l'ordinateur|forcer l'arrêt|forcer à quitter|fin de tâche|tuer|terminer le processus|mettre hors service
        |vider la corbeille|vider le dossier|vider l'historique|vider|mettre à la corbeille|placer dans la corbeille|désactiver le compte|révoquer|clôturer le compte|fermer le compte|résilier|annuler l'abonnement|annuler la commande|annuler la réservation|bannir|suspendre le compte
        |ne pas enregistrer|sans enregistrer|quitter sans enregistrer|purger`,
      sentence:
        'supprimé|supprimés|supprimée|supprimées|définitivement|irréversible|ne peut pas être annulée|ne pourra pas être annulée|perdu|perdue|perdues|perdus|écrasé|remplacer|existe déjà|formaté|non enregistrées|redémarré',
    },
    financial: {
      anywhere: `payer|payez|paiement|régler la facture|régler la commande|régler maintenant|acheter|achetez|achat|passer la commande|passer commande|commander maintenant|valider la commande|confirmer la commande|valider le paiement|confirmer le paiement|virer|virement|faire un virement|transférer de l'argent|envoyer de l'argent
        |faire un don|donner maintenant|retirer de l'argent|retrait|déposer des fonds|recharger|recharger le compte|souscrire|s'abonner|réserver maintenant|vendre|investir|rembourser|remboursement|enchérir|louer|essai gratuit`,
      whole: 'commander|réserver|échanger',
      sentence:
        'sera débité|débitée|débité|montant total|montant dû|total à payer|facturé|paiement|achat|virement|prélèvement|non remboursable',
    },
    external_submit: {
      anywhere: `envoyer|envoyez|envoi|soumettre|soumettez|publier|publiez|partager|partagez|téléverser|téléverser un fichier|mettre en ligne|charger un fichier|postuler|inviter|s'inscrire|inscription|créer un compte|transmettre|diffuser|déposer ma candidature`,
      whole: 'poster|voter|déployer',
      sentence: 'sera envoyé|sera envoyée|seront envoyées|sera publié|visible par tous|sera partagé|envoyé à',
    },
    pii_export: {
      anywhere: `exporter|exportez|exportation|export|télécharger mes données|télécharger les données|télécharger les contacts|télécharger les clients|enregistrer au format csv|partager ma position|partager la position|synchroniser les contacts|publipostage`,
      sentence: 'données personnelles|données à caractère personnel|données clients|confidentiel*|exportées',
    },
    terms_or_cookies: {
      anywhere: `accepter les cookies|tout accepter|accepter tout|accepter les conditions|accepter et continuer|accepter et fermer|j'accepte|je suis d'accord|autoriser les cookies|consentir|je consens|accepter la licence|continuer et accepter`,
      whole: 'tout autoriser',
      sentence:
        'cookies|cookie|conditions d utilisation|conditions générales|politique de confidentialité|contrat de licence|cgu|cgv',
    },
    authenticated: {
      anywhere:
        'se connecter|connectez vous|connexion|s identifier|identifiez vous|authentifier|se connecter avec*|lier un compte|associer un compte|vérifier mon identité',
      sentence: 'votre mot de passe|votre compte|connectez vous',
    },
  },
  innocent: `éléments supprimés|supprimés récemment|récemment supprimés|supprimer le filtre|supprimer les filtres|effacer les filtres|effacer le filtre|effacer la recherche|supprimer la mise en forme|effacer la mise en forme|retirer des favoris|supprimer l'arrière-plan|réinitialiser le zoom|réinitialiser les filtres|réinitialiser l'affichage
    |redémarrer plus tard|modes de paiement|mode de paiement|moyens de paiement|moyen de paiement|historique des achats|historique des paiements|historique des commandes|envoyer à l'arrière-plan|envoyer vers l'arrière|boîte d'envoi|exporter en pdf|exporter en png|exporter l'image|connexion internet|connexion réseau|augmenter le retrait|diminuer le retrait|retrait de première ligne|retrait négatif|bureau d'achat`,
  negators: 'ne pas|ne|jamais|sans|non|pas|n|éviter|empêcher',
  negatorsAfter: '',
  cancellers: 'annuler|annuler la|annuler le|annuler l|arrêter la|arrêter le|rétablir|interrompre',
  joiners: 'et|ou|mais|puis',
  affirmatives:
    'ok|oui|continuer|confirmer|valider|suivant|terminer|terminé|appliquer|accepter|autoriser|d accord|oui pour tout|oui à tout|compris|j ai compris|exécuter|démarrer|lancer|remplacer|remplacer tout|copier et remplacer|quitter|quand même|continuer quand même|approuver',
  refusals: 'non|ne pas enregistrer|abandonner les modifications|non pour tout|non à tout',
  saveQuestions:
    'enregistrer les modifications|voulez vous enregistrer|souhaitez vous enregistrer|modifications non enregistrées|enregistrer avant de',
  signedIn:
    'se déconnecter|déconnexion|connecté en tant que|mon compte|votre compte|paramètres du compte|changer de compte|gérer le compte|mon profil',
  passwordLabels:
    'mot de passe|phrase secrète|code secret|code pin|code de sécurité|cryptogramme|code de vérification|code à usage unique|nip',
};
