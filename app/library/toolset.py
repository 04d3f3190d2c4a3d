"""The tools of a vault as a toolset of pydantic-ai."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from pydantic_ai import RunContext, Tool
from pydantic_ai.exceptions import ApprovalRequired
from pydantic_ai.messages import ToolReturn
from pydantic_ai.models import Model
from pydantic_ai.toolsets import FunctionToolset

from app.dependencies import Approve
from app.library.definitions import ToolName
from app.library.tools import READING, ApprovalNeededError, CallInfo, Vaults, VaultTools, Writing


class VaultToolset(FunctionToolset[Any]):
    """Search, read, write and ask, for any agent and any dependencies.

    What a tool returns is a text for the model; its ``metadata``, which no model is sent, is the result as
    data: see `VaultTools.call`. A change is shown to a person by ``approve``, or without it by pydantic-ai's
    deferred calls: the run ends with `DeferredToolRequests`, whose metadata has the diff, and the call that
    is approved makes exactly this change, in another request or process too.

    Args:
        vault: One or several, or their folders. Of several, hits carry ``name:path``, and tools take
            ``vault``.
        tools: Which tools there are; this and all but ``id`` as of `VaultTools`.
        prefix: Put before their names, with nothing between; `prefixed` of pydantic-ai works as well.
        writes: What ``write`` may do, see `Writing`.
        approve: With ``ask``, decides on a change; a function that may be async.
        model: Answers ``ask``, by its name; without it the model that runs the agent.
        id: The toolset's id, as of `FunctionToolset`.
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
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self.vault_tools = VaultTools(
            vault, tools, prefix=prefix, writes=writes, approve=approve, model=model
        )
        for schema in self.vault_tools.tool_schemas():
            name = schema["name"]
            function = self._function(name)
            self.add_tool(
                Tool.from_schema(function, name, schema["description"], schema["parameters"], takes_ctx=True)
            )

    def _function(self, name: str) -> Callable[..., Awaitable[ToolReturn]]:
        async def call(ctx: RunContext[Any], **arguments: object) -> ToolReturn:
            info = CallInfo(
                trace_id=str(getattr(ctx.deps, "trace_id", "")),
                id=ctx.tool_call_id or "",
                approved=ctx.tool_call_approved,
                defers=True,
                model=ctx.model if isinstance(ctx.model, Model) else None,
            )
            try:
                told = await self.vault_tools.call(name, arguments, info)
            except ApprovalNeededError as error:
                waiting = error.proposal
                shown = ("operation", "path", "diff", "token", "expires")
                raise ApprovalRequired({each: getattr(waiting, each) for each in shown}) from None
            return ToolReturn(str(told), metadata=told.value)

        return call
