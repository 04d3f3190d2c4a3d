"""What the page says around questions, answers and talks, in French; see `app.web.french`."""

TALKS: dict[str, str | tuple[str, str]] = {
    # Ask
    "Save the chat as a note": "Enregistrer la conversation comme note",
    "Start afresh": "Recommencer",
    "Chat": "Discuter",
    "An agent searches and reads for you. You get an overview of a few lines, then the "
    "notes it rests on, with links to their lines. It changes nothing.": (
        "Un agent cherche et lit pour vous. Vous recevez un aperçu de quelques lignes, puis "
        "les notes sur lesquelles il repose, avec des liens vers leurs lignes. Il ne change "
        "rien."
    ),
    "A conversation that remembers.": "Une conversation qui se souvient.",
    "You may have notes written: each change is shown first, and is made only when you approve of it.": (
        "Vous pouvez faire écrire des notes : chaque modification est d'abord montrée, et "
        "n'est faite que si vous l'approuvez."
    ),
    "You may have notes written: the setting “writes” lets it do so without asking. Each "
    "change can be undone.": (
        "Vous pouvez faire écrire des notes : le réglage « writes » le permet sans demander. "
        "Chaque modification peut être annulée."
    ),
    "It changes no notes: the setting “writes” is “refuse”.": (
        "Elle ne change aucune note : le réglage « writes » est « refuse »."
    ),
    "No language model is configured, so the offline assistant answers: it searches and "
    "quotes. For written answers name a model, such as “ollama:qwen3”, in the variable "
    "VAULT_ASSISTANT_MODEL or as “model” in config.json.": (
        "Aucun modèle de langue n'est configuré : l'assistant hors ligne répond, il cherche "
        "et cite. Pour des réponses rédigées, nommez un modèle, tel que « ollama:qwen3 », "
        "dans la variable VAULT_ASSISTANT_MODEL ou comme « model » dans config.json."
    ),
    "Your question": "Votre question",
    "What do you want to know?": "Que voulez-vous savoir ?",
    "How to answer": "Comment répondre",
    "offline assistant": "assistant hors ligne",
    "Stop": "Arrêter",
    "Send": "Envoyer",
    "This page shows answers as they come, for which it needs its script.": (
        "Cette page montre les réponses à mesure qu'elles viennent ; il lui faut pour cela son script."
    ),
    "You asked:": "Vous avez demandé :",
    "%(count)s step": ("%(count)s étape", "%(count)s étapes"),
    "Source %(number)s: %(title)s, lines %(lines)s": "Source %(number)s : %(title)s, lignes %(lines)s",
    "Source %(number)s: %(title)s": "Source %(number)s : %(title)s",
    "Sources": "Sources",
    "Changes that were made": "Modifications faites",
    "Changes made": "Modifications faites",
    "taken back": "annulée",
    "Undo": "Annuler",
    "May this be written?": "Cela peut-il être écrit ?",
    "Approved": "Approuvé",
    "Refused": "Refusé",
    "Not written: nobody answered in time": "Non écrit : personne n'a répondu à temps",
    "Not written: the answer was stopped": "Non écrit : la réponse a été arrêtée",
    "The change": "La modification",
    "New note": "Nouvelle note",
    "Goes": "Disparaît",
    "becomes": "devient",
    "Lines of %(note)s": "Lignes de %(note)s",
    "lines left out": "lignes omises",
    "removed:": "retiré :",
    "added:": "ajouté :",
    "Approve": "Approuver",
    "Refuse": "Refuser",
    "Saved as": "Enregistré sous",
    "Not written:": "Non écrit :",
    # Talks
    "Earlier talks": "Conversations précédentes",
    "Back to the talk": "Revenir à la conversation",
    "The talk was deleted.": "La conversation a été supprimée.",
    "Bring it back": "La rétablir",
    "Talks are not kept: the setting keep_talks is off.": (
        "Les conversations ne sont pas gardées : le réglage keep_talks est à « false »."
    ),
    "Words in a talk": "Mots d'une conversation",
    "No talk has these words.": "Aucune conversation n'a ces mots.",
    "What you ask will be here.": "Ce que vous demanderez se trouvera ici.",
    "%(count)s question": ("%(count)s question", "%(count)s questions"),
    "Rename or delete": "Renommer ou supprimer",
    "Title": "Titre",
    "Rename": "Renommer",
    "Delete": "Supprimer",
    "Go on with an earlier talk": "Reprendre une conversation",
    "The vault excludes other notes than when this was answered, so it is not shown.": (
        "Le coffre exclut d'autres notes que lors de cette réponse ; elle n'est pas montrée."
    ),
    "The server ended while this was being answered.": "Le serveur s'est arrêté pendant la réponse.",
    "Stopped; this was said by then:": "Arrêté ; voici ce qui avait été dit :",
    "Stopped before there was an answer.": "Arrêté avant qu'il y ait une réponse.",
    "This was said by then:": "Voici ce qui avait été dit :",
    "Copy": "Copier",
    "As Markdown": "En Markdown",
    "Ask again": "Redemander",
    "Edit the question": "Modifier la question",
    "Looking": "Recherche en cours",
    "Answered": "Il y a une réponse",
    "There is no answer": "Il n'y a pas de réponse",
    "The program does not answer any more. See whether it still runs, then load the page again.": (
        "Le programme ne répond plus. Voyez s'il tourne encore, puis rechargez la page."
    ),
}
