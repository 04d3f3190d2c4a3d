"""Every setting on one page, and the only place that reads the environment."""

import logging
import os
from collections.abc import Sequence
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, cast, get_args, get_origin

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_core import PydanticCustomError

from app.config.file import ConfigFile, Ignored, choose_file, read_named
from app.config.folders import cache_folder, is_own, state_folder
from app.config.paths import absolute_values
from app.config.refusals import unknown, wrong
from app.errors import ConfigError

Device = Literal["auto", "cpu", "cuda", "mps"]
Precision = Literal["auto", "fp32", "bf16"]

ENV_PREFIX = "VAULT_ASSISTANT_"
FILE_VARIABLE = ENV_PREFIX + "CONFIG"
"""Names the configuration file; it is no setting."""
logger = logging.getLogger("vault_assistant")
logger.addHandler(logging.NullHandler())
BUNDLED_MODEL = "all-MiniLM-L6-v2"
"""The embedding model that comes with the extra ``deep``."""
MULTILINGUAL_MODEL = "multilingual-e5-small"
"""The embedding model that comes with the extra ``multilingual``."""
Writes = Literal["allow", "ask", "refuse"]
Secrets = Literal["ask", "mask", "send"]
IndexName = Annotated[str, Field(pattern=r"^\w[\w .-]*$", max_length=64)]
"""An index's name, which is also that of its folder."""


class EmbeddingSettings(BaseModel):
    """How embedding models are run; none of it changes what their vectors mean."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    device: Device = "auto"
    """Where the model runs: `cpu`, `cuda`, `mps`, or `auto` for the fastest there is."""
    precision: Precision = "auto"
    """Numbers it computes with when it embeds notes: `fp32`, `bf16`, or `auto`: bf16 where the CPU has it."""
    batch: int = Field(default=16, ge=1, le=1024)
    """Texts in one pass through the model."""
    threads: int | None = Field(default=None, ge=1, le=256)
    """Threads of the model; null takes all cores."""
    exact_vectors: int = Field(default=100_000, ge=0)
    """More vectors than these are searched with 8 bits a number instead of 16: half the memory."""


class DeepSettings(BaseModel):
    """The recipe of `deep`; a weight of 0 switches its step off."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    candidates: int = Field(default=1000, ge=10, le=10_000)
    """Passages that each list gives: words, vectors, other wordings."""
    pool: int = Field(default=50, ge=1, le=1000)
    """Passages that are ranked again by all scores together."""
    fusion_k: float = Field(default=10.0, gt=0)
    """Constant of Reciprocal Rank Fusion: larger values trust the tops of the lists less."""
    words_weight: float | None = Field(default=None, ge=0, le=1)
    """Share of BM25 in the final score; the rest is meaning. Null takes what fits the model: .55, or .3."""
    tokens_weight: float = Field(default=0.25, ge=0, le=1)
    """Share of token interaction in the meaning; the rest is the cosine of the best window."""
    note_weight: float = Field(default=1.0, ge=0, le=2)
    """What the mean of a note's windows adds to the cosine of a passage."""
    links_weight: float = Field(default=0.7, ge=0, le=1)
    """Share of a first hit's score that a note gains which the hit links to or names."""
    rewrites: int = Field(default=2, ge=0, le=5)
    """Rewritings of a question that are asked of the language model, where there is one."""
    reranker: str | None = None
    """Cross-encoder that ranks the pool too: a folder, or a name that is on this machine."""
    reranker_weight: float = Field(default=0.4, ge=0, le=1)
    """Share of the cross-encoder in the final score."""
    reranker_seconds: float = Field(default=2.0, gt=0, le=60)
    """Longest time it may take, in seconds; as many passages as fit, best first."""


def _expanded(value: object) -> Path:
    if not isinstance(value, str | Path):
        raise ValueError("should be a path, as text")
    if b"\0" in os.fsencode(value):
        raise ValueError("should be a path, without a NUL")
    try:
        return Path(value).expanduser()
    except RuntimeError as error:
        raise ValueError("should be a path; there is no such user's home") from error


UserPath = Annotated[Path, BeforeValidator(_expanded)]


class IndexDefinition(BaseModel):
    """What one named index holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    embedding_model: Annotated[str, Field(min_length=1)] | None = BUNDLED_MODEL
    """Model that embeds the chunks: a folder, a name on this machine, or one behind a server, such as
    `ollama:bge-m3`, which is sent the notes; null makes the index lexical. Left out, it follows the notes:
    where most are not in English, the model of the extra `multilingual`, if that is installed.

    A folder is told from a name by how it is written; see `app.config.paths.model_folder`.
    """
    engine: Literal["local", "milvus"] = "local"
    """What keeps the index: `local`, files on this machine, or `milvus`, a database at `uri`."""
    uri: Annotated[str, Field(min_length=1)] | None = None
    """Where Milvus listens, such as `http://localhost:19530`; a path ending in `.db` is Milvus Lite."""
    token: SecretStr | None = None
    """Token of Milvus, `user:password` or an API key."""
    database: str = Field(default="vault_assistant", pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,40}$")
    """What the names of the collections in Milvus start with."""
    remote_name: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    """The vault's name in Milvus; null makes one of its folder, for this machine alone."""
    feeds: bool = True
    """Whether this machine brings the vault's folder to Milvus; false only reads what is there."""
    include: tuple[str, ...] = ()
    """Globs over note paths; when given, only matching notes are indexed."""
    exclude: tuple[str, ...] = ()
    """Globs over note paths that are left out of the index."""


class IndexSettings(BaseModel):
    """The named indexes of one vault."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    indexes: dict[IndexName, IndexDefinition] = Field(default_factory=lambda: {"notes": IndexDefinition()})
    """Index definitions by name."""
    default: str = Field(default="notes", validate_default=True)
    """Index used when a call names none."""

    @field_validator("default")
    @classmethod
    def _names_an_index(cls, default: str, info: ValidationInfo) -> str:
        known = info.data.get("indexes")
        # Where there is no index at all, a search says so; notes can still be read and written.
        if known and default not in known:
            names = ", ".join(sorted(known))
            raise PydanticCustomError(
                "unknown_index", "there is no such index, only: {names}", {"names": names}
            )
        return default


class VaultEntry(BaseModel):
    """A further vault, by name."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: UserPath
    """The vault's folder."""
    index: IndexSettings | None = None
    """Its own indexes; null takes the common ones."""


OFFLINE = "offline"
"""Stands for no language model, where one is named."""


class Settings(BaseModel):
    """All settings: arguments win over ``VAULT_ASSISTANT_*`` variables, and those over ``config.json``."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    vault: UserPath | None = None
    """Folder of the vault; without it, the nearest parent folder with `.obsidian/`."""
    vaults: dict[str, VaultEntry] = Field(default_factory=dict)
    """Further vaults by name, each with its path and its own indexes."""
    groups: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Names that stand for several of `vaults`, which are asked as one."""
    model: Annotated[str | None, AfterValidator(lambda name: None if name == OFFLINE else name)] = None
    """Language model as pydantic-ai names it, such as `ollama:qwen3`; null, or `offline`, works offline."""
    model_seconds: float = Field(default=120.0, gt=0, le=3600)
    """Longest wait for a model, in seconds, retries included: for an answer to begin, or to go on."""
    model_retries: int = Field(default=2, ge=0, le=10)
    """How often a busy or failing model server is tried again, with growing pauses."""
    keyword_models: tuple[str, ...] = ()
    """Models that judge what `keyword` finds, first choice first; then `model` does."""
    history_chars: int = Field(default=60_000, ge=2_000)
    """Most of a conversation that is sent along with a question, in characters; the oldest goes first."""
    index: IndexSettings = Field(default_factory=IndexSettings)
    """Named indexes and which one is the default."""
    embedding: EmbeddingSettings = Field(default_factory=EmbeddingSettings)
    """How embedding models are run."""
    deep: DeepSettings = Field(default_factory=DeepSettings)
    """What each step of `deep` weighs."""
    token_file: UserPath | None = None
    """File of the hashes of tokens that `mcp --http` takes, each with the vaults it may see."""
    writes: Writes = "ask"
    """What the chat, and a client of `mcp`, may do to notes: `allow`, `ask` a person, or `refuse`."""
    secrets: Secrets = "ask"
    """What looks like a key, before a model elsewhere gets it: `ask` a person, `mask` it, or `send` it."""
    ask_requests: int = Field(default=12, ge=2)
    """Requests to the language model for one `ask`; then what was found by then is the answer."""
    ask_tool_calls: int = Field(default=30, ge=1)
    """Searches and readings for one `ask`; then what was found by then is the answer."""
    ask_probability: float = Field(default=0.4, ge=0, le=1)
    """Without a language model: if the best is less likely to answer, the nearest places are named."""
    ask_judge: str | None = None
    """Model that judges sentences which the rules let pass: a folder, or a name that is on this machine."""
    ask_evidence_tokens: int = Field(default=4000, ge=200, le=100_000)
    """Most of what the search for a question found that a model is given with it, in tokens."""
    ask_chars: int = Field(default=100_000, ge=8000)
    """Longest answer of `ask`, in characters, with the notes it shows; longer notes are cut."""
    chunk_chars: int = Field(default=1500, ge=200, le=20_000)
    """Longest chunk, in characters, where the note's structure allows a cut."""
    max_note_bytes: int = Field(default=4_000_000, ge=1_000)
    """Largest note that is read, in bytes; a larger one is found by name only and reported."""
    attachment_texts: tuple[Annotated[str, Field(pattern=r"^[a-z0-9]{1,16}$")], ...] = ("txt", "csv", "tex")
    """Endings of the files that are read as plain text, in small letters, such as `txt`, `py`."""
    commit_notes: int = Field(default=3000, ge=1)
    """Notes in one commit of the index; a killed run keeps what was committed."""
    catch_up_seconds: float = Field(default=5.0, ge=0)
    """Longest wait, in seconds, for the index to catch up before the last state answers."""
    portable_names: bool = False
    """Whether a note may only be called as Windows lets it: not `CON`, nor with `?` or a dot at the end."""
    picker_opens: Literal["editor", "obsidian"] = "editor"
    """What Enter in the picker opens a note in: your `editor` ($VISUAL, $EDITOR), or `obsidian`."""
    cache_dir: UserPath | None = None
    """Where indexes are kept; null means the user's cache folder."""
    state_dir: UserPath | None = None
    """Where the journal of writes, sent texts and talks are kept; null means the user's state folder."""
    keep_talks: bool = True
    """Whether what was asked and answered on the page is kept in the state folder."""

    def __init__(self, /, **values: Any) -> None:  # noqa: ANN401 - checked by the model
        super().__init__(**_together(_variables(), values))

    @field_validator("groups")
    @classmethod
    def _names_vaults(
        cls, groups: dict[str, tuple[str, ...]], info: ValidationInfo
    ) -> dict[str, tuple[str, ...]]:
        known = info.data.get("vaults", {})
        for group, names in groups.items():
            unknown = [name for name in names if name not in known]
            if group in known or not names or unknown:
                raise PydanticCustomError(
                    "no_group",
                    "'{group}' should be the name of no vault, and list names of 'vaults': {known}",
                    {"group": group, "known": ", ".join(known) or "there are none"},
                )
        return groups

    @property
    def cache_folder(self) -> Path:
        """The folder that holds all derived stores."""
        return self.cache_dir or cache_folder()

    @property
    def state_folder(self) -> Path:
        """The folder that holds the journal of writes and the log of texts sent to models."""
        return self.state_dir or state_folder()


def _variables() -> dict[str, Any]:
    """Return what the environment says of settings, by their names.

    Raises:
        ConfigError: a variable that has to be JSON is none.
    """
    # The library that reads them takes longer to import than the program takes to search.
    if not any(name.upper().startswith(ENV_PREFIX) and name.upper() != FILE_VARIABLE for name in os.environ):
        return {}
    from pydantic_settings import EnvSettingsSource, SettingsError

    try:
        return EnvSettingsSource(
            cast(Any, Settings), env_prefix=ENV_PREFIX, env_nested_delimiter="__", case_sensitive=False
        )()
    except SettingsError as error:
        raise ConfigError(
            "a variable {env_prefix}… is no JSON: {reason}",
            "write it as in config.json",
            env_prefix=ENV_PREFIX,
            reason=error,
        ) from error


def _together(values: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Return values with others over them; where both have a mapping, its entries are taken together."""
    merged = dict(values)
    for name, value in over.items():
        below = merged.get(name)
        merged[name] = (
            _together(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
        )
    return merged


class Configuration(NamedTuple):
    """The settings that hold, the file they come from, and the file that was passed over."""

    settings: Settings
    file: ConfigFile | None
    ignored: Ignored | None


def load_configuration(explicit: Path | None = None, *, of_folder: bool = True) -> Configuration:
    """Read the file that was named, else the working folder's if it is trusted, else the person's own.

    Args:
        explicit: The file that was named; without it, that of the variable ``VAULT_ASSISTANT_CONFIG``.
        of_folder: Whether the working folder's file may be taken where it is trusted.

    Raises:
        ConfigError: a file that was named does not exist, the file is not JSON, or a value is wrong; the
            message names the field.
    """
    file: ConfigFile | None
    ignored: Ignored | None = None
    if explicit is not None:
        file = read_named(explicit, "option")
    elif variable := os.environ.get(FILE_VARIABLE):
        file = read_named(Path(variable), "variable")
    else:
        file, ignored = choose_file(Settings.model_fields, of_folder=of_folder)
    if ignored is not None and ignored.is_ours:
        extra = {"file": str(ignored.path), "reason": ignored.reason}
        logger.warning("configuration_ignored", extra=extra)
    return Configuration(settings_of(file), file, ignored)


def load_settings(explicit: Path | None = None) -> Settings:
    """Read the configuration file, if there is one, and the environment; see `load_configuration`."""
    return load_configuration(explicit).settings


def settings_of(file: ConfigFile | None) -> Settings:
    """Return what a configuration file and the environment say together.

    Raises:
        ConfigError: a value is wrong, or a project's file would keep something outside the person's folders.
    """
    values = {} if file is None else absolute_values(file.values, file.path.parent)
    # Arguments win over the environment, and the environment over a file.
    settings = _checked(_together(values, _variables()), file)
    if file is not None and file.origin == "folder":
        for name in ("cache_dir", "state_dir"):
            if values.get(name) is not None and not is_own(Path(str(values[name]))):
                raise ConfigError(
                    "setting '{name}': '{place}' is outside your own folders, and the file of a "
                    "folder, '{path}', may keep nothing there",
                    "name a place below your home folder, or name the file with --config",
                    name=name,
                    place=values[name],
                    path=file.path,
                )
    return settings


def default_settings() -> Settings:
    """Return the defaults and the environment's values; no file is read.

    Raises:
        ConfigError: a variable's value is wrong; the message names the setting.
    """
    return _checked({})


def _checked(values: dict[str, Any], file: ConfigFile | None = None) -> Settings:
    try:
        return Settings(**values)
    except ValidationError as error:
        first = error.errors()[0]
        keys = tuple(map(str, first["loc"]))
        if first["type"] == "extra_forbidden":
            raise unknown(keys, first["input"], sorted(_model_at(keys[:-1]).model_fields), file) from error
        raise wrong(dict(first)) from error


def _model_at(keys: Sequence[str]) -> type[BaseModel]:
    """Return the part of the settings that stands at some keys."""
    kind: Any = Settings
    for key in keys:
        # The keys of a mapping are free, its values are all of one kind.
        kind = get_args(kind)[1] if get_origin(kind) is dict else kind.model_fields[key].annotation
        if get_origin(kind) is UnionType:
            kind = get_args(kind)[0]
    found: type[BaseModel] = kind
    return found
