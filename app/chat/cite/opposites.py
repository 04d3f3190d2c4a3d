"""Words of outcome and their opposites, in English and in French.

The words are folded. ``*`` stands for any ending, ``_`` for a blank.
"""

OPPOSITES: tuple[tuple[str, str, str], ...] = (
    (
        "accepted",
        "accept* approv* approuv* agree agreed agrees grant granted grants favorable* favourable* accorde "
        "accordee accordes accordees accordent adopt*",
        "refus* reject* rejet* declined declines denied denies deny defavorable* unfavo* turned_down",
    ),
    (
        "on time",
        "on_time on_schedule a_l'heure a_temps dans_les_temps dans_les_delais punctual* ponctuel* "
        "as_planned not_due not_yet_due early en_avance",
        "late too_late delay* overdue behind_schedule en_retard retard* trop_tard postpon*",
    ),
    (
        "open",
        "open opens opened opening ouvert* ouvre* ouvri* rouvert* reouver* reopen*",
        "close closed closes closing ferme fermes fermee fermees fermer ferment fermeture shut* clos "
        "close closes",
    ),
    (
        "increased",
        "increas* rise rises risen rising rose grow grows growing grew gained augment* hausse* croissan* "
        "went_up goes_up climb* montee raise raised raises remonte remontee remontent doubl* tripl* "
        "up_from up_by up_a",
        "decreas* fall falls fallen falling fell shrink* shrank shrunk declining dimin* baiss* recul* "
        "dropped drops dropping reduc* redui* went_down goes_down lowered lowers halved halves down_from "
        "down_by down_to",
    ),
    (
        "succeeded",
        "succes* succeed* reussi* passed passes",
        "fail* echou* echec* a_rate est_rate ratee ratees unsuccess*",
    ),
    (
        "working",
        "works_again works_well fonctionn* marche_de_nouveau marche_a_nouveau marche_bien marche_encore "
        "repare* repaired mended fixed",
        "en_panne broken broke_down out_of_order hors_service hors_d'usage",
    ),
    (
        "done",
        "done complete completed completes completion finish* fini finie finis finies finit finir "
        "termine* acheve* c'est_fait accompli* ready pret prets prete pretes delivered livree livrees",
        "pending todo to-do unfinished incomplete* in_progress en_cours en-cours a-faire reste_a "
        "restent_a inacheve* still_to outstanding not_yet pas_encore en_attente awaiting unready",
    ),
    (
        "enabled",
        "enabl* activat* active actives activee activees actif* switched_on turned_on allum* branche "
        "branchee plugged allow allows allowed permit* permis* autoris*",
        "disabl* deactivat* desactiv* inacti* switched_off turned_off eteint* eteign* debranch* unplugged "
        "forbid* forbade interdi* prohibit* banned bans",
    ),
    (
        "cheaper",
        "cheap* moins_cher* bon_marche economique* inexpensive less_expensive free_of_charge gratuit* free",
        "expensive dearer dearest plus_cher* couteu* costl* payant* trop_cher* have_to_pay has_to_pay "
        "must_pay doivent_payer doit_payer",
    ),
    (
        "bigger",
        "bigger larger greater plus_grand* taller higher plus_haut* plus_long* heavier plus_lourd* wider "
        "deeper",
        "smaller lesser plus_petit* lower plus_bas* shorter plus_court* lighter plus_leger* narrower "
        "shallower",
    ),
    (
        "faster",
        "faster quick* plus_vite rapide*",
        "slow* plus_lent* lente lentes lentement trop_lent tres_lent est_lent debut_lent",
    ),
    (
        "older",
        "older oldest plus_vieu* plus_age* plus_ancien*",
        "younger youngest newer newest plus_jeune* plus_recent*",
    ),
    (
        "started",
        "start starts started starting begin begins began begun commenc* debute debutee debuter launched "
        "launches demarr*",
        "stop stops stopped stopping end ends ended ending ceas* arret* cesse cesser cessee abandon*",
    ),
    ("included", "includ* compris comprise comprises inclu* comprend*", "exclu* left_out laisse*_de_cote"),
    ("possible", "possib*", "impossib*"),
    (
        "mandatory",
        "mandatory required compulsory obligatoire* requis*",
        "optional* facultati* optionnel* voluntary",
    ),
    (
        "public",
        "public publics publicly publique*",
        "private* prive privee prives privees confidenti* secret*",
    ),
    ("present", "present presente presents presentes attends attended", "absent* away missing manqu*"),
    (
        "full",
        "full complet complets plein pleine pleins pleines rempli* filled",
        "empty emptied vide vides videe videes",
    ),
    ("dry", "dry dried seche*", "wet damp soaked humide* mouill* trempe*"),
    (
        "good",
        "good fine excellent* bon bonne* great happy superb* perfect* parfait* remarquable* remarkabl*",
        "bad badly poor poorly mauvais* awful worse pire* unhappy terribl* horribl* dreadful decev* "
        "disappoint* mediocre*",
    ),
    (
        "true",
        "true vrai vraie vrais vraies correct correcte corrects correctes correctly",
        "false* faux fausse* incorrect* wrong* untrue",
    ),
    ("safe", "safe safely inoffensi* harmless", "unsafe danger* risky hazard*"),
    ("easy", "easy easily easier facile*", "difficult* difficile* hard harder complique* complicated"),
    (
        "won",
        "win wins won winning gagn* victor* victoire*",
        "lose loses losing lost_to lost_against lost_the_game lost_the_match perd perdu perdre perdent "
        "defeat* defaite*",
    ),
    (
        "bought",
        "buy buys bought buying purchas* achet* achat*",
        "sell sells sold selling vend vendre vendu vendue vendus vendues vendent vente*",
    ),
    ("added", "add adds added adding ajout* insert*", "remov* delet* supprim* retire retiree retirer enlev*"),
    (
        "kept",
        "keep keeps kept keeping gard* conserv* retained",
        "discard* thrown_away thrown_out threw jete jetee jetes jetees jeter abandonn* scrapped",
    ),
    (
        "arrived",
        "arriv* came comes_back returned rentr*",
        "depart departs departed departure parti partie partis went_away",
    ),
    ("first", "first premier* premiere* initial*", "last dernier* derniere*"),
    (
        "most",
        "la_plupart majorit* the_most le_plus la_plus maximum at_most au_plus",
        "least minorit* le_moins la_moins minimum",
    ),
    (
        "always",
        "always toujours systematiquement every_time chaque_fois",
        "never jamais rarely rarement seldom",
    ),
    (
        "everybody",
        "everybody everyone tous toutes tout_le_monde all",
        "nobody no_one personne aucun aucune none",
    ),
    ("alive", "alive living vivant* survi*", "dead died dies mort morte morts mortes decede* deces"),
    ("found", "found trouv* retrouv*", "lost perdu perdue perdus perdues mislaid egar*"),
    ("locked", "lock locks locked verrouill*", "unlock* deverrouill*"),
    ("north", "north* nord", "south* sud"),
    ("east", "east* a_l'est", "west* ouest"),
    ("before", "before avant prior_to earlier_than", "after apres later_than following"),
    ("thin", "thin thinner mince* fine_lame", "thick* epais*"),
    ("sent", "sent sends envoy* expedi*", "received receives receive recu recue recus recues recoit"),
    ("front", "in_front_of ahead_of devant", "behind derriere"),
    (
        "earlier",
        "brought_forward moved_forward avance avancee avancees avances",
        "postpon* delayed put_off repouss* reporte reportee",
    ),
    ("tight", "tight watertight etanche*", "leak leaks leaked leaking fuit fuite fuites"),
    ("high", "high haut haute hauts hautes", "low bas basse basses"),
    ("inside", "inside indoors interieur* a_l'interieur dedans", "outside outdoors dehors exterieur*"),
    ("above", "above au-dessus", "below beneath underneath au-dessous en_dessous"),
    ("clean", "clean propre propres", "dirty est_sale salie sali"),
    ("income", "income revenue* recette recettes", "expense* expenditure* depense depenses"),
    ("profit", "profit profits benefice*", "loss losses perte pertes"),
    ("uncle", "uncle aunt oncle tante", "nephew niece neveu"),
    (
        "parent",
        "father mother pere mere grandfather grandmother grand-pere grand-mere",
        "a_son the_son his_son her_son their_son sons daughter fils fille grandson granddaughter "
        "petit-fils petite-fille",
    ),
    (
        "buyer",
        "buyer buyers customer customers client clients acheteu*",
        "seller sellers supplier suppliers vendeu* fournisseu*",
    ),
    ("morning", "morning matin matinee", "evening soir soiree"),
    ("hot", "hot warm* chaud*", "cold cool froid* fraiche"),
    ("loud", "loud* noisy bruyant*", "quiet* silen*"),
    ("strong", "strong* robust* solide*", "weak* faible* fragile*"),
    ("borrowed", "borrow* emprunt*", "lend lends lent_to lent_out prete preter pretent pretera"),
    (
        "import",
        "import imports imported importing importe importee",
        "export exports exported exporting exporte exportee",
    ),
    ("upload", "upload*", "download* telecharg*"),
    (
        "calm",
        "calm calme calmes gentle gently docile* peaceful* paisible*",
        "aggressi* agressi* violent* agite*",
    ),
    (
        "better",
        "improv* better mieux meilleur* ameliore* amelioration*",
        "worse worsen* deteriorat* aggrav* degrad* empir* pire pires",
    ),
    ("best", "best_year the_best best_yet le_meilleur la_meilleure", "worst le_pire la_pire"),
    (
        "paid",
        "paid settled paye payee payes payees reglee verse versee verses versees",
        "unpaid outstanding impaye* owed owing",
    ),
    ("surplus", "surplus* excedent*", "deficit* shortfall*"),
    (
        "spared",
        "spared epargn* unharmed intact* indemne*",
        "destroy* detrui* damaged endommag* ravag* ruined",
    ),
    ("sweet", "sweet sweeter sucre sucree* trop_doux doux douce", "bitter* amer amere amers acide* sour"),
    ("soft", "soft softer doux douce douces", "hard dur dure durs dures"),
    ("running", "running tournait tourne tournent tournaient en_marche", "stopped halted arrete* a_l'arret"),
    (
        "available",
        "available disponible* in_stock en_stock",
        "unavailable indisponible* sold_out out_of_stock epuise* en_rupture",
    ),
    (
        "happy",
        "happy pleased satisfied delighted content contente contents contentes satisfait* ravi ravie ravis",
        "unhappy displeased dissatisfied disappointed mecontent* insatisfait* decu decue decus decues",
    ),
    (
        "stay",
        "stay stays stayed staying reste_en reste_dans restent_en restent_dans",
        "leave leaves leaving quitt*",
    ),
    ("hire", "hired hires embauch* recrut*", "fired dismissed licenci* laid_off"),
    ("praise", "prais* felicit* commended complimented", "critici* blam* reproch*"),
    ("like", "likes liked loves loved enjoy* adore*", "dislikes disliked hates hated detest*"),
    ("healthy", "healthy cured gueri gueris guerie gueries recovered", "ill sick malade*"),
    (
        "left hand",
        "left_hand left_side left_leg left_arm left_eye left_knee left_foot on_the_left left-hand gauche",
        "right_hand right_side right_leg right_arm right_eye right_knee right_foot on_the_right "
        "right-hand droite",
    ),
    ("upstairs", "upstairs a_l'etage", "downstairs au_rez-de-chaussee"),
    ("heavy", "heavy lourd lourde lourds lourdes", "lightweight leger legere legers legeres"),
    ("married", "married marie mariee maries", "divorced celibataire*"),
    ("built", "built construit* erected", "demolish* torn_down demoli*"),
    ("frozen", "froze frozen gele gelee congel*", "thaw* degel* decongel*"),
    ("awake", "awake eveille* reveille*", "asleep endormi*"),
    ("confirmed", "confirm* maintenu*", "cancel* annul* called_off withdrawn withdrew"),
    ("valid", "valid valable* valide valides", "expired perime* echu echue"),
    ("lasting", "permanent* definiti*", "temporar* provisoire* temporaire*"),
    ("automatic", "automati*", "manual manually manuel* by_hand a_la_main"),
    ("shared", "shared partage partagee partages commun", "separate* individuel* private prive privee"),
    ("winner", "winner* vainqueur* gagnant*", "loser* perdant* runner-up"),
    ("advantage", "advantage* avantage* strength* atout*", "disadvantage* inconvenient* drawback* weakness*"),
    ("appeared", "appear* apparu* apparai*", "disappear* disparu* disparai* vanished"),
    ("dense", "dense* compact*", "airy aere*"),
    ("rough", "rough* rugueu*", "smooth* lisse*"),
    ("sharp", "sharp* aiguis*", "blunt emouss*"),
    ("near", "near nearby close_to pres_de proche*", "far_from far_away loin_de eloigne*"),
    ("new", "brand_new brand-new neuf neuve neufs neuves", "second-hand d'occasion used_one oblitere*"),
    ("genuine", "authenti* genuine", "fake* forged forgery contrefa*"),
    ("enough", "enough sufficient* suffisan* assez", "insufficient* not_enough trop_peu insuffisan*"),
    ("overweight", "gained_weight grossi prise_de_poids", "lost_weight maigri perte_de_poids"),
    ("visible", "visible* shown montre*", "hidden invisib* cache cachee caches cachees masqu*"),
)
"""A name for each pair, then the words for the one outcome and those for its opposite."""

RELATIONAL = frozenset(
    (
        "uncle",
        "parent",
        "front",
        "above",
        "high",
        "morning",
        "sent",
        "before",
        "bought",
        "older",
        "bigger",
        "borrowed",
        "won",
        "first",
        "most",
        "faster",
        "better",
        "near",
    )
)
"""Pairs that say the same when word and order are both turned round: what follows the word decides."""

NO_OUTCOME = (
    r"late\s(?:in|at|on|19|20|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|night|afternoon|evening"
    r"|morning|spring"
    r"|summer|autumn|winter)|(?:free|full|good|all|hard)\s(?:of|from|to|at)\b(?!\scharge)|as\sgood\sas"
    r"|a\sgood\s\w+"
    r"|last\s(?:week|month|year|night|time|summer|winter|spring|autumn|monday|tuesday|wednesday|thursday"
    r"|friday"
    r"|saturday|sunday)|at\s(?:first|last)|first\sof\s(?:all|january|february|march|april|may|june|july"
    r"|august"
    r"|september|october|november|december)|well\sknown|not\s(?:all|every)|tous\sles|toutes\sles"
    r"|all\s(?:the|of)"
    r"|tout\sle|no\slonger|open\s(?:question|source)|in\s(?:the\s)?end|end\sof|the\send|right\saway"
    r"|straight\saway|one\sanother"
    r"|de\sbon|bon\sde|d'accord|en\saccord|bon\ssang|bonne\snouvelle|apres-midi|a\sgreat\smany|due\sto"
    r"|public\sholiday"
    r"|clos(?:e|er|est)\sto|as\sclose\sas|lent\b"
)
"""Where such words say something else, as an expression over folded text."""
