"""Every setting on one page, and the only place that reads the environment."""

import json
import os
from pathlib import Path
from typing import Annotated, Any, Literal

import platformdirs
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, SettingsError

from app.deep_settings import DeepSettings, EmbeddingSettings
from app.errors import ConfigError

APP_NAME = "vault-assistant"
ENV_PREFIX = "VAULT_ASSISTANT_"

BUNDLED_MODEL = "all-MiniLM-L6-v2"
"""The embedding model that comes with the extra ``deep``."""

Writes = Literal["allow", "ask", "refuse"]
Secrets = Literal["ask", "mask", "send"]
IndexName = Annotated[str, Field(pattern=r"^\w[\w .-]*$", max_length=64)]
"""An index's name, which is also that of its folder."""


def _expanded(value: object) -> Path:
    if not isinstance(value, str | Path):
        raise ValueError("should be a path, as text")
    return Path(value).expanduser()


UserPath = Annotated[Path, BeforeValidator(_expanded)]


class IndexDefinition(BaseModel):
    """What one named index holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    embedding_model: Annotated[str, Field(min_length=1)] | None = BUNDLED_MODEL
    """Model that embeds the chunks: a folder, or a name on this machine; null makes the index lexical."""
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


class Settings(BaseSettings):
    """All settings: arguments win over ``VAULT_ASSISTANT_*`` variables, and those over ``config.json``."""

    model_config = SettingsConfigDict(
        env_prefix=ENV_PREFIX, env_nested_delimiter="__", frozen=True, extra="forbid"
    )

    vault: UserPath | None = None
    """Folder of the vault; without it, the nearest parent folder with `.obsidian/`."""
    vaults: dict[str, VaultEntry] = Field(default_factory=dict)
    """Further vaults by name, each with its path and its own indexes."""
    model: str | None = None
    """Language model as pydantic-ai names it, such as `ollama:qwen3`; null works offline."""
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
    writes: Writes = "ask"
    """What the chat, and a client of `mcp`, may do to notes: `allow`, `ask` a person, or `refuse`."""
    secrets: Secrets = "ask"
    """What looks like a key, before a model elsewhere gets it: `ask` a person, `mask` it, or `send` it."""
    ask_requests: int = Field(default=12, ge=2)
    """Requests to the language model for one `ask`; then what was found by then is the answer."""
    ask_tool_calls: int = Field(default=30, ge=1)
    """Searches and readings for one `ask`; then what was found by then is the answer."""
    ask_chars: int = Field(default=100_000, ge=8000)
    """Longest answer of `ask`, in characters, with the notes it shows; longer notes are cut."""
    chunk_chars: int = Field(default=1500, ge=200, le=20_000)
    """Longest chunk, in characters, where the note's structure allows a cut."""
    max_note_bytes: int = Field(default=4_000_000, ge=1_000)
    """Largest note that is read, in bytes; a larger one is found by name only and reported."""
    commit_notes: int = Field(default=3000, ge=1)
    """Notes in one commit of the index; a killed run keeps what was committed."""
    catch_up_seconds: float = Field(default=5.0, ge=0)
    """Longest wait, in seconds, for the index to catch up before the last state answers."""
    resident: bool = True
    """Whether a running `mcp`, `serve` or `index --watch` of the vault answers `find` and `ask`."""
    cache_dir: UserPath | None = None
    """Where indexes are kept; null means the user's cache folder."""
    state_dir: UserPath | None = None
    """Where the journal of writes and the log of sent texts are kept; null means the user's state folder."""

    @property
    def cache_folder(self) -> Path:
        """The folder that holds all derived stores."""
        return self.cache_dir or Path(platformdirs.user_cache_dir(APP_NAME, appauthor=False))

    @property
    def state_folder(self) -> Path:
        """The folder that holds the journal of writes and the log of texts sent to models."""
        return self.state_dir or Path(platformdirs.user_state_dir(APP_NAME, appauthor=False))


class _FileSettings(Settings):
    """Settings whose arguments come from a file, so that the environment wins over them."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return env_settings, init_settings


def config_file(explicit: Path | None = None) -> Path | None:
    """Find ``config.json``: the given one, the environment's, the working folder's, the user's.

    Raises:
        ConfigError: a file that was named does not exist.
    """
    named = explicit or (Path(value) if (value := os.environ.get(ENV_PREFIX + "CONFIG")) else None)
    if named is not None:
        if not named.expanduser().is_file():
            raise ConfigError(f"no configuration file at '{named}'", "name an existing JSON file")
        return named.expanduser()
    user = Path(platformdirs.user_config_dir(APP_NAME, appauthor=False)) / "config.json"
    return next((path for path in (Path("config.json"), user) if path.is_file()), None)


def load_settings(explicit: Path | None = None) -> Settings:
    """Read the configuration file, if there is one, and the environment.

    Raises:
        ConfigError: the file is not JSON, or a value is wrong; the message names the field.
    """
    path = config_file(explicit)
    values: dict[str, Any] = {}
    if path is not None:
        try:
            loaded = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ConfigError(
                f"cannot read the configuration '{path}': {error}", "it must be JSON"
            ) from error
        if not isinstance(loaded, dict):
            raise ConfigError(f"the configuration '{path}' is not a JSON object", 'start it with "{"')
        values = loaded
    return _checked(_FileSettings, values)


def default_settings() -> Settings:
    """Give the defaults and the environment's values; no file is read.

    Raises:
        ConfigError: a variable's value is wrong; the message names the setting.
    """
    return _checked(Settings, {})


def _checked(kind: type[Settings], values: dict[str, Any]) -> Settings:
    try:
        return kind(**values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "configuration"
        raise ConfigError(f"setting '{where}': {first['msg']} (got {first['input']!r})") from error
    except SettingsError as error:
        raise ConfigError(
            f"a variable {ENV_PREFIX}… is no JSON: {error}", "write it as in config.json"
        ) from error
