"""What pydantic-ai and the providers raise, put into one line each."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from app.errors import ModelError, missing_extra
from app.notices import FailureKind, Notice
from app.sentences import Sentence

if TYPE_CHECKING:
    from pydantic_ai.exceptions import ModelAPIError

MESSAGE_CHARS = 300
SETTING_HINT = "set 'model' to a name such as 'ollama:qwen3', 'anthropic:...' or 'openai:...'"
BAD_KEY = "the API key holds a character that no key has, such as an accent or a line break"
HINTS: Mapping[str, str] = {
    FailureKind.MODEL_TOO_LONG: "try again, or a smaller model",
    FailureKind.MODEL_UNREACHABLE: "",
    FailureKind.MODEL_BROKE_OFF: "try again",
    FailureKind.MODEL_ASKED_ON: "ask more narrowly",
}
"""What helps, where it is not another model."""
EXTRAS = {"openai": "openai", "tiktoken": "openai", "anthropic": "anthropic"}
"""The extra that brings a package which a provider's client needs."""


@contextmanager
def model_errors(name: str) -> Iterator[None]:
    """Turn what pydantic-ai and the providers raise around ``name`` into a ``ModelError``."""
    from pydantic_ai.exceptions import AgentRunError, UserError

    try:
        yield
    except UserError as error:
        raise _configuration_error(name, str(error)) from error
    except ImportError as error:
        # The library says which package in a sentence of its own, and as the cause of it.
        extra = EXTRAS.get(getattr(error.__cause__ or error, "name", None) or "")
        raise ModelError(
            Sentence("model '{name}' needs a package that is missing", name=name),
            missing_extra(extra) if extra else _one_line(error),
        ) from error
    except (TimeoutError, AgentRunError) as error:
        raise _run_error(name, error) from error


def _configuration_error(name: str, message: str) -> ModelError:
    if "environment variable" in message:
        variable = message.split("`")[1] if "`" in message else Sentence("its API key")
        return ModelError(
            "model '{name}' is not set up",
            "set the environment variable {variable}",
            name=name,
            variable=variable,
        )
    if message.startswith("Unknown model"):
        # The library's suggestion is left out: it names any provider's model that is spelled alike.
        return ModelError("unknown model '{name}'", SETTING_HINT, name=name)
    return ModelError(Sentence("model '{name}' cannot be used", name=name), _one_line(message))


def _run_error(name: str, error: Exception) -> ModelError:
    from pydantic_ai import exceptions as known

    if _is_local(error):
        return ModelError("model '{name}' cannot be used", BAD_KEY, name=name)
    if isinstance(error, known.ModelHTTPError):
        reason = _reason(error.body)
        said = f"{error.status_code}: {reason}" if reason else str(error.status_code)
        return ModelError(
            Sentence("model '{name}' refused the request ({status})", name=name, status=said),
            _advice(error, error.status_code),
        )
    failure = failure_reason(error)
    return ModelError(
        Sentence("model '{name}' did not come to an answer: {reason}", name=name, reason=failure),
        HINTS.get(failure.template, "try another model"),
    )


def failure_reason(error: Exception) -> Notice:
    """Say why a model gave no answer, without a word of the server's or of a library's."""
    from pydantic_ai import exceptions as known

    match error:
        case known.ModelConnectionError() if not isinstance(error, known.ModelTimeoutError):
            began = error.phase == "read" or error.in_stream
            return Notice(FailureKind.MODEL_BROKE_OFF if began else FailureKind.MODEL_UNREACHABLE)
        case TimeoutError() | known.ModelTimeoutError() | known.ModelRequestTimeout() | known.RunTimedOut():
            return Notice(FailureKind.MODEL_TOO_LONG)
        case _ if is_too_large(error):
            return Notice(FailureKind.MODEL_TOO_LARGE)
        case known.ModelHTTPError(status_code=429):
            return Notice(FailureKind.MODEL_BUSY)
        case known.ModelHTTPError(status_code=status):
            kind = FailureKind.MODEL_FAILED if status >= 500 else FailureKind.MODEL_REFUSED
            return Notice(kind, status=status)
        case known.UsageLimitExceeded():
            return Notice(FailureKind.MODEL_ASKED_ON)
        case known.OutputTokenLimitExceeded():
            return Notice(FailureKind.MODEL_CUT)
        case _:
            return Notice(FailureKind.MODEL_SENSELESS)


def is_setup(error: Exception) -> bool:
    """Return whether a person has to put something right before the model can answer anything."""
    from pydantic_ai import exceptions as known

    if isinstance(error, known.ModelHTTPError):
        return 400 <= error.status_code < 500 and error.status_code not in (408, 409, 425, 429)
    return _is_local(error)


def is_too_large(error: Exception | None) -> bool:
    """Return whether a server refused a request because it is longer than its model can read."""
    from pydantic_ai import exceptions as known

    if isinstance(error, known.ModelHTTPError) and error.status_code in (400, 413):
        # Servers on one's own machine have words of their own for it, all with this one.
        return error.status_code == 413 or "context" in str(error.body).casefold()
    return isinstance(error, known.ModelContextWindowExceededError)


def _is_local(error: BaseException | None) -> bool:
    """Tell whether a request was not sent because it breaks the rules of HTTP, as a key of two lines does."""
    while error is not None:
        if type(error).__name__ == "LocalProtocolError":
            return True
        error = error.__cause__ or error.__context__
    return False


def _advice(error: "ModelAPIError", status: int) -> str:
    from pydantic_ai import exceptions as known

    if isinstance(error, known.ModelQuotaExceededError):
        return "check the account's credit, or use another model"
    if isinstance(error, known.ModelContextWindowExceededError):
        return "ask more narrowly, start a new conversation, or use a model that reads more"
    if status in (401, 403):
        return "check the API key"
    if status == 404:
        return "check the model's name and the server's address"
    if status == 429:
        return "wait a moment, or use another model"
    return "try again later" if status >= 500 else "check the model's name and settings"


def _reason(body: object) -> str:
    if isinstance(body, dict):
        inner = body.get("error", body)
        body = inner.get("message", "") if isinstance(inner, dict) else inner
    return _one_line(body) if body else ""


def _one_line(text: object) -> str:
    line = " ".join(str(text).split())
    return line if len(line) <= MESSAGE_CHARS else line[: MESSAGE_CHARS - 1] + "…"
