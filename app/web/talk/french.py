"""What the page says around questions, answers and talks, in French; see `app.web.french`."""

TALKS: dict[str, str | tuple[str, str]] = {
    # Ask
    "Save the talk as a note": "Enregistrer la conversation comme note",
    "Start afresh": "Recommencer",
    "What you ask is answered from your notes, with links to the lines it rests on. Go on from there: what "
    "was said is remembered.": (
        "La réponse à vos questions vient de vos notes, avec des liens vers les lignes sur lesquelles elle "
        "repose. Poursuivez ensuite : ce qui a été dit reste en mémoire."
    ),
    "No note is written.": "Aucune note n'est écrite.",
    "You may have notes written: each change is shown first, and is made only when you approve of it.": (
        "Vous pouvez faire écrire des notes : chaque modification est d'abord montrée, et "
        "n'est faite que si vous l'approuvez."
    ),
    "You may have notes written: the setting “writes” lets it do so without asking. Each "
    "change can be undone.": (
        "Vous pouvez faire écrire des notes : le réglage « writes » le permet sans demander. "
        "Chaque modification peut être annulée."
    ),
    "No note is changed: the setting “writes” is “refuse”.": (
        "Aucune note n'est changée : le réglage « writes » est « refuse »."
    ),
    "No language model is configured, so the offline assistant answers: it searches and "
    "quotes. For written answers name a model, such as “ollama:qwen3”, in the variable "
    "VAULT_ASSISTANT_MODEL or as “model” in config.json.": (
        "Aucun modèle de langage n'est configuré : l'assistant hors ligne répond, il cherche "
        "et cite. Pour des réponses rédigées, nommez un modèle, tel que « ollama:qwen3 », "
        "dans la variable VAULT_ASSISTANT_MODEL ou comme « model » dans config.json."
    ),
    "Your question": "Votre question",
    "What do you want to know?": "Que voulez-vous savoir ?",
    "offline assistant": "assistant hors ligne",
    "Stop": "Arrêter",
    "Send": "Envoyer",
    "This page shows answers as they come, for which it needs its script.": (
        "Cette page montre les réponses à mesure qu'elles viennent ; il lui faut pour cela son script."
    ),
    "You asked:": "Vous avez demandé :",
    "%(count)s step": ("%(count)s étape", "%(count)s étapes"),
    "%(count)s passage as it stands in the notes": (
        "%(count)s passage tel qu'il est dans les notes",
        "%(count)s passages tels qu'ils sont dans les notes",
    ),
    "Source %(number)s: %(title)s, lines %(lines)s": "Source %(number)s : %(title)s, lignes %(lines)s",
    "Source %(number)s: %(title)s": "Source %(number)s : %(title)s",
    "Sources": "Sources",
    "Changes that were made": "Modifications faites",
    "Changes made": "Modifications faites",
    "taken back": "annulée",
    "Undo": "Annuler",
    "Undo: %(what)s": "Annuler : %(what)s",
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
    "Not made:": "Non créée :",
    "Not changed:": "Non modifiée :",
    "Not added to:": "Non complétée :",
    "Not moved:": "Non déplacée :",
    "Not deleted:": "Non supprimée :",
    # Talks
    "Earlier talks": "Conversations précédentes",
    "Back to the talk": "Revenir à la conversation",
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
    "This vault has no notes yet.": "Ce coffre n'a pas encore de notes.",
    "What you ask here is answered from your notes. Put Markdown files in the folder of the vault, or write "
    "some in Obsidian: they are found as soon as they are there.": (
        "Ce que vous demandez ici trouve sa réponse dans vos notes. Mettez des fichiers Markdown dans le "
        "dossier du coffre, ou écrivez-en dans Obsidian : ils sont trouvés dès qu'ils y sont."
    ),
    "Go on with an earlier talk": "Reprendre une conversation",
    "The vault excludes other notes than when this was answered, so it is not shown.": (
        "Le coffre exclut d'autres notes que lors de cette réponse ; elle n'est pas montrée."
    ),
    "The server ended while this was being answered.": "Le serveur s'est arrêté pendant la réponse.",
    "Stopped; this was said by then:": "Arrêté ; voici ce qui avait été dit :",
    "Stopped before there was an answer.": "Arrêté avant qu'il y ait une réponse.",
    "This was said by then:": "Voici ce qui avait été dit :",
    "Nothing left this machine.": "Rien n'a quitté cette machine.",
    "Nothing left this machine: %(model)s, which runs on it, was given %(count)s text": (
        "Rien n'a quitté cette machine : %(model)s, qui y tourne, a reçu %(count)s texte",
        "Rien n'a quitté cette machine : %(model)s, qui y tourne, a reçu %(count)s textes",
    ),
    "Sent to %(model)s: %(count)s text": (
        "Envoyé à %(model)s : %(count)s texte",
        "Envoyé à %(model)s : %(count)s textes",
    ),
    "What was sent": "Ce qui a été envoyé",
    "%(count)s place that looked like a key was left out.": (
        "%(count)s endroit qui ressemblait à une clé a été omis.",
        "%(count)s endroits qui ressemblaient à des clés ont été omis.",
    ),
    "%(count)s more text is in the log.": (
        "Le journal contient %(count)s autre texte.",
        "Le journal contient %(count)s autres textes.",
    ),
    "%(count)s text is not in the log any more.": (
        "%(count)s texte n'est plus dans le journal.",
        "%(count)s textes ne sont plus dans le journal.",
    ),
    "Taken back.": "Annulé.",
    "made": "créée",
    "changed": "modifiée",
    "added to": "complétée",
    "moved": "déplacée",
    "deleted": "supprimée",
    "Save as a note": "Enregistrer comme note",
    "Copy": "Copier",
    "As Markdown": "En Markdown",
    "Ask again": "Redemander",
    "Looking": "Recherche en cours",
    "Answered": "Il y a une réponse",
    "There is no answer": "Il n'y a pas de réponse",
    "The program does not answer any more. See whether it still runs, then load the page again.": (
        "Le programme ne répond plus. Voyez s'il tourne encore, puis rechargez la page."
    ),
}
