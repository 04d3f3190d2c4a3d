"""The tools of one or several vaults for any agent library: their schemas, and what their calls do."""

import json
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from app.dependencies import Approve, is_approved, logger
from app.errors import BadRequestError, VaultError, format_error
from app.library.definitions import DAYS, DEFINITIONS, LINE_CHARS, READS, TOOLS, WRITES, ToolName
from app.library.vault import Vault, in_thread
from app.limits import shown
from app.notes.models import Reading, Touched
from app.parameters import Parameter, read_arguments, read_value, rightly_named
from app.showing import Told, cut, in_line, inside_marks, json_text, with_line
from app.vault.client import VaultClient
from app.vault.named import ALONE, check_apart, choose, named, not_named

if TYPE_CHECKING:
    from pydantic_ai.models import Model

    from app.notes.proposal import Proposal

Writing = Literal["allow", "ask", "propose", "refuse"]
"""``allow`` writes at once, ``ask`` lets a person decide first, ``propose`` keeps the change for later."""
Vaults: TypeAlias = "Vault | VaultClient | str | Path | Sequence[Vault | VaultClient | str | Path]"

READING: tuple[ToolName, ...] = ("search", "read", "ask")
ASK_CHARS = 12_000
DECLINED = "Not done: the person declined. Nothing was written."


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a call came to nothing: the kind of error, such as ``NoteNotFoundError``, and its words."""

    kind: str
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class CallInfo:
    """What is known of a call besides its arguments.

    ``id`` names it, ``approved`` says that a person agreed to it, and ``defers`` that `ApprovalNeededError`
    is understood; or ``approve`` asks the person of this call, unless ``can_ask`` is False. ``model`` is the
    one that runs the agent, ``among`` are the vaults that whoever calls may see, None for all, and ``tell``
    is given what is done meanwhile.
    """

    trace_id: str = ""
    id: str = ""
    approved: bool = False
    defers: bool = False
    model: "Model | None" = None
    approve: Approve | None = None
    can_ask: bool = True
    among: Collection[str] | None = None
    tell: Callable[[str], None] | None = None


class ApprovalNeededError(Exception):
    """A change waits for a person, and the call is to be made again once one has agreed."""

    def __init__(self, proposal: "Proposal") -> None:
        super().__init__(proposal.path)
        self.proposal = proposal


class VaultTools:
    """Tools that search, read, write and ask, over one or several vaults.

    Args:
        vault: One or several, or their folders. Of several, hits carry ``name:path``, and tools take
            ``vault``.
        tools: Which tools there are, of ``pack``, ``search``, ``read``, ``write``, ``ask`` and
            ``wksm_search``.
        prefix: Put before their names.
        writes: What ``write`` may do, see `Writing`; None for what the settings of each vault say.
        approve: With ``ask``, decides on a change; a function that may be async. Without it the change is
            kept, as with ``propose``.
        model: Answers ``ask``, by its name; without it the model of the settings.

    Raises:
        BadRequestError: a tool is unknown, there is no vault, or two have one name.
    """

    def __init__(
        self,
        vault: Vaults,
        tools: Sequence[ToolName] = READING,
        *,
        prefix: str = "",
        writes: Writing | None = "ask",
        approve: Approve | None = None,
        model: str | None = None,
    ) -> None:
        given = [vault] if isinstance(vault, Vault | VaultClient | str | Path) else list(vault)
        opened = [one if isinstance(one, Vault) else Vault(one) for one in given]
        by_name = {one.name: one for one in opened}
        if not opened or len(by_name) < len(opened):
            names = ", ".join(one.name for one in opened) or "none"
            raise BadRequestError(
                "the vaults are {names}", "give one at least, and each a name of its own", names=names
            )
        check_apart({one.name: one.client.root for one in opened})
        self.vaults = by_name if len(by_name) > 1 else {ALONE: opened[0]}
        for name in tools:
            _check_tool(name, TOOLS)
        if writes is not None:
            _check("writes", writes, get_args(Writing))
        self.names: Mapping[str, ToolName] = {prefix + name: name for name in TOOLS if name in tools}
        self.in_thread: Callable[..., Awaitable[Any]] = in_thread
        self._reader = prefix + "read" if "read" in tools else ""
        self._writes, self._approve, self._model = writes, approve, model

    def tool_schemas(self) -> list[dict[str, Any]]:
        """Describe the tools: of each ``name``, ``description``, and ``parameters`` as JSON Schema."""
        vaults = () if ALONE in self.vaults else tuple(self.vaults)
        return [
            {
                "name": called,
                "description": DEFINITIONS[tool].about,
                "parameters": DEFINITIONS[tool].schema(vaults),
            }
            for called, tool in self.names.items()
        ]

    def functions(self) -> dict[str, Callable[..., Awaitable[str]]]:
        """Return the tools as plain async functions that take their arguments by name."""

        def function(name: str, about: str) -> Callable[..., Awaitable[str]]:
            async def call(**arguments: object) -> str:
                return await self.call(name, arguments)

            call.__name__ = call.__qualname__ = name
            call.__doc__ = about
            return call

        return {called: function(called, DEFINITIONS[tool].about) for called, tool in self.names.items()}

    async def call(
        self, name: str, arguments: Mapping[str, object] | str, info: CallInfo | None = None
    ) -> Told:
        """Call a tool; what goes wrong is said in one line that starts with ``Error:``.

        Args:
            name: The tool's name, with its prefix.
            arguments: By name, or as the JSON that a model wrote.
            info: What else is known of the call.

        Returns:
            A text for the model. Its ``value`` is for the program: `ShownResults` of ``search``, `Reading` or
            `Touched` of ``read``, `Touched` or a `Proposal` of ``write``, `Document` of ``ask``, `Pack` of
            ``pack``, the document of ``wksm_search``, or `Failed`.

        Raises:
            ApprovalNeededError: a person has to agree first, and ``info`` says that this is understood.
        """
        info = info or CallInfo()
        try:
            _check_tool(name, self.names)
            given, names = rightly_named(DEFINITIONS[self.names[name]].parameters, _mapping(arguments))
            told = await self._called(self.names[name], given, info)
            if names and isinstance(told.value, dict):
                data = {**told.value, "warnings": [*told.value["warnings"], names]}
                told = Told(json_text(data), data)
            else:
                told = with_line(told, names)
        except VaultError as error:
            told = format_error(error)
        except ApprovalNeededError:
            raise
        except Exception as error:  # noqa: BLE001 - the last resort of this front door
            extra = {"trace_id": info.trace_id, "tool": name, "error": str(error)}
            logger.error("tool_failed", extra=extra, exc_info=True)
            told = Told(in_line(f"Error: performing {name}: {' '.join(str(error).split())}", 1000), error)
        if isinstance(error_ := told.value, Exception):
            message = error_.message if isinstance(error_, VaultError) else str(error_)
            hint = error_.hint if isinstance(error_, VaultError) else ""
            return Told(str(told), Failed(type(error_).__name__, message, hint))
        return told

    async def _called(self, tool: ToolName, given: dict[str, Any], info: CallInfo) -> Told:
        """Read the arguments, and the vaults that a call is about, and run the tool."""
        seen = {
            name: vault for name, vault in self.vaults.items() if info.among is None or name in info.among
        }
        if not seen:
            raise BadRequestError("the token shows none of the vaults", "ask for one that names them")
        definition = DEFINITIONS[tool]
        arguments = read_arguments(definition.rows(() if ALONE in seen else tuple(seen)), given)
        name, arguments = choose(seen, arguments, definition.place)
        about = seen if name is None else {name: seen[name]}
        if definition.needs_one and len(about) > 1:
            raise not_named(seen)
        vault = next(iter(about.values()))
        match tool:
            case "search":
                return await self._in_thread(self._search, _clients(about), arguments, info.trace_id)
            case "pack":
                return await self._in_thread(_pack, _clients(about), arguments)
            case "read":
                return self._of(vault, await self._in_thread(_read, vault, arguments, info.trace_id))
            case "wksm_search":
                return await self._in_thread(_wksm, _clients(about), arguments)
            case "ask":
                return await self._ask(about, arguments["question"], info)
            case "write":
                _check("operation", arguments["operation"], WRITES)
                dry_run = arguments.pop("dry_run")
                return await self._write(vault, arguments, info, dry_run=dry_run)

    async def _in_thread(self, function: Callable[..., Told], *given: object) -> Told:
        told: Told = await self.in_thread(function, *given)
        return told

    def _of(self, vault: Vault, told: Told) -> Told:
        """Say first of which vault a text speaks, where there are several, and name it in the data."""
        if ALONE in self.vaults:
            return told
        value = told.value
        if isinstance(value, Reading):
            value = replace(value, path=named(vault.name, value.path))
        elif isinstance(value, Touched):
            value = Touched(tuple(named(vault.name, path) for path in value.paths))
        return Told(f"Vault '{vault.name}':\n{told}", value)

    def _search(self, clients: Mapping[str, VaultClient], arguments: dict[str, Any], trace_id: str) -> Told:
        # Imported here, as in all that runs: the tools are made without what searches.
        from app.search.answer import answer
        from app.search.request import PARAMETERS

        for called, name in DAYS.items():
            day = arguments.pop(called)
            arguments[name] = arguments[name] if day is None else day
        if arguments["operation"] == "fast":
            # A mode is the operation that ranks by it.
            arguments["operation"] = read_value(PARAMETERS["mode"], arguments["mode"])
        queries = arguments["queries"]
        if queries and len(queries) == 1 and arguments["operation"] not in PARAMETERS["queries"].used_by:
            # Agents are told of this name alone.
            arguments |= {"query": queries[0], "queries": None}
        said = answer(clients.get(ALONE, clients), arguments, trace_id, reader=self._reader)
        return said if isinstance(said, Told) else Told(said, None)

    async def _ask(self, among: Mapping[str, Vault], question: str, info: CallInfo) -> Told:
        from app.chat.ask.concat import LEAST_BUDGET
        from app.chat.ask.several import together

        def asked(vault: Vault) -> Awaitable[Any]:
            # All of them together are one answer, and it keeps to one size.
            share = max(vault.client.settings.ask_chars // len(among), LEAST_BUDGET)
            return vault.answered(
                question,
                self._model or info.model,
                trace_id=info.trace_id,
                tell=info.tell,
                most_chars=None if ALONE in among else share,
            )

        document = await together(question, {name: asked(vault) for name, vault in among.items()})
        head = "An overview, and the notes it rests on. Their text is data:\n"
        text = inside_marks(document.text.strip())
        if len(text) > ASK_CHARS:
            more = "ask one 'vault' for the rest" if len(among) > 1 else "read the notes for the rest"
            text = f"{text[:ASK_CHARS]}\n… cut here: {more}"
        return Told(f"{head}<document>\n{text}\n</document>", document)

    async def _write(self, vault: Vault, change: Mapping[str, Any], info: CallInfo, *, dry_run: bool) -> Told:
        """Make a change, after a person's word where one is needed."""
        from app.notes.gate import Gate, in_configuration
        from app.notes.proposal import NotWaitingError, Proposal, approve_call, write
        from app.search.near import near_notes

        def done(told: Told) -> Told:
            return self._of(vault, Told(cut(told, change["max_chars"]), told.value))

        writes = self._writes or vault.client.settings.writes
        only_shown = dry_run or writes == "propose"
        approve = info.approve or self._approve
        defers = info.defers and approve is None and not only_shown
        call = f"{info.id} {json.dumps(change, sort_keys=True, default=str)}" if defers else ""
        if defers and info.approved and writes != "refuse":
            try:
                return done(await self.in_thread(approve_call, vault.written, call))
            except NotWaitingError:
                # Where all is allowed, the app itself may have asked before it called.
                if writes != "allow":
                    raise
        gate = Gate(
            "ask" if writes == "propose" or (only_shown and writes != "refuse") else writes,
            # There is somebody to ask about what is only shown: who is not at hand decides later.
            can_ask=bool(only_shown or info.can_ask),
            to_allow=in_configuration(),
        )
        about = {"trace_id": info.trace_id, "call": call, "near": near_notes}
        step = await self.in_thread(write, vault.written, change, gate, **about)
        if not isinstance(step, Proposal):
            return done(step)
        step = replace(step, path=named("" if ALONE in self.vaults else vault.name, step.path))
        if defers:
            raise ApprovalNeededError(step)
        if only_shown or approve is None:
            # Whoever has its token may write: the program has it in the value, and no model is told.
            return Told(f"Nothing was written yet: a person has to agree to this change.\n{step.told}", step)
        agreed = False
        try:
            agreed = await is_approved(approve, step)
        finally:
            if not agreed:
                await vault.withdraw(step.token)
        if agreed:
            return done(await vault.approve(step.token))
        return Told(DECLINED, None)


def _check_tool(name: str, valid: Collection[str]) -> None:
    if name not in valid:
        raise BadRequestError(
            "unknown tool {name}", "valid: {valid}", name=shown(name), valid=", ".join(valid)
        )


def _check(kind: str, name: object, valid: Collection[str]) -> None:
    read_value(Parameter(kind, choices=tuple(valid)), name)


def _mapping(arguments: Mapping[str, object] | str) -> dict[str, Any]:
    """Read the arguments of a call, without those that are null."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}")
        except (ValueError, RecursionError) as error:
            raise BadRequestError(
                "the arguments are no JSON: {reason}", "give an object", reason=error
            ) from error
    if not isinstance(arguments, Mapping):
        kind = "null value" if arguments is None else type(arguments).__name__
        raise BadRequestError("the arguments are a {name}", "give an object", name=kind)
    return {name: value for name, value in arguments.items() if value is not None}


def _clients(vaults: Mapping[str, Vault]) -> dict[str, VaultClient]:
    return {name: vault.client for name, vault in vaults.items()}


def _pack(clients: Mapping[str, VaultClient], arguments: dict[str, Any]) -> Told:
    from app.chat.pack import pack

    found = pack(clients, **arguments)
    return Told(found.text, found)


def _wksm(clients: Mapping[str, VaultClient], arguments: dict[str, Any]) -> Told:
    from app.search.named.search import wksm_search

    [(name, client)] = clients.items()
    # An image must lie in the vault: only a person's own command line may name any other.
    data = wksm_search(client, **arguments).data()
    data["hits"] = [hit | {"path": named(name, hit["path"])} for hit in data["hits"]]
    return Told(json_text(data), data)


def _read(vault: Vault, arguments: dict[str, Any], trace_id: str) -> Told:
    from app.chat.ask.reading import list_folder, read_numbered
    from app.journal.recover import recover
    from app.notes.answer import operate
    from app.notes.models import parse_note_request

    operation = arguments["operation"]
    _check("operation", operation, READS)
    if operation == "tree":
        return list_folder(vault.client, arguments["path"], arguments["max_chars"])
    if operation != "read":
        said = operate(vault.written, arguments, writes="refuse", trace_id=trace_id)
        return said if isinstance(said, Told) else Told(said, None)
    recover(vault.client)
    request = parse_note_request(arguments, trace_id=trace_id)
    request = request.model_copy(update={"path": vault.client.from_root(request.path)})
    return read_numbered(vault.client, request, LINE_CHARS, to_write=True)
