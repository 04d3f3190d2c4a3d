"""The wordings of what is said beside results and answers, and of why a note or an answer is missing."""

from enum import StrEnum


class NoticeKind(StrEnum):
    """What can be said; why a note was not found is told by `WhyKind`."""

    # The state of the index and its vectors
    INDEX_BUSY = "another process is updating the index; this answers from its last state"
    INDEX_BEHIND = (
        "the index is catching up with the vault; {notes} {notes:note is|notes are} searched so far"
    )
    INDEX_BEGUN = (
        "not all notes are indexed yet; {notes} {notes:note is|notes are} searched so far, first those that "
        "hold the words"
    )
    INDEX_REBUILT = "the index could not be opened ({reason}) and was rebuilt"
    VAULT_FAILED = "the vault '{name}' did not answer: {reason}"
    VECTORS_NOT_BUILT = "vectors are not being built: {reason}"
    SOME_HAVE_VECTORS = (
        "{share:.0%} of the passages have vectors so far; the others are not found by meaning yet"
    )
    NOTE_CHANGED = "a note changed while it was searched and is left out"
    EXTRACTED = "the text of {paths} was extracted from the file: order, tables and signs may differ in it"

    # The time that a question names
    TIME_BETWEEN = '"{phrase}" read as {first} to {last}: what answers and lies inside is preferred'
    TIME_ON = '"{phrase}" read as {first}: what answers and lies inside is preferred'
    TIME_UNTIL = '"{phrase}" read as the days up to {last}: what answers and lies inside is preferred'
    TIME_FROM = '"{phrase}" read as the days from {first} on: what answers and lies inside is preferred'

    # What is excluded
    FILTER_TOO_SLOW = (
        "excluded files: the expression {source} takes too long; no note is shown until it is simpler"
    )
    FILTERS_UNREADABLE = "{file} cannot be read: {reason}"
    NO_NOTE_SHOWN = "{reason}; no note is shown until it can"
    FILTERS_NOT_UNDERSTOOD = "{reason}; no note is shown until it is"
    EXCLUDED_NOTES = "{count} excluded {count:note|notes} not shown"
    LEFT_OUT_NOTES = "{count} left-out {count:note|notes} not shown"
    KEY_MASKED = "1 text that looks like {what} was left out of what was sent to {model}"
    KEYS_MASKED = "{count} texts that look like keys or passwords were left out of what was sent to {model}"
    A_KEY = "a key"
    A_PASSWORD = "a password"
    A_BANK_ACCOUNT = "a bank account"
    A_PAYMENT_CARD = "a payment card"
    A_RECOVERY_PHRASE = "a recovery phrase"

    # Found across languages
    FOUND_BY_GLOSS = "the first note found is in another language; the question was read as '{gloss}'"

    # What was done without
    FOUND_BY_WORDS = "found by words only: {reason}"
    NO_REWORDING = "no other wordings were tried: {reason}"
    NO_JUDGE = "sentences were held against the notes by rules alone: {reason}"
    NO_RERANKER = "the reranker was not used: {reason}"
    READ_BY_WORDS = (
        "the embedding model does not know the question's language: words alone chose what is quoted; "
        "'vault-assistant setup model' names multilingual ones"
    )
    NO_REASONS = "no reasons by the language model: {reason}"
    SEARCHED_WITHOUT = "nothing found holds {parts: and }; this is what was found without it"
    SOME_WORDS = "no note holds all {words} words; these hold {held} of them"
    MORE_PLACES = "{count} more {count:note holds|notes hold} what {place} says; 'also_in' leaves them out"

    # What to try when nothing was found
    NOTHING_SAYS = "none of the notes searched has any of these words, and none is likely to answer"
    NEAREST = "nearest in meaning"
    SEARCHED = "searched {what}"
    NOT_ALL_SEARCHED = "searched {what}; {kinds} not searched"
    NEAR_TAGS = "similar tags: {tags}"
    SPELT = "{typed}: searched as {words} too"
    NOTHING_HOLDS = "nothing holds {typed}; {near}"
    NEAR_WORD = "{word} stands in {notes} {notes:note|notes}"
    NEAR_NAMES = "notes with a similar name: {paths}"
    NEVER_SEARCHED = "never searched: {paths}, always in the chat's context, or temporary"
    VOID_SCOPE = "scope '{scope}' matches no note"
    WITHOUT_FILTERS = "without {filters: and } there would be {total}"
    SCOPES = "the scopes"
    FOLDER = "the folder"
    DATES = "the dates"
    TAGS = "the tags"

    # Links
    ONLY_LINKED = "the note '{name}' does not exist; it is only linked to"
    LINKED_FILES = "links to files: {files}"
    UNRESOLVED = "unresolved links: {names}"
    AND_MORE = "{names} and {more} more"

    # How a query was read
    ASKS_FOR_ALL = "'{query}' asks for everything"
    ASKS_FOR = "'{query}' asks for {parts:; }"
    COUNTED_PART = "{part} ({notes} {notes:note|notes}, {left} left)"
    ONLY_RANKS = "what ranks and leaves nothing out: {parts:; }"
    BRACKETS_ARE_TEXT = "'[{name}]' is text here; fulltext can ask for a property of that name"
    UNKNOWN_PROPERTY = "no note has a property '{name}'; text in brackets can stand in double quotes"
    OPERATOR_IS_TEXT = "'{name}:' before a blank is text; as an operator it stands right against its value"

    # Files found by terms
    NO_MATCHES = "no matches found"
    NONE_RELEVANT = "No relevant files found"
    RANKED_BY_TERMS = "{why}: the files are ranked by how many and how important the terms they match"
    NO_MODEL = "no language model is configured (keyword_models names them, the best first, such as {models})"
    NAMES_NO_FILES = "the language model's answer names no files"
    INVENTED_NAMES = (
        "{count} {count:name|names} of the language model's answer left out: no such file was found"
    )
    TERMS_TOO_BROAD = "terms left out, since they find too much, alone or together: {terms}"
    FILES_LOST = "some files were left out: they changed while they were searched, or cannot be read"

    # Answers in chat
    RULES_CHANGED = "what the vault excludes has changed, and this conversation starts anew"
    OFFLINE = (
        "this is the offline assistant: it searches and quotes, without a language model. For written "
        "answers name one: --model ollama:qwen3, the variable VAULT_ASSISTANT_MODEL, or “model” in "
        "config.json"
    )
    NO_ANSWER = "the model came to no answer of its own ({reason}); this is what was found"
    ANSWER_BROKE_OFF = "the answer ends here ({reason}); ask again for the rest"
    WENT_WRONG = "{reason}"
    NAMED_MISSING = "'{name}' was named, and there is no such note"
    CITED_MISSING = "'{name}' was cited, and there is no such note"
    NO_SUCH_LINES = "'{path}' has {count} {count:line|lines}, and no lines {lines}"
    NO_SUCH_LINES_WHOLE = "'{path}' has {count} {count:line|lines}, and no lines {lines}; it is shown whole"
    OTHER_LINES = "'{path}' has {count} {count:line|lines}: lines {lines} are shown as {shown}"
    NOT_LINES = "'{lines}' are no lines of '{path}', which is shown whole"
    CUT_AFTER = "'{path}' is cut after line {line} of {count}, for the document to fit {budget} characters"
    CUT_INSIDE = "'{path}' is cut inside line {line} of {count}, for the document to fit {budget} characters"
    NOTES_LEFT_OUT = "left out, for the document to fit {budget} characters: {names}"
    FILES_NOT_LOOKED_AT = "{count} further {count:file was|files were} named, and left out"
    OVERVIEW_CUT = "the overview was cut to {lines} lines and {characters} characters"
    MORE_NOTICES = "{count} more {count:remark|remarks}"


class WhyKind(StrEnum):
    """Where a search lost a note, and what would bring it up."""

    UNKNOWN = "there is no note '{name}' to search: none is called so, or it is excluded"
    NO_NOTE = "'{path}' is no note: only notes are searched"
    NOT_INDEXED = "globs of the index leave '{path}' out"
    LEFT_OUT = "'{path}' is never searched: it is always in the chat's context, or temporary"
    PROBLEM = "'{path}': {reason}"
    FILTERED = "'{path}' does not pass {filters: and }"
    PART = "the query asks for {parts: and }, which '{path}' does not meet"
    NO_WORDS = "'{path}' holds no word of the question"
    NOT_LISTED = (
        "'{path}' is not among the {most} passages nearest by words, nor among the {most} nearest by meaning"
    )
    FOUND = "'{path}' is found at place {place} of {total}, with a score of {score:.2f}"
    BELOW = "'{path}' stands at place {place} of {total}, below the first {shown}, which are shown"
    LOW_SCORE = "the best score of '{path}' is {score:.2f}, below {least}"
    LACKS = "'{path}' lacks {words}"
    TRY_DEEP = "'deep' finds it at place {place}"
    TRY_FURTHER = "{further} shows it"


class ClaimKind(StrEnum):
    """Why a sentence is not borne out, and what became of it."""

    OTHER_WORDS = "“{words}” is quoted, and does not stand in the lines cited"
    OTHER_NUMBER = "“{number}” does not stand in the lines cited, or is the number of something else there"
    OTHER_DATE = "the lines cited do not name the time “{date}”"
    OTHER_NAME = "the lines cited do not name “{name}”"
    JUDGED_UNSAID = "the model that judges does not find it in the lines cited"
    STRUCK = "struck out: {reason}; '{path}' has “{line}”"
    STRUCK_OUT = "struck out, beside '{path}': {reason}"
    NOWHERE = "struck out: “{words}” stands in none of the passages that were found"
    UNCITED = "(uncited)"
    OWN_WORDS = "{count} {count:sentence cites|sentences cite} no note that bears {count:it|them} out"


class FailureKind(StrEnum):
    """Why a language model gave no answer, or a database not all of it."""

    MODEL_TOO_LONG = "it took longer than 'model_seconds' allows"
    MODEL_UNREACHABLE = "its server cannot be reached: start it, or check its address"
    MODEL_BROKE_OFF = "the connection to its server broke off"
    MODEL_BUSY = "its server takes no further requests for now"
    MODEL_FAILED = "its server failed with {status}"
    MODEL_REFUSED = "its server refused the request with {status}"
    MODEL_TOO_LARGE = (
        "the request was longer than it can read: start its server with a larger context, or set "
        "'ask_evidence_tokens' lower"
    )
    MODEL_ASKED_ON = "it went on searching and reading beyond the limits of the settings"
    MODEL_LOOPED = "it said the same again and again"
    MODEL_REPEATED = "it asked for the same again and again"
    MODEL_CUT = "its answer reached the longest one that it gives"
    MODEL_SENSELESS = "what it sent is no answer"
    NOT_BROUGHT = "the vault could not be brought up to date in Milvus: {reason}"
    PART_OF_MATCHES = "ranked and counted among the {notes} notes that match best; more may match"


class LanguageKind(StrEnum):
    """Languages by their ISO 639-1 codes, and sentences about them."""

    EN = "English"
    FR = "French"
    DE = "German"
    ES = "Spanish"
    IT = "Italian"
    PT = "Portuguese"
    NL = "Dutch"
    SV = "Swedish"
    DA = "Danish"
    NO = "Norwegian"
    FI = "Finnish"
    HU = "Hungarian"
    RU = "Russian"
    TR = "Turkish"
    OTHER_SCRIPT = "another script"

    READ_BY_GLOSSES = (
        "most notes are in {language}, which the model '{model}' reads by word-for-word glosses; a "
        "multilingual one reads it as it is: {cure}"
    )
    LANGUAGE_UNKNOWN = (
        "most notes are in {language}, which the model '{model}' does not know; for 'deep', get one that "
        "does: {cure}"
    )
    FOUND_BY_WORDS_ALONE = (
        "most notes are in {language}, which the model '{model}' does not know: what they say in other "
        "words than the question was not found ('vault-assistant setup model' names models that do)"
    )


class ChangeKind(StrEnum):
    """What changed besides, and what stayed."""

    PROPERTIES_KEPT = "the property block was kept"
    LINKING_NOTES = "{count} other {count:note|notes} with links to it ({names})"
    LINKS_REWRITTEN = "links rewritten in {count} other {count:note|notes}"
    LINKS_TAKEN = (
        "'{path}' has the same name: {count} {count:link that led|links that led} to it {count:leads|lead} "
        "to the new note"
    )
    NEAR = "near it: {notes}"
    SAME_NAME = "'{path}' (same name)"
    SAME_TITLE = "'{path}' (same title)"
    ALIKE = "'{path}'"
    LINKS_UNSEEN = "links in '{path}' were not all looked at: {reason}"
    CANVASES_REWRITTEN = "{count} {count:canvas|canvases} now {count:shows|show} it by its new path"
    HEADING_LEFT_OUT = "the text's first heading '{heading}' is left out: it is that of the section"
    ESCAPED_LINE_ENDS = (
        "the text has no line end, but \\n as two characters, and is written as it is; for line ends, send "
        "\\n with one backslash in JSON, not two"
    )
    NOTE_UNSEEN = "'{path}' could not be read, and is left as it is: {reason}"
    NOTE_LEFT = "left as it is: {reason}"
    EXCLUDED_LINKS_UNSEEN = "links in {count} excluded {count:place|places} were not all looked at"
    EXCLUDED_CHANGED = "{count} excluded {count:note|notes} changed too, not shown"
    TRASHED_COPY_STAYS = "the copy in the system's trash stays there"
    FAILED_LATE = "{path}: {reason}"
    REMAINS_LEFT = "what the write that was taken back had left could not all be removed: {reason}"
    JOURNAL_INCOMPLETE = (
        "{operation} is done, but the journal could not be completed: {reason}; the next command completes it"
    )
