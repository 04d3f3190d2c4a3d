"""In French: what stands for a value in help, and the examples that have words in them."""

ROWS: dict[str, str] = {
    "ADDRESS": "ADRESSE",
    "DAY": "JOUR",
    "FILE": "FICHIER",
    "FOLDER": "DOSSIER",
    "FOLDER|NAME": "DOSSIER|NOM",
    "NAME": "NOM",
    "NAMES": "NOMS",
    "NEW": "NOUVEAU",
    "NOTE[#HEADING]": "NOTE[#TITRE]",
    "OLD": "ANCIEN",
    "OPERATION": "OPÉRATION",
    "ORDER": "ORDRE",
    "PATH": "CHEMIN",
    "QUERY": "REQUÊTE",
    "REGEX": "MOTIF",
    "SCOPE": "PORTÉE",
    "TAG": "ÉTIQUETTE",
    "TEXT": "TEXTE",
    "TITLE": "TITRE",
    "WAY": "SENS",
    "  vault-assistant ask 'What did we decide about the budget?'": (
        "  vault-assistant ask 'Qu’avons-nous décidé du budget ?'"
    ),
    "  vault-assistant cat 'Projects/Garden'": "  vault-assistant cat 'Projets/Jardin'",
    "  vault-assistant ask 'What did we decide about the heating?'": (
        "  vault-assistant ask 'Qu’avons-nous décidé du chauffage ?'"
    ),
    "  vault-assistant ask --full 'What did we decide about the heating?'": (
        "  vault-assistant ask --full 'Qu’avons-nous décidé du chauffage ?'"
    ),
    "  echo 'What did we decide?' | vault-assistant ask --short -": (
        "  echo 'Qu’avons-nous décidé ?' | vault-assistant ask --short -"
    ),
    "  vault-assistant find heating the greenhouse": "  vault-assistant find chauffer la serre",
    "  vault-assistant find 'tag:#boat larch -oak' --in projects --since 2025-06": (
        "  vault-assistant find 'tag:#bateau mélèze -chêne' --in projets --since 2025-06"
    ),
    "  vault-assistant find --deep what did the neighbours complain about": (
        "  vault-assistant find --deep de quoi se plaignaient les voisins"
    ),
    "  vault-assistant find fast heating the greenhouse": "  vault-assistant find fast chauffer la serre",
    "  vault-assistant find larch --notes --sort modified": (
        "  vault-assistant find mélèze --notes --sort modified"
    ),
    "  vault-assistant find tag:#boat -l -0 --limit 0 | xargs -0 wc -w": (
        "  vault-assistant find tag:#bateau -l -0 --limit 0 | xargs -0 wc -w"
    ),
    "  vault-assistant find larch --format '{path}:{line} {title}'": (
        "  vault-assistant find mélèze --format '{path}:{line} {title}'"
    ),
    "  vault-assistant find by_tag project/garden idea --match-all": (
        "  vault-assistant find by_tag projet/jardin idée --match-all"
    ),
    "  vault-assistant find by_link Home --direction both --json": (
        "  vault-assistant find by_link Accueil --direction both --json"
    ),
    "  vault-assistant find by_date last week --date-field modified": (
        "  vault-assistant find by_date la semaine dernière --date-field modified"
    ),
    "  vault-assistant find scoped budget --scopes project:garden": (
        "  vault-assistant find scoped budget --scopes project:jardin"
    ),
    "  vault-assistant find fast larch --vault work --vault home=~/Notes": (
        "  vault-assistant find fast mélèze --vault travail --vault maison=~/Notes"
    ),
    "  vault-assistant search 'why was the larch late?'": (
        "  vault-assistant search 'pourquoi le mélèze a-t-il tardé ?'"
    ),
    "  vault-assistant search larch --index words --top 3 --display json": (
        "  vault-assistant search mélèze --index mots --top 3 --display json"
    ),
    "  vault-assistant search --index photos --query-image ~/Pictures/larch.jpg": (
        "  vault-assistant search --index photos --query-image ~/Images/mélèze.jpg"
    ),
    "  vault-assistant tag project/garden": "  vault-assistant tag projet/jardin",
    "  vault-assistant tag idea garden --all -l": "  vault-assistant tag idée jardin --all -l",
    "  vault-assistant tag rename project/garden project/yard": (
        "  vault-assistant tag rename projet/jardin projet/potager"
    ),
    "  vault-assistant links Home": "  vault-assistant links Accueil",
    "  vault-assistant links Home --json": "  vault-assistant links Accueil --json",
    "  vault-assistant on yesterday": "  vault-assistant on hier",
    "  vault-assistant on last week": "  vault-assistant on la semaine dernière",
    "  vault-assistant tasks --in projects --done": "  vault-assistant tasks --in projets --done",
    "  vault-assistant tasks --due 'this week'": "  vault-assistant tasks --due 'cette semaine'",
    "  vault-assistant related Home": "  vault-assistant related Accueil",
    "  vault-assistant related Home --limit 3 -l": "  vault-assistant related Accueil --limit 3 -l",
    "  vault-assistant tags project --sort name": "  vault-assistant tags projet --sort name",
    "  vault-assistant properties status": "  vault-assistant properties statut",
    "  vault-assistant cat Home": "  vault-assistant cat Accueil",
    "  vault-assistant cat 'Projects/Garden#Tasks' > tasks.md": (
        "  vault-assistant cat 'Projets/Jardin#Tâches' > tâches.md"
    ),
    "  vault-assistant cat 'Garden#^budget'": "  vault-assistant cat 'Jardin#^budget'",
    "  vault-assistant find larch -l -0 | xargs -0 vault-assistant cat": (
        "  vault-assistant find mélèze -l -0 | xargs -0 vault-assistant cat"
    ),
    "  vault-assistant edit Projects/Garden": "  vault-assistant edit Projets/Jardin",
    "  EDITOR='code --wait' vault-assistant edit 'Garden#Tasks'": (
        "  EDITOR='code --wait' vault-assistant edit 'Jardin#Tâches'"
    ),
    "  vault-assistant open Home": "  vault-assistant open Accueil",
    "  vault-assistant open --print 'Garden#Tasks'": "  vault-assistant open --print 'Jardin#Tâches'",
    "  vault-assistant new Larch for the keel": "  vault-assistant new Du mélèze pour la quille",
    "  vault-assistant new 'Call with Ana' --template Meeting --edit": (
        "  vault-assistant new 'Appel avec Ana' --template Réunion --edit"
    ),
    "  vault-assistant new Budget --folder Projects/Garden": (
        "  vault-assistant new Budget --folder Projets/Jardin"
    ),
    "  vault-assistant daily yesterday": "  vault-assistant daily hier",
    "  vault-assistant mv Leeks 'Spring leeks'": "  vault-assistant mv Poireaux 'Poireaux de printemps'",
    "  vault-assistant mv Leeks Alliums/Leeks": "  vault-assistant mv Poireaux Légumes/Poireaux",
    "  vault-assistant mv Leeks Archive/ --yes": "  vault-assistant mv Poireaux Archives/ --yes",
    "  vault-assistant rm Leeks": "  vault-assistant rm Poireaux",
    "  vault-assistant rm Leeks 'Old plan' --yes": "  vault-assistant rm Poireaux 'Ancien plan' --yes",
    "  vault-assistant replace colour color --in projects --dry-run": (
        "  vault-assistant replace clef clé --in projets --dry-run"
    ),
    "  vault-assistant undo Projects/Garden": "  vault-assistant undo Projets/Jardin",
    "  vault-assistant log Projects/Garden --limit 0": "  vault-assistant log Projets/Jardin --limit 0",
    "  vault-assistant install vscode --vault ~/Notes --project ~/code/garden": (
        "  vault-assistant install vscode --vault ~/Notes --project ~/code/jardin"
    ),
    "  vault-assistant mcp --vault ~/Notes --read-only --folder Work --folder Journal": (
        "  vault-assistant mcp --vault ~/Notes --read-only --folder Travail --folder Journal"
    ),
    "  vault-assistant mcp --vault work=~/Work --vault home=~/Notes --folder work:Projects": (
        "  vault-assistant mcp --vault travail=~/Travail --vault maison=~/Notes --folder travail:Projets"
    ),
    "  vault-assistant pack 'When was the boat launched?'": (
        "  vault-assistant pack 'Quand le bateau a-t-il été mis à l’eau ?'"
    ),
    "  vault-assistant pack 'When was the boat launched?' --max-tokens 400 --json": (
        "  vault-assistant pack 'Quand le bateau a-t-il été mis à l’eau ?' --max-tokens 400 --json"
    ),
    "  vault-assistant status Projects/Garden --json": "  vault-assistant status Projets/Jardin --json",
    "  vault-assistant trust ~/code/garden --yes": "  vault-assistant trust ~/code/jardin --yes",
    "  vault-assistant trust ~/code/garden --revoke": "  vault-assistant trust ~/code/jardin --revoke",
    "  vault-assistant why Greenhouse 'heating in winter'": (
        "  vault-assistant why Serre 'chauffage en hiver'"
    ),
    "  vault-assistant why 'people/Callum Reid' 'who pays?' --mode deep --scope project:petrel": (
        "  vault-assistant why 'gens/Callum Reid' 'qui paie ?' --mode deep --scope project:petrel"
    ),
    '  eval "$(vault-assistant completion bash)"    # for this shell, and in ~/.bashrc for every one': (
        '  eval "$(vault-assistant completion bash)"    # pour ce shell, et dans ~/.bashrc pour tous'
    ),
    "  vault-assistant completion zsh > ~/.zfunc/_vault-assistant    # a folder of $fpath": (
        "  vault-assistant completion zsh > ~/.zfunc/_vault-assistant    # un dossier de $fpath"
    ),
}
